"""Who players are: the pages of one's own players, and of a club's players for its directors."""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from courtpiece.accounts.parts import Asked, BadCursor
from courtpiece.accounts.permissions import actor_of
from courtpiece.accounts.refusals import Refused
from scoring import operations
from scoring.forms import MergeForm, PersonForm
from scoring.queries import persons

LINES: Final = 50
"""Players on a page."""
HIDE: Final = "hide"
MERGE: Final = "merge"
APPROVE: Final = "approve"


# -- one's own


@never_cache
@login_required
@require_safe
def my_people(request: HttpRequest) -> HttpResponse:
    """Show one's own players, and what one asked."""
    page = persons.my_people(actor=actor_of(request))
    return TemplateResponse(request, "scoring/my_people.html", {"page": page})


@login_required
@require_POST
def claim(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Ask that a player be one's own."""
    form = PersonForm.of(request.POST)

    def ask() -> str:
        operations.claim_player(
            actor=actor_of(request), player_uid=uid, note=form.text("note"), at=timezone.now()
        )
        return _("The club’s directors are asked. Here you see what they answer.")

    return _done(request, ask, "scoring:my_people")


@login_required
@require_POST
def ask(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Ask that one's own player be merged with another, or that its name be taken away for good."""
    actor, form = actor_of(request), PersonForm.of(request.POST)

    def send() -> str:
        if form.text("do") == MERGE:
            operations.ask_for_merge(
                actor=actor,
                duplicate_uid=form.other or uid,
                kept_uid=uid,
                note=form.text("note"),
                at=timezone.now(),
            )
        else:
            operations.ask_for_anonymity(
                actor=actor, player_uid=uid, note=form.text("note"), at=timezone.now()
            )
        return _("The club’s directors are asked. Here you see what they answer.")

    return _done(request, send, "scoring:my_people")


@login_required
@require_POST
def take_back(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Take back what one asked."""

    def take() -> str:
        operations.take_request_back(actor=actor_of(request), request_uid=uid, at=timezone.now())
        return _("The request is taken back.")

    return _done(request, take, "scoring:my_people")


@login_required
@require_POST
def hide(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Hide a player's name from the public, or show it again."""
    actor, form = actor_of(request), PersonForm.of(request.POST)

    def change() -> str:
        if form.text("do") == HIDE:
            operations.hide_name(actor=actor, player_uid=uid, at=timezone.now())
            return _("The name is hidden. Directors of the club still see it.")
        operations.show_name(actor=actor, player_uid=uid, at=timezone.now())
        return _("The name is shown again.")

    if form.text("club"):
        return _done(request, change, "scoring:club_people", form.text("club"))
    return _done(request, change, "scoring:my_people")


# -- a club's


@never_cache
@login_required
@require_safe
def club_people(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a club's players, what they ask, and its merges."""
    actor, typed = actor_of(request), request.GET.get("name", "")[:100].strip()
    asked = Asked(cursor=request.GET.get("cursor", ""), limit=LINES)
    try:
        page = persons.club_people(slug, actor=actor, typed=typed, asked=asked)
    except BadCursor as refusal:
        messages.warning(request, str(refusal))
        return redirect("scoring:club_people", slug=slug)
    facts = {"page": page, "club": page.club, "typed": typed}
    return TemplateResponse(request, "scoring/club_people.html", facts)


@login_required
@require_POST
def answer(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Approve or decline what was asked."""
    actor, form = actor_of(request), PersonForm.of(request.POST)
    slug = persons.club_of_request(uid, actor=actor)

    def decide() -> str:
        if form.text("do") == APPROVE:
            operations.approve_request(actor=actor, request_uid=uid, at=timezone.now())
            return _("Done, as was asked.")
        operations.decline_request(
            actor=actor, request_uid=uid, reason=form.text("reason"), at=timezone.now()
        )
        return _("The request is declined; who asked is told.")

    return _done(request, decide, "scoring:club_people", slug)


@login_required
@require_POST
def merge(request: HttpRequest, slug: str) -> HttpResponse:
    """Merge two players of a club."""
    actor, form = actor_of(request), MergeForm(request.POST)
    persons.require_people(slug, actor=actor)

    def join() -> str:
        if not form.is_valid():
            return ""
        data = form.cleaned_data
        operations.merge_players(
            actor=actor, duplicate_uid=data["duplicate"], kept_uid=data["kept"], at=timezone.now()
        )
        return _("The two are one player now. Nothing that was recorded has changed; it can be undone.")

    return _done(request, join, "scoring:club_people", slug)


@login_required
@require_POST
def undo(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Undo a merge."""
    actor, form = actor_of(request), PersonForm.of(request.POST)
    slug = persons.club_of_request(uid, actor=actor)

    def part() -> str:
        operations.undo_merge(actor=actor, request_uid=uid, reason=form.text("reason"), at=timezone.now())
        return _("They are two players again.")

    return _done(request, part, "scoring:club_people", slug)


@login_required
@require_POST
def anonymise(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Take a player's name away for good."""
    actor = actor_of(request)
    player_id, slug = persons.managed_player(uid, actor=actor)

    def take_away() -> str:
        operations.anonymise_player(actor=actor, player_id=player_id, at=timezone.now())
        return _("The name is gone for good. What was played stays.")

    return _done(request, take_away, "scoring:club_people", slug)


def _done(request: HttpRequest, do: Callable[[], str], where: str, *slugs: str) -> HttpResponse:
    """Do it, say what became of it, and go on."""
    try:
        told = do()
    except Refused as refusal:
        messages.warning(request, str(refusal))
    else:
        if told:
            messages.success(request, told)
        else:
            messages.warning(request, _("Choose two players: the one that stays, and the other."))
    return redirect(where, *slugs)
