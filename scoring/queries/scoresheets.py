"""The page of a scoresheet."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.conf import settings
from django.urls import reverse

from courtpiece.accounts.permissions import Action, Actor, may
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Seat
from scoring.models import Deal, Partnership, RevisionKind, Scoresheet
from scoring.queries.holding import SHOWN_LEVEL, Reader, held_deals
from scoring.queries.refs import (
    CollectionRef,
    PairRef,
    PersonRef,
    ShownProblem,
    collection_of,
    person,
    seated_pair,
    seated_person,
    shown_problems,
)
from scoring.queries.sight import require_sight


@dataclass(frozen=True, slots=True, kw_only=True)
class SideTotals:
    """What a scoresheet comes to for one side."""

    pair: PairRef
    courts: int
    deals_won: int
    bavneys: int
    goon_courts: int
    revokes: int
    run: int
    """Deals won running after the last deal."""
    sat_in: tuple[tuple[PersonRef, PersonRef], ...] = ()
    """Who sat in for a player of the pair, with whom it was for; read for the page of a scoresheet only."""


def address_of_deal(uid: UUID, number: int, shared: str) -> str:
    """Return where a deal's page is, for who reads it by a link with the secret ``shared``, or without one."""
    if shared:
        return reverse("scoring:shared_deal", args=[shared, number])
    return reverse("scoring:deal", args=[uid])


@dataclass(frozen=True, slots=True, kw_only=True)
class DealLine:
    """A deal as the ledger shows it."""

    uid: UUID
    shared: str = ""
    """The secret of the link by which it is read; empty for who reads it without."""
    number: int
    dealer: str
    caller: str
    trump: str
    trump_method: str
    level: str
    winner: str
    award: str
    tricks_ns: int
    tricks_ew: int
    courts_ns: int
    courts_ew: int
    """The deal's own."""
    run_courts_ns: int
    run_courts_ew: int
    total_ns: int
    total_ew: int
    """The match's courts after the deal."""
    run_ns: int
    run_ew: int
    """Deals won running, after the deal."""
    kind: str
    revision: int
    is_ruled: bool
    counts: bool
    problems: tuple[ShownProblem, ...]
    cards_from: datetime | None = None
    """Until when the cards are held back from the reader, with everything that tells of them; None: they are not."""

    @property
    def corrected(self) -> bool:
        """Whether another record stands in the place of the first one."""
        return self.kind == RevisionKind.CORRECTION

    @property
    def voided(self) -> bool:
        """Whether a director made it void."""
        return self.kind == RevisionKind.VOID

    @property
    def ruled(self) -> bool:
        """Whether a director's ruling stands."""
        return self.is_ruled

    @property
    def run_court(self) -> bool:
        """Whether a court for a run of deals was scored."""
        return bool(self.run_courts_ns or self.run_courts_ew)

    @property
    def earned_ns(self) -> int:
        """What the deal brought North and South: its own courts, and one for a run."""
        return self.courts_ns + self.run_courts_ns

    @property
    def earned_ew(self) -> int:
        """What the deal brought East and West."""
        return self.courts_ew + self.run_courts_ew

    @property
    def address(self) -> str:
        """Where the deal's page is."""
        return address_of_deal(self.uid, self.number, self.shared)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetHeader:
    """What every page about a scoresheet says of it."""

    uid: UUID
    club_name: str
    """This and the next are empty for a game that is no club's."""
    club_slug: str
    club_timezone: str
    collection: CollectionRef | None
    rules: str
    event: str
    site: str
    date: str
    round: str
    table: str
    visibility: str
    version: int
    north: PersonRef
    east: PersonRef
    south: PersonRef
    west: PersonRef
    may_record: bool
    """This and what follows: by the reader's role, and while the collection takes changes."""
    may_correct: bool
    may_rule: bool
    may_manage_game: bool = False
    """Whether it is the reader's own game, and no club's."""
    shared: str = ""
    """The secret of the link by which it is read; empty for who reads it without."""

    @property
    def address(self) -> str:
        """Where its page is."""
        if self.shared:
            return reverse("scoring:shared", args=[self.shared])
        return reverse("scoring:scoresheet", args=[self.uid])

    @property
    def address_of_pcn(self) -> str:
        """Where its deals are as a file."""
        if self.shared:
            return reverse("scoring:shared_pcn", args=[self.shared])
        return reverse("scoring:scoresheet_pcn", args=[self.uid])

    @property
    def ns(self) -> tuple[PersonRef, PersonRef]:
        """Who sat North and South."""
        return self.north, self.south

    @property
    def ew(self) -> tuple[PersonRef, PersonRef]:
        """Who sat East and West."""
        return self.east, self.west


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresheetPage:
    """A scoresheet with its ledger."""

    header: SheetHeader
    ns: SideTotals
    ew: SideTotals
    winner: str
    """``NS``, ``EW`` or empty: equal courts (law 13.2)."""
    next_dealer: str
    deals_count: int
    """Deals that count."""
    deals: tuple[DealLine, ...]

    @property
    def sat_in(self) -> tuple[tuple[PersonRef, PersonRef], ...]:
        """Who sat in for whom, North–South first."""
        return *self.ns.sat_in, *self.ew.sat_in

    @property
    def odd_deals(self) -> tuple[DealLine, ...]:
        """The deals with a problem that stands."""
        return tuple(deal for deal in self.deals if deal.problems)


def scoresheet_page(uid: UUID, *, actor: Actor, now: datetime | None = None) -> ScoresheetPage:
    """Return the scoresheet with its ledger. Two queries, one more for a user where it is not public.

    One more where its cards are shown late; ``now`` is when they are asked for, without it none of these are shown.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not see it.
    """
    sheet = sheet_row(uid)
    require_sight(actor, sheet)
    return page_of_sheet(sheet, Reader(actor, now))


def page_of_sheet(sheet: Scoresheet, reader: Reader) -> ScoresheetPage:
    """Return a loaded scoresheet, which the reader may see, with its ledger.

    One query, two more where its cards are shown late.
    """
    actor = reader.actor
    deals = sheet.deals.order_by("number")
    held = held_deals(reader, deals)
    return ScoresheetPage(
        header=header_of(sheet, actor),
        ns=_side(sheet, "ns"),
        ew=_side(sheet, "ew"),
        winner=leader(sheet.courts_ns, sheet.courts_ew),
        next_dealer=sheet.next_dealer,
        deals_count=sheet.deals_count,
        deals=tuple(deal_line(deal, cards_from=held.get(deal.pk)) for deal in deals),
    )


def _side(sheet: Scoresheet, side: str) -> SideTotals:
    """Return one side under its pair's own names, North or East first, with who sat in for whom."""
    pair: Partnership | None = getattr(sheet, side)
    seats = ("north", "south") if side == "ns" else ("east", "west")
    seated = [player for seat in seats if (player := getattr(sheet, seat)) is not None]
    if pair is None or len(seated) < len(seats):
        return side_totals(sheet, side, seated_pair(sheet, side))
    members = (pair.first, pair.second)
    away = [one for one in members if one not in seated]
    guests = [one for one in seated if one not in members]
    sat_in = dict(zip(guests, away, strict=False))
    one, other = (person(sat_in.get(player, player)) for player in seated)
    named = tuple((person(player), person(absent)) for player, absent in sat_in.items())
    return replace(side_totals(sheet, side, PairRef(pair.uid, (one, other))), sat_in=named)


SHEET_TREE: Final = (
    *("club", "collection", "north", "south", "east", "west"),
    *("ns__first", "ns__second", "ew__first", "ew__second"),
)


def sheet_row(uid: UUID) -> Scoresheet:
    """Return the scoresheet with all that its header names, loaded. One query.

    :raises NotFound: if there is none.
    """
    sheet = Scoresheet.objects.select_related(*SHEET_TREE).filter(uid=uid).first()
    if sheet is None:
        raise NotFound
    return sheet


def header_of(sheet: Scoresheet, actor: Actor) -> SheetHeader:
    """Return the header of a loaded scoresheet, as the actor sees it."""
    is_locked = sheet.collection is not None and sheet.collection.is_locked
    return SheetHeader(
        uid=sheet.uid,
        club_name=sheet.club.name if sheet.club is not None else "",
        club_slug=sheet.club.slug if sheet.club is not None else "",
        club_timezone=sheet.club.timezone if sheet.club is not None else settings.TIME_ZONE,
        collection=collection_of(sheet),
        rules=sheet.rules,
        event=sheet.event,
        site=sheet.site,
        date=sheet.date,
        round=sheet.round,
        table=sheet.table,
        visibility=sheet.visibility,
        version=sheet.version,
        north=seated_person(sheet, "north"),
        east=seated_person(sheet, "east"),
        south=seated_person(sheet, "south"),
        west=seated_person(sheet, "west"),
        may_record=not is_locked and _may(sheet, actor, Action.RECORD_DEAL),
        may_correct=not is_locked and _may(sheet, actor, Action.CORRECT_DEAL),
        may_rule=not is_locked and _may(sheet, actor, Action.RULE),
        may_manage_game=sheet.club_id is None and _may(sheet, actor, Action.MANAGE_GAME),
    )


def _may(sheet: Scoresheet, actor: Actor, action: Action) -> bool:
    return may(actor, action, club_id=sheet.club_id, scoresheet_id=sheet.pk, owner_id=sheet.owner_id)


def side_totals(sheet: Scoresheet, side: str, pair: PairRef) -> SideTotals:
    """Return the totals of one side."""
    return SideTotals(
        pair=pair,
        courts=getattr(sheet, f"courts_{side}"),
        deals_won=getattr(sheet, f"deals_{side}"),
        bavneys=getattr(sheet, f"bavneys_{side}"),
        goon_courts=getattr(sheet, f"goon_courts_{side}"),
        revokes=getattr(sheet, f"revokes_{side}"),
        run=getattr(sheet, f"runs_{side}"),
    )


def leader(courts_ns: int, courts_ew: int) -> str:
    """Return ``NS``, ``EW`` or, for equal courts, an empty text (law 13.2)."""
    if courts_ns == courts_ew:
        return ""
    return "NS" if courts_ns > courts_ew else "EW"


def deal_line(deal: Deal, *, cards_from: datetime | None = None) -> DealLine:
    """Return the deal as the ledger shows it; without what tells of its cards where these are held back until then."""
    line = DealLine(
        uid=deal.uid,
        number=deal.number,
        dealer=deal.dealer,
        caller=Seat[deal.dealer].right.letter,
        trump=deal.trump,
        trump_method=deal.trump_method,
        level=deal.level,
        winner=deal.winner,
        award=deal.award,
        tricks_ns=deal.tricks_ns,
        tricks_ew=deal.tricks_ew,
        courts_ns=deal.courts_ns,
        courts_ew=deal.courts_ew,
        run_courts_ns=deal.run_courts_ns,
        run_courts_ew=deal.run_courts_ew,
        total_ns=deal.match_courts_ns,
        total_ew=deal.match_courts_ew,
        run_ns=deal.match_runs_ns,
        run_ew=deal.match_runs_ew,
        kind=deal.kind,
        revision=deal.revision,
        is_ruled=deal.is_ruled,
        counts=deal.counts,
        problems=shown_problems(deal.problems),
    )
    if cards_from is None:
        return line
    return replace(line, trump="", trump_method="", level=SHOWN_LEVEL, problems=(), cards_from=cards_from)
