"""Tables from spreadsheets: what can be read, and what is refused before it costs anything."""

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook

from tournaments.errors import BadSpreadsheet
from tournaments.spreadsheets import (
    PAIRS,
    Table,
    TableRow,
    read_table,
    write_csv,
    write_xlsx,
)

TEXT = "player 1,player 2,seed\nAsif Khan,بلال شاہ,1\n\nदेव,Chand,\n"
READ = Table(
    header=TableRow(1, ("player 1", "player 2", "seed")),
    rows=(TableRow(2, ("Asif Khan", "بلال شاہ", "1")), TableRow(4, ("देव", "Chand"))),
)


def a_workbook(*rows: list[object]) -> bytes:
    book = Workbook()
    sheet = book.worksheets[0]
    for row in rows:
        sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def a_zip(name: str, content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return packed.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_csv_is_read_however_a_spreadsheet_wrote_it(encoding: str, separator: str, line_end: str) -> None:
    text = TEXT.replace(",", separator).replace("\n", line_end)

    assert read_table(text.encode(encoding)) == READ


def test_a_line_that_names_the_separator_is_no_row() -> None:
    table = read_table(b"sep=;\r\nplayer 1;player 2\r\nAsif;Bilal\r\n")

    assert table == Table(TableRow(2, ("player 1", "player 2")), (TableRow(3, ("Asif", "Bilal")),))


def test_a_cell_in_quotation_marks_may_hold_the_separator() -> None:
    table = read_table(b'player 1,player 2\n"Khan, Asif",Bilal\n')

    assert table.rows == (TableRow(2, ("Khan, Asif", "Bilal")),)


def test_a_workbook_is_read_with_its_row_numbers_whole_numbers_and_formulas_as_text() -> None:
    content = a_workbook(
        ["Player 1", "Player 2", "Rating"], ["Asif Khan", "بلال شاہ", 1500.0], [None], ["=A2", "Dev", 12]
    )

    assert read_table(content) == Table(
        header=TableRow(1, ("Player 1", "Player 2", "Rating")),
        rows=(TableRow(2, ("Asif Khan", "بلال شاہ", "1500")), TableRow(4, ("=A2", "Dev", "12"))),
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "nothing in the file"),
        (b"\n\n,,\n", "nothing in the file"),
        (b"x" * (PAIRS.content + 1), "too large"),
        (b"player 1\n\xff\xfa", "cannot be read"),
        (b"player 1\0,player 2", "neither CSV nor XLSX"),
        (b'player 1,player 2\n"Asif,Bilal\n', "no line of CSV"),
        (b"a\n" * (PAIRS.rows + 2), "more than 500 rows"),
        (b"a\n" + b"\n" * 2000, "goes on after row 2000"),
        (b"," * 40 + b"a", "more than 30 columns"),
        (b"a" * 600, "more than 500 characters"),
        (b"PK\x03\x04 and no more", "cannot be read"),
        (a_zip("readme.txt", b"hello"), "cannot be read"),
        (a_zip("xl/workbook.xml", b"<a"), "cannot be read"),
        (a_zip("xl/worksheets/sheet1.xml", b" " * (PAIRS.unpacked + 1)), "holds too much"),
    ],
)
def test_what_is_no_table_of_pairs_is_refused_with_words(content: bytes, words: str) -> None:
    with pytest.raises(BadSpreadsheet, match=words):
        read_table(content)


def test_the_empty_files_are_read_as_they_were_written() -> None:
    rows = [["player 1", "player 2"], ["Asif", "बिलाल"]]

    assert read_table(write_csv(rows)) == read_table(write_xlsx(rows, title="Pairs"))


@given(content=st.binary(max_size=400))
def test_any_bytes_are_a_table_or_refused(content: bytes) -> None:
    for start in (b"", b"PK\x03\x04", b"\xff\xfe"):
        try:
            table = read_table(start + content)
        except BadSpreadsheet:
            continue
        assert table.header.cells


def repacked(way: int = zipfile.ZIP_DEFLATED, **parts: bytes) -> bytes:
    """Return a workbook packed in another way, with other contents in some of its parts (without ``.xml``)."""
    packed = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(a_workbook(["Pair"], ["Asif & Bilal"]))) as there,
        zipfile.ZipFile(packed, "w", way) as made,
    ):
        for part in there.infolist():
            name = part.filename.rpartition("/")[2].removesuffix(".xml")
            made.writestr(part.filename, parts.get(name, there.read(part)))
    return packed.getvalue()


def marked(content: bytes, signature: bytes, place: int, value: int) -> bytes:
    """Return a packed file with a byte changed in each of its headers of one kind."""
    changed = bytearray(content)
    found = content.find(signature)
    while found >= 0:
        changed[found + place] = value
        found = content.find(signature, found + 1)
    return bytes(changed)


CENTRAL, LOCAL = b"PK\x01\x02", b"PK\x03\x04"


@pytest.mark.parametrize(
    "content",
    [
        marked(marked(repacked(), CENTRAL, 8, 1), LOCAL, 6, 1),
        marked(repacked(), CENTRAL, 10, 99),
        marked(repacked(), CENTRAL, 6, 250),
        repacked(zipfile.ZIP_BZIP2),
        repacked(zipfile.ZIP_LZMA),
        repacked(workbook=b"<workbook/>"),
        repacked(sheet1=b"<" * 9),
    ],
    ids=["encrypted", "unknown way", "later version", "bzip2", "lzma", "no sheets", "no XML"],
)
def test_what_is_packed_like_a_workbook_and_cannot_be_read_is_refused(content: bytes) -> None:
    with pytest.raises(BadSpreadsheet, match="cannot be read"):
        read_table(content)


@pytest.mark.parametrize("sheet", [b"<c/>" * 260_000, b"<row/>" * 260_000], ids=["cells", "rows"])
def test_a_sheet_that_would_take_long_is_refused(sheet: bytes) -> None:
    content = repacked(sheet1=b"<worksheet><sheetData>" + sheet + b"</sheetData></worksheet>")

    with pytest.raises(BadSpreadsheet, match="holds too much"):
        read_table(content)


@given(
    way=st.sampled_from([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED]),
    changes=st.lists(st.tuples(st.integers(4, 10**6), st.integers(0, 255)), min_size=1, max_size=20),
)
def test_a_damaged_workbook_is_read_or_refused(way: int, changes: list[tuple[int, int]]) -> None:
    content = bytearray(repacked(way))
    for place, value in changes:
        content[4 + place % (len(content) - 4)] = value

    try:
        table = read_table(bytes(content))
    except BadSpreadsheet:
        return
    assert table.header.cells


def test_a_quotation_mark_parts_no_columns() -> None:
    table = read_table(b'sep="\r\nAsif & Bilal\r\n')

    assert table == Table(TableRow(1, ('sep="',)), (TableRow(2, ("Asif & Bilal",)),))
