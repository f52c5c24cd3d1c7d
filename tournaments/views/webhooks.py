"""The pages of a club's webhooks."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from courtpiece.accounts.forms import refusals_in
from courtpiece.accounts.permissions import Actor, actor_of
from courtpiece.accounts.refusals import Refused
from tournaments.forms.webhooks import ActForm, WebhookForm
from tournaments.operations import webhooks as operations
from tournaments.queries import webhooks as queries


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def webhooks(request: HttpRequest, slug: str) -> HttpResponse:
    """List a club's webhooks, and make one: the answer is the only page that shows its secret."""
    actor = actor_of(request)
    page = queries.webhooks_page(slug, actor=actor)
    form = WebhookForm(request.POST or None, initial={"kinds": list(queries.KINDS)})
    if form.is_valid():
        with refusals_in(form):
            made = operations.make_webhook(
                actor=actor, club_slug=slug, at=timezone.now(), **form.cleaned_data
            )
            return _page(request, slug, made.uid, {"secret": made.secret})
    facts = {"page": page, "club": page.club, "form": form}
    return TemplateResponse(request, "tournaments/webhooks.html", facts)


@never_cache
@login_required
@require_safe
def webhook(request: HttpRequest, slug: str, uid: UUID) -> HttpResponse:
    """Show a webhook, and what was sent to it."""
    return _page(request, slug, uid, {})


@never_cache
@login_required
@require_POST
def change(request: HttpRequest, slug: str, uid: UUID) -> HttpResponse:
    """Send other events, or to another address."""
    actor = actor_of(request)
    queries.webhook_page(slug, uid, actor=actor)
    form = WebhookForm(request.POST)
    if form.is_valid():
        with refusals_in(form):
            operations.change_webhook(
                actor=actor, club_slug=slug, uid=uid, at=timezone.now(), **form.cleaned_data
            )
            messages.success(request, _("Saved."))
            return redirect("tournaments:webhook", slug=slug, uid=uid)
    return _page(request, slug, uid, {"form": form})


@never_cache
@login_required
@require_POST
def act(request: HttpRequest, slug: str, uid: UUID) -> HttpResponse:
    """Do something with a webhook, or with one of its deliveries."""
    actor = actor_of(request)
    queries.webhook_page(slug, uid, actor=actor)
    form = ActForm(request.POST)
    if form.is_valid():
        try:
            if form.cleaned_data["do"] == "renew":
                made = operations.renew_secret(actor=actor, club_slug=slug, uid=uid, at=timezone.now())
                return _page(request, slug, uid, {"secret": made.secret, "is_renewed": True})
            messages.success(request, _act(actor, slug, uid, form))
        except Refused as refusal:
            messages.warning(request, str(refusal))
    else:
        messages.error(request, _("Nothing was done: that can be done with no webhook."))
    if form.is_valid() and form.cleaned_data["do"] == "remove":
        return redirect("tournaments:webhooks", slug=slug)
    return redirect("tournaments:webhook", slug=slug, uid=uid)


def _act(actor: Actor, slug: str, uid: UUID, form: ActForm) -> str:
    """Do what is asked for, and return what is told of it."""
    which: dict[str, Any] = {"actor": actor, "club_slug": slug, "uid": uid, "at": timezone.now()}
    match form.cleaned_data["do"]:
        case "pause":
            operations.pause_webhook(**which)
            return _("Nothing is sent until you resume it.")
        case "resume":
            operations.resume_webhook(**which)
            return _("What happens from now on is sent again.")
        case "remove":
            operations.remove_webhook(**which)
            return _("The webhook was removed.")
        case "test":
            operations.send_test(**which)
            return _("A test is on its way. Load the page again to see what came of it.")
        case _other:
            operations.send_again(**which, delivery=form.cleaned_data["delivery"])
            return _("It is sent once more. Load the page again to see what came of it.")


def _page(request: HttpRequest, slug: str, uid: UUID, facts: dict[str, Any]) -> HttpResponse:
    page = queries.webhook_page(slug, uid, actor=actor_of(request))
    form = WebhookForm(initial={"url": page.hook.url, "kinds": [kind for kind, _label in page.hook.kinds]})
    shown = {"page": page, "club": page.club, "form": form, **facts}
    return TemplateResponse(request, "tournaments/webhook.html", shown)
