"""Ratings: by the formula of the documents, exact, and the same from the middle as from the beginning."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from math import exp, sqrt

from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.ratings import (
    DRAWN,
    ESTABLISHED,
    LOST,
    UNIT,
    WON,
    Change,
    RatedGame,
    Rating,
    day_of,
    expected,
    place_in_order,
    rate_games,
    rated,
)

NEW = Rating()
RESULTS = st.sampled_from((WON, DRAWN, LOST))


def games(results: Sequence[tuple[int, int, int]]) -> list[RatedGame[int]]:
    """Return matches of pairs by number: the first, how far on the second is of seven, the result."""
    return [
        RatedGame(first=(one,), second=((one + step) % 7,), result=result) for one, step, result in results
    ]


def of_all(matches: Sequence[RatedGame[int]]) -> list[Change[int]]:
    return [change for changes in rate_games(matches, {}) for change in changes]


def test_equals_are_expected_to_share_a_match() -> None:
    assert expected([NEW], [NEW]) == 500
    assert expected([NEW, NEW], [NEW, NEW]) == 500


def test_the_first_match_of_two_new_pairs_is_as_the_document_says() -> None:
    (mine,), (theirs,) = rated([NEW], [NEW], WON)

    assert mine == Rating(1658_123, 483_954, 1)
    assert theirs == Rating(1341_877, 483_954, 1)


def test_a_rating_changes_by_the_formula_of_the_document() -> None:
    mine, theirs = Rating(1600 * UNIT, 300 * UNIT, 12), Rating(1500 * UNIT, 200 * UNIT, 30)
    square, other = 300**2 + 5**2, 200**2 + 5**2
    doubt = sqrt(square + other + 2 * 250**2)
    chance = 1 / (1 + exp((1500 - 1600) / doubt))

    (won,), _lost = rated([mine], [theirs], WON)
    (drawn,), _other = rated([mine], [theirs], DRAWN)

    assert expected([mine], [theirs]) == round(1000 * chance)
    assert won.value == round(UNIT * (1600 + square / doubt * (1 - chance)))
    assert drawn.value == round(UNIT * (1600 + square / doubt * (0.5 - chance)))


def test_the_partner_of_whom_less_is_known_moves_more() -> None:
    known, new = Rating(1500 * UNIT, 100 * UNIT, 40), NEW

    (one, other), _theirs = rated([known, new], [NEW, NEW], WON)

    assert (one.value - known.value) * 10 < other.value - new.value


def test_a_rating_is_provisional_until_ten_matches() -> None:
    matches = games([(0, 1, WON)] * ESTABLISHED)

    after = [change.after.is_provisional for change in of_all(matches) if change.who == 0]

    assert after == [True] * 9 + [False]


@given(
    results=st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6), RESULTS), max_size=30),
    cut=st.integers(0, 30),
)
def test_going_on_from_kept_ratings_is_the_same_as_beginning_again(
    results: list[tuple[int, int, int]], cut: int
) -> None:
    matches = games(results)
    kept: dict[int, Rating] = {change.who: change.after for change in of_all(matches[:cut])}

    after = [change for changes in rate_games(matches[cut:], kept) for change in changes]

    assert after == of_all(matches)[2 * cut :]


@given(results=st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6), RESULTS), max_size=30))
def test_both_sides_of_a_match_say_the_same(results: list[tuple[int, int, int]]) -> None:
    for one, other in rate_games(games(results), {}):
        assert one.expected + other.expected == UNIT
        assert one.result + other.result == WON
        assert one.after.matches == one.before.matches + 1


@given(results=st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6), RESULTS), min_size=1, max_size=30))
def test_who_turns_every_match_around_turns_every_rating_around(results: list[tuple[int, int, int]]) -> None:
    matches = games(results)
    turned = [RatedGame(first=one.second, second=one.first, result=WON - one.result) for one in matches]

    assert {(c.who, c.after) for c in of_all(matches)} == {(c.who, c.after) for c in of_all(turned)}


def test_the_day_is_as_it_is_stated_or_else_that_of_the_instant() -> None:
    finished = datetime(2026, 11, 30, 18, 0, tzinfo=UTC)

    assert day_of("2026.11.29", finished) == date(2026, 11, 29)
    assert day_of("2026.11.??", finished) == date(2026, 11, 30)
    assert day_of("", finished) == date(2026, 11, 30)


def test_the_order_of_play_is_by_day_then_round_and_has_one_length() -> None:
    def place(day: int, hour: int, number: int, pk: int) -> str:
        began = datetime(2026, 11, day, hour, tzinfo=UTC)
        return place_in_order(day=date(2026, 11, day), began=began, round_number=number, number=pk)

    in_order = [place(28, 20, 9, 9), place(29, 18, 1, 12), place(29, 18, 2, 3), place(29, 19, 1, 1)]

    assert in_order == sorted(in_order)
    assert {len(one) for one in in_order} == {55}
    assert "".join(in_order).isdigit()
