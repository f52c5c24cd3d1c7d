"""Records sorted by the match they belong to, those that cannot be read too."""

import pytest

from courtpiece.engine import Seat
from tests.tournaments.builders import CHAND, ERUM, GITA, a_file, a_match, a_record
from tournaments.errors import NothingUploaded, UploadTooLarge
from tournaments.evenings import Limits, ReadSheet, UploadedFile, read_evening, words_of

BROKEN = '[Round "1"]\n[Table "1"]\n[Deal "2"]\n[Dealer "North"]\n[Result "NS 7-4"]\n'
NAMELESS = '[Deal "two"]\n[Dealer "N"]\n[Result "NS 7-4"]\n'


def sheets_of(*files: UploadedFile, limits: Limits | None = None) -> list[ReadSheet]:
    return read_evening(files, limits=limits or Limits(), out_of_time=lambda: False).sheets


def contents(sheets: list[ReadSheet]) -> list[tuple[str, list[int]]]:
    return [(words_of(sheet.key), [part.reading.number for part in sheet.parts]) for sheet in sheets]


def test_records_of_one_match_are_one_scoresheet_wherever_they_stand() -> None:
    one = a_match(["NS 7-4"], round="1", table="1")
    other = a_match(["NS 7-5"], ns=ERUM, ew=GITA, round="1", table="2")
    more = a_match(["EW 7-4"], round="1", table="1", first_deal=2)

    sheets = sheets_of(a_file(one, other, name="a.pcn"), a_file(more, name="b.pcn"))

    assert [(sheet.key.table, sheet.files, len(sheet.records)) for sheet in sheets] == [
        ("1", ("a.pcn", "b.pcn"), 2),
        ("2", ("a.pcn",), 1),
    ]


def test_leading_noughts_and_blanks_make_no_other_match() -> None:
    one = a_match(["NS 7-4"], round="1", table="05")
    other = a_match(["NS 7-4"], round=" 1", table="5", first_deal=2)

    (sheet,) = sheets_of(a_file(one, other))

    assert (sheet.key.round, sheet.key.table, len(sheet.records)) == ("1", "5", 2)


def test_a_record_that_cannot_be_read_belongs_to_the_match_of_its_tags() -> None:
    mine = a_match(["NS 7-4"], round="1", table="1")
    other = a_match(["NS 7-5"], ns=ERUM, ew=GITA, round="1", table="2")

    sheets = sheets_of(a_file(mine, other, BROKEN))

    assert [[part.reading.number for part in sheet.parts] for sheet in sheets] == [[1, 3], [2]]


def test_one_without_such_tags_belongs_to_its_neighbours() -> None:
    before = a_match(["NS 7-4"], round="1", table="1")
    after = a_match(["NS 7-5"], ns=ERUM, ew=GITA, round="1", table="2")
    last = a_match(["NS 7-5"], ns=CHAND, ew=GITA, round="2", table="1")

    sheets = sheets_of(a_file(before, NAMELESS, after, last))

    assert [[part.reading.number for part in sheet.parts] for sheet in sheets] == [[1, 2], [2, 3], [4]]


def test_one_alone_in_its_file_is_a_scoresheet_of_its_own() -> None:
    good = a_match(["NS 7-4"], round="1", table="1")

    sheets = sheets_of(a_file(good, name="a.pcn"), a_file(BROKEN.replace('"1"', '"9"'), name="b.pcn"))

    assert [(words_of(sheet.key), sheet.files) for sheet in sheets] == [
        ("round 1, table 1, Asif Khan & Bilal Shah – Chand Rao & Dev Patel", ("a.pcn",)),
        ("round 9, table 9", ("b.pcn",)),
    ]


def test_a_match_that_is_not_named_has_words_too() -> None:
    (sheet,) = sheets_of(a_file(a_record(1, Seat.N, "NS 7-4")))

    assert words_of(sheet.key) == "a match that is not named"


@pytest.mark.parametrize(
    "files", [[], [UploadedFile("empty.pcn", b"")], [UploadedFile("a.pcn", b"% PCN 1\n\n")]]
)
def test_nothing_is_said_to_be_nothing(files: list[UploadedFile]) -> None:
    with pytest.raises(NothingUploaded):
        sheets_of(*files)


@pytest.mark.parametrize(
    "limits",
    [
        Limits(files=1),
        Limits(file_bytes=100),
        Limits(all_bytes=300),
        Limits(records=3),
        Limits(scoresheets=0),
    ],
)
def test_more_than_the_limits_allow_is_refused(limits: Limits) -> None:
    file = a_file(a_match(["NS 7-4", "NS 7-4"], round="1", table="1"))

    with pytest.raises(UploadTooLarge):
        sheets_of(file, file, limits=limits)


def test_reading_stops_when_there_is_no_time_left() -> None:
    file = a_file(a_match(["NS 7-4"] * 300, round="1", table="1"))

    with pytest.raises(UploadTooLarge):
        read_evening([file], limits=Limits(), out_of_time=lambda: True)


def test_many_records_that_cannot_be_read_are_too_many_matches() -> None:
    text = "".join(f'[Round "{number}"]\n[Deal "x"]\n\n' for number in range(20))

    with pytest.raises(UploadTooLarge):
        sheets_of(UploadedFile("a.pcn", text.encode()), limits=Limits(scoresheets=10))
