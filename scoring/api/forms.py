"""The forms in which records come to the API and leave it: media types, and PCN made of JSON."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

from courtpiece.accounts.api.parsers import read_body
from courtpiece.accounts.api.renderers import BytesRenderer, FileRenderer
from courtpiece.errors import CourtPieceError
from courtpiece.notation import Record, write_file
from courtpiece.notation.json_form import JsonFault, JsonRecordError, record_from_json

PCN: Final = "text/vnd.courtpiece.pcn"
PBN: Final = "application/x-pbn"
SVG: Final = "image/svg+xml"
PNG: Final = "image/png"
NDJSON: Final = "application/x-ndjson"


# -- out


class PcnRenderer(FileRenderer):
    """Records as a file."""

    media_type = PCN
    format = "pcn"


class CsvRenderer(FileRenderer):
    """A table."""

    media_type = "text/csv"
    format = "csv"


class PbnRenderer(FileRenderer):
    """Records for bridge programs."""

    media_type = PBN
    format = "pbn"


class SvgRenderer(FileRenderer):
    """A picture."""

    media_type = SVG
    format = "svg"


class PngRenderer(BytesRenderer):
    """A picture in pixels."""

    media_type = PNG
    format = "png"


class NdjsonRenderer(BaseRenderer):
    """A line of JSON for each item of a list."""

    media_type = NDJSON
    format = "ndjson"
    charset = "utf-8"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        """Return the lines."""
        return "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in data).encode()


# -- in


class PcnParser(BaseParser):
    """A file in PCN. Whether it is UTF-8 the reader of the notation says, with the line and the column."""

    media_type = PCN

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> dict[str, bytes]:
        """Return the file as the value that a body in JSON would have it in."""
        return {"pcn": read_body(stream)}


class PlainTextParser(PcnParser):
    """PCN that calls itself a text."""

    media_type = "text/plain"


class OctetStreamParser(PcnParser):
    """PCN that calls itself a file."""

    media_type = "application/octet-stream"


class BareBodyParser(PcnParser):
    """PCN that calls itself a form, as command line programs say of a body when they are not told."""

    media_type = "application/x-www-form-urlencoded"


PCN_PARSERS: Final[Sequence[type[BaseParser]]] = (PcnParser, PlainTextParser, OctetStreamParser)


# -- JSON into PCN


@dataclass(frozen=True, slots=True)
class JsonProblem:
    """Something wrong with a record in JSON."""

    record: int
    """Counts from 1."""
    fault: JsonFault

    def as_json(self) -> dict[str, str | int]:
        """Return the problem as the API says it; its place is a pointer into the record."""
        return {
            "code": self.fault.code.value,
            "severity": "error",
            "kind": "malformed",
            "record": self.record,
            "pointer": _printable(self.fault.pointer),
            "message": _printable(self.fault.message),
        }


class BadJsonRecordError(CourtPieceError):
    """Records in JSON are none. ``problems`` says why."""

    def __init__(self, problems: Sequence[JsonProblem]) -> None:
        super().__init__(_("A record in JSON is not as it must be."))
        self.problems = tuple(problems)


def pcn_of(records: Iterable[Any]) -> str:
    """Return records in JSON as a file in PCN.

    :raises BadJsonRecordError: if one is no record.
    """
    read: list[Record] = []
    problems: list[JsonProblem] = []
    for number, data in enumerate(records, start=1):
        try:
            read.append(record_from_json(data))
        except JsonRecordError as error:
            problems += [JsonProblem(number, fault) for fault in error.faults]
    if problems:
        raise BadJsonRecordError(problems)
    return "".join(write_file(read))


def _printable(text: str) -> str:
    """Return the text without lone surrogates, which JSON can say and UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode()
