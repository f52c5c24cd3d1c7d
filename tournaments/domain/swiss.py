"""The draw of a Swiss round, by weighted matching, and what a history comes to for it.

What must be: everybody who is there plays one match or has the one bye; forced pairs meet, forbidden ones do
not, and a forced entry has no bye. Where that can be done in more than one way, the draw is the one that is
least in these, the first before the second and so on:

1. earlier byes of the entry that has the bye: nobody has a second one before all had one. A match that an
   entry won because the other gave it away counts as one (FIDE C.04.1);
2. rematches; then the earlier matches of those who meet again (a third match is worse than a second);
3. the score of the entry that has the bye (FIDE C.04.3, criterion C5);
4. the differences of score, from the top: for each score group, the sum of the differences of the pairs
   whose higher entry is in it. A smaller sum in a higher group is better, whatever it costs below. The group
   is made of everybody with that score, and the bye is no pair;
5. entries that float the same way as in the round before; a bye is a float down;
6. the entries of the bye's score who stand below the entry that has it;
7. the places in the score group: within a group of ``n`` the first should meet the one at place
   ``n // 2 + 1``, and so on (FIDE's slide); of two groups, the last of the higher one the first of the lower.
   What is least is the sum of the squares of the distances from that;
8. pairs of one group whose two stand in the same half of it (of an odd number the middle one is in the lower);
9. the squares of the distances in the order of the field of the pairs that float: of several who float between
   two groups the higher meets the higher;
10. a fixed number for each two places in the field, which settles what is equal in everything.

Fairness of the bye comes before rematches since a bye is points for nothing and two of them wrong the whole
field, while a rematch wrongs the two at most; and it is the rematch that the draw can say it could not avoid.

Ranks and places count those with a higher score first, then the standings' order. The whole round is weighed
at once: a float at the top never leaves two at the bottom who cannot play.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from math import gcd, lcm
from operator import itemgetter
from typing import Final
from zlib import crc32

from scoring.domain.ranking import Row
from scoring.domain.results import ByeKind, Exact, Ranking, Scheme, Tally
from tournaments.domain.matching import (
    Costs,
    Criterion,
    Edge,
    Edges,
    NoPerfectMatchingError,
    greatest_size,
    least_matching,
)
from tournaments.domain.pairing import (
    Against,
    Alternative,
    ByeGiven,
    Contestant,
    Draw,
    Field,
    Float,
    Note,
    Pairing,
    PairingError,
    Wish,
)

FEWEST: Final = 2
"""Entries without whom nothing can be played."""
MOST_ALTERNATIVES: Final = 3
LIKE_A_BYE: Final = (ByeKind.PAIRING, ByeKind.FORFEIT_WIN)
"""What counts as having had a bye already: a win without a match."""


def draw_swiss(field: Field) -> Draw:
    """Return the best draw of the round: the same for the same field, whatever order its parts come in.

    :raises PairingError: if an entry or a place is there twice, there are fewer than two entries, the wishes
        contradict each other or name somebody who does not play, or the forbidden pairs leave no draw.
    """
    hall = _Hall(field)
    try:
        matching = least_matching(hall.nodes, hall.edges(), hall.criteria())
    except NoPerfectMatchingError:
        raise PairingError(
            "the pairs that may not meet leave no draw", entries=hall.who_cannot_be_paired()
        ) from None
    pairs = sorted(edge for edge in matching if edge[1] < hall.size)
    return Draw(
        number=field.number,
        pairings=tuple(hall.pairing(*pair) for pair in pairs),
        byes=(
            *(hall.bye(edge[0]) for edge in matching if edge[1] == hall.size),
            *sorted(field.away, key=lambda bye: bye.entry),
        ),
    )


@dataclass(frozen=True, slots=True)
class _Seated:
    """A contestant at its place from the top (from 0), which is its node in the matching."""

    one: Contestant
    group: int
    """The score group, from 0 at the top."""
    place: int
    """In the group, from 0."""
    group_size: int
    score: int
    """In whole units that all scores of the field are made of."""
    met: Mapping[int, int]
    """How often it met whom, by their places."""
    byes: int
    floated: Float
    """How it was floated in the round before."""


def contestants(
    rows: Iterable[Row], *, seeds: Mapping[int, int], number: int, scheme: Scheme
) -> tuple[Contestant, ...]:
    """Return who plays in the round, as the results so far have it: what :class:`Field` is made from.

    ``rows`` are the standings of everybody after the round before (of all entries, those who left or sit out
    too, since their opponents met them); ``seeds`` are the entries that play in this round, or have its bye,
    with their seeds. In the first round the seeds alone make the ranks, later they part those who share one;
    a late entry ranks by its score like everybody else.

    Floats are derived from the results as they stand, so a correction of an earlier round is in them. Matches
    given away count as byes, not as met: the two may be paired again (FIDE C.04.1).

    :raises PairingError: if an entry of ``seeds`` is not in ``rows``.
    """
    rows = tuple(rows)
    tallies = {row.tally.entry: row.tally for row in rows}
    missing = sorted(seeds.keys() - tallies.keys())
    if missing:
        raise PairingError("an entry that plays is not in the standings", entries=tuple(missing))
    ranks = {row.tally.entry: 0 if number == 1 else row.rank for row in rows}
    ordered = sorted(tallies, key=lambda entry: (ranks[entry], seeds.get(entry, 0), entry))
    before = {entry: _scores_before(tally, number, scheme) for entry, tally in tallies.items()}
    return tuple(
        Contestant(
            number=entry,
            rank=rank,
            score=tallies[entry].score,
            opponents=tuple(met.opponent for met in tallies[entry].encounters),
            rounds=tuple(met.round for met in tallies[entry].encounters),
            byes={bye.round: bye.kind for bye in tallies[entry].unplayed},
            floats=_floats(tallies[entry], before, number, scheme),
        )
        for rank, entry in enumerate(ordered, start=1)
        if entry in seeds
    )


def _scores_before(tally: Tally, number: int, scheme: Scheme) -> list[Exact]:
    """Return the score that the entry went into each round with, the ``number``th the last."""
    scores: list[Exact] = [-tally.penalty]
    by_courts = scheme.ranking is Ranking.COURTS
    for played in range(1, number):
        gained: Exact = sum(
            met.own.courts if by_courts else met.points for met in tally.encounters if met.round == played
        )
        if not by_courts:
            gained += sum(scheme.points.of_bye(bye.kind) for bye in tally.unplayed if bye.round == played)
        scores.append(scores[-1] + gained)
    return scores


def _floats(
    tally: Tally, before: Mapping[int, Sequence[Exact]], number: int, scheme: Scheme
) -> tuple[Float, ...]:
    floats = [Float.NONE] * (number - 1)
    for met in (met for met in tally.encounters if met.round < number):
        own, other = before[tally.entry][met.round - 1], before[met.opponent][met.round - 1]
        if own != other:
            floats[met.round - 1] = Float.DOWN if own > other else Float.UP
    for bye in (bye for bye in tally.unplayed if bye.round < number):
        if scheme.points.of_bye(bye.kind) > scheme.points.loss:
            floats[bye.round - 1] = Float.DOWN
    return tuple(floats)


class _Hall:
    """The field in order: places instead of numbers. The node after the last place is the bye."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.seats = _seated(field)
        self.size = len(self.seats)
        self.nodes = self.size + self.size % 2
        self.place_of = {seat.one.number: place for place, seat in enumerate(self.seats)}
        self.forbidden = _edges_of(field.forbidden, self.place_of)
        self.forced = _edges_of(field.forced, self.place_of)
        self.forced_places = {place for edge in self.forced for place in edge}
        _check_wishes(field, self.place_of)

    def edges(self) -> list[Edge]:
        """Return what may be: any two who are free and not forbidden, the forced pairs, a bye for the free."""
        free = [place for place in range(self.size) if place not in self.forced_places]
        pairs = [(upper, lower) for at, upper in enumerate(free) for lower in free[at + 1 :]]
        byes = [(place, self.size) for place in free] if self.size % 2 else []
        return [*(pair for pair in pairs if pair not in self.forbidden), *self.forced, *byes]

    def criteria(self) -> list[Criterion]:
        """Return the criteria of the module's head, in their order."""
        groups = 1 + max(seat.group for seat in self.seats)
        return [
            lambda _: self._bye_costs(lambda seat: seat.byes),
            lambda _: dict.fromkeys(self._meetings(), 1),
            lambda _: self._meetings(),
            lambda _: self._bye_costs(lambda seat: groups - 1 - seat.group),
            *(self._difference_from(group) for group in range(groups)),
            self._floats_again,
            lambda _: self._bye_costs(lambda seat: seat.group_size - 1 - seat.place),
            lambda edges: {edge: self.distance(*edge) for edge in edges if edge[1] < self.size},
            lambda edges: {edge: 1 for edge in edges if self._is_within_a_half(*edge)},
            lambda edges: {edge: (edge[1] - edge[0]) ** 2 for edge in edges if self._is_float(*edge)},
            lambda edges: {edge: crc32(b"%d-%d" % edge) for edge in edges},
        ]

    def distance(self, upper: int, lower: int) -> int:
        """Return the square of how far two are from where they should meet: 0 is where."""
        one, other = self.seats[upper], self.seats[lower]
        if one.group == other.group:
            return (other.place - one.place - one.group_size // 2) ** 2
        return (one.group_size - 1 - one.place) ** 2 + other.place**2

    def pairing(self, upper: int, lower: int) -> Pairing:
        """Return the pair with what is to be said of it."""
        one, other = self.seats[upper], self.seats[lower]
        forced = (upper, lower) in self.forced
        return Pairing(
            first=one.one.number,
            second=other.one.number,
            notes=tuple(self._notes(upper, lower)),
            scores=(one.one.score, other.one.score),
            alternatives=() if forced else self._rather(upper, lower),
            reason=self.forced.get((upper, lower), ""),
        )

    def bye(self, place: int) -> ByeGiven:
        """Return the bye, with those below who did not have it."""
        below = range(self.size - 1, place, -1)
        return ByeGiven(
            entry=self.seats[place].one.number,
            kind=ByeKind.PAIRING,
            alternatives=tuple(self._not_the_bye(other, place) for other in below[:MOST_ALTERNATIVES]),
        )

    def who_cannot_be_paired(self) -> tuple[int, ...]:
        """Return who may be left over when as many as can be are paired (Gallai and Edmonds).

        If some of them can meet none of the others left over, only those are named.
        """
        edges = self.edges()
        most = greatest_size(self.nodes, edges)
        suspects = sorted({place for edge in self.forbidden for place in edge})
        left_over = [
            place
            for place in suspects
            if greatest_size(self.nodes, [edge for edge in edges if place not in edge]) == most
        ]
        together = {place for edge in edges if {*edge} <= {*left_over} for place in edge}
        alone = [place for place in left_over if place not in together]
        return tuple(sorted(self.seats[place].one.number for place in alone or left_over))

    def _meetings(self) -> Costs:
        return {
            (place, other): times
            for place, seat in enumerate(self.seats)
            for other, times in seat.met.items()
            if place < other
        }

    def _bye_costs(self, cost: Callable[[_Seated], int]) -> Costs:
        return {(place, self.size): cost(seat) for place, seat in enumerate(self.seats)}

    def _difference_from(self, group: int) -> Criterion:
        """Return what pairs cost whose higher entry is in the group."""
        first = next(place for place, seat in enumerate(self.seats) if seat.group == group)
        last = first + self.seats[first].group_size
        scores = [seat.score for seat in self.seats]

        def costs(edges: Edges) -> Costs:
            return {
                (upper, lower): scores[upper] - scores[lower]
                for upper in range(first, last)
                for lower in range(last, self.size)
                if (upper, lower) in edges
            }

        return costs

    def _floats_again(self, edges: Edges) -> Costs:
        down = [seat.floated is Float.DOWN for seat in self.seats]
        up = [seat.floated is Float.UP for seat in self.seats] + [False]
        groups = [seat.group for seat in self.seats] + [-1]
        return {
            (upper, lower): down[upper] + up[lower]
            for upper, lower in edges
            if groups[upper] != groups[lower]
        }

    def _is_float(self, upper: int, lower: int) -> bool:
        return lower < self.size and self.seats[upper].group != self.seats[lower].group

    def _is_within_a_half(self, upper: int, lower: int) -> bool:
        if lower == self.size or self._is_float(upper, lower):
            return False
        half = self.seats[upper].group_size // 2
        return (self.seats[upper].place < half) == (self.seats[lower].place < half)

    def _notes(self, upper: int, lower: int) -> Iterator[Note]:
        one, other = self.seats[upper], self.seats[lower]
        is_level = one.group == other.group
        yield Note.SAME_SCORE if is_level else Note.FLOATED
        if (upper, lower) in self.forced:
            yield Note.FORCED
        if lower in one.met:
            yield Note.REMATCH
        if not is_level and (one.floated is Float.DOWN or other.floated is Float.UP):
            yield Note.FLOATED_AGAIN

    def _rather(self, upper: int, lower: int) -> tuple[Alternative, ...]:
        """Return whom ``upper`` would rather have met than ``lower``."""
        own = self._suits(upper, lower)
        score, difference = self.seats[upper].score, own[0]
        near = [
            (self._suits(upper, other), other)
            for other, seat in enumerate(self.seats)
            if -difference <= seat.score - score <= difference and other != upper
        ]
        better = sorted(one for one in near if one[0] < own)
        return tuple(self._not_met(upper, other) for _, other in better[:MOST_ALTERNATIVES])

    def _suits(self, place: int, other: int) -> tuple[int, int]:
        upper, lower = min(place, other), max(place, other)
        return self.seats[upper].score - self.seats[lower].score, self.distance(upper, lower)

    def _not_met(self, place: int, other: int) -> Alternative:
        one, number = self.seats[place], self.seats[other].one.number
        edge = (min(place, other), max(place, other))
        if edge in self.forbidden:
            return Alternative(entry=number, against=Against.FORBIDDEN)
        if other in self.forced_places:
            return Alternative(entry=number, against=Against.FORCED_ELSEWHERE)
        if other in one.met:
            rounds = zip(one.one.opponents, one.one.rounds, strict=False)
            met = tuple(sorted(when for whom, when in rounds if whom == number))
            return Alternative(entry=number, against=Against.MET, rounds=met)
        return Alternative(entry=number, against=Against.COSTS_MORE)

    def _not_the_bye(self, place: int, given: int) -> Alternative:
        seat = self.seats[place]
        if place in self.forced_places:
            against = Against.FORCED_ELSEWHERE
        elif seat.byes > self.seats[given].byes:
            against = Against.HAD_BYE
        else:
            against = Against.COSTS_MORE
        return Alternative(entry=seat.one.number, against=against)


def _seated(field: Field) -> list[_Seated]:
    """Return the contestants in their order, best first."""
    ordered = sorted(field.contestants, key=lambda one: (-one.score, one.rank))
    _check_contestants(field, ordered)
    place_of = {one.number: place for place, one in enumerate(ordered)}
    units = _whole([one.score for one in ordered])
    seats: list[_Seated] = []
    for group, (_, members) in enumerate(groupby(zip(ordered, units, strict=True), key=itemgetter(1))):
        level = list(members)
        seats += [
            _Seated(
                one=one,
                group=group,
                place=place,
                group_size=len(level),
                score=score,
                met=Counter(place_of[other] for other in one.opponents if other in place_of),
                byes=sum(kind in LIKE_A_BYE for kind in one.byes.values()),
                floated=one.floats[-1] if len(one.floats) == field.number - 1 > 0 else Float.NONE,
            )
            for place, (one, score) in enumerate(level)
        ]
    return seats


def _whole(scores: Sequence[Exact]) -> list[int]:
    """Return the scores in the greatest unit that all their differences are whole numbers of."""
    lowest = min(scores)
    above = [Fraction(score - lowest) for score in scores]
    denominator = lcm(*(score.denominator for score in above))
    whole = [int(score * denominator) for score in above]
    unit = gcd(*whole) or 1
    return [score // unit for score in whole]


def _check_contestants(field: Field, ordered: Sequence[Contestant]) -> None:
    numbers = Counter([one.number for one in ordered] + [bye.entry for bye in field.away])
    twice = sorted(number for number, times in numbers.items() if times > 1)
    if twice:
        raise PairingError("an entry is in the field twice", entries=tuple(twice))
    ranks = Counter(one.rank for one in ordered)
    shared = sorted(one.number for one in ordered if ranks[one.rank] > 1)
    if shared:
        raise PairingError("two entries have the same rank", entries=tuple(shared))
    if len(ordered) < FEWEST:
        raise PairingError("a round needs two entries or more", entries=tuple(one.number for one in ordered))


def _edges_of(wishes: Iterable[Wish], place_of: Mapping[int, int]) -> dict[Edge, str]:
    """Return the wishes among those who play, with their reasons."""
    edges: dict[Edge, str] = {}
    for wish in sorted(wishes, key=lambda wish: wish.reason):
        first, second = sorted(place_of.get(entry, -1) for entry in wish.entries)
        if first >= 0:
            edges.setdefault((first, second), wish.reason)
    return edges


def _check_wishes(field: Field, place_of: Mapping[int, int]) -> None:
    for wish in (*field.forced, *field.forbidden):
        if wish.entries[0] == wish.entries[1]:
            raise PairingError("a pair is of two entries", entries=wish.entries[:1])
    forced = {frozenset(wish.entries) for wish in field.forced}
    missing = sorted(entry for pair in forced for entry in pair if entry not in place_of)
    if missing:
        raise PairingError("an entry of a forced pair does not play", entries=tuple(missing))
    partners = Counter(entry for pair in forced for entry in pair)
    torn = sorted(entry for entry, times in partners.items() if times > 1)
    if torn:
        raise PairingError("an entry is forced to meet two others", entries=tuple(torn))
    both = {entry for wish in field.forbidden if {*wish.entries} in forced for entry in wish.entries}
    if both:
        raise PairingError("a pair is both forced and forbidden", entries=tuple(sorted(both)))
