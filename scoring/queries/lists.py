"""Lists of players, partnerships, scoresheets and deals, read part by part, and what each line says alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from courtpiece.accounts.parts import Asked, PartOf, Until, read_part
from courtpiece.accounts.permissions import Action, Actor, Visibility, clubs_where, may
from courtpiece.accounts.queries import NotFound
from scoring.models import Deal, Partnership, Player, Revision, Scoresheet
from scoring.queries.deals import file_of
from scoring.queries.holding import Reader, held_deals, is_held, result_form
from scoring.queries.refs import PairRef, person, seated_pair
from scoring.queries.scoresheets import (
    SHEET_TREE,
    DealLine,
    SheetHeader,
    SideTotals,
    deal_line,
    header_of,
    leader,
    sheet_row,
    side_totals,
)
from scoring.queries.searching import (
    DEALS_LOOKED_THROUGH,
    People,
    Sought,
    deals_sought,
    named_players,
    people_sought,
    persons_of,
    sheets_sought,
)
from scoring.queries.sight import require_sight, seated, visible_scoresheets
from scoring.records import read_kept

# -- values


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """A player as a list shows one."""

    uid: UUID
    name: str
    club_slug: str
    club_name: str
    is_anonymised: bool
    merged_into: UUID | None
    """The player that this one turned out to be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnershipLine:
    """A partnership as a list shows it."""

    pair: PairRef
    club_slug: str
    club_name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetLine:
    """A scoresheet as a list shows it: all but its deals."""

    header: SheetHeader
    ns: SideTotals
    ew: SideTotals
    winner: str
    next_dealer: str
    deals_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedDeal:
    """A deal as a list shows it, with its scoresheet's address."""

    scoresheet_uid: UUID
    line: DealLine


@dataclass(frozen=True, slots=True, kw_only=True)
class DealWithRecord:
    """A deal of a scoresheet with its record at the current revision, as a file."""

    line: DealLine
    pcn: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetDeals:
    """The deals of a scoresheet with their records."""

    uid: UUID
    version: int
    deals: tuple[DealWithRecord, ...]


# -- what may be asked for


NOTHING_MORE: Final = Sought()


@dataclass(frozen=True, slots=True, kw_only=True)
class PeopleFilter:
    """Which players or partnerships are wanted; what is None does not matter."""

    club: str | None = None
    """A slug."""
    player: UUID | None = None
    """Partnerships only: one of the two."""
    search: str | None = None
    """The beginnings of words of a name, in any script."""
    partner: str | None = None
    """Partnerships only: the same of the other of the two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFilter:
    """Which scoresheets are wanted; what is None does not matter."""

    club: str | None = None
    player: UUID | None = None
    partnership: UUID | None = None
    event: str | None = None
    date: str | None = None
    """The beginning of one: ``2026.11``."""
    round: str | None = None
    table: str | None = None
    rules: str | None = None
    own: bool = False
    """Only what the actor recorded at home."""
    collection_id: int | None = None
    """The caller has decided that this collection may be seen."""
    sought: Sought = NOTHING_MORE


@dataclass(frozen=True, slots=True, kw_only=True)
class DealFilter:
    """Which deals are wanted; what is None does not matter."""

    scoresheet: UUID | None = None
    """Seen by whoever has its address."""
    club: str | None = None
    player: UUID | None = None
    """Sat at the table."""
    partnership: UUID | None = None
    number: int | None = None
    dealer: str | None = None
    trump: str | None = None
    level: str | None = None
    winner: str | None = None
    award: str | None = None
    ruled: bool | None = None
    corrected: bool | None = None
    has_problems: bool | None = None
    collection_id: int | None = None
    """The caller has decided that this collection may be seen."""
    sought: Sought = NOTHING_MORE


PLAYERS_ORDER: Final = ("name", "pk")
PARTNERSHIPS_ORDER: Final = ("pk",)
SHEETS_ORDER: Final = ("-pk",)
DEALS_ORDER: Final = ("-scoresheet_id", "number")
PLAYER_ORDERS: Final = {"name": ("name", "pk"), "created": ("pk",)}
PARTNERSHIP_ORDERS: Final = {"created": ("pk",), "name": ("first__name", "second__name", "pk")}
SHEET_ORDERS: Final = {"created": ("pk",), "date": ("date", "pk"), "event": ("event", "pk")}
DEAL_ORDERS: Final = {"created": ("pk",), "number": ("number", "pk")}


# -- people


def visible_players(actor: Actor) -> QuerySet[Player]:
    """Return the players who exist for ``actor``, as ``people.player_page`` has it."""
    sat = Q(north=_ROW) | Q(south=_ROW) | Q(east=_ROW) | Q(west=_ROW)
    return Player.objects.filter(_played(actor, sat) | _known_people(actor, Q(user=actor.user_id)))


def visible_partnerships(actor: Actor) -> QuerySet[Partnership]:
    """Return the partnerships that exist for ``actor``, as ``people.partnership_page`` has it."""
    own = Q(first__user=actor.user_id) | Q(second__user=actor.user_id)
    return Partnership.objects.filter(_played(actor, Q(ns=_ROW) | Q(ew=_ROW)) | _known_people(actor, own))


_ROW: Final = OuterRef("pk")


def _played(actor: Actor, at_it: Q) -> Exists:
    return Exists(visible_scoresheets(actor).filter(at_it, deals_count__gt=0))


def _known_people(actor: Actor, own: Q) -> Q:
    clubs = clubs_where(actor, Action.VIEW_MEMBERS)
    if clubs is None:
        return Q(pk__isnull=False)
    sees_own = actor.user_id is not None and may(
        actor, Action.VIEW_TOURNAMENT, visibility=Visibility.PRIVATE, is_participant=True
    )
    return Q(club__in=clubs) | own if sees_own else Q(club__in=clubs)


def _of_club(slug: str | None) -> Q:
    return Q() if slug is None else Q(club__slug=slug)


def players(*, actor: Actor, wanted: PeopleFilter, asked: Asked) -> PartOf[PlayerLine]:
    """Return a part of the players, by name, each person once. One query; with a search four.

    :raises BadCursor: if the cursor is none of this list.
    """
    rows = players_wanted(wanted, actor)
    return read_part(rows, PLAYERS_ORDER, player_lines, asked=asked, orders=PLAYER_ORDERS)


def players_wanted(wanted: PeopleFilter, actor: Actor) -> QuerySet[Player]:
    """Return the players who are asked for, those that exist for the actor. Three queries with a search, else none."""
    rows = (
        visible_players(actor)
        .select_related("club", "merged_into")
        .filter(_of_club(wanted.club), merged_into=None)
    )
    if wanted.search is None:
        return rows
    return rows.filter(pk__in=persons_of(named_players(wanted.search, actor=actor, club=wanted.club)))


def player(uid: UUID, *, actor: Actor) -> PlayerLine:
    """Return a player. One query.

    :raises NotFound: if there is none, or none for the actor.
    """
    row = visible_players(actor).select_related("club", "merged_into").filter(uid=uid).first()
    if row is None:
        raise NotFound
    return player_lines([row])[0]


def named_player(uid: UUID) -> PlayerLine:
    """Return the player whom the caller has just named, which tells them nothing new. One query."""
    return player_lines([Player.objects.select_related("club").get(uid=uid)])[0]


def named_partnership(uid: UUID) -> PartnershipLine:
    """Return the partnership that the caller has just named, which tells them nothing new. One query."""
    rows = Partnership.objects.select_related("club", "first", "second")
    return partnership_lines([rows.get(uid=uid)])[0]


def player_lines(rows: Sequence[Player]) -> list[PlayerLine]:
    """Return players, with their clubs and whom they are merged into loaded, as lines."""
    return [
        PlayerLine(
            uid=row.uid,
            name=row.name,
            club_slug=row.club.slug,
            club_name=row.club.name,
            is_anonymised=row.anonymised_at is not None,
            merged_into=row.merged_into.uid if row.merged_into is not None else None,
        )
        for row in rows
    ]


def partnerships(*, actor: Actor, wanted: PeopleFilter, asked: Asked) -> PartOf[PartnershipLine]:
    """Return a part of the partnerships, in the order they were made. One query; with a search four, or seven.

    :raises BadCursor: if the cursor is none of this list.
    """
    rows = partnerships_wanted(wanted, actor)
    return read_part(rows, PARTNERSHIPS_ORDER, partnership_lines, asked=asked, orders=PARTNERSHIP_ORDERS)


def partnerships_wanted(wanted: PeopleFilter, actor: Actor) -> QuerySet[Partnership]:
    """Return the partnerships that are asked for, those that exist for the actor. Three queries for each name."""
    rows = visible_partnerships(actor).select_related("club", "first", "second").filter(_of_club(wanted.club))
    if wanted.player is not None:
        rows = rows.filter(Q(first__uid=wanted.player) | Q(second__uid=wanted.player))
    if wanted.search is not None:
        mine = persons_of(named_players(wanted.search, actor=actor, club=wanted.club))
        pair = Q(first__in=mine) | Q(second__in=mine)
        if wanted.partner is not None:
            theirs = persons_of(named_players(wanted.partner, actor=actor, club=wanted.club))
            pair = Q(first__in=mine, second__in=theirs) | Q(first__in=theirs, second__in=mine)
        rows = rows.filter(pair)
    return rows


def partnership(uid: UUID, *, actor: Actor) -> PartnershipLine:
    """Return a partnership. One query.

    :raises NotFound: if there is none, or none for the actor.
    """
    rows = visible_partnerships(actor).select_related("club", "first", "second")
    row = rows.filter(uid=uid).first()
    if row is None:
        raise NotFound
    return partnership_lines([row])[0]


def partnership_lines(rows: Sequence[Partnership]) -> list[PartnershipLine]:
    """Return partnerships, with their clubs and players loaded, as lines."""
    return [
        PartnershipLine(
            pair=PairRef(row.uid, (person(row.first), person(row.second))),
            club_slug=row.club.slug,
            club_name=row.club.name,
        )
        for row in rows
    ]


# -- scoresheets


def scoresheets(*, actor: Actor, wanted: SheetFilter, asked: Asked) -> PartOf[SheetLine]:
    """Return a part of the scoresheets, the newest first. One query, and three for each name that is sought.

    :raises BadCursor: if the cursor is none of this list.
    """

    def lines(found: Sequence[Scoresheet]) -> list[SheetLine]:
        return [sheet_line(row, actor) for row in found]

    rows = sheets_wanted(wanted, actor)
    return read_part(rows, SHEETS_ORDER, lines, asked=asked, orders=SHEET_ORDERS)


def sheets_wanted(wanted: SheetFilter, actor: Actor) -> QuerySet[Scoresheet]:
    """Return the scoresheets that are asked for, those that the actor finds, with all that a line needs.

    Three queries for each name that is sought, else none.
    """
    rows = _sheets_of(wanted.collection_id, visible_scoresheets(actor)).filter(
        _of_club(wanted.club),
        _played_by(wanted.player, wanted.partnership),
        **_given(
            event=wanted.event,
            date__startswith=wanted.date,
            round=wanted.round,
            table=wanted.table,
            rules=wanted.rules,
        ),
    )
    if wanted.own:
        rows = rows.filter(owner=actor.user_id, owner__isnull=False)
    people = people_sought(wanted.sought, actor=actor, club=wanted.club)
    return sheets_sought(rows, wanted.sought, people).select_related(*SHEET_TREE)


def scoresheet(uid: UUID, *, actor: Actor) -> SheetLine:
    """Return a scoresheet without its deals. One query, one more for a user where it is not public.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not see it.
    """
    return sheet_line(_seen_sheet(uid, actor), actor)


def written_game(uid: UUID, *, actor: Actor) -> SheetLine:
    """Return the game that the actor has just written, which tells them nothing new. One query.

    :raises NotFound: if there is none.
    """
    return sheet_line(sheet_row(uid), actor)


def sheet_deals(uid: UUID, *, actor: Actor, now: datetime | None = None) -> SheetDeals:
    """Return a scoresheet's deals with their records. Two queries, one more where it is not public.

    One more where its cards are shown late: as they are ``now``, without it not at all.

    :raises NotFound: if there is no such scoresheet.
    :raises Forbidden: if the actor may not see it.
    """
    sheet = _seen_sheet(uid, actor)
    deals = sheet.deals.annotate(pcn=CURRENT_TEXT).order_by("number")
    held = held_deals(Reader(actor, now), deals)
    return SheetDeals(
        uid=sheet.uid,
        version=sheet.version,
        deals=tuple(
            DealWithRecord(
                line=deal_line(deal, cards_from=held.get(deal.pk)),
                pcn=file_as_read(sheet, deal.pcn, held.get(deal.pk)),
            )
            for deal in deals
        ),
    )


CURRENT_TEXT: Final = Subquery(
    Revision.objects.filter(deal=OuterRef("pk"), number=OuterRef("revision")).values("pcn")[:1]
)


def file_as_read(sheet: Scoresheet, kept: str, cards_from: datetime | None) -> str:
    """Return a kept record as a file, its cards held back until ``cards_from``; None: they are shown."""
    record = read_kept(kept).record
    if record is None:
        raise LookupError(f"a record of {sheet} cannot be read")
    return file_of(sheet, [record if cards_from is None else result_form(record, until=cards_from)])


def _seen_sheet(uid: UUID, actor: Actor) -> Scoresheet:
    sheet = sheet_row(uid)
    require_sight(actor, sheet)
    return sheet


def _sheets_of(collection_id: int | None, visible: QuerySet[Scoresheet]) -> QuerySet[Scoresheet]:
    return visible if collection_id is None else Scoresheet.objects.filter(collection=collection_id)


def _given(**conditions: object) -> dict[str, object]:
    return {name: value for name, value in conditions.items() if value is not None}


def _played_by(player_uid: UUID | None, partnership_uid: UUID | None) -> Q:
    condition = Q()
    if player_uid is not None:
        condition &= seated(Player.objects.filter(uid=player_uid))
    if partnership_uid is not None:
        pair = Partnership.objects.filter(uid=partnership_uid)
        condition &= Q(ns__in=pair) | Q(ew__in=pair)
    return condition


def sheet_line(sheet: Scoresheet, actor: Actor) -> SheetLine:
    """Return a scoresheet, with all of ``SHEET_TREE`` loaded, as a line."""
    return SheetLine(
        header=header_of(sheet, actor),
        ns=side_totals(sheet, "ns", seated_pair(sheet, "ns")),
        ew=side_totals(sheet, "ew", seated_pair(sheet, "ew")),
        winner=leader(sheet.courts_ns, sheet.courts_ew),
        next_dealer=sheet.next_dealer,
        deals_count=sheet.deals_count,
    )


# -- deals


def deals(
    *, actor: Actor, wanted: DealFilter, asked: Asked, now: datetime | None = None
) -> PartOf[ListedDeal]:
    """Return a part of the deals: those of the newest scoresheet first, by number. One query, and three for each name.

    Void deals are there too: not all of them count. One query more where cards are shown late: as they are ``now``,
    without it not at all. Where it is asked for what the cards tell, deals whose cards are held back are left out.

    :raises BadCursor: if the cursor is none of this list.
    """
    reader = Reader(actor, now)
    rows = deals_wanted(wanted, reader).select_related("scoresheet")

    def lines(found: Sequence[Deal]) -> list[ListedDeal]:
        held = held_deals(reader, found)
        return [
            ListedDeal(scoresheet_uid=row.scoresheet.uid, line=deal_line(row, cards_from=held.get(row.pk)))
            for row in found
        ]

    return read_part(rows, DEALS_ORDER, lines, asked=asked, orders=DEAL_ORDERS, until=until_of(wanted))


def deals_wanted(wanted: DealFilter, reader: Reader) -> QuerySet[Deal]:
    """Return the deals that are asked for, those that the reader may find. Three queries for each name, else none."""
    people = people_sought(wanted.sought, actor=reader.actor, club=wanted.club)
    rows = Deal.objects.filter(
        _conditions(wanted),
        _of_cards_shown(wanted, reader),
        scoresheet__in=_sheets_of_deals(reader.actor, wanted, people).values("pk"),
        **_given(
            number=wanted.number,
            dealer=wanted.dealer,
            trump=wanted.trump,
            level=wanted.level,
            winner=wanted.winner,
            award=wanted.award,
            is_ruled=wanted.ruled,
        ),
    )
    return deals_sought(rows, wanted.sought, people)


def until_of(wanted: DealFilter) -> Until[Deal] | None:
    """Return how far one part looks; None where an index leads to what is sought."""
    if wanted.sought.held is None:
        return None
    return Until(Deal.objects.all(), DEALS_LOOKED_THROUGH)


def _of_cards_shown(wanted: DealFilter, reader: Reader) -> Q:
    tells = (wanted.trump, wanted.level, wanted.has_problems)
    if any(one is not None for one in tells) or wanted.sought.tells_of_cards:
        return ~is_held(reader)
    return Q()


def _sheets_of_deals(actor: Actor, wanted: DealFilter, people: People) -> QuerySet[Scoresheet]:
    """Return the scoresheets of the deals. Who names one has its address."""
    by_address = wanted.scoresheet is not None
    action = Action.VIEW_TOURNAMENT if by_address else Action.LIST_TOURNAMENT
    sheets = _sheets_of(wanted.collection_id, visible_scoresheets(actor, action)).filter(
        _of_club(wanted.club), _played_by(wanted.player, wanted.partnership), **_given(uid=wanted.scoresheet)
    )
    return sheets_sought(sheets, wanted.sought, people)


def _conditions(wanted: DealFilter) -> Q:
    condition = Q()
    if wanted.has_problems is not None:
        condition &= ~Q(problems=[]) if wanted.has_problems else Q(problems=[])
    if wanted.corrected is not None:
        condition &= Q(revision__gt=1) if wanted.corrected else Q(revision=1)
    return condition
