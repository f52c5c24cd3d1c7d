"""The pages that belong to no app."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from courtpiece.accounts.permissions import actor_of
from courtpiece.accounts.queries import visible_clubs
from courtpiece.project import health
from tournaments.queries import newest_tournaments


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Say whether the database answers, when a worker was last heard, and which version this is."""
    report = health.report(health.look(), at=timezone.now())
    status = HTTPStatus.OK if report["database"] else HTTPStatus.SERVICE_UNAVAILABLE
    return JsonResponse(report, status=status)


@require_safe
def home(request: HttpRequest) -> TemplateResponse:
    """Say what the site is, and show who plays on it."""
    actor = actor_of(request)
    facts = {"tournaments": newest_tournaments(actor=actor), "clubs": visible_clubs(actor=actor)}
    return TemplateResponse(request, "home.html", facts)
