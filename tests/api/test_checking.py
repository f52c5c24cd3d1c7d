"""The checker on the site says what the checker says, stores nothing, and is open to everybody."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from courtpiece.accounts.api.throttles import CheckThrottle
from courtpiece.notation import check
from scoring.api import checking
from tests.api.builders import API, PCN, a_program, send_raw
from tests.scoring.builders import a_file, a_full_record, a_record

pytestmark = pytest.mark.django_db

RECORDS = a_file([a_full_record(1), a_record(2, dealer="N", result="NS 7-9"), "[Deal\n"])
CASES = sorted((Path(__file__).parents[1] / "golden").rglob("*.pcn"))


@pytest.fixture
def program() -> Client:
    return a_program()


def lines_of(answer: Any) -> list[Any]:
    return [json.loads(line) for line in answer.content.decode().splitlines()]


def test_it_says_what_the_checker_says(program: Client) -> None:
    answer = send_raw(program, "check", RECORDS.encode(), PCN)

    assert (answer.status_code, answer["Content-Type"]) == (200, "application/x-ndjson; charset=utf-8")
    assert lines_of(answer) == list(check(RECORDS))
    assert [line["type"] for line in lines_of(answer)] == ["deal", "deal", "deal", "match"]


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_it_says_what_the_checker_says_of_real_records(program: Client, case: Path) -> None:
    answer = send_raw(program, f"check?file={case.name}", case.read_bytes(), PCN)

    assert lines_of(answer) == list(check(case.read_bytes(), file=case.name))


def test_it_says_so_in_a_list_to_who_wants_json(program: Client) -> None:
    by_accept = program.generic(
        "POST", f"{API}check", RECORDS.encode(), content_type=PCN, headers={"Accept": "application/json"}
    )
    by_format = send_raw(program, "check?format=json", RECORDS.encode(), PCN)

    assert by_accept["Content-Type"] == "application/json"
    assert by_accept.json() == by_format.json() == list(check(RECORDS))


@pytest.mark.parametrize(
    "content_type", ["text/plain", "application/octet-stream", "application/x-www-form-urlencoded"]
)
def test_records_may_call_themselves_otherwise(program: Client, content_type: str) -> None:
    answer = send_raw(program, "check", RECORDS.encode(), content_type)

    assert lines_of(answer) == list(check(RECORDS))


def test_a_file_of_a_form_keeps_its_name(program: Client) -> None:
    file = SimpleUploadedFile("t5.pcn", RECORDS.encode(), content_type=PCN)

    answer = program.post(f"{API}check", {"file": file})

    assert lines_of(answer) == list(check(RECORDS, file="t5.pcn"))


def test_it_asks_the_database_nothing(program: Client) -> None:
    with CaptureQueriesContext(connection) as queries:
        send_raw(program, "check", RECORDS.encode(), PCN)

    assert len(queries) == 0


def test_a_program_with_a_token_may_check_too() -> None:
    assert (
        send_raw(Client(headers={"Authorization": "Bearer nonsense"}), "check", b"x", PCN).status_code == 401
    )


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"\xff\xfe[Deal", "bad-encoding"),
        (b'[Deal "1"]\n[Dealer "\x00"]\n', "bad-encoding"),
        ('[Note "\ud800"]\n'.encode("utf-8", "surrogatepass"), "bad-encoding"),
        (b"{" * 100_000, "record-too-long"),
        (b"[Deal", "bad-syntax"),
        ("\u0601\u202e\u200f\U0001d54f".encode(), "bad-syntax"),
    ],
)
def test_what_is_no_record_is_told(program: Client, body: bytes, code: str) -> None:
    answer = send_raw(program, "check", body, PCN)

    assert answer.status_code == 200
    assert code in [problem["code"] for line in lines_of(answer) for problem in line["problems"]]


@pytest.mark.parametrize(
    ("content_type", "body", "status"),
    [
        ("application/json", b'{"pcn": ""}', 415),
        ("multipart/form-data; boundary=x", b"--x--\r\n", 400),
        ("multipart/form-data", b"--x--", 400),
        ("image/png", b"x", 415),
        (PCN, b"x" * (2 * 1024 * 1024 + 1), 413),
    ],
)
def test_what_cannot_be_checked_is_refused(
    program: Client, content_type: str, body: bytes, status: int
) -> None:
    answer = send_raw(program, "check", body, content_type)

    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")


def test_a_file_of_a_form_that_is_too_large_is_refused(program: Client) -> None:
    file = SimpleUploadedFile("t5.pcn", b"x" * (2 * 1024 * 1024 + 1))

    answer = program.post(f"{API}check", {"file": file})

    assert answer.status_code == 413


def test_too_many_records_are_refused(program: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_LINES", 3)

    assert send_raw(program, "check", RECORDS.encode(), PCN).status_code == 413
    assert send_raw(program, "check", a_file([a_full_record(1)]).encode(), PCN).status_code == 200


def test_what_takes_too_long_is_refused(program: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MOST_SECONDS", -1.0)

    assert send_raw(program, "check", RECORDS.encode(), PCN).status_code == 413


def test_it_is_not_read(program: Client) -> None:
    answer = program.get(f"{API}check")

    assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json")


def test_who_asks_too_often_is_told_when_to_come_again(
    program: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CheckThrottle, "rate", "2/min")
    cache.clear()

    statuses = [
        program.generic(
            "POST", f"{API}check", b"x", content_type=PCN, headers={"X-Forwarded-For": f"10.0.0.{number}"}
        ).status_code
        for number in range(3)
    ]
    other = program.generic("POST", f"{API}check", b"x", content_type=PCN, REMOTE_ADDR="10.0.0.1")
    refused = send_raw(program, "check", b"x", PCN)

    assert statuses == [200, 200, 429]
    assert other.status_code == 200
    assert 0 < int(refused["Retry-After"]) <= 60
