"""Which results count after entries have left a tournament where everybody meets everybody."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from scoring.domain.results import Bye, Entrant, MatchResult

REMOVED_STAGE: Final = -1
"""Below the stages of a format, which count from 0, and above that of who was thrown out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingResults:
    """What the standings are to be made from: the arguments of ``rank_entries``."""

    entrants: tuple[Entrant, ...]
    """All of them; those whose results were removed a stage below 0, so that they stand behind the others."""
    matches: tuple[MatchResult, ...]
    byes: tuple[Bye, ...]
    removed: tuple[int, ...]
    """Whose results do not count, ascending. The record keeps them."""


def counting_results(
    entrants: Iterable[Entrant],
    matches: Iterable[MatchResult],
    byes: Iterable[Bye] = (),
    *,
    scheduled: Mapping[int, int],
) -> CountingResults:
    """Return the results that count (FIDE's General Regulations for Competitions, 6.6).

    An entry that withdrew and had played under half of the matches that ``scheduled`` names for it counts for
    nobody: not what it played, nor what was given away by it or to it. Half of them is enough to count. A match given
    away is not one played. An entry that ``scheduled`` does not name keeps its results, so that an empty mapping is
    right for a format that removes nothing.
    """
    entered, played, off = tuple(entrants), tuple(matches), tuple(byes)
    removed = {
        entrant.number
        for entrant in entered
        if entrant.withdrawn and 2 * _played(entrant.number, played) < scheduled.get(entrant.number, 0)
    }
    return CountingResults(
        entrants=tuple(
            replace(entrant, stage=min(entrant.stage, REMOVED_STAGE))
            if entrant.number in removed
            else entrant
            for entrant in entered
        ),
        matches=tuple(one for one in played if removed.isdisjoint(side.entry for side in one.sides)),
        byes=tuple(bye for bye in off if removed.isdisjoint({bye.entry, bye.opponent})),
        removed=tuple(sorted(removed)),
    )


def _played(entry: int, matches: tuple[MatchResult, ...]) -> int:
    return sum(entry in (one.sides[0].entry, one.sides[1].entry) for one in matches)
