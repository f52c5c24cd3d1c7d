"""The audit tells what is kept and no longer follows from the records."""

from typing import Any

import pytest

from scoring.auditing import audit_scoresheets, scoresheet_ids
from scoring.domain.differences import Difference
from scoring.models import Deal, Scoresheet
from tests.scoring.builders import (
    a_club,
    a_collection,
    a_full_record,
    a_record,
    a_sheet,
    a_sheet_with,
    correct,
    some_sheets,
    the_deal,
)

pytestmark = pytest.mark.django_db


def test_what_follows_from_the_records_is_no_difference() -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(1), a_record(2, dealer="N"), a_record(4)])
    correct(sheet, 2, a_record(2, dealer="N", result="NS 7-0 court"))

    assert audit_scoresheets([sheet.pk]) == ()


@pytest.mark.parametrize(
    ("column", "value", "derived"),
    [
        ("match_courts_ns", 3, "0"),
        ("winner", "NS", "EW"),
        ("counts", False, "True"),
        ("revision", 2, "[1, 2]"),
    ],
)
def test_a_deal_that_was_tampered_with_is_told(column: str, value: object, derived: str) -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    Deal.objects.filter(scoresheet=sheet).update(**{column: value})

    found = audit_scoresheets([sheet.pk])

    what = "revisions" if column == "revision" else column
    stored = "[1]" if column == "revision" else str(value)
    place = f"scoresheet {sheet.uid}, deal 1"
    assert Difference(where=place, what=what, stored=stored, derived=derived) in found


def test_totals_that_were_tampered_with_are_told() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    Scoresheet.objects.filter(pk=sheet.pk).update(courts_ew=9)

    (difference,) = audit_scoresheets([sheet.pk])

    assert difference == Difference(
        where=f"scoresheet {sheet.uid}", what="courts_ew", stored="9", derived="0"
    )


def test_a_problem_that_was_hidden_is_told() -> None:
    sheet = a_sheet_with(a_club(), [a_record(2)])
    Deal.objects.filter(scoresheet=sheet).update(problems=[])

    assert [difference.what for difference in audit_scoresheets([sheet.pk])] == ["problems"]


def test_scoresheets_are_listed_by_collection() -> None:
    club = a_club()
    alone = a_sheet(club)
    collection = a_collection(club)
    together = some_sheets(club, 2, collection=collection)

    assert scoresheet_ids() == (alone.pk, *(sheet.pk for sheet in together))
    assert scoresheet_ids(collection_id=collection.pk) == tuple(sheet.pk for sheet in together)


@pytest.mark.parametrize("count", [1, 3])
def test_an_audit_takes_the_same_queries_for_more(count: int, django_assert_num_queries: Any) -> None:
    club = a_club()
    sheets = [a_sheet_with(club, [a_record(1), a_record(2, dealer="N")]) for _sheet in range(count)]

    with django_assert_num_queries(5):  # three, and two for the savepoint
        audit_scoresheets([sheet.pk for sheet in sheets])

    assert the_deal(sheets[0], 1).revision == 1
