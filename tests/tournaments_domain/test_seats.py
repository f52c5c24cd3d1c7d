"""Tables, seats and first dealers: from the seed, and the same every time."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from courtpiece.engine import Seat
from tests.tournaments_domain.playing import start
from tournaments.domain.drawing import draw_round, schedule
from tournaments.domain.pairing import Draw, Pairing, PairingError
from tournaments.domain.plans import RoundRobinPlan, SwissPlan
from tournaments.domain.seats import count_ns, seat_round

TABLES = ("A", "B", "C", "D")
LOTS_OF_SEED_ONE = [(1, 5, Seat.E), (6, 2, Seat.W), (7, 3, Seat.E), (8, 4, Seat.W)]
"""They are to be the same for ever: a draw that was published can be drawn again from its seed."""


def test_the_first_pairing_sits_at_the_first_table() -> None:
    seatings = seat_round(draw_round(SwissPlan(), start(6)), tables=TABLES, seed=1)

    assert [(one.table, {one.ns, one.ew}) for one in seatings] == [
        ("A", {1, 4}),
        ("B", {2, 5}),
        ("C", {3, 6}),
    ]


def test_the_same_seed_draws_the_same_and_these_are_the_lots_of_seed_one() -> None:
    draw = draw_round(SwissPlan(), start(8))

    seatings = seat_round(draw, tables=TABLES, seed=1)

    assert seatings == seat_round(draw, tables=TABLES, seed=1)
    assert [(one.ns, one.ew, one.dealer) for one in seatings] == LOTS_OF_SEED_ONE


def test_in_a_round_robin_the_tables_say_who_sits_north_south() -> None:
    for draw in schedule(RoundRobinPlan(), start(6).entries):
        seatings = seat_round(draw, tables=TABLES, seed=draw.number)

        assert [(one.ns, one.ew) for one in seatings] == [(one.first, one.second) for one in draw.pairings]


def test_who_has_sat_north_south_less_often_does() -> None:
    draw = Draw(number=3, pairings=(Pairing(first=1, second=2), Pairing(first=3, second=4)))

    seatings = seat_round(draw, tables=TABLES, seed=1, times_ns=count_ns([1, 4, 3, 3]))

    assert [(one.ns, one.ew) for one in seatings] == [(2, 1), (4, 3)]


def test_a_pairing_keeps_the_table_that_its_format_wants() -> None:
    draw = Draw(number=1, pairings=(Pairing(first=1, second=2), Pairing(first=3, second=4, table=1)))

    seatings = seat_round(draw, tables=TABLES, seed=1)

    assert [one.table for one in seatings] == ["B", "A"]


def test_a_match_that_is_given_away_takes_no_table() -> None:
    draw = Draw(
        number=1, pairings=(Pairing(first=1, second=2, given_away_by=(2,)), Pairing(first=3, second=4))
    )

    seatings = seat_round(draw, tables=("A",), seed=1)

    assert [one.table for one in seatings] == ["w1", "A"]


def test_too_few_tables_are_refused_with_how_many_are_missing() -> None:
    with pytest.raises(PairingError, match="3 tables are needed and there are 1: add 2"):
        seat_round(draw_round(SwissPlan(), start(6)), tables=("A",), seed=1)


@given(st.integers(0, 2**32))
def test_a_swap_at_one_table_changes_no_lot_at_another(seed: int) -> None:
    one, two, three = draw_round(SwissPlan(), start(6)).pairings
    swapped = (replace(one, second=two.second), replace(two, second=one.second), three)

    before = seat_round(Draw(number=1, pairings=(one, two, three)), tables=TABLES, seed=seed)
    after = seat_round(Draw(number=1, pairings=swapped), tables=TABLES, seed=seed)

    assert before[2] == after[2]


def test_lots_are_fair() -> None:
    draw = Draw(number=1, pairings=(Pairing(first=1, second=2),))

    drawn = [seat_round(draw, tables=TABLES, seed=seed)[0] for seed in range(4000)]

    assert set(Counter(one.dealer for one in drawn)) == {Seat.N, Seat.E, Seat.S, Seat.W}
    assert all(900 < count < 1100 for count in Counter(one.dealer for one in drawn).values())
    assert all(1900 < count < 2100 for count in Counter(one.ns for one in drawn).values())
