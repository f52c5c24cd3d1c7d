"""The checker's own methods, against all matchings that there are."""

from collections.abc import Iterator

from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.pairing_proofs import Budget, Pair, Puzzle, can_complete, cheaper_exchange, least_cost

Prices = list[list[int]]
NEVER = 10_000


@st.composite
def prices(draw: st.DrawFn) -> Prices:
    """What up to eight nodes cost with each other; some pairs may not be."""
    nodes = draw(st.sampled_from([2, 4, 6, 8]))
    table = [[NEVER] * nodes for _ in range(nodes)]
    for node in range(nodes):
        for other in range(node + 1, nodes):
            table[node][other] = table[other][node] = draw(st.sampled_from([0, 1, 1, 2, 3, 7, NEVER]))
    return table


def neighbours(table: Prices) -> list[int]:
    return [sum(1 << other for other, price in enumerate(row) if price < NEVER) for row in table]


def all_matchings(left: tuple[int, ...]) -> Iterator[tuple[Pair, ...]]:
    if not left:
        yield ()
        return
    for other in left[1:]:
        rest = tuple(node for node in left[1:] if node != other)
        yield from (((left[0], other), *matching) for matching in all_matchings(rest))


def by_price(table: Prices) -> list[tuple[int, tuple[Pair, ...]]]:
    return sorted(
        (sum(table[node][other] for node, other in matching), matching)
        for matching in all_matchings(tuple(range(len(table))))
    )


def charges(table: Prices) -> dict[int, dict[int, int]]:
    return {
        node: {
            price: sum(1 << other for other in range(node + 1, len(row)) if row[other] == price)
            for price in {*row[node + 1 :]} - {0, NEVER}
        }
        for node, row in enumerate(table)
    }


@given(prices())
def test_everybody_can_be_paired_exactly_where_some_matching_pairs_everybody(table: Prices) -> None:
    mates = [-1] * len(table)

    complete = can_complete(neighbours(table), mates)

    assert complete == (by_price(table)[0][0] < NEVER)
    if complete:
        assert all(mates[mate] == node != mate for node, mate in enumerate(mates))
        assert all(table[node][mate] < NEVER for node, mate in enumerate(mates))


@given(prices(), st.integers(0, 12))
def test_a_budget_is_kept_exactly_where_the_cheapest_matching_keeps_it(table: Prices, most: int) -> None:
    puzzle = Puzzle(neighbours(table), [-1] * len(table))

    within = puzzle.within([Budget(most, charges(table))])

    assert within == (by_price(table)[0][0] <= most)


@given(prices(), st.data(), st.integers(0, 6), st.integers(0, 6))
def test_two_budgets_are_kept_exactly_where_some_matching_keeps_both(
    table: Prices, data: st.DataObject, most: int, also: int
) -> None:
    nodes = len(table)
    second = [[data.draw(st.integers(0, 2)) for _ in range(nodes)] for _ in range(nodes)]
    puzzle = Puzzle(neighbours(table), [-1] * nodes)

    within = puzzle.within([Budget(most, charges(table)), Budget(also, charges(second))])

    assert within == any(
        price <= most and sum(second[node][other] for node, other in matching) <= also
        for price, matching in by_price(table)
    )


@given(prices())
def test_the_least_cost_is_that_of_the_cheapest_matching(table: Prices) -> None:
    assert least_cost(table) == by_price(table)[0][0]


@given(prices(), st.data())
def test_an_exchange_is_found_exactly_where_two_or_three_pairs_make_it_cheaper(
    table: Prices, data: st.DataObject
) -> None:
    matchings = by_price(table)
    paid, matching = data.draw(st.sampled_from(matchings))

    changed = cheaper_exchange(matching, table)

    cheaper = any(price < paid and len({*matching} - {*other}) in {2, 3} for price, other in matchings)
    assert (changed is not None) == cheaper
