"""Results as a file: every wrong cell is named, all deals are written or none, and what comes out goes in again."""

import io
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook

from courtpiece.accounts.models import AuditEntry, Club, Role
from courtpiece.accounts.permissions import SERVER, Actor, Forbidden
from scoring import operations as scoring
from scoring.models import Deal, Revision
from tests.accounts.builders import AT, a_browser, a_club, a_user, as_actor
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_scheduled_tournament
from tournaments.errors import BadSpreadsheet, ReasonNeeded, ResultsRefused
from tournaments.models import Match, Tournament
from tournaments.operations.result_files import (
    Choices,
    ResultsPreview,
    ResultsTaken,
    preview_results,
    take_results,
)
from tournaments.operations.slips import SlipLine, enter_results
from tournaments.result_rows import COLUMN_NAMES
from tournaments.spreadsheets import Cell, write_csv

pytestmark = pytest.mark.django_db

HEADER = ("round", "table", "deal", "dealer", "winner", "tricks won", "tricks lost", "award", "revoke")
ROWS: tuple[tuple[Cell, ...], ...] = (
    (1, 1, 1, "N", "NS", 7, 4, "", ""),
    (1, 1, 2, "", "EW", 7, 0, "", ""),
    (1, 1, 3, "", "", "", "", "void", ""),
    (1, 2, 1, "S", "EW", 5, 2, "revoke", "N 8"),
)


def a_tournament(*pairs: str, **new: Any) -> Tournament:
    return a_scheduled_tournament(*(pairs or (ASIF, CHAND, ERUM, GITA)), club_id=a_club().pk, **new)


def a_file(*rows: Sequence[Cell], header: Sequence[Cell] = HEADER) -> bytes:
    return write_csv([header, *rows])


def a_person(role: Role) -> Actor:
    user = a_user(role.value)
    Club.objects.get().memberships.create(user=user, role=role, created_at=AT)
    return as_actor(user)


def preview(*rows: Sequence[Cell], actor: Actor = SERVER) -> ResultsPreview:
    return preview_results(actor=actor, slug="rang", content=a_file(*(rows or ROWS)))


def take(*rows: Sequence[Cell], actor: Actor = SERVER, act: UUID | None = None, **more: Any) -> ResultsTaken:
    return take_results(
        actor=actor,
        slug="rang",
        rows=preview(*rows, actor=actor).rows,
        file_name="results.csv",
        act_id=act or uuid4(),
        at=AT,
        **more,
    )


def ledger() -> list[tuple[str, int, str, str]]:
    order = ("scoresheet__round", "scoresheet__table", "number")
    return list(Deal.objects.order_by(*order).values_list("scoresheet__table", "number", "dealer", "award"))


# -- what is written


def test_the_deals_of_a_file_are_written_and_their_history_names_the_file() -> None:
    a_tournament()

    taken = take()

    assert taken == ResultsTaken(deals=4, corrected=0, finished=0, left_open=())
    assert ledger() == [
        ("1", 1, "N", "win"),
        ("1", 2, "W", "goon-court"),
        ("1", 3, "S", "void"),
        ("2", 1, "S", "revoke"),
    ]
    assert set(Revision.objects.values_list("made_via", "source")) == {("file", "results.csv")}
    assert Deal.objects.get(award="revoke").revoked == "NS"
    entry = AuditEntry.objects.get(what="results-taken")
    assert entry.detail == {"tournament": "rang", "file": "results.csv", "deals": 4, "corrected": 0}


def test_the_same_file_again_writes_nothing() -> None:
    a_tournament()
    take()

    looked = preview()

    assert (looked.same, looked.new, looked.others, looked.faults) == (4, (), (), ())
    assert take() == ResultsTaken(deals=0, corrected=0, finished=0, left_open=())
    assert (Revision.objects.count(), AuditEntry.objects.filter(what="results-taken").count()) == (4, 1)


def test_sent_twice_is_written_once() -> None:
    a_tournament()
    rows, act = preview().rows, uuid4()
    sent: dict[str, Any] = {
        "actor": SERVER, "slug": "rang", "rows": rows, "file_name": "a.csv", "act_id": act, "at": AT, "finish": True
    }  # fmt: skip

    answers = [take_results(**sent) for _time in range(2)]

    assert answers[0] == answers[1] == ResultsTaken(deals=4, corrected=0, finished=2, left_open=())
    assert Revision.objects.count() == 4


def test_matches_that_are_short_of_what_was_agreed_are_not_finished() -> None:
    tournament = a_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(plan={"match": {"deals": 2}})

    assert take(finish=True) == ResultsTaken(deals=4, corrected=0, finished=1, left_open=("2",))

    states = Match.objects.filter(round__number=1).order_by("table").values_list("state", flat=True)
    assert list(states) == ["finished", "open"]


# -- what is wrong is named by its row and column, and nothing is written


@pytest.mark.parametrize(
    ("row", "column", "what"),
    [
        ((1, 1, 2, "", "EW", 7, 0, "cort", ""), "award", "“cort” is none of win, court, goon-court, bavney, revoke"),
        ((1, 1, 2, "X", "EW", 7, 0, "", ""), "dealer", "“X” is no seat."),
        ((1, 1, 2, "", "we", 7, 0, "", ""), "winner", "“we” is no side."),
        ((1, 1, 2, "", "", 7, 0, "", ""), "winner", "Nothing tells who won."),
        ((1, 1, 2, "", "EW", "seven", 0, "", ""), "tricks won", "“seven” is no whole number."),
        ((1, 1, 2, "", "EW", 7, 14, "", ""), "tricks lost", "14 is not one of 0–13."),
        ((1, 1, 2, "", "EW", 6, 6, "", ""), "award", "No deal ends so: a win is 7-1 to 7-6"),
        ((1, 1, 2, "", "EW", "", "", "win", ""), "tricks lost", "The tricks are missing."),
        ((1, 1, 3, "", "EW", 7, 4, "", ""), "dealer", "Nothing tells who dealt: the deal before is missing"),
        ((1, 1, 1, "N", "EW", 7, 4, "", ""), "deal", "Deal 1 of this table stands in row 2 too."),
        ((1, 1, "", "N", "EW", 7, 4, "", ""), "deal", "There is nothing."),
        ((9, 1, 1, "N", "EW", 7, 4, "", ""), "round", "There is no round 9."),
        ((1, 7, 1, "N", "EW", 7, 4, "", ""), "table", "Round 1 has no table “7”."),
        ((1, 1, 2, "", "EW", 7, 0, "", "Q9"), "revoke", "“Q9” is no seat and trick."),
        ((1, 1, 2, "", "", 7, "", "void", ""), "tricks won", "“7” stands there, and the deal is void."),
    ],
)  # fmt: skip
def test_a_wrong_cell_is_named_and_nothing_can_be_written(
    row: Sequence[Cell], column: str, what: str
) -> None:
    a_tournament()

    looked = preview(ROWS[0], row)

    named = [fault for fault in looked.faults if fault.row == 3]
    assert [(fault.column, fault.what.startswith(what)) for fault in named] == [(column, True)]
    assert named[0].remedy
    assert Deal.objects.count() == 0


def test_formulas_are_not_computed() -> None:
    a_tournament()
    content = "round,table,deal,winner,tricks lost\n1,1,=1+1,NS,4\n"

    looked = preview_results(actor=SERVER, slug="rang", content=content.encode())

    assert [(fault.row, fault.column) for fault in looked.faults] == [(2, "deal")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "nothing in the file"),
        (b"round,table,deal,winner,tricks lost\n", "a header and no deal"),
        (b"round,deal,winner,tricks lost\n1,1,NS,4\n", "there is no “table”"),
        (b"round,table,table,deal,winner,tricks lost\n", "a column twice: “table”"),
        (b"PK\x03\x04 nothing", "cannot be read"),
        (b"\xff\xfe\x00", "cannot be read"),
        (b"x" * (3 * 1024 * 1024), "too large"),
        (b"round,table,deal,winner,tricks lost\n" + b"1,1,1,NS,4\n" * 3001, "more than 3000 rows"),
    ],
)
def test_what_is_no_file_of_results_is_refused_with_what_would_do(content: bytes, said: str) -> None:
    a_tournament()

    with pytest.raises(BadSpreadsheet, match=said):
        preview_results(actor=SERVER, slug="rang", content=content)


def test_a_row_of_another_pair_is_named() -> None:
    a_tournament()
    header = (*HEADER, "north-south", "ignored")
    rows = [(*ROWS[0], CHAND, ""), (*ROWS[3], " erum emerald &farah  falcon", "")]
    seated = {match.table: str(match.scoresheet.ns) for match in Match.objects.filter(round__number=1)}

    looked = preview_results(actor=SERVER, slug="rang", content=a_file(*rows, header=header))

    assert len(seated) == 2
    assert {(fault.row, fault.column) for fault in looked.faults} <= {(2, "north-south"), (3, "north-south")}
    assert "do not sit there, but" in looked.faults[0].what
    assert looked.ignored == ("ignored",)


def test_rows_that_are_not_filled_in_are_left_out() -> None:
    a_tournament()

    looked = preview(ROWS[0], (1, 1, 2, "E", "", "", "", "", ""))

    assert (looked.blank, len(looked.new), looked.faults) == (1, 1, ())


def test_a_match_that_is_over_takes_no_new_deal_but_what_it_has_may_stand_in_the_file() -> None:
    a_tournament()
    take(*ROWS[:3], finish=True)

    looked = preview(*ROWS[:3], (1, 1, 4, "", "NS", 7, 2, "", ""))

    assert [(fault.row, fault.what) for fault in looked.faults] == [
        (5, "The match at table 1 is over, so it takes no new deals.")
    ]
    assert looked.same == 3


# -- what is recorded otherwise

OTHER = (1, 1, 1, "N", "NS", 7, 2, "", "")


def test_who_may_not_correct_is_shown_both_and_writes_nothing() -> None:
    a_tournament()
    take(ROWS[0])

    looked = preview(OTHER, ROWS[1], actor=a_person(Role.SCORER))

    assert [(fault.row, fault.column, fault.what) for fault in looked.faults] == [
        (2, "deal", "The deal is recorded as N: NS 7-4; the file says “N: NS 7-2”.")
    ]


def test_a_director_corrects_with_a_reason_and_the_rest_is_written_with_it() -> None:
    a_tournament()
    take(ROWS[0])
    director = a_person(Role.DIRECTOR)
    (other,) = preview(OTHER, ROWS[1], actor=director).others

    taken = take(OTHER, ROWS[1], actor=director, choices=Choices(correct={other.key}, reason="Misread."))

    assert (other.recorded, other.offered, other.row) == ("N: NS 7-4", "N: NS 7-2", 2)
    assert (taken.deals, taken.corrected) == (1, 1)
    revision = Revision.objects.get(number=2)
    assert (revision.kind, revision.reason, revision.made_via, revision.source) == (
        "correction", "Misread.", "file", "results.csv",
    )  # fmt: skip
    assert (Deal.objects.get(number=1).tricks_ew, Deal.objects.count()) == (2, 2)


def test_what_is_not_ticked_stays_as_it_is_recorded() -> None:
    a_tournament()
    take(ROWS[0])
    (other,) = preview(OTHER, ROWS[1]).others

    taken = take(OTHER, ROWS[1], choices=Choices(keep={other.key}))

    assert (taken.deals, taken.corrected, Deal.objects.get(number=1).tricks_ew) == (1, 0, 4)


def test_a_correction_needs_a_reason_and_the_right() -> None:
    a_tournament()
    take(ROWS[0])
    (other,) = preview(OTHER).others

    with pytest.raises(ReasonNeeded):
        take(OTHER, choices=Choices(correct={other.key}, reason=" "))
    with pytest.raises(Forbidden):
        take(OTHER, actor=a_person(Role.SCORER), choices=Choices(correct={other.key}, reason="Misread."))


def test_what_somebody_recorded_since_it_was_looked_at_stops_the_whole_file() -> None:
    a_tournament()
    rows = preview().rows
    take(OTHER)

    with pytest.raises(ResultsRefused, match="look at it once more"):
        take_results(actor=SERVER, slug="rang", rows=rows, file_name="a.csv", act_id=uuid4(), at=AT)

    assert Deal.objects.count() == 1


def test_a_deal_on_which_a_director_decided_is_not_corrected_by_a_file() -> None:
    a_tournament()
    take(ROWS[0])
    deal = Deal.objects.get()
    scoring.void_deal(
        actor=SERVER, deal_uid=deal.uid, base_revision=1, reason="Misdealt.", operation_id=uuid4(), at=AT
    )

    looked = preview(ROWS[0])

    assert [fault.what for fault in looked.faults] == [
        "The deal is recorded as N: void by a director’s decision; the file says “N: NS 7-4”."
    ]


# -- out, and in again


def exported(kind: str, slug: str = "rang") -> bytes:
    return bytes(Client().get(reverse(f"tournaments:results_{kind}", args=[slug])).content)


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_what_is_exported_is_taken_again_and_changes_nothing(kind: str) -> None:
    a_tournament()
    take()

    looked = preview_results(actor=SERVER, slug="rang", content=exported(kind))

    assert (looked.same, looked.new, looked.others, looked.faults, looked.ignored) == (4, (), (), (), ())


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_what_is_exported_makes_the_same_results_elsewhere(kind: str) -> None:
    tournament = a_tournament()
    take()
    content, before = exported(kind), exported("csv")
    names = (ASIF, CHAND, ERUM, GITA)
    a_scheduled_tournament(*names, club_id=tournament.club_id, slug="copy", name="Copy")

    rows = preview_results(actor=SERVER, slug="copy", content=content).rows
    take_results(actor=SERVER, slug="copy", rows=rows, file_name=kind, act_id=uuid4(), at=AT)

    assert exported("csv", "copy") == before


def test_a_full_file_has_numbers_as_numbers_and_names_that_begin_no_formula() -> None:
    a_tournament("=Asif & @Bilal", CHAND)
    take(*ROWS[:2])

    rows = list(load_workbook(io.BytesIO(exported("xlsx"))).worksheets[0].iter_rows(values_only=True))

    assert rows[0] == COLUMN_NAMES
    assert rows[1] == (1, 1, "'=Asif & @Bilal", CHAND, 1, "N", "NS", 7, 4, "win", None, None)
    assert preview_results(actor=SERVER, slug="rang", content=exported("xlsx")).same == 2


def test_a_file_to_fill_in_has_a_row_for_each_deal_that_is_to_come() -> None:
    tournament = a_tournament(ASIF, CHAND)
    Tournament.objects.filter(pk=tournament.pk).update(plan={"match": {"deals": 3}})
    Match.objects.update(first_dealer="W")
    take((1, 1, 2, "N", "NS", 7, 4, "", ""))
    client = a_browser(a_user())
    Club.objects.get().memberships.create(
        user_id=int(client.session["_auth_user_id"]), role=Role.SCORER, created_at=AT
    )

    empty, filled = (
        client.get(reverse("tournaments:results_empty_csv", args=["rang"]), query).content.decode("utf-8-sig")
        for query in ({}, {"with": "pairings"})
    )

    header = (
        "round,table,north-south,east-west,deal,dealer,winner,tricks won,tricks lost,award,revoke,ruled\r\n"
    )
    pairs = f"{ASIF},{CHAND}"
    assert empty == header
    assert filled == f"{header}1,1,{pairs},1,W\r\n1,1,{pairs},3,\r\n"


# -- the pages


def a_scorer(role: Role = Role.SCORER) -> Client:
    user = a_user("Sana")
    Club.objects.get().memberships.create(user=user, role=role, created_at=AT)
    return a_browser(user)


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())


def sent(client: Client, *rows: Sequence[Cell]) -> Any:
    upload = SimpleUploadedFile("results.csv", a_file(*(rows or ROWS)), "text/csv")
    return client.post(reverse("tournaments:results_file", args=["rang"]), {"file": upload})


def form_of(response: Any, **more: Any) -> dict[str, Any]:
    form = response.context["saving"]
    return {"act": str(form["act"].value()), "rows": form["rows"].value(), "finish": "on", **more}


def test_a_file_is_looked_at_and_then_saved() -> None:
    a_tournament()
    client = a_scorer()

    looked = sent(client)
    nothing = Deal.objects.count()
    saved = client.post(reverse("tournaments:results_file_save", args=["rang"]), form_of(looked), follow=True)

    assert "4 deals would be recorded" in text_of(looked)
    assert (nothing, Deal.objects.count()) == (0, 4)
    assert "4 deals are saved." in text_of(saved)
    assert "2 matches are finished." in text_of(saved)
    assert "There is nothing to save. 4 rows say what is recorded." in text_of(sent(client))


def test_what_is_wrong_stands_in_a_table_with_what_to_do() -> None:
    a_tournament()

    page = sent(a_scorer(), ROWS[0], (1, 1, 2, "", "EW", 7, 0, "cort", ""))

    assert page.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "1 cell is wrong, so nothing was saved." in text_of(page)
    assert "“cort” is none of win, court, goon-court, bavney, revoke, void." in text_of(page)
    assert "Write one of them; or leave it empty: the tricks tell." in text_of(page)


def test_a_director_is_asked_and_without_a_reason_asked_again() -> None:
    a_tournament()
    take(ROWS[0])
    client = a_scorer(Role.DIRECTOR)
    save = reverse("tournaments:results_file_save", args=["rang"])

    asked = sent(client, OTHER)
    (other,) = asked.context["preview"].others
    form = form_of(asked, seen=other.key, correct=other.key, reason="")
    again = client.post(save, form)
    client.post(save, form | {"reason": "Misread."})

    assert "1 deal is recorded otherwise" in text_of(asked)
    assert "Say why deals that are recorded are corrected." in text_of(again)
    assert f'value="{other.key}" checked' in text_of(again)
    assert Deal.objects.get().tricks_ew == 2


def test_rows_that_were_tampered_with_are_refused() -> None:
    a_tournament()
    client = a_scorer()
    form = form_of(sent(client)) | {"rows": "[]:x"}

    answer = client.post(reverse("tournaments:results_file_save", args=["rang"]), form)

    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Choose the file again: this is not what was looked at." in text_of(answer)


def test_a_final_tournament_takes_no_file() -> None:
    tournament = a_tournament()
    client = a_scorer()
    form = form_of(sent(client))
    Tournament.objects.filter(pk=tournament.pk).update(status="final")

    answer = client.post(reverse("tournaments:results_file_save", args=["rang"]), form)

    assert "The standings of this tournament are final" in text_of(answer)
    assert Deal.objects.count() == 0


def test_typed_from_the_slip_and_sent_as_a_file_a_deal_is_the_same() -> None:
    a_tournament(ASIF, CHAND)
    line = SlipLine(number=1, dealer=None, winner=None, is_void=True)
    Match.objects.update(first_dealer="N")
    enter_results(actor=SERVER, uid=Match.objects.get().uid, lines=[line], act_id=uuid4(), at=AT)

    assert preview((1, 1, 1, "N", "", "", "", "void", "")).same == 1
