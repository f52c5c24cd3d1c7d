"""Everything that changes a game that somebody recorded at home, until a club takes it: its deals apart."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.auditing import Detail, write_entry
from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Action, Actor, Forbidden, Visibility, require
from courtpiece.accounts.queries import NotFound, club_by_slug
from courtpiece.accounts.refusals import Conflict, Refused
from courtpiece.engine import Rules
from courtpiece.notation.values import BadValueError, read_value
from scoring.events import Event
from scoring.models import GameLink, GameOffer, OfferState, Scoresheet
from scoring.names import NameRefused, NearDuplicate, clean_name
from scoring.operations.people import Pair, SamePlayerTwice, find_or_make_partnerships
from scoring.operations.scoresheets import kept_text
from scoring.operations.statistics import renew_figures
from scoring.queries import near_names

SEAT_NAMES: Final = {"N": "north", "E": "east", "S": "south", "W": "west"}
MOST_OPEN_OFFERS: Final = 20
"""Of a user, at any time: a club's director has other things to read."""


class GameExists(Conflict):
    """The id is another game's, or the game's rules are others: what is there stays as it is."""


class BadDate(Refused):
    """The date is not written as a record has it."""

    field: ClassVar[str] = "date"


class SeatNameRefused(Refused):
    """The name of a seat cannot be one. ``seat`` is its letter."""

    field: ClassVar[str] = "seats"

    def __init__(self, seat: str, reason: NameRefused) -> None:
        super().__init__(_("%(seat)s: %(reason)s") % {"seat": seat, "reason": reason})
        self.seat = seat


class GameOffered(Conflict):
    """The game waits for an answer: another club cannot be asked before."""


class NothingToOffer(Refused):
    """The game has no deal."""


class TooManyOffers(Refused):
    """So many games wait for an answer already."""


class OfferAnswered(Conflict):
    """Somebody answered the offer before, or its owner took it back."""


class NearlyKnown(Refused):
    """Names are new to the club and nearly those of players it has. ``near`` says which."""

    def __init__(self, near: tuple[NearDuplicate, ...]) -> None:
        pairs = ", ".join(f"“{one.name}” – “{one.existing}”" for one in near)
        super().__init__(
            _(
                "Is that the same person? %(pairs)s. Take the name that the club has, or say that it is another."
            )
            % {"pairs": pairs}
        )
        self.near = near


@dataclass(frozen=True, slots=True, kw_only=True)
class GameFacts:
    """What the owner says of a game. Texts that are empty are not known."""

    names: Mapping[str, str]
    """By seat letter, all four."""
    event: str = ""
    site: str = ""
    date: str = ""
    """As the ``Date`` tag: ``2026.11.30``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """A game to be kept. ``uid`` is made by who sends it: the same again makes nothing."""

    uid: UUID
    rules: str
    facts: GameFacts


@dataclass(frozen=True, slots=True, kw_only=True)
class GameAnswer:
    """What became of a game that was sent."""

    uid: UUID
    is_new: bool


@transaction.atomic(durable=True)
def record_game(*, actor: Actor, game: NewGame, at: datetime) -> GameAnswer:
    """Keep a game as the actor's own, which nobody else sees. Its deals are recorded as those of any scoresheet.

    A game that is there already under this id stays as it is, with the names it has by now: that is the answer to a
    game that is sent twice.

    :raises Forbidden: if the actor is nobody, or a token lacks the scope.
    :raises RulesError: if there are no such rules.
    :raises SeatNameRefused: if a name cannot be one.
    :raises SamePlayerTwice: if two seats have one name.
    :raises BadDate: if the date is not written as a record has it.
    :raises TextTooLong: if a text is too long to be kept.
    :raises GameExists: if the id is that of another's, or of a game under other rules.
    """
    require(actor, Action.RECORD_GAME)
    if actor.user_id is None:
        raise Forbidden(Action.RECORD_GAME)
    rules = str(Rules.parse(game.rules))
    columns = _columns(game.facts)
    made = {"owner_id": actor.user_id, "rules": rules, "visibility": Visibility.PRIVATE, "created_at": at}
    sheet, is_new = Scoresheet.objects.get_or_create(uid=game.uid, defaults={**made, **columns})
    if sheet.owner_id != actor.user_id or sheet.rules != rules:
        raise GameExists(_("This id is that of another game. Make a new one."))
    if is_new:
        _write_down(actor, Event.GAME_RECORDED, at, sheet)
    return GameAnswer(uid=sheet.uid, is_new=is_new)


@transaction.atomic(durable=True)
def describe_game(*, actor: Actor, uid: UUID, facts: GameFacts, at: datetime) -> None:
    """Give the players of a game other names, and say when and where it was.

    :raises NotFound: if there is no such game.
    :raises Forbidden: if it is not the actor's own, or a club has it.
    :raises SeatNameRefused: if a name cannot be one.
    :raises SamePlayerTwice: if two seats have one name.
    :raises BadDate: if the date is not written as a record has it.
    :raises TextTooLong: if a text is too long to be kept.
    """
    sheet = _own_game(actor, uid)
    Scoresheet.objects.filter(pk=sheet.pk).update(**_columns(facts))
    _write_down(actor, Event.GAME_DESCRIBED, at, sheet)


def _columns(facts: GameFacts) -> dict[str, Any]:
    names = {seat: _seat_name(seat, facts.names.get(seat, "")) for seat in SEAT_NAMES}
    for name in names.values():
        if list(names.values()).count(name) > 1:
            raise SamePlayerTwice(name)
    date = clean_text(facts.date)
    try:
        if date:
            read_value("Date", date)
    except BadValueError as error:
        raise BadDate(_("Write the date as year.month.day, such as 2026.11.30.")) from error
    return {
        **{f"{SEAT_NAMES[seat]}_name": name for seat, name in names.items()},
        "event": kept_text("event", facts.event),
        "site": kept_text("site", facts.site),
        "date": date,
    }


def _seat_name(seat: str, text: str) -> str:
    try:
        return clean_name(text)
    except NameRefused as refused:
        raise SeatNameRefused(seat, refused) from refused


# -- shared by a link


@transaction.atomic(durable=True)
def share_game(*, actor: Actor, uid: UUID, at: datetime) -> UUID:
    """Give the game a link by which whoever has it reads it, and return the link's id. It keeps the one it has.

    :raises NotFound: if there is no such game.
    :raises Forbidden: if it is not the actor's own, or a club has it.
    """
    sheet = _own_game(actor, uid)
    good = GameLink.objects.filter(scoresheet=sheet, revoked_at=None).first()
    if good is not None:
        return good.uid
    link = GameLink.objects.create(scoresheet=sheet, made_by_id=sheet.owner_id or 0, made_at=at)
    _write_down(actor, Event.GAME_SHARED, at, sheet)
    return link.uid


@transaction.atomic(durable=True)
def unshare_game(*, actor: Actor, uid: UUID, at: datetime) -> bool:
    """Take the game's link back, and return whether there was one. It opens nothing any more.

    :raises NotFound: if there is no such game.
    :raises Forbidden: if it is not the actor's own, or a club has it.
    """
    sheet = _own_game(actor, uid)
    if not GameLink.objects.filter(scoresheet=sheet, revoked_at=None).update(revoked_at=at):
        return False
    _write_down(actor, Event.GAME_UNSHARED, at, sheet)
    return True


@transaction.atomic(durable=True)
def put_game_away(*, actor: Actor, uid: UUID, at: datetime, is_away: bool = True) -> None:
    """Leave the game out of its owner's list, or show it there again. Nothing of it is removed.

    :raises NotFound: if there is no such game.
    :raises Forbidden: if it is not the actor's own, or a club has it.
    """
    sheet = _own_game(actor, uid)
    if (sheet.put_away_at is not None) == is_away:
        return
    Scoresheet.objects.filter(pk=sheet.pk).update(put_away_at=at if is_away else None)
    _write_down(actor, Event.GAME_PUT_AWAY if is_away else Event.GAME_TAKEN_OUT, at, sheet)


# -- offered to a club


@transaction.atomic(durable=True)
def offer_game(*, actor: Actor, uid: UUID, club: str, at: datetime) -> UUID:
    """Offer a game to the club with the address ``club``, and return the offer's id; the same again is the same offer.

    :raises NotFound: if there is no such game or club.
    :raises Forbidden: if it is not the actor's own, or a club has it.
    :raises NothingToOffer: if it has no deal.
    :raises GameOffered: if it waits for another club's answer.
    :raises TooManyOffers: if too many games of the actor wait for one.
    """
    sheet = _own_game(actor, uid)
    club_id = club_by_slug(club, actor=actor).id
    if not sheet.version:
        raise NothingToOffer(_("This game has no deal yet."))
    waiting = GameOffer.objects.filter(scoresheet=sheet, state=OfferState.OPEN).first()
    if waiting is not None:
        if waiting.club_id == club_id:
            return waiting.uid
        raise GameOffered(_("Another club was asked already. Take that offer back first."))
    others = GameOffer.objects.filter(offered_by=sheet.owner_id, state=OfferState.OPEN)
    if others.count() >= MOST_OPEN_OFFERS:
        raise TooManyOffers(
            _("%(count)d of your games wait for an answer. Take one back, or wait.")
            % {"count": MOST_OPEN_OFFERS}
        )
    offer = GameOffer.objects.create(
        scoresheet=sheet, club_id=club_id, offered_by_id=sheet.owner_id or 0, offered_at=at
    )
    _write_down(actor, Event.GAME_OFFERED, at, sheet, club_id=club_id)
    return offer.uid


@transaction.atomic(durable=True)
def take_offer_back(*, actor: Actor, uid: UUID, at: datetime) -> bool:
    """Take back the offer of a game that waits for an answer, and return whether there was one.

    :raises NotFound: if there is no such game.
    :raises Forbidden: if it is not the actor's own, or a club has it.
    """
    sheet = _own_game(actor, uid)
    offer = GameOffer.objects.filter(scoresheet=sheet, state=OfferState.OPEN).first()
    if offer is None:
        return False
    _answer(offer, actor, OfferState.TAKEN_BACK, at)
    _write_down(actor, Event.GAME_OFFER_TAKEN_BACK, at, sheet, club_id=offer.club_id)
    return True


@transaction.atomic(durable=True)
def attach_game(
    *,
    actor: Actor,
    offer_uid: UUID,
    names: Mapping[str, str],
    visibility: str,
    at: datetime,
    sure: bool = False,
) -> UUID:
    """Make an offered game the club's, its players those of these names, by seat letter; return the game's id.

    A name that the club has is that player's, any other becomes a new player. Who is ``sure`` says that names which
    are nearly known ones are other people. From then on the game counts in its players' histories, whoever may see
    the club's scoresheets of that visibility sees it, and its link opens nothing any more. The same again is the same.

    :raises NotFound: if there is no such offer.
    :raises Forbidden: if the actor may not take games into that club.
    :raises OfferAnswered: if it was answered otherwise.
    :raises SeatNameRefused: if a name cannot be one.
    :raises SamePlayerTwice: if two seats have one name.
    :raises NearlyKnown: if a new name is nearly a known one, and nobody is sure.
    """
    offer, sheet = _offer(actor, offer_uid)
    if offer.state == OfferState.TAKEN:
        return sheet.uid
    _require_open(offer)
    seats = {seat: _seat_name(seat, names.get(seat, "")) for seat in SEAT_NAMES}
    if not sure and (near := near_names(offer.club_id, list(seats.values()))):
        raise NearlyKnown(near)
    pairs = ((seats["N"], seats["S"]), (seats["E"], seats["W"]))
    found = find_or_make_partnerships(actor=actor, club_id=offer.club_id, names=pairs, at=at)
    ns, ew = found.pairs
    _check_four(ns, ew, seats)
    Scoresheet.objects.filter(pk=sheet.pk).update(
        club=offer.club_id,
        visibility=Visibility(visibility),
        ns=ns.partnership_id,
        ew=ew.partnership_id,
        north=ns.player_ids[0],
        south=ns.player_ids[1],
        east=ew.player_ids[0],
        west=ew.player_ids[1],
        put_away_at=None,
    )
    renew_figures([sheet.pk])
    GameLink.objects.filter(scoresheet=sheet, revoked_at=None).update(revoked_at=at)
    _answer(offer, actor, OfferState.TAKEN, at)
    _write_down(actor, Event.GAME_TAKEN, at, sheet, club_id=offer.club_id)
    return sheet.uid


@transaction.atomic(durable=True)
def decline_game(*, actor: Actor, offer_uid: UUID, reason: str, at: datetime) -> None:
    """Say that the club does not take the game; its owner reads the reason. The same again is the same.

    :raises NotFound: if there is no such offer.
    :raises Forbidden: if the actor may not take games into that club.
    :raises OfferAnswered: if it was answered otherwise.
    """
    offer, sheet = _offer(actor, offer_uid)
    if offer.state == OfferState.DECLINED:
        return
    _require_open(offer)
    _answer(offer, actor, OfferState.DECLINED, at, reason=clean_text(reason)[:500])
    _write_down(actor, Event.GAME_DECLINED, at, sheet, club_id=offer.club_id)


def _check_four(ns: Pair, ew: Pair, seats: Mapping[str, str]) -> None:
    if set(ns.player_ids) & set(ew.player_ids):
        raise SamePlayerTwice(next(name for name in seats.values() if list(seats.values()).count(name) > 1))


def _own_game(actor: Actor, uid: UUID) -> Scoresheet:
    """Return the game, which is the caller's alone until the transaction ends."""
    sheet = Scoresheet.objects.select_for_update(of=("self",)).filter(uid=uid).first()
    if sheet is None:
        raise NotFound
    if sheet.club_id is not None:
        raise Forbidden(Action.MANAGE_GAME)
    require(actor, Action.MANAGE_GAME, owner_id=sheet.owner_id)
    return sheet


def _offer(actor: Actor, uid: UUID) -> tuple[GameOffer, Scoresheet]:
    """Return the offer and its game, which is the caller's alone until the transaction ends."""
    place = GameOffer.objects.filter(uid=uid).values_list("scoresheet", "club").first()
    if place is None:
        raise NotFound
    scoresheet_id, club_id = place
    require(actor, Action.TAKE_GAME, club_id=club_id)
    sheet = Scoresheet.objects.select_for_update(of=("self",)).get(pk=scoresheet_id)
    return GameOffer.objects.get(uid=uid), sheet


def _require_open(offer: GameOffer) -> None:
    if offer.state != OfferState.OPEN:
        raise OfferAnswered(_("This offer was answered in the meantime, or taken back."))


def _answer(offer: GameOffer, actor: Actor, state: OfferState, at: datetime, reason: str = "") -> None:
    GameOffer.objects.filter(pk=offer.pk).update(
        state=state, answered_by=actor.user_id, answered_at=at, reason=reason
    )


def _write_down(
    actor: Actor, what: Event, at: datetime, sheet: Scoresheet, *, club_id: int | None = None
) -> None:
    detail: Detail = {"scoresheet": str(sheet.uid)}
    write_entry(actor=actor, what=what, at=at, club_id=club_id, detail=detail)
