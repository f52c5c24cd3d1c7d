"""The files of an evening, sorted by match: every record, also one that cannot be read, goes to a scoresheet.

What ties records together is what a paper scoresheet says at its top: round, table, and the two pairs. A
record that cannot be read goes where what is left of its tags allows, and among those to its neighbours in
the file: a scoresheet with a bad record is refused whole, so the doubt falls on the side of writing nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from courtpiece.accounts.names import clean_text
from courtpiece.notation import Reading, Record, read
from tournaments.errors import NothingUploaded, UploadTooLarge
from tournaments.handed import HandedRecord, is_handed

PairNames = tuple[str, str]
"""Two partners as a record names them, N or E first."""

LONGEST_NAME_OF_A_FILE: Final = 200


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file as it came."""

    name: str
    content: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How much is taken at once."""

    files: int = 64
    file_bytes: int = 4 * 1024 * 1024
    all_bytes: int = 16 * 1024 * 1024
    records: int = 10_000
    """They are one transaction, and on SQLite nobody else writes meanwhile: some seconds."""
    scoresheets: int = 400
    handed: int = 400
    """Deals that phones handed on, each of which is written by itself."""


UPLOAD_LIMITS: Final = Limits()
COMMAND_LIMITS: Final = Limits(
    files=10_000,
    file_bytes=1024 * 1024 * 1024,
    all_bytes=4 * 1024 * 1024 * 1024,
    records=1_000_000,
    scoresheets=100_000,
    handed=10_000,
)


@dataclass(frozen=True, slots=True)
class SheetKey:
    """What the records of one match have in common; None where they do not say."""

    round: str | None
    table: str | None
    ns: PairNames | None
    ew: PairNames | None

    def allows(self, tags: "SheetKey") -> bool:
        """Return whether a record of which these tags are left may be of this match."""
        pairs = ((self.round, tags.round), (self.table, tags.table), (self.ns, tags.ns), (self.ew, tags.ew))
        return all(theirs is None or own == theirs for own, theirs in pairs)


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A record, perhaps one that could not be read, with the file that it stands in."""

    file: str
    reading: Reading


@dataclass(slots=True)
class ReadSheet:
    """The records of one match, in the order they came."""

    key: SheetKey
    parts: list[FileRecord] = field(default_factory=list)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that its records stand in."""
        return tuple(dict.fromkeys(part.file for part in self.parts))

    @property
    def records(self) -> list[Record]:
        """The records that could be read."""
        readings = (part.reading.record for part in self.parts)
        return [record for record in readings if record is not None]


@dataclass(frozen=True, slots=True)
class ReadEvening:
    """What stands in the files."""

    sheets: list[ReadSheet]
    """The records by match, in the order in which the matches first appear."""
    handed: list[HandedRecord]
    """Those that a phone handed on: they say themselves of which scoresheet they are."""


def read_evening(
    files: Sequence[UploadedFile], *, limits: Limits, out_of_time: Callable[[], bool]
) -> ReadEvening:
    """Return the records of the files.

    :raises UploadTooLarge: if there is more than ``limits`` allow, or no time is left.
    :raises NothingUploaded: if there is no record at all.
    """
    check_sizes(files, limits)
    sheets = _Sorter(most=limits.scoresheets)
    handed: list[HandedRecord] = []
    count = 0
    for file in files:
        readings = []
        for reading in read(file.content):
            count += 1
            if count > limits.records or (count % 256 == 0 and out_of_time()):
                raise UploadTooLarge(
                    _("That is more than is taken at once. Send the files one after another.")
                )
            if is_handed(reading):
                handed.append(HandedRecord(_shown_name(file.name), reading))
            else:
                # Judged while it is at hand, and not in the transaction that keeps others waiting.
                reading.finding()
                readings.append(reading)
        sheets.add(_shown_name(file.name), readings)
    if not count:
        raise NothingUploaded(_("There is no record in these files."))
    if len(handed) > limits.handed:
        message = ngettext(
            "At most %(most)d deal of phones at once.",
            "At most %(most)d deals of phones at once.",
            limits.handed,
        )
        raise UploadTooLarge(message % {"most": limits.handed})
    return ReadEvening(sheets.sheets, handed)


def check_sizes(files: Sequence[UploadedFile], limits: Limits) -> None:
    """Do nothing if the files are within the limits.

    :raises UploadTooLarge: if they are not.
    :raises NothingUploaded: if there is no file.
    """
    if not files:
        raise NothingUploaded(_("Choose a file."))
    if len(files) > limits.files:
        message = ngettext("At most %(most)d file at once.", "At most %(most)d files at once.", limits.files)
        raise UploadTooLarge(message % {"most": limits.files})
    for file in files:
        if len(file.content) > limits.file_bytes:
            raise UploadTooLarge(
                _("“%(file)s” is larger than the %(most)d KiB that one file may have.")
                % {"file": _shown_name(file.name), "most": limits.file_bytes // 1024}
            )
    if sum(len(file.content) for file in files) > limits.all_bytes:
        raise UploadTooLarge(
            _("Together the files are larger than %(most)d KiB.") % {"most": limits.all_bytes // 1024}
        )


def _shown_name(name: str) -> str:
    """Return a file's name as it can be shown and kept."""
    return clean_text(name)[:LONGEST_NAME_OF_A_FILE] or _("file")


class _Sorter:
    """Finds for each record its match."""

    def __init__(self, *, most: int) -> None:
        self._most = most
        self.sheets: list[ReadSheet] = []
        self._by_key: dict[SheetKey, ReadSheet] = {}

    def add(self, file: str, readings: Sequence[Reading]) -> None:
        """Sort the records of one file."""
        places = [
            None if reading.record is None else self._sheet(key_of(reading.record)) for reading in readings
        ]
        around = zip(_last_seen(places), reversed(_last_seen(places[::-1])), strict=True)
        for reading, place, near in zip(readings, places, around, strict=True):
            for sheet in [place] if place is not None else self._sheets_of_unread(reading, near):
                sheet.parts.append(FileRecord(file, reading))

    def _sheet(self, key: SheetKey) -> ReadSheet:
        if key not in self._by_key:
            if len(self.sheets) >= self._most:
                raise UploadTooLarge(
                    _("Those are more matches than are taken at once. Send fewer files at a time.")
                )
            self._by_key[key] = ReadSheet(key)
            self.sheets.append(self._by_key[key])
        return self._by_key[key]

    def _sheets_of_unread(self, reading: Reading, around: Iterable[ReadSheet | None]) -> list[ReadSheet]:
        left = key_left(dict(tag.written for tag in reading.tags_read))
        near = [sheet for sheet in _different(around) if sheet.key.allows(left)]
        if near:
            return near
        own = [sheet for sheet in self.sheets if sheet.key.allows(left)]
        return own if len(own) == 1 else [self._sheet(left)]


def _last_seen(places: Sequence[ReadSheet | None]) -> list[ReadSheet | None]:
    """Return for each record the match of the last readable one up to it."""
    seen: list[ReadSheet | None] = []
    for place in places:
        seen.append(place if place is not None or not seen else seen[-1])
    return seen


def _different(sheets: Iterable[ReadSheet | None]) -> list[ReadSheet]:
    found: list[ReadSheet] = []
    for sheet in sheets:
        if sheet is not None and not any(sheet is other for other in found):
            found.append(sheet)
    return found


def key_of(record: Record) -> SheetKey:
    """Return which match a record says it is of."""
    return key_left(dict(record.tags))


def key_left(written: Mapping[str, str]) -> SheetKey:
    """Return which match the tags that are left of a record say it is of."""
    return _key(*(written.get(name) for name in ("Round", "Table", "NS", "EW")))


@lru_cache(maxsize=1024)
def _key(*written: str | None) -> SheetKey:
    """Return the key of tags that the records of one match all have."""
    match, table, ns, ew = (None if text == "?" else text for text in written)
    return SheetKey(round=_text(match), table=_text(table), ns=_pair_of(ns), ew=_pair_of(ew))


def _text(text: str | None) -> str | None:
    cleaned = clean_text(text or "")
    if cleaned.isascii() and cleaned.isdecimal():
        cleaned = cleaned.lstrip("0") or "0"
    return cleaned or None


def _names(pair: PairNames | None) -> PairNames | None:
    return None if pair is None else (clean_text(pair[0]), clean_text(pair[1]))


def _pair_of(text: str | None) -> PairNames | None:
    one, joint, other = (text or "").partition(" & ")
    return _names((one, other)) if joint else None


def words_of(key: SheetKey) -> str:
    """Return the match in words: “round 2, table 5, A & B – C & D”, as far as it is known."""
    return ", ".join(_words(key)) or _("a match that is not named")


def _words(key: SheetKey) -> Iterator[str]:
    if key.round:
        yield _("round %(round)s") % {"round": key.round}
    if key.table:
        yield _("table %(table)s") % {"table": key.table}
    if key.ns and key.ew:
        yield f"{' & '.join(key.ns)} – {' & '.join(key.ew)}"


def all_names(sheets: Iterable[ReadSheet]) -> Iterator[PairNames]:
    """Yield the pairs that the scoresheets name, each as often as it is named."""
    for sheet in sheets:
        yield from (pair for pair in (sheet.key.ns, sheet.key.ew) if pair is not None)
