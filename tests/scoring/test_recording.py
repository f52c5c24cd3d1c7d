"""Deals are recorded once, judged by the library, and all or nothing for each scoresheet."""

from typing import Any
from uuid import uuid4

import pytest

from courtpiece.accounts.models import Role
from courtpiece.accounts.permissions import ANONYMOUS, SERVER, Forbidden, Via
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Award, Outcome, Score, Team
from scoring import operations, queries
from scoring.models import Collection, Deal, Operation, Revision, Scoresheet
from scoring.operations import Became, Ruling, SheetRecords
from tests.scoring.builders import (
    AT,
    LATER,
    a_club,
    a_collection,
    a_full_record,
    a_record,
    a_sheet,
    a_sheet_with,
    an_actor,
    correct,
    record_file,
    some_sheets,
    the_deal,
    the_readings,
    the_revisions,
)

pytestmark = pytest.mark.django_db


def record(
    sheet: Scoresheet, text: str, *, ruling: Ruling | None = None, **other: object
) -> operations.DealAnswer:
    asked = {"actor": SERVER, "operation_id": uuid4(), "at": AT} | other
    return operations.record_deal(scoresheet_id=sheet.pk, text=text, ruling=ruling, **asked)  # type: ignore[arg-type]


# -- what is written


def test_a_deal_is_written_with_its_finding_and_its_line_in_the_ledger() -> None:
    sheet = a_sheet(a_club())

    answer = record(sheet, a_full_record())

    deal = the_deal(sheet, 1)
    assert (answer.became, answer.deal_uid, answer.revision) == (Became.CREATED, deal.uid, 1)
    assert (deal.level, deal.dealer, deal.trump, deal.trump_method) == ("full", "E", "C", "announced")
    assert (deal.winner, deal.award, deal.tricks_ns, deal.tricks_ew) == ("EW", "win", 2, 7)
    assert (deal.match_courts_ns, deal.match_courts_ew) == (0, 0)
    assert (deal.match_runs_ns, deal.match_runs_ew) == (0, 1)
    assert deal.counts
    (revision,) = the_revisions(sheet, 1)
    assert revision.finding["trick_winners"] == "ESWNEEWWW"
    assert revision.pcn == a_full_record()


@pytest.mark.parametrize(
    ("text", "level"),
    [
        (a_full_record(), "full"),
        (a_record(1, result="", more='[Trump "C"]\n[Tricks "E S W N E E W W W"]'), "tricks"),
        (a_record(1, result="EW 7-2"), "result"),
    ],
)
def test_all_three_levels_count_the_same(text: str, level: str) -> None:
    sheet = a_sheet(a_club())

    record(sheet, text)

    deal = the_deal(sheet, 1)
    assert (deal.level, deal.winner, deal.tricks_ns, deal.tricks_ew) == (level, "EW", 2, 7)


def test_the_tags_of_the_match_are_not_kept_with_each_deal() -> None:
    sheet = a_sheet(a_club())

    record(sheet, '[Event "Tuesday Rang"]\n[NS "Asif Khan & Bilal Shah"]\n' + a_record(1))

    assert the_revisions(sheet, 1)[0].pcn == a_record(1)


def test_what_only_the_record_says_of_its_match_is_kept_and_given_out() -> None:
    sheet = a_sheet(a_club())

    record(sheet, '[Event "Tuesday Rang"]\n[Site "Back room"]\n' + a_record(1))

    assert the_revisions(sheet, 1)[0].pcn == '[Site "Back room"]\n' + a_record(1)
    assert '[Site "Back room"]' in queries.scoresheet_pcn(sheet.uid, actor=ANONYMOUS)


def test_an_unknown_tag_and_a_note_are_kept() -> None:
    sheet = a_sheet(a_club())

    record(sheet, a_record(1, more='[Note "fast"]\n[Weather "hot"]'))

    assert '[Note "fast"]\n[Weather "hot"]' in the_revisions(sheet, 1)[0].pcn


def test_totals_follow_the_deals() -> None:
    sheet = a_sheet_with(
        a_club(),
        [
            a_record(1, dealer="E", result="NS 13-0 bavney"),
            a_record(2, dealer="W", result="EW 7-0 court"),
            a_record(3, dealer="N", result="NS 3-2 revoke"),
            a_record(4, dealer="N", result="void"),
        ],
    )

    assert (sheet.courts_ns, sheet.courts_ew) == (53, 1)
    assert (sheet.deals_ns, sheet.deals_ew, sheet.deals_count) == (2, 1, 3)
    assert (sheet.bavneys_ns, sheet.goon_courts_ew) == (1, 1)
    assert (sheet.revokes_ns, sheet.revokes_ew) == (0, 1)
    assert sheet.version == 1


def test_the_next_dealer_is_kept() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1, dealer="E", result="EW 7-2")])

    assert sheet.next_dealer == "N"


def test_seven_deals_running_score_a_court() -> None:
    records = [a_record(number, dealer="S", result="EW 7-4") for number in range(1, 8)]

    sheet = a_sheet_with(a_club(), records)

    last = the_deal(sheet, 7)
    assert (last.run_courts_ew, last.match_courts_ew, last.match_runs_ew) == (1, 1, 0)
    assert (sheet.courts_ew, sheet.runs_ew) == (1, 0)


def test_warnings_are_kept_and_told_with_their_place() -> None:
    sheet = a_sheet(a_club())

    answer = record_file(sheet, [a_record(1, dealer="E", result="EW 7-2"), a_record(3, dealer="E")])

    (gap,) = answer.problems
    assert (gap.code, gap.severity, gap.file, gap.record) == ("deal-gap", "warning", "evening.pcn", 2)
    assert (gap.line, gap.column) == (8, 8)
    assert [problem["code"] for problem in the_deal(sheet, 3).problems] == ["deal-gap"]
    assert Scoresheet.objects.get(pk=sheet.pk).problem_deals == 1


def test_a_deal_in_the_gap_derives_anew_what_follows() -> None:
    sheet = a_sheet_with(
        a_club(), [a_record(1, dealer="E", result="EW 7-2"), a_record(3, dealer="W", result="EW 7-5")]
    )

    record(sheet, a_record(2, dealer="N", result="NS 7-0 court"))

    assert the_deal(sheet, 3).problems == []
    assert (the_deal(sheet, 3).match_courts_ns, the_deal(sheet, 3).match_runs_ew) == (1, 1)


def test_who_when_and_from_where_is_kept() -> None:
    club = a_club()
    sheet = a_sheet(club)
    scorer = an_actor(club, Role.SCORER, via=Via.API)

    record(sheet, a_record(1), actor=scorer, at=LATER)

    (revision,) = the_revisions(sheet, 1)
    assert (revision.made_by_id, revision.made_via, revision.made_at) == (scorer.user_id, "api", LATER)
    record_file(sheet, [a_record(2, dealer="N")])
    (revision,) = the_revisions(sheet, 2)
    assert (revision.made_by_id, revision.made_via, revision.source) == (None, "file", "evening.pcn")


def test_a_write_advances_its_collection_once(
    django_capture_on_commit_callbacks: Any,
) -> None:
    club = a_club()
    collection = a_collection(club)
    one, other = some_sheets(club, 2, collection=collection)

    with django_capture_on_commit_callbacks() as callbacks:
        operations.record_deals(
            actor=SERVER,
            sheets=[
                SheetRecords(scoresheet_id=sheet.pk, readings=the_readings([a_record(1)]))
                for sheet in (one, other)
            ],
            at=AT,
        )

    assert Collection.objects.get(pk=collection.pk).version == 1
    assert len(callbacks) == 1


# -- what is refused


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (a_record(1).replace('"E"', '"X"'), "bad-value", 3),
        (a_record(1, result="NS 6-5"), "result-mismatch", 4),
        (a_full_record().replace("EW 7-2", "EW 7-3"), "result-mismatch", 6),
        (a_full_record().replace("2. C9 C7 CT CK", "2. C9 HT CT CK"), "card-repeated", 9),
        (a_full_record().replace("2. C9 C7 CT CK", "2. C9 SA CT CK"), "card-not-held", 9),
        (a_record(1, courts="NS 3 EW 0"), "courts-mismatch", 5),
        (a_record(1, rules="double-sir", result="EW 7-2"), "other-rules", 2),
        (a_record(1, result=""), "undecided", 1),
        (a_record(1, more='[NS "Asif Khan & Somebody Else"]'), "other-match", 5),
        (a_record(1, more='[Table "6"]'), "other-match", 5),
    ],
)
def test_what_cannot_stand_is_refused_with_its_place(text: str, code: str, line: int) -> None:
    sheet = a_sheet(a_club())

    with pytest.raises(operations.RecordRefused) as refused:
        record(sheet, text)

    assert [(problem.code, problem.line) for problem in refused.value.problems] == [(code, line)]
    assert Deal.objects.count() == Operation.objects.count() == 0


@pytest.mark.parametrize(("text", "line"), [("", 1), ("% PCN 1\n", 1), (a_record(1) + "\n" + a_record(2), 6)])
def test_one_deal_is_one_record(text: str, line: int) -> None:
    sheet = a_sheet(a_club())

    with pytest.raises(operations.RecordRefused) as refused:
        record(sheet, text)

    assert [(problem.code, problem.line) for problem in refused.value.problems] == [("one-record", line)]


def test_another_record_of_a_recorded_deal_is_a_conflict_that_shows_both() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    with pytest.raises(operations.DealConflict) as conflict:
        record(sheet, a_record(1, result="NS 7-5"))

    assert (conflict.value.revision, conflict.value.deal_uid) == (1, the_deal(sheet, 1).uid)
    assert (conflict.value.current, conflict.value.offered) == (a_record(1), a_record(1, result="NS 7-5"))


def test_a_scoresheet_that_is_not_there_is_not_found() -> None:
    with pytest.raises(NotFound):
        operations.record_deal(actor=SERVER, scoresheet_id=99, text=a_record(1), operation_id=uuid4(), at=AT)


@pytest.mark.parametrize("role", [None, Role.PLAYER])
def test_only_scorers_record(role: Role | None) -> None:
    club = a_club()
    sheet = a_sheet(club)
    elsewhere = a_club("goa")
    actor = an_actor(club, role) if role else an_actor(elsewhere, Role.OWNER)

    with pytest.raises(Forbidden):
        record(sheet, a_record(1), actor=actor)


# -- rulings


def test_a_discrepant_record_is_written_with_a_ruling_and_the_finding_stands() -> None:
    sheet = a_sheet(a_club())

    record(sheet, a_full_record().replace("EW 7-2", "EW 7-3"), ruling=Ruling(reason="Miscounted.", law="9.1"))

    deal = the_deal(sheet, 1)
    assert (deal.winner, deal.tricks_ns, deal.is_ruled, deal.kind) == ("EW", 2, True, "record")
    assert [problem["code"] for problem in deal.problems] == ["result-mismatch"]
    (revision,) = the_revisions(sheet, 1)
    assert (revision.ruling.law, revision.ruling.reason) == ("9.1", "Miscounted.")


def test_a_ruling_decides_where_the_record_cannot() -> None:
    sheet = a_sheet(a_club())
    outcome = Outcome(Team.NS, Award.WIN, Score(7, 5), Score())

    record(sheet, a_record(1, result="NS 6-5"), ruling=Ruling(reason="One trick more.", outcome=outcome))

    assert (the_deal(sheet, 1).winner, the_deal(sheet, 1).tricks_ns) == ("NS", 7)


def test_a_ruling_must_say_who_won_where_the_record_does_not() -> None:
    with pytest.raises(operations.OutcomeRefused) as refused:
        record(a_sheet(a_club()), a_record(1, result="NS 6-5"), ruling=Ruling(reason="Hm."))

    assert refused.value.reason == "missing"


def test_no_ruling_makes_the_impossible_possible() -> None:
    text = a_full_record().replace("2. C9 C7 CT CK", "2. C9 SA CT CK")

    with pytest.raises(operations.RecordRefused):
        record(a_sheet(a_club()), text, ruling=Ruling(reason="I saw it."))


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Outcome(None, Award.WIN, Score(7, 5), Score()), "winner"),
        (Outcome(Team.NS, Award.VOID, Score(), Score()), "winner"),
        (Outcome(None, Award.VOID, Score(), Score(1, 0)), "void"),
        (Outcome(Team.NS, Award.WIN, Score(8, 6), Score()), "tricks"),
        (Outcome(Team.NS, Award.WIN, Score(7, -1), Score()), "tricks"),
        (Outcome(Team.NS, Award.WIN, Score(), Score()), "won"),
        (Outcome(Team.NS, Award.GOON_COURT, Score(0, 7), Score(1, 0)), "won"),
        (Outcome(Team.NS, Award.BAVNEY, Score(6, 6), Score(52, 0)), "won"),
        (Outcome(Team.NS, Award.COURT, Score(7, 0), Score(1000, 0)), "courts"),
        (Outcome(Team.NS, Award.COURT, Score(7, 0), Score(0, -1)), "courts"),
    ],
)
def test_a_ruling_stands_above_the_finding_not_above_arithmetic(outcome: Outcome, reason: str) -> None:
    with pytest.raises(operations.OutcomeRefused) as refused:
        record(a_sheet(a_club()), a_record(1), ruling=Ruling(reason="So it is.", outcome=outcome))

    assert refused.value.reason == reason


def test_a_ruling_has_a_reason() -> None:
    with pytest.raises(operations.ReasonMissing):
        record(a_sheet(a_club()), a_record(1), ruling=Ruling(reason=" \u200e "))


def test_a_scorer_records_and_does_not_rule() -> None:
    club = a_club()
    scorer = an_actor(club, Role.SCORER)
    sheet = a_sheet(club)
    record(sheet, a_record(1), actor=scorer)

    with pytest.raises(Forbidden):
        record(sheet, a_record(2), actor=scorer, ruling=Ruling(reason="Mine."))


# -- once


def test_the_same_operation_gives_the_same_answer_and_writes_nothing() -> None:
    sheet = a_sheet(a_club())
    operation_id = uuid4()
    first = record(sheet, a_record(1), operation_id=operation_id)
    correct(sheet, 1, a_record(1, result="NS 7-5"))

    again = record(sheet, a_record(1), operation_id=operation_id)

    assert again == first
    assert len(the_revisions(sheet, 1)) == 2


def test_an_operation_is_not_used_for_something_else() -> None:
    sheet = a_sheet(a_club())
    operation_id = uuid4()
    record(sheet, a_record(1), operation_id=operation_id)

    with pytest.raises(operations.OperationReused) as reused:
        record(sheet, a_record(2), operation_id=operation_id)

    assert reused.value.operation_id == operation_id
    assert Deal.objects.count() == 1


def test_an_operation_of_another_scoresheet_is_not_used_again() -> None:
    one, other = some_sheets(a_club(), 2)
    operation_id = uuid4()
    record(one, a_record(1), operation_id=operation_id)

    with pytest.raises(operations.OperationReused):
        record(other, a_record(1), operation_id=operation_id)


def test_a_record_that_was_written_before_is_a_duplicate() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    answer = record(sheet, a_record(1))

    assert (answer.became, answer.deal_uid) == (Became.DUPLICATE, the_deal(sheet, 1).uid)
    assert len(the_revisions(sheet, 1)) == 1
    assert Scoresheet.objects.get(pk=sheet.pk).version == 1


def test_a_duplicate_keeps_its_answer_too() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    operation_id = uuid4()
    first = record(sheet, a_record(1), operation_id=operation_id)
    correct(sheet, 1, a_record(1, result="NS 7-5"))

    assert record(sheet, a_record(1), operation_id=operation_id) == first


# -- many at once


def test_the_same_file_again_writes_nothing() -> None:
    sheet = a_sheet(a_club())
    records = [a_record(1), a_record(2, dealer="N")]
    record_file(sheet, records)

    answer = record_file(sheet, records)

    assert answer.became is Became.DUPLICATE
    assert [deal.became for deal in answer.deals] == [Became.DUPLICATE] * 2
    assert (Revision.objects.count(), Operation.objects.count()) == (2, 1)


def test_the_same_file_after_a_correction_does_not_take_it_back() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    correct(sheet, 1, a_record(1, result="NS 7-5"))

    answer = record_file(sheet, [a_record(1)])

    assert answer.became is Became.DUPLICATE
    assert the_deal(sheet, 1).winner == "NS"


def test_a_file_that_went_on_adds_what_is_new() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    answer = record_file(sheet, [a_record(1), a_record(2, dealer="N")])

    assert [deal.became for deal in answer.deals] == [Became.DUPLICATE, Became.CREATED]
    assert answer.became is Became.CREATED


def test_one_bad_record_keeps_its_scoresheet_out_and_no_other() -> None:
    good, bad = some_sheets(a_club(), 2)
    records = {good: [a_record(1)], bad: [a_record(1), a_record(2, dealer="N", result="NS 6-5")]}

    answers = operations.record_deals(
        actor=SERVER,
        sheets=[
            SheetRecords(scoresheet_id=sheet.pk, readings=the_readings(texts), file=f"{sheet.round}.pcn")
            for sheet, texts in records.items()
        ],
        at=AT,
    )

    assert [answer.became for answer in answers] == [Became.CREATED, Became.REJECTED]
    (problem,) = answers[1].problems
    assert (problem.file, problem.record, problem.line, problem.code) == ("2.pcn", 2, 11, "result-mismatch")
    assert [deal.became for deal in answers[1].deals] == [Became.REJECTED] * 2
    assert list(Deal.objects.values_list("scoresheet", flat=True)) == [good.pk]
    assert Scoresheet.objects.get(pk=bad.pk).version == 0


def test_all_problems_of_a_scoresheet_are_told_at_once() -> None:
    answer = record_file(
        a_sheet(a_club()),
        [a_record(1, result="NS 6-5"), a_record(2, dealer="X"), a_record(3, result="NS 9-8")],
    )

    assert [(problem.record, problem.code) for problem in answer.problems] == [
        (1, "result-mismatch"),
        (2, "bad-value"),
        (3, "result-mismatch"),
    ]


def test_a_conflict_keeps_the_whole_scoresheet_as_it_was() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    answer = record_file(sheet, [a_record(1, result="NS 7-5"), a_record(2, dealer="N")])

    assert answer.became is Became.CONFLICT
    assert [deal.became for deal in answer.deals] == [Became.CONFLICT, Became.REJECTED]
    assert [(problem.code, problem.line) for problem in answer.problems] == [("deal-conflict", 3)]
    assert Deal.objects.count() == 1


def test_a_number_that_no_scoresheet_has_is_refused() -> None:
    """It would leave out all below it, which pages name; and after it no deal could follow."""
    (sheet,) = some_sheets(a_club(), 1)

    too_high, highest = record_file(sheet, [a_record(10_001)]), record_file(sheet, [a_record(10_000)])

    assert [(problem.code, problem.line) for problem in too_high.problems] == [("deal-too-high", 3)]
    assert (too_high.became, highest.became) == (Became.REJECTED, Became.CREATED)


def test_a_deal_twice_in_a_file_is_written_once_or_refused() -> None:
    one, other = some_sheets(a_club(), 2)

    same = record_file(one, [a_record(1), a_record(1)])
    different = record_file(other, [a_record(1), a_record(1, result="NS 7-5")])

    assert [deal.became for deal in same.deals] == [Became.CREATED, Became.DUPLICATE]
    assert [problem.code for problem in different.problems] == ["deal-repeated"]
    assert list(Deal.objects.values_list("scoresheet", flat=True)) == [one.pk]


def test_two_files_of_one_match_are_both_recorded() -> None:
    sheet = a_sheet(a_club())

    answers = operations.record_deals(
        actor=SERVER,
        sheets=[
            SheetRecords(scoresheet_id=sheet.pk, readings=the_readings([text]))
            for text in (a_record(1), a_record(2, dealer="N"))
        ],
        at=AT,
    )

    assert [answer.became for answer in answers] == [Became.CREATED, Became.CREATED]
    assert Scoresheet.objects.get(pk=sheet.pk).version == 2


@pytest.mark.parametrize("count", [1, 20])
def test_more_deals_take_no_more_queries(count: int, django_assert_max_num_queries: Any) -> None:
    sheet = a_sheet(a_club())
    texts = [a_record(number, dealer="S", result="EW 7-4") for number in range(1, count + 1)]

    with django_assert_max_num_queries(14):
        record_file(sheet, texts)


def test_nothing_to_record_is_nothing() -> None:
    assert operations.record_deals(actor=SERVER, sheets=[], at=AT) == ()


def test_each_revision_keeps_the_name_of_the_file_that_its_record_came_in() -> None:
    first, second = some_sheets(a_club(), 2)
    asked = [
        SheetRecords(scoresheet_id=first.pk, readings=the_readings([a_record(1)]), file="table-1.pcn"),
        SheetRecords(
            scoresheet_id=second.pk,
            readings=the_readings([a_record(1), a_record(2, dealer="N")]),
            files=["table-5.pcn", "late.pcn"],
        ),
    ]

    operations.record_deals(actor=SERVER, sheets=asked, at=AT)

    rows = [*the_revisions(first, 1), *the_revisions(second, 1), *the_revisions(second, 2)]
    assert [row.source for row in rows] == ["table-1.pcn", "table-5.pcn", "late.pcn"]
    assert {row.made_via for row in rows} == {"file"}
