"""The reader: from a stream of bytes to records and problems, one after the other.

A record in the export form, without comments, takes a quick road: a few calls that split it all at once.
Anything else is read line by line and token by token by ``parsing``; the tests hold the two roads to each
other. The quick road keeps no places: a record with a problem is read once more, carefully, to find where it
stands.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterator
from typing import BinaryIO, Final

from courtpiece.engine.adjudication import adjudicate
from courtpiece.engine.deal import Tricks
from courtpiece.engine.finding import Finding
from courtpiece.engine.play import Claim
from courtpiece.errors import CourtPieceError
from courtpiece.notation.building import build_record
from courtpiece.notation.lines import MOST_BYTES, LineSource
from courtpiece.notation.parsing import ParsedRecord, parse_next, parse_text
from courtpiece.notation.problems import Problem
from courtpiece.notation.record import Record
from courtpiece.notation.tokens import END, PlayCodes, read_claim
from courtpiece.notation.values import BadValueError, TagValue, read_value

_TAG: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9]*) "([^"\\\r\0]*)"\]')
_RECORD_START: Final = b"["
_RECORD_END: Final = b"\n\n["
_HEADER: Final = b"% PCN 1"
_NUMBERS: Final = [f"{number}." for number in range(1, 14)]
_OF_PLAY: Final = bytes(range(ord(" "), ord("~") + 1)) + b"\n"
"""All that an exported play section is made of: nothing in it separates words for Python and not for PCN."""
_AT_ONCE: Final = 32
"""Records that are read before the first of them is handed on: doing one thing for a while is quicker."""


class _NotQuickError(CourtPieceError):
    """The line is not one of those that the quick road understands."""


_NOT_KEPT: Final = frozenset({"Hands", "FirstFive", "Tricks", "Note"})
_MOST_KEPT: Final = 20_000


class _TagLines(dict[str, TagValue]):
    """What lines of tags say: most lines of a file are those of a record before.

    :raises BadValueError: for a line whose value is not as its tag wants it.
    :raises _NotQuickError: for a line that is not in the export form.
    """

    def __missing__(self, line: str) -> TagValue:
        match = _TAG.fullmatch(line)
        if match is None or not (line.isascii() or unicodedata.is_normalized("NFC", line)):
            raise _NotQuickError(line)
        name, text = match.groups()
        value = read_value(name, text)
        if name not in _NOT_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[line] = value
        return value


class Reading:
    """One record as it was read. What it needs beyond the record it finds when it is asked.

    ``number`` counts records from 1, ``line`` is the record's first line, ``text`` its source.
    """

    __slots__ = ("_finding", "_parsed", "_text", "line", "number", "record")

    def __init__(
        self, number: int, line: int, text: str, record: Record | None, parsed: ParsedRecord | None = None
    ) -> None:
        self.number = number
        self.line = line
        self.record = record
        """The record; None where it is malformed."""
        self._text = text
        self._parsed = parsed
        self._finding: Finding | None = None

    @property
    def text(self) -> str:
        """The record's own text, as it stood in the source; cut where it was too long."""
        return self._text

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Why the record could not be read; empty where it could."""
        return tuple(self._parsed.problems) if self.record is None and self._parsed is not None else ()

    @property
    def tags_read(self) -> tuple[TagValue, ...]:
        """The tags that could be read, those of a malformed record too."""
        return tuple(self.parsed.values)

    def finding(self) -> Finding | None:
        """Return what the engine finds in the record; None where it is malformed. Judged once."""
        if self._finding is None and self.record is not None:
            self._finding = adjudicate(self.record.facts)
        return self._finding

    def located(self, finding: Finding) -> tuple[Problem, ...]:
        """Return the finding's faults where they stand in the text, first to last."""
        places = [(fault, self.parsed.place(fault.where)) for fault in finding.faults]
        found = [Problem(fault.code, line, column, fault.message) for fault, (line, column) in places]
        return tuple(sorted(found, key=lambda problem: (problem.line, problem.column)))

    @property
    def parsed(self) -> ParsedRecord:
        """The record with the places of its parts."""
        if self._parsed is None:
            self._parsed = parse_text(self._text, first_line=self.line)
        return self._parsed


def read(source: str | bytes | BinaryIO) -> Iterator[Reading]:
    """Yield the records of a file, malformed ones too, in its order. Memory is constant.

    A text, bytes, or a stream of bytes; never a name of a file.
    """
    return _Reader(_stream_of(source)).readings()


def _stream_of(source: str | bytes | BinaryIO) -> BinaryIO:
    if isinstance(source, str):
        # A lone surrogate is no character: it becomes bytes that are not UTF-8, and is reported as such.
        return io.BytesIO(source.encode("utf-8", "surrogatepass"))
    return io.BytesIO(source) if isinstance(source, bytes) else source


class TextReader:
    """Reads texts of a record each, and remembers from one to the next what lines of tags say.

    Of many short texts that saves half the time. Memory is constant.
    """

    def __init__(self) -> None:
        self._known = _Known()

    def first(self, text: str) -> Reading | None:
        """Return the first record of a text, as :func:`read` does; None where it has none."""
        reading = self._at_once(text)
        if reading is not None:
            return reading
        reader = _Reader(_stream_of(text), known=self._known)
        return reader.read_quickly(1) or next(reader.readings(), None)

    def _at_once(self, text: str) -> Reading | None:
        """Return the record if the text is nothing else, as most are: no stream is made of it."""
        if not text.isascii() or len(text) >= MOST_BYTES or text[:1] != "[" or "\n\n[" in text:
            return None
        record = _understood(text, self._known)
        return None if record is None else Reading(1, 1, text, record)


class _Known:
    """What is remembered of lines and tokens."""

    __slots__ = ("codes", "tags")

    def __init__(self) -> None:
        self.tags = _TagLines()
        self.codes = PlayCodes()


class _Reader:
    def __init__(self, stream: BinaryIO, *, quick: bool = True, known: _Known | None = None) -> None:
        self._source = LineSource(stream)
        self._quick = quick
        self._known = known or _Known()

    def readings(self) -> Iterator[Reading]:
        number = 0
        while True:
            batch = self._some_quickly(number + 1) if self._quick else []
            number += len(batch)
            yield from batch
            if len(batch) == _AT_ONCE:
                continue
            parsed = parse_next(self._source)
            if parsed is None:
                return
            number += 1
            yield Reading(number, parsed.line, parsed.text, parsed.record, parsed)
            if parsed.ends_file:
                return

    def _some_quickly(self, number: int) -> list[Reading]:
        """Return the next records, up to the first that is not in the export form or has comments."""
        readings: list[Reading] = []
        while len(readings) < _AT_ONCE:
            reading = self.read_quickly(number + len(readings))
            if reading is None:
                break
            readings.append(reading)
        return readings

    def read_quickly(self, number: int) -> Reading | None:
        """Return the next record if it is in the export form and without comments, else None."""
        if self._source.number == 1 and self._source.next_block(_HEADER, _RECORD_END) == _HEADER:
            self._source.skip(len(_HEADER) + 2, 2)
        block = self._source.next_block(_RECORD_START, _RECORD_END)
        if block is None:
            return None
        try:
            text = block.decode()
        except UnicodeDecodeError:
            return None
        record = _understood(text, self._known)
        if record is None:
            return None
        line = self._source.number
        self._source.skip(len(block) + 2, text.count("\n") + 2)
        return Reading(number, line, text, record)


def _understood(text: str, known: _Known) -> Record | None:
    """Return the record of a text without its file's first line, if it is in the export form and without comments."""
    head, gap, body = text.partition("\n\n")
    lines = head.split("\n")
    if not lines[-1]:
        lines.pop()
    tags = known.tags
    try:
        values = [tags[line] for line in lines]
    except (BadValueError, _NotQuickError):
        return None
    names = {value[1][0] for value in values}
    if len(names) != len(values) or "Deal" not in names or "Dealer" not in names:
        return None
    if body.encode().translate(None, _OF_PLAY):
        return None
    return _with_body(values, body, known.codes) if gap and body.strip() else build_record(values)


def _with_body(values: list[TagValue], body: str, known: PlayCodes) -> Record | None:
    tokens = body.split()
    claim = _end_of(tokens.pop())
    numbers = tokens[::5]
    if claim is None or numbers != _NUMBERS[: len(numbers)] or len(tokens) % 5 == 1:
        return None
    del tokens[::5]
    codes = map(known.__getitem__, tokens)
    try:
        tricks: Tricks = tuple(zip(codes, codes, codes, codes, strict=False))
        if len(tokens) % 4:
            tricks = (*tricks, tuple([known[token] for token in tokens[4 * len(tricks) :]]))
    except KeyError:
        return None
    return build_record(values, tricks=tricks, claim=claim or None)


def _end_of(token: str) -> Claim | tuple[()] | None:
    return () if token == END else read_claim(token)
