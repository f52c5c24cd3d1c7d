"""Seeds: by rating, by hand, and drawn so that anybody can draw them again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.seeding import Rated, SeedTwice, seeds_by_hand, seeds_by_rating, seeds_drawn

NUMBERS = st.sets(st.integers(1, 500), max_size=60)
SEEDS = st.integers(0, 2**53)


def test_the_highest_rating_is_seed_one_and_who_has_none_comes_last() -> None:
    entries = [Rated(1, None), Rated(2, 1500), Rated(3, 1900), Rated(4, None), Rated(5, 1500)]

    assert seeds_by_rating(entries) == {3: 1, 2: 2, 5: 3, 1: 4, 4: 5}


def test_seeds_by_hand_are_closed_up_and_who_was_given_none_has_none() -> None:
    assert seeds_by_hand({1: 7, 2: None, 3: 2, 4: 30}) == {1: 2, 2: None, 3: 1, 4: 3}


def test_one_seed_for_two_names_both() -> None:
    with pytest.raises(SeedTwice) as refused:
        seeds_by_hand({5: 1, 2: 1, 3: 2})

    assert (refused.value.seed, refused.value.entries) == (1, (2, 5))


def test_a_draw_is_the_one_it_always_was() -> None:
    assert seeds_drawn(range(1, 9), seed=4711) == {2: 1, 4: 2, 8: 3, 5: 4, 1: 5, 6: 6, 3: 7, 7: 8}


@given(numbers=NUMBERS, seed=SEEDS)
def test_a_draw_gives_every_entry_one_seed_from_one_up(numbers: set[int], seed: int) -> None:
    drawn = seeds_drawn(numbers, seed=seed)

    assert drawn.keys() == numbers
    assert sorted(drawn.values()) == list(range(1, len(numbers) + 1))


@given(numbers=NUMBERS, more=st.integers(501, 600), seed=SEEDS)
def test_an_entry_more_changes_no_order_between_two_others(numbers: set[int], more: int, seed: int) -> None:
    without = seeds_drawn(numbers, seed=seed)
    with_it = seeds_drawn(numbers | {more}, seed=seed)

    assert sorted(without, key=without.__getitem__) == [
        number for number in sorted(with_it, key=with_it.__getitem__) if number != more
    ]
