"""Everything that reads players, partnerships, scoresheets and deals. What is returned is loaded and cannot query again."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import BooleanField, Count, ExpressionWrapper, F, Model, Q, QuerySet, Sum

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
from scoring.models import Deal, Partnership, Player, Scoresheet

T = TypeVar("T")
M = TypeVar("M", bound=Model)
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
    """``won`` or ``lost``."""
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
    version: int
    """Counts the writes to it; 0 before the first."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialDeal:
    """A deal that a list of a tournament's deals is worth making for."""

    uid: UUID
    scoresheet_id: int
    number: int
    award: str
    winner: str
    courts_ns: int
    """Those of a run are not in it."""
    courts_ew: int
    level: str
    is_ruled: bool
    revision: int
    """More than 1: it was corrected, ruled or set aside."""
    problem_codes: tuple[str, ...]


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
    if actor.user_id is not None and may(actor, action, visibility=Visibility.PRIVATE, is_participant=True):
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
    return frozenset(ids.distinct())


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
    rows = sheets.values(
        "pk", "uid", "version", "ns_id", "ew_id", "deals_count", "problem_deals", *_RESULT_COLUMNS
    )
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


def special_deals(collection_id: int) -> tuple[SpecialDeal, ...]:
    """Return the collection's deals with an award above ``win``, a ruling, a correction or a problem. One query.

    In the order of the scoresheets and their deals. Void ones are there too: not all of them count.
    """
    special = ~Q(award="win") | Q(revision__gt=1) | Q(is_ruled=True) | ~Q(problems=[])
    columns = [name for name in SpecialDeal.__slots__ if name != "problem_codes"]
    rows = Deal.objects.filter(special, scoresheet__collection=collection_id)
    return tuple(
        SpecialDeal(
            problem_codes=tuple(problem["code"] for problem in row.pop("problems")),
            **row,
        )
        for row in rows.order_by("scoresheet", "number").values(*columns, "problems")
    )


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
    return frozenset(user for pair in pairs for user in pair) - {None}


def _person(player: Player) -> PersonRef:
    return PersonRef(player.uid, player.name)


# -- pages


def scoresheet_page(uid: UUID, *, actor: Actor) -> ScoresheetPage:
    """Return the scoresheet with its ledger. Two queries, one more for a user who reads one that is not public.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not see it.
    """
    sheet = _sheet(uid)
    _require_sight(actor, sheet)
    deals = Deal.objects.filter(scoresheet=sheet.pk).order_by("number")
    return ScoresheetPage(
        header=_header(sheet, actor),
        ns=_side(sheet, "ns", PairRef(sheet.ns.uid, (_person(sheet.north), _person(sheet.south)))),
        ew=_side(sheet, "ew", PairRef(sheet.ew.uid, (_person(sheet.east), _person(sheet.west)))),
        winner=_leader(sheet.courts_ns, sheet.courts_ew),
        next_dealer=sheet.next_dealer,
        deals_count=sheet.deals_count,
        deals=tuple(_deal_line(deal) for deal in deals),
    )


_SHEET_TREE: Final = ("club", "collection", "ns", "ew", "north", "south", "east", "west")


def _sheet(uid: UUID) -> Scoresheet:
    sheet = Scoresheet.objects.select_related(*_SHEET_TREE).filter(uid=uid).first()
    if sheet is None:
        raise NotFound
    return sheet


def _header(sheet: Scoresheet, actor: Actor) -> SheetHeader:
    return SheetHeader(
        uid=sheet.uid,
        club_name=sheet.club.name,
        club_slug=sheet.club.slug,
        collection=_collection(sheet),
        rules=sheet.rules,
        event=sheet.event,
        site=sheet.site,
        date=sheet.date,
        round=sheet.round,
        table=sheet.table,
        visibility=sheet.visibility,
        version=sheet.version,
        north=_person(sheet.north),
        east=_person(sheet.east),
        south=_person(sheet.south),
        west=_person(sheet.west),
        may_record=may(actor, Action.RECORD_DEAL, club_id=sheet.club_id),
        may_correct=may(actor, Action.CORRECT_DEAL, club_id=sheet.club_id),
        may_rule=may(actor, Action.RULE, club_id=sheet.club_id),
    )


def _collection(sheet: Scoresheet) -> CollectionRef | None:
    if sheet.collection is None or not sheet.collection.path:
        return None
    return CollectionRef(sheet.collection.name, sheet.collection.path)


def _side(sheet: Scoresheet, side: str, pair: PairRef) -> SideTotals:
    return SideTotals(
        pair=pair,
        courts=getattr(sheet, f"courts_{side}"),
        deals_won=getattr(sheet, f"deals_{side}"),
        bavneys=getattr(sheet, f"bavneys_{side}"),
        goon_courts=getattr(sheet, f"goon_courts_{side}"),
        revokes=getattr(sheet, f"revokes_{side}"),
        run=getattr(sheet, f"runs_{side}"),
    )


def _leader(courts_ns: int, courts_ew: int) -> str:
    if courts_ns == courts_ew:
        return ""
    return "NS" if courts_ns > courts_ew else "EW"


def _deal_line(deal: Deal) -> DealLine:
    return DealLine(
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
        problems=_problems(deal.problems),
    )


def _problems(stored: Sequence[Mapping[str, Any]]) -> tuple[ShownProblem, ...]:
    return tuple(
        ShownProblem(
            code=problem["code"],
            severity=problem["severity"],
            kind=problem["kind"],
            line=problem["line"],
            column=problem["column"],
            message=problem["message"],
        )
        for problem in stored
    )


# -- pages of people


def player_page(uid: UUID, *, actor: Actor, page: int = 1, show: str = "matches") -> PlayerPage:
    """Return the player with a page of the matches, or with ``show="deals"`` of the deals. Five queries.

    Only what the actor finds in lists is counted, and a player of whom nothing is found does not exist for somebody who may
    not see the club's members.

    :raises NotFound: if there is none.
    """
    player = Player.objects.select_related("club").filter(uid=uid).first()
    if player is None:
        raise NotFound
    whose = _Whose(ns=Q(north=player) | Q(south=player), ew=Q(east=player) | Q(west=player))
    sheets = whose.sheets(actor)
    encounters = _encounters(sheets)
    _require_person(actor, player.club_id, encounters, {player.user_id})
    names = partnerships_by_id(pk for met in encounters for pk in (met.mine, met.theirs))
    return PlayerPage(
        uid=player.uid,
        name=player.name,
        club_name=player.club.name,
        club_slug=player.club.slug,
        tally=_sum(met.tally for met in encounters),
        partners=_by_pair(((met.mine, met.tally) for met in encounters), names),
        opponents=_by_pair(((met.theirs, met.tally) for met in encounters), names)[:OPPONENTS_SHOWN],
        matches=None if show == "deals" else _matches(sheets, page),
        deals=_played_deals(sheets, page) if show == "deals" else None,
    )


def partnership_page(uid: UUID, *, actor: Actor, page: int = 1, show: str = "matches") -> PartnershipPage:
    """Return the partnership with a page of its matches, or with ``show="deals"`` of its deals. Five queries.

    Only what the actor finds in lists is counted, as of a player.

    :raises NotFound: if there is none.
    """
    pair = Partnership.objects.select_related("club", "first", "second").filter(uid=uid).first()
    if pair is None:
        raise NotFound
    sheets = _Whose(ns=Q(ns=pair), ew=Q(ew=pair)).sheets(actor)
    encounters = _encounters(sheets)
    _require_person(actor, pair.club_id, encounters, {pair.first.user_id, pair.second.user_id})
    names = partnerships_by_id(met.theirs for met in encounters)
    return PartnershipPage(
        pair=PairRef(pair.uid, (_person(pair.first), _person(pair.second))),
        club_name=pair.club.name,
        club_slug=pair.club.slug,
        tally=_sum(met.tally for met in encounters),
        opponents=_by_pair(((met.theirs, met.tally) for met in encounters), names),
        matches=None if show == "deals" else _matches(sheets, page),
        deals=_played_deals(sheets, page) if show == "deals" else None,
    )


OPPONENTS_SHOWN: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class _Whose:
    """Whose matches: those in which they sat North and South, and those in which they sat East and West."""

    ns: Q
    ew: Q

    def sheets(self, actor: Actor) -> QuerySet[Scoresheet]:
        """Return what the actor finds in lists of the matches with a deal that counts."""
        sheets = visible_scoresheets(actor).filter(self.ns | self.ew, deals_count__gt=0)
        return sheets.annotate(is_ns=ExpressionWrapper(self.ns, BooleanField()))


@dataclass(frozen=True, slots=True)
class _Encounter:
    """All matches of one partnership against another, by ids."""

    mine: int
    theirs: int
    tally: Tally


def _encounters(sheets: QuerySet[Scoresheet]) -> tuple[_Encounter, ...]:
    """Return the matches by partnerships. One query, a row for each two that met."""
    rows = sheets.values("is_ns", "ns_id", "ew_id").annotate(
        matches=Count("pk"),
        ahead_ns=Count("pk", filter=Q(courts_ns__gt=F("courts_ew"))),
        ahead_ew=Count("pk", filter=Q(courts_ew__gt=F("courts_ns"))),
        **{f"sum_{name}": Sum(name) for name in _RESULT_COLUMNS},
    )
    return tuple(_encounter(row) for row in rows.order_by())


def _encounter(row: Mapping[str, Any]) -> _Encounter:
    mine, theirs = ("ns", "ew") if row["is_ns"] else ("ew", "ns")
    won, lost = row[f"ahead_{mine}"], row[f"ahead_{theirs}"]
    tally = Tally(
        matches=row["matches"],
        won=won,
        drawn=row["matches"] - won - lost,
        lost=lost,
        courts_for=row[f"sum_courts_{mine}"],
        courts_against=row[f"sum_courts_{theirs}"],
        deals_won=row[f"sum_deals_{mine}"],
        deals_lost=row[f"sum_deals_{theirs}"],
        bavneys=row[f"sum_bavneys_{mine}"],
        goon_courts=row[f"sum_goon_courts_{mine}"],
        revokes=row[f"sum_revokes_{mine}"],
    )
    return _Encounter(row[f"{mine}_id"], row[f"{theirs}_id"], tally)


def _sum(tallies: Iterable[Tally]) -> Tally:
    return sum(tallies, Tally())


def _by_pair(tallies: Iterable[tuple[int, Tally]], names: Mapping[int, PairRef]) -> tuple[PairTally, ...]:
    """Return the sums by partnership, those with most matches first, equals by name."""
    sums: defaultdict[int, Tally] = defaultdict(Tally)
    for pair_id, tally in tallies:
        sums[pair_id] += tally
    lines = (PairTally(names[pair_id], tally) for pair_id, tally in sums.items())
    return tuple(sorted(lines, key=lambda line: (-line.tally.matches, line.pair.name)))


def _require_person(
    actor: Actor, club_id: int, encounters: Sequence[_Encounter], user_ids: Collection[int | None]
) -> None:
    """Do nothing if something of the person is found, or the actor may know who is in the club, or is the person.

    :raises NotFound: otherwise.
    """
    is_self = actor.user_id is not None and actor.user_id in user_ids
    if not (encounters or is_self or may(actor, Action.VIEW_MEMBERS, club_id=club_id)):
        raise NotFound


def _page_of(rows: QuerySet[M], page: int, line: Callable[[M], T]) -> PageOf[T]:
    """Return one page of the rows as lines; a number past the end gives the last page. Two queries."""
    found = Paginator(rows, PAGE_LENGTH).get_page(page)
    return PageOf(
        items=tuple(line(row) for row in found.object_list),
        number=found.number,
        num_pages=found.paginator.num_pages,
        count=found.paginator.count,
    )


_PEOPLE: Final = ("ns", "ew", "north", "south", "east", "west")


def _matches(sheets: QuerySet[Scoresheet], page: int) -> PageOf[MatchLine]:
    rows = sheets.select_related("collection", *_PEOPLE).order_by("-date", "-pk")
    return _page_of(rows, page, _match_line)


def _played_deals(sheets: QuerySet[Scoresheet], page: int) -> PageOf[PlayedDealLine]:
    rows = counting_deals().filter(scoresheet__in=sheets.values("pk"))
    people = rows.select_related("scoresheet", *(f"scoresheet__{name}" for name in _PEOPLE))
    found = _page_of(people.order_by("-scoresheet__date", "-scoresheet", "-number"), page, _itself)
    ids = {deal.scoresheet_id for deal in found.items}
    is_ns = dict(sheets.filter(pk__in=ids).values_list("pk", "is_ns"))
    lines = tuple(_played_deal_line(deal, is_ns=is_ns[deal.scoresheet_id]) for deal in found.items)
    return PageOf(items=lines, number=found.number, num_pages=found.num_pages, count=found.count)


def _itself(deal: Deal) -> Deal:
    return deal


def _sides(sheet: Scoresheet, *, is_ns: bool) -> tuple[PairRef, PairRef]:
    ns = PairRef(sheet.ns.uid, (_person(sheet.north), _person(sheet.south)))
    ew = PairRef(sheet.ew.uid, (_person(sheet.east), _person(sheet.west)))
    return (ns, ew) if is_ns else (ew, ns)


def _match_line(sheet: Any) -> MatchLine:
    mine, theirs = _sides(sheet, is_ns=sheet.is_ns)
    side, other = ("ns", "ew") if sheet.is_ns else ("ew", "ns")
    courts_for, courts_against = getattr(sheet, f"courts_{side}"), getattr(sheet, f"courts_{other}")
    return MatchLine(
        uid=sheet.uid,
        collection=_collection(sheet),
        event=sheet.event,
        date=sheet.date,
        round=sheet.round,
        table=sheet.table,
        rules=sheet.rules,
        mine=mine,
        theirs=theirs,
        courts_for=courts_for,
        courts_against=courts_against,
        deals_won=getattr(sheet, f"deals_{side}"),
        deals_lost=getattr(sheet, f"deals_{other}"),
        result="drawn" if courts_for == courts_against else "won" if courts_for > courts_against else "lost",
    )


def _played_deal_line(deal: Deal, *, is_ns: bool) -> PlayedDealLine:
    mine, theirs = _sides(deal.scoresheet, is_ns=is_ns)
    side, other = ("ns", "ew") if is_ns else ("ew", "ns")
    return PlayedDealLine(
        uid=deal.uid,
        number=deal.number,
        event=deal.scoresheet.event,
        date=deal.scoresheet.date,
        mine=mine,
        theirs=theirs,
        award=deal.award,
        result="won" if deal.winner == side.upper() else "lost",
        tricks_for=getattr(deal, f"tricks_{side}"),
        tricks_against=getattr(deal, f"tricks_{other}"),
        courts_for=getattr(deal, f"courts_{side}") + getattr(deal, f"run_courts_{side}"),
        courts_against=getattr(deal, f"courts_{other}") + getattr(deal, f"run_courts_{other}"),
    )
