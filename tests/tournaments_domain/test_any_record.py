"""Whatever was recorded, every format can say what comes next and who stands where."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.domain.results import Bye, ByeKind
from tests.tournaments_domain.playing import result, start
from tournaments.domain.drawing import draw_round, schedule_left, what_next
from tournaments.domain.labels import THIRD_PLACE
from tournaments.domain.pairing import Pairing, PairingError
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
from tournaments.domain.state import PlayedMatch, PlayedRound, TournamentState
from tournaments.domain.steps import NextStep

PLANS: list[FormatPlan] = [
    SinglePlan(),
    RoundRobinPlan(),
    SwissPlan(),
    KnockoutPlan(third_place=True),
    GroupsKnockoutPlan(third_place=True),
    LeaguePlan(),
    LeaguePlan(pairing=SessionPairing.ROUND_ROBIN),
    WinnerStaysPlan(tables=2),
]


@st.composite
def a_match(draw: st.DrawFn, number: int, table: int, first: int, second: int) -> PlayedMatch:
    match = PlayedMatch(table=str(table), first=first, second=second)
    match = replace(match, label=draw(st.sampled_from(["", "", "", THIRD_PLACE.key])))
    match = replace(match, ended=draw(st.none() | st.integers(1, 9)))
    given_away = draw(st.sampled_from([(), (), (), (first,), (second, first)]))
    if given_away:
        return replace(match, given_away_by=given_away)
    winner = draw(st.sampled_from([first, second, None]))
    played = draw(st.sampled_from([None, result(number, Pairing(first=first, second=second), winner)]))
    return replace(match, result=played, void=draw(st.integers(0, 9)) == 0)


@st.composite
def a_round(draw: st.DrawFn, number: int, entries: int) -> PlayedRound:
    order = draw(st.permutations(range(1, entries + 1)))
    seated = 2 * draw(st.integers(0, entries // 2))
    pairs = zip(order[:seated:2], order[1:seated:2], strict=True)
    off = draw(st.integers(0, entries - seated))
    return PlayedRound(
        number=number,
        matches=tuple(draw(a_match(number, table, *pair)) for table, pair in enumerate(pairs, start=1)),
        byes=tuple(
            Bye(round=number, entry=entry, kind=draw(st.sampled_from(ByeKind)))
            for entry in order[seated : seated + off]
        ),
        session=draw(st.just(1 + number // 3)),
    )


@st.composite
def a_state(draw: st.DrawFn) -> TournamentState:
    entries = draw(st.integers(0, 9))
    rounds = tuple(draw(a_round(number, entries)) for number in range(1, draw(st.integers(0, 6)) + 1))
    participants = tuple(
        replace(
            entry,
            active=draw(st.integers(0, 4)) > 0,
            joined_round=draw(st.sampled_from([1, 1, 1, 2, 4])),
        )
        for entry in start(entries).entries
    )
    session = rounds[-1].session if rounds else 1
    return replace(start(0), entries=participants, rounds=rounds, session=session)


@pytest.mark.parametrize("plan", PLANS)
@given(state=a_state())
@settings(max_examples=50)
def test_the_next_step_and_the_standings_can_always_be_asked_for(
    plan: FormatPlan, state: TournamentState
) -> None:
    coming = what_next(plan, state)

    assert (coming.step is NextStep.WAIT) == bool(coming.blocks)
    assert len(place_entries(plan, state)) == len(state.entries)
    if coming.step is not NextStep.DRAW:
        with pytest.raises(PairingError):
            draw_round(plan, state)
        return
    draw = draw_round(plan, state)
    there = [entry for one in draw.pairings for entry in (one.first, one.second)]
    there += [bye.entry for bye in draw.byes]
    assert draw.number == coming.number == state.last_number + 1
    assert draw.label == coming.label
    assert len(set(there)) == len(there)
    assert set(there) <= {entry.number for entry in state.entries}


@pytest.mark.parametrize("plan", PLANS)
@given(state=a_state())
@settings(max_examples=50)
def test_what_is_left_of_a_schedule_begins_with_the_round_that_is_drawn(
    plan: FormatPlan, state: TournamentState
) -> None:
    if what_next(plan, state).step is not NextStep.DRAW:
        return

    left = schedule_left(plan, state)

    assert not left or left[0] == draw_round(plan, state)
