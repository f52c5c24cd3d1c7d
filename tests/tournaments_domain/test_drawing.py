"""The next round of single matches, round robins, Swiss and leagues, and what it waits for."""

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.results import ByeKind, Ranking, Scheme
from tests.tournaments_domain.playing import (
    leave,
    met,
    open_round,
    play_out,
    play_round,
    start,
    worse_seed,
)
from tournaments.domain.drawing import draw_round, schedule, schedule_left, what_next
from tournaments.domain.labels import FINAL, Label, LabelKind, group_label, knockout_label, read_label
from tournaments.domain.pairing import ByeGiven, Note, PairingError, Wish
from tournaments.domain.placing import place_entries
from tournaments.domain.plans import (
    FormatPlan,
    GroupsKnockoutPlan,
    KnockoutPlan,
    LeaguePlan,
    RoundRobinPlan,
    SessionPairing,
    SinglePlan,
    SwissPlan,
    WinnerStaysPlan,
)
from tournaments.domain.state import Participant
from tournaments.domain.steps import BlockKind, NextStep

ONCE = RoundRobinPlan()
EVERY_FORMAT: list[FormatPlan] = [
    SinglePlan(),
    ONCE,
    SwissPlan(),
    KnockoutPlan(),
    GroupsKnockoutPlan(),
    LeaguePlan(),
    WinnerStaysPlan(),
]


def test_one_match_is_drawn_and_then_it_is_over() -> None:
    state = play_round(SinglePlan(), start(2))

    assert met(state.rounds[0]) == [(1, 2)]
    assert what_next(SinglePlan(), state).step is NextStep.OVER


@pytest.mark.parametrize(
    "plan",
    [SinglePlan(), ONCE, SwissPlan(), KnockoutPlan(), GroupsKnockoutPlan(), LeaguePlan(), WinnerStaysPlan()],
)
def test_one_entry_alone_waits_for_others(plan: FormatPlan) -> None:
    coming = what_next(plan, start(1))

    assert [block.kind for block in coming.blocks] == [BlockKind.TOO_FEW_ENTRIES]
    with pytest.raises(PairingError, match="too few entries"):
        draw_round(plan, start(1))


@pytest.mark.parametrize("entries", range(6))
@pytest.mark.parametrize("plan", EVERY_FORMAT)
def test_whatever_few_there_are_the_next_step_and_the_standings_can_be_asked_for(
    plan: FormatPlan, entries: int
) -> None:
    state = start(entries)

    for _ in range(2):
        coming = what_next(plan, state)
        assert len(place_entries(plan, state)) == entries
        if coming.step is NextStep.DRAW:
            state = play_round(plan, state)


# -- round robins


def test_five_entries_have_one_bye_each() -> None:
    draws = schedule(ONCE, start(5).entries)

    assert [met(draw) for draw in draws] == [
        [(2, 5), (3, 4)],
        [(5, 3), (1, 2)],
        [(3, 1), (4, 5)],
        [(1, 4), (2, 3)],
        [(4, 2), (5, 1)],
    ]
    assert [bye.entry for draw in draws for bye in draw.byes] == [1, 4, 2, 5, 3]


def test_a_round_is_drawn_while_an_earlier_one_is_played_and_the_end_waits_for_all() -> None:
    state = start(4)
    for _ in range(3):
        state = replace(state, rounds=(*state.rounds, open_round(draw_round(ONCE, state))))

    coming = what_next(ONCE, state)

    assert (coming.step, coming.number, len(coming.blocks)) == (NextStep.WAIT, 3, 6)


def test_who_has_withdrawn_or_is_away_gives_the_match_away() -> None:
    state = leave(play_round(ONCE, start(4)), 3)
    away = ByeGiven(entry=1, kind=ByeKind.ABSENT)

    draw = draw_round(ONCE, replace(state, away=(away,)))

    assert [(one.first, one.second, one.given_away_by) for one in draw.pairings] == [
        (4, 3, (3,)),
        (1, 2, (1,)),
    ]


def test_who_withdraws_before_the_first_round_is_in_no_schedule() -> None:
    state = play_out(ONCE, leave(start(5), 2))

    assert [len(one.matches) for one in state.rounds] == [2, 2, 2]
    assert not any(match.given_away_by for one in state.rounds for match in one.matches)


def test_who_has_left_has_no_bye_any_more_and_who_is_away_has() -> None:
    state = play_round(ONCE, start(5))
    away = ByeGiven(entry=4, kind=ByeKind.ABSENT)

    left, gone = draw_round(ONCE, leave(state, 4)), draw_round(ONCE, replace(state, away=(away,)))

    assert [bye.entry for bye in left.byes] == []
    assert [(bye.entry, bye.kind) for bye in gone.byes] == [(4, ByeKind.PAIRING)]


def test_all_rounds_that_are_left_can_be_had_at_once() -> None:
    state = leave(play_round(ONCE, start(4)), 3)
    away = ByeGiven(entry=1, kind=ByeKind.ABSENT)

    second, third = schedule_left(ONCE, replace(state, away=(away,)))

    assert [one.given_away_by for one in second.pairings] == [(3,), (1,)]
    assert [(one.first, one.second, one.given_away_by) for one in third.pairings] == [
        (2, 4, ()),
        (3, 1, (3,)),
    ]
    assert schedule_left(SwissPlan(), start(4)) == ()


def test_a_late_entry_takes_the_free_place_of_an_odd_number_and_a_second_has_none() -> None:
    late = [Participant(number=number, seed=number, joined_round=2) for number in (4, 5)]
    state = replace(start(3), entries=(*start(3).entries, *late))

    draws = schedule(ONCE, state.entries)

    assert met(draws[1]) == [(4, 3), (1, 2)]
    assert what_next(ONCE, state).left_out == (5,)


def test_who_would_meet_an_entry_that_comes_later_has_a_bye() -> None:
    late = Participant(number=4, seed=4, joined_round=2)
    state = replace(start(3), entries=(*start(3).entries, late))

    draw = draw_round(ONCE, state)

    assert met(draw) == [(2, 3)]
    assert [(bye.entry, bye.kind) for bye in draw.byes] == [(1, ByeKind.PAIRING)]


@given(st.integers(2, 20), st.integers(1, 2), st.randoms(use_true_random=False))
def test_every_two_meet_so_often_as_there_are_cycles(entries: int, cycles: int, rng: Random) -> None:
    plan = RoundRobinPlan(cycles=cycles)

    state = play_out(plan, start(entries), lambda pairing: rng.choice((pairing.first, pairing.second, None)))

    meetings = Counter(frozenset(pair) for one in state.rounds for pair in met(one))
    assert meetings == {frozenset(pair): cycles for pair in combinations(range(1, entries + 1), 2)}
    assert what_next(plan, state).step is NextStep.OVER


# -- Swiss


def test_a_swiss_draws_by_score_and_waits_for_every_result() -> None:
    plan = SwissPlan(rounds=2)
    first = draw_round(plan, start(4))
    waiting = what_next(plan, replace(start(4), rounds=(open_round(first),)))

    state = play_round(plan, start(4), worse_seed)

    assert met(first) == [(1, 3), (2, 4)]
    assert [(block.round, block.table) for block in waiting.blocks] == [(1, "1"), (1, "2")]
    assert met(draw_round(plan, state)) == [(3, 4), (1, 2)]
    assert what_next(plan, play_round(plan, state)).step is NextStep.OVER


def test_a_swiss_knows_wishes_byes_and_who_is_away() -> None:
    plan = SwissPlan()
    away = ByeGiven(entry=6, kind=ByeKind.REQUESTED)
    state = replace(
        leave(start(7), 5),
        away=(away,),
        forced=(Wish(entries=(1, 2), reason="for the guests"), Wish(entries=(6, 7), reason="one is away")),
        forbidden=(Wish(entries=(3, 4), reason="the same house"),),
    )

    draw = draw_round(plan, state)

    assert (1, 2) in met(draw)
    assert (3, 4) not in met(draw)
    assert Note.FORCED in next(one.notes for one in draw.pairings if one.first == 1)
    assert [(bye.kind) for bye in draw.byes] == [ByeKind.PAIRING, ByeKind.REQUESTED]


def test_an_entry_that_comes_late_to_a_swiss_is_drawn_from_its_round_on() -> None:
    plan = SwissPlan(rounds=3)
    late = Participant(number=5, seed=5, joined_round=2)
    state = replace(start(4), entries=(*start(4).entries, late))

    first = draw_round(plan, state)
    second = draw_round(plan, play_round(plan, state))

    assert 5 not in {entry for pair in met(first) for entry in pair}
    assert 5 in {entry for pair in met(second) for entry in pair} | {bye.entry for bye in second.byes}


@given(st.integers(2, 14), st.integers(1, 5), st.randoms(use_true_random=False))
def test_in_a_swiss_nobody_plays_twice_in_a_round(entries: int, rounds: int, rng: Random) -> None:
    plan = SwissPlan(rounds=rounds)

    state = play_out(plan, start(entries), lambda pairing: rng.choice((pairing.first, pairing.second, None)))

    assert len(state.rounds) == rounds
    for one in state.rounds:
        there = [entry for pair in met(one) for entry in pair] + [bye.entry for bye in one.byes]
        assert sorted(there) == list(range(1, entries + 1))


# -- leagues


def test_every_session_of_a_league_begins_level_and_the_rounds_count_on() -> None:
    plan = LeaguePlan(sessions=2, rounds=2)
    state = play_out(plan, start(4), worse_seed)
    after_first = what_next(plan, state)

    state = replace(state, session=2)
    third = draw_round(plan, state)
    state = play_out(plan, state)

    assert after_first.step is NextStep.NEXT_SESSION
    assert (third.number, met(third)) == (3, [(1, 4), (2, 3)])
    assert [(one.number, one.session) for one in state.rounds] == [(1, 1), (2, 1), (3, 2), (4, 2)]
    assert what_next(plan, state).step is NextStep.OVER


@pytest.mark.parametrize("pairing", SessionPairing)
def test_a_league_goes_through_all_opponents_and_byes_before_it_repeats_any(pairing: SessionPairing) -> None:
    plan = LeaguePlan(sessions=5, rounds=1, pairing=pairing)
    state = start(5)

    for session in range(1, 6):
        state = play_out(plan, replace(state, session=session), worse_seed)

    meetings = Counter(frozenset(pair) for one in state.rounds for pair in met(one))
    assert set(meetings.values()) == {1}
    assert Counter(bye.entry for one in state.rounds for bye in one.byes) == dict.fromkeys(range(1, 6), 1)


def test_what_blocks_a_leagues_session_has_the_rounds_own_number() -> None:
    plan = LeaguePlan(sessions=2, rounds=1)
    state = replace(play_round(plan, start(2)), session=2)
    state = replace(state, rounds=(*state.rounds, open_round(draw_round(plan, state), session=2)))

    coming = what_next(plan, state)

    assert [(block.round, block.table) for block in coming.blocks] == [(2, "1")]


def test_a_session_that_is_a_round_robin_is_one_of_those_who_are_there() -> None:
    plan = LeaguePlan(sessions=1, rounds=3, pairing=SessionPairing.ROUND_ROBIN)
    away = ByeGiven(entry=2, kind=ByeKind.ABSENT)
    state = replace(start(5), away=(away,), scheme=Scheme(ranking=Ranking.SESSION_POINTS))

    state = replace(play_round(plan, state), away=())
    state = play_out(plan, state)

    meetings = Counter(frozenset(pair) for one in state.rounds for pair in met(one))
    assert meetings == {frozenset(pair): 1 for pair in combinations((1, 3, 4, 5), 2)}


# -- names


@pytest.mark.parametrize(
    "label", [FINAL, Label(LabelKind.THIRD_PLACE), knockout_label(8), knockout_label(64), group_label(3)]
)
def test_a_label_is_read_back_from_its_key(label: Label) -> None:
    assert read_label(label.key) == label


@pytest.mark.parametrize(
    "key", ["", "Final", "final-2", "group", "group-", "group-x", "round-of--1", "group-²"]
)
def test_what_is_no_key_is_no_label(key: str) -> None:
    assert read_label(key) is None
