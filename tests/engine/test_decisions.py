"""What a director may decide that a deal counts for."""

import pytest

from courtpiece.engine import Award, Outcome, Rules, Score, Seat, Team
from courtpiece.engine.decisions import OutcomeObjection, objection_to_outcome, with_court, without_courts

RULES = Rules.parse("court-piece goon=3 revoke=2")
WIN = Outcome(Team.NS, Award.WIN, Score(7, 4), Score())


@pytest.mark.parametrize(
    ("outcome", "objection"),
    [
        (WIN, None),
        (Outcome.void(), None),
        (Outcome(Team.NS, Award.REVOKE, Score(2, 5), Score(1, 0)), None),
        (Outcome(Team.NS, Award.WIN, Score(7, 4), Score(0, 999)), None),
        (Outcome(None, Award.WIN, Score(7, 4), Score()), OutcomeObjection.WINNER),
        (Outcome(Team.NS, Award.VOID, Score(), Score()), OutcomeObjection.WINNER),
        (Outcome(None, Award.VOID, Score(), Score(1, 0)), OutcomeObjection.VOID),
        (Outcome(Team.NS, Award.WIN, Score(8, 6), Score()), OutcomeObjection.TRICKS),
        (Outcome(Team.EW, Award.WIN, Score(7, 4), Score()), OutcomeObjection.WON),
        (Outcome(Team.NS, Award.COURT, Score(7, 0), Score(1000, 0)), OutcomeObjection.COURTS),
    ],
)
def test_a_decision_stands_above_the_finding_and_not_above_arithmetic(
    outcome: Outcome, objection: OutcomeObjection | None
) -> None:
    assert objection_to_outcome(outcome) == objection


def test_a_court_of_the_callers_team_is_a_court_and_one_of_the_dealers_a_goon_court() -> None:
    of_callers = with_court(WIN, Team.NS, rules=RULES, dealer=Seat.E)
    of_dealers = with_court(WIN, Team.NS, rules=RULES, dealer=Seat.N)

    assert of_callers == Outcome(Team.NS, Award.COURT, Score(7, 4), Score(1, 0))
    assert of_dealers == Outcome(Team.NS, Award.GOON_COURT, Score(7, 4), Score(3, 0))


def test_the_losers_of_a_deal_can_be_given_a_court_and_the_award_stays() -> None:
    assert with_court(WIN, Team.EW, rules=RULES, dealer=Seat.N) == WIN._replace(courts=Score(0, 1))


def test_a_revokes_court_is_worth_what_the_rules_say() -> None:
    revoked = Outcome(Team.EW, Award.REVOKE, Score(3, 2), Score())

    assert with_court(revoked, Team.EW, rules=RULES, dealer=Seat.N) == revoked._replace(courts=Score(0, 2))


def test_a_court_is_given_once_and_not_for_a_void_deal() -> None:
    once = with_court(WIN, Team.NS, rules=RULES, dealer=Seat.E)

    assert with_court(once, Team.NS, rules=RULES, dealer=Seat.E) == once
    assert with_court(Outcome.void(), Team.NS, rules=RULES, dealer=Seat.E) == Outcome.void()


@pytest.mark.parametrize("award", [Award.COURT, Award.GOON_COURT, Award.BAVNEY])
def test_without_its_courts_a_deal_is_a_win(award: Award) -> None:
    courted = Outcome(Team.NS, award, Score(7, 0), Score(52, 0))

    assert without_courts(courted) == Outcome(Team.NS, Award.WIN, Score(7, 0), Score())


def test_without_its_courts_a_revoke_is_still_one() -> None:
    revoked = Outcome(Team.EW, Award.REVOKE, Score(3, 2), Score(0, 1))

    assert without_courts(revoked) == revoked._replace(courts=Score())
