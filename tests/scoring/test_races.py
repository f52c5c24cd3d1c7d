"""Two who write at once: each operation once, one after the other, nothing lost."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from uuid import UUID, uuid4

import pytest
from django.db import connection

from courtpiece.accounts.permissions import SERVER
from courtpiece.accounts.refusals import Conflict
from scoring import operations
from scoring.auditing import audit_scoresheets
from scoring.models import Collection, Deal, Operation, Revision, Scoresheet
from scoring.operations import Became, DealAnswer, SheetRecords
from tests.scoring.builders import (
    AT,
    LATER,
    a_club,
    a_collection,
    a_record,
    a_sheet,
    a_sheet_with,
    some_sheets,
    the_deal,
    the_readings,
)

pytestmark = pytest.mark.django_db(transaction=True)

Answer = DealAnswer | Conflict


def at_once(*calls: Callable[[], DealAnswer]) -> list[Answer]:
    """Return what each call gave, all of them made at the same time, each on a connection of its own."""

    def call(one: Callable[[], DealAnswer]) -> Answer:
        try:
            return one()
        except Conflict as conflict:
            return conflict
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=len(calls)) as pool:
        return list(pool.map(call, calls))


def recording(sheet: Scoresheet, text: str, operation_id: UUID) -> Callable[[], DealAnswer]:
    return lambda: operations.record_deal(
        actor=SERVER, scoresheet_id=sheet.pk, text=text, operation_id=operation_id, at=AT
    )


def correcting(sheet: Scoresheet, text: str, operation_id: UUID) -> Callable[[], DealAnswer]:
    deal_uid = the_deal(sheet, 1).uid
    return lambda: operations.correct_deal(
        actor=SERVER,
        deal_uid=deal_uid,
        base_revision=1,
        text=text,
        reason="Paper.",
        operation_id=operation_id,
        at=LATER,
    )


def test_one_operation_sent_four_times_at_once_is_carried_out_once() -> None:
    sheet = a_sheet(a_club())
    operation_id = uuid4()

    answers = at_once(*[recording(sheet, a_record(1), operation_id) for _time in range(4)])

    assert {answer.became for answer in answers if isinstance(answer, DealAnswer)} == {Became.CREATED}
    assert len({repr(answer) for answer in answers}) == 1
    assert (Revision.objects.count(), Operation.objects.count()) == (1, 1)


def test_one_correction_sent_four_times_at_once_is_carried_out_once() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    operation_id = uuid4()

    answers = at_once(*[correcting(sheet, a_record(1, result="NS 7-5"), operation_id) for _time in range(4)])

    assert len({repr(answer) for answer in answers}) == 1
    assert Revision.objects.count() == 2


def test_of_two_corrections_at_once_one_is_a_conflict() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    answers = at_once(
        correcting(sheet, a_record(1, result="NS 7-5"), uuid4()),
        correcting(sheet, a_record(1, result="NS 7-6"), uuid4()),
    )

    assert [type(answer) for answer in answers].count(operations.RevisionConflict) == 1
    assert the_deal(sheet, 1).revision == 2


def test_two_scorers_who_record_one_deal_differently_do_not_overwrite_each_other() -> None:
    sheet = a_sheet(a_club())

    answers = at_once(
        recording(sheet, a_record(1), uuid4()),
        recording(sheet, a_record(1, result="NS 7-5"), uuid4()),
    )

    assert [type(answer) for answer in answers].count(operations.DealConflict) == 1
    assert Revision.objects.count() == 1


def test_deals_recorded_at_once_all_count() -> None:
    club = a_club()
    collection = a_collection(club)
    sheet = a_sheet(club, collection=collection)
    texts = [a_record(number, dealer="S", result="EW 7-4") for number in range(1, 9)]

    at_once(*[recording(sheet, text, uuid4()) for text in texts])

    sheet.refresh_from_db()
    assert (sheet.deals_ew, sheet.courts_ew, sheet.version) == (8, 1, 8)
    assert Collection.objects.get(pk=collection.pk).version == 8
    assert audit_scoresheets([sheet.pk]) == ()


def test_two_uploads_of_the_same_scoresheets_at_once_write_them_once() -> None:
    club = a_club()
    sheets = some_sheets(club, 6, collection=a_collection(club))

    def upload(order: Iterator[Scoresheet]) -> None:
        try:
            operations.record_deals(
                actor=SERVER,
                sheets=[
                    SheetRecords(scoresheet_id=sheet.pk, readings=the_readings([a_record(1), a_record(2)]))
                    for sheet in order
                ],
                at=AT,
            )
        finally:
            connection.close()

    with ThreadPoolExecutor(max_workers=2) as pool:
        list(pool.map(upload, [iter(sheets), reversed(sheets)]))

    assert Deal.objects.count() == Revision.objects.count() == 12
    assert Operation.objects.count() == 6


def test_an_operation_that_two_scoresheets_claim_at_once_is_carried_out_on_one() -> None:
    one, other = some_sheets(a_club(), 2)
    operation_id = uuid4()

    answers = at_once(recording(one, a_record(1), operation_id), recording(other, a_record(1), operation_id))

    assert [type(answer) for answer in answers].count(operations.OperationReused) == 1
    assert Revision.objects.count() == 1
