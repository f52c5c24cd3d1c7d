"""The tie-breaks over opponents' scores: Buchholz, its median and Sonneborn-Berger, by FIDE C.07 of 2024.

Scores are match points before penalties, whatever the tournament is ranked by: courts have no draw that article 16
could put in the place of a round without a match, and a penalty punishes who got it, not who met them. They are those
after the last round in which anything happened, so that they change until the last one is complete.

In a tournament whose pairings are known from the start there is no Buchholz (article 8), and a match that was given
away is one like the others (15.2); a round off is none at all.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from scoring.domain.results import Encounter, Exact, Scheme, Tally
from scoring.domain.unplayed import VOLUNTARY, Scores, UnplayedRound, scores
from scoring.domain.workings import Cut, Working, WorkingLine

_MEDIAN_CUTS: Final = (Cut.LOWEST, Cut.HIGHEST)


def buchholz(tallies: Mapping[int, Tally], scheme: Scheme) -> dict[int, Working]:
    """Return the sum of the opponents' scores of every entry (8.1); None where pairings are predetermined."""
    if scheme.predetermined:
        return dict.fromkeys(tallies, Working(None))
    counted = scores(tallies, scheme)
    return {entry: _added(_opponents(tally, counted)) for entry, tally in tallies.items()}


def median_buchholz(tallies: Mapping[int, Tally], scheme: Scheme) -> dict[int, Working]:
    """Return the same without the least and then the most significant opponent (14.3, Median-1)."""
    return {
        entry: working if working.value is None else _added(_cut(working.lines))
        for entry, working in buchholz(tallies, scheme).items()
    }


def sonneborn_berger(tallies: Mapping[int, Tally], scheme: Scheme) -> dict[int, Working]:
    """Return the sum of each opponent's score times the points made of that opponent (9.1)."""
    counted = scores(tallies, scheme)
    return {
        entry: _added([_times(line, points) for line, points in _results(tally, counted)])
        for entry, tally in tallies.items()
    }


def _opponents(tally: Tally, counted: Scores) -> list[WorkingLine]:
    return [line for line, _ in _results(tally, counted)]


def _results(tally: Tally, counted: Scores) -> list[tuple[WorkingLine, Exact]]:
    """Return the score of whom the entry met in each round, and what it made of it, by round."""
    results = [(_met(met, counted), met.points) for met in tally.encounters]
    missed = counted.unplayed[tally.entry]
    if not missed:
        return results
    of_missed = _forfeited if counted.scheme.predetermined else _missed
    results += [(of_missed(tally.entry, one, counted), one.points) for one in missed]
    return sorted(results, key=lambda result: result[0].rounds)


def _met(met: Encounter, counted: Scores) -> WorkingLine:
    opponent = met.opponent
    score, adjusted = counted.tallies[opponent].earned, counted.adjusted[opponent]
    before = None if score == adjusted else score
    return WorkingLine(opponent, (met.round,), adjusted, before=before)


def _missed(entry: int, missed: UnplayedRound, counted: Scores) -> WorkingLine:
    bye, own, dummy = missed.bye, counted.tallies[entry].earned, counted.dummy(entry, missed)
    before = None if own == dummy else own
    return WorkingLine(bye.opponent, (bye.round,), dummy, bye=bye.kind, dummy=True, before=before)


def _forfeited(entry: int, missed: UnplayedRound, counted: Scores) -> WorkingLine:
    """Return a match given away as if it had been played (15.2), and a round off as nothing."""
    bye = missed.bye
    opponent = counted.tallies.get(bye.opponent or 0)
    return WorkingLine(bye.opponent, (bye.round,), opponent.earned if opponent else 0, bye=bye.kind)


def _times(line: WorkingLine, points: Exact) -> WorkingLine:
    return replace(line, amount=line.amount * points, own=points, other=line.amount)


def _cut(lines: tuple[WorkingLine, ...]) -> list[WorkingLine]:
    """Return the lines with the two that Median-1 leaves out marked, the lowest first (14.3)."""
    marked = list(lines)
    for cut in _MEDIAN_CUTS:
        at = _at_lowest(marked) if cut is Cut.LOWEST else _at_highest(marked)
        if at is not None:
            marked[at] = replace(marked[at], cut=cut)
    return marked


def _at_lowest(lines: list[WorkingLine]) -> int | None:
    """Return where the least significant value is: of the rounds missed by choice, if there are any (16.5)."""
    voluntary = [at for at, line in enumerate(lines) if line.bye in VOLUNTARY]
    return min(voluntary or range(len(lines)), key=lambda at: lines[at].amount, default=None)


def _at_highest(lines: list[WorkingLine]) -> int | None:
    left = [at for at, line in enumerate(lines) if line.cut is None]
    return max(left, key=lambda at: lines[at].amount, default=None)


def _added(lines: list[WorkingLine]) -> Working:
    return Working(sum((line.amount for line in lines if line.cut is None), start=0), tuple(lines))
