"""The file of an archive: one JSON object, written a line for each key and each item of a list.

So it is read and written line by line, in memory that does not grow with the scoresheets. The last line is the SHA-256
of all bytes before it. Whoever reads checks each line against the one way in which it can be written.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import IO, Final, cast, get_args, get_origin, get_type_hints

from courtpiece.errors import CourtPieceError
from scoring.domain.archived import ArchivedPartnership, ArchivedPlayer, ArchivedSheet
from scoring.domain.typed_json import ValueFault, canonical, from_json, parse, quoted, to_json
from tournaments.domain.archived import (
    FORMAT,
    Archive,
    ArchivedClub,
    ArchivedEntry,
    ArchivedRound,
    ArchivedRuling,
    ArchivedSession,
    ArchivedStandings,
    ArchivedTournament,
)

MOST_OF_A_LINE: Final = 64 * 1024 * 1024
"""Bytes: a scoresheet of some thousand deals, card by card."""
SEAL: Final = "sha256"
"""The last key."""


class FaultCode(Enum):
    """Why a file is no archive that can be read. The words for people are made of it outside."""

    NO_ARCHIVE = "no-archive"
    """It does not begin as one."""
    NEWER_FORMAT = "newer-format"
    TOO_LARGE = "too-large"
    CUT_SHORT = "cut-short"
    OTHER_LINE = "other-line"
    """Another line stands where one is expected."""
    BAD_VALUE = "bad-value"
    NOT_CANONICAL = "not-canonical"
    """The value can be written otherwise, and an archive never is."""
    DAMAGED = "damaged"
    """It is not what its digest says."""


class ArchiveFault(CourtPieceError):  # noqa: N818 - it is caught in sentences that read better so
    """The file is no archive that can be read.

    ``line`` counts from 1; ``place`` is the key, ``scoresheets[3].deals[0].number``, empty where it is none;
    ``expected`` and ``found`` are short texts, empty where there is nothing to say.
    """

    def __init__(
        self, code: FaultCode, *, line: int, place: str = "", expected: str = "", found: str = ""
    ) -> None:
        told = f": expected {expected}; found {found}" if expected or found else ""
        super().__init__(f"line {line}: {place + ': ' if place else ''}{code.value}{told}")
        self.code = code
        self.line = line
        self.place = place
        self.expected = expected
        self.found = found


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSource:
    """What is to be written. The scoresheets may come one after another."""

    club: ArchivedClub
    tournament: ArchivedTournament
    players: tuple[ArchivedPlayer, ...]
    partnerships: tuple[ArchivedPartnership, ...]
    entries: tuple[ArchivedEntry, ...]
    sessions: tuple[ArchivedSession, ...]
    rounds: tuple[ArchivedRound, ...]
    scoresheets: Iterable[ArchivedSheet]
    rulings: tuple[ArchivedRuling, ...]
    standings: ArchivedStandings
    standings_after: tuple[ArchivedStandings, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A value of an archive: of a key, or an item of a list."""

    name: str
    value: object
    line: int


@dataclass(frozen=True, slots=True)
class _Key:
    """A key of an archive, and what it has."""

    name: str
    kind: object
    is_list: bool


def _keys() -> tuple[_Key, ...]:
    hints = get_type_hints(Archive, include_extras=True)
    return tuple(
        _Key(name, get_args(hint)[0] if get_origin(hint) is tuple else hint, get_origin(hint) is tuple)
        for name, hint in hints.items()
        if name not in ("format", SEAL)
    )


KEYS: Final = _keys()


# -- writing


def lines_of(source: ArchiveSource) -> Iterator[bytes]:
    """Yield the lines of the archive, the last one with the digest of the others."""
    seal = sha256()
    for text in _texts(source):
        line = f"{text}\n".encode()
        seal.update(line)
        yield line
    yield f'"{SEAL}":"{seal.hexdigest()}"}}\n'.encode()


def _texts(source: ArchiveSource) -> Iterator[str]:
    yield f'{{"format":{FORMAT},'
    for key in KEYS:
        value = getattr(source, key.name)
        if key.is_list:
            yield f'"{key.name}":['
            yield from _items(value)
            yield "],"
        else:
            yield f'"{key.name}":{canonical(to_json(value))},'


def _items(values: Iterable[object]) -> Iterator[str]:
    """Yield a line for each, with a comma between two."""
    waiting = ""
    for value in values:
        if waiting:
            yield f"{waiting},"
        waiting = canonical(to_json(value))
    if waiting:
        yield waiting


# -- reading


class _Lines:
    """The lines of a file, one after another, with their number and the digest of all so far."""

    def __init__(self, file: IO[bytes], most_bytes: int) -> None:
        self.number = 0
        self._file = file
        self._left = most_bytes
        self._seal = sha256()
        self.seal = ""
        """The digest of all lines but the last."""

    def next(self) -> str:
        """Return the next line, without its end.

        :raises ArchiveFault: if there is none, it is too long, or no text.
        """
        self.seal = self._seal.hexdigest()
        line = self._file.readline(min(MOST_OF_A_LINE, self._left) + 1)
        self.number += 1
        if len(line) > min(MOST_OF_A_LINE, self._left):
            raise ArchiveFault(FaultCode.TOO_LARGE, line=self.number)
        if not line.endswith(b"\n"):
            raise ArchiveFault(FaultCode.CUT_SHORT, line=self.number)
        self._left -= len(line)
        self._seal.update(line)
        try:
            return line[:-1].decode()
        except UnicodeDecodeError as error:
            raise ArchiveFault(FaultCode.OTHER_LINE, line=self.number, expected="UTF-8") from error

    def is_at_end(self) -> bool:
        """Return whether nothing follows."""
        return not self._file.read(1)


def read_parts(file: IO[bytes], *, most_bytes: int) -> Iterator[Part]:
    """Yield the values of an archive, in the order of :class:`Archive`.

    Whoever needs to know that the file is whole reads to the end: the digest is there.

    :raises ArchiveFault: if it is no archive that can be read.
    """
    lines = _Lines(file, most_bytes)
    _read_format(lines)
    for key in KEYS:
        if key.is_list:
            yield from _read_list(lines, key)
        else:
            yield Part(key.name, _read_value(lines, key), lines.number)
    _read_seal(lines)


_FORMAT: Final = re.compile(r'\{"format":([0-9]{1,9}),')


def _read_format(lines: _Lines) -> None:
    expected = f'{{"format":{FORMAT},'
    try:
        line = lines.next()
    except ArchiveFault as fault:
        if fault.code is FaultCode.TOO_LARGE:
            raise
        raise ArchiveFault(FaultCode.NO_ARCHIVE, line=1, expected=expected) from fault
    found = _FORMAT.match(line)
    if found is not None and int(found[1]) > FORMAT:
        raise ArchiveFault(
            FaultCode.NEWER_FORMAT, line=1, place="format", expected=str(FORMAT), found=found[1]
        )
    if line != expected:
        raise ArchiveFault(FaultCode.NO_ARCHIVE, line=1, expected=expected, found=quoted(line))


def _read_value(lines: _Lines, key: _Key) -> object:
    line = lines.next()
    before = f'"{key.name}":'
    if not (line.startswith(before) and line.endswith(",")):
        raise ArchiveFault(FaultCode.OTHER_LINE, line=lines.number, expected=before, found=quoted(line))
    return _value(line[len(before) : -1], key.kind, lines.number, key.name)


def _read_list(lines: _Lines, key: _Key) -> Iterator[Part]:
    _expect(lines, f'"{key.name}":[')
    line = lines.next()
    number = 0
    while line != "],":
        has_more = line.endswith("},")
        text = line.removesuffix(",") if has_more else line
        yield Part(key.name, _value(text, key.kind, lines.number, f"{key.name}[{number}]"), lines.number)
        number += 1
        if not has_more:
            _expect(lines, "],")
            return
        line = lines.next()
        if line == "],":
            raise ArchiveFault(
                FaultCode.OTHER_LINE, line=lines.number, expected="an item", found=quoted(line)
            )


def _expect(lines: _Lines, expected: str) -> None:
    line = lines.next()
    if line != expected:
        raise ArchiveFault(FaultCode.OTHER_LINE, line=lines.number, expected=expected, found=quoted(line))


def _value(text: str, kind: object, line: int, place: str) -> object:
    try:
        value: object = from_json(cast(type, kind), parse(text))
    except ValueFault as fault:
        told = fault.within(place)
        raise ArchiveFault(
            FaultCode.BAD_VALUE, line=line, place=told.place, expected=told.expected, found=told.found
        ) from fault
    if canonical(to_json(value)) != text:
        raise ArchiveFault(FaultCode.NOT_CANONICAL, line=line, place=place)
    return value


_SEAL: Final = re.compile(rf'"{SEAL}":"([0-9a-f]{{64}})"\}}')


def _read_seal(lines: _Lines) -> None:
    line = lines.next()
    found = _SEAL.fullmatch(line)
    if found is None:
        expected = f'"{SEAL}":'
        raise ArchiveFault(FaultCode.OTHER_LINE, line=lines.number, expected=expected, found=quoted(line))
    if not lines.is_at_end():
        raise ArchiveFault(FaultCode.OTHER_LINE, line=lines.number + 1, expected="the end of the file")
    if found[1] != lines.seal:
        raise ArchiveFault(
            FaultCode.DAMAGED, line=lines.number, place=SEAL, expected=lines.seal, found=found[1]
        )
