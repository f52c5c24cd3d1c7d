"""The order of a tournament's entries, with the reason for every rank."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.domain.results import Bye, Entrant, Exact, MatchResult, Scheme, Tally, TiebreakCode, tally_up
from scoring.domain.tiebreaks import Tiebreak, TiedSet, grouped, tiebreak
from scoring.domain.workings import SessionLine, Working


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An entry's line in the standings."""

    position: int
    """From 1, never shared: equals are listed by their entry number, which says nothing about their rank."""
    rank: int
    """1 is best. Entries equal on everything share a rank, and the next ones are skipped: 1, 2, 2, 4."""
    tied: bool
    """Whether the rank is shared."""
    tally: Tally
    workings: tuple[Working, ...]
    """One for each of the scheme's tie-breaks, in its order."""
    decided_by: TiebreakCode | None
    """The last tie-break that parted the entry from others of its score; None where none did or had to."""
    level_with: TiedSet
    """The other entries of the same stage and score, whom the tie-breaks were about."""
    sessions: tuple[SessionLine, ...] | None = None
    """In a league: the sessions in which it was there, by number; None elsewhere."""


@dataclass(frozen=True, slots=True)
class _Settled:
    """Entries that nothing is left to part, and what parted them from the others last."""

    entries: TiedSet
    decided_by: TiebreakCode | None
    level: TiedSet


class _Settling:
    """The tie-breaks at work: it remembers the working of each entry that a tie-break was asked about."""

    def __init__(self, tallies: Mapping[int, Tally], scheme: Scheme) -> None:
        self.codes = scheme.tiebreaks
        self.tiebreaks: list[Tiebreak] = [tiebreak(code, tallies, scheme) for code in self.codes]
        self.asked: dict[tuple[int, int], Working] = {}

    def settle(self, level: TiedSet) -> list[_Settled]:
        """Return the entries of one score, best first."""
        pending = [_Settled(level, None, level)]
        for index, code in enumerate(self.codes):
            pending = [part for settled in pending for part in self._parted(settled, index, code)]
        return pending

    def _parted(self, settled: _Settled, index: int, code: TiebreakCode) -> list[_Settled]:
        if len(settled.entries) == 1:
            return [settled]
        separation = self.tiebreaks[index].separate(settled.entries)
        for entry, working in separation.workings.items():
            self.asked[index, entry] = working
        if len(separation.groups) == 1:
            return [settled]
        return [_Settled(group, code, settled.level) for group in separation.groups]

    def workings_of(self, entry: int) -> tuple[Working, ...]:
        """Return one working for each tie-break, of those it was not asked about too."""
        return tuple(
            self.asked.get((index, entry)) or one.working_of(entry)
            for index, one in enumerate(self.tiebreaks)
        )


def rank_entries(
    entrants: Iterable[Entrant],
    matches: Iterable[MatchResult],
    byes: Iterable[Bye] = (),
    *,
    scheme: Scheme,
    session_points: Mapping[int, Exact] | None = None,
) -> tuple[Row, ...]:
    """Return the standings, best first: the same whatever order the arguments come in.

    The higher stage comes first, within it the higher score, then the tie-breaks. ``session_points`` by entry are
    the scores of a league.

    :raises ResultsError: if an entry is there twice, plays against itself, or is named and not there.
    """
    tallies = tally_up(entrants, matches, byes, scheme=scheme, session_points=session_points)
    settling = _Settling(tallies, scheme)
    settled = [
        part
        for stage in grouped(tuple(tallies), lambda entry: tallies[entry].stage)
        for level in grouped(stage, lambda entry: tallies[entry].score)
        for part in settling.settle(level)
    ]
    return _rows(settled, tallies, settling)


def _rows(settled: Iterable[_Settled], tallies: Mapping[int, Tally], settling: _Settling) -> tuple[Row, ...]:
    rows: list[Row] = []
    for part in settled:
        rank = len(rows) + 1
        rows += [
            Row(
                position=rank + place,
                rank=rank,
                tied=len(part.entries) > 1,
                tally=tallies[entry],
                workings=settling.workings_of(entry),
                decided_by=part.decided_by,
                level_with=tuple(other for other in part.level if other != entry),
            )
            for place, entry in enumerate(part.entries)
        ]
    return tuple(rows)
