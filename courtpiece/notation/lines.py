"""The lines of a stream of bytes, numbered, in constant memory."""

from __future__ import annotations

from collections import deque
from typing import BinaryIO, Final, NamedTuple

MOST_BYTES: Final = 64 * 1024
"""The most bytes a record may have."""
_CHUNK: Final = 1 << 20
_BOM: Final = b"\xef\xbb\xbf"
_NOT_FOUND: Final = -1


class Line(NamedTuple):
    """A line without its end. ``number`` counts from 1."""

    number: int
    content: bytes
    size: int
    """Its length in bytes, the end included; a line too long for any record is cut, its size is not."""


class LineSource:
    """Reads lines that end in LF, CRLF or CR, and whole blocks of lines for those who need no lines.

    Holds about a megabyte of the stream, and what was pushed back.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._data = b""
        self._at = 0
        self._ended = False
        self._pushed: deque[Line] = deque()
        self._last: tuple[Line, int] | None = None
        """The line last read, and where in the data it begins."""
        self._newline = _NOT_FOUND
        """Where the next LF is in the data, if it is still ahead; its length where there is none."""
        self._open_from = self._open_until = 0
        """The lines between which no comment is closed, as far as was seen."""
        self._open_to_end = False
        self.number = 1
        """The number of the next line."""
        self._fill()
        if self._data.startswith(_BOM):
            self._at = len(_BOM)

    def next_line(self) -> Line | None:
        """Return the next line, or None at the end."""
        if self._pushed:
            line = self._pushed.popleft()
            self.number = line.number + 1
            return line
        end, size_of_end = self._find_end()
        if end == _NOT_FOUND:
            return self._long_or_last_line()
        line = Line(self.number, self._data[self._at : end], end + size_of_end - self._at)
        self._last = line, self._at
        self._at = end + size_of_end
        self.number += 1
        return line

    def push_back(self, lines: list[Line]) -> None:
        """Give lines back, to be read again in their order."""
        if self._last is not None and len(lines) == 1 and lines[0] is self._last[0] and not self._pushed:
            self.number, self._at = lines[0].number, self._last[1]
            self._last = None
        elif lines:
            self._pushed.extendleft(reversed(lines))
            self.number = lines[0].number

    def note_open_comment(self, first: int, *, until: int = 0, ends_file: bool = False) -> None:
        """Remember that a comment which opens in the line ``first`` is not closed up to a line, or at all."""
        self._open_from, self._open_until, self._open_to_end = first, until, ends_file

    def is_known_open(self, first: int) -> bool:
        """Return whether a comment that opens in the line ``first`` is known to be left open, without looking again.

        Of the lines that were looked at, at least half must be ahead. So a file in which every comment is left open is
        looked at twice, not once for every comment.
        """
        if first < self._open_from:
            return False
        return self._open_to_end or 2 * first < self._open_from + self._open_until

    def next_block(self, start: bytes, end: bytes) -> bytes | None:
        """Return the bytes from ``start`` up to ``end``, not included, or to the end of the stream.

        None where they begin otherwise, or end farther away than a record can. Takes nothing: ``skip`` does, once the
        block was understood.
        """
        if self._pushed or not self._data.startswith(start, self._at):
            return None
        if len(self._data) - self._at <= 2 * MOST_BYTES:
            self._fill()
        # One byte less than a record may have: the end of its last line is not in the block.
        found = self._data.find(end, self._at, self._at + MOST_BYTES + len(end) - 1)
        if found == _NOT_FOUND:
            rest = len(self._data) - self._at
            if not self._ended or not 0 < rest < MOST_BYTES:
                return None
            found = len(self._data)
        return self._data[self._at : found]

    def skip(self, size: int, lines: int) -> None:
        """Take ``size`` bytes, known to be ``lines`` whole lines; less where the stream ends."""
        self._at = min(self._at + size, len(self._data))
        self.number += lines

    def _fill(self) -> None:
        """Read on until a whole record's length lies ahead, or the stream ends."""
        while not self._ended and len(self._data) - self._at <= 2 * MOST_BYTES:
            chunk = self._stream.read(_CHUNK)
            if not chunk:
                self._ended = True
            self._data = self._data[self._at :] + chunk
            self._at = 0
            self._last = None
            self._newline = _NOT_FOUND

    def _find_end(self) -> tuple[int, int]:
        """Return where the next line ends in the data, and the size of its end."""
        if len(self._data) - self._at <= MOST_BYTES:
            self._fill()
        if self._newline < self._at:
            found = self._data.find(b"\n", self._at)
            self._newline = len(self._data) if found == _NOT_FOUND else found
        newline = self._newline
        carriage = self._data.find(b"\r", self._at, newline)
        if carriage != _NOT_FOUND:
            return carriage, 2 if carriage + 1 == newline < len(self._data) else 1
        return (newline if newline < len(self._data) else _NOT_FOUND), 1

    def _long_or_last_line(self) -> Line | None:
        """Return what is left where no line end is in sight: the last line, or one too long for any record."""
        if self._at == len(self._data):
            return None
        content = self._data[self._at : self._at + MOST_BYTES + 1]
        size = 0
        while True:
            end, size_of_end = self._find_end()
            if end != _NOT_FOUND:
                size += end + size_of_end - self._at
                self._at = end + size_of_end
                break
            size += len(self._data) - self._at
            self._at = len(self._data)
            if self._ended:
                break
            self._fill()
        line = Line(self.number, content, size)
        self.number += 1
        return line
