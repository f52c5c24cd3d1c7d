"""A field as the checker of draws reads it: its order, and what its entries and pairs are."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from scoring.domain.results import ByeKind
from tournaments.domain.pairing import Contestant, Field, Float, Wish
from tournaments.domain.pairing_proofs import Pair

_HAD_ONE: Final = {ByeKind.PAIRING, ByeKind.FORFEIT_WIN}


class CheckedField:
    """The field from the top: places from 0, the place after the last being the bye."""

    def __init__(self, field: Field) -> None:
        self.field = field
        self.order: list[Contestant] = sorted(field.contestants, key=lambda one: one.rank)
        self.order.sort(key=lambda one: one.score, reverse=True)
        self.size = len(self.order)
        self.nodes = self.size + self.size % 2
        self.place = {one.number: at for at, one in enumerate(self.order)}
        self.forced = self._pairs(field.forced)
        self.forbidden = self._pairs(field.forbidden)
        levels = sorted({one.score for one in self.order}, reverse=True)
        self.level = [levels.index(one.score) for one in self.order]
        self.mates_of_level = Counter(self.level)
        self.top_of_level = {level: self.level.index(level) for level in self.mates_of_level}
        self.points = self._whole_points()
        self.byes_had = [sum(kind in _HAD_ONE for kind in one.byes.values()) for one in self.order]
        self.meetings = [
            Counter(self.place[other] for other in one.opponents if other in self.place) for one in self.order
        ]

        self.fell = self._floated_before(Float.DOWN)
        self.rose = self._floated_before(Float.UP)

    def _floated_before(self, way: Float) -> set[int]:
        """Return the places of those who were floated that way in the round before this one."""
        before = self.field.number - 1
        floats = [one.floats for one in self.order]
        return {place for place, own in enumerate(floats) if len(own) == before > 0 and own[-1] is way}

    def _pairs(self, wishes: Sequence[Wish]) -> set[Pair]:
        places = [[self.place.get(entry, -1) for entry in wish.entries] for wish in wishes]
        return {(min(pair), max(pair)) for pair in places if min(pair) >= 0}

    def _whole_points(self) -> list[int]:
        scores = [Fraction(one.score) for one in self.order]
        scale = 1
        for score in scores:
            scale *= (score * scale).denominator
        return [int(score * scale) for score in scores]

    def neighbours(self) -> list[int]:
        """Return whom each may meet, as bit masks."""
        everybody = (1 << self.nodes) - 1
        allowed = [everybody & ~(1 << node) for node in range(self.nodes)]
        for upper, lower in self.forbidden:
            allowed[upper] &= ~(1 << lower)
            allowed[lower] &= ~(1 << upper)
        for upper, lower in self.forced:
            for node in range(self.nodes):
                allowed[node] &= ~(1 << upper | 1 << lower)
            allowed[upper], allowed[lower] = 1 << lower, 1 << upper
        return allowed

    def repeats(self, upper: int, lower: int) -> int:
        """Return how many of the two float the same way again; the bye is a float down."""
        if lower == self.size:
            return int(upper in self.fell)
        if self.level[upper] == self.level[lower]:
            return 0
        return (upper in self.fell) + (lower in self.rose)

    def suits(self, one: int, other: int) -> tuple[int, int]:
        """Return how far two are apart, in score and then in place."""
        upper, lower = min(one, other), max(one, other)
        return self.points[upper] - self.points[lower], self.misplaced(upper, lower)

    def misplaced(self, upper: int, lower: int) -> int:
        """Return the square of how far the two are from where they should meet."""
        at = upper - self.top_of_level[self.level[upper]]
        size = self.mates_of_level[self.level[upper]]
        if self.level[upper] == self.level[lower]:
            return int(lower - upper - size // 2) ** 2
        below = lower - self.top_of_level[self.level[lower]]
        return int(size - 1 - at) ** 2 + below**2

    def tie_costs(self, upper: int, lower: int) -> tuple[int, int]:
        """Return whether the two are in the same half of one group, and the square of how far they float."""
        level = self.level[upper]
        if level != self.level[lower]:
            return 0, int(lower - upper) ** 2
        middle = self.top_of_level[level] + self.mates_of_level[level] // 2
        return int(lower < middle or upper >= middle), 0
