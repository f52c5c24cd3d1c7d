"""What import forgives, what export makes of it, and what is kept."""

import io

import pytest

from courtpiece.engine import Seat, Trump, TrumpMethod
from courtpiece.engine.cards import Card, Suit
from courtpiece.notation import Record, TextReader, read, write, write_file
from tests.engine.builders import WEST_AND_EAST_VOID, only, pcn

EXAMPLE = """[Event "Tuesday Rang"]
[Site "Lahore PAK"]
[Date "2026.11.29"]
[Round "2"]
[Table "5"]
[Deal "1"]
[NS "Asif Khan & Bilal Shah"]
[EW "Chand Rao & Dev Patel"]
[Rules "court-piece"]
[Dealer "E"]
[Hands "N:K852.T763.98.J72 W:Q6.A95.T764.AT83 S:7.Q42.AKQJ52.KQ5 E:AJT943.KJ8.3.964"]
[Trump "C"]
[Result "EW 7-2"]

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


def record_of(text: str | bytes) -> Record:
    (reading,) = read(text)
    assert reading.problems == ()
    assert reading.record is not None
    return reading.record


def exported(text: str | bytes) -> str:
    return write(record_of(text))


def test_an_export_comes_back_byte_for_byte() -> None:
    assert exported(EXAMPLE) == EXAMPLE


def test_what_a_record_tells() -> None:
    record = record_of(EXAMPLE)

    assert (record.event, record.site, record.date, record.round, record.table) == (
        "Tuesday Rang",
        "Lahore PAK",
        "2026.11.29",
        "2",
        "5",
    )
    assert (record.deal, record.dealer, str(record.rules)) == (1, Seat.E, "court-piece")
    assert (record.ns, record.ew) == (("Asif Khan", "Bilal Shah"), ("Chand Rao", "Dev Patel"))
    assert record.facts.trump == Trump(TrumpMethod.ANNOUNCED, Suit.CLUBS)
    assert record.tricks is not None
    assert [str(play.card) for play in record.tricks[0]] == ["HT", "H5", "HQ", "HK"]


def test_a_file_is_a_first_line_and_records_with_a_blank_line_before_each() -> None:
    result = pcn(Result="void")

    assert "".join(write_file([record_of(result), record_of(result)])) == f"% PCN 1\n\n{result}\n{result}"
    assert "".join(write_file([])) == "% PCN 1\n"


def test_absent_tags_stay_absent_and_unknown_ones_stay_unknown() -> None:
    assert exported(pcn(Result="void")) == pcn(Result="void")
    unknown = '[Event "?"]\n[Deal "1"]\n[NS "?"]\n[Dealer "E"]\n[Result "?"]\n'
    assert exported(unknown) == unknown
    record = record_of(pcn(Event="?", Date="?", NS="?", Result="void"))
    assert (record.event, record.date, record.ns, record.ew) == (None, None, None, None)


# -- import forgives --------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_line_ends(end: str) -> None:
    assert exported(EXAMPLE.replace("\n", end)) == EXAMPLE


def test_line_ends_of_all_kinds_in_one_file() -> None:
    assert exported(EXAMPLE.replace("]\n", "]\r\n").replace("\n1.", "\r1.")) == EXAMPLE


def test_a_byte_order_mark() -> None:
    assert exported("\ufeff".encode() + EXAMPLE.encode()) == EXAMPLE
    assert exported("\ufeff% PCN 1\n\n" + EXAMPLE) == EXAMPLE


def test_blanks_and_tabs() -> None:
    text = EXAMPLE.replace("] ", "]").replace('[Deal "1"]', '  [ Deal\t  "1" ]\t').replace(" H5", "\t  H5 ")

    assert exported(text) == EXAMPLE


def test_tags_in_any_order() -> None:
    tags, play = EXAMPLE.split("\n\n")

    assert exported("\n".join(reversed(tags.split("\n"))) + "\n\n" + play) == EXAMPLE


def test_several_tricks_on_a_line_and_a_trick_over_several() -> None:
    tags, play = EXAMPLE.split("\n\n")

    assert exported(f"{tags}\n\n{' '.join(play.split())}\n") == EXAMPLE
    assert exported(f"{tags}\n\n" + "\n".join(play.split()) + "\n") == EXAMPLE


def test_missing_trick_numbers() -> None:
    tags, play = EXAMPLE.split("\n\n")
    cards = " ".join(word for word in play.split() if not word.endswith("."))

    assert exported(f"{tags}\n\n{cards}\n") == EXAMPLE


def test_no_blank_line_between_tags_and_play_and_several_between_records() -> None:
    tight = EXAMPLE.replace("\n\n", "\n")

    assert [reading.record for reading in read(f"{tight}\n\n\n\n{tight}")] == [record_of(EXAMPLE)] * 2


def test_a_missing_end_and_final_newline() -> None:
    assert exported(EXAMPLE.removesuffix("*\n").rstrip()) == EXAMPLE
    assert exported(pcn(Result="void").rstrip()) == pcn(Result="void")


@pytest.mark.parametrize("card", ["h10", "10H", "tH", "Th", "♥T", "10♥", "♥10", "hT"])
def test_cards(card: str) -> None:
    assert exported(EXAMPLE.replace("HT H5", f"{card} H5")) == EXAMPLE


def test_comment_lines_with_a_semicolon_or_percent() -> None:
    text = EXAMPLE.replace("\n2.", "\n; a note\n  % another\n2.").replace("[Site", "; here too\n[Site")

    assert exported(text) == EXAMPLE


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ({"Hands": WEST_AND_EAST_VOID.replace("AKQJT98", "89JTQAK")}, {"Hands": WEST_AND_EAST_VOID}),
        ({"Hands": WEST_AND_EAST_VOID.replace("AKQJT98", "akqj1098")}, {"Hands": WEST_AND_EAST_VOID}),
        ({"FirstFive": " sa  K♠ 10s\t4h 2d "}, {"FirstFive": "SA SK ST H4 D2"}),
        ({"Trump": "♥ card h2"}, {"Trump": "H card H2"}),
        ({"Trump": " h  named  7\t2h"}, {"Trump": "H named 7 H2"}),
        ({"Rules": "double-sir   goon=3"}, {"Rules": "double-sir goon=3"}),
        ({"Tricks": "N  N\tW"}, {"Tricks": "N N W"}),
        ({"Revoke": " W  4 "}, {"Revoke": "W 4"}),
        ({"Result": " NS   7-4 "}, {"Result": "NS 7-4"}),
        ({"Courts": "NS  2   EW 10 "}, {"Courts": "NS 2 EW 10"}),
        ({"Date": " 2026.11.?? "}, {"Date": "2026.11.??"}),
    ],
)
def test_values(written: dict[str, str], value: dict[str, str]) -> None:
    (name,) = written

    assert dict(record_of(pcn(**written)).tags)[name] == value[name]


def test_hands_are_written_from_the_caller_to_the_right() -> None:
    north, west, south, east = WEST_AND_EAST_VOID.split()

    for order in ((east, north, west, south), (west, east, south, north)):
        assert dict(record_of(pcn(Hands=" ".join(order))).tags)["Hands"] == WEST_AND_EAST_VOID


def test_text_is_made_nfc_and_keeps_its_blanks() -> None:
    record = record_of(pcn(Event="  Cafe\u0301  night ", NS="Zoe\u0301  A & B", Result="void"))

    assert record.tags[0] == ("Event", "  Café  night ")
    assert record.ns == ("Zoé  A", "B")


# -- what is kept -----------------------------------------------------------------------------------------


def test_quotes_and_backslashes() -> None:
    text = pcn(Event=r"The \"Rang\" \\ Night", Result="void")

    assert record_of(text).event == r'The "Rang" \ Night'
    assert (
        exported(text) == '[Event "The \\"Rang\\" \\\\ Night"]\n[Deal "1"]\n[Dealer "E"]\n[Result "void"]\n'
    )


def test_tags_that_are_not_known_come_last_in_the_order_read() -> None:
    text = '[Umpire "X"]\n[Result "void"]\n[dealer "?"]\n[Deal "7"]\n[Air "dry"]\n[Dealer "E"]\n'

    assert exported(text) == (
        '[Deal "7"]\n[Dealer "E"]\n[Result "void"]\n[Umpire "X"]\n[dealer "?"]\n[Air "dry"]\n'
    )


def test_options_stay_as_they_were_written() -> None:
    assert exported(pcn(Rules="court-piece goon=1 court=1", Result="void")) == pcn(
        Rules="court-piece goon=1 court=1", Result="void"
    ).replace(
        '[Dealer "E"]\n[Rules "court-piece goon=1 court=1"]',
        '[Rules "court-piece goon=1 court=1"]\n[Dealer "E"]',
    )


HANDS = {"Trump": "H", "Hands": WEST_AND_EAST_VOID, "Result": "void"}


def play_of(body: str) -> str:
    """Return the play section that is exported."""
    return exported(pcn(body, **HANDS)).partition("\n\n")[2]


class TestComments:
    """Comments are part of the record and written after the token they follow."""

    def test_after_a_card_a_number_and_the_end(self) -> None:
        body = "1. C2 {a} CA C8 {b} C4 {c} {d}\n2. {e} DA D8\n* {f}\n"

        assert play_of(body) == body
        assert record_of(pcn(body, **HANDS)).comments == (
            (1, 1, "a"),
            (1, 3, "b"),
            (1, 4, "c"),
            (1, 4, "d"),
            (2, 0, "e"),
            (3, 0, "f"),
        )

    def test_those_before_the_first_card_stand_on_a_line_of_their_own(self) -> None:
        assert play_of("{one}\n{two} 1. {three} C2 CA C8 C4\n*") == "{one} {two} {three}\n1. C2 CA C8 C4\n*\n"

    def test_after_a_later_number(self) -> None:
        assert play_of("1. C2 CA C8 C4 2. {slow} DA D8\n*") == "1. C2 CA C8 C4\n2. {slow} DA D8\n*\n"

    def test_line_breaks_and_blanks_inside_become_one_blank(self) -> None:
        assert play_of("1. C2 {  a \n\t b\n\nc  } CA C8 C4\n*") == "1. C2 {a b c} CA C8 C4\n*\n"

    def test_a_line_inside_one_is_part_of_it_whatever_it_begins_with(self) -> None:
        text = pcn('1. C2 { see\n[Deal "2"]\n; this\n% and that\n* } CA C8 C4\n*', **HANDS)

        assert record_of(text).comments[0].text == 'see [Deal "2"] ; this % and that *'

    def test_they_do_not_nest(self) -> None:
        assert play_of("1. C2 { { a } CA C8 C4\n*") == "1. C2 {{ a} CA C8 C4\n*\n"

    def test_one_after_the_last_card_stays_there_where_the_end_was_missing(self) -> None:
        assert play_of("1. C2 CA C8 C4 {late}") == "1. C2 CA C8 C4 {late}\n*\n"

    def test_one_may_stand_next_to_a_token_without_a_blank(self) -> None:
        assert play_of("1. C2{a}CA C8 C4{b}*") == "1. C2 {a} CA C8 C4 {b}\n*\n"

    def test_an_empty_one(self) -> None:
        assert play_of("1. C2 { } CA C8 C4\n*") == "1. C2 {} CA C8 C4\n*\n"

    def test_its_text_is_made_nfc(self) -> None:
        assert play_of("1. C2 {e\u0301} CA C8 C4\n*") == "1. C2 {é} CA C8 C4\n*\n"


class TestPlays:
    """The signs of a play section."""

    def test_a_correction_and_a_claim(self) -> None:
        body = "1. C2 CA C8 C4\n2. DA D8 D3 S8>C3\n!N2\n"

        assert play_of(body) == body

    def test_a_claim_without_a_trick_is_written_with_it(self) -> None:
        assert play_of("1. C2 CA C8 C4\n2. DA D8 D3 S8\n!N") == "1. C2 CA C8 C4\n2. DA D8 D3 S8\n!N2\n"

    def test_a_claim_without_a_trick_of_no_revoke_is_written_as_it_is(self) -> None:
        assert play_of("1. C2 CA C8 C4\n2. DA D8 D3 S8\n!E") == "1. C2 CA C8 C4\n2. DA D8 D3 S8\n!E\n"

    def test_reveals_and_face_down_cards(self) -> None:
        hidden = {"Rules": "hidden-trump", "Trump": "D hidden D2", "Hands": WEST_AND_EAST_VOID}
        body = "1. C2 CA C8 C4\n2. DA D8 D3 _S8\n3. CK C9 C5 C3\n4. CQ S7 C6 ^D2\n*\n"

        assert exported(pcn(body, **hidden, Result="void")).endswith(f"\n\n{body}")

    def test_a_sign_stands_for_the_card_that_stands(self) -> None:
        hidden = {"Rules": "hidden-trump", "Trump": "H hidden H2", "Hands": WEST_AND_EAST_VOID}
        record = record_of(pcn("1. SA ^DJ>H8 S7 C7\n*", **hidden, Result="void"))

        assert record.tricks is not None
        play = record.tricks[0][1]
        assert (play.reveal, play.card, play.cards) == (True, Card.of("H8"), (Card.of("DJ"), Card.of("H8")))

    def test_an_end_alone_is_a_section_without_a_card(self) -> None:
        assert record_of(pcn("*", **HANDS)).tricks == ()
        assert record_of(pcn(**HANDS)).tricks is None

    def test_hands_follow_from_52_cards(self) -> None:
        thirteen = "".join(
            f"{n}. S{high} H{low} D{low} C{low}\n"
            for n, high, low in zip(range(1, 14), "AKQJT98765432", "23456789TJQKA", strict=True)
        )

        finding = only(pcn(f"{thirteen}*", Trump="S")).finding()

        assert finding is not None
        assert finding.outcome is not None
        assert finding.outcome.award.value == "bavney"


# -- sources ----------------------------------------------------------------------------------------------


def test_text_bytes_and_streams_read_alike() -> None:
    found = [
        [reading.record for reading in read(source)]
        for source in (EXAMPLE, EXAMPLE.encode(), io.BytesIO(EXAMPLE.encode()))
    ]

    assert found[0] == found[1] == found[2]


def test_the_text_of_a_reading_is_the_records_own() -> None:
    first, second = read(f"% PCN 1\n\n{EXAMPLE}\n{pcn(Deal='2', Result='void')}")

    assert (first.number, first.line, first.text.strip()) == (1, 3, EXAMPLE.strip())
    assert (second.number, second.line, second.text.strip()) == (2, 28, pcn(Deal="2", Result="void").strip())


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE,
        EXAMPLE.replace("C9 C7", "C9  C7"),
        EXAMPLE.replace("CT CK", "{late} CT CK"),
        EXAMPLE.replace("C9 C7", "C9 X7"),
        f"{EXAMPLE}\n{EXAMPLE}",
        f"% PCN 1\n\n{EXAMPLE}",
    ],
)
def test_texts_read_one_after_the_other_are_read_as_by_themselves(text: str) -> None:
    texts = TextReader()
    texts.first(EXAMPLE)

    found, alone = texts.first(text), next(read(text))

    assert found is not None
    assert (found.record, found.problems, found.text) == (alone.record, alone.problems, alone.text)
    assert (found.number, found.line) == (alone.number, alone.line)


def test_a_text_without_a_record_has_no_first() -> None:
    assert TextReader().first("% PCN 1\n") is None
