"""Groups and the knockout of their best."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments_domain.playing import leave, met, open_round, play_out, play_round, start
from tournaments.domain.brackets import stages
from tournaments.domain.drawing import draw_round, schedule, what_next
from tournaments.domain.groups import bracket_order, cheapest, groups_of, rank_group, serpentine
from tournaments.domain.knockout import places_for, seed_order
from tournaments.domain.pairing import PairingError
from tournaments.domain.placing import place_entries
from tournaments.domain.plans import GroupsKnockoutPlan
from tournaments.domain.steps import BlockKind, NextStep

TWO_GROUPS = GroupsKnockoutPlan(groups=2)


def test_seven_entries_go_into_two_groups_by_their_seeds() -> None:
    assert serpentine([1, 2, 3, 4, 5, 6, 7], 2) == ((1, 4, 5), (2, 3, 6, 7))


def test_groups_that_the_tournament_keeps_hold() -> None:
    entries = [replace(entry, group=1 + entry.number % 2) for entry in start(5).entries]

    assert groups_of(entries, 2) == ((2, 4), (1, 3, 5))


def test_both_groups_play_at_the_same_time_and_each_match_names_its_group() -> None:
    first = schedule(TWO_GROUPS, start(7).entries)[0]

    assert met(first) == [(4, 5), (2, 7), (3, 6)]
    assert [pairing.label for pairing in first.pairings] == ["group-1", "group-2", "group-2"]
    assert [bye.entry for bye in first.byes] == [1]


def test_the_winner_of_each_group_meets_the_second_of_the_other() -> None:
    state = play_out(TWO_GROUPS, start(7))

    assert [met(one) for one in state.rounds[3:]] == [[(1, 3), (2, 4)], [(1, 2)]]
    assert stages(TWO_GROUPS, state) == {1: 6, 2: 4, 3: 2, 4: 2, 5: 0, 6: 0, 7: 0}
    assert [row.tally.entry for row in place_entries(TWO_GROUPS, state)[:2]] == [1, 2]


def test_the_knockout_waits_for_the_last_match_of_the_groups() -> None:
    state = start(4)
    state = replace(state, rounds=(open_round(draw_round(TWO_GROUPS, state)),))

    coming = what_next(TWO_GROUPS, state)

    assert (coming.step, coming.number, len(coming.blocks)) == (NextStep.WAIT, 2, 2)
    with pytest.raises(PairingError, match="table 1 of round 1 is not finished"):
        draw_round(TWO_GROUPS, state)


def test_who_has_withdrawn_does_not_go_on_and_the_next_of_the_group_does() -> None:
    state = start(8)
    for _ in range(3):
        state = play_round(TWO_GROUPS, state)

    semi_finals = draw_round(TWO_GROUPS, leave(state, 1))

    assert met(semi_finals) == [(4, 3), (2, 5)]


def test_who_leaves_a_group_early_counts_for_nobody_in_it() -> None:
    plan = GroupsKnockoutPlan(groups=2)
    state = leave(play_round(plan, start(8)), 8)
    while len(state.rounds) < 3:
        state = play_round(plan, state)
    members = [entry for entry in state.entries if entry.number in {1, 4, 5, 8}]

    rows = rank_group(members, state.rounds, scheme=state.scheme, cycles=1)

    assert [(row.tally.entry, row.tally.won, row.tally.byes) for row in rows] == [
        (1, 2, ()),
        (4, 1, ()),
        (5, 0, ()),
        (8, 0, ()),
    ]


def test_a_group_of_one_entry_cannot_be_played() -> None:
    entries = tuple(replace(entry, group=min(entry.number, 2)) for entry in start(4).entries)

    three, alone = what_next(TWO_GROUPS, start(3)), what_next(TWO_GROUPS, replace(start(4), entries=entries))

    assert [block.kind for block in (*three.blocks, *alone.blocks)] == [BlockKind.TOO_FEW_ENTRIES] * 2


@given(st.integers(1, 16), st.integers(1, 4))
def test_winners_never_meet_in_the_first_round_and_two_of_a_group_only_late(
    groups: int, qualifiers: int
) -> None:
    going_on = [[100 * group + place for place in range(1, qualifiers + 1)] for group in range(1, groups + 1)]
    if groups * qualifiers < 2:
        return

    order = bracket_order(going_on)

    assert sorted(order) == sorted(entry for group in going_on for entry in group)
    assert [entry % 100 for entry in order] == sorted(entry % 100 for entry in order)
    slots = {
        order[seed - 1]: slot
        for slot, seed in enumerate(seed_order(places_for(len(order))))
        if seed <= len(order)
    }
    rounds_until = {
        (one, other): (slots[one] ^ slots[other]).bit_length()
        for one, other in combinations(sorted(slots), 2)
    }
    last = (places_for(len(order)) - 1).bit_length()
    if qualifiers == 2 and groups > 1:
        assert all(rounds_until[100 * group + 1, 100 * group + 2] == last for group in range(1, groups + 1))
    if groups > 1 and qualifiers > 1:
        firsts = [100 * group + 1 for group in range(1, groups + 1)]
        assert all(rounds_until[pair] > 1 for pair in combinations(firsts, 2))


@given(st.integers(2, 40), st.integers(1, 6), st.integers(1, 2), st.randoms(use_true_random=False))
def test_within_a_group_every_two_meet_and_nobody_plays_twice_in_a_round(
    entries: int, groups: int, cycles: int, rng: Random
) -> None:
    if entries < 2 * groups:
        return
    plan = GroupsKnockoutPlan(groups=groups, cycles=cycles)

    draws = schedule(plan, start(entries).entries)

    meetings = Counter(frozenset(pair) for draw in draws for pair in met(draw))
    of_groups = serpentine(range(1, entries + 1), groups)
    assert meetings == {frozenset(pair): cycles for group in of_groups for pair in combinations(group, 2)}
    for draw in draws:
        seated = Counter(entry for pair in met(draw) for entry in pair)
        assert set(seated.values()) == {1}
        assert not set(seated) & {bye.entry for bye in draw.byes}


@given(st.lists(st.lists(st.integers(0, 50), min_size=5, max_size=5), min_size=5, max_size=5))
def test_no_other_assignment_costs_less(costs: list[list[int]]) -> None:
    given_columns = cheapest(costs)

    totals = [
        sum(costs[row][column] for row, column in enumerate(columns)) for columns in permutations(range(5))
    ]
    assert sum(costs[row][column] for row, column in enumerate(given_columns)) == min(totals)
    assert sorted(given_columns) == [0, 1, 2, 3, 4]
