"""A file is read as it comes: memory does not grow with the number of its records.

What is kept of values seen before, and of matches, makes a megabyte or two that come and go; a record takes
several kilobytes, so that two megabytes more are a hundred times less than all records would take.
"""

import io
import tracemalloc
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import BinaryIO

from courtpiece.engine import Rules
from courtpiece.notation import check, read, write, write_file
from tests.engine.builders import pcn
from tests.engine.deals import as_record, play_out


class Stream(io.RawIOBase):
    """A stream of bytes that are made only when they are read, a few records at a time."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self._parts = parts
        self.served = 0

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        served = b"".join(islice(self._parts, 50))
        self.served += len(served)
        return served


def stream_of(records: int) -> Stream:
    """Return a file of so many played records, each the first deal of a match."""
    rng = Random(4)
    played = [write(as_record(play_out(rng, Rules.parse("court-piece")))) for _ in range(20)]

    def parts() -> Iterator[bytes]:
        yield b"% PCN 1\n"
        for number in range(records):
            yield f'\n[Round "{number % 60}"]\n{played[number % 20]}'.encode()

    return Stream(parts())


def check_all(stream: BinaryIO) -> int:
    return sum(line["type"] == "deal" for line in check(stream, file="a.pcn"))


def write_all(stream: BinaryIO) -> int:
    return sum(1 for _ in write_file(reading.record for reading in read(stream) if reading.record)) - 1


def peak(use: Callable[[BinaryIO], int], records: int) -> int:
    """Return the most memory that it took to use a file of so many records, and others before it."""
    use(stream_of(500))  # type: ignore[arg-type]
    stream: BinaryIO = stream_of(records)  # type: ignore[assignment]
    tracemalloc.start()
    try:
        assert use(stream) == records
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_checking_ten_thousand_records_takes_no_more_memory_than_four_thousand() -> None:
    few, many = peak(check_all, 4_000), peak(check_all, 10_000)

    assert many < few + 2_000_000


def test_writing_five_thousand_records_takes_no_more_memory_than_one_thousand() -> None:
    few, many = peak(write_all, 1_000), peak(write_all, 5_000)

    assert many < few + 2_000_000


def test_a_record_is_given_before_the_file_was_read_to_its_end() -> None:
    stream = stream_of(20_000)
    source: BinaryIO = stream  # type: ignore[assignment]

    first = next(read(source))

    assert first.record is not None
    assert stream.served < 300_000


def test_chunks_may_end_anywhere() -> None:
    text = "\n".join([pcn(Deal=str(number), Result="void", Event="سہ شنبہ") for number in range(1, 9)])

    for size in (1, 2, 3, 7, 64):
        data = text.replace("\n", "\r\n").encode()
        parts: BinaryIO = Trickle(data, size)  # type: ignore[assignment]
        assert [(reading.line, reading.record and reading.record.deal) for reading in read(parts)] == [
            (5 * number - 4, number) for number in range(1, 9)
        ]


class Trickle(io.RawIOBase):
    """A stream that never gives more than a few bytes."""

    def __init__(self, data: bytes, most: int) -> None:
        self._data = io.BytesIO(data)
        self._most = most

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._data.read(min(size, self._most))
