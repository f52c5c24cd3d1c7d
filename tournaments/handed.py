"""Deals that a phone handed on in a file: each says of which scoresheet it is, and by which operation it was made.

The phone's page writes them (``static/js/table/handing.js``). Without the tags that it added, a record is word for word
what the phone sends when it has a network; so the two are one operation, whichever comes first.
"""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from courtpiece.notation import Reading, write
from scoring.records import TAGS_OF_A_PHONE

OPERATION, SCORESHEET, BASE, REASON, ADDED, *_OF_THE_OTHER_PAIR = TAGS_OF_A_PHONE
MOST_DIGITS: Final = 9


@dataclass(frozen=True, slots=True)
class HandedRecord:
    """A record that a phone handed on, perhaps one that could not be read, with the file that it stands in."""

    file: str
    reading: Reading

    @property
    def tags(self) -> dict[str, str]:
        """The tags that could be read."""
        record = self.reading.record
        return dict(record.tags if record is not None else (tag.written for tag in self.reading.tags_read))

    @property
    def operation_id(self) -> UUID | None:
        """The id that the phone gave the operation; None where it was spoilt."""
        return _uuid(self.tags.get(OPERATION, ""))

    @property
    def scoresheet(self) -> UUID | None:
        """The scoresheet that the deal is of; None where it was spoilt."""
        return _uuid(self.tags.get(SCORESHEET, ""))

    @property
    def base_revision(self) -> int | None:
        """The revision that it was made on; None for a new deal."""
        return whole_number(self.tags.get(BASE, ""))

    @property
    def reason(self) -> str:
        """Why it replaces what was recorded; mostly empty."""
        return self.tags.get(REASON, "")

    @property
    def pcn(self) -> str:
        """The record as the phone sends it; empty where it could not be read."""
        record = self.reading.record
        if record is None:
            return ""
        added = {*TAGS_OF_A_PHONE, *self.tags.get(ADDED, "").split()}
        return write(record._replace(tags=tuple(tag for tag in record.tags if tag[0] not in added)))


def is_handed(reading: Reading) -> bool:
    """Return whether a phone handed the record on."""
    if reading.record is not None:
        return any(name == OPERATION for name, _value in reading.record.tags)
    return any(tag.written[0] == OPERATION for tag in reading.tags_read)


def whole_number(text: str) -> int | None:
    """Return the number, 1 or more, that a text is; None where it is none."""
    return int(text) or None if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
