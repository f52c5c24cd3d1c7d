"""The keys of a slip: what a line of them says, and why some say nothing."""

from collections.abc import Sequence
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from courtpiece.engine import Award, Rules, Score, Seat, Team
from tournaments.domain.check_codes import LETTERS, check_code, read_code
from tournaments.domain.keyed_slips import Difference, KeyedSlip, StatedTotals, TotalKind, read_slip
from tournaments.domain.settling import MatchTotals, Stands, as_deal
from tournaments.domain.slip_keys import KeysError, KeysFault, read_keys
from tournaments.domain.slips import KnownDeal, LineFault, SlipLine

SINGLE = Rules.parse("court-piece")
DOUBLE = Rules.parse("double-sir")


def a_line(winner: Team | None, **more: object) -> SlipLine:
    return SlipLine(number=1, winner=winner, is_void=winner is None, **more)  # type: ignore[arg-type]


def line_of(keys: str, *, is_single: bool = True) -> SlipLine:
    keyed = read_keys(keys, number=1, is_single=is_single)
    assert keyed is not None
    return keyed.line


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ("n4", a_line(Team.NS, lost=4)),
        ("e0", a_line(Team.EW, lost=0)),
        ("e7-3", a_line(Team.EW, won=7, lost=3)),
        ("e 7 3", a_line(Team.EW, won=7, lost=3)),
        ("E7–3", a_line(Team.EW, won=7, lost=3)),
        ("w7:3", a_line(Team.EW, won=7, lost=3)),
        ("s5", a_line(Team.NS, lost=5)),
        ("ns 7-4", a_line(Team.NS, won=7, lost=4)),
        ("EW 7-0 court", a_line(Team.EW, won=7, lost=0, award=Award.COURT)),
        ("EW 7-0 goon-court", a_line(Team.EW, won=7, lost=0, award=Award.GOON_COURT)),
        ("nc", a_line(Team.NS, award=Award.COURT)),
        ("nc9-1", a_line(Team.NS, won=9, lost=1, award=Award.COURT)),
        ("n9-1c", a_line(Team.NS, won=9, lost=1, award=Award.COURT)),
        ("ng", a_line(Team.NS, award=Award.GOON_COURT)),
        ("nb", a_line(Team.NS, award=Award.BAVNEY)),
        ("er5-2", a_line(Team.EW, won=5, lost=2, award=Award.REVOKE)),
        ("n4ds", a_line(Team.NS, lost=4, dealer=Seat.S)),
        ("n4 d e", a_line(Team.NS, lost=4, dealer=Seat.E)),
        ("-", a_line(None)),
        ("void", a_line(None)),
        ("-dw", a_line(None, dealer=Seat.W)),
        ("n٤", a_line(Team.NS, lost=4)),
    ],
)
def test_what_keys_say(keys: str, line: SlipLine) -> None:
    assert line_of(keys) == line


def test_one_number_is_the_losers_tricks_or_where_piles_are_gathered_the_winners() -> None:
    assert (line_of("n5").lost, line_of("n8", is_single=False).won) == (5, 8)


def test_the_courts_that_stand_on_the_slip_can_be_typed() -> None:
    keyed = read_keys("n4 ds =12-1", number=3, is_single=True)

    assert keyed is not None
    assert (keyed.courts, keyed.line.dealer, keyed.line.number) == (Score(12, 1), Seat.S, 3)


def test_nothing_typed_is_no_line() -> None:
    assert read_keys("  ", number=1, is_single=True) is None


@pytest.mark.parametrize(
    ("keys", "fault", "odd"),
    [
        ("4", KeysFault.NO_SIDE, "4"),
        ("court", KeysFault.NO_SIDE, "court"),
        ("nq4", KeysFault.UNKNOWN, "q4"),
        ("n4 x", KeysFault.UNKNOWN, "x"),
        ("-4", KeysFault.UNKNOWN, "4"),
        ("n4dq", KeysFault.UNKNOWN, "dq"),
        ("ncb", KeysFault.TWICE, "b"),
        ("n4dsdn", KeysFault.TWICE, "dn"),
        ("n4c5", KeysFault.TWICE, "5"),
        ("n14", KeysFault.TOO_MANY_TRICKS, "14"),
    ],
)
def test_keys_that_mean_nothing_are_named(keys: str, fault: KeysFault, odd: str) -> None:
    with pytest.raises(KeysError) as error:
        read_keys(keys, number=1, is_single=True)

    assert (error.value.fault, error.value.odd) == (fault, odd)


@given(text=st.text(alphabet="nsewcgbrdvx0123456789-=: ", max_size=12) | st.text(max_size=12))
def test_any_text_is_a_line_or_an_error(text: str) -> None:
    try:
        keyed = read_keys(text, number=1, is_single=True)
    except KeysError:
        return
    assert keyed is None or keyed.line.is_void is (keyed.line.winner is None)


# -- the whole slip


def a_slip(*keys: str, known: Sequence[KnownDeal] = (), rules: Rules = SINGLE) -> KeyedSlip:
    return read_slip(rules, dict(enumerate(keys, start=1)), known=known, first_dealer=Seat.N)


def deals_of(*keys: str) -> list[KnownDeal]:
    found = [as_deal(line.read) for line in a_slip(*keys).written]
    return [deal for deal in found if deal is not None]


def test_dealers_fill_themselves_in_and_the_slip_adds_up() -> None:
    slip = a_slip("n4", "e7-3", "", "", rules=SINGLE)

    assert [line.read.dealer for line in slip.written] == [Seat.N, Seat.W]
    assert slip.totals == MatchTotals(Score(0, 0), Score(1, 1))
    assert (slip.has_fault, len(slip.rows), len(slip.typed)) == (False, 4, 2)


def test_an_empty_row_between_two_leaves_the_dealer_after_it_unknown() -> None:
    slip = a_slip("n4", "", "e3")

    assert [row.settled.read.fault for row in slip.typed if row.settled] == [None, LineFault.NO_DEALER]
    assert not a_slip("n4", "", "e3dw").has_fault


def test_totals_that_are_not_what_the_deals_come_to_are_named_by_side() -> None:
    slip = a_slip("ec", "n4")

    assert slip.differences(StatedTotals(courts=(0, 1), deals=(1, 1))) == ()
    assert slip.differences(StatedTotals(courts=(0, 2), deals=(None, 2))) == (
        Difference(TotalKind.COURTS, Team.EW, 2, 1),
        Difference(TotalKind.DEALS, Team.EW, 2, 1),
    )


def test_the_first_deal_at_which_the_running_score_differs_is_found() -> None:
    right = a_slip("ec=0-1", "n4", "nc=1-1")
    wrong = a_slip("ec=0-1", "e4=0-2", "nc=1-2")

    assert right.first_other_score is None
    assert wrong.first_other_score is not None
    assert (wrong.first_other_score.number, wrong.totals.courts) == (2, Score(1, 1))


def test_what_follows_from_a_faulty_row_is_no_other_score() -> None:
    slip = a_slip("e4", "n9", "nc=1-1", "q")

    assert [row.is_at_fault for row in slip.rows] == [False, True, False, True]
    assert slip.first_other_score is None
    assert slip.rows[0].after == MatchTotals(Score(0, 0), Score(0, 1))


def test_a_run_of_seven_counts_in_the_totals() -> None:
    assert a_slip(*["e4"] * 7).totals == MatchTotals(Score(0, 1), Score(0, 7))


@pytest.mark.parametrize("keys", ["e0", "ec", "e7-0", "e7-0c", "e0dn", "ec7-0 d n"])
def test_a_deal_that_is_in_and_says_the_same_is_not_written_again(keys: str) -> None:
    slip = a_slip(keys, "n4", known=deals_of("ec"))

    assert [row.settled.stands for row in slip.rows if row.settled] == [Stands.SAME, Stands.NEW]
    assert [line.read.line.number for line in slip.written] == [2]
    assert not slip.has_fault


@pytest.mark.parametrize("keys", ["e1", "n0", "-", "ec8-1", "ecdw", "er5-2", "eg"])
def test_a_deal_that_is_in_and_says_something_else_is_a_conflict(keys: str) -> None:
    slip = a_slip(keys, known=deals_of("ec"))

    assert (slip.has_conflict, slip.has_fault, slip.written) == (True, True, ())
    assert slip.totals.courts == Score(0, 1)


def test_a_line_that_says_too_little_does_not_agree_with_what_is_in() -> None:
    slip = a_slip("e", known=deals_of("e4"))

    assert [row.settled.read.fault for row in slip.rows if row.settled] == [LineFault.NO_TRICKS]


def test_in_double_sir_both_sides_tricks_are_typed() -> None:
    slip = a_slip("n8-3", "nc", "e8", rules=DOUBLE)

    faults = [row.settled.read.fault for row in slip.rows if row.settled]
    assert faults == [None, None, LineFault.NO_TRICKS]


# -- the check code


@given(uid=st.uuids(), place=st.integers(0, 6), letter=st.sampled_from(LETTERS))
def test_one_wrong_letter_of_a_check_code_is_always_noticed(uid: UUID, place: int, letter: str) -> None:
    code = check_code(uid)

    wrong = code[:place] + letter + code[place + 1 :]

    assert read_code(wrong) == (code if wrong == code else None)


@given(uid=st.uuids(), place=st.integers(0, 5))
def test_two_neighbours_that_changed_places_are_always_noticed(uid: UUID, place: int) -> None:
    code = check_code(uid)

    swapped = code[:place] + code[place + 1] + code[place] + code[place + 2 :]

    assert read_code(swapped) == (code if swapped == code else None)
