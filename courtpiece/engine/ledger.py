"""The match: courts, runs and dealers, deal after deal (laws 11 to 13)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from courtpiece.engine.finding import Outcome
from courtpiece.engine.rules import Rules, StreakAndCourt
from courtpiece.engine.seats import Award, Score, Seat, Team

_NIL = Score()
_MOST_DEALERS: Final = 10_000


class LedgerLine(NamedTuple):
    """One deal in the account of its match."""

    number: int
    dealer: Seat
    outcome: Outcome | None
    """None for a deal that could not be adjudicated: it counts nothing."""
    run_courts: Score
    """Courts scored by this deal for a run (law 11.1)."""
    courts: Score
    """The courts of the match after this deal."""
    runs: Score
    """Deals won running, after this deal."""
    next_dealer: Seat | None
    """Who deals next (law 12); None while no deal was adjudicated."""

    @property
    def caller(self) -> Seat:
        """The seat that made trump (law 3.2)."""
        return self.dealer.right

    @property
    def scored(self) -> Score:
        """The courts of this deal, a run's included."""
        return self.run_courts if self.outcome is None else self.run_courts.total_with(self.outcome.courts)


class MatchState(NamedTuple):
    """A match after some of its deals; the empty match is ``MatchState(rules)``."""

    rules: Rules
    deals: int = 0
    """Adjudicated deals, void ones included."""
    courts: Score = _NIL
    bavneys: Score = _NIL
    runs: Score = _NIL
    next_dealer: Seat | None = None
    """None while no deal was adjudicated: the first dealer is drawn (law 3.1)."""

    @property
    def winner(self) -> Team | None:
        """The team with more courts; None for a draw (law 13.2)."""
        return self.courts.leader

    def after(self, *, number: int, dealer: Seat, outcome: Outcome | None) -> tuple[MatchState, LedgerLine]:
        """Return the match after one more deal, and that deal's line."""
        if outcome is None:
            return self, LedgerLine(number, dealer, None, _NIL, self.courts, self.runs, self.next_dealer)
        run_courts, runs = self._runs_after(outcome)
        courts = self.courts
        if run_courts is not _NIL or outcome.courts != _NIL:
            courts = courts.total_with(outcome.courts).total_with(run_courts)
        bavneys = self.bavneys
        if outcome.award is Award.BAVNEY and outcome.winner is not None:
            bavneys = bavneys.plus(outcome.winner, 1)
        scored = outcome.winner is not None and bool(
            outcome.courts[outcome.winner] or run_courts[outcome.winner]
        )
        next_dealer = dealer_after(dealer, outcome, winner_scored=scored)
        state = MatchState(self.rules, self.deals + 1, courts, bavneys, runs, next_dealer)
        return state, LedgerLine(number, dealer, outcome, run_courts, courts, runs, next_dealer)

    def _runs_after(self, outcome: Outcome) -> tuple[Score, Score]:
        """Return the courts scored for a run by the deal, and the runs after it (law 11)."""
        winner = outcome.winner
        if winner is None:
            return _NIL, (self.runs if outcome.courts == _NIL else _NIL)  # laws 9.6, 11.2
        length = self.runs[winner] + 1
        completes = length >= self.rules.streak
        made_court = outcome.courts != _NIL
        if made_court and not (completes and self.rules.streak_and_court is StreakAndCourt.BOTH):
            return _NIL, _NIL  # laws 11.2, 11.3
        if completes:
            return _NIL.plus(winner, self.rules.streak_court), _NIL
        return _NIL, (Score(length, 0) if winner is Team.NS else Score(0, length))


def dealer_after(dealer: Seat, outcome: Outcome, *, winner_scored: bool) -> Seat:
    """Return who deals after a deal (law 12).

    :param winner_scored: whether the winners scored a court of any kind, a run's included.
    """
    if outcome.winner is None:
        return dealer  # law 9.6
    if outcome.winner is dealer.team:
        return dealer.right  # law 12.1
    return dealer.partner if winner_scored else dealer  # laws 12.3, 12.2


def derive_ledger(rules: Rules, deals: Iterable[tuple[int, Seat, Outcome | None]]) -> tuple[LedgerLine, ...]:
    """Return the account of a match from its deals in order: number, dealer and outcome of each."""
    state = MatchState(rules)
    lines = []
    for number, dealer, outcome in deals:
        state, line = state.after(number=number, dealer=dealer, outcome=outcome)
        lines.append(line)
    return tuple(lines)


class MatchRecord:
    """A match as its records come in: its state, and what can be checked only against the deals before.

    Feed it each deal in the order recorded. Cost and memory are constant: of a match longer than any, only the last
    thousands of dealers are remembered.
    """

    __slots__ = ("_courts_known", "_dealers", "_last_number", "_older_dealers", "state")

    def __init__(self, rules: Rules) -> None:
        self.state = MatchState(rules)
        self._last_number = 0
        self._courts_known = True
        self._dealers: dict[int, Seat] = {}
        self._older_dealers: dict[int, Seat] = {}

    def add(
        self, *, number: int, dealer: Seat, outcome: Outcome | None, stated_courts: Score | None = None
    ) -> tuple[LedgerLine, MatchDoubts]:
        """Add the next deal of the match, and return its line and what is odd about it."""
        is_gap = number != self._last_number + 1
        self._last_number = number
        expected_dealer = self._dealers.get(number - 1, self._older_dealers.get(number - 1))
        self._courts_known = self._courts_known and not is_gap and outcome is not None
        self.state, line = self.state.after(number=number, dealer=dealer, outcome=outcome)
        if outcome is not None and line.next_dealer is not None:
            self._remember(number, line.next_dealer)
        wrong_courts = self._courts_known and stated_courts is not None and stated_courts != line.courts
        return line, MatchDoubts(
            expected_dealer if expected_dealer not in (None, dealer) else None,
            number if is_gap else None,
            line.courts if wrong_courts else None,
        )

    def _remember(self, number: int, next_dealer: Seat) -> None:
        if len(self._dealers) >= _MOST_DEALERS:
            self._dealers, self._older_dealers = {}, self._dealers
        self._dealers[number] = next_dealer


class MatchDoubts(NamedTuple):
    """What a deal shows that the deals before it do not bear out; None where nothing is odd."""

    expected_dealer: Seat | None
    """Who should have dealt (law 12.4)."""
    gap_at: int | None
    """The number of a deal that does not follow the one before."""
    courts: Score | None
    """The courts of the match, where the record states others."""
