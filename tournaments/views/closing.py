"""The page on which rounds and the tournament are closed, and opened again."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from courtpiece.accounts.forms import refusals_in
from courtpiece.accounts.permissions import Actor, actor_of
from tournaments.forms.rulings import ActForm, FinalForm, ReasonForm, StepForm
from tournaments.operations import closing
from tournaments.queries.deciding import closing_page
from tournaments.views.wall import page_with_clock

FINAL_IDS: Final = "final-%s"


@never_cache
@login_required
@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how far a tournament is closed, and the one step that comes next."""
    return _page(request, slug)


@login_required
@require_POST
def close_round(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Close a round."""
    form = StepForm(request.POST)

    def save(actor: Actor) -> None:
        closing.close_round(actor=actor, slug=slug, number=number, at=timezone.now(), act_id=form.act_id)
        messages.success(request, _("Round %(number)d is closed.") % {"number": number})

    return _done(request, slug, form, save)


@login_required
@require_POST
def reopen_round(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Open a closed round again."""
    form = ReasonForm(request.POST)

    def save(actor: Actor) -> None:
        closing.reopen_round(
            actor=actor,
            slug=slug,
            number=number,
            reason=form.cleaned_data["reason"],
            at=timezone.now(),
            act_id=form.act_id,
        )
        messages.success(request, _("Round %(number)d is open again.") % {"number": number})

    return _done(request, slug, form, save)


@login_required
@require_POST
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Close the tournament for results."""
    form = StepForm(request.POST)

    def save(actor: Actor) -> None:
        closing.close_for_results(actor=actor, slug=slug, at=timezone.now(), act_id=form.act_id)
        messages.success(request, _("The tournament is closed for results. The time for appeals runs."))

    return _done(request, slug, form, save)


@login_required
@require_POST
def official(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the standings official."""
    form = StepForm(request.POST)

    def save(actor: Actor) -> None:
        closing.make_official(actor=actor, slug=slug, at=timezone.now(), act_id=form.act_id)
        messages.success(request, _("The standings are official."))

    return _done(request, slug, form, save)


@login_required
@require_POST
def final(request: HttpRequest, slug: str) -> HttpResponse:
    """Make the standings final."""
    form = FinalForm(request.POST, auto_id=FINAL_IDS)

    def save(actor: Actor) -> None:
        closing.make_final(actor=actor, slug=slug, at=timezone.now(), act_id=form.act_id)
        messages.success(request, _("The standings are final, and nothing of them can be changed any more."))

    return _done(request, slug, form, save)


@login_required
@require_POST
def reopen(request: HttpRequest, slug: str) -> HttpResponse:
    """Open the tournament again."""
    form = ReasonForm(request.POST)

    def save(actor: Actor) -> None:
        reason = form.cleaned_data["reason"]
        closing.reopen_tournament(
            actor=actor, slug=slug, reason=reason, at=timezone.now(), act_id=form.act_id
        )
        messages.success(request, _("The tournament is open again, and everybody can read why."))

    return _done(request, slug, form, save)


def _done(request: HttpRequest, slug: str, form: ActForm, save: Callable[[Actor], None]) -> HttpResponse:
    """Take the step and show the page again, with what stands in its way where it was refused."""
    if form.is_valid():
        with refusals_in(form):
            save(actor_of(request))
            return redirect("tournaments:closing", slug=slug)
    return _page(request, slug, refused=form, status=HTTPStatus.UNPROCESSABLE_ENTITY)


def _page(
    request: HttpRequest, slug: str, refused: ActForm | None = None, status: HTTPStatus = HTTPStatus.OK
) -> HttpResponse:
    found = closing_page(slug, actor=actor_of(request))
    now = timezone.now()
    facts = {
        "page": found,
        "header": found.header,
        "refused": refused,
        "is_time_over": found.last_appeal is None or found.last_appeal <= now,
        "step": StepForm(auto_id=False),
        "final": refused if isinstance(refused, FinalForm) else FinalForm(auto_id=FINAL_IDS),
        "rounds": [
            (one, ReasonForm(auto_id=f"round-{one.number}-%s"), StepForm(auto_id=False))
            for one in found.rounds
        ],
        "reopening": refused if isinstance(refused, ReasonForm) else ReasonForm(),
    }
    return page_with_clock(request, "tournaments/close.html", facts, status=status)
