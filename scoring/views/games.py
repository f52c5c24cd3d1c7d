"""Games that were recorded at home: their owner's pages, the page that a link shows, and what a club is offered."""

from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from courtpiece.accounts.permissions import Actor, actor_of
from courtpiece.accounts.refusals import Conflict, Refused
from scoring import operations, queries
from scoring.forms import SEAT_LETTERS, DeclineForm, DoForm, GameForm, OfferForm, TakeForm
from scoring.views.replays import unlisted
from scoring.views.sheets import file_answer, number_asked, origin_of

SHARE: Final = "share"
OFFER: Final = "offer"
PUT_AWAY: Final = "put-away"


# -- the owner's


@never_cache
@login_required
@require_safe
def games(request: HttpRequest) -> HttpResponse:
    """Show the games that the user recorded at home."""
    with_away = request.GET.get("away") == "1"
    page = queries.my_games(
        actor=actor_of(request), page=number_asked(request, "page", 1), with_away=with_away
    )
    return TemplateResponse(request, "scoring/games.html", {"page": page, "with_away": with_away})


@never_cache
@login_required
@require_safe
def game(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show what its owner may do with a game."""
    return _game(request, uid)


def _game(request: HttpRequest, uid: UUID, form: GameForm | None = None) -> HttpResponse:
    actor = actor_of(request)
    panel = queries.game_panel(uid, actor=actor)
    page = queries.scoresheet_page(uid, actor=actor)
    header = page.header
    known = {"event": header.event, "site": header.site, "date": header.date}
    names = {
        "N": header.north.name,
        "S": header.south.name,
        "E": header.east.name,
        "W": header.west.name,
    }
    address = reverse("scoring:shared", args=[panel.secret]) if panel.secret else ""
    facts = {
        "page": page,
        "header": header,
        "panel": panel,
        "form": form or GameForm(initial={**known, **names}),
        "address": origin_of(request) + address if address else "",
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if form is not None else HTTPStatus.OK
    return TemplateResponse(request, "scoring/game.html", facts, status=status)


@never_cache
@login_required
@require_POST
def describe(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Give the players of a game other names, say when and where it was."""
    actor = _owner(request, uid)
    form = GameForm(request.POST)
    if form.is_valid():
        try:
            operations.describe_game(actor=actor, uid=uid, facts=form.facts, at=timezone.now())
        except Refused as refusal:
            form.show(refusal)
        else:
            messages.success(request, _("That is kept."))
            return redirect("scoring:game", uid=uid)
    return _game(request, uid, form)


@login_required
@require_POST
def link(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Give a game a link, or take it back."""
    actor = _owner(request, uid)
    if _what(request) == SHARE:
        operations.share_game(actor=actor, uid=uid, at=timezone.now())
        messages.success(request, _("The game has a link: whoever has it reads the game."))
    else:
        operations.unshare_game(actor=actor, uid=uid, at=timezone.now())
        messages.success(request, _("The link is revoked: it opens nothing any more."))
    return redirect("scoring:game", uid=uid)


@login_required
@require_POST
def offer(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Offer a game to a club, or take the offer back."""
    actor = _owner(request, uid)
    form = OfferForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose a club."))
        return redirect("scoring:game", uid=uid)
    try:
        messages.success(request, _offer(actor, uid, form))
    except Refused as refusal:
        messages.warning(request, str(refusal))
    return redirect("scoring:game", uid=uid)


def _offer(actor: Actor, uid: UUID, form: OfferForm) -> str:
    """Do what the form asks for, and return what is told of it."""
    if form.cleaned_data["do"] == OFFER:
        operations.offer_game(actor=actor, uid=uid, club=form.cleaned_data["club"], at=timezone.now())
        return _("The game is offered. Until a director takes it, it stays yours alone.")
    operations.take_offer_back(actor=actor, uid=uid, at=timezone.now())
    return _("The offer is taken back.")


@login_required
@require_POST
def put_away(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Leave a game out of its owner's list, or show it there again."""
    actor = _owner(request, uid)
    is_away = _what(request) == PUT_AWAY
    operations.put_game_away(actor=actor, uid=uid, is_away=is_away, at=timezone.now())
    told = (
        _("The game is put away. Nothing of it is lost.") if is_away else _("The game is in your list again.")
    )
    messages.success(request, told)
    return redirect("scoring:games")


def _owner(request: HttpRequest, uid: UUID) -> Actor:
    """Return who asks.

    :raises Forbidden: if it is not their own game, whatever they sent.
    """
    actor = actor_of(request)
    queries.game_panel(uid, actor=actor)
    return actor


def _what(request: HttpRequest) -> str:
    form = DoForm(request.POST)
    return form.cleaned_data["do"] if form.is_valid() else ""


# -- by a link


@never_cache
@require_safe
def shared(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the game of a link with its ledger."""
    page = queries.shared_sheet(secret, actor=actor_of(request))
    return unlisted(
        TemplateResponse(request, "scoring/scoresheet.html", {"page": page, "header": page.header})
    )


@never_cache
@require_safe
def shared_deal(request: HttpRequest, secret: str, number: int) -> HttpResponse:
    """Show a deal of the game of a link, its replay at the step that the address asks for."""
    at = number_asked(request, "at", 0)
    page = queries.shared_deal(secret, number, actor=actor_of(request), at=at)
    facts = {"page": page, "header": page.header, "origin": origin_of(request)}
    return unlisted(TemplateResponse(request, "scoring/deal.html", facts))


@never_cache
@require_safe
def shared_pcn(request: HttpRequest, secret: str) -> HttpResponse:
    """Give the deals of the game of a link as a file."""
    return unlisted(file_answer(queries.shared_pcn(secret, actor=actor_of(request)), name="game"))


# -- what a club is offered


@never_cache
@login_required
@require_safe
def club_games(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the games that were offered to a club."""
    return _club_games(request, slug)


def _club_games(
    request: HttpRequest,
    slug: str,
    *,
    bad: TakeForm | None = None,
    of: UUID | None = None,
    conflict: bool = False,
) -> HttpResponse:
    found = queries.offered_games(slug, actor=actor_of(request))
    offers = [
        {"game": one, "form": bad if one.uid == of else TakeForm(initial=_proposed(one), prefix=str(one.uid))}
        for one in found.open
    ]
    facts = {"page": found, "club": found.club, "offers": offers, "decline": DeclineForm()}
    refused = HTTPStatus.CONFLICT if conflict else HTTPStatus.UNPROCESSABLE_ENTITY
    return TemplateResponse(
        request, "scoring/club_games.html", facts, status=refused if of is not None else HTTPStatus.OK
    )


def _proposed(one: queries.OfferedGame) -> dict[str, str]:
    """Return whom the names are taken for at first: a player of just that name, else the only one that is near."""
    return {
        seat.code: seat.near[0] if not seat.is_known and len(seat.near) == 1 else seat.name
        for seat in one.seats
    }


@never_cache
@login_required
@require_POST
def take(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Make an offered game the club's."""
    actor = actor_of(request)
    slug, _one = queries.offered_game(uid, actor=actor)
    form = TakeForm(request.POST, prefix=str(uid))
    if form.is_valid():
        try:
            sheet = operations.attach_game(
                actor=actor,
                offer_uid=uid,
                names=form.names,
                visibility=form.cleaned_data["visibility"],
                sure=form.cleaned_data["sure"],
                at=timezone.now(),
            )
        except operations.OfferAnswered as refusal:
            messages.warning(request, str(refusal))
            return redirect("scoring:club_games", slug=slug)
        except Refused as refusal:
            _show(form, refusal)
            return _club_games(request, slug, bad=form, of=uid, conflict=isinstance(refusal, Conflict))
        messages.success(request, _("The game is the club’s now."))
        return redirect("scoring:scoresheet", uid=sheet)
    return _club_games(request, slug, bad=form, of=uid)


def _show(form: TakeForm, refusal: Refused) -> None:
    seat = getattr(refusal, "seat", "")
    form.add_error(seat if seat and seat in SEAT_LETTERS else None, str(refusal))


@never_cache
@login_required
@require_POST
def decline(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Say that the club does not take a game."""
    actor = actor_of(request)
    slug, _one = queries.offered_game(uid, actor=actor)
    form = DeclineForm(request.POST)
    reason: Any = form.cleaned_data["reason"] if form.is_valid() else ""
    try:
        operations.decline_game(actor=actor, offer_uid=uid, reason=reason, at=timezone.now())
        messages.success(request, _("The game is declined; its owner is told."))
    except Refused as refusal:
        messages.warning(request, str(refusal))
    return redirect("scoring:club_games", slug=slug)
