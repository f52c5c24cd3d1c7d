"""Games that were recorded at home: their owner's list, what a link shows, and what is offered to a club."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from courtpiece.accounts.models import Club
from courtpiece.accounts.permissions import Action, Actor, Forbidden, GameGrant, require
from courtpiece.accounts.queries import ClubLine, NotFound, club_by_slug
from scoring.link_secrets import secret_of, uid_of
from scoring.models import Deal, GameLink, GameOffer, OfferState, Player, Scoresheet
from scoring.names import near_duplicates
from scoring.queries.deals import DealPage, DealPosition, deal_page, deal_position, scoresheet_pcn
from scoring.queries.holding import Reader
from scoring.queries.refs import PageOf, PairRef, page_of, seated_pair, seated_person
from scoring.queries.scoresheets import SHEET_TREE, ScoresheetPage, page_of_sheet, sheet_row

MOST_CLUBS: Final = 500
MOST_ANSWERED: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferLine:
    """An offer as the game's owner sees it."""

    club_name: str
    club_slug: str
    state: str
    offered_at: datetime
    reason: str
    """Why it was declined."""

    @property
    def is_open(self) -> bool:
        """Whether it waits for an answer."""
        return self.state == OfferState.OPEN


@dataclass(frozen=True, slots=True, kw_only=True)
class GameLine:
    """A game as its owner's list shows it."""

    uid: UUID
    ns: PairRef
    ew: PairRef
    rules: str
    event: str
    date: str
    created_at: datetime
    courts_ns: int
    courts_ew: int
    deals_count: int
    is_shared: bool
    is_away: bool
    club_name: str
    """Of the club that has it; empty while it is the owner's own."""
    club_slug: str
    offer: OfferLine | None
    """The latest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePanel:
    """What the owner of a game may do with it."""

    secret: str
    """Of its link; empty without one."""
    offer: OfferLine | None
    """The latest."""
    clubs: tuple[ClubLine, ...]
    """Those it can be offered to: first those that the owner is a member of."""
    is_away: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatOfOffer:
    """A seat of an offered game: the name that the owner typed, and whom the club knows by a like name."""

    code: str
    name: str
    is_known: bool
    """Whether the club has a player of just that name."""
    near: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedGame:
    """A game that waits for a director's answer, or was answered."""

    uid: UUID
    """The offer's."""
    sheet_uid: UUID
    state: str
    offered_at: datetime
    offered_by: str
    answered_at: datetime | None
    ns: PairRef
    ew: PairRef
    rules: str
    event: str
    date: str
    courts_ns: int
    courts_ew: int
    deals_count: int
    seats: tuple[SeatOfOffer, ...]
    """Of one that waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedGames:
    """The games that were offered to a club, the newest first."""

    club: ClubLine
    open: tuple[OfferedGame, ...]
    answered: tuple[OfferedGame, ...]


# -- the owner's


def my_games(*, actor: Actor, page: int, with_away: bool = False) -> PageOf[GameLine]:
    """Return a page of the games that the actor recorded at home, the newest first. Four queries.

    :raises Forbidden: if the actor is nobody.
    """
    require(actor, Action.RECORD_GAME)
    rows = Scoresheet.objects.select_related(*SHEET_TREE).filter(owner=actor.user_id, owner__isnull=False)
    if not with_away:
        rows = rows.filter(put_away_at=None)
    found = page_of(rows.order_by("-pk"), page, _itself)
    ids = [sheet.pk for sheet in found.items]
    offers = _latest_offers(ids)
    good = GameLink.objects.filter(scoresheet__in=ids, revoked_at=None)
    shared = frozenset(good.values_list("scoresheet_id", flat=True))
    return PageOf(
        items=tuple(
            _line(sheet, offers.get(sheet.pk), is_shared=sheet.pk in shared) for sheet in found.items
        ),
        number=found.number,
        num_pages=found.num_pages,
        count=found.count,
    )


def _itself(sheet: Scoresheet) -> Scoresheet:
    return sheet


def _latest_offers(scoresheet_ids: Iterable[int]) -> dict[int, OfferLine]:
    rows = GameOffer.objects.filter(scoresheet__in=list(scoresheet_ids)).exclude(state=OfferState.TAKEN_BACK)
    return {row.scoresheet_id: _offer_line(row) for row in rows.select_related("club").order_by("pk")}


def _offer_line(row: GameOffer) -> OfferLine:
    return OfferLine(
        club_name=row.club.name,
        club_slug=row.club.slug,
        state=row.state,
        offered_at=row.offered_at,
        reason=row.reason,
    )


def _line(sheet: Scoresheet, offer: OfferLine | None, *, is_shared: bool) -> GameLine:
    return GameLine(
        uid=sheet.uid,
        ns=seated_pair(sheet, "ns"),
        ew=seated_pair(sheet, "ew"),
        rules=sheet.rules,
        event=sheet.event,
        date=sheet.date,
        created_at=sheet.created_at,
        courts_ns=sheet.courts_ns,
        courts_ew=sheet.courts_ew,
        deals_count=sheet.deals_count,
        is_shared=is_shared,
        is_away=sheet.put_away_at is not None,
        club_name=sheet.club.name if sheet.club is not None else "",
        club_slug=sheet.club.slug if sheet.club is not None else "",
        offer=offer,
    )


def game_panel(uid: UUID, *, actor: Actor) -> GamePanel:
    """Return what its owner may do with a game. Four queries.

    :raises NotFound: if there is no such game.
    :raises Forbidden: if it is not the actor's own, or a club has it.
    """
    sheet = Scoresheet.objects.filter(uid=uid).first()
    if sheet is None:
        raise NotFound
    if sheet.club_id is not None:
        raise Forbidden(Action.MANAGE_GAME)
    require(actor, Action.MANAGE_GAME, owner_id=sheet.owner_id)
    link = GameLink.objects.filter(scoresheet=sheet, revoked_at=None).first()
    return GamePanel(
        secret=secret_of(link.uid) if link is not None else "",
        offer=_latest_offers([sheet.pk]).get(sheet.pk),
        clubs=_clubs_for(actor),
        is_away=sheet.put_away_at is not None,
    )


def _clubs_for(actor: Actor) -> tuple[ClubLine, ...]:
    rows = Club.objects.order_by("name", "pk")[:MOST_CLUBS]
    lines = (
        ClubLine(
            id=row.pk, slug=row.slug, name=row.name, timezone=row.timezone, city=row.city, country=row.country
        )
        for row in rows
    )
    return tuple(sorted(lines, key=lambda line: line.id not in actor.roles))


# -- by a link


def shared_sheet(secret: str, *, actor: Actor) -> ScoresheetPage:
    """Return the game of a link with its ledger, everything in it leading on by that link. Three queries.

    :raises NotFound: if there is no such link, or it opens nothing any more.
    """
    sheet, reader = _by_link(secret, actor)
    page = page_of_sheet(sheet, Reader(reader, None))
    return replace(
        page,
        header=replace(
            page.header, shared=secret, may_record=False, may_correct=False, may_manage_game=False
        ),
        deals=tuple(replace(line, shared=secret) for line in page.deals),
    )


def shared_deal(secret: str, number: int, *, actor: Actor, at: int = 0) -> DealPage:
    """Return a deal of the game of a link. Five queries.

    :raises NotFound: if there is no such link or deal, or the link opens nothing any more.
    """
    uid, reader = _deal_by_link(secret, number, actor)
    page = deal_page(uid, actor=reader, at=at)
    return replace(
        page,
        header=replace(
            page.header, shared=secret, may_record=False, may_correct=False, may_manage_game=False
        ),
        line=replace(page.line, shared=secret),
        previous=page.previous and replace(page.previous, shared=secret),
        next=page.next and replace(page.next, shared=secret),
    )


def shared_position(secret: str, number: int, *, actor: Actor, at: int) -> DealPosition:
    """Return a deal of the game of a link at step ``at``. Five queries.

    :raises NotFound: if there is no such link or deal, or the link opens nothing any more.
    """
    uid, reader = _deal_by_link(secret, number, actor)
    position = deal_position(uid, actor=reader, at=at)
    return replace(position, header=replace(position.header, shared=secret))


def _deal_by_link(secret: str, number: int, actor: Actor) -> tuple[UUID, Actor]:
    """Return the deal of the game of a good link, and who reads it by that link. Three queries."""
    sheet, reader = _by_link(secret, actor)
    uid = Deal.objects.filter(scoresheet=sheet.pk, number=number).values_list("uid", flat=True).first()
    if uid is None:
        raise NotFound
    return uid, reader


def shared_pcn(secret: str, *, actor: Actor) -> str:
    """Return all deals of the game of a link as a file. Four queries.

    :raises NotFound: if there is no such link, or it opens nothing any more.
    """
    sheet, reader = _by_link(secret, actor)
    return scoresheet_pcn(sheet.uid, actor=reader)


def _by_link(secret: str, actor: Actor) -> tuple[Scoresheet, Actor]:
    """Return the game of a good link, and who reads it by that link. Two queries."""
    uid = uid_of(secret)
    if uid is None:
        raise NotFound
    link = GameLink.objects.filter(uid=uid, revoked_at=None).select_related("scoresheet").first()
    if link is None or link.scoresheet.club_id is not None:
        raise NotFound
    reader = replace(actor, game=GameGrant(scoresheet_id=link.scoresheet_id))
    return sheet_row(link.scoresheet.uid), reader


# -- what is offered to a club


def offered_games(slug: str, *, actor: Actor) -> OfferedGames:
    """Return the games that were offered to the club. Four queries.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor may not take games into it.
    """
    club = club_by_slug(slug, actor=actor)
    require(actor, Action.TAKE_GAME, club_id=club.id)
    rows = GameOffer.objects.filter(club=club.id).select_related(
        "offered_by", "scoresheet", *(f"scoresheet__{name}" for name in SHEET_TREE)
    )
    known = tuple(Player.objects.filter(club=club.id, anonymised_at=None).values_list("name", flat=True))
    waiting = rows.filter(state=OfferState.OPEN).order_by("pk")
    answered = rows.filter(state__in=(OfferState.TAKEN, OfferState.DECLINED)).order_by("-answered_at", "-pk")
    return OfferedGames(
        club=club,
        open=tuple(_offered(row, known) for row in waiting),
        answered=tuple(_offered(row, ()) for row in answered[:MOST_ANSWERED]),
    )


def offered_game(uid: UUID, *, actor: Actor) -> tuple[str, OfferedGame]:
    """Return the slug of the club that was asked, and the offer. Three queries at most.

    :raises NotFound: if there is no such offer.
    :raises Forbidden: if the actor may not take games into that club.
    """
    rows = GameOffer.objects.select_related(
        "club", "offered_by", "scoresheet", *(f"scoresheet__{name}" for name in SHEET_TREE)
    )
    row = rows.filter(uid=uid).first()
    if row is None:
        raise NotFound
    require(actor, Action.TAKE_GAME, club_id=row.club_id)
    known = tuple(Player.objects.filter(club=row.club_id, anonymised_at=None).values_list("name", flat=True))
    return row.club.slug, _offered(row, known)


def _offered(row: GameOffer, known: tuple[str, ...]) -> OfferedGame:
    sheet = row.scoresheet
    is_open = row.state == OfferState.OPEN
    return OfferedGame(
        uid=row.uid,
        sheet_uid=sheet.uid,
        state=row.state,
        offered_at=row.offered_at,
        offered_by=row.offered_by.display_name,
        answered_at=row.answered_at,
        ns=seated_pair(sheet, "ns"),
        ew=seated_pair(sheet, "ew"),
        rules=sheet.rules,
        event=sheet.event,
        date=sheet.date,
        courts_ns=sheet.courts_ns,
        courts_ew=sheet.courts_ew,
        deals_count=sheet.deals_count,
        seats=_seats(sheet, known) if is_open else (),
    )


def _seats(sheet: Scoresheet, known: tuple[str, ...]) -> tuple[SeatOfOffer, ...]:
    names = {code: seated_person(sheet, seat).name for code, seat in _SEATS.items()}
    near = near_duplicates(dict.fromkeys(names.values()), known)
    return tuple(
        SeatOfOffer(
            code=code,
            name=name,
            is_known=name in known,
            near=tuple(one.existing for one in near if one.name == name),
        )
        for code, name in names.items()
    )


_SEATS: Final = {"N": "north", "E": "east", "S": "south", "W": "west"}
