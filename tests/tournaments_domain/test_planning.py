"""Forecasts of a planned evening: what must come out, whoever wins."""

from random import Random
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.domain.results import ByeKind, Scheme, TiebreakCode
from tests.tournaments_domain.playing import met, start
from tournaments.domain.drawing import Drawing, draw_round
from tournaments.domain.planning import Forecast, simulate_plan
from tournaments.domain.plans import (
    FormatPlan,
    GroupsKnockoutPlan,
    KnockoutPlan,
    LeaguePlan,
    LengthKind,
    MatchLength,
    PlanError,
    RoundRobinPlan,
    SinglePlan,
    SwissPlan,
    WinnerStaysPlan,
)
from tournaments.domain.quick_draw import draw_quickly
from tournaments.domain.random_matches import Pace, play_match
from tournaments.domain.random_tournament import TournamentHabits, play_swiss
from tournaments.domain.swiss import draw_swiss

SCHEME = Scheme(tiebreaks=(TiebreakCode.COURTS_DIFFERENCE, TiebreakCode.COURTS_FOR))


def forecast(plan: FormatPlan, entries: int, *, runs: int = 5, scheme: Scheme = SCHEME) -> Forecast:
    return simulate_plan(plan, entries, scheme=scheme, rng=Random(1), runs=runs)


def differences_of_score(seed: int, draw: Drawing) -> int:
    """Return the sum over all pairings of a tournament of thirty."""
    rounds = play_swiss(Random(seed), TournamentHabits(entries=30, rounds=5), draw=draw)
    scores = [pairing.scores for one in rounds for pairing in one.draw.pairings]
    return sum(abs(int(first) - int(second)) for first, second in scores)


@pytest.mark.parametrize(
    ("plan", "entries", "rounds", "matches", "byes"),
    [
        (SinglePlan(), 2, 1, 1, 0),
        (RoundRobinPlan(), 7, 7, 21, 7),
        (RoundRobinPlan(cycles=2), 4, 6, 12, 0),
        (SwissPlan(rounds=3), 12, 3, 18, 0),
        (SwissPlan(rounds=3), 13, 3, 18, 3),
        (SwissPlan(rounds=3), 41, 3, 60, 3),
        (KnockoutPlan(third_place=True), 11, 4, 11, 5),
        (GroupsKnockoutPlan(groups=2), 8, 5, 15, 0),
        (LeaguePlan(sessions=3, rounds=2), 6, 6, 18, 0),
    ],
)
def test_rounds_matches_and_byes_are_those_of_the_format(
    plan: FormatPlan, entries: int, rounds: int, matches: int, byes: int
) -> None:
    found = forecast(plan, entries)

    assert (found.rounds, found.matches, found.byes) == (rounds, matches, byes)


def test_an_evening_of_timed_matches_lasts_as_long_as_they_and_the_deals_played_out() -> None:
    found = forecast(SwissPlan(rounds=3, match=MatchLength(LengthKind.MINUTES, 30)), 12)

    assert 3 * 35 <= found.minutes <= found.minutes_at_most <= 3 * (35 + 8)


def test_a_round_of_matches_of_so_many_deals_lasts_as_long_as_its_slowest_table() -> None:
    found = forecast(SwissPlan(rounds=3, match=MatchLength(LengthKind.DEALS, 16)), 12)

    assert 3 * (80 + 5) < found.minutes < 3 * (120 + 5)


def test_a_leagues_evening_is_one_of_its_sessions() -> None:
    found = forecast(LeaguePlan(sessions=4, rounds=2), 6)

    assert 2 * 35 <= found.minutes <= 2 * 43


def test_an_evening_of_winner_stays_ends_with_the_match_that_runs_when_its_time_is_over() -> None:
    found = forecast(WinnerStaysPlan(tables=2, minutes=120), 7)

    assert 120 <= found.minutes <= found.minutes_at_most
    assert found.matches >= 4


def test_without_tie_breaks_a_tie_at_the_cut_stays_one() -> None:
    plan = SwissPlan(rounds=3, cut=4)

    with_them, without = forecast(plan, 12, runs=20), forecast(plan, 12, runs=20, scheme=Scheme())

    assert without.tied_before == without.tied_after > 0
    assert with_them.tied_after < with_them.tied_before


def test_where_everybody_has_a_place_nobody_is_tied_for_one() -> None:
    found = forecast(RoundRobinPlan(prizes=4), 4, scheme=Scheme())

    assert (found.places, found.tied_before, found.tied_after) == (4, 0, 0)


def test_the_same_seed_gives_the_same_forecast() -> None:
    assert forecast(KnockoutPlan(), 9) == forecast(KnockoutPlan(), 9)


def test_a_plan_that_the_entries_cannot_play_is_refused() -> None:
    with pytest.raises(PlanError):
        forecast(SwissPlan(rounds=9), 4)


def test_a_very_long_plan_is_played_fewer_times_and_says_so() -> None:
    found = simulate_plan(RoundRobinPlan(cycles=2), 60, scheme=Scheme(), rng=Random(1), runs=20)

    assert (found.runs, found.matches) == (5, 3540)


def test_large_fields_are_drawn_by_a_faster_draw_and_it_is_said() -> None:
    assert [forecast(SwissPlan(rounds=2), entries, runs=1).drawn_fully for entries in (32, 33)] == [
        True,
        False,
    ]


def test_the_faster_draw_pairs_scores_nearly_as_close_as_the_real_one() -> None:
    real = mean(differences_of_score(seed, draw_swiss) for seed in range(10))
    quick = mean(differences_of_score(seed, draw_quickly) for seed in range(10))

    assert real <= quick < 1.5 * real


@given(st.integers(2, 40), st.integers(1, 5), st.integers(0, 2**32))
@settings(max_examples=30)
def test_the_faster_draw_seats_everybody_once_and_gives_nobody_a_second_bye_early(
    entries: int, rounds: int, seed: int
) -> None:
    played = list(
        play_swiss(Random(seed), TournamentHabits(entries=entries, rounds=rounds), draw=draw_quickly)
    )

    byes = [bye.entry for one in played for bye in one.draw.byes if bye.kind is ByeKind.PAIRING]
    assert len(byes) == (rounds if entries % 2 else 0)
    assert len(set(byes)) == min(len(byes), entries)
    for one in played:
        there = [entry for pair in met(one.draw) for entry in pair] + [bye.entry for bye in one.draw.byes]
        assert sorted(there) == list(range(1, entries + 1))


def test_the_faster_draw_begins_like_the_real_one() -> None:
    assert met(draw_round(SwissPlan(), start(8), swiss=draw_quickly)) == [(1, 5), (2, 6), (3, 7), (4, 8)]


@given(st.integers(0, 2**32), st.sampled_from(LengthKind), st.integers(1, 20), st.booleans())
def test_a_match_ends_as_its_length_says_and_one_that_must_be_won_is(
    seed: int, kind: LengthKind, amount: int, must_be_won: bool
) -> None:
    played = play_match(
        Random(seed),
        number=1,
        entries=(1, 2),
        strengths=(0.5, 0.5),
        length=MatchLength(kind, amount),
        pace=Pace(minutes_a_deal=4),
        must_be_won=must_be_won,
    )

    first, second = played.result.sides
    deals = first.deals_won + second.deals_won
    assert 2 * deals <= played.minutes <= 6 * deals
    if must_be_won:
        assert first.courts != second.courts
    elif kind is LengthKind.DEALS:
        assert deals == amount
    elif kind is LengthKind.MINUTES:
        assert amount <= played.minutes < amount + 6
    else:
        assert max(first.courts, second.courts) == amount
