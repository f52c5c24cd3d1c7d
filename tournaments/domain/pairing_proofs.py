"""Whether everybody can be paired better: answered by counting, with no library and nothing of the pairer.

Three questions, each by a method of its own:

- can a perfect matching keep within budgets (:meth:`Puzzle.within`): by branch and bound over what a node may
  cost, with an own maximum matching (Edmonds' blossoms) as the bound. The answer is exact, or None after
  a limit of matchings;
- what is the least that a perfect matching can cost (:func:`least_cost`): by going through all of them, once
  for each set of nodes that is left. Exact, and for few nodes only;
- does changing two or three pairs for others make it cheaper (:func:`cheaper_exchange`).

Nodes count from 0. Sets of nodes are bit masks.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Final, TypeAlias

MOST_STEPS: Final = 400
"""Matchings that a question is worth: few take more than ten."""
Pair: TypeAlias = tuple[int, int]
"""Two nodes, the smaller first."""
Prices: TypeAlias = Sequence[Sequence[int]]
"""What any two nodes cost together, both ways; pairs that may not be cost more than all that may."""


def bits(mask: int) -> Iterator[int]:
    """Return the nodes of a set, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def can_complete(neighbours: Sequence[int], mates: list[int]) -> bool:
    """Extend the matching (-1: alone) until nobody is alone, and return whether that can be done."""
    return all(mates[node] >= 0 or _Tree(neighbours, mates, node).grow() for node in range(len(neighbours)))


class _Tree:
    """Alternating paths from a node that is alone (Edmonds 1965): even nodes are reached over a pair."""

    def __init__(self, neighbours: Sequence[int], mates: list[int], root: int) -> None:
        self.neighbours = neighbours
        self.mates = mates
        self.root = root
        self.even = 1 << root
        self.came_from: dict[int, int] = {}
        """Of a node that is reached over an edge outside the matching: the even node before it."""
        self.blossom_of = list(range(len(neighbours)))
        """The node nearest the root in the blossom that a node has shrunk into."""
        self.waiting = [root]

    def grow(self) -> bool:
        """Look for somebody else who is alone; if there is, change the pairs on the way to it."""
        for node in self.waiting:
            for other in bits(self.neighbours[node]):
                if self.blossom_of[node] == self.blossom_of[other] or self.mates[node] == other:
                    continue
                if self.even >> other & 1:
                    self._shrink(node, other)
                elif other not in self.came_from:
                    self.came_from[other] = node
                    if self.mates[other] < 0:
                        self._flip(other)
                        return True
                    self._reach(self.mates[other])
        return False

    def _reach(self, node: int) -> None:
        self.even |= 1 << node
        self.waiting.append(node)

    def _flip(self, node: int) -> None:
        while True:
            before = self.came_from[node]
            after = self.mates[before]
            self.mates[node], self.mates[before] = before, node
            if before == self.root:
                return
            node = after

    def _shrink(self, node: int, other: int) -> None:
        """Make one blossom of the odd cycle that the edge between two even nodes closes."""
        stem = self._meeting(node, other)
        inside: set[int] = set()
        self._mark(node, stem, other, inside)
        self._mark(other, stem, node, inside)
        for one in range(len(self.blossom_of)):
            if self.blossom_of[one] in inside:
                self.blossom_of[one] = stem
                if not self.even >> one & 1:
                    self._reach(one)

    def _meeting(self, node: int, other: int) -> int:
        seen = set()
        while True:
            node = self.blossom_of[node]
            seen.add(node)
            if node == self.root or self.mates[node] < 0:
                break
            node = self.came_from[self.mates[node]]
        while self.blossom_of[other] not in seen:
            other = self.came_from[self.mates[self.blossom_of[other]]]
        return self.blossom_of[other]

    def _mark(self, node: int, stem: int, child: int, inside: set[int]) -> None:
        while self.blossom_of[node] != stem:
            mate = self.mates[node]
            inside |= {self.blossom_of[node], self.blossom_of[mate]}
            self.came_from[node] = child
            child = mate
            node = self.came_from[mate]


@dataclass(frozen=True, slots=True)
class Budget:
    """What a matching may cost at the most. A pair's cost counts at its smaller node."""

    most: int
    charges: Mapping[int, Mapping[int, int]]
    """By node and cost (above 0): the larger nodes with which the node costs that."""

    def cost(self, node: int, other: int) -> int:
        """Return what the node costs with the other."""
        if node > other:
            return 0
        return next((cost for cost, others in self.charges.get(node, {}).items() if others >> other & 1), 0)


@dataclass(frozen=True, slots=True)
class _State:
    """What is decided of a node's cost: the least and the most, by budget and node."""

    least: Mapping[Pair, int]
    most: Mapping[Pair, int]

    def branches(self, key: Pair, cost: int) -> tuple["_State", "_State"]:
        """Return the two that the state falls into: the node costs less than this, or this at the least."""
        return (
            _State(self.least, {**self.most, key: cost - 1}),
            _State({**self.least, key: cost}, self.most),
        )


class Puzzle:
    """Who may be paired with whom, and a matching to start from (-1: alone)."""

    def __init__(self, neighbours: Sequence[int], start: Sequence[int]) -> None:
        self.neighbours = neighbours
        self.start = start

    def within(self, budgets: Sequence[Budget], *, steps: int = MOST_STEPS) -> bool | None:
        """Return whether some perfect matching keeps within all budgets; None: it took more steps to tell."""
        states = [_State({}, {})]
        for _ in range(steps):
            if not states:
                return False
            state = states.pop()
            mates = self._matching(budgets, state)
            if mates is None:
                continue
            over = _over(budgets, state, mates)
            if over is None:
                return True
            states += state.branches(*over)
        return None if states else False

    def _matching(self, budgets: Sequence[Budget], state: _State) -> list[int] | None:
        """Return a perfect matching of the pairs that the state leaves, if there is one."""
        spent = [
            sum(least for (of, _), least in state.least.items() if of == at) for at in range(len(budgets))
        ]
        if any(budget.most < least for budget, least in zip(budgets, spent, strict=True)):
            return None
        larger = [mask >> node + 1 << node + 1 for node, mask in enumerate(self.neighbours)]
        for at, budget in enumerate(budgets):
            for node in budget.charges:
                low = state.least.get((at, node), 0)
                high = min(state.most.get((at, node), budget.most), budget.most - spent[at] + low)
                larger[node] &= ~_ruled_out(budget.charges[node], low, high, larger[node])
        paying = sum(1 << node for node in {node for _, node in state.least})
        allowed = _both_ways([mask & ~paying for mask in larger])
        if not all(allowed):
            return None
        mates = [
            mate if mate >= 0 and allowed[node] >> mate & 1 else -1 for node, mate in enumerate(self.start)
        ]
        return mates if can_complete(allowed, mates) else None


def _ruled_out(charges: Mapping[int, int], low: int, high: int, free: int) -> int:
    """Return the larger nodes with which a node costs less than the least or more than the most."""
    out = 0
    for cost, others in charges.items():
        free &= ~others
        if not low <= cost <= high:
            out |= others
    return out | free if low else out


def _both_ways(larger: Sequence[int]) -> list[int]:
    allowed = list(larger)
    for node, mask in enumerate(larger):
        for other in bits(mask):
            allowed[other] |= 1 << node
    return allowed


def _over(budgets: Sequence[Budget], state: _State, mates: Sequence[int]) -> tuple[Pair, int] | None:
    """Return a node that costs more than it must, and what, of a budget that does not suffice."""
    for at, budget in enumerate(budgets):
        costs = {node: budget.cost(node, mates[node]) for node in budget.charges}
        if sum(costs.values()) > budget.most:
            return next(
                ((at, node), cost) for node, cost in costs.items() if cost > state.least.get((at, node), 0)
            )
    return None


def least_cost(prices: Prices) -> int:
    """Return the least that a perfect matching costs, of an even number of nodes."""

    @cache
    def least(left: int) -> int:
        if not left:
            return 0
        first, *others = bits(left)
        return min(prices[first][other] + least(left & ~(1 << first | 1 << other)) for other in others)

    return least((1 << len(prices)) - 1)


def cheaper_exchange(pairs: Sequence[Pair], prices: Prices) -> tuple[Pair, ...] | None:
    """Return two or three of the pairs whose nodes could be paired for less, if there are any."""
    paid = [(pair, prices[pair[0]][pair[1]]) for pair in pairs]
    for (one, first), (other, second) in combinations(paid, 2):
        if _least_of_two(one, other, prices) < first + second:
            return one, other
    for (one, first), (other, second), (last, third) in combinations(paid, 3):
        if _least_of_three(one, other, last, prices) < first + second + third:
            return one, other, last
    return None


def _least_of_two(one: Pair, other: Pair, prices: Prices) -> int:
    (a, b), (c, d) = one, other
    return min(prices[a][c] + prices[b][d], prices[a][d] + prices[b][c])


def _least_of_three(one: Pair, other: Pair, last: Pair, prices: Prices) -> int:
    """Return the least in which none of the three stays together: ``a`` and ``b`` meet one of each other pair."""
    (a, b), (c, d), (e, f) = one, other, last
    of_a, of_b, of_c, of_d = prices[a], prices[b], prices[c], prices[d]
    return min(
        of_b[c] + min(of_d[e] + of_a[f], of_d[f] + of_a[e]),
        of_b[d] + min(of_c[e] + of_a[f], of_c[f] + of_a[e]),
        of_a[c] + min(of_d[e] + of_b[f], of_d[f] + of_b[e]),
        of_a[d] + min(of_c[e] + of_b[f], of_c[f] + of_b[e]),
    )
