"""The matchings behind a draw, against all matchings that there are."""

from collections.abc import Iterable, Iterator
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.matching import Costs, Edge, NoPerfectMatchingError, greatest_size, least_matching

Graph = tuple[int, list[Edge], list[dict[Edge, int]]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Up to eight nodes, and up to six criteria of which many cost nothing."""
    nodes = draw(st.sampled_from([2, 4, 6, 6, 8, 8]))
    edges = [edge for edge in combinations(range(nodes), 2) if draw(st.integers(0, 9)) > 1]
    cost = st.sampled_from([0, 0, 0, 1, 1, 2, 5])
    criteria = [{edge: draw(cost) for edge in edges} for _ in range(draw(st.integers(1, 6)))]
    return nodes, edges, criteria


def all_matchings(left: tuple[int, ...], edges: set[Edge]) -> Iterator[frozenset[Edge]]:
    if not left:
        yield frozenset()
        return
    for other in left[1:]:
        if (left[0], other) in edges:
            rest = tuple(node for node in left[1:] if node != other)
            yield from (matching | {(left[0], other)} for matching in all_matchings(rest, edges))


def costs(matching: Iterable[Edge], criteria: list[dict[Edge, int]]) -> list[int]:
    return [sum(criterion[edge] for edge in matching) for criterion in criteria]


def found(graph: Graph, *, limit: int) -> frozenset[Edge]:
    nodes, edges, criteria = graph
    given_by = [lambda left, one=one: {edge: one[edge] for edge in left} for one in criteria]
    return least_matching(nodes, edges, given_by, limit=limit)


@pytest.mark.parametrize("limit", [2**112, 2**24, 2**16])
@given(graph=graphs())
def test_the_matching_is_the_least_of_all_one_criterion_after_the_other(graph: Graph, limit: int) -> None:
    nodes, edges, criteria = graph
    possible = [costs(matching, criteria) for matching in all_matchings(tuple(range(nodes)), set(edges))]

    if not possible:
        with pytest.raises(NoPerfectMatchingError):
            found(graph, limit=limit)
    else:
        assert costs(found(graph, limit=limit), criteria) == min(possible)


@given(graph=graphs())
def test_where_the_weights_run_out_of_bits_the_matching_is_still_perfect_and_the_least_in_the_first(
    graph: Graph,
) -> None:
    nodes, edges, criteria = graph
    possible = [costs(matching, criteria) for matching in all_matchings(tuple(range(nodes)), set(edges))]

    if possible:
        matching = found(graph, limit=2**5)

        assert sorted(node for edge in matching for node in edge) == list(range(nodes))
        assert costs(matching, criteria)[0] == min(possible)[0]


def test_costs_that_no_weight_can_hold_are_refused() -> None:
    too_much: Costs = {(0, 1): 2**120}

    with pytest.raises(ValueError, match="too great"):
        least_matching(2, [(0, 1)], [lambda _: too_much])


def test_the_greatest_size_counts_edges() -> None:
    assert greatest_size(4, [(0, 1), (0, 2), (0, 3)]) == 1
    assert greatest_size(4, [(0, 1), (2, 3), (0, 2)]) == 2
