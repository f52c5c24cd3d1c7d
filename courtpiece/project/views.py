"""The pages that belong to no app."""

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from courtpiece.project import health
from courtpiece.project.version import VERSION


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """Say whether the database answers, when a worker was last heard, and which version this is.

    A silent worker makes standings late, not the site useless, so only the database decides the status.
    """
    found = health.look()
    lives = found.worker_lives(at=timezone.now())
    return JsonResponse(
        {
            "status": "ok" if found.database and lives else "degraded" if found.database else "down",
            "version": VERSION,
            "database": found.database,
            "worker": lives,
            "worker_heard": found.worker_heard,
        },
        status=HTTPStatus.OK if found.database else HTTPStatus.SERVICE_UNAVAILABLE,
    )
