"""The page of a deal on which a table does not agree: both versions, and what a director can do."""

from http import HTTPStatus
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from courtpiece.accounts.forms import refusals_in
from courtpiece.accounts.permissions import actor_of
from tournaments import queries
from tournaments.forms.disputes import SettleForm
from tournaments.forms.room import new_act
from tournaments.operations.confirming import settle_dispute


@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def dispute(request: HttpRequest, slug: str, uid: UUID) -> HttpResponse:
    """Show both versions of a disputed deal, and take that what is recorded stands."""
    actor = actor_of(request)
    page = queries.dispute_page(slug, uid, actor=actor)
    form = SettleForm(request.POST if request.method == "POST" else None, initial=_initial(page))
    if form.is_valid():
        with refusals_in(form):
            settle_dispute(
                actor=actor,
                deal_uid=uid,
                revision=form.cleaned_data["revision"],
                reason=form.cleaned_data["reason"],
                act_id=form.cleaned_data["act"],
                at=timezone.now(),
            )
            messages.success(
                request, _("What is recorded of deal %(number)d stands.") % {"number": page.number}
            )
            return redirect("tournaments:room", slug=slug)
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form.is_bound else HTTPStatus.OK
    facts = {"page": page, "header": page.header, "form": form}
    return TemplateResponse(request, "tournaments/dispute.html", facts, status=status)


def _initial(page: queries.DisputePage) -> dict[str, object]:
    return {"act": new_act(), "revision": page.dispute.revision if page.dispute else 1}
