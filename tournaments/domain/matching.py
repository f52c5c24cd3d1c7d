"""Perfect matchings that are least in several criteria, one criterion after the other.

A criterion gives an edge a cost, a whole number from 0; a matching costs what its edges cost together. The
first criterion is made as small as any perfect matching can make it, then the second among the matchings
that do this, and so on: the result is exact, not a search.

One weight for an edge would have to hold all criteria, and the library's weights end at 128 bits. So the
criteria are taken in batches. Within a batch each weighs more than all later ones together can ever cost.
Criteria of earlier batches, whose least costs are known by then, are held there in two ways:

- Edges that cost more than the whole matching may are taken out. Where the least cost is 0, or where only
  edges at one node cost anything, that alone holds the criterion.
- The others weigh more than the batch. If the matching then found keeps each of them at its least cost, it is
  the least in the batch among all matchings that do, since on those the earlier criteria weigh the same: the
  proof is in the check, whatever the weights were. If it does not, the first that was missed and all before
  it weigh more, and the matching is made again.

If the weights run out of bits in this, the criteria are taken one by one. Should that not be enough, what
earlier criteria paid for is fixed as the last matching has it: the result is then still perfect, and exact in
all criteria up to there. None of the random tournaments of the tests or of ``check_pairings`` came to that.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import rustworkx

from courtpiece.errors import CourtPieceError

Edge: TypeAlias = tuple[int, int]
"""Two nodes, the smaller first."""
Costs: TypeAlias = Mapping[Edge, int]
"""What edges cost; those not named cost 0."""
Edges: TypeAlias = Mapping[Edge, object]
"""Edges as keys, in their order."""
Criterion: TypeAlias = Callable[[Edges], Costs]
"""Gives the costs of the edges that are left when its turn comes; those of others do not matter."""

WEIGHT_LIMIT: Final = 2**112
"""No edge weighs more: the library adds weights up along paths, in 128 bits."""
_HEAVIER: Final = 16


class NoPerfectMatchingError(CourtPieceError):
    """Some node stays alone in every matching."""


@dataclass(frozen=True, slots=True)
class _Weighed:
    """What edges cost in a criterion, and a bound for what a matching can."""

    costs: Costs
    most: int


@dataclass(slots=True)
class _Held:
    """A criterion that is at its least cost and must stay there by its weight."""

    costs: Costs
    least: int
    weight: int = 1


class OutOfBitsError(CourtPieceError):
    """A single cost is too great to be weighed."""


def least_matching(
    nodes: int, edges: Iterable[Edge], criteria: Sequence[Criterion], *, limit: int = WEIGHT_LIMIT
) -> frozenset[Edge]:
    """Return the perfect matching of the nodes (from 0) that costs the least, the first criterion first.

    With a smaller ``limit`` of the weights more batches are made.

    :raises NoPerfectMatchingError: if the edges allow none.
    :raises OutOfBitsError: if a single cost is too great for the limit.
    """
    return _Search(nodes, edges, limit).run(criteria)


def greatest_size(nodes: int, edges: Iterable[Edge]) -> int:
    """Return how many edges a matching can have at the most."""
    return len(_matching(nodes, dict.fromkeys(edges, 0)))


class _Search:
    """The edges that are left, and the criteria that are held by their weight."""

    def __init__(self, nodes: int, edges: Iterable[Edge], limit: int) -> None:
        self.nodes = nodes
        self.limit = limit
        self.edges = dict.fromkeys(edges, 0)
        self.held: list[_Held] = []
        self.found: frozenset[Edge] = frozenset()

    def run(self, criteria: Sequence[Criterion]) -> frozenset[Edge]:
        at, at_once = 0, len(criteria)
        while at < len(criteria):
            batch = self._next_batch(criteria[at : at + at_once])
            try:
                self.found = self._least_in(batch)
            except OutOfBitsError:
                if at_once == 1:
                    self._fix_what_is_held()
                at_once = 1
                continue
            at, at_once = at + len(batch), len(criteria)
            for weighed in batch:
                self._hold(weighed.costs)
        return self.found

    def _next_batch(self, criteria: Sequence[Criterion]) -> list[_Weighed]:
        """Return as many of the criteria as fit, one at the least."""
        batch: list[_Weighed] = []
        room = self.limit // (self._heaviest_held() * _HEAVIER)
        for criterion in criteria:
            given = criterion(self.edges)
            costs = {edge: cost for edge, cost in given.items() if cost and edge in self.edges}
            most = _most(costs)
            room //= most + 1
            if batch and not room:
                break
            batch.append(_Weighed(costs, most))
        return batch

    def _heaviest_held(self) -> int:
        return 1 + sum(held.weight * max(held.costs.values()) for held in self.held)

    def _least_in(self, batch: Sequence[_Weighed]) -> frozenset[Edge]:
        for held in self.held:
            held.weight = 1
        while True:
            matching = _matching(self.nodes, self._weights(batch))
            if 2 * len(matching) < self.nodes:
                raise NoPerfectMatchingError("no matching takes in everybody")
            first_missed = self._first_missed(matching)
            if first_missed is None:
                return matching
            for held in self.held[: first_missed + 1]:
                held.weight *= _HEAVIER

    def _first_missed(self, matching: frozenset[Edge]) -> int | None:
        """Return which held criterion, before all others, costs more than it must: it was traded for later ones."""
        over = (_total(held.costs, matching) > held.least for held in self.held)
        return next((at for at, is_over in enumerate(over) if is_over), None)

    def _weights(self, batch: Sequence[_Weighed]) -> dict[Edge, int]:
        weights = self.edges.copy()
        unit = 1
        for weighed in reversed(batch):
            _add(weights, weighed.costs, unit)
            unit *= weighed.most + 1
        for held in self.held:
            _add(weights, held.costs, unit * held.weight)
        if max(weights.values(), default=0) > self.limit:
            raise OutOfBitsError("the costs are too great to be weighed")
        return weights

    def _hold(self, costs: Costs) -> None:
        """Hold the criterion at what the matching costs, by taking edges out as far as that goes."""
        least = _total(costs, self.found)
        self._take_out(edge for edge, cost in costs.items() if cost > least)
        if not least:
            return
        left = {edge: cost for edge, cost in costs.items() if edge in self.edges}
        node = _common_node(left)
        if node is None:
            self.held.append(_Held(left, least))
        else:
            self._take_out([edge for edge in self.edges if node in edge and left.get(edge) != least])

    def _take_out(self, edges: Iterable[Edge]) -> None:
        for edge in edges:
            self.edges.pop(edge, None)

    def _fix_what_is_held(self) -> None:
        """Keep the edges that cost something in the last matching, and no other that would.

        :raises OutOfBitsError: if nothing is held, so that it is a single cost that is too great.
        """
        if not self.held:
            raise OutOfBitsError("a cost is too great to be weighed")
        costly = {edge for held in self.held for edge in held.costs}
        fixed = costly & self.found
        taken = {node for edge in fixed for node in edge}
        self._take_out(costly - fixed)
        self._take_out([edge for edge in self.edges if edge not in fixed and not taken.isdisjoint(edge)])
        self.held = []


def _matching(nodes: int, weights: Mapping[Edge, int]) -> frozenset[Edge]:
    """Return the matching with the most edges that weighs the least among those."""
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * nodes)
    graph.add_edges_from([(*edge, -weights[edge]) for edge in weights])
    pairs = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return frozenset((min(pair), max(pair)) for pair in pairs)


def _most(costs: Costs) -> int:
    """Return a bound for what a matching can cost: every node has one edge, whichever end it is counted at."""
    by_first: dict[int, int] = {}
    by_second: dict[int, int] = {}
    for (first, second), cost in costs.items():
        by_first[first] = max(cost, by_first.get(first, 0))
        by_second[second] = max(cost, by_second.get(second, 0))
    return min(sum(by_first.values()), sum(by_second.values()))


def _total(costs: Costs, matching: Iterable[Edge]) -> int:
    return sum(costs.get(edge, 0) for edge in matching)


def _add(weights: dict[Edge, int], costs: Costs, unit: int) -> None:
    for edge, cost in costs.items():
        if edge in weights:
            weights[edge] += unit * cost


def _common_node(costs: Costs) -> int | None:
    """Return the node that every edge with a cost has, if there is one; the second of two."""
    common = set.intersection(*({*edge} for edge in costs))
    return max(common, default=None)
