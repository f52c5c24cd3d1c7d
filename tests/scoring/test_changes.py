"""A deal is corrected, voided or ruled on by a new revision, and all that follows is derived anew."""

from uuid import UUID, uuid4

import pytest

from courtpiece.accounts.append_only import AppendOnlyError
from courtpiece.accounts.models import Role
from courtpiece.accounts.permissions import SERVER, Action, Actor, Forbidden
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Award, Outcome, Score, Team
from scoring import operations
from scoring.models import (
    Collection,
    Deal,
    Operation,
    Revision,
    Scoresheet,
)
from scoring.operations import Became, DealAnswer, Ruling
from tests.scoring.builders import (
    AT,
    LATER,
    a_club,
    a_collection,
    a_full_record,
    a_record,
    a_sheet_with,
    an_actor,
    correct,
    the_deal,
    the_revisions,
)

pytestmark = pytest.mark.django_db


def void(sheet: Scoresheet, number: int, **other: object) -> DealAnswer:
    deal = the_deal(sheet, number)
    asked = {
        "actor": SERVER,
        "base_revision": deal.revision,
        "reason": "Cards were exposed.",
        "operation_id": uuid4(),
        "at": LATER,
    } | other
    return operations.void_deal(deal_uid=deal.uid, **asked)  # type: ignore[arg-type]


def rule(sheet: Scoresheet, number: int, outcome: Outcome | None = None, **other: object) -> DealAnswer:
    deal = the_deal(sheet, number)
    asked = {
        "actor": SERVER,
        "base_revision": deal.revision,
        "ruling": Ruling(reason="So decided.", law="8.4", outcome=outcome),
        "operation_id": uuid4(),
        "at": LATER,
    } | other
    return operations.rule_deal(deal_uid=deal.uid, **asked)  # type: ignore[arg-type]


def courts(sheet: Scoresheet) -> list[tuple[int, int]]:
    rows = Deal.objects.filter(scoresheet=sheet).order_by("number")
    return list(rows.values_list("match_courts_ns", "match_courts_ew"))


# -- correcting


def test_a_correction_is_a_new_revision_and_the_old_one_stays() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    correct(sheet, 1, a_record(1, result="NS 7-5"))

    first, second = the_revisions(sheet, 1)
    assert (first.pcn, first.winner, first.kind) == (a_record(1), "EW", "record")
    assert (second.pcn, second.winner, second.kind) == (a_record(1, result="NS 7-5"), "NS", "correction")
    assert (second.reason, second.made_at) == ("The paper says so.", LATER)
    deal = the_deal(sheet, 1)
    assert (deal.revision, deal.kind, deal.winner, deal.tricks_ew) == (2, "correction", "NS", 5)


def test_correcting_a_deal_derives_anew_all_that_follows() -> None:
    records = [a_record(number, dealer="S", result="EW 7-4") for number in range(1, 9)]
    sheet = a_sheet_with(a_club(), records)
    assert courts(sheet) == [(0, 0)] * 6 + [(0, 1)] * 2

    correct(sheet, 3, a_record(3, dealer="S", result="NS 7-0 court"))

    assert courts(sheet) == [(0, 0)] * 2 + [(1, 0)] * 6
    assert the_deal(sheet, 8).match_runs_ew == 5
    sheet.refresh_from_db()
    assert (sheet.courts_ns, sheet.courts_ew, sheet.deals_ns, sheet.version) == (1, 0, 1, 2)


def test_a_correction_finds_anew_the_problems_that_depend_on_the_match() -> None:
    sheet = a_sheet_with(
        a_club(),
        [
            a_record(1, dealer="E", result="EW 7-2", courts="NS 0 EW 0"),
            a_record(2, dealer="N", result="EW 7-2", courts="NS 0 EW 0"),
        ],
    )

    correct(sheet, 1, a_record(1, dealer="E", result="NS 7-0 court", courts="NS 1 EW 0"))

    assert [problem["code"] for problem in the_deal(sheet, 2).problems] == ["courts-mismatch", "wrong-dealer"]
    assert Scoresheet.objects.get(pk=sheet.pk).problem_deals == 1


def test_a_correction_may_be_of_another_level() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    correct(sheet, 1, a_full_record())

    assert (the_deal(sheet, 1).level, the_deal(sheet, 1).trump) == ("full", "C")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (a_record(2, result="NS 7-5"), "other-deal"),
        (a_record(1, result="NS 6-5"), "result-mismatch"),
        (a_record(1, result="NS 7-5", courts="NS 4 EW 0"), "courts-mismatch"),
        (a_record(1, rules="double-sir"), "other-rules"),
        ("nothing", "bad-syntax"),
        ("", "one-record"),
    ],
)
def test_a_correction_that_cannot_stand_is_refused(text: str, code: str) -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    with pytest.raises(operations.RecordRefused) as refused:
        correct(sheet, 1, text)

    assert code in [problem.code for problem in refused.value.problems]
    assert len(the_revisions(sheet, 1)) == 1


def test_a_discrepant_correction_is_written_with_a_ruling() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    deal = the_deal(sheet, 1)

    operations.correct_deal(
        actor=SERVER,
        deal_uid=deal.uid,
        base_revision=1,
        text=a_full_record().replace("EW 7-2", "EW 7-3"),
        reason="The cards were found.",
        ruling=Ruling(reason="They miscounted.", law="9.1"),
        operation_id=uuid4(),
        at=LATER,
    )

    revision = the_revisions(sheet, 1)[-1]
    assert (revision.kind, revision.winner, revision.ruling.reason) == (
        "correction",
        "EW",
        "They miscounted.",
    )


def test_the_same_text_changes_nothing() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    with pytest.raises(operations.NothingToChange):
        correct(sheet, 1, a_record(1))


def test_a_correction_on_an_older_revision_is_a_conflict_that_shows_both() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    correct(sheet, 1, a_record(1, result="NS 7-5"))

    with pytest.raises(operations.RevisionConflict) as conflict:
        correct(sheet, 1, a_record(1, result="NS 7-6"), base=1)

    assert (conflict.value.revision, conflict.value.current) == (2, a_record(1, result="NS 7-5"))
    assert conflict.value.offered == a_record(1, result="NS 7-6")
    assert conflict.value.as_json()["current"] == {"revision": 2, "pcn": a_record(1, result="NS 7-5")}


@pytest.mark.parametrize("reason", ["", " \u200f "])
def test_a_change_has_a_reason(reason: str) -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    with pytest.raises(operations.ReasonMissing):
        void(sheet, 1, reason=reason)


def test_the_same_correction_again_gives_the_same_answer() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    asked = {
        "actor": SERVER,
        "deal_uid": the_deal(sheet, 1).uid,
        "base_revision": 1,
        "text": a_record(1, result="NS 7-5"),
        "reason": "Paper.",
        "operation_id": uuid4(),
        "at": LATER,
    }

    first = operations.correct_deal(**asked)  # type: ignore[arg-type]
    again = operations.correct_deal(**asked)  # type: ignore[arg-type]

    assert again == first
    assert (first.became, first.revision) == (Became.CREATED, 2)
    assert len(the_revisions(sheet, 1)) == 2


def test_an_operation_is_not_used_for_another_change() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    operation_id = correct(sheet, 1, a_record(1, result="NS 7-5"))

    with pytest.raises(operations.OperationReused):
        void(sheet, 1, operation_id=operation_id)


def test_a_deal_that_is_not_there_is_not_found() -> None:
    with pytest.raises(NotFound):
        operations.void_deal(
            actor=SERVER,
            deal_uid=UUID(int=1),
            base_revision=1,
            reason="None.",
            operation_id=uuid4(),
            at=AT,
        )


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SCORER])
def test_only_directors_change_deals(role: Role) -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1)])
    actor = an_actor(club, role)

    with pytest.raises(Forbidden):
        correct(sheet, 1, a_record(1, result="NS 7-5"), actor=actor)
    with pytest.raises(Forbidden):
        void(sheet, 1, actor=actor)
    with pytest.raises(Forbidden) as forbidden:
        rule(sheet, 1, actor=actor)

    assert forbidden.value.action is Action.RULE


def test_another_clubs_director_changes_nothing() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    with pytest.raises(Forbidden):
        void(sheet, 1, actor=an_actor(a_club("goa")))


def test_a_change_advances_the_collection() -> None:
    club = a_club()
    collection = a_collection(club)
    sheet = a_sheet_with(club, [a_record(1)], collection=collection)

    void(sheet, 1)

    assert Collection.objects.get(pk=collection.pk).version == 2


# -- voiding


def test_a_deal_set_aside_scores_nothing_and_its_record_stays() -> None:
    sheet = a_sheet_with(
        a_club(),
        [a_record(1, dealer="E", result="NS 7-0 court"), a_record(2, dealer="W", result="EW 7-5")],
    )

    void(sheet, 1)

    deal = the_deal(sheet, 1)
    assert (deal.kind, deal.award, deal.winner, deal.counts, deal.courts_ns) == ("void", "void", "", False, 0)
    assert the_revisions(sheet, 1)[-1].pcn == a_record(1, dealer="E", result="NS 7-0 court")
    assert courts(sheet) == [(0, 0), (0, 0)]
    assert [problem["code"] for problem in the_deal(sheet, 2).problems] == ["wrong-dealer"]
    sheet.refresh_from_db()
    assert (sheet.deals_count, sheet.deals_ns, sheet.courts_ns) == (1, 0, 0)


def test_what_is_void_cannot_be_set_aside() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1, result="void")])

    with pytest.raises(operations.NothingToChange):
        void(sheet, 1)


def test_a_correction_with_the_same_text_brings_back_what_was_set_aside() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    void(sheet, 1)

    correct(sheet, 1, a_record(1))

    assert (the_deal(sheet, 1).winner, the_deal(sheet, 1).revision) == ("EW", 3)


# -- ruling


def test_a_ruling_stands_above_the_finding() -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(1), a_record(2, dealer="N", result="NS 7-5")])

    rule(sheet, 1, Outcome(Team.NS, Award.REVOKE, Score(2, 5), Score(1, 0)))

    deal = the_deal(sheet, 1)
    assert (deal.winner, deal.award, deal.courts_ns, deal.revoked, deal.is_ruled) == (
        "NS",
        "revoke",
        1,
        "EW",
        True,
    )
    revision = the_revisions(sheet, 1)[-1]
    assert (revision.kind, revision.finding["winner"], revision.ruling.law) == ("ruling", "EW", "8.4")
    assert courts(sheet) == [(1, 0), (1, 0)]
    assert Scoresheet.objects.get(pk=sheet.pk).revokes_ew == 1


def test_a_ruling_without_an_outcome_lets_the_finding_stand() -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(1)])
    rule(sheet, 1, Outcome(Team.NS, Award.WIN, Score(7, 5), Score()))

    rule(sheet, 1)

    assert (the_deal(sheet, 1).winner, the_deal(sheet, 1).revision) == ("EW", 3)


def test_a_ruling_may_give_any_courts() -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(1)])

    rule(sheet, 1, Outcome(Team.EW, Award.WIN, Score(2, 7), Score(0, 3)))

    assert (the_deal(sheet, 1).courts_ew, courts(sheet)) == (3, [(0, 3)])


def test_a_later_correction_ends_the_ruling() -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(1)])
    rule(sheet, 1, Outcome(Team.NS, Award.WIN, Score(7, 5), Score()))

    correct(sheet, 1, a_full_record(1))

    assert (the_deal(sheet, 1).winner, the_deal(sheet, 1).is_ruled) == ("EW", False)


# -- nothing is lost


@pytest.mark.parametrize("model", [Revision, Operation])
def test_what_was_written_is_neither_updated_nor_deleted(model: type[Revision] | type[Operation]) -> None:
    a_sheet_with(a_club(), [a_record(1)])

    with pytest.raises(AppendOnlyError):
        model.objects.update(kind="void")
    with pytest.raises(AppendOnlyError):
        model.objects.all().delete()


def test_the_actor_is_kept_with_a_ruling() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_full_record(1)])
    director: Actor = an_actor(club)

    rule(sheet, 1, actor=director)

    revision = the_revisions(sheet, 1)[-1]
    assert (revision.made_by_id, revision.ruling.decided_by_id) == (director.user_id, director.user_id)
