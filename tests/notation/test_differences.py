"""Two records of one deal: the first point at which they part."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from courtpiece.engine import Seat
from courtpiece.notation import Difference, Point, Record, first_difference, read
from tests.engine.deals import as_record, play_out, random_rules

HANDS = (
    "N:K852.T763.98.J72 W:Q6.A95.T764.AT83 S:7.Q42.AKQJ52.KQ5 E:AJT943.KJ8.3.964",
    "N:K852.T763.98.J73 W:Q6.A95.T764.AT82 S:7.Q42.AKQJ52.KQ5 E:AJT943.KJ8.3.964",
)
PLAYED = """
1. HT H5 HQ HK
2. C9 C7 CT CK
3. CQ C6 C2 CA
4. C8 C5 C4 CJ
5. SK S6 S7 SA
6. HJ H7 H9 H4
7. SJ S5 SQ DJ
8. C3 DA ST H3
9. HA H2 H8 H6
*
"""
WON = "E S W N E E W W W"


def a_record(body: str = "", *, dealer: str = "E", rules: str = "court-piece", **tags: str) -> Record:
    stated = {"Deal": "1", "Rules": rules, "Dealer": dealer} | {
        name.capitalize(): value for name, value in tags.items()
    }
    text = "".join(f'[{name} "{value}"]\n' for name, value in stated.items() if value)
    record = next(read(text + body)).record
    assert record is not None
    return record


def played(**changed: str) -> Record:
    return a_record(**{"body": PLAYED, "hands": HANDS[0], "trump": "C", "result": "EW 7-2", **changed})


def test_the_same_deal_said_in_two_ways_is_no_difference() -> None:
    whole = played(note="noisy table")

    assert first_difference(whole, played()) is None
    assert first_difference(whole, a_record(tricks=WON)) is None
    assert first_difference(whole, a_record(result="EW 7-2")) is None
    assert first_difference(a_record(result="EW 7-2"), whole) is None


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (
            a_record(dealer="E", result="EW 7-2"),
            a_record(dealer="N", result="NS 7-4"),
            Difference(point=Point.DEALER, one="E", other="N"),
        ),
        (
            a_record(result="EW 7-2"),
            a_record(rules="double-sir", result="EW 7-2"),
            Difference(point=Point.RULES, one="court-piece", other="double-sir"),
        ),
        (
            a_record(hands=HANDS[0], result="EW 7-2"),
            a_record(hands=HANDS[1], result="EW 7-3"),
            Difference(point=Point.HANDS, seat=Seat.N, one="K852.T763.98.J72", other="K852.T763.98.J73"),
        ),
        (
            a_record(trump="C", result="EW 7-2"),
            a_record(trump="H", result="EW 7-2"),
            Difference(point=Point.TRUMP, one="C", other="H"),
        ),
        (
            a_record(tricks=WON),
            a_record(tricks="E S W S E E W W W"),
            Difference(point=Point.TRICK_WINNER, trick=4, one="N", other="S"),
        ),
        (
            a_record(tricks=WON),
            a_record(tricks="E S N N E E W W W E"),
            Difference(point=Point.TRICK_WINNER, trick=3, one="W", other="N"),
        ),
        (
            a_record(tricks="E S W N E E W W", revoke="S 9", result="EW 6-2 revoke"),
            a_record(tricks="E S W N E E W W", revoke="N 9", result="EW 6-2 revoke"),
            Difference(point=Point.REVOKE, one="S 9", other="N 9"),
        ),
        (
            a_record(result="EW 7-2"),
            a_record(result="NS 7-2"),
            Difference(point=Point.WINNER, one="EW", other="NS"),
        ),
        (
            a_record(result="EW 7-2"),
            a_record(result="void"),
            Difference(point=Point.WINNER, one="EW", other="void"),
        ),
        (
            a_record(result="EW 7-2"),
            a_record(result="EW 7-3"),
            Difference(point=Point.TRICKS, one="7-2", other="7-3"),
        ),
        (
            a_record(result="EW 7-2"),
            a_record(result="EW 7-2 revoke"),
            Difference(point=Point.AWARD, one="win", other="revoke"),
        ),
    ],
    ids=lambda value: value.point.value if isinstance(value, Difference) else "",
)
def test_the_first_point_is_found(one: Record, other: Record, expected: Difference) -> None:
    assert first_difference(one, other) == expected


@pytest.mark.parametrize(
    ("line", "instead", "expected"),
    [
        (
            "4. C8 C5 C4 CJ",
            "4. C8 C5 CJ C4",
            Difference(point=Point.CARD, trick=4, seat=Seat.E, one="C4", other="CJ"),
        ),
        (
            "6. HJ H7 H9 H4",
            "6. HJ H7 D4>H9 H4",
            Difference(point=Point.CARD, trick=6, seat=Seat.W, one="H9", other="D4>H9"),
        ),
    ],
)
def test_a_card_is_named_by_its_trick_and_its_seat(line: str, instead: str, expected: Difference) -> None:
    other = played(body=PLAYED.replace(line, instead), result="")

    assert first_difference(played(), other) == expected


def test_a_play_that_ends_earlier_is_told_where_it_ends() -> None:
    shorter = played(body=PLAYED.replace("9. HA H2 H8 H6\n", ""), result="")

    found = first_difference(played(), shorter)

    assert found == Difference(point=Point.CARD, trick=9, seat=Seat.W, one="HA", other="")


@given(seed=st.integers(0, 2**32))
def test_no_deal_differs_from_itself_and_both_see_the_same_point(seed: int) -> None:
    rng = Random(seed)
    rules = random_rules(rng)
    one, other = (as_record(play_out(rng, rules)) for _ in range(2))

    assert first_difference(one, one) is None
    there, back = first_difference(one, other), first_difference(other, one)
    assert (there is None) is (back is None)
    if there is not None and back is not None:
        assert (there.point, there.trick) == (back.point, back.trick)
        assert (there.one, there.other) == (back.other, back.one)
