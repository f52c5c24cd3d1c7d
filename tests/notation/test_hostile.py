"""Texts made to be slow or large cost no more than any other of their size, and are reported."""

from io import BytesIO

import pytest

from courtpiece.notation import Reading, read
from courtpiece.notation.lines import Line, LineSource
from courtpiece.notation.parsing import parse_next

HEAD = b'[Deal "1"]\n[Dealer "N"]\n[Trump "S"]\n'
GOOD = b'[Deal "2"]\n[Dealer "N"]\n[Result "void"]\n'


def codes(reading: Reading) -> list[str]:
    return [problem.code.value for problem in reading.problems]


class CountingSource(LineSource):
    """Counts the lines that were asked for, the ones read again too."""

    taken = 0

    def next_line(self) -> Line | None:
        self.taken += 1
        return super().next_line()


@pytest.mark.parametrize(
    "text",
    [
        b"x" * 200_000,
        b"x\n" * 100_000,
        b"1. " + b"SA " * 40_000,
        HEAD + b'[Note "' + b"y" * 70_000 + b'"]\n',
        HEAD + b"\n*\n{" + b"y" * 70_000 + b"}\n",
        HEAD + b"\n{" + b"yyyy\n" * 17_000 + b"}\n*\n",
    ],
)
def test_what_is_too_long_for_a_record_is_one_problem_and_the_next_record_is_read(text: bytes) -> None:
    first, second = read(text + b"\n\n" + GOOD)

    assert (codes(first), codes(second)) == (["record-too-long"], [])


def test_comments_that_are_all_left_open_are_looked_at_twice_not_once_each() -> None:
    text = (HEAD + b"\n1. {\n\n") * 3_000
    source = CountingSource(BytesIO(text))
    records = 0

    while (parsed := parse_next(source)) is not None:
        records += 1
        assert [problem.code.value for problem in parsed.problems] == ["bad-syntax"]

    assert records == 3_000
    assert source.taken < 3 * text.count(b"\n")


def test_a_comment_left_open_loses_no_record_after_it() -> None:
    first, second = read(HEAD + b"\n1. SA {oops\n" + GOOD)

    assert (codes(first), codes(second), second.line) == (["bad-syntax"], [], 6)


@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n"])
def test_lines_are_numbered_whatever_ends_them(end: bytes) -> None:
    text = end.join([b'[Deal "1"]', b'[Dealer "Q"]', b"", b'[Deal "x"]', b'[Dealer "N"]', b""])

    places = [(problem.line, problem.column) for reading in read(text) for problem in reading.problems]

    assert places == [(2, 10), (4, 8)]
