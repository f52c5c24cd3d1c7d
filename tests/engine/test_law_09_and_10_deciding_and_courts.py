"""Laws 9 and 10: who wins a deal and when, and the courts it makes."""

import pytest

from courtpiece.engine import Award, Outcome, Score, Seat, Team
from tests.engine.builders import A_SUIT_EACH, codes, judged, won_by

NIL = Score(0, 0)
SINGLE = {"Rules": "court-piece", "Trump": "S"}
DOUBLE = {"Rules": "double-sir", "Trump": "S"}


def all_to_the_leader(tricks: int) -> str:
    """Return a play in which N wins with spades, trump, from an ace-to-deuce suit."""
    pairs = zip("AKQJT98765432", "23456789TJQKA", strict=True)
    lines = [f"{number}. S{high} H{low} D{low} C{low}" for number, (high, low) in enumerate(pairs, start=1)]
    return "\n".join([*lines[:tricks], "*"])


class TestSingle:
    """Laws 9.1, 9.2, 9.4, 10.1 and 10.3."""

    def test_seven_tricks_win_law_9_1(self) -> None:
        assert judged(**won_by("N N E N N E N N N"), **SINGLE).outcome == Outcome(
            Team.NS, Award.WIN, Score(ns=7, ew=2), NIL
        )

    def test_six_do_not_law_9_1(self) -> None:
        assert codes(**won_by("N N E N N E N N"), **SINGLE) == ["undecided"]

    def test_cards_after_the_seventh_are_kept_and_have_no_effect_laws_9_2_and_9_5(self) -> None:
        finding = judged(**won_by("E N N N N N N N E E E"), **SINGLE)

        assert finding.outcome == Outcome(Team.NS, Award.WIN, Score(ns=7, ew=1), NIL)
        assert finding.trick_winners is not None
        assert len(finding.trick_winners) == 8

    def test_the_first_seven_are_a_court_law_10_1(self) -> None:
        assert judged(**won_by("N S N N N S N"), **SINGLE).outcome == Outcome(
            Team.NS, Award.COURT, Score(ns=7, ew=0), Score(ns=1, ew=0)
        )

    def test_a_team_may_carry_on_and_loses_nothing_by_failing_law_9_4(self) -> None:
        assert judged(**won_by("N S N N N S N N N E"), **SINGLE).outcome == Outcome(
            Team.NS, Award.COURT, Score(ns=9, ew=1), Score(ns=1, ew=0)
        )

    def test_it_may_stop_before_it_fails_law_9_4(self) -> None:
        assert judged(**won_by("N S N N N S N N N"), **SINGLE).outcome == Outcome(
            Team.NS, Award.COURT, Score(ns=9, ew=0), Score(ns=1, ew=0)
        )

    def test_the_other_teams_first_trick_decides_law_9_4(self) -> None:
        finding = judged(**won_by("N S N N N S N E N N N N N"), **SINGLE)

        assert finding.outcome is not None
        assert finding.outcome.tricks == Score(ns=7, ew=1)

    def test_all_thirteen_are_a_bavney_in_place_of_the_court_law_10_3(self) -> None:
        assert judged(all_to_the_leader(13), **SINGLE, Hands=A_SUIT_EACH).outcome == Outcome(
            Team.NS, Award.BAVNEY, Score(ns=13, ew=0), Score(ns=52, ew=0)
        )

    def test_seven_later_ones_are_no_court_law_10_1(self) -> None:
        assert judged(**won_by("E N N N N N N N"), **SINGLE).outcome == Outcome(
            Team.NS, Award.WIN, Score(ns=7, ew=1), NIL
        )


class TestDouble:
    """Laws 9.3 and 10.2."""

    def test_seven_gathered_to_at_least_one_decide_law_9_3(self) -> None:
        finding = judged(**won_by("E E N N S S S S N N N N N"), **DOUBLE)

        assert finding.outcome == Outcome(Team.NS, Award.WIN, Score(ns=8, ew=2), NIL)
        assert finding.trick_winners is not None
        assert len(finding.trick_winners) == 10

    def test_seven_to_nil_play_on_law_9_3(self) -> None:
        eight = won_by("N N S S N N S S")

        assert codes(**eight, **DOUBLE) == ["undecided"]
        assert judged(**eight, **DOUBLE, Result="void").outcome == Outcome(
            None, Award.VOID, Score(ns=8, ew=0), NIL
        )

    def test_seven_to_nil_win_when_the_others_gather_law_9_3(self) -> None:
        assert judged(**won_by("N N S S N N S S E E"), **DOUBLE).outcome == Outcome(
            Team.NS, Award.WIN, Score(ns=8, ew=2), NIL
        )

    def test_the_others_may_gather_the_deciding_pile_law_9_3(self) -> None:
        assert judged(**won_by("N N E W E W E W E E"), **DOUBLE).outcome == Outcome(
            Team.EW, Award.WIN, Score(ns=2, ew=8), NIL
        )

    def test_all_thirteen_gathered_are_a_court_and_no_bavney_law_10_2(self) -> None:
        assert judged(all_to_the_leader(13), **DOUBLE, Hands=A_SUIT_EACH).outcome == Outcome(
            Team.NS, Award.COURT, Score(ns=13, ew=0), Score(ns=1, ew=0)
        )

    def test_the_same_under_double_sir_with_ace_law_10_2(self) -> None:
        ace = {**DOUBLE, "Rules": "double-sir-ace"}

        assert judged(all_to_the_leader(13), **ace, Hands=A_SUIT_EACH).outcome == Outcome(
            Team.NS, Award.COURT, Score(ns=13, ew=0), Score(ns=1, ew=0)
        )


class TestGoonCourt:
    """Law 10.4: E deals."""

    def test_a_court_by_the_dealers_team(self) -> None:
        assert judged(Tricks="E W E W E W E", **SINGLE).outcome == Outcome(
            Team.EW, Award.GOON_COURT, Score(ns=0, ew=7), Score(ns=0, ew=1)
        )

    def test_counts_what_the_rules_say(self) -> None:
        goon = judged(Tricks="E W E W E W E", Trump="S", Rules="court-piece goon=3").outcome
        court = judged(Tricks="N N N N N N N", Trump="S", Rules="court-piece goon=3").outcome

        assert goon is not None
        assert court is not None
        assert (goon.courts, court.courts) == (Score(ns=0, ew=3), Score(ns=1, ew=0))

    def test_a_bavney_by_the_dealers_team_is_a_bavney(self) -> None:
        assert judged(Tricks="E W E W E W E E E E E E E", **SINGLE).outcome == Outcome(
            Team.EW, Award.BAVNEY, Score(ns=0, ew=13), Score(ns=0, ew=52)
        )

    def test_thirteen_by_the_dealers_team_in_double_sir(self) -> None:
        assert judged(Tricks="E E E E E E E E E E E E E", **DOUBLE).outcome == Outcome(
            Team.EW, Award.GOON_COURT, Score(ns=0, ew=13), Score(ns=0, ew=1)
        )


class TestVoid:
    """Law 9.6."""

    def test_an_undecided_deal_is_void_where_the_record_says_so(self) -> None:
        assert judged(**won_by("N N E"), **SINGLE, Result="void").outcome == Outcome(
            None, Award.VOID, Score(ns=2, ew=1), NIL
        )

    def test_one_without_a_card(self) -> None:
        assert judged("*", Trump="S", Hands=A_SUIT_EACH, Result="void").outcome == Outcome.void()
        assert judged(Result="void").outcome == Outcome.void()

    def test_a_decided_deal_is_not_and_the_finding_stands(self) -> None:
        tags = {**won_by("E N N N N N N N"), **SINGLE, "Result": "void"}

        assert codes(**tags) == ["result-mismatch"]
        assert judged(**tags).outcome == Outcome(Team.NS, Award.WIN, Score(ns=7, ew=1), NIL)

    def test_a_deal_with_a_revoke_is_not(self) -> None:
        tags = {"Tricks": "N N W", "Revoke": "W 4", "Result": "void"}

        assert codes(**tags) == ["result-mismatch"]
        finding = judged(**tags).outcome
        assert finding is not None
        assert finding.award is Award.REVOKE


@pytest.mark.parametrize("rules", ["court-piece", "double-sir"])
def test_winners_of_tricks_tell_what_the_cards_tell(rules: str) -> None:
    order = "N N E W W S N N S E E S N"

    full = judged(**won_by(order), Rules=rules, Trump="S")
    tricks = judged(Tricks=order, Rules=rules, Trump="S")

    assert (full.outcome, full.trick_winners) == (tricks.outcome, tricks.trick_winners)
    assert full.trick_winners is not None
    assert full.trick_winners[0] is Seat.N
