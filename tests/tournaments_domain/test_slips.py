"""A slip's lines: what the engine makes of them, among the deals that are in, and what it needs to be told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from courtpiece.engine import Award, Rules, Score, Seat, Team, derive_ledger
from courtpiece.notation import read
from tournaments.domain.slips import (
    KnownDeal,
    LineFault,
    ReadLine,
    SlipLine,
    read_lines,
    records_of,
)

SINGLE = Rules.parse("court-piece")
DOUBLE = Rules.parse("double-sir")


def a_line(
    number: int, winner: str = "", won: int | None = None, lost: int | None = None, award: str = ""
) -> SlipLine:
    return SlipLine(
        number=number,
        winner=Team[winner] if winner else None,
        won=won,
        lost=lost,
        award=Award(award) if award else None,
    )


def void(number: int) -> SlipLine:
    return SlipLine(number=number, is_void=True)


def alone(line: SlipLine, rules: Rules = SINGLE, dealer: Seat = Seat.N) -> ReadLine:
    (only,) = read_lines(rules, [line], first_dealer=dealer)
    return only


def said(line: ReadLine) -> tuple[Award, Score] | None:
    return None if line.outcome is None else (line.outcome.award, line.outcome.tricks)


@pytest.mark.parametrize(
    ("line", "award", "tricks"),
    [
        (a_line(1, "EW", lost=4), Award.WIN, Score(4, 7)),
        (a_line(1, "EW", lost=1), Award.WIN, Score(1, 7)),
        (a_line(1, "EW", lost=0), Award.COURT, Score(0, 7)),
        (a_line(1, "NS", 7, 0), Award.GOON_COURT, Score(7, 0)),
        (a_line(1, "EW", 9, 1), Award.COURT, Score(1, 9)),
        (a_line(1, "EW", 13, 0), Award.BAVNEY, Score(0, 13)),
        (a_line(1, "EW", award="court"), Award.COURT, Score(0, 7)),
        (a_line(1, "NS", award="court"), Award.GOON_COURT, Score(7, 0)),
        (a_line(1, "NS", award="bavney"), Award.BAVNEY, Score(13, 0)),
        (a_line(1, "NS", 3, 2, "revoke"), Award.REVOKE, Score(3, 2)),
        (void(1), Award.VOID, Score(0, 0)),
    ],
)
def test_a_line_of_single_sir_needs_no_more_than_tells_it(
    line: SlipLine, award: Award, tricks: Score
) -> None:
    assert said(alone(line)) == (award, tricks)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (a_line(1, "EW", 9, 3), (Award.WIN, Score(3, 9))),
        (a_line(1, "EW", award="court"), (Award.COURT, Score(0, 13))),
        (a_line(1, "NS", 13, 0), (Award.GOON_COURT, Score(13, 0))),
        (a_line(1, "EW", lost=3), None),
    ],
)
def test_in_double_sir_the_winners_tricks_are_asked_for(
    line: SlipLine, expected: tuple[Award, Score] | None
) -> None:
    read = alone(line, DOUBLE)

    assert said(read) == expected
    assert read.fault == (None if expected else LineFault.NO_TRICKS)


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (SlipLine(number=None, winner=Team.NS, lost=3), LineFault.NO_NUMBER),
        (a_line(1, lost=3), LineFault.NO_WINNER),
        (a_line(1, "NS"), LineFault.NO_TRICKS),
        (a_line(1, "NS", award="win"), LineFault.NO_TRICKS),
        (a_line(1, "NS", 3, award="revoke"), LineFault.NO_TRICKS),
        (a_line(1, "NS", 6, 5), LineFault.IMPOSSIBLE),
        (a_line(1, "EW", award="goon-court"), LineFault.IMPOSSIBLE),
        (a_line(1, "NS", 13, 13), LineFault.IMPOSSIBLE),
    ],
)
def test_a_line_that_cannot_be_taken_says_why(line: SlipLine, fault: LineFault) -> None:
    assert alone(line).fault is fault


def test_the_engines_own_words_say_why_no_deal_ends_so() -> None:
    assert alone(a_line(1, "NS", 6, 5)).message == (
        "a win is 7-1 to 7-6, and 7-0 a court; found 6-5 (laws 9.2, 10.1)"
    )


def test_the_dealer_follows_law_12_from_line_to_line() -> None:
    lines = [
        a_line(1, "EW", lost=4),
        a_line(2, "NS", lost=2),
        a_line(3, "NS", award="court"),
        void(4),
        a_line(5, "EW", lost=5),
    ]

    read = read_lines(SINGLE, lines, first_dealer=Seat.N)

    assert [line.dealer for line in read] == [Seat.N, Seat.N, Seat.W, Seat.E, Seat.E]
    assert read[-1].courts == Score(1, 0)
    assert read[-1].next_dealer is Seat.N


def test_south_can_be_said_to_have_dealt_and_a_dealer_out_of_turn_is_reported() -> None:
    line = SlipLine(number=1, dealer=Seat.S, winner=Team.NS, lost=3)

    read = alone(line, dealer=Seat.N)

    assert (read.dealer, read.is_out_of_turn) == (Seat.S, True)


def test_the_first_dealer_has_to_be_known() -> None:
    (read,) = read_lines(SINGLE, [a_line(1, "NS", lost=3)])

    assert read.fault is LineFault.NO_DEALER


def test_after_a_gap_the_dealer_has_to_be_said() -> None:
    read = read_lines(SINGLE, [a_line(1, "NS", lost=3), a_line(3, "NS", lost=3)], first_dealer=Seat.N)

    assert [line.fault for line in read] == [None, LineFault.NO_DEALER]


def test_what_follows_from_a_faulty_line_is_not_reported_again() -> None:
    read = read_lines(SINGLE, [a_line(1, "NS", 6, 5), a_line(2, "NS", lost=3)], first_dealer=Seat.N)

    assert [(line.fault, line.outcome) for line in read] == [(LineFault.IMPOSSIBLE, None), (None, None)]


def test_lines_fill_what_is_missing_among_the_deals_that_are_in() -> None:
    in_already = [
        KnownDeal(number=1, dealer=Seat.N, outcome=alone(a_line(1, "EW", lost=3)).outcome),
        KnownDeal(number=3, dealer=Seat.N, outcome=alone(a_line(1, "EW", lost=0)).outcome),
    ]

    read = read_lines(
        SINGLE, [a_line(4, "NS", lost=1), a_line(2, "EW", lost=6), a_line(3, "EW", lost=2)], known=in_already
    )

    assert [line.dealer for line in read] == [Seat.S, Seat.N, None]
    assert [line.fault for line in read] == [None, None, LineFault.RECORDED]
    assert read[0].courts == Score(0, 1)


def test_two_lines_of_one_number_are_both_at_fault() -> None:
    read = read_lines(SINGLE, [a_line(1, "NS", lost=3), a_line(1, "NS", lost=3)], first_dealer=Seat.N)

    assert [line.fault for line in read] == [LineFault.REPEATED, LineFault.REPEATED]


def test_seven_won_running_make_a_court() -> None:
    read = read_lines(SINGLE, [a_line(number, "EW", lost=3) for number in range(1, 8)], first_dealer=Seat.N)

    assert read[-1].run_courts == Score(0, 1)
    assert read[-1].courts == Score(0, 1)


LINES = st.builds(
    SlipLine,
    number=st.none(),
    dealer=st.none() | st.sampled_from(Seat),
    winner=st.none() | st.sampled_from(Team),
    is_void=st.booleans(),
    won=st.none() | st.integers(0, 13),
    lost=st.none() | st.integers(0, 13),
    award=st.none() | st.sampled_from([award for award in Award if award is not Award.VOID]),
)


@given(
    lines=st.lists(LINES, max_size=9), rules=st.sampled_from([SINGLE, DOUBLE]), first=st.sampled_from(Seat)
)
def test_what_is_taken_is_read_back_by_the_engine_as_it_was_shown(
    lines: list[SlipLine], rules: Rules, first: Seat
) -> None:
    numbered = [
        SlipLine(
            number=number,
            dealer=line.dealer,
            winner=line.winner,
            is_void=line.is_void,
            won=line.won,
            lost=line.lost,
            award=line.award,
        )
        for number, line in enumerate(lines, start=1)
    ]

    taken = [line for line in read_lines(rules, numbered, first_dealer=first) if line.outcome is not None]

    records = [reading.record for reading in read(records_of(rules, taken))]
    found = [
        (record.deal, record.dealer, record.finding().outcome) for record in records if record is not None
    ]
    assert found == [(line.line.number, line.dealer, line.outcome) for line in taken]
    ledger = derive_ledger(rules, found)
    assert [line.courts for line in ledger] == [line.courts for line in taken]
