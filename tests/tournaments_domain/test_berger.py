"""The Berger tables: the published ones, and what must hold of every one."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.berger import ScheduleError, berger

PUBLISHED_FOR_SIX = [
    [(1, 6), (2, 5), (3, 4)],
    [(6, 4), (5, 3), (1, 2)],
    [(2, 6), (3, 1), (4, 5)],
    [(6, 5), (1, 4), (2, 3)],
    [(3, 6), (4, 2), (5, 1)],
]


def test_six_entries_play_by_the_published_table() -> None:
    rounds = berger([1, 2, 3, 4, 5, 6])

    assert [
        [(pairing.first, pairing.second) for pairing in plan.pairings] for plan in rounds
    ] == PUBLISHED_FOR_SIX


def test_five_entries_play_by_the_table_of_six_and_who_would_meet_the_sixth_has_a_bye() -> None:
    rounds = berger([1, 2, 3, 4, 5])

    assert [plan.byes[0].entry for plan in rounds] == [1, 4, 2, 5, 3]
    assert len(rounds[0].pairings) == 2


def test_the_second_cycle_is_the_first_with_the_teams_changed_about() -> None:
    rounds = berger([7, 9], cycles=2)

    assert [(plan.number, plan.pairings[0].first, plan.pairings[0].second) for plan in rounds] == [
        (1, 7, 9),
        (2, 9, 7),
    ]


@given(st.lists(st.integers(1, 999), min_size=2, max_size=25, unique=True), st.integers(1, 2))
def test_everybody_meets_everybody_once_a_cycle_and_sits_at_one_table_a_round(
    entries: list[int], cycles: int
) -> None:
    rounds = berger(entries, cycles=cycles)

    met = Counter(frozenset((pairing.first, pairing.second)) for plan in rounds for pairing in plan.pairings)
    assert met == {frozenset(pair): cycles for pair in combinations(entries, 2)}
    for plan in rounds:
        seated = [entry for pairing in plan.pairings for entry in (pairing.first, pairing.second)]
        assert sorted([*seated, *(bye.entry for bye in plan.byes)]) == sorted(entries)
    byes = Counter(bye.entry for plan in rounds for bye in plan.byes)
    assert byes == (dict.fromkeys(entries, cycles) if len(entries) % 2 else {})


@pytest.mark.parametrize(("entries", "cycles"), [([], 1), ([1], 1), ([1, 1], 1), ([1, 2], 0)])
def test_no_table_is_made_of_too_few_entries_or_of_one_twice(entries: list[int], cycles: int) -> None:
    with pytest.raises(ScheduleError):
        berger(entries, cycles=cycles)
