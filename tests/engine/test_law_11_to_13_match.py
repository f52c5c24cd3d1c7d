"""Laws 11 to 13: runs of deals, the next dealer, and who wins a match."""

import tracemalloc

import pytest

from courtpiece.engine import Award, LedgerLine, MatchState, Outcome, Rules, Score, Seat, Team, derive_ledger
from courtpiece.engine.ledger import MatchDoubts, MatchRecord

NIL = Score(0, 0)
RULES = Rules.parse("court-piece")
TO_THREE = Rules.parse("court-piece streak=3")
BOTH = Rules.parse("court-piece streak=3 streak-and-court=both")


def win(team: Team) -> Outcome:
    return Outcome(team, Award.WIN, Score().plus(team, 7).plus(team.other, 4), NIL)


def court(team: Team, courts: int = 1) -> Outcome:
    return Outcome(team, Award.COURT, Score().plus(team, 7), Score().plus(team, courts))


def revoke(team: Team) -> Outcome:
    return Outcome(team, Award.REVOKE, NIL, Score().plus(team, 1))


def account(rules: Rules, *outcomes: Outcome | None) -> tuple[LedgerLine, ...]:
    """Return the ledger of a match in which everybody deals in turn as law 12 says, S first."""
    state = MatchState(rules)
    lines = []
    for number, outcome in enumerate(outcomes, start=1):
        state, line = state.after(number=number, dealer=state.next_dealer or Seat.S, outcome=outcome)
        lines.append(line)
    return tuple(lines)


NS, EW = Team.NS, Team.EW


class TestRuns:
    """Law 11."""

    def test_seven_deals_running_score_a_court_law_11_1(self) -> None:
        lines = account(RULES, *[win(NS)] * 7)

        assert [line.runs for line in lines] == [*[Score(n, 0) for n in range(1, 7)], NIL]
        assert [line.run_courts for line in lines] == [*[NIL] * 6, Score(1, 0)]
        assert lines[-1].courts == Score(1, 0)

    def test_as_many_as_the_rules_say_law_11_1(self) -> None:
        lines = account(Rules.parse("court-piece streak=2 streak-court=5"), win(EW), win(EW))

        assert lines[-1].courts == Score(0, 5)

    def test_the_other_teams_win_ends_a_run_law_11_1(self) -> None:
        lines = account(TO_THREE, win(NS), win(NS), win(EW), win(NS))

        assert [line.runs for line in lines] == [Score(1, 0), Score(2, 0), Score(0, 1), Score(1, 0)]

    def test_any_court_takes_both_runs_to_zero_law_11_2(self) -> None:
        lines = account(TO_THREE, win(NS), win(NS), court(EW), win(NS))

        assert [line.runs for line in lines] == [Score(1, 0), Score(2, 0), NIL, Score(1, 0)]

    def test_so_does_a_court_for_a_revoke_in_a_deal_of_ones_own_law_11_2(self) -> None:
        for_the_losers = Outcome(NS, Award.COURT, Score(7, 0), Score(1, 1))

        assert account(TO_THREE, win(NS), for_the_losers)[-1].runs == NIL

    def test_a_deal_that_makes_a_court_completes_no_run_law_11_3(self) -> None:
        for made in (court(NS), revoke(NS)):
            last = account(TO_THREE, win(NS), win(NS), made)[-1]

            assert (last.run_courts, last.courts, last.runs) == (NIL, Score(1, 0), NIL)

    def test_unless_the_rules_score_both_law_11_3(self) -> None:
        for made in (court(NS), revoke(NS)):
            last = account(BOTH, win(NS), win(NS), made)[-1]

            assert (last.run_courts, last.courts, last.runs) == (Score(1, 0), Score(2, 0), NIL)

    def test_scoring_both_needs_the_whole_run_law_11_3(self) -> None:
        lines = account(BOTH, win(NS), court(NS), win(NS))

        assert [line.runs for line in lines] == [Score(1, 0), NIL, Score(1, 0)]

    def test_a_run_begins_with_the_match_law_11_4(self) -> None:
        assert MatchState(RULES).runs == NIL

    def test_a_void_deal_changes_no_run_law_9_6(self) -> None:
        lines = account(TO_THREE, win(NS), Outcome.void(), win(NS), win(NS))

        assert [line.runs for line in lines] == [Score(1, 0), Score(1, 0), Score(2, 0), NIL]
        assert lines[-1].courts == Score(1, 0)


class TestTheNextDealer:
    """Law 12, where S dealt and E called."""

    @pytest.mark.parametrize(
        ("outcome", "next_dealer"),
        [
            (win(NS), Seat.E),  # 12.1
            (court(NS), Seat.E),  # 12.1, a goon court
            (win(EW), Seat.S),  # 12.2
            (court(EW), Seat.N),  # 12.3
            (revoke(EW), Seat.N),  # 12.3
            (revoke(NS), Seat.E),  # 12.1
            (Outcome.void(), Seat.S),  # 9.6
        ],
    )
    def test_after_a_deal(self, outcome: Outcome, next_dealer: Seat) -> None:
        (line,) = account(RULES, outcome)

        assert line.next_dealer is next_dealer

    def test_a_run_is_a_court_too_law_12_3(self) -> None:
        lines = account(Rules.parse("court-piece streak=2"), win(EW), win(EW))

        assert [line.next_dealer for line in lines] == [Seat.S, Seat.N]

    def test_a_court_of_the_losers_is_not_the_winners_law_12_3(self) -> None:
        ruled = Outcome(EW, Award.WIN, Score(4, 7), Score(1, 0))

        assert account(RULES, ruled)[-1].next_dealer is Seat.S

    def test_the_dealer_is_always_of_the_team_that_lost_law_12_4(self) -> None:
        lines = account(RULES, win(NS), win(EW), court(EW), win(NS), revoke(NS), court(EW), win(EW))

        for line in lines:
            assert line.outcome is not None
            assert line.next_dealer is not None
            assert line.next_dealer.team is not line.outcome.winner


class TestWhatIsOddInAMatch:
    """Law 12.4, and what the notation compares with the deals before."""

    def test_a_wrong_dealer(self) -> None:
        match = MatchRecord(RULES)
        match.add(number=1, dealer=Seat.S, outcome=win(NS))

        line, doubts = match.add(number=2, dealer=Seat.W, outcome=win(EW))

        assert doubts == MatchDoubts(Seat.E, None, None)
        assert line.next_dealer is Seat.S

    def test_a_dealer_is_not_checked_after_a_deal_that_was_not_adjudicated(self) -> None:
        match = MatchRecord(RULES)
        match.add(number=1, dealer=Seat.S, outcome=win(NS))
        match.add(number=2, dealer=Seat.E, outcome=None)

        _, doubts = match.add(number=3, dealer=Seat.W, outcome=win(EW))

        assert doubts == MatchDoubts(None, None, None)

    def test_a_dealer_is_not_checked_over_a_gap(self) -> None:
        match = MatchRecord(RULES)
        match.add(number=1, dealer=Seat.S, outcome=win(NS))

        _, doubts = match.add(number=3, dealer=Seat.W, outcome=win(EW))

        assert doubts == MatchDoubts(None, 3, None)

    def test_a_dealer_is_checked_against_a_deal_far_before(self) -> None:
        match = MatchRecord(RULES)
        for number in (1, *range(3, 5_000)):
            match.add(number=number, dealer=Seat.S, outcome=win(NS))

        _, doubts = match.add(number=2, dealer=Seat.S, outcome=win(NS))

        assert doubts.expected_dealer is Seat.E

    def test_the_longest_match_takes_no_more_memory_than_a_long_one(self) -> None:
        peaks = []
        for deals in (30_000, 60_000):
            tracemalloc.start()
            match = MatchRecord(RULES)
            for number in range(1, deals + 1):
                match.add(number=number, dealer=Seat.S, outcome=Outcome.void())
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()

        assert peaks[1] < peaks[0] * 1.1

    def test_courts_that_are_not_the_matchs(self) -> None:
        match = MatchRecord(RULES)

        _, right = match.add(number=1, dealer=Seat.S, outcome=court(NS), stated_courts=Score(1, 0))
        _, wrong = match.add(number=2, dealer=Seat.E, outcome=win(NS), stated_courts=Score(1, 1))

        assert (right.courts, wrong.courts) == (None, Score(1, 0))

    def test_courts_are_not_compared_in_the_rest_of_a_match_with_a_gap(self) -> None:
        match = MatchRecord(RULES)
        match.add(number=2, dealer=Seat.S, outcome=court(NS))

        _, doubts = match.add(number=3, dealer=Seat.E, outcome=win(NS), stated_courts=Score(9, 9))

        assert doubts == MatchDoubts(None, None, None)


class TestWhoWinsAMatch:
    """Law 13.2."""

    def test_the_team_with_more_courts(self) -> None:
        assert MatchState(RULES, courts=Score(2, 3)).winner is EW

    @pytest.mark.parametrize("courts", [Score(0, 0), Score(4, 4)])
    def test_equal_courts_are_a_draw(self, courts: Score) -> None:
        assert MatchState(RULES, courts=courts).winner is None


def test_a_deal_that_was_not_adjudicated_counts_nothing() -> None:
    lines = derive_ledger(TO_THREE, [(1, Seat.S, win(EW)), (2, Seat.S, None), (3, Seat.S, win(EW))])

    assert [(line.runs, line.next_dealer, line.scored) for line in lines] == [
        (Score(0, 1), Seat.S, NIL),
        (Score(0, 1), Seat.S, NIL),
        (Score(0, 2), Seat.S, NIL),
    ]


def test_bavneys_are_counted() -> None:
    bavney = Outcome(EW, Award.BAVNEY, Score(0, 13), Score(0, 52))

    state, _ = MatchState(RULES).after(number=1, dealer=Seat.S, outcome=bavney)

    assert (state.bavneys, state.courts, state.deals) == (Score(0, 1), Score(0, 52), 1)
