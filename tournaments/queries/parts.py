"""What a tournament is made of: its entries, and its rounds with their matches."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from django.db.models import QuerySet

from courtpiece.engine import Team
from scoring import queries as scoring
from scoring.queries import PairRef, SheetResult
from tournaments.domain.match_courts import courts_that_count, leader_of
from tournaments.domain.standings import MatchCounts, count_matches
from tournaments.models import ACCEPTED, Bye, Entry, EntryState, Forfeit, Match, MatchState, Round
from tournaments.queries.substitutes import SubstituteLine, substitutes_of


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """An entry."""

    number: int
    pair: PairRef
    state: str
    seed: int | None
    penalty: int
    penalty_reason: str
    group: int | None = None
    joined_round: int = 1
    withdrawn_after: int | None = None

    @property
    def is_active(self) -> bool:
        """Whether it still plays."""
        return self.state == EntryState.ACTIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeLine:
    """An entry without a match in a round, and why."""

    entry: EntryLine
    kind: str
    drawn: Mapping[str, object]
    """Why the draw gave it: empty where nothing was drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """A match with what its scoresheet comes to."""

    uid: UUID
    table: str
    state: str
    ns: EntryLine
    ew: EntryLine
    result: SheetResult
    name: str
    """What the format calls it, as a key of ``domain.labels``; mostly empty."""
    first_dealer: str
    """The seat's letter; empty where none was drawn."""
    drawn: Mapping[str, object]
    """Why the two meet: empty where nothing was drawn."""
    forfeit: str
    """Who gave it away without playing: ``NS``, ``EW``, ``both``, or empty."""
    adjusted: tuple[int, int] | None
    """The courts that a ruling put in place of the scoresheet's, North-South first."""
    version: int
    substitutes: tuple[SubstituteLine, ...] = ()
    """Who sat in for whom; read for the matches of :func:`round_lines` only."""
    footnotes: tuple[int, ...] = ()
    """The numbers of the rulings about it and its deals, on the pages that show them."""

    @property
    def courts(self) -> tuple[int, int]:
        """The courts that count, North-South first."""
        return courts_that_count(
            (self.result.courts_ns, self.result.courts_ew), self.adjusted or (None, None)
        )

    @property
    def winner(self) -> str:
        """``NS``, ``EW``, or empty for a draw and for a match that does not count (law 13.2)."""
        if self.state != MatchState.FINISHED:
            return ""
        if self.forfeit:
            return {Forfeit.NS: Team.EW.name, Forfeit.EW: Team.NS.name}.get(Forfeit(self.forfeit), "")
        leader = leader_of(self.courts)
        return "" if leader is None else leader.name

    @property
    def is_finished(self) -> bool:
        """Whether the match counts."""
        return self.state == MatchState.FINISHED


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLine:
    """A round with its matches by table, and who had no opponent."""

    uid: UUID
    number: int
    label: str
    name: str
    """What the format calls it, as a key of ``domain.labels``; empty where it has only a number."""
    state: str
    session: int
    matches: tuple[MatchLine, ...]
    byes: tuple[ByeLine, ...]

    @property
    def open(self) -> int:
        """How many of its matches are still open."""
        return sum(match.state == MatchState.OPEN for match in self.matches)


def entries_of(tournament_id: int) -> dict[int, EntryLine]:
    """Return the tournament's entries by their database id, in the order of their numbers. Two queries.

    Who only asked to play is not among them.
    """
    return entry_lines(Entry.objects.filter(tournament=tournament_id, state__in=ACCEPTED).order_by("number"))


def entry_lines(entries: QuerySet[Entry]) -> dict[int, EntryLine]:
    """Return the entries by their database id. Two queries."""
    rows = list(entries.values("pk", "partnership_id", *_ENTRY_COLUMNS))
    pairs = scoring.partnerships_by_id(row["partnership_id"] for row in rows)
    return {
        row["pk"]: EntryLine(
            pair=pairs[row["partnership_id"]], **{name: row[name] for name in _ENTRY_COLUMNS}
        )
        for row in rows
    }


_ENTRY_COLUMNS: Final = (
    "number",
    "state",
    "seed",
    "penalty",
    "penalty_reason",
    "group",
    "joined_round",
    "withdrawn_after",
)


def results_of(collection_id: int) -> dict[int, SheetResult]:
    """Return what each scoresheet of the collection comes to, by its database id. One query."""
    return {result.scoresheet_id: result for result in scoring.match_results(collection_id)}


def counts_of(states: Iterable[str]) -> MatchCounts:
    """Return how many matches are in each state."""
    seen = list(states)
    return count_matches(
        seen.count(MatchState.FINISHED), seen.count(MatchState.OPEN), seen.count(MatchState.VOID)
    )


def round_lines(round_ids: Collection[int], entries: Mapping[int, EntryLine]) -> tuple[RoundLine, ...]:
    """Return these rounds in their order. Six queries."""
    rows = list(Match.objects.filter(round__in=round_ids))
    found = scoring.sheet_results(row.scoresheet_id for row in rows)
    results = {result.scoresheet_id: result for result in found}
    substitutes = substitutes_of(row.pk for row in rows)
    matches: defaultdict[int, list[MatchLine]] = defaultdict(list)
    for match in rows:
        line = match_line(match, entries, results)
        sat_in = substitutes.get(match.pk, ())
        matches[match.round_id].append(replace(line, substitutes=sat_in) if sat_in else line)
    byes: defaultdict[int, list[ByeLine]] = defaultdict(list)
    for bye in Bye.objects.filter(round__in=round_ids).order_by("entry__number"):
        byes[bye.round_id].append(ByeLine(entry=entries[bye.entry_id], kind=bye.kind, drawn=bye.drawn))
    rounds = Round.objects.filter(pk__in=round_ids).order_by("number").select_related("session")
    return tuple(_round(row, matches[row.pk], byes[row.pk]) for row in rounds)


def matches_of_sheets(
    scoresheet_ids: Collection[int], entries: Mapping[int, EntryLine]
) -> dict[int, tuple[int, MatchLine]]:
    """Return the number of the round and the match of each scoresheet, by its id. Two queries."""
    rows = Match.objects.filter(scoresheet__in=scoresheet_ids).select_related("round")
    results = {result.scoresheet_id: result for result in scoring.sheet_results(scoresheet_ids)}
    return {row.scoresheet_id: (row.round.number, match_line(row, entries, results)) for row in rows}


def rounds_of(
    tournament_id: int, entries: Mapping[int, EntryLine], results: Mapping[int, SheetResult]
) -> tuple[RoundLine, ...]:
    """Return all rounds in their order. Three queries."""
    matches: defaultdict[int, list[MatchLine]] = defaultdict(list)
    for match in Match.objects.filter(round__tournament=tournament_id):
        matches[match.round_id].append(match_line(match, entries, results))
    byes: defaultdict[int, list[ByeLine]] = defaultdict(list)
    for bye in Bye.objects.filter(round__tournament=tournament_id).order_by("entry__number"):
        byes[bye.round_id].append(ByeLine(entry=entries[bye.entry_id], kind=bye.kind, drawn=bye.drawn))
    rows = Round.objects.filter(tournament=tournament_id).order_by("number").select_related("session")
    return tuple(_round(row, matches[row.pk], byes[row.pk]) for row in rows)


def _round(row: Round, matches: Iterable[MatchLine], byes: Iterable[ByeLine]) -> RoundLine:
    return RoundLine(
        uid=row.uid,
        number=row.number,
        label=row.label,
        name=row.name,
        state=row.state,
        session=row.session.number,
        matches=tuple(sorted(matches, key=lambda match: table_key(match.table))),
        byes=tuple(byes),
    )


def match_line(row: Match, entries: Mapping[int, EntryLine], results: Mapping[int, SheetResult]) -> MatchLine:
    """Return the match, given its entries and what its scoresheet comes to by their database ids."""
    return MatchLine(
        uid=row.uid,
        table=row.table,
        state=row.state,
        ns=entries[row.ns_id],
        ew=entries[row.ew_id],
        result=results[row.scoresheet_id],
        name=row.name,
        first_dealer=row.first_dealer,
        drawn=row.drawn,
        forfeit=row.forfeit,
        adjusted=None
        if row.adjusted_ns is None or row.adjusted_ew is None
        else (row.adjusted_ns, row.adjusted_ew),
        version=row.version,
    )


def table_key(table: str) -> tuple[int, int, str]:
    """Return what tables are sorted by: those with a number by it, then the others by name."""
    return (0, int(table), "") if table.isascii() and table.isdecimal() else (1, 0, table)


def is_frozen(collection_id: int) -> bool:
    """Return whether a deal was recorded: it freezes the rules, the scoring and the tie-breaks. One query."""
    return scoring.has_deals(collection_id)
