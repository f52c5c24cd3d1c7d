"""What is still to be played and counts, and what entries need of it."""

from dataclasses import replace

from scoring.domain.limits import Remaining
from scoring.domain.needs import NeedStatus
from tests.tournaments_domain.playing import leave, open_round, play_round, start
from tournaments.domain.drawing import draw_round, schedule_left
from tournaments.domain.placing import place_entries
from tournaments.domain.plans import FormatPlan, RoundRobinPlan
from tournaments.domain.remaining import needs, remaining
from tournaments.domain.state import TournamentState

ONCE = RoundRobinPlan()


def all_drawn(plan: FormatPlan, state: TournamentState) -> TournamentState:
    """Return the tournament with every round of its schedule drawn and open."""
    left = [open_round(draw) for draw in schedule_left(plan, state)]
    return replace(state, rounds=(*state.rounds, *left))


def statuses(plan: FormatPlan, state: TournamentState, place: int) -> dict[int, NeedStatus]:
    found = needs(plan, state, place_entries(plan, state), place=place)
    return {one.entry: one.status for one in found}


def test_matches_against_a_pair_whose_results_are_removed_decide_nothing() -> None:
    """3 has left after one of three matches: nothing against it counts, whoever of the others plays on."""
    published = leave(all_drawn(ONCE, play_round(ONCE, start(4))), 3)

    left = remaining(ONCE, published)

    assert left == Remaining(pairs=((1, 2), (2, 4)))


def test_what_such_a_pair_would_still_play_is_no_way_in_which_everything_can_end() -> None:
    published = leave(all_drawn(ONCE, play_round(ONCE, start(4))), 3)

    found = needs(ONCE, published, place_entries(ONCE, published), place=1)

    assert {need.reached + need.tied + need.missed for need in found} == {3**2}


def test_matches_against_a_pair_that_left_after_half_of_its_matches_count() -> None:
    played = play_round(ONCE, play_round(ONCE, start(4)))

    left = remaining(ONCE, leave(all_drawn(ONCE, played), 3))

    assert left is not None
    assert len(left.pairs) == 2


def test_the_byes_of_rounds_that_are_not_drawn_are_foreseen() -> None:
    """Of three, each has one bye: before the last match the one left over has its points for certain."""
    state = play_round(ONCE, play_round(ONCE, start(3)))

    assert statuses(ONCE, state, 1) == statuses(ONCE, all_drawn(ONCE, state), 1)
    assert statuses(ONCE, play_round(ONCE, start(3)), 1) == statuses(
        ONCE, all_drawn(ONCE, play_round(ONCE, start(3))), 1
    )


def test_a_round_robin_without_entries_leaves_nothing() -> None:
    assert remaining(ONCE, start(0)) == Remaining()
    assert statuses(ONCE, start(0), 1) == {}


def test_a_match_that_is_drawn_is_left_as_one_that_is_not() -> None:
    drawn = replace(start(4), rounds=(open_round(draw_round(ONCE, start(4))),))

    assert remaining(ONCE, drawn) == remaining(ONCE, start(4))
