"""The tie-breaks of a tournament: what each is worth to an entry, and how that was worked out.

A tie-break is asked about the *tied set*: the entries that everything before it left equal. Most have a value
of an entry by itself; head-to-head has one only within the tied set. Where FIDE's Tie-Break Regulations
(C.07) define one, it is theirs: head-to-head is their Direct Encounter (article 6), ``wins`` their games won
over the board (7.2), so that byes are no wins. Unplayed rounds add nothing to any of these, but for a match given
away in a round robin, which is head-to-head one like the others (15.2). Those over opponents' scores have their own
modules.

A value is None, never 0, where it cannot be computed, and None comes last.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import Final, Protocol, TypeAlias

from scoring.domain.buchholz import buchholz, median_buchholz, sonneborn_berger
from scoring.domain.results import Bye, Encounter, Exact, MatchEnd, Ranking, Scheme, Tally, TiebreakCode
from scoring.domain.stays import longest_stays
from scoring.domain.workings import Working, WorkingLine

TiedSet: TypeAlias = tuple[int, ...]
"""Numbers of entries, ascending."""


@dataclass(frozen=True, slots=True)
class Separation:
    """What a tie-break made of a tied set."""

    groups: tuple[TiedSet, ...]
    """Best first. One group: the tie-break did not separate."""
    workings: Mapping[int, Working]


class Tiebreak(Protocol):
    """One tie-break, ready to be asked about any set of the tallied entries."""

    def separate(self, tied: TiedSet) -> Separation:
        """Return the tied set in groups, best first, with the working of every entry in it."""
        ...

    def working_of(self, entry: int) -> Working:
        """Return the working of an entry that is tied with nobody."""
        ...


def tiebreak(code: TiebreakCode, tallies: Mapping[int, Tally], scheme: Scheme) -> Tiebreak:
    """Return the tie-break over these tallies."""
    if code is TiebreakCode.HEAD_TO_HEAD:
        return _head_to_head(tallies, scheme)
    if code is TiebreakCode.DRAW_OF_LOTS:
        return _OwnValue(_lots(tallies, scheme.lot_seed))
    if code is TiebreakCode.LONGEST_STAY:
        return _OwnValue(longest_stays(tallies))
    if code in _OVER_OPPONENTS:
        return _OwnValue(_OVER_OPPONENTS[code](tallies, scheme))
    line_of = _LINES[code]
    return _OwnValue({entry: _sum_of(tally, line_of) for entry, tally in tallies.items()})


def grouped(tied: Sequence[int], value_of: Callable[[int], Exact | None]) -> tuple[TiedSet, ...]:
    """Return the entries in groups of equal value, the greatest first and those without a value last."""
    groups: dict[Exact, list[int]] = {}
    without: list[int] = []
    for entry in sorted(tied):
        value = value_of(entry)
        (without if value is None else groups.setdefault(value, [])).append(entry)
    ordered = [tuple(groups[value]) for value in sorted(groups, reverse=True)]
    return (*ordered, tuple(without)) if without else tuple(ordered)


@dataclass(frozen=True, slots=True)
class _OwnValue:
    """A tie-break whose value does not depend on who is tied."""

    workings: Mapping[int, Working]

    def separate(self, tied: TiedSet) -> Separation:
        workings = {entry: self.workings[entry] for entry in tied}
        return Separation(grouped(tied, lambda entry: workings[entry].value), workings)

    def working_of(self, entry: int) -> Working:
        return self.workings[entry]


def _courts_difference(met: Encounter) -> WorkingLine:
    own, other = met.own.courts, met.other.courts
    return WorkingLine(met.opponent, (met.round,), own - other, own, other)


def _courts_for(met: Encounter) -> WorkingLine:
    return WorkingLine(met.opponent, (met.round,), met.own.courts)


def _wins(met: Encounter) -> WorkingLine:
    return WorkingLine(met.opponent, (met.round,), int(met.end is MatchEnd.WIN))


def _deals_won(met: Encounter) -> WorkingLine:
    return WorkingLine(met.opponent, (met.round,), met.own.deals_won)


def _bavneys(met: Encounter) -> WorkingLine:
    return WorkingLine(met.opponent, (met.round,), met.own.bavneys)


_LINES: Final[Mapping[TiebreakCode, Callable[[Encounter], WorkingLine]]] = {
    TiebreakCode.COURTS_DIFFERENCE: _courts_difference,
    TiebreakCode.COURTS_FOR: _courts_for,
    TiebreakCode.WINS: _wins,
    TiebreakCode.DEALS_WON: _deals_won,
    TiebreakCode.BAVNEYS: _bavneys,
}


_OVER_OPPONENTS: Final[Mapping[TiebreakCode, Callable[[Mapping[int, Tally], Scheme], dict[int, Working]]]] = {
    TiebreakCode.BUCHHOLZ: buchholz,
    TiebreakCode.MEDIAN_BUCHHOLZ: median_buchholz,
    TiebreakCode.SONNEBORN_BERGER: sonneborn_berger,
}


def _sum_of(tally: Tally, line_of: Callable[[Encounter], WorkingLine]) -> Working:
    lines = [line_of(met) for met in tally.encounters]
    if tally.unplayed:
        lines += [WorkingLine(bye.opponent, (bye.round,), 0, bye=bye.kind) for bye in tally.unplayed]
        lines.sort(key=lambda line: line.rounds)
    return Working(sum(line.amount for line in lines), tuple(lines))


def _lots(tallies: Mapping[int, Tally], seed: int | None) -> dict[int, Working]:
    """Return the lot of each entry, from 1; the highest is the best. Without a seed nothing was drawn.

    The order is that of a hash of seed and number, not of a shuffle: it is the same in every version of
    Python, and an entry that comes late changes no order between two others.
    """
    if seed is None:
        return dict.fromkeys(tallies, Working(None))
    drawn = sorted(tallies, key=lambda entry: sha256(f"{seed}:{entry}".encode()).digest())
    return {entry: Working(lot) for lot, entry in enumerate(drawn, start=1)}


@dataclass(frozen=True, slots=True)
class _HeadToHead:
    """FIDE C.07 article 6, Direct Encounter, in match points or, where courts are what ranks, in courts.

    6.1: where all of the tied set have met, the sum of what they made of each other ranks them, the average
    where two met more than once. 6.2: where some have not met, only an entry that would be alone at the top
    whatever those matches bring is placed, then the next in the same way. 6.3: entries that are still equal
    after a separation are compared again among themselves alone. The value shown is that of the first
    comparison, over the whole tied set; None for an entry that 6.2 does not place.
    """

    tallies: Mapping[int, Tally]
    made_of: Callable[[Encounter], Exact]
    """What an entry made of a match."""
    made_of_forfeit: Callable[[Bye], Exact] | None
    """What it made of a match given away; None where such a match is none (in a Swiss)."""
    most: Exact | None
    """The most that a match can bring; None where there is no such number."""

    def working_of(self, entry: int) -> Working:
        return Working(None)

    def separate(self, tied: TiedSet) -> Separation:
        return self._separate(tied, again=0)

    def _separate(self, tied: TiedSet, *, again: int) -> Separation:
        lines = {entry: self._lines(entry, tied, again) for entry in tied}
        made: dict[int, Exact] = {entry: _total(lines[entry]) for entry in tied}
        missing = {entry: len(tied) - 1 - len(lines[entry]) for entry in tied}
        values = dict(made) if not any(missing.values()) else self._placed(made, missing)
        groups = grouped(tied, values.get)
        workings = {entry: Working(values.get(entry), lines[entry]) for entry in tied}
        if len(groups) == 1:
            return Separation(groups, workings)
        return self._narrowed(groups, workings, again=again + 1)

    def _lines(self, entry: int, tied: TiedSet, again: int) -> tuple[WorkingLine, ...]:
        among = set(tied)
        made: dict[int, list[tuple[int, Exact]]] = {}
        for met in self.tallies[entry].encounters:
            if met.opponent in among:
                made.setdefault(met.opponent, []).append((met.round, self.made_of(met)))
        for bye in self.tallies[entry].unplayed if self.made_of_forfeit else ():
            if self.made_of_forfeit and bye.opponent is not None and bye.opponent in among:
                made.setdefault(bye.opponent, []).append((bye.round, self.made_of_forfeit(bye)))
        return tuple(_line(opponent, sorted(results), again) for opponent, results in sorted(made.items()))

    def _placed(self, made: Mapping[int, Exact], missing: Mapping[int, int]) -> dict[int, Exact]:
        """Return what those made that article 6.2 places."""
        placed: dict[int, Exact] = {}
        left = sorted(made, key=lambda entry: (-made[entry], entry))
        while left and self._is_alone_on_top(left[0], left[1:], made, missing):
            entry = left.pop(0)
            placed[entry] = made[entry]
        return placed

    def _is_alone_on_top(
        self, entry: int, others: list[int], made: Mapping[int, Exact], missing: Mapping[int, int]
    ) -> bool:
        if self.most is None:
            return False
        most = self.most
        return all(made[entry] > made[other] + missing[other] * most for other in others)

    def _narrowed(self, groups: tuple[TiedSet, ...], first: dict[int, Working], *, again: int) -> Separation:
        narrowed: list[TiedSet] = []
        workings = dict(first)
        for group in groups:
            inner = self._separate(group, again=again) if len(group) > 1 else Separation((group,), {})
            narrowed += inner.groups
            for entry, working in inner.workings.items():
                workings[entry] = Working(first[entry].value, first[entry].lines + working.lines)
        return Separation(tuple(narrowed), workings)


def _line(opponent: int, made: list[tuple[int, Exact]], again: int) -> WorkingLine:
    average = Fraction(sum(amount for _, amount in made)) / len(made)
    rounds = tuple(number for number, _ in made)
    return WorkingLine(opponent, rounds, whole_if_possible(average), again=again)


def _head_to_head(tallies: Mapping[int, Tally], scheme: Scheme) -> _HeadToHead:
    by_courts = scheme.ranking is Ranking.COURTS
    points = scheme.points

    def made_of_forfeit(bye: Bye) -> Exact:
        return 0 if by_courts else points.of_bye(bye.kind)

    return _HeadToHead(
        tallies,
        (lambda met: met.own.courts) if by_courts else (lambda met: met.points),
        made_of_forfeit if scheme.predetermined else None,
        None if by_courts else max(points.win, points.draw, points.loss),
    )


def _total(lines: tuple[WorkingLine, ...]) -> Exact:
    return sum((line.amount for line in lines), start=0)


def whole_if_possible(number: Exact) -> Exact:
    """Return the number as an int where it is whole."""
    return int(number) if number == int(number) else number
