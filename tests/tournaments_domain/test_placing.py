"""Who stands where after entries have left, by format."""

from tests.tournaments_domain.playing import leave, play_out, play_round, start
from tournaments.domain.placing import place_entries
from tournaments.domain.plans import FormatPlan, GroupsKnockoutPlan, KnockoutPlan, RoundRobinPlan, SwissPlan
from tournaments.domain.state import TournamentState

ONCE = RoundRobinPlan()


def points(plan: FormatPlan, state: TournamentState) -> list[tuple[int, int]]:
    """Return the entries with their match points, best first."""
    return [(row.tally.entry, int(row.tally.match_points)) for row in place_entries(plan, state)]


def test_who_leaves_a_round_robin_before_half_of_it_counts_for_nobody() -> None:
    state = play_out(ONCE, leave(play_round(ONCE, start(4)), 1))

    assert points(ONCE, state) == [(2, 4), (3, 2), (4, 0), (1, 0)]


def test_who_leaves_a_round_robin_after_half_of_it_counts_and_gives_the_rest_away() -> None:
    state = play_out(ONCE, leave(play_round(ONCE, play_round(ONCE, start(4))), 1))

    assert points(ONCE, state) == [(1, 4), (2, 4), (3, 4), (4, 0)]


def test_who_left_before_the_first_round_makes_nobodys_half_longer() -> None:
    state = leave(start(6), 6)
    for _ in range(3):
        state = play_round(ONCE, state)

    state = play_out(ONCE, leave(state, 1))

    assert dict(points(ONCE, state))[1] > 0
    assert points(ONCE, state)[-1] == (6, 0)


def test_who_leaves_a_group_before_half_of_it_counts_for_nobody() -> None:
    plan = GroupsKnockoutPlan(groups=2)

    state = play_out(plan, leave(play_round(plan, start(8)), 8))

    assert points(plan, state)[-1] == (8, 0)
    assert all(row.tally.byes == () for row in place_entries(plan, state))


def test_in_a_swiss_and_a_knockout_what_was_played_counts_for_good() -> None:
    for plan in (SwissPlan(rounds=2), KnockoutPlan()):
        state = play_out(plan, leave(play_round(plan, start(4)), 1))

        assert dict(points(plan, state))[1] == 2
