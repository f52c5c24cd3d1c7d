"""Tables that people made in a spreadsheet: CSV and XLSX in, with bounds on what they can cost."""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, TypeAlias

from django.utils.translation import gettext as _
from openpyxl import Workbook, load_workbook

from courtpiece.accounts.cells import safe_cell
from tournaments.errors import BadSpreadsheet

MOST_PARTS: Final = 200
"""Files in an XLSX file."""
MOST_COLUMNS: Final = 30
MOST_CHARACTERS: Final = 500
"""In a cell."""
_PACKED: Final = b"PK\x03\x04"
_WAYS_TO_PACK: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_SEPARATORS: Final = ",;\t"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How much a file may hold. Each tag of a workbook costs time to be read."""

    content: int = 1024 * 1024
    """In bytes."""
    unpacked: int = 8 * 1024 * 1024
    """Of all that an XLSX file packs together, in bytes."""
    tags: int = 250_000
    """In all that: five hundred full rows have half as many."""
    rows: int = 500
    """With something in them, the header apart."""
    lines: int = 2000
    """Those with nothing in them too."""


PAIRS: Final = Bounds()
RESULTS: Final = Bounds(
    content=2 * 1024 * 1024, unpacked=24 * 1024 * 1024, tags=600_000, rows=3000, lines=6000
)
"""Eight tables of twenty deals for eighteen rounds."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row with something in it. ``number`` is its number in the sheet, where the first row is 1."""

    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The first sheet of a file: its header, and the rows under it that are not empty."""

    header: TableRow
    rows: tuple[TableRow, ...]


def read_table(content: bytes, bounds: Bounds = PAIRS) -> Table:
    """Return the table of a CSV or an XLSX file; which of them it is, the content says.

    CSV may be UTF-8 or UTF-16, and parted by commas, semicolons or tabs. A cell is its text: formulas are not
    computed.

    :raises BadSpreadsheet: if it is too large, neither of both, empty, or has too many rows or columns.
    """
    if len(content) > bounds.content:
        raise BadSpreadsheet(
            _("The file is too large: %(most)d KB at most.") % {"most": bounds.content // 1024}
        )
    is_packed = content.startswith(_PACKED)
    lines = _xlsx_lines(content, bounds) if is_packed else _csv_lines(_decoded(content))
    return _table(list(islice(lines, bounds.lines + 1)), bounds)


Cell: TypeAlias = str | int | None


def write_csv(rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return the rows as CSV that spreadsheets open rightly: UTF-8 with its mark."""
    text = io.StringIO()
    csv.writer(text).writerows(map(safe_cell, row) for row in rows)
    return text.getvalue().encode("utf-8-sig")


def write_xlsx(rows: Iterable[Sequence[Cell]], *, title: str) -> bytes:
    """Return the rows as the one sheet of an XLSX file."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet(title)
    for row in rows:
        sheet.append([cell if isinstance(cell, int) else safe_cell(cell) for cell in row])
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _table(lines: Sequence[Sequence[str]], bounds: Bounds) -> Table:
    if len(lines) > bounds.lines:
        raise BadSpreadsheet(_("The sheet goes on after row %(most)d.") % {"most": bounds.lines})
    found = [
        TableRow(number, _trimmed(cells))
        for number, cells in enumerate(lines, start=1)
        if any(cell.strip() for cell in cells)
    ]
    if not found:
        raise BadSpreadsheet(_("There is nothing in the file."))
    if len(found) - 1 > bounds.rows:
        raise BadSpreadsheet(_("The file has more than %(most)d rows.") % {"most": bounds.rows})
    wide = next((row for row in found if len(row.cells) > MOST_COLUMNS), None)
    if wide is not None:
        raise BadSpreadsheet(
            _("Row %(row)d has more than %(most)d columns.") % {"row": wide.number, "most": MOST_COLUMNS}
        )
    return Table(header=found[0], rows=tuple(found[1:]))


def _trimmed(cells: Sequence[str]) -> tuple[str, ...]:
    """Return the cells without blanks around them, and without the empty ones at the end."""
    kept = [" ".join(cell.split()) for cell in cells]
    while kept and not kept[-1]:
        kept.pop()
    long = next((cell for cell in kept if len(cell) > MOST_CHARACTERS), None)
    if long is not None:
        raise BadSpreadsheet(
            _("A cell has more than %(most)d characters: “%(start)s…”.")
            % {"most": MOST_CHARACTERS, "start": long[:40]}
        )
    return tuple(kept)


# -- CSV


def _decoded(content: bytes) -> str:
    encoding = "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        raise BadSpreadsheet(
            _("The letters of the file cannot be read. Save it as “CSV UTF-8” or as XLSX.")
        ) from error
    if "\0" in text:
        raise BadSpreadsheet(_("This is neither CSV nor XLSX."))
    return text


def _csv_lines(text: str) -> Iterator[list[str]]:
    stated = re.match(r'sep=([^"\r\n])\r?\n', text)
    separator = stated[1] if stated else _separator_of(text)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for number, cells in enumerate(reader):
            yield [] if stated and number == 0 else cells
    except csv.Error as error:
        raise BadSpreadsheet(
            _("Line %(line)d is no line of CSV: look at its quotation marks.") % {"line": reader.line_num}
        ) from error


def _separator_of(text: str) -> str:
    """Return what parts the columns of the first line that is not empty."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return max(_SEPARATORS, key=first.count)


# -- XLSX


def _xlsx_lines(content: bytes, bounds: Bounds) -> Iterator[list[str]]:
    """Yield the rows of the first sheet. At what is packed like a workbook, and is none, anything is raised."""
    try:
        _check_packed(content, bounds)
        book = load_workbook(io.BytesIO(content), read_only=True, keep_links=False)
        sheet = book.worksheets[0]
        rows = sheet.iter_rows(max_row=bounds.lines + 1, max_col=MOST_COLUMNS + 1, values_only=True)
        for row in rows:
            yield [_text_of(value) for value in row]
    except BadSpreadsheet:
        raise
    except Exception as error:
        raise BadSpreadsheet(_("This XLSX file cannot be read. Save it again, or as CSV.")) from error


def _check_packed(content: bytes, bounds: Bounds) -> None:
    """Look at what the parts say their sizes are, which is as much as is read of them, and at what is in them.

    A workbook is packed by deflating only; what the other ways unpack at once has no bound.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        parts = packed.infolist()
        if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > bounds.unpacked:
            raise _too_much()
        if any(part.compress_type not in _WAYS_TO_PACK for part in parts):
            raise zipfile.BadZipFile
        if sum(packed.read(part).count(b"<") for part in parts) > bounds.tags:
            raise _too_much()


def _too_much() -> BadSpreadsheet:
    return BadSpreadsheet(_("The XLSX file holds too much. Save only the one sheet that is meant."))


def _text_of(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
