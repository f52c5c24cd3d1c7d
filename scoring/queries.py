"""Everything that reads players, partnerships, scoresheets and deals. What is returned is loaded and cannot query again."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Count, F, Q, QuerySet, Sum
from django.db.models.expressions import Combinable

from courtpiece.accounts.permissions import (
    ANONYMOUS,
    Action,
    Actor,
    Visibility,
    clubs_where,
    may,
    require,
)
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Seat
from scoring import models
from scoring.models import Deal, Partnership, Player, Revision, Scoresheet

T = TypeVar("T")
PAGE_LENGTH: Final = 25
"""Lines on a page of a list."""


# -- values


@dataclass(frozen=True, slots=True)
class PersonRef:
    """A player, to be named and linked."""

    uid: UUID
    name: str


@dataclass(frozen=True, slots=True)
class PairRef:
    """A partnership, to be named and linked: the players in the order they were named, N or E first."""

    uid: UUID
    players: tuple[PersonRef, PersonRef]

    @property
    def name(self) -> str:
        """``First & Second``."""
        return f"{self.players[0].name} & {self.players[1].name}"


@dataclass(frozen=True, slots=True)
class CollectionRef:
    """What scoresheets are counted together in, to be named and linked."""

    name: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOf(Generic[T]):
    """A page of a list. ``number`` counts from 1; an empty list has one page."""

    items: tuple[T, ...]
    number: int
    num_pages: int
    count: int

    @property
    def has_previous(self) -> bool:
        """Whether a page comes before."""
        return self.number > 1

    @property
    def has_next(self) -> bool:
        """Whether a page follows."""
        return self.number < self.num_pages

    @property
    def has_other_pages(self) -> bool:
        """Whether this is not all."""
        return self.num_pages > 1

    @property
    def previous_page_number(self) -> int:
        """The number of the page before."""
        return self.number - 1

    @property
    def next_page_number(self) -> int:
        """The number of the page that follows."""
        return self.number + 1

    @property
    def paginator(self) -> "PageOf[T]":
        """The page itself, which knows what the component asks a paginator for."""
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownProblem:
    """A problem of a record as pages show it. ``line`` is 0 where it has no place in a text."""

    code: str
    severity: str
    kind: str
    line: int
    column: int
    message: str


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

    @property
    def is_corrected(self) -> bool:
        """Whether this is not the deal as it was first recorded."""
        return self.revision > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetHeader:
    """What every page about a scoresheet says of it."""

    uid: UUID
    club_name: str
    club_slug: str
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What somebody did in a number of matches."""

    matches: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    courts_for: int = 0
    courts_against: int = 0
    deals_won: int = 0
    deals_lost: int = 0
    bavneys: int = 0
    goon_courts: int = 0
    revokes: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(**{name: getattr(self, name) + getattr(other, name) for name in _TALLY_FIELDS})


_TALLY_FIELDS: Final = tuple(Tally.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class PairTally:
    """What was done with, or against, a partnership."""

    pair: PairRef
    tally: Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """A match as a list of somebody's matches shows it: ``mine`` is the side of whose list it is."""

    uid: UUID
    collection: CollectionRef | None
    event: str
    date: str
    round: str
    table: str
    rules: str
    mine: PairRef
    theirs: PairRef
    courts_for: int
    courts_against: int
    deals_won: int
    deals_lost: int
    result: str
    """``won``, ``drawn`` or ``lost``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedDealLine:
    """A deal as a list of somebody's deals shows it, seen from their side."""

    uid: UUID
    number: int
    event: str
    date: str
    mine: PairRef
    theirs: PairRef
    award: str
    result: str
    """``won``, ``lost`` or ``void``."""
    tricks_for: int
    tricks_against: int
    courts_for: int
    courts_against: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage:
    """A player: what was played, with whom, against whom, with what success."""

    uid: UUID
    name: str
    club_name: str
    club_slug: str
    tally: Tally
    partners: tuple[PairTally, ...]
    opponents: tuple[PairTally, ...]
    """The ten met most often."""
    matches: PageOf[MatchLine] | None
    deals: PageOf[PlayedDealLine] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PartnershipPage:
    """A partnership: what it played, against whom, with what success."""

    pair: PairRef
    club_name: str
    club_slug: str
    tally: Tally
    opponents: tuple[PairTally, ...]
    matches: PageOf[MatchLine] | None
    deals: PageOf[PlayedDealLine] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetResult:
    """What one scoresheet comes to, by database ids: what standings are made of."""

    scoresheet_id: int
    uid: UUID
    ns_id: int
    """A partnership's."""
    ew_id: int
    deals: int
    """Deals that count."""
    courts_ns: int
    courts_ew: int
    deals_ns: int
    """Deals won."""
    deals_ew: int
    bavneys_ns: int
    bavneys_ew: int
    goon_courts_ns: int
    goon_courts_ew: int
    revokes_ns: int
    """The side's own established revokes."""
    revokes_ew: int
    problems: int
    """Deals with a problem that stands."""


# -- which deals count, and who may see them


def counting_deals() -> QuerySet[Deal]:
    """Return the deals that count: for results, standings, pages, exports and statistics alike.

    They are those somebody won, at their current revision. ``ledgers.counts`` decides it when a deal is written.
    """
    return Deal.objects.filter(counts=True)


def visible_scoresheets(actor: Actor, action: Action = Action.LIST_TOURNAMENT) -> QuerySet[Scoresheet]:
    """Return the scoresheets that ``actor`` may see: in a list, or with another action, by their address."""
    clubs = clubs_where(actor, action)
    if clubs is None:
        return Scoresheet.objects.all()
    for_all = [value for value in Visibility if may(ANONYMOUS, action, visibility=value)]
    seen = Q(visibility__in=for_all) | Q(club__in=clubs)
    if actor.user_id is not None and may(
        actor, action, visibility=Visibility.PRIVATE, is_participant=True
    ):
        own = scoresheets_of_user(actor.user_id)
        seen |= Q(pk__in=own.values("pk")) | Q(collection__in=own.values("collection"))
    return Scoresheet.objects.filter(seen)


def scoresheets_of_user(user_id: int) -> QuerySet[Scoresheet]:
    """Return the scoresheets of matches that the user sat at."""
    players = Player.objects.filter(user_id=user_id)
    return Scoresheet.objects.filter(_seated(players))


def _seated(players: QuerySet[Player] | Collection[int]) -> Q:
    return Q(north__in=players) | Q(south__in=players) | Q(east__in=players) | Q(west__in=players)


def collections_of_user(user_id: int) -> frozenset[int]:
    """Return the ids of the collections in which the user played. One query."""
    ids = scoresheets_of_user(user_id).exclude(collection=None).values_list("collection_id", flat=True)
    return frozenset(pk for pk in ids.distinct() if pk is not None)


def _participates(actor: Actor, sheet: Scoresheet) -> bool:
    """Return whether the actor's user sat at the match or another of its collection. One query at most."""
    if actor.user_id is None or sheet.visibility == Visibility.PUBLIC:
        return False
    own = scoresheets_of_user(actor.user_id)
    together = Q(pk=sheet.pk)
    if sheet.collection_id is not None:
        together |= Q(collection=sheet.collection_id)
    return own.filter(together).exists()


def _require_sight(actor: Actor, sheet: Scoresheet) -> None:
    require(
        actor,
        Action.VIEW_TOURNAMENT,
        club_id=sheet.club_id,
        visibility=sheet.visibility,
        is_participant=_participates(actor, sheet),
    )


# -- for tournaments: by ids


def match_results(collection_id: int) -> tuple[SheetResult, ...]:
    """Return what each scoresheet of the collection comes to, in the order they were made. One query.

    A scoresheet without a deal that counts is there too, with zeros.
    """
    sheets = Scoresheet.objects.filter(collection=collection_id).order_by("pk")
    return _results(sheets)


def sheet_results(scoresheet_ids: Iterable[int]) -> tuple[SheetResult, ...]:
    """Return what each of the scoresheets comes to, in the order they were made. One query."""
    return _results(Scoresheet.objects.filter(pk__in=list(scoresheet_ids)).order_by("pk"))


def _results(sheets: QuerySet[Scoresheet]) -> tuple[SheetResult, ...]:
    rows = sheets.values("pk", "uid", "ns_id", "ew_id", "deals_count", "problem_deals", *_RESULT_COLUMNS)
    return tuple(
        SheetResult(
            scoresheet_id=row.pop("pk"),
            deals=row.pop("deals_count"),
            problems=row.pop("problem_deals"),
            **row,
        )
        for row in rows
    )


_RESULT_COLUMNS: Final = tuple(
    f"{what}_{side}"
    for what in ("courts", "deals", "bavneys", "goon_courts", "revokes")
    for side in ("ns", "ew")
)


def collection_versions(collection_ids: Iterable[int]) -> dict[int, int]:
    """Return the version of each collection, by id. One query."""
    rows = models.Collection.objects.filter(pk__in=list(collection_ids))
    return dict(rows.values_list("pk", "version"))


def partnerships_by_id(partnership_ids: Iterable[int]) -> dict[int, PairRef]:
    """Return the partnerships by id, the players in the order they entered the club. One query."""
    rows = Partnership.objects.filter(pk__in=set(partnership_ids)).select_related("first", "second")
    return {row.pk: PairRef(row.uid, (_person(row.first), _person(row.second))) for row in rows}


def scoresheet_uids(scoresheet_ids: Iterable[int]) -> dict[int, UUID]:
    """Return the address of each scoresheet, by id. One query."""
    return dict(Scoresheet.objects.filter(pk__in=list(scoresheet_ids)).values_list("pk", "uid"))


def users_of_partnerships(partnership_ids: Iterable[int]) -> frozenset[int]:
    """Return the ids of the users who are players in any of the partnerships. One query."""
    rows = Partnership.objects.filter(pk__in=list(partnership_ids))
    pairs = rows.values_list("first__user", "second__user")
    return frozenset(user for pair in pairs for user in pair if user is not None)


def _person(player: Player) -> PersonRef:
    return PersonRef(player.uid, player.name)
