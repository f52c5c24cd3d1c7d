"""Brackets: seeds, byes, the third place, walkovers, and matches that must be won (law 13.2)."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.results import Bye, ByeKind
from tests.tournaments_domain.playing import (
    better_seed,
    leave,
    met,
    open_round,
    play_out,
    play_round,
    played_round,
    start,
    worse_seed,
)
from tournaments.domain.brackets import stages
from tournaments.domain.draw_json import draw_from_json, draw_to_json
from tournaments.domain.drawing import draw_round, what_next
from tournaments.domain.knockout import seed_order
from tournaments.domain.pairing import Pairing, PairingError
from tournaments.domain.placing import place_entries
from tournaments.domain.plans import KnockoutPlan
from tournaments.domain.state import PlayedMatch, PlayedRound
from tournaments.domain.steps import Block, BlockKind, NextStep

PLAIN = KnockoutPlan()
WITH_THIRD = KnockoutPlan(third_place=True)


def test_the_first_meets_the_last_and_the_two_best_can_only_meet_at_the_end() -> None:
    orders = [seed_order(places) for places in (2, 4, 8)]

    assert orders == [(1, 2), (1, 4, 2, 3), (1, 8, 4, 5, 2, 7, 3, 6)]


def test_eight_play_quarter_finals_semi_finals_and_a_final() -> None:
    state = play_out(PLAIN, start(8))

    assert [met(one) for one in state.rounds] == [
        [(1, 8), (4, 5), (2, 7), (3, 6)],
        [(1, 4), (2, 3)],
        [(1, 2)],
    ]
    assert what_next(PLAIN, state).step is NextStep.OVER


def test_rounds_and_the_last_matches_have_names() -> None:
    draws = []
    state = start(17)
    while what_next(WITH_THIRD, state).step is NextStep.DRAW:
        draws.append(draw_round(WITH_THIRD, state))
        state = play_round(WITH_THIRD, state)

    assert [draw.label for draw in draws] == [
        "round-of-32",
        "round-of-16",
        "quarter-finals",
        "semi-finals",
        "final",
    ]
    assert [pairing.label for pairing in draws[-1].pairings] == ["final", "third-place"]


def test_five_entries_need_one_match_before_the_semi_finals_and_the_best_three_wait() -> None:
    first = draw_round(PLAIN, start(5))

    assert met(first) == [(4, 5)]
    assert [(bye.entry, bye.kind) for bye in first.byes] == [
        (1, ByeKind.PAIRING),
        (2, ByeKind.PAIRING),
        (3, ByeKind.PAIRING),
    ]


def test_the_losers_of_the_semi_finals_play_for_the_third_place() -> None:
    state = play_out(WITH_THIRD, start(4), worse_seed)

    assert met(state.rounds[-1]) == [(3, 4), (1, 2)]
    assert stages(WITH_THIRD, state) == {4: 6, 3: 4, 2: 3, 1: 2}
    assert [row.tally.entry for row in place_entries(WITH_THIRD, state)] == [4, 3, 2, 1]


def test_without_a_match_for_it_the_third_place_is_shared_by_stage() -> None:
    state = play_out(PLAIN, start(4))

    assert stages(PLAIN, state) == {1: 6, 2: 4, 3: 2, 4: 2}


def test_of_three_entries_nobody_plays_for_the_third_place() -> None:
    state = play_out(WITH_THIRD, start(3))

    assert [met(one) for one in state.rounds] == [[(2, 3)], [(1, 2)]]


def test_a_level_match_holds_up_the_next_round_until_further_deals_bring_a_court() -> None:
    def level_at_the_top(pairing: Pairing) -> int | None:
        return None if pairing.first == 1 else pairing.first

    state = play_round(PLAIN, start(4), level_at_the_top)

    coming = what_next(PLAIN, state)
    assert coming.step is NextStep.WAIT
    assert coming.blocks == (Block(kind=BlockKind.LEVEL_MATCH, round=1, table="1", entries=(1, 4)),)
    with pytest.raises(PairingError, match="table 1 of round 1 is level: further deals until a court"):
        draw_round(PLAIN, state)


def test_an_open_and_a_void_match_hold_up_the_next_round() -> None:
    drawn = open_round(draw_round(PLAIN, start(4)))
    state = replace(
        start(4), rounds=(replace(drawn, matches=(drawn.matches[0], replace(drawn.matches[1], void=True))),)
    )

    coming = what_next(PLAIN, state)

    assert [(block.kind, block.table) for block in coming.blocks] == [
        (BlockKind.OPEN_MATCH, "1"),
        (BlockKind.VOID_MATCH, "2"),
    ]


def test_who_withdraws_after_winning_gives_the_next_match_away() -> None:
    state = leave(play_round(PLAIN, start(4)), 1)

    final = draw_round(PLAIN, state)
    over = play_round(PLAIN, state)

    assert [(pairing.first, pairing.second, pairing.given_away_by) for pairing in final.pairings] == [
        (1, 2, (1,))
    ]
    assert what_next(PLAIN, over).step is NextStep.OVER
    assert stages(PLAIN, over) == {1: 4, 2: 6, 3: 2, 4: 2}


def test_where_both_of_a_match_have_withdrawn_the_next_opponent_has_a_bye() -> None:
    state = leave(play_round(PLAIN, start(8)), 1, 4)
    state = play_round(PLAIN, state)

    final = draw_round(PLAIN, state)

    assert met(final) == []
    assert [bye.entry for bye in final.byes] == [2]


def test_who_withdraws_before_the_draw_is_not_in_the_bracket() -> None:
    first = draw_round(PLAIN, leave(start(5), 2))

    assert met(first) == [(1, 5), (3, 4)]


def test_who_comes_after_the_first_round_has_no_place_and_is_named() -> None:
    state = play_round(PLAIN, start(4))
    late = replace(state.entries[0], number=5, seed=5, joined_round=2)

    coming = what_next(PLAIN, replace(state, entries=(*state.entries, late)))

    assert (coming.step, coming.label, coming.left_out) == (NextStep.DRAW, "final", (5,))


def test_a_directors_swap_is_followed_by_the_bracket() -> None:
    drawn = draw_round(PLAIN, start(8))
    one, two, *others = drawn.pairings
    swapped = replace(
        drawn, pairings=(replace(one, second=two.second), replace(two, second=one.second), *others)
    )
    state = replace(start(8), rounds=(played_round(swapped),))

    second = draw_round(PLAIN, state)

    assert met(swapped)[:2] == [(1, 5), (4, 8)]
    assert met(second) == [(1, 4), (2, 3)]


def test_a_result_corrected_after_the_next_draw_moves_nobody_who_has_played() -> None:
    first = draw_round(PLAIN, start(4))
    state = play_round(PLAIN, replace(start(4), rounds=(played_round(first),)))

    corrected = replace(state, rounds=(played_round(first, worse_seed), *state.rounds[1:]))

    assert what_next(PLAIN, corrected).step is NextStep.OVER
    assert stages(PLAIN, corrected)[1] == 6


def test_who_is_made_winner_of_a_semi_final_after_the_final_was_played_stands_where_it_played() -> None:
    """4 has lost the match for the third place, and is no better for having rightly won its semi-final."""
    semi_finals = draw_round(WITH_THIRD, start(4))
    state = play_round(WITH_THIRD, replace(start(4), rounds=(played_round(semi_finals),)))

    corrected = replace(state, rounds=(played_round(semi_finals, worse_seed), *state.rounds[1:]))

    assert met(state.rounds[1]) == [(1, 2), (3, 4)]
    assert stages(WITH_THIRD, corrected) == stages(WITH_THIRD, state) == {1: 6, 2: 4, 3: 3, 4: 2}
    assert [row.tally.entry for row in place_entries(WITH_THIRD, corrected)] == [1, 2, 3, 4]


def test_who_is_made_winner_while_the_next_round_is_open_has_not_got_into_it() -> None:
    quarter_finals = draw_round(PLAIN, start(8))
    state = replace(start(8), rounds=(played_round(quarter_finals),))
    semi_finals = open_round(draw_round(PLAIN, state))

    corrected = replace(state, rounds=(played_round(quarter_finals, worse_seed), semi_finals))

    assert stages(PLAIN, corrected) == dict.fromkeys((1, 2, 3, 4), 4) | dict.fromkeys((5, 6, 7, 8), 2)


@given(st.integers(4, 20), st.randoms(use_true_random=False), st.booleans())
def test_whatever_is_corrected_in_rounds_before_the_last_moves_nobody(
    entries: int, rng: Random, third_place: bool
) -> None:
    plan = KnockoutPlan(third_place=third_place)
    state = play_out(plan, start(entries), lambda pairing: rng.choice((pairing.first, pairing.second)))

    *before, last = state.rounds
    corrected = replace(state, rounds=(*(turned_round(one, rng) for one in before), last))

    assert stages(plan, corrected) == stages(plan, state)


def turned_round(one: PlayedRound, rng: Random) -> PlayedRound:
    """Return the round with the courts of some of its matches the other way round."""
    return replace(
        one, matches=tuple(turned(match) if rng.random() < 0.5 else match for match in one.matches)
    )


def turned(match: PlayedMatch) -> PlayedMatch:
    assert match.result is not None
    first, second = match.result.sides
    sides = (replace(first, courts=second.courts), replace(second, courts=first.courts))
    return replace(match, result=replace(match.result, sides=sides))


def test_a_bye_of_somebody_who_was_not_there_leads_nowhere() -> None:
    drawn = played_round(draw_round(PLAIN, start(3)))
    absent = replace(drawn, byes=(Bye(round=1, entry=1, kind=ByeKind.ABSENT),))

    final = draw_round(PLAIN, replace(start(3), rounds=(absent,)))

    assert (met(final), [bye.entry for bye in final.byes]) == ([], [2])


@pytest.mark.parametrize("third_place", [False, True])
@pytest.mark.parametrize("entries", range(2, 18))
def test_every_entry_but_one_loses_once(entries: int, third_place: bool) -> None:
    plan = KnockoutPlan(third_place=third_place)

    state = play_out(plan, start(entries))

    matches = [match.entries for one in state.rounds for match in one.matches]
    assert len(matches) == entries - 1 + (third_place and entries > 3)
    assert len(state.rounds) == (entries - 1).bit_length()
    assert what_next(plan, state).step is NextStep.OVER


@given(st.integers(2, 70), st.randoms(use_true_random=False), st.booleans())
def test_whoever_wins_nobody_plays_twice_in_a_round_and_the_best_seeds_have_the_byes(
    entries: int, rng: Random, third_place: bool
) -> None:
    plan = KnockoutPlan(third_place=third_place)

    state = play_out(plan, start(entries), lambda pairing: rng.choice((pairing.first, pairing.second)))

    byes = sorted(bye.entry for one in state.rounds for bye in one.byes)
    assert byes == list(range(1, (1 << (entries - 1).bit_length()) - entries + 1))
    for one in state.rounds:
        seated = Counter(entry for match in one.matches for entry in match.entries)
        assert set(seated.values()) <= {1}
    for one in state.rounds[:-1]:
        assert (1, 2) not in met(one)
    reached = stages(plan, state)
    assert sorted(reached) == list(range(1, entries + 1))
    assert sum(stage == max(reached.values()) for stage in reached.values()) == 1


@given(st.integers(2, 70))
def test_where_the_better_seed_always_wins_the_two_best_meet_in_the_final(entries: int) -> None:
    state = play_out(PLAIN, start(entries), better_seed)

    assert met(state.rounds[-1]) == [(1, 2)]


def test_a_bye_of_the_first_round_is_by_seed() -> None:
    draw = draw_round(KnockoutPlan(), start(5))

    assert {bye.entry: bye.by_seed for bye in draw.byes} == {1: True, 2: True, 3: True}
    assert draw_from_json(draw_to_json(draw)) == draw
