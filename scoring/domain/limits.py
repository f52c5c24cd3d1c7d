"""The most and the least that everybody can still have when all is played."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from scoring.domain.results import ByeKind, Exact, MatchEnd, Scheme, Tally


@dataclass(frozen=True, slots=True, kw_only=True)
class Remaining:
    """What is still to be played."""

    pairs: tuple[tuple[int, int], ...] = ()
    """Matches that are drawn and not finished."""
    rounds_not_drawn: int = 0
    """How many rounds follow of which nobody knows who meets whom."""
    may_bring_nothing: bool = False
    """Whether such a round may bring no points at all to who is not in it, as where nobody has to come."""


class Limits:
    """Everybody's match points at the end, at the least and at the most."""

    def __init__(self, tallies: Mapping[int, Tally], remaining: Remaining, scheme: Scheme) -> None:
        ends = [scheme.points.of_match(end) for end in MatchEnd]
        rounds = [*ends, *(scheme.points.of_bye(kind) for kind in ByeKind)]
        if remaining.may_bring_nothing:
            rounds.append(0)
        worst, best, worst_round, best_round = min(ends), max(ends), min(rounds), max(rounds)
        left = Counter(entry for pair in remaining.pairs for entry in pair)
        self.most: dict[int, Exact] = {}
        self.least: dict[int, Exact] = {}
        self._stages = {entry: tally.stage for entry, tally in tallies.items()}
        for entry, tally in tallies.items():
            not_drawn = 0 if tally.withdrawn else remaining.rounds_not_drawn
            self.most[entry] = tally.score + left[entry] * best + not_drawn * best_round
            self.least[entry] = tally.score + left[entry] * worst + not_drawn * worst_round
        self._sorted_most = self._by_stage(self.most)
        self._sorted_least = self._by_stage(self.least)

    def _by_stage(self, limits: Mapping[int, Exact]) -> dict[int, list[Exact]]:
        found: dict[int, list[Exact]] = {}
        for entry, limit in limits.items():
            found.setdefault(self._stages[entry], []).append(limit)
        return {stage: sorted(of_stage) for stage, of_stage in found.items()}

    def not_behind_at_most(self, entry: int, points: Exact) -> int:
        """Return how many others can be ahead of the entry, or level with it, if it has so many points."""
        same = self._sorted_most[self._stages[entry]]
        others = len(same) - bisect_left(same, points) - (self.most[entry] >= points)
        return self._higher(entry) + others

    def ahead_at_least(self, entry: int, points: Exact) -> int:
        """Return how many others are ahead of the entry whatever they do, if it has so many points."""
        same = self._sorted_least[self._stages[entry]]
        others = len(same) - bisect_right(same, points) - (self.least[entry] > points)
        return self._higher(entry) + others

    def _higher(self, entry: int) -> int:
        own = self._stages[entry]
        return sum(len(of_stage) for stage, of_stage in self._sorted_most.items() if stage > own)

    def decide(self, entry: int, others: Iterable[int]) -> bool:
        """Return whether any of the others can end on both sides of the entry, or level with it."""
        least, most = self.least[entry], self.most[entry]
        return any(self.least[one] <= most and self.most[one] >= least for one in others)

    def sure(self, entry: int, other: int) -> Exact:
        """Return a score on the same side of the entry as every one that the other, who decides nothing, can have."""
        return self.least[other] if self.least[other] > self.most[entry] else self.most[other]
