"""Deals that programs send: written once, refused with every reason, never half."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.cache import cache
from django.test import Client

from courtpiece.accounts.api.throttles import WriteThrottle
from courtpiece.accounts.models import Club, Role, User
from courtpiece.notation import read
from courtpiece.notation.json_form import record_to_json
from scoring.models import Deal, Operation, Revision, Scoresheet
from tests.accounts.builders import a_club, a_user
from tests.api.builders import PCN, a_program, a_scene, send_json, send_pcn, send_raw, the_json
from tests.scoring.builders import (
    a_collection,
    a_file,
    a_full_record,
    a_record,
    a_sheet,
    record_file,
    the_deal,
    the_revisions,
)

pytestmark = pytest.mark.django_db

KEY = "3f0c6f6e-7a0e-4b0a-9a63-0c5f5c1b2d11"
OTHER_KEY = "9b1d1f6e-7a0e-4b0a-9a63-0c5f5c1b2d22"


@pytest.fixture
def director() -> User:
    return a_user("Dina")


@pytest.fixture
def club(director: User) -> Club:
    return a_club(members=[(director, Role.DIRECTOR)])


@pytest.fixture
def sheet(club: Club) -> Scoresheet:
    return a_sheet(club, collection=a_collection(club))


@pytest.fixture
def program(director: User, club: Club) -> Client:
    return a_program(user=director, scopes=["deals:write"])


def deals_of(sheet: Scoresheet) -> str:
    return f"scoresheets/{sheet.uid}/deals"


def counts() -> tuple[int, int, int]:
    """Return how many operations, deals and revisions there are."""
    return Operation.objects.count(), Deal.objects.count(), Revision.objects.count()


# -- recording


def test_deals_are_recorded_from_pcn(program: Client, sheet: Scoresheet) -> None:
    text = a_file([a_full_record(1), a_record(2, dealer="N", result="NS 7-3")])

    answer = send_pcn(program, deals_of(sheet), text)

    deals = Deal.objects.filter(scoresheet=sheet).order_by("number")
    assert (answer.status_code, answer["Content-Type"]) == (201, "application/json")
    assert answer.json() == {
        "became": "created",
        "deals": [
            {"number": 1, "became": "created", "id": str(deals[0].uid), "revision": 1, "problems": []},
            {"number": 2, "became": "created", "id": str(deals[1].uid), "revision": 1, "problems": []},
        ],
    }
    assert [deal.award for deal in deals] == ["win", "win"]
    (revision,) = the_revisions(sheet, 1)
    assert (revision.made_via, revision.made_by and revision.made_by.display_name) == ("api", "Dina")


def test_a_write_takes_the_version_up(program: Client, sheet: Scoresheet) -> None:
    send_pcn(program, deals_of(sheet), a_record(1))

    sheet.refresh_from_db()
    assert (sheet.version, sheet.collection and sheet.collection.version) == (1, 1)


@pytest.mark.parametrize("media_type", ["text/plain", "application/octet-stream", f"{PCN}; charset=latin-1"])
def test_a_file_may_call_itself_otherwise(program: Client, sheet: Scoresheet, media_type: str) -> None:
    body = a_record(1, more='[Note "Größe"]').encode()

    answer = send_raw(program, deals_of(sheet), body, media_type)

    assert answer.status_code == 201
    assert "Größe" in the_revisions(sheet, 1)[0].pcn


def test_deals_are_recorded_from_json(program: Client, sheet: Scoresheet) -> None:
    records = [reading.record for reading in read(a_file([a_full_record(1), a_record(2, dealer="N")]))]
    body = {
        "operation_id": KEY,
        "deals": [record_to_json(record) for record in records if record is not None],
    }

    answer = send_json(program, deals_of(sheet), body)

    assert (answer.status_code, answer.json()["became"]) == (201, "created")
    assert [deal.level for deal in Deal.objects.order_by("number")] == ["full", "result"]


def test_what_was_read_in_json_can_be_sent_in_json(program: Client, sheet: Scoresheet, club: Club) -> None:
    record_file(sheet, [a_full_record(1), a_record(2, dealer="N", more='[Note "slow"]')])
    deals = the_json(a_program(), deals_of(sheet))["deals"]
    other = a_sheet(club)

    answer = send_json(
        program, deals_of(other), {"operation_id": KEY, "deals": [deal["record"] for deal in deals]}
    )

    assert answer.status_code == 201, answer.content
    assert [the_revisions(other, number)[0].pcn for number in (1, 2)] == [
        the_revisions(sheet, number)[0].pcn for number in (1, 2)
    ]


def test_pcn_may_stand_in_json(program: Client, sheet: Scoresheet) -> None:
    answer = send_json(program, deals_of(sheet), {"pcn": a_record(1), "operation_id": KEY})

    assert answer.status_code == 201


def test_a_warning_is_told_and_kept(program: Client, sheet: Scoresheet) -> None:
    answer = send_pcn(program, deals_of(sheet), a_record(2))

    (deal,) = answer.json()["deals"]
    assert answer.status_code == 201
    assert [(problem["code"], problem["severity"], problem["line"]) for problem in deal["problems"]] == [
        ("deal-gap", "warning", 1)
    ]


# -- the same again


def test_the_same_operation_again_gives_the_same_answer_and_writes_nothing(
    program: Client, sheet: Scoresheet
) -> None:
    text = a_file([a_record(1), a_record(2, dealer="N")])
    first = send_pcn(program, deals_of(sheet), text, key=KEY)
    written = counts()

    second = send_pcn(program, deals_of(sheet), text, key=KEY)

    assert (second.status_code, second.content) == (first.status_code, first.content) == (201, first.content)
    assert counts() == written == (1, 2, 2)


def test_the_key_may_stand_in_quotes_and_in_the_body(program: Client, sheet: Scoresheet) -> None:
    first = send_pcn(program, deals_of(sheet), a_record(1), key=f'"{KEY}"')
    second = send_json(program, deals_of(sheet), {"operation_id": KEY.upper(), "pcn": a_record(1)})

    assert (first.status_code, second.content) == (201, first.content)


def test_the_same_records_in_another_operation_write_nothing(program: Client, sheet: Scoresheet) -> None:
    send_pcn(program, deals_of(sheet), a_record(1), key=KEY)

    again = send_pcn(program, deals_of(sheet), a_record(1), key=OTHER_KEY)

    assert (again.status_code, again.json()["became"]) == (200, "duplicate")
    assert Revision.objects.count() == 1


def test_an_operation_that_comes_again_with_other_records_is_a_conflict(
    program: Client, sheet: Scoresheet
) -> None:
    send_pcn(program, deals_of(sheet), a_record(1), key=KEY)

    again = send_pcn(program, deals_of(sheet), a_record(1, result="NS 7-2"), key=KEY)

    assert (again.status_code, again.json()["type"]) == (409, "urn:courtpiece:operation-reused")
    assert Revision.objects.count() == 1


def test_an_operation_of_another_address_is_a_conflict(
    program: Client, sheet: Scoresheet, club: Club
) -> None:
    send_pcn(program, deals_of(sheet), a_record(1), key=KEY)

    answer = send_pcn(program, deals_of(a_sheet(club)), a_record(1), key=KEY)

    assert answer.status_code == 409


@pytest.mark.parametrize(
    ("headers", "body", "name"),
    [
        ({}, {}, "operation_id"),
        ({"Idempotency-Key": "tuesday"}, {}, "operation_id"),
        ({"Idempotency-Key": ""}, {}, "operation_id"),
        ({"Idempotency-Key": KEY}, {"operation_id": OTHER_KEY}, "operation_id"),
        ({"Idempotency-Key": KEY}, {"operation_id": 5}, "operation_id"),
        ({}, {"operation_id": KEY, "pcn": None}, "pcn"),
        ({}, {"operation_id": KEY, "pcn": 5}, "pcn"),
        ({}, {"operation_id": KEY, "deals": []}, "pcn"),
        ({}, {"operation_id": KEY, "deals": {}}, "deals"),
    ],
)
def test_what_is_missing_is_named(
    program: Client, sheet: Scoresheet, headers: dict[str, str], body: dict[str, Any], name: str
) -> None:
    sent = {"pcn": a_record(1), **body}

    answer = send_json(program, deals_of(sheet), sent, headers=headers)

    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert list(answer.json()["errors"]) == [name]
    assert counts() == (0, 0, 0)


@pytest.mark.parametrize("body", [[], "text", 5, None, {"operation_id": KEY}, {}])
def test_a_body_that_is_no_such_object_is_refused(program: Client, sheet: Scoresheet, body: Any) -> None:
    answer = send_json(program, deals_of(sheet), body)

    assert answer.status_code == 400
    assert counts() == (0, 0, 0)


# -- refused


def _problems(answer: Any) -> list[tuple[str, int, int, int]]:
    problems = answer.json()["problems"]
    return [(problem["code"], problem["record"], problem["line"], problem["column"]) for problem in problems]


@pytest.mark.parametrize(
    ("records", "problems"),
    [
        (["[Deal"], [("bad-syntax", 1, 3, 1)]),
        ([a_record(1), '[Dealer "N"]\n[Result "NS 7-0"]\n'], [("missing-tag", 2, 8, 1)]),
        ([a_record(1, result="EW 7-9")], [("result-mismatch", 1, 6, 10)]),
        ([a_record(1, result="")], [("undecided", 1, 3, 1)]),
        ([a_record(1, courts="NS 5 EW 0")], [("courts-mismatch", 1, 7, 10)]),
        ([a_record(1, rules="double-sir")], [("other-rules", 1, 4, 9)]),
        ([a_record(1, more='[Table "6"]')], [("other-match", 1, 7, 9)]),
        ([a_record(1, more='[NS "A B & C D"]')], [("other-match", 1, 7, 6)]),
        ([a_record(1), a_record(1, result="NS 7-1")], [("deal-repeated", 2, 8, 8)]),
        ([a_full_record(1).replace("C9 C7", "C7 C9")], [("card-not-held", 1, 11, 4)]),
    ],
)
def test_a_record_at_fault_is_refused_with_its_place_and_nothing_is_written(
    program: Client, sheet: Scoresheet, records: list[str], problems: list[tuple[str, int, int, int]]
) -> None:
    answer = send_pcn(program, deals_of(sheet), a_file(records))

    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")
    assert answer.json()["type"] == "urn:courtpiece:record-refused"
    assert _problems(answer) == problems
    assert counts() == (0, 0, 0)


@pytest.mark.parametrize("text", ["", "% PCN 1\n", "\n\n\n", "; nothing\n"])
def test_a_file_without_a_record_is_refused(program: Client, sheet: Scoresheet, text: str) -> None:
    answer = send_pcn(program, deals_of(sheet), text)

    assert answer.status_code in {400, 422}
    assert counts() == (0, 0, 0)


@pytest.mark.parametrize(
    ("deal", "code", "pointer"),
    [
        ({}, "bad-syntax", "/tags"),
        ({"tags": {"Deal": "1"}}, "missing-tag", "/tags"),
        ({"tags": {"Deal": "0", "Dealer": "N"}}, "bad-value", "/tags/Deal"),
        ({"tags": {"Deal": 1, "Dealer": "N"}}, "bad-syntax", "/tags/Deal"),
        (
            {"tags": {"Deal": "1", "Dealer": "N"}, "tricks": [[{"cards": ["XX"]}]]},
            "bad-syntax",
            "/tricks/0/0/cards/0",
        ),
        ({"tags": {"Deal": "1", "Dealer": "N", "\ud800": ""}}, "bad-syntax", "/tags/?"),
        ({"tags": {"Deal": "1", "Dealer": "N", "Note": "\ud800"}}, "bad-syntax", "/tags/Note"),
        ([], "bad-syntax", ""),
        ("text", "bad-syntax", ""),
        (None, "bad-syntax", ""),
    ],
)
def test_a_record_in_json_at_fault_is_refused_with_its_pointer(
    program: Client, sheet: Scoresheet, deal: Any, code: str, pointer: str
) -> None:
    good = {"tags": {"Deal": "1", "Dealer": "E", "Result": "EW 7-2"}}

    answer = send_json(program, deals_of(sheet), {"operation_id": KEY, "deals": [good, deal]})

    assert answer.status_code == 422
    (problem,) = answer.json()["problems"]
    assert (problem["record"], problem["code"], problem["pointer"]) == (2, code, pointer)
    assert counts() == (0, 0, 0)


def test_a_conflict_shows_both_texts_and_writes_nothing(program: Client, sheet: Scoresheet) -> None:
    record_file(sheet, [a_record(1), a_record(2, dealer="N")])
    deal = the_deal(sheet, 2)
    written = counts()
    sent = a_record(2, dealer="N", result="NS 7-4")

    answer = send_pcn(program, deals_of(sheet), a_file([a_record(1), sent, a_record(3, dealer="W")]))

    body = answer.json()
    assert (answer.status_code, body["type"]) == (409, "urn:courtpiece:sheet-conflict")
    assert body["conflicts"] == [
        {
            "deal": str(deal.uid),
            "current": {"revision": 1, "pcn": a_record(2, dealer="N")},
            "offered": {"pcn": sent.strip()},
        }
    ]
    assert counts() == written


def test_what_is_at_fault_is_told_before_conflicts(program: Client, sheet: Scoresheet) -> None:
    record_file(sheet, [a_record(1)])

    answer = send_pcn(program, deals_of(sheet), a_file([a_record(1, result="NS 7-4"), "[Deal"]))

    assert answer.status_code == 422
    assert {problem["code"] for problem in answer.json()["problems"]} == {"deal-conflict", "bad-syntax"}


def test_a_number_beyond_all_numbers_is_refused(program: Client, sheet: Scoresheet) -> None:
    answer = send_pcn(program, deals_of(sheet), a_record(10**30))

    assert answer.status_code == 422
    assert counts() == (0, 0, 0)


@pytest.mark.parametrize(
    ("content_type", "body", "status"),
    [
        ("application/json", b"{", 400),
        ("application/json", b"\xff\xfe", 400),
        ("application/json", b'{"operation_id": NaN}', 400),
        ("application/json", b"[" * 100_000, 400),
        ("application/json", b'{"base_revision": ' + b"9" * 5000 + b"}", 400),
        ("application/json; charset=hex", b"{}", 400),
        ("application/json; charset=utf-16", b"{}", 400),
        ("application/xml", b"<a/>", 415),
        ("multipart/form-data; boundary=x", b"--x--", 415),
        ("application/x-www-form-urlencoded", b"a=b", 415),
        ("nonsense", b"a", 415),
        ("", b"a", 415),
    ],
)
def test_a_body_that_cannot_be_read_is_refused(
    program: Client, sheet: Scoresheet, content_type: str, body: bytes, status: int
) -> None:
    answer = send_raw(program, deals_of(sheet), body, content_type)

    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")


@pytest.mark.parametrize("kind", [PCN, "application/json"])
def test_a_body_that_is_too_large_is_refused(program: Client, sheet: Scoresheet, kind: str) -> None:
    body = b" " * (2 * 1024 * 1024 + 1)

    answer = send_raw(program, deals_of(sheet), body, kind)

    assert (answer.status_code, answer["Content-Type"]) == (413, "application/problem+json")


def test_a_scoresheet_that_there_is_not_takes_nothing(program: Client, sheet: Scoresheet) -> None:
    answer = send_pcn(program, f"scoresheets/{UUID(int=5)}/deals", a_record(1))

    assert answer.status_code == 404


# -- correcting


def revisions_of(deal: Deal) -> str:
    return f"deals/{deal.uid}/revisions"


def a_correction(text: str, **more: Any) -> dict[str, Any]:
    return {"base_revision": 1, "reason": "The paper says so.", "pcn": text, "operation_id": KEY, **more}


@pytest.fixture
def deal(sheet: Scoresheet) -> Deal:
    record_file(sheet, [a_record(1), a_record(2, dealer="N")])
    return the_deal(sheet, 1)


def test_a_correction_stands_and_what_was_there_stays(program: Client, deal: Deal) -> None:
    answer = send_json(program, revisions_of(deal), a_correction(a_record(1, result="EW 7-0 court")))

    assert answer.status_code == 201
    assert answer.json() == {
        "number": 1,
        "became": "created",
        "id": str(deal.uid),
        "revision": 2,
        "problems": [],
    }
    latest, first = the_json(a_program(), revisions_of(deal))
    assert (latest["number"], latest["kind"], latest["current"]) == (2, "correction", True)
    assert (latest["made_by"], latest["made_via"], latest["reason"]) == ("Dina", "api", "The paper says so.")
    assert (first["number"], first["current"], first["result"]) == (1, False, "EW 7-2")
    shown = the_json(a_program(), f"deals/{deal.uid}")
    assert (shown["revision"], shown["kind"], shown["courts"]) == (2, "correction", {"NS": 0, "EW": 1})


def test_a_correction_may_be_a_record_in_json(program: Client, deal: Deal) -> None:
    record = {"tags": {"Deal": "1", "Dealer": "E", "Result": "EW 7-5"}}
    body = {**a_correction(""), "record": record}
    del body["pcn"]

    answer = send_json(program, revisions_of(deal), body)

    assert answer.status_code == 201
    deal.refresh_from_db()
    assert (deal.revision, deal.tricks_ns) == (2, 5)


def test_a_correction_that_comes_again_gives_the_same_answer(program: Client, deal: Deal) -> None:
    body = a_correction(a_record(1, result="EW 7-5"))
    first = send_json(program, revisions_of(deal), body)
    written = counts()

    second = send_json(program, revisions_of(deal), body)

    assert (second.status_code, second.content) == (201, first.content)
    assert counts() == written


def test_a_correction_of_what_was_corrected_meanwhile_shows_both_texts(program: Client, deal: Deal) -> None:
    send_json(program, revisions_of(deal), a_correction(a_record(1, result="EW 7-5")))

    late = a_correction(a_record(1, result="EW 7-6"), operation_id=str(uuid4()))
    answer = send_json(program, revisions_of(deal), late)

    body = answer.json()
    assert (answer.status_code, body["type"]) == (409, "urn:courtpiece:revision-conflict")
    assert body["conflicts"] == [
        {
            "deal": str(deal.uid),
            "current": {"revision": 2, "pcn": a_record(1, result="EW 7-5")},
            "offered": {"pcn": a_record(1, result="EW 7-6")},
        }
    ]
    assert Revision.objects.filter(deal=deal).count() == 2


@pytest.mark.parametrize(
    ("change", "status", "name"),
    [
        ({"base_revision": None}, 400, "base_revision"),
        ({"base_revision": 0}, 400, "base_revision"),
        ({"base_revision": 2**31}, 400, "base_revision"),
        ({"base_revision": "first"}, 400, "base_revision"),
        ({"base_revision": 7}, 409, "text"),
        ({"reason": ""}, 400, "reason"),
        ({"reason": "\u202e"}, 422, "reason"),
        ({"reason": "a\x00b"}, 400, "reason"),
        ({"reason": "\ud800"}, 400, "reason"),
        ({"reason": "x" * 501}, 400, "reason"),
        ({"operation_id": None}, 400, "operation_id"),
        ({"pcn": ""}, 422, "text"),
        ({"pcn": "[Deal"}, 422, "text"),
        ({"pcn": "\ud800"}, 422, "text"),
        ({"pcn": "\x00"}, 422, "text"),
        ({"pcn": a_record(2)}, 422, "text"),
        ({"pcn": a_record(1) + "\n" + a_record(2)}, 422, "text"),
        ({"record": {}}, 400, "pcn"),
    ],
)
def test_a_correction_at_fault_is_refused(
    program: Client, deal: Deal, change: dict[str, Any], status: int, name: str
) -> None:
    written = counts()

    answer = send_json(program, revisions_of(deal), {**a_correction(a_record(1, result="EW 7-5")), **change})

    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
    assert list(answer.json()["errors"]) == [name]
    assert counts() == written


def test_a_correction_that_changes_nothing_is_refused(program: Client, deal: Deal) -> None:
    answer = send_json(program, revisions_of(deal), a_correction(a_record(1)))

    assert (answer.status_code, answer.json()["type"]) == (422, "urn:courtpiece:nothing-to-change")


def test_a_correction_is_not_sent_bare(program: Client, deal: Deal) -> None:
    assert send_pcn(program, revisions_of(deal), a_record(1)).status_code == 415


def test_a_deal_that_there_is_not_is_not_corrected(program: Client, deal: Deal) -> None:
    answer = send_json(program, f"deals/{UUID(int=5)}/revisions", a_correction(a_record(1)))

    assert answer.status_code == 404


# -- how often


def test_who_writes_too_often_is_told_when_to_come_again(
    program: Client, sheet: Scoresheet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WriteThrottle, "rate", "2/min")
    cache.clear()

    statuses = [
        send_pcn(program, deals_of(sheet), a_record(1), key=KEY, REMOTE_ADDR=f"10.0.0.{number}").status_code
        for number in range(2)
    ]
    refused = send_pcn(program, deals_of(sheet), a_record(1), key=KEY)

    assert statuses == [201, 201]
    assert (refused.status_code, refused["Content-Type"]) == (429, "application/problem+json")
    assert 0 < int(refused["Retry-After"]) <= 60
    assert the_json(program, "clubs/")["results"] != []


def test_a_write_reaches_the_standings() -> None:
    scene = a_scene()
    program = a_program(user=scene.scorer)
    sheet = Scoresheet.objects.get(pk=scene.match.scoresheet_id)

    answer = send_pcn(program, deals_of(sheet), a_record(3, dealer="S", result="NS 13-0 bavney"))

    assert answer.status_code == 201
    assert the_json(a_program(), "tournaments/rang/standings")["current"] is False
