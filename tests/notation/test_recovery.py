"""Where records begin and end, and how reading goes on after a bad one: nothing guessed, nothing dropped."""

import io
import tracemalloc
from typing import BinaryIO

import pytest

from courtpiece.notation import read
from tests.engine.builders import WEST_AND_EAST_VOID, checked, pcn, problems

GOOD = pcn(Result="void")
"""Three lines."""

PLAYED = pcn("1. C2 CA C8 C4\n*", Hands=WEST_AND_EAST_VOID, Trump="H", Result="void")
"""Eight lines: five tags, a blank line, a trick, the end."""


def lines_of(text: str | bytes) -> list[tuple[int, bool]]:
    """Return the first line of each record, and whether it could be read."""
    return [(reading.line, reading.record is not None) for reading in read(text)]


def unreadable(text: str | bytes) -> list[tuple[str, int, int]]:
    """Return code, line and column of all that keeps records from being read."""
    found = [problem for reading in read(text) for problem in reading.problems]
    return [(problem.code.value, problem.line, problem.column) for problem in found]


class TestWhereARecordEnds:
    def test_a_record_with_a_body_ends_where_a_tag_follows(self) -> None:
        assert lines_of(f"{PLAYED}{GOOD}") == [(1, True), (9, True)]
        assert lines_of(f"{PLAYED.removesuffix('*' + chr(10))}{GOOD}") == [(1, True), (8, True)]

    def test_one_without_a_body_ends_at_a_blank_line(self) -> None:
        assert lines_of(f"{GOOD}\n{GOOD}\n\n{GOOD}") == [(1, True), (5, True), (10, True)]

    def test_but_not_where_its_body_follows(self) -> None:
        assert lines_of(PLAYED.replace("\n\n", "\n\n\n; a line of comment\n \t\n")) == [(1, True)]

    def test_a_file_may_have_no_record(self) -> None:
        for text in ("", "\n\n", "% PCN 1\n", "% PCN 1\n\n; nothing\n", "\ufeff"):
            assert lines_of(text) == []
            assert checked(text) == []

    def test_tags_alone_may_follow_each_other_for_ever(self) -> None:
        assert lines_of(f"{GOOD}{GOOD}") == [(1, False)]
        assert problems(f"{GOOD}{GOOD}") == [
            ("duplicate-tag", line, column) for line, column in ((4, 8), (5, 10), (6, 10))
        ]

    def test_the_blank_lines_and_comment_lines_before_it_are_not_of_a_record(self) -> None:
        assert lines_of(f"% PCN 1\n\n; first\n\n{GOOD}") == [(5, True)]


class TestAMalformedLine:
    def test_among_the_tags_belongs_to_their_record(self) -> None:
        assert lines_of(f"{GOOD}nonsense\n{GOOD}".replace("void", "NS 7-4")) == [(1, False)]
        assert lines_of(f"nonsense\n{GOOD}\n{GOOD}") == [(1, False), (6, True)]

    def test_below_a_blank_line_begins_a_record(self) -> None:
        assert lines_of(f"{GOOD}\nnonsense\n\n{GOOD}") == [(1, True), (5, False), (7, True)]

    def test_after_an_end_begins_a_record(self) -> None:
        assert lines_of(f"{PLAYED}nonsense\n{GOOD}") == [(1, True), (9, False)]
        assert lines_of(f"{PLAYED}\nnonsense\n\n{GOOD}") == [(1, True), (10, False), (12, True)]

    def test_within_a_play_section_belongs_to_it(self) -> None:
        assert lines_of(f"{PLAYED.replace('*', 'nonsense')}\n{GOOD}") == [(1, False), (10, True)]

    def test_a_play_after_an_end_belongs_to_the_record_that_has_ended(self) -> None:
        assert problems(f"{PLAYED}2. DA D8 D3 D2\n\n{GOOD}") == [("bad-syntax", 9, 1)]
        assert lines_of(f"{PLAYED}2. DA D8 D3 D2\n\n{GOOD}") == [(1, False), (11, True)]

    def test_a_play_section_without_tags_is_a_record(self) -> None:
        text = f"1. C2 CA C8 C4\n*\n\n{GOOD}"

        assert lines_of(text) == [(1, False), (4, True)]

    def test_reading_goes_on_after_every_kind_of_bad_record(self) -> None:
        bad = ('[Deal "0"]\n', "[Deal 1]\n", '[Result "void"]\n', "%%\n\0\n", '[Deal "1"]\n[Deal "1"]\n')
        text = "\n".join(f"{record}\n{GOOD}" for record in bad)

        assert [good for _, good in lines_of(text)] == [False, True] * len(bad)


class TestAnUnclosedComment:
    def test_reading_resumes_at_the_next_tag_line(self) -> None:
        text = f"{PLAYED.replace('C8 C4', '{C8 C4')}\n{GOOD}\n{GOOD}"

        assert lines_of(text) == [(1, False), (10, True), (14, True)]
        assert unreadable(text) == [("bad-syntax", 7, 10)]

    def test_two_of_them(self) -> None:
        bad = PLAYED.replace("C8 C4", "{C8 C4")

        assert unreadable(f"{bad}\n{bad}\n{GOOD}") == [("bad-syntax", 7, 10), ("bad-syntax", 16, 10)]

    def test_one_that_swallows_another_comment_ends_at_its_brace(self) -> None:
        text = f"{PLAYED.replace('C8 C4', '{C8 C4')}\n{PLAYED.replace('C8 C4', 'C8 {x} C4')}"

        (reading,) = read(text)

        assert reading.record is not None
        assert '[Deal "1"]' in reading.record.comments[0].text

    def test_one_before_many_records_does_not_swallow_them(self) -> None:
        text = f"{PLAYED.replace('C8 C4', '{C8 C4')}\n" + f"{GOOD}\n" * 3000

        readings = list(read(text))

        assert [reading.record is not None for reading in readings] == [False, *[True] * 3000]
        assert unreadable(text) == [("bad-syntax", 7, 10)]


class TestAnotherVersion:
    @pytest.mark.parametrize("first", ["% PCN 2", "%PCN 2", "%  PCN\t10", "% PCN 1.1", "\ufeff% PCN 2"])
    def test_is_the_files_one_record_and_its_one_problem(self, first: str) -> None:
        text = f"{first}\n\n{GOOD}\n{GOOD}"

        assert problems(text) == [("bad-syntax", 1, 1)]
        assert lines_of(text) == [(1, False)]

    def test_is_no_matter_on_another_line(self) -> None:
        assert problems(f"\n% PCN 2\n{GOOD}") == []

    def test_ours_may_be_written_with_other_blanks_or_lack(self) -> None:
        for first in ("% PCN 1", "%PCN 1 ", "%\tPCN  1", "% Pcn", "; PCN 2"):
            assert problems(f"{first}\n\n{GOOD}") == []


class TestEncodings:
    def test_text_in_utf_16_is_one_problem_a_record(self) -> None:
        found = checked(PLAYED.encode("utf-16"))

        assert {problem[0] for line in found for problem in problems_of(line)} == {"bad-encoding"}

    def test_latin_1_among_good_records(self) -> None:
        text = (
            GOOD.encode() + b"\n" + pcn(Event="Café", Result="void").encode("latin-1") + b"\n" + GOOD.encode()
        )

        assert lines_of(text) == [(1, True), (5, False), (10, True)]
        assert unreadable(text) == [("bad-encoding", 7, 12)]

    def test_lone_surrogates_are_no_characters(self) -> None:
        assert problems(pcn(Event="\ud800", Result="void")) == [("bad-encoding", 3, 9)]

    def test_bytes_that_are_no_text_at_all(self) -> None:
        assert [code for code, _, _ in problems(bytes(range(256)))] == ["bad-encoding"] * len(
            checked(bytes(range(256)))
        )

    def test_columns_count_characters_not_bytes(self) -> None:
        assert problems('[Event "سہ شنبہ"] x\n[Deal "1"]\n') == [("bad-syntax", 1, 1)]
        assert problems(PLAYED.replace("C2 CA", "C2 {é♠𝄞} XX")) == [("bad-syntax", 7, 13)]

    def test_a_carriage_return_alone_ends_a_line_in_the_midst_of_others(self) -> None:
        text = f"{PLAYED}\n{GOOD}".replace("1. C2 CA", "1.\rC2\rCA")

        assert lines_of(text) == [(1, True), (12, True)]

    @pytest.mark.parametrize("space", ["\x0b", "\x0c", "\x1c", "\x85", "\u00a0", "\u2028", "\u3000"])
    def test_only_blanks_and_tabs_part_the_words_of_a_play(self, space: str) -> None:
        assert problems(PLAYED.replace("C2 CA", f"C2{space}CA")) == [("bad-syntax", 7, 4)]
        assert unreadable(f"{GOOD}\n{space}\n\n{GOOD}") == [("bad-syntax", 5, 1)]

    def test_other_line_separators_are_characters(self) -> None:
        text = pcn(Event="a\u2028b\x85c\x0bd\x0ce\x1cf", Result="void")

        (reading,) = read(text)

        assert reading.record is not None
        assert reading.record.event == "a\u2028b\x85c\x0bd\x0ce\x1cf"


def problems_of(line: object) -> list[tuple[str, int]]:
    assert isinstance(line, dict)
    return [(problem["code"], problem["line"]) for problem in line["problems"]]


class Endless(io.RawIOBase):
    """A stream of one long line, made as it is read."""

    def __init__(self, head: bytes, size: int, tail: bytes) -> None:
        self._parts = [tail, head]
        self._left = size

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        if len(self._parts) == 2:
            return self._parts.pop()
        if self._left:
            made = min(self._left, size)
            self._left -= made
            return b"x" * made
        return self._parts.pop() if self._parts else b""


class TestTooLong:
    LIMIT = 64 * 1024

    def test_a_record_of_just_64_kib_can_be_read(self) -> None:
        fits = pcn(Note="", Result="void")
        fits = fits.replace('[Note ""]', f'[Note "{"x" * (self.LIMIT - len(fits))}"]')

        assert len(fits) == self.LIMIT
        assert problems(fits) == []
        assert problems(fits.replace("x", "xx", 1)) == [("record-too-long", 1, 1)]
        assert lines_of(f"{fits}\n{fits.replace('x', 'xx', 1)}\n{GOOD}") == [
            (1, True),
            (6, False),
            (11, True),
        ]

    def test_bytes_are_counted(self) -> None:
        text = pcn(Note="ع" * 33_000, Result="void")

        assert len(text) < self.LIMIT
        assert problems(text) == [("record-too-long", 1, 1)]

    def test_reading_goes_on_after_it(self) -> None:
        long = pcn(Note="x" * 70_000, Result="void")
        many = pcn(Result="void") + '[X "y"]\n' * 9_000

        assert lines_of(f"{GOOD}\n{long}\n{GOOD}\n{many}\n{GOOD}") == [
            (1, True),
            (5, False),
            (10, True),
            (14, False),
            (9018, True),
        ]

    def test_it_is_the_records_only_problem(self) -> None:
        assert problems(pcn(Note="x" * 70_000) + "nonsense\n" * 50) == [("record-too-long", 1, 1)]

    def test_a_long_comment_and_a_long_play(self) -> None:
        comment = PLAYED.replace("C8", "{" + "x " * 40_000 + "} C8")
        play = PLAYED.replace("*", "DA D8 D3 D2\n" * 6_000)

        assert unreadable(f"{comment}\n{play}\n{GOOD}") == [
            ("record-too-long", 1, 1),
            ("record-too-long", 10, 1),
        ]

    def test_blank_lines_between_records_are_of_none(self) -> None:
        assert lines_of(f"{GOOD}{chr(10) * 100_000}{GOOD}") == [(1, True), (100_004, True)]

    def test_a_line_of_ten_megabytes_takes_no_more_memory_than_one_of_a_megabyte(self) -> None:
        small, large = peak_of_a_line(1_000_000), peak_of_a_line(10_000_000)

        assert large < small + 500_000


def peak_of_a_line(size: int) -> int:
    """Return how much memory it takes to read a good record, one with a line of that size, and a good one."""
    long = Endless(f'{GOOD}\n[Note "'.encode(), size, f'"]\n\n{GOOD}'.encode())
    stream: BinaryIO = long  # type: ignore[assignment]
    tracemalloc.start()
    readings = list(read(stream))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [(reading.line, reading.record is not None) for reading in readings] == [
        (1, True),
        (5, False),
        (7, True),
    ]
    assert [problem.code.value for problem in readings[1].problems] == ["record-too-long"]
    return peak
