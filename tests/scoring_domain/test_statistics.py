"""What deals come to in statistics."""

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from courtpiece.engine import Award, Score, Seat, Suit, Team, TrumpMethod
from scoring.domain.statistics import (
    CountedDeal,
    Figures,
    Share,
    SuitCalls,
    figures_of,
    ranks_of,
    total_of,
)

NS, EW = Team.NS, Team.EW


def a_deal(  # noqa: PLR0913 - a deal is what it is
    number: int,
    *,
    dealer: Seat = Seat.E,
    winner: Team = NS,
    award: Award = Award.WIN,
    courts: int = 0,
    run_courts: int = 0,
    revoked: Team | None = None,
    trump: Suit | None = None,
    method: str = "",
) -> CountedDeal:
    return CountedDeal(
        number=number,
        dealer=dealer,
        winner=winner,
        award=award,
        courts=Score().plus(winner, courts + run_courts),
        run_courts=Score().plus(winner, run_courts),
        revoked=revoked,
        trump=trump,
        method=method,
    )


def won_by(teams: Sequence[Team]) -> list[CountedDeal]:
    return [a_deal(number, winner=team) for number, team in enumerate(teams, start=1)]


def test_no_deal_is_nothing() -> None:
    ns, ew = figures_of([])

    assert (ns, ew.deals, ew.longest_run) == (ew, 0, 0)


def test_who_does_not_deal_calls() -> None:
    ns, ew = figures_of(
        [a_deal(1, dealer=Seat.E), a_deal(2, dealer=Seat.N), a_deal(3, dealer=Seat.N, winner=EW)]
    )

    assert (ns.called, ns.called_won, ns.deals_won) == (1, 1, 2)
    assert (ew.called, ew.called_won, ew.deals_won) == (2, 1, 1)


def test_each_award_is_counted_for_who_made_it() -> None:
    deals = [
        a_deal(1, award=Award.COURT, courts=1),
        a_deal(2, dealer=Seat.N, award=Award.GOON_COURT, courts=3),
        a_deal(3, award=Award.BAVNEY, courts=52),
        a_deal(4, winner=EW, award=Award.REVOKE, courts=1, revoked=NS),
        a_deal(5, winner=EW, run_courts=1),
    ]

    ns, ew = figures_of(deals)

    assert (ns.courts, ns.goon_courts, ns.bavneys, ns.full_runs, ns.revokes) == (1, 1, 1, 0, 1)
    assert (ew.courts, ew.goon_courts, ew.bavneys, ew.full_runs, ew.revokes) == (0, 0, 0, 1, 0)
    assert (ns.courts_for, ns.courts_against, ew.courts_for, ew.courts_against) == (56, 2, 2, 56)


def test_a_run_goes_on_over_a_court_and_over_a_deal_that_is_not_there() -> None:
    deals = [
        a_deal(2),
        a_deal(3, award=Award.COURT, courts=1),
        a_deal(5),
        a_deal(6, winner=EW),
        a_deal(7),
        a_deal(8),
        a_deal(9),
    ]

    ns, ew = figures_of(deals)

    assert (ns.longest_run, ns.run_first, ns.run_last) == (3, 2, 5)
    assert (ew.longest_run, ew.run_first, ew.run_last) == (1, 6, 6)


@pytest.mark.parametrize(
    ("method", "is_chosen"),
    [
        (TrumpMethod.ANNOUNCED.value, True),
        (TrumpMethod.CARD.value, True),
        (TrumpMethod.HIDDEN.value, True),
        ("", True),
        (TrumpMethod.TURNED.value, False),
        (TrumpMethod.NAMED.value, False),
        (TrumpMethod.BLIND.value, False),
        (TrumpMethod.DISCARD.value, False),
    ],
)
def test_a_call_is_a_suit_that_the_caller_chose(method: str, is_chosen: bool) -> None:
    ns, _ew = figures_of([a_deal(1, trump=Suit.HEARTS, method=method)])

    assert ns.first == SuitCalls((0, int(is_chosen), 0, 0), (0, int(is_chosen), 0, 0))


def test_a_call_is_the_players_at_the_dealers_right() -> None:
    deals = [
        a_deal(1, dealer=Seat.E, trump=Suit.SPADES),
        a_deal(2, dealer=Seat.W, winner=EW, trump=Suit.CLUBS),
        a_deal(3, dealer=Seat.S, winner=EW, trump=Suit.CLUBS),
        a_deal(4, dealer=Seat.N, trump=Suit.DIAMONDS),
    ]

    ns, ew = figures_of(deals)

    assert ns.first == SuitCalls((1, 0, 0, 0), (1, 0, 0, 0))
    assert ns.second == SuitCalls((0, 0, 0, 1), (0, 0, 0, 0))
    assert ew.first == SuitCalls((0, 0, 0, 1), (0, 0, 0, 1))
    assert ew.second == SuitCalls((0, 0, 1, 0), (0, 0, 0, 0))


@given(st.lists(st.tuples(st.sampled_from(Seat), st.sampled_from(Team)), max_size=40))
def test_the_two_sides_are_two_views_of_one_match(played: list[tuple[Seat, Team]]) -> None:
    deals = [a_deal(n, dealer=dealer, winner=winner) for n, (dealer, winner) in enumerate(played, start=1)]

    ns, ew = figures_of(deals)

    assert ns.deals == ew.deals == ns.deals_won + ew.deals_won == ns.called + ew.called == len(deals)
    assert (ns.courts_for, ns.courts_against) == (ew.courts_against, ew.courts_for)


@given(st.lists(st.sampled_from(Team), max_size=40))
def test_the_longest_run_is_the_longest_stretch_of_one_winner(winners: list[Team]) -> None:
    ns, _ew = figures_of(won_by(winners))

    stretches = "".join(team.name[0] for team in winners).split("E")
    assert ns.longest_run == max(map(len, stretches))
    assert ns.run_last - ns.run_first + (ns.longest_run > 0) == ns.longest_run


def test_sums_add_what_is_counted_and_keep_the_longest() -> None:
    one = Figures(matches=1, won=1, deals=3, longest_run=3, calls=SuitCalls((1, 0, 0, 2), (1, 0, 0, 0)))
    other = Figures(matches=2, lost=1, deals=2, longest_run=2, calls=SuitCalls((0, 0, 0, 1), (0, 0, 0, 1)))

    total = total_of([one, other])

    assert (total.matches, total.won, total.drawn, total.lost) == (3, 1, 1, 1)
    assert (total.deals, total.longest_run) == (5, 3)
    assert total.calls == SuitCalls((1, 0, 0, 3), (1, 0, 0, 1))


def test_of_both_sides_each_deal_is_once_at_a_table() -> None:
    both = Figures(matches=4, won=1, lost=1, deals=6, called=3, courts_for=5, courts_against=5)

    assert (both.at_tables.matches, both.at_tables.drawn, both.at_tables.deals) == (2, 1, 3)
    assert both.at_tables.per_hundred == Fraction(500, 3)


@pytest.mark.parametrize(
    ("count", "of", "percent"), [(0, 0, None), (1, 2, 50), (1, 8, 13), (2, 3, 67), (3, 3, 100)]
)
def test_a_share_is_in_whole_percent(count: int, of: int, percent: int | None) -> None:
    assert Share(count, of).percent == percent


def test_without_a_deal_there_is_no_average() -> None:
    assert (Figures().for_per_hundred, Figures().against_per_hundred) == (None, None)
    assert Figures(deals=7, courts_for=2).for_per_hundred == Fraction(200, 7)


def test_equals_share_a_rank() -> None:
    assert list(ranks_of([9, 7, 7, 3])) == [(1, False), (2, True), (2, True), (4, False)]
    assert list(ranks_of([])) == []
