"""Simulated matches: records that the checker finds nothing wrong with, told as people tell them."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from courtpiece.engine import Award, Level, Rules, Seat, TrumpMethod
from courtpiece.engine.faults import Code
from courtpiece.engine.rules import NAMED
from courtpiece.notation import CheckedDeal, MatchChecker, Record, read, write_file
from courtpiece.notation.simulator import Habits, Heading, simulate_evening, simulate_match

ALL_METHODS = "trump=announced,card,turned,named,hidden,blind,discard"
RULES = (
    *NAMED,
    f"court-piece {ALL_METHODS}",
    f"double-sir {ALL_METHODS}",
    "hidden-rung reveal-from=trick gather=ace",
)
HEADING = Heading("Tuesday Rang", "Lahore", "2026.11.24", "2", "5", "Asif & Bilal", "Chand & Dev")
LIVELY = Habits(revoke=0.01, void=0.05)
ALL_LEVELS = Habits(revoke=0.01, void=0.05, levels=tuple(Level))


def records_of(rules: str, *, seed: int, habits: Habits = LIVELY, deals: int = 30) -> tuple[Record, ...]:
    return simulate_match(
        rng=Random(seed), rules=Rules.parse(rules), heading=HEADING, deals=deals, habits=habits
    )


def checked(records: tuple[Record, ...]) -> list[CheckedDeal]:
    checker = MatchChecker()
    return [checker.feed(reading) for reading in read("".join(write_file(records)))]


def problems_of(records: tuple[Record, ...]) -> set[Code]:
    return {problem.code for deal in checked(records) for problem in deal.problems}


@given(seed=st.integers(0, 2**32), rules=st.sampled_from(RULES), habits=st.sampled_from((LIVELY, ALL_LEVELS)))
def test_a_simulated_match_has_nothing_wrong_but_revokes_nobody_noticed(
    seed: int, rules: str, habits: Habits
) -> None:
    records = records_of(rules, seed=seed, habits=habits, deals=12)

    assert problems_of(records) <= {Code.UNCALLED_REVOKE}
    assert [record.deal for record in records] == list(range(1, 13))


@given(seed=st.integers(0, 2**32), rules=st.sampled_from(RULES))
def test_what_was_simulated_is_written_and_read_back_the_same(seed: int, rules: str) -> None:
    records = records_of(rules, seed=seed, habits=ALL_LEVELS, deals=6)

    assert tuple(reading.record for reading in read("".join(write_file(records)))) == records


def test_the_same_seed_gives_the_same_match() -> None:
    assert records_of("double-sir", seed=7) == records_of("double-sir", seed=7)
    assert records_of("double-sir", seed=7) != records_of("double-sir", seed=8)


def test_every_way_of_making_trump_is_used() -> None:
    records = records_of(f"court-piece {ALL_METHODS}", seed=1, deals=120)

    methods = {record.facts.trump.method for record in records if record.facts.trump is not None}
    assert methods == set(TrumpMethod)


@pytest.mark.parametrize("rules", ["court-piece", "double-sir"])
def test_deals_end_in_every_way_that_they_can(rules: str) -> None:
    outcomes = [
        deal.finding.outcome for deal in checked(records_of(rules, seed=3, deals=900)) if deal.finding
    ]

    awards = {outcome.award for outcome in outcomes if outcome is not None}
    assert awards == set(Award) - (set() if rules == "court-piece" else {Award.BAVNEY})


def test_revokes_are_corrected_claimed_and_overlooked() -> None:
    deals = checked(records_of("court-piece", seed=4, deals=200))

    revokes = [revoke for deal in deals if deal.finding for revoke in deal.finding.revokes]
    fates = Counter("corrected" if revoke.corrected else "stood" for revoke in revokes)
    assert set(fates) == {"corrected", "stood"}
    assert any(deal.reading.record and deal.reading.record.claim for deal in deals)
    assert any(problem.code is Code.UNCALLED_REVOKE for deal in deals for problem in deal.problems)


def test_hidden_trumps_are_asked_for_and_cards_thrown_face_down() -> None:
    records = records_of("hidden-trump", seed=5, deals=60)

    plays = [play for record in records for trick in record.tricks or () for play in trick]
    assert any(play.reveal for play in plays)
    assert any(play.face_down for play in plays)


def test_players_with_strong_hands_carry_on_and_some_of_them_fail() -> None:
    deals = checked(records_of("court-piece", seed=6, deals=900))

    courts = [
        deal.finding.outcome.tricks
        for deal in deals
        if deal.finding
        and deal.finding.outcome
        and deal.finding.outcome.award in {Award.COURT, Award.GOON_COURT}
    ]
    assert {max(tricks) > 7 for tricks in courts} == {True, False}


def test_records_are_of_the_levels_asked_for() -> None:
    records = records_of("court-piece", seed=9, habits=Habits(levels=(Level.TRICKS, Level.RESULT)))

    assert {record.level for record in records} == {Level.TRICKS, Level.RESULT}


def test_a_match_can_end_when_a_team_has_enough_courts() -> None:
    records = simulate_match(rng=Random(2), rules=Rules.parse("court-piece"), courts=2)

    courts = [deal.line.courts for deal in checked(records) if deal.line is not None]
    assert max(courts[-1]) >= 2
    assert all(max(before) < 2 for before in courts[:-1])


def test_the_first_dealer_can_be_given() -> None:
    records = simulate_match(rng=Random(2), rules=Rules.parse("court-piece"), deals=1, first_dealer=Seat.W)

    assert records[0].dealer is Seat.W


def test_a_match_without_an_end_is_refused() -> None:
    with pytest.raises(ValueError, match="no end"):
        simulate_match(rng=Random(2), rules=Rules.parse("court-piece"))


def test_a_wrong_dealer_is_warned_of() -> None:
    records = records_of("court-piece", seed=2, habits=Habits(wrong_dealer=0.2))

    assert problems_of(records) == {Code.WRONG_DEALER}


def test_an_evening_goes_round_by_round_and_table_by_table() -> None:
    rounds = [[("A & B", "C & D"), ("E & F", "G & H")], [("A & B", "E & F"), ("C & D", "G & H")]]

    records = simulate_evening(
        rng=Random(1),
        rules=Rules.parse("court-piece"),
        rounds=rounds,
        heading=Heading("Club night"),
        deals=(1, 3),
    )

    matches = Counter((record.event, record.round, record.table, record.text("NS")) for record in records)
    assert list(matches) == [
        ("Club night", "1", "1", "A & B"),
        ("Club night", "1", "2", "E & F"),
        ("Club night", "2", "1", "A & B"),
        ("Club night", "2", "2", "C & D"),
    ]
    assert set(matches.values()) <= {1, 2, 3}
