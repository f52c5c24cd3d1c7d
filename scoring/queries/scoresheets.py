"""The page of a scoresheet."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.urls import reverse

from courtpiece.accounts.permissions import Action, Actor, may
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Seat
from scoring.models import Deal, Partnership, Player, RevisionKind, Scoresheet
from scoring.queries.holding import SHOWN_LEVEL, Reader, held_deals
from scoring.queries.refs import (
    CollectionRef,
    PairRef,
    PersonRef,
    ShownProblem,
    collection_of,
    person,
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


@dataclass(frozen=True, slots=True, kw_only=True)
class DealLine:
    """A deal as the ledger shows it."""

    uid: UUID
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
    def address(self) -> str:
        """Where the deal's page is."""
        return reverse("scoring:deal", args=[self.uid])


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetHeader:
    """What every page about a scoresheet says of it."""

    uid: UUID
    club_name: str
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
    deals = sheet.deals.order_by("number")
    held = held_deals(Reader(actor, now), deals)
    return ScoresheetPage(
        header=header_of(sheet, actor),
        ns=_side(sheet, "ns", (sheet.north, sheet.south)),
        ew=_side(sheet, "ew", (sheet.east, sheet.west)),
        winner=leader(sheet.courts_ns, sheet.courts_ew),
        next_dealer=sheet.next_dealer,
        deals_count=sheet.deals_count,
        deals=tuple(deal_line(deal, cards_from=held.get(deal.pk)) for deal in deals),
    )


def _side(sheet: Scoresheet, side: str, seated: tuple[Player, Player]) -> SideTotals:
    """Return one side under its pair's own names, North or East first, with who sat in for whom."""
    pair: Partnership = getattr(sheet, side)
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
        club_name=sheet.club.name,
        club_slug=sheet.club.slug,
        club_timezone=sheet.club.timezone,
        collection=collection_of(sheet),
        rules=sheet.rules,
        event=sheet.event,
        site=sheet.site,
        date=sheet.date,
        round=sheet.round,
        table=sheet.table,
        visibility=sheet.visibility,
        version=sheet.version,
        north=person(sheet.north),
        east=person(sheet.east),
        south=person(sheet.south),
        west=person(sheet.west),
        may_record=not is_locked
        and may(actor, Action.RECORD_DEAL, club_id=sheet.club_id, scoresheet_id=sheet.pk),
        may_correct=not is_locked and may(actor, Action.CORRECT_DEAL, club_id=sheet.club_id),
        may_rule=not is_locked and may(actor, Action.RULE, club_id=sheet.club_id),
    )


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
