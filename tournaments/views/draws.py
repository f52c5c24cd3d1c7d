"""The page on which a director draws rounds, and what its buttons do."""

import secrets
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from courtpiece.accounts.permissions import Actor, actor_of
from courtpiece.accounts.refusals import Conflict, Refused
from tournaments import queries
from tournaments.forms.draws import (
    ActForm,
    AwayForm,
    DrawForm,
    NextRoundForm,
    PickForm,
    PublishForm,
    SwapForm,
    TakeBackForm,
    WishForm,
)
from tournaments.operations import drafts, draws, entry_changes, schedules, wishes
from tournaments.queries import DrawPage
from tournaments.views.wall import page_with_clock

SEEDS: Final = 1_000_000
"""From how many numbers a page offers one: six digits can be read out in the hall."""


@never_cache
@login_required
@require_safe
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what comes next, the draft, and what a swap of two picked entries would change."""
    return _page(request, slug)


@login_required
@require_POST
def draft(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw the next round as a draft."""
    form = DrawForm(request.POST)

    def carry_out(actor: Actor) -> None:
        data = form.cleaned_data
        draws.draft_round(
            actor=actor,
            slug=slug,
            act_id=data["act"],
            seed=data["seed"],
            session=data["session"],
            at=timezone.now(),
        )

    return _carried_out(request, slug, form, carry_out)


@login_required
@require_POST
def redraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw the draft anew."""
    form = DrawForm(request.POST)

    def carry_out(actor: Actor) -> None:
        data = form.cleaned_data
        draws.redraw_round(
            actor=actor,
            slug=slug,
            version=data["version"] or 0,
            act_id=data["act"],
            seed=data["seed"],
            at=timezone.now(),
        )

    return _carried_out(request, slug, form, carry_out, done=_("Drawn again."))


@login_required
@require_POST
def discard(request: HttpRequest, slug: str) -> HttpResponse:
    """Throw the draft away."""
    form = ActForm(request.POST)

    def carry_out(actor: Actor) -> None:
        data = form.cleaned_data
        draws.discard_draft(
            actor=actor, slug=slug, version=data["version"] or 0, act_id=data["act"], at=timezone.now()
        )

    return _carried_out(request, slug, form, carry_out, done=_("There is no draft any more."))


@login_required
@require_POST
def publish(request: HttpRequest, slug: str) -> HttpResponse:
    """Publish the draft."""
    form = PublishForm(request.POST)

    def carry_out(actor: Actor) -> None:
        data = form.cleaned_data
        draws.publish_round(
            actor=actor,
            slug=slug,
            version=data["version"] or 0,
            session=data["session"],
            confirmed=data["confirmed"],
            act_id=data["act"],
            at=timezone.now(),
        )

    return _carried_out(request, slug, form, carry_out, done=_("The round is published."))


@login_required
@require_POST
def publish_all(request: HttpRequest, slug: str) -> HttpResponse:
    """Publish every round of a schedule."""
    form = DrawForm(request.POST)

    def carry_out(actor: Actor) -> None:
        data = form.cleaned_data
        schedules.publish_schedule(
            actor=actor,
            slug=slug,
            session=data["session"] or 1,
            seed=data["seed"],
            act_id=data["act"],
            at=timezone.now(),
        )

    return _carried_out(request, slug, form, carry_out, done=_("All rounds are published."))


@login_required
@require_POST
def take_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Take back the last round."""
    form = TakeBackForm(request.POST)

    def carry_out(actor: Actor) -> None:
        data = form.cleaned_data
        schedules.take_back_round(
            actor=actor,
            slug=slug,
            number=data["number"],
            round_uid=data["round"],
            act_id=data["act"],
            at=timezone.now(),
        )

    return _carried_out(request, slug, form, carry_out, done=_("The round was taken back."))


@login_required
@require_POST
def swap(request: HttpRequest, slug: str) -> HttpResponse:
    """Let two entries of the draft change places."""
    form = SwapForm(request.POST)

    def carry_out(actor: Actor) -> None:
        drafts.swap_in_draft(
            actor=actor,
            slug=slug,
            version=form.cleaned_data["version"] or 0,
            asked=form.asked(),
            act_id=form.cleaned_data["act"],
            at=timezone.now(),
        )

    return _carried_out(request, slug, form, carry_out, done=_("Swapped."), name="swap")


@login_required
@require_POST
def wish(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep whom a director wants together or apart."""
    page = queries.draw_page(slug, actor=actor_of(request), now=timezone.now())
    form = WishForm(request.POST, entries=page.entries)

    def carry_out(actor: Actor) -> None:
        wishes.add_wish(
            actor=actor,
            slug=slug,
            wish=form.wish(),
            act_id=form.cleaned_data["act"],
            at=timezone.now(),
        )

    return _carried_out(request, slug, form, carry_out, done=_("The wish is kept."), name="wish")


@login_required
@require_POST
def lift(request: HttpRequest, slug: str, wish_id: int) -> HttpResponse:
    """Take a wish away."""

    def carry_out(actor: Actor) -> None:
        wishes.lift_wish(actor=actor, slug=slug, wish_id=wish_id, at=timezone.now())

    return _carried_out(request, slug, Form({}), carry_out, done=_("The wish was lifted."))


@login_required
@require_POST
def away(request: HttpRequest, slug: str) -> HttpResponse:
    """Say that an entry does not play in the next round."""
    page = queries.draw_page(slug, actor=actor_of(request), now=timezone.now())
    form = AwayForm(request.POST, entries=page.entries)

    def carry_out(actor: Actor) -> None:
        _set_absence(actor, slug, form, form.cleaned_data["entry"], form.cleaned_data["kind"])

    return _carried_out(request, slug, form, carry_out, done=_("Saved."), name="away")


@login_required
@require_POST
def back(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Say that an entry does play in the next round."""
    form = NextRoundForm(request.POST)

    def carry_out(actor: Actor) -> None:
        _set_absence(actor, slug, form, number, None)

    return _carried_out(request, slug, form, carry_out, done=_("Saved."))


def _set_absence(actor: Actor, slug: str, form: NextRoundForm, entry: int, kind: str | None) -> None:
    entry_changes.set_absence(
        actor=actor,
        slug=slug,
        entry=entry,
        round_number=form.cleaned_data["round"],
        kind=kind,
        act_id=form.cleaned_data["act"],
        at=timezone.now(),
    )


def _carried_out(
    request: HttpRequest,
    slug: str,
    form: Form,
    carry_out: Callable[[Actor], None],
    *,
    done: str = "",
    name: str = "",
) -> HttpResponse:
    """Carry it out and go back to the page, or show the page as it is now with what was refused."""
    bound: dict[str, Any] = {name: form} if name else {}
    if not form.is_valid():
        return _page(request, slug, status=HTTPStatus.UNPROCESSABLE_ENTITY, faults=form, **bound)
    try:
        carry_out(actor_of(request))
    except Refused as refused:
        is_conflict = isinstance(refused, Conflict)
        status = HTTPStatus.CONFLICT if is_conflict else HTTPStatus.UNPROCESSABLE_ENTITY
        return _page(request, slug, status=status, refused=str(refused), **bound)
    if done:
        messages.success(request, done)
    return redirect("tournaments:draw", slug=slug)


def _page(
    request: HttpRequest, slug: str, *, status: HTTPStatus = HTTPStatus.OK, refused: str = "", **bound: Any
) -> HttpResponse:
    actor = actor_of(request)
    page = queries.draw_page(slug, actor=actor, now=timezone.now())
    seed = secrets.randbelow(SEEDS)
    for form in bound.values():
        if isinstance(form, NextRoundForm):
            form.look_again(page.next_number)
    facts = {
        "page": page,
        "header": page.header,
        "refused": refused,
        "faults": bound.pop("faults", None),
        "draw_form": DrawForm(initial={"seed": seed, "session": page.session}),
        "publish_form": PublishForm(initial={"version": page.draft_version}),
        "again_form": DrawForm(initial={"seed": seed, "version": page.draft_version}),
        "all_form": DrawForm(initial={"seed": seed, "session": page.this_session}),
        "discard_form": ActForm(initial={"version": page.draft_version}),
        "take_back_form": TakeBackForm(initial={"number": page.last, "round": page.last_uid}),
        "wish_form": WishForm(entries=page.entries, initial={"round": page.next_number}),
        "away_form": AwayForm(entries=page.entries, initial={"round": page.next_number}),
        "back_form": NextRoundForm(initial={"round": page.next_number}),
        **_picked(request, slug, page, actor),
        **{f"{name}_form": form for name, form in bound.items()},
    }
    return page_with_clock(request, "tournaments/draw.html", facts, status=status)


def _picked(request: HttpRequest, slug: str, page: DrawPage, actor: Actor) -> dict[str, Any]:
    """Return what a swap of the picked entries would change, or why there is none."""
    if page.draft is None or "pick" not in request.GET:
        return {"picked": ()}
    form = PickForm(request.GET, numbers=page.draft.numbers)
    asked = form.asked() if form.is_valid() else None
    if asked is None:
        return {"picked": (), "no_swap": _("Pick two pairs of the draft.")}
    picked = (asked.first, asked.second)
    try:
        preview = drafts.preview_swap(actor=actor, slug=slug, asked=asked)
    except Refused as refused:
        return {"picked": picked, "no_swap": str(refused)}
    initial = {
        "version": page.draft.version,
        "first": asked.first,
        "second": asked.second,
        "what": asked.what,
    }
    return {"picked": picked, "swap_form": SwapForm(initial=initial), "preview": preview}
