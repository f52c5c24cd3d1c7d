"""What is still to be played and counts, and what entries need of it."""

from dataclasses import replace
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.domain.limits import Remaining
from scoring.domain.needs import Need, NeedStatus, Unknown
from scoring.domain.results import MatchEnd, MatchPoints, Ranking, Scheme
from tests.tournaments_domain.playing import (
    leave,
    open_round,
    play_out,
    play_round,
    played_round,
    result,
    start,
)
from tournaments.domain.drawing import draw_round, schedule_left, what_next
from tournaments.domain.groups import groups_of, qualified
from tournaments.domain.pairing import Pairing
from tournaments.domain.placing import place_entries
from tournaments.domain.plans import (
    FormatPlan,
    GroupsKnockoutPlan,
    LeaguePlan,
    RoundRobinPlan,
    SessionPairing,
    SessionPoints,
)
from tournaments.domain.remaining import Ground, as_if_drawn, outlook, remaining
from tournaments.domain.state import PlayedRound, TournamentState
from tournaments.domain.steps import NextStep

ONCE = RoundRobinPlan()


def all_drawn(plan: FormatPlan, state: TournamentState) -> TournamentState:
    """Return the tournament with every round of its schedule drawn and open."""
    left = [open_round(draw) for draw in schedule_left(plan, state)]
    return replace(state, rounds=(*state.rounds, *left))


def statuses(plan: FormatPlan, state: TournamentState, place: int) -> dict[int, NeedStatus]:
    """Return what is said of each entry and the place, by entry."""
    return {one.entry: one.status for one in needs(plan, state, place)}


def needs(plan: FormatPlan, state: TournamentState, place: int, group: int | None = None) -> tuple[Need, ...]:
    found = outlook(plan, state)
    assert found is not None
    return next((one.needs for one in found.places if (one.place, one.group) == (place, group)), ())


def test_matches_against_a_pair_whose_results_are_removed_decide_nothing() -> None:
    """3 has left after one of three matches: nothing against it counts, whoever of the others plays on."""
    published = leave(all_drawn(ONCE, play_round(ONCE, start(4))), 3)

    left = remaining(ONCE, published)

    assert left == Remaining(pairs=((1, 2), (2, 4)))


def test_what_such_a_pair_would_still_play_is_no_way_in_which_everything_can_end() -> None:
    published = leave(all_drawn(ONCE, play_round(ONCE, start(4))), 3)

    found = needs(ONCE, published, 1)

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


# -- groups


GROUPS = GroupsKnockoutPlan(groups=2, qualifiers=1)


def test_of_a_group_its_own_matches_decide_who_goes_on() -> None:
    state = play_round(GROUPS, play_round(GROUPS, start(6)))

    found = outlook(GROUPS, state)

    assert found is not None
    assert [(one.group, one.place, sorted(one.ranks)) for one in found.places] == [
        (1, 1, [1, 4, 5]),
        (2, 1, [2, 3, 6]),
    ]
    assert found.ground is Ground.COUNTED


def test_a_group_that_is_over_is_decided_by_its_standings_and_seeds() -> None:
    state = all_drawn(GROUPS, start(6))
    played = replace(
        state,
        rounds=tuple(played_round(draw, lambda _pairing: None) for draw in schedule_left(GROUPS, start(6))),
    )

    assert {need.entry: need.status for need in needs(GROUPS, played, 1, group=1)} == {
        1: NeedStatus.SAFE,
        4: NeedStatus.OUT,
        5: NeedStatus.OUT,
    }


def test_who_has_left_a_group_is_in_nobodys_way() -> None:
    """1 has won everything in its group, and leaves: the next goes on."""
    state = play_round(GROUPS, play_round(GROUPS, play_round(GROUPS, start(6))))

    assert {need.entry: need.status for need in needs(GROUPS, leave(state, 1), 1, group=1)} == {
        4: NeedStatus.SAFE,
        5: NeedStatus.OUT,
    }


def test_once_the_knockout_is_drawn_nothing_is_said_until_its_end() -> None:
    state = start(6)
    for _round in range(3):
        state = play_round(GROUPS, state)
    drawn = replace(state, rounds=(*state.rounds, open_round(draw_round(GROUPS, state))))

    over = outlook(GROUPS, play_out(GROUPS, state))

    assert outlook(GROUPS, drawn) is None
    assert over is not None
    assert (over.ground, over.places[0].needs[0].status) == (Ground.DECIDED, NeedStatus.SAFE)


@settings(max_examples=40, deadline=None)
@given(st.integers(4, 7), st.integers(1, 3), st.randoms(use_true_random=False), st.booleans())
def test_what_is_said_of_a_group_holds_however_it_ends(
    entries: int, rounds: int, rng: Random, someone_leaves: bool
) -> None:
    state = start(entries)
    for _round in range(min(rounds, len(schedule_left(GROUPS, state)))):
        state = play_round(GROUPS, state, lambda pairing: rng.choice((pairing.first, pairing.second, None)))
    if someone_leaves:
        state = leave(state, rng.randint(1, entries))

    found = outlook(GROUPS, state)

    assert found is not None
    for one in found.places:
        assert one.group is not None
        for ends, finished in every_end(GROUPS, state):
            (going_on,) = qualified(
                [groups_of(start(entries).entries, 2)[one.group - 1]], finished, cycles=1, qualifiers=1
            )
            for need in one.needs:
                check(need, ends, reached=need.entry in going_on)


# -- leagues


LEAGUE = LeaguePlan(sessions=2, rounds=2)
LEAGUE_TABLE = LeaguePlan(sessions=2, rounds=3, pairing=SessionPairing.ROUND_ROBIN)


def a_league(plan: LeaguePlan, rounds: int, rng: Random, entries: int = 4) -> TournamentState:
    """Return a league after so many rounds, each session begun as soon as the one before has had its rounds."""
    state = start(entries)
    for _round in range(rounds):
        if what_next(plan, state).step is NextStep.NEXT_SESSION:
            state = replace(state, session=state.session + 1)
        state = play_round(plan, state, lambda pairing: rng.choice((pairing.first, pairing.second, None)))
    return state


def test_before_the_last_round_of_a_league_all_of_its_sessions_count() -> None:
    """1 has won all three rounds and has 6 points; only who has 4 can reach it."""
    state = start(4)
    for _round in range(3):
        if what_next(LEAGUE, state).step is NextStep.NEXT_SESSION:
            state = replace(state, session=2)
        state = play_round(LEAGUE, state)
    drawn = replace(state, rounds=(*state.rounds, open_round(draw_round(LEAGUE, state), session=2)))

    found = outlook(LEAGUE, drawn)

    assert found is not None
    assert found.ground is Ground.COUNTED
    assert {one.entry: one.status for one in found.places[0].needs}[1] is NeedStatus.SAFE_IF


def test_in_a_league_a_session_to_which_nobody_has_to_come_may_bring_nothing() -> None:
    """A loss is worth a point, and who stays away has none: 1 cannot count on it."""
    scheme = Scheme(points=MatchPoints(win=3, draw=2, loss=1))
    state = replace(a_league(LEAGUE, 2, Random(1)), scheme=scheme)

    left = remaining(LEAGUE, state)

    assert left == Remaining(rounds_not_drawn=2, may_bring_nothing=True)


@pytest.mark.parametrize(
    ("plan", "scheme", "reason"),
    [
        (LeaguePlan(points=SessionPoints.PLACES), Scheme(), Unknown.PLACES_OF_SESSIONS),
        (LeaguePlan(best_of=3), Scheme(), Unknown.BEST_SESSIONS),
        (LeaguePlan(), Scheme(ranking=Ranking.COURTS), Unknown.NOT_BY_MATCH_POINTS),
        (ONCE, Scheme(ranking=Ranking.COURTS), Unknown.NOT_BY_MATCH_POINTS),
        (GROUPS, Scheme(ranking=Ranking.COURTS), Unknown.NOT_BY_MATCH_POINTS),
    ],
)
def test_where_points_are_not_those_of_matches_nothing_is_said_with_the_reason(
    plan: FormatPlan, scheme: Scheme, reason: Unknown
) -> None:
    found = outlook(plan, replace(start(6), scheme=scheme))

    assert found is not None
    assert (found.ground, found.unknown, found.places) == (Ground.UNKNOWN, reason, ())


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from([LEAGUE, LEAGUE_TABLE]),
    st.integers(0, 2),
    st.integers(3, 5),
    st.randoms(use_true_random=False),
)
def test_what_is_said_of_a_league_holds_however_it_ends(
    plan: LeaguePlan, left: int, entries: int, rng: Random
) -> None:
    state = a_league(plan, plan.sessions * plan.rounds - left, rng, entries)
    drawn = (
        replace(state, rounds=(*state.rounds[:-1], without_results(state.rounds[-1]))) if left == 0 else state
    )

    found = outlook(plan, drawn)

    assert found is not None
    if found.remaining.rounds_not_drawn:
        return
    for one in found.places:
        for ends, finished in every_end(plan, drawn):
            rows = place_entries(plan, finished)
            ranks = {row.tally.entry: row.rank for row in rows}
            for need in one.needs:
                level = sum(rank == ranks[need.entry] for rank in ranks.values())
                check(need, ends, reached=ranks[need.entry] + level - 1 <= one.place)
                if need.status is NeedStatus.OUT:
                    assert ranks[need.entry] > one.place


def test_when_a_league_is_over_its_places_are_final() -> None:
    state = a_league(LEAGUE, 4, Random(3))

    found = outlook(LEAGUE, state)

    assert found is not None
    assert found.ground is Ground.DECIDED


def test_what_is_closed_is_decided_whatever_was_not_played() -> None:
    found = outlook(ONCE, play_round(ONCE, start(4)), closed=True)

    assert found is not None
    assert (found.ground, found.remaining) == (Ground.DECIDED, Remaining())


# -- every way in which what is left can end

Ends = dict[tuple[int, int, int], int | None]
"""The winner of each match that was left, by its round and its entries."""


def without_results(one: PlayedRound) -> PlayedRound:
    return replace(one, matches=tuple(replace(match, result=None) for match in one.matches))


def every_end(plan: FormatPlan, state: TournamentState) -> list[tuple[Ends, TournamentState]]:
    """Return the tournament with all that is known to be left played, in every way."""
    drawn = as_if_drawn(plan, state)
    left = [(one.number, *match.entries) for one in drawn.rounds for match in one.matches if match.is_open]
    ways = product(*(((first, None, second)) for _number, first, second in left))
    found = [dict(zip(left, way, strict=True)) for way in ways]
    return [(ends, replace(drawn, rounds=tuple(ended(one, ends) for one in drawn.rounds))) for ends in found]


def ended(one: PlayedRound, ends: Ends) -> PlayedRound:
    matches = tuple(
        replace(
            match,
            result=result(
                one.number, Pairing(first=match.first, second=match.second), ends[one.number, *match.entries]
            ),
        )
        if match.is_open
        else match
        for match in one.matches
    )
    return replace(one, matches=matches)


def check(need: Need, ends: Ends, *, reached: bool) -> None:
    """Hold that what is said of the need is so when everything ended like this."""
    own = tuple(
        MatchEnd.DRAW if winner is None else MatchEnd.WIN if winner == need.entry else MatchEnd.LOSS
        for (_number, *entries), winner in ends.items()
        if need.entry in entries
    )
    if need.status is NeedStatus.SAFE or own in need.suffices:
        assert reached
    if need.status is NeedStatus.OUT:
        assert not reached
