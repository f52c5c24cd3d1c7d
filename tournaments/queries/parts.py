"""What a tournament is made of: its entries, and its rounds with their matches."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from courtpiece.engine import Team
from scoring import queries as scoring
from scoring.queries import PairRef, SheetResult
from tournaments.domain.standings import MatchCounts, count_matches
from tournaments.models import Entry, Match, MatchState, Round


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLine:
    """An entry."""

    number: int
    pair: PairRef
    state: str
    seed: int | None
    penalty: int
    penalty_reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchLine:
    """A match with what its scoresheet comes to."""

    uid: UUID
    table: str
    state: str
    ns: EntryLine
    ew: EntryLine
    result: SheetResult

    @property
    def winner(self) -> str:
        """``NS``, ``EW``, or empty for a draw and for a match that does not count (law 13.2)."""
        if self.state != MatchState.FINISHED or self.result.courts_ns == self.result.courts_ew:
            return ""
        return (Team.NS if self.result.courts_ns > self.result.courts_ew else Team.EW).name

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
    session: int
    matches: tuple[MatchLine, ...]
    byes: tuple[EntryLine, ...]

    @property
    def open(self) -> int:
        """How many of its matches are still open."""
        return sum(match.state == MatchState.OPEN for match in self.matches)


def entries_of(tournament_id: int) -> dict[int, EntryLine]:
    """Return the tournament's entries by their database id, in the order of their numbers. Two queries."""
    return entry_lines(Entry.objects.filter(tournament=tournament_id).order_by("number"))


def entry_lines(entries: Iterable[Entry]) -> dict[int, EntryLine]:
    """Return the entries by their database id. One query, and that of the entries."""
    rows = list(entries)
    pairs = scoring.partnerships_by_id(row.partnership_id for row in rows)
    return {row.pk: _entry(row, pairs[row.partnership_id]) for row in rows}


def results_of(collection_id: int) -> dict[int, SheetResult]:
    """Return what each scoresheet of the collection comes to, by its database id. One query."""
    return {result.scoresheet_id: result for result in scoring.match_results(collection_id)}


def counts_of(states: Iterable[str]) -> MatchCounts:
    """Return how many matches are in each state."""
    seen = list(states)
    return count_matches(
        seen.count(MatchState.FINISHED), seen.count(MatchState.OPEN), seen.count(MatchState.VOID)
    )


def rounds_of(
    tournament_id: int, entries: Mapping[int, EntryLine], results: Mapping[int, SheetResult]
) -> tuple[RoundLine, ...]:
    """Return the rounds in their order. Three queries."""
    matches: defaultdict[int, list[MatchLine]] = defaultdict(list)
    for match in Match.objects.filter(round__tournament=tournament_id):
        matches[match.round_id].append(match_line(match, entries, results))
    byes: defaultdict[int, list[EntryLine]] = defaultdict(list)
    rows = Round.objects.filter(tournament=tournament_id).order_by("number").select_related("session")
    for round_id, entry_id in rows.filter(byes__isnull=False).values_list("pk", "byes__entry"):
        byes[round_id].append(entries[entry_id])
    return tuple(_round(row, matches[row.pk], byes[row.pk]) for row in rows)


def _entry(row: Entry, pair: PairRef) -> EntryLine:
    return EntryLine(
        number=row.number,
        pair=pair,
        state=row.state,
        seed=row.seed,
        penalty=row.penalty,
        penalty_reason=row.penalty_reason,
    )


def _round(row: Round, matches: Iterable[MatchLine], byes: Iterable[EntryLine]) -> RoundLine:
    return RoundLine(
        uid=row.uid,
        number=row.number,
        label=row.label,
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
    )


def table_key(table: str) -> tuple[int, int, str]:
    """Return what tables are sorted by: those with a number by it, then the others by name."""
    return (0, int(table), "") if table.isascii() and table.isdecimal() else (1, 0, table)


def is_frozen(collection_id: int) -> bool:
    """Return whether a deal was recorded: it freezes the rules, the scoring and the tie-breaks. One query."""
    return any(result.version for result in scoring.match_results(collection_id))
