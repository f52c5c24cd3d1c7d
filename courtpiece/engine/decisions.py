"""What a director may decide that a deal counts for: a decision stands above the finding, not above the laws' sums."""

from __future__ import annotations

from enum import Enum
from typing import Final

from courtpiece.engine.finding import NIL, Outcome
from courtpiece.engine.gathering import ALL_TRICKS
from courtpiece.engine.rules import MOST_COURTS, Rules
from courtpiece.engine.seats import Award, Seat, Team


class OutcomeObjection(Enum):
    """Why no deal can count so."""

    WINNER = "winner"
    """It is void and somebody won it, or neither."""
    VOID = "void"
    """It is void and scores a court (law 9.6)."""
    TRICKS = "tricks"
    """It has fewer than no tricks or more than thirteen (law 9.1)."""
    WON = "won"
    """Who won it by tricks has no more of them than the others (law 9)."""
    COURTS = "courts"
    """It scores fewer than no courts, or more than an option of law 14 can make a deal count."""


_BY_TRICKS: Final = frozenset({Award.WIN, Award.COURT, Award.GOON_COURT, Award.BAVNEY})
"""A revoke can end a deal at any number of tricks (law 8.4)."""
_OF_A_COURT: Final = frozenset({Award.COURT, Award.GOON_COURT, Award.BAVNEY})


def objection_to_outcome(outcome: Outcome) -> OutcomeObjection | None:
    """Return why no deal can count so, None where one can."""
    if (outcome.winner is None) != (outcome.award is Award.VOID):
        return OutcomeObjection.WINNER
    if outcome.winner is None and outcome.courts != NIL:
        return OutcomeObjection.VOID
    if min(outcome.tricks) < 0 or sum(outcome.tricks) > ALL_TRICKS:
        return OutcomeObjection.TRICKS
    if outcome.award in _BY_TRICKS and not _won_by_tricks(outcome):
        return OutcomeObjection.WON
    if not all(0 <= courts <= MOST_COURTS for courts in outcome.courts):
        return OutcomeObjection.COURTS
    return None


def with_court(outcome: Outcome, team: Team, *, rules: Rules, dealer: Seat) -> Outcome:
    """Return the outcome with a court for the team, in place of one that it has (law 10.5).

    Of the winners it is a court of law 10, the dealer's team's a goon court (law 10.4); of the others, or of a deal
    that a revoke ended, courts that the award does not tell of. A void deal scores none (law 9.6): it stays.
    """
    if outcome.winner is None:
        return outcome
    award, counted = outcome.award, rules.court
    if team is outcome.winner and award is Award.REVOKE:
        counted = rules.revoke
    elif team is outcome.winner and team is dealer.team:
        award, counted = Award.GOON_COURT, rules.goon
    elif team is outcome.winner:
        award = Award.COURT
    return outcome._replace(award=award, courts=outcome.courts.plus(team, counted - outcome.courts.of(team)))


def without_courts(outcome: Outcome) -> Outcome:
    """Return the outcome without the courts that it scores: a court of law 10 is a win like any other then."""
    award = Award.WIN if outcome.award in _OF_A_COURT else outcome.award
    return outcome._replace(award=award, courts=NIL)


def _won_by_tricks(outcome: Outcome) -> bool:
    winner = outcome.winner
    return winner is not None and outcome.tricks.of(winner) > outcome.tricks.of(winner.other)
