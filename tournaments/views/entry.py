"""One entry as a director works on it."""

from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from courtpiece.accounts.permissions import actor_of
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Refused
from scoring.names import NearDuplicate
from tournaments import queries
from tournaments.domain.entering import NewPair
from tournaments.errors import NearNames
from tournaments.forms.entries import (
    AbsenceForm,
    ActForm,
    Decisions,
    EntryForm,
    ReplaceForm,
    SubstituteForm,
    VersionForm,
    WithdrawForm,
    act_of,
)
from tournaments.operations import entry_changes, substitutions
from tournaments.queries.entry import DirectorEntry, EntryMatch, SeatedPlayer
from tournaments.views.entries import by_name, refuse, status_of
from tournaments.views.wall import page_with_clock


@login_required
@require_safe
def entry(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show an entry with all that a director can change of it."""
    return _page(request, slug, number)


@login_required
@require_POST
def change(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Change an entry's rating or group."""
    form = EntryForm(request.POST)

    def save() -> None:
        data = form.cleaned_data
        entry_changes.change_entry(
            actor=actor_of(request),
            slug=slug,
            entry=number,
            rating=data["rating"],
            group=data["group"],
            version=data["version"],
            at=timezone.now(),
        )

    return _saved(request, slug, number, "change", form, save)


@login_required
@require_POST
def replace(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Put other players into an entry."""
    form = ReplaceForm(request.POST)
    decisions = Decisions.of(request.POST)

    def save() -> None:
        pair = decisions.applied(NewPair(row=1, names=form.cleaned_data["pair"]))
        entry_changes.replace_pair(
            actor=actor_of(request),
            slug=slug,
            entry=number,
            names=pair.names,
            others=decisions.others,
            version=form.cleaned_data["version"],
            act_id=act_of(form),
            at=timezone.now(),
        )

    return _saved(request, slug, number, "replace", form, save)


@login_required
@require_POST
def withdraw(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take an entry out of the rounds to come."""
    form = WithdrawForm(request.POST)

    def save() -> None:
        data = form.cleaned_data
        entry_changes.withdraw_entry(
            actor=actor_of(request),
            slug=slug,
            entry=number,
            reason=data["reason"],
            version=data["version"],
            act_id=act_of(form),
            at=timezone.now(),
        )

    return _saved(request, slug, number, "withdraw", form, save)


@login_required
@require_POST
def readmit(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Let an entry come back."""
    form = VersionForm(request.POST)

    def save() -> None:
        entry_changes.readmit_entry(
            actor=actor_of(request),
            slug=slug,
            entry=number,
            version=form.cleaned_data["version"],
            act_id=act_of(form),
            at=timezone.now(),
        )

    return _saved(request, slug, number, "readmit", form, save)


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Take an entry out that was typed by mistake. Sent again, it is gone already."""
    form = VersionForm(request.POST)
    if not form.is_valid():
        return _page(request, slug, number, remove=form)
    try:
        entry_changes.remove_entry(
            actor=actor_of(request),
            slug=slug,
            entry=number,
            version=form.cleaned_data["version"],
            at=timezone.now(),
        )
    except NotFound:
        queries.entry_list(slug, actor=actor_of(request))
    except Refused as refused:
        refuse(form, refused)
        return _page(request, slug, number, remove=form)
    messages.success(request, _("The entry is out of the list."))
    return redirect("tournaments:entries_manage", slug=slug)


@login_required
@require_POST
def absence(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Say of a round to come that an entry does not play in it."""
    form = AbsenceForm(request.POST)

    def save() -> None:
        entry_changes.set_absence(
            actor=actor_of(request),
            slug=slug,
            entry=number,
            round_number=form.cleaned_data["round_number"],
            kind=form.cleaned_data["kind"],
            act_id=act_of(form),
            at=timezone.now(),
        )

    return _saved(request, slug, number, "absence", form, save)


@login_required
@require_POST
def presence(request: HttpRequest, slug: str, number: int, round_number: int) -> HttpResponse:
    """Take back that an entry does not play in a round."""
    form = ActForm(request.POST)

    def save() -> None:
        entry_changes.set_absence(
            actor=actor_of(request),
            slug=slug,
            entry=number,
            round_number=round_number,
            kind=None,
            act_id=act_of(form),
            at=timezone.now(),
        )

    return _saved(request, slug, number, "presence", form, save)


@login_required
@require_POST
def substitute(request: HttpRequest, slug: str, number: int, uid: UUID) -> HttpResponse:
    """Let somebody sit in for a player in one match."""
    form = SubstituteForm(request.POST)
    decisions = Decisions.of(request.POST)

    def save() -> None:
        substitutions.substitute_player(
            actor=actor_of(request),
            slug=slug,
            entry=number,
            match_uid=uid,
            sitting=form.sitting(decisions),
            version=form.cleaned_data["version"],
            act_id=act_of(form),
            at=timezone.now(),
        )

    return _saved(request, slug, number, "substitute", form, save, match=uid)


@login_required
@require_POST
def substitute_back(request: HttpRequest, slug: str, number: int, uid: UUID, player: int) -> HttpResponse:
    """Give a player the seat back."""
    form = ActForm(request.POST)

    def save() -> None:
        substitutions.take_back_substitute(
            actor=actor_of(request),
            slug=slug,
            entry=number,
            match_uid=uid,
            absent_id=player,
            played_all=request.POST.get("played_all") == "1",
            act_id=act_of(form),
            at=timezone.now(),
        )

    return _saved(request, slug, number, "back", form, save)


def _saved(
    request: HttpRequest,
    slug: str,
    number: int,
    name: str,
    form: Form,
    save: Callable[[], None],
    *,
    match: UUID | None = None,
) -> HttpResponse:
    """Carry it out and go back to the entry, or show why not."""
    near: Iterable[NearDuplicate] = ()
    if form.is_valid():
        try:
            save()
        except NearNames as refused:
            near = refused.near
        except Refused as refused:
            refuse(form, refused)
        else:
            messages.success(request, _("Saved."))
            return redirect("tournaments:entry_manage", slug=slug, number=number)
    return _page(request, slug, number, near=near, match=match, **{name: form})


def _page(
    request: HttpRequest,
    slug: str,
    number: int,
    *,
    near: Iterable[NearDuplicate] = (),
    match: UUID | None = None,
    **bound: Form,
) -> HttpResponse:
    page = queries.director_entry(slug, number, actor=actor_of(request))
    version = {"version": page.entry.version}
    unbound = {
        "change": EntryForm(initial={**version, "rating": page.entry.rating, "group": page.entry.group}),
        "replace": ReplaceForm(initial={**version, "pair": page.entry.name}),
        "withdraw": WithdrawForm(initial=version),
        "absence": AbsenceForm(initial={"round_number": page.next_round}),
    }
    facts: dict[str, Any] = {
        "page": page,
        "header": page.header,
        "forms": {**unbound, **bound},
        "near": by_name(near),
        "near_of": next(iter(bound), ""),
        "act": uuid4(),
        "seats": _seats(page, match, bound.get("substitute")),
        "refused": next((form for form in bound.values() if form.errors), None),
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if facts["near"] else HTTPStatus.OK
    if facts["refused"] is not None:
        status = HTTPStatus(status_of(facts["refused"]))
    return page_with_clock(request, "tournaments/entries_one.html", facts, status=status)


def _seats(
    page: DirectorEntry, match: UUID | None, bound: Form | None
) -> list[tuple[EntryMatch, list[tuple[SeatedPlayer, Form]]]]:
    """Return each match with who sits in it, and the form by which somebody else does."""
    return [
        (one, [(seat, _seat_form(one, seat, bound if one.uid == match else None)) for seat in one.seated])
        for one in page.matches
    ]


def _seat_form(match: EntryMatch, seat: SeatedPlayer, bound: Form | None) -> Form:
    """Return the form that was sent for this seat, with the match's version as it is now, or an empty one."""
    if bound is not None and bound.data.get("absent") == str(seat.player.id):
        return bound
    prefix = f"id_{match.table}_{match.round}_{seat.player.id}_%s"
    return SubstituteForm(auto_id=prefix, initial={"version": match.version, "absent": seat.player.id})
