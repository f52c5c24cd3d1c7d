"""Which drawn rounds were paired by what is no longer so."""

from dataclasses import replace

import pytest

from tests.tournaments_domain.playing import leave, open_round, play_out, play_round, result, start
from tournaments.domain.dependence import depends_on, paired_otherwise
from tournaments.domain.drawing import draw_round, what_next
from tournaments.domain.pairing import Pairing
from tournaments.domain.plans import (
    FormatPlan,
    GroupsKnockoutPlan,
    KnockoutPlan,
    LeaguePlan,
    RoundRobinPlan,
    SessionPairing,
    SwissPlan,
)
from tournaments.domain.state import PlayedMatch, TournamentState
from tournaments.domain.steps import NextStep

GROUPS = GroupsKnockoutPlan(groups=2, qualifiers=1)
CUP = KnockoutPlan(third_place=True)


def corrected(state: TournamentState, first: int, second: int, winner: int | None) -> TournamentState:
    """Return the tournament with another winner of the match of these two."""

    def of(number: int, match: PlayedMatch) -> PlayedMatch:
        if set(match.entries) != {first, second}:
            return match
        pairing = Pairing(first=match.first, second=match.second)
        return replace(match, result=result(number, pairing, winner))

    rounds = tuple(
        replace(one, matches=tuple(of(one.number, match) for match in one.matches)) for one in state.rounds
    )
    return replace(state, rounds=rounds)


def penalised(state: TournamentState, entry: int) -> TournamentState:
    entries = tuple(replace(one, penalty=1) if one.number == entry else one for one in state.entries)
    return replace(state, entries=entries)


def later(
    plan: FormatPlan, before: TournamentState, after: TournamentState, since: int = 1
) -> list[tuple[int, ...]]:
    """Return the matches after the round that were paired otherwise: its round, and who meets whom."""
    rounds = range(since + 1, before.last_number + 1)
    found = paired_otherwise(plan, before, after, rounds)
    return [(number, *sorted(match.entries)) for number, match in found]


def a_league(pairing: SessionPairing) -> tuple[LeaguePlan, TournamentState]:
    """Return a league of two sessions of two rounds, played out."""
    plan = LeaguePlan(sessions=2, rounds=2, pairing=pairing)
    state = start(4)
    while (step := what_next(plan, state).step) is not NextStep.OVER:
        if step is NextStep.NEXT_SESSION:
            state = replace(state, session=state.session + 1)
        state = play_round(plan, state)
    return plan, state


def test_of_groups_the_final_depends_on_who_goes_on_and_their_own_rounds_on_nothing() -> None:
    state = play_out(GROUPS, start(6))

    found = later(GROUPS, state, corrected(corrected(state, 1, 4, 4), 1, 5, 5))

    assert found == [(4, 1, 2)]


def test_where_the_same_go_on_nothing_depends_on_a_match_of_a_group() -> None:
    state = play_out(GROUPS, start(6))

    assert later(GROUPS, state, corrected(state, 4, 5, 5)) == []


def test_both_last_matches_depend_on_who_won_a_semi_final() -> None:
    state = play_out(CUP, start(4))

    assert later(CUP, state, corrected(state, 1, 4, 4)) == [(2, 1, 2), (2, 3, 4)]


def test_a_final_does_not_depend_on_a_quarter_final() -> None:
    state = play_out(CUP, start(8))

    assert later(CUP, state, corrected(state, 1, 8, 8)) == [(2, 1, 4)]


def test_no_round_of_a_bracket_depends_on_courts_that_leave_the_winner() -> None:
    state = play_out(CUP, start(4))
    first = state.rounds[0]
    match = first.matches[0]
    assert match.result is not None
    sides = (replace(match.result.sides[0], courts=9), match.result.sides[1])
    higher = replace(match, result=replace(match.result, sides=sides))
    after = replace(state, rounds=(replace(first, matches=(higher, *first.matches[1:])), *state.rounds[1:]))

    assert later(CUP, state, after) == []


@pytest.mark.parametrize(
    "plan", [RoundRobinPlan(), a_league(SessionPairing.ROUND_ROBIN)[0]], ids=["round robin", "league"]
)
def test_no_round_of_a_table_depends_on_results(plan: FormatPlan) -> None:
    state = play_out(plan, start(4))

    assert later(plan, state, penalised(corrected(state, *state.rounds[0].matches[0].entries, None), 1)) == []


def test_a_swiss_round_depends_on_everybody_whose_score_or_rank_before_it_moved() -> None:
    """6 instead of 3 has won: 1 and 2 keep score and rank, and who meets them was paired by the same."""
    plan = SwissPlan(rounds=2)
    state = play_out(plan, start(6))

    found = later(plan, state, corrected(state, 3, 6, 6))

    assert found == [
        (2, *sorted(match.entries)) for match in state.rounds[1].matches if {3, 6} & {*match.entries}
    ]
    assert 0 < len(found) < 3


def test_a_swiss_round_depends_on_nothing_that_came_after_it() -> None:
    plan = SwissPlan(rounds=3)
    state = play_round(plan, play_round(plan, start(6)))

    after = corrected(state, *state.rounds[1].matches[0].entries, None)

    assert paired_otherwise(plan, state, after, {1, 2}) == ()
    assert depends_on(plan, state, after, 3) != frozenset()


def test_a_penalty_given_or_taken_back_moves_the_rounds_that_were_paired_by_scores() -> None:
    plan = SwissPlan(rounds=3)
    state = play_round(plan, play_round(plan, start(6)))

    given = later(plan, state, penalised(state, 1))

    assert given
    assert given == later(plan, penalised(state, 1), state)
    assert any(1 in pair[1:] for pair in given)


def test_a_swiss_session_of_a_league_depends_on_its_own_results_and_on_no_penalty() -> None:
    plan, state = a_league(SessionPairing.SWISS)
    first = state.rounds[0].matches[0].entries

    found = later(plan, state, corrected(state, *first, None))

    assert {number for number, *_pair in found} == {2}
    assert later(plan, state, penalised(state, 1)) == []


def test_that_an_entry_has_left_says_nothing_of_the_rounds_in_which_it_played() -> None:
    plan = SwissPlan(rounds=3)
    state = play_round(plan, play_round(plan, start(6)))

    assert later(plan, state, leave(state, 1)) == []


def test_the_next_round_is_asked_as_those_that_are_drawn() -> None:
    state = play_round(CUP, start(4))
    final = replace(state, rounds=(*state.rounds, open_round(draw_round(CUP, state))))

    assert depends_on(CUP, state, corrected(state, 1, 4, 4), 2) == frozenset({1, 2, 3, 4})
    assert depends_on(CUP, final, corrected(final, 1, 4, 4), 3) == frozenset()
