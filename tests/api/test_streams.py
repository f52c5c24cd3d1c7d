"""All deals of something at once: every form, however many, and no more memory for more of them."""

import asyncio
import csv
import io
import json
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.test import Client

from courtpiece.accounts.api.files import StreamedText
from courtpiece.accounts.api.throttles import StreamThrottle
from courtpiece.accounts.permissions import ANONYMOUS
from courtpiece.notation import read
from courtpiece.notation.writer import HEADER
from courtpiece.project.handler import OneThreadHandler
from scoring.api import found as found_lists
from scoring.models import Player, Scoresheet
from scoring.queries import whole
from scoring.queries.lists import DealFilter
from tests.api.builders import API, Scene, a_program, a_scene, the_json
from tests.api.copies import many_deals, read_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene()


@pytest.fixture
def program() -> Client:
    return a_program()


def stream(program: Client, path: str, **query: Any) -> str:
    answer = program.get(f"{API}{path}", query)
    assert (answer.status_code, answer.streaming) == (200, True)
    return b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]  # it is streamed


def test_lines_of_json_have_every_deal_with_its_record(scene: Scene, program: Client) -> None:
    text = stream(program, "tournaments/rang/deals", format="ndjson")

    listed = the_json(program, "tournaments/rang/deals")["results"]
    lines = [json.loads(line) for line in text.splitlines()]
    assert [line["id"] for line in lines] == [deal["id"] for deal in listed]
    assert [sorted(line) for line in lines] == [sorted([*deal, "record"]) for deal in listed]
    assert lines[0]["record"]["tags"]["NS"] == "Chand Rao & Dev Patel"


def test_pcn_has_the_records_as_the_scoresheet_does(scene: Scene, program: Client) -> None:
    sheet = Scoresheet.objects.get(deals_count=2)
    alone = program.get(f"{API}scoresheets/{sheet.uid}/deals?format=pcn").content.decode()

    whole = stream(program, "tournaments/rang/deals", format="pcn")

    assert alone.removeprefix(HEADER) in whole
    assert stream(program, "deals/", scoresheet=str(sheet.uid), format="pcn") == alone
    assert len(list(read(whole))) == 3


def test_pbn_is_had_by_accept(scene: Scene, program: Client) -> None:
    answer = program.get(f"{API}deals/?club=lahore", headers={"Accept": "application/x-pbn"})

    assert answer["Content-Type"] == "application/x-pbn; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="deals.pbn"'
    assert b"".join(answer.streaming_content).count(b"[Board ") == 3  # type: ignore[attr-defined]  # it is streamed


def test_what_a_list_may_be_asked_a_file_may_be_too(scene: Scene, program: Client) -> None:
    player = Player.objects.get(name="Asif Khan").uid

    text = stream(program, "deals/", player=str(player), winner="EW", format="ndjson")
    numbers = stream(program, "tournaments/rang/deals", format="ndjson", ordering="-number")

    assert [json.loads(line)["winner"] for line in text.splitlines()] == ["EW"]
    assert [json.loads(line)["number"] for line in numbers.splitlines()] == [2, 1, 1]


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("format=pcn&club=lahore&limit=5", "limit"),
        ("format=pcn&club=lahore&cursor=abc", "cursor"),
        ("format=pcn&club=lahore&fields=id", "fields"),
    ],
)
def test_a_file_of_a_part_is_refused(program: Client, query: str, name: str) -> None:
    answer = program.get(f"{API}deals/?{query}")

    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert list(answer.json()["errors"]) == [name]


def test_a_table_opens_in_a_spreadsheet(scene: Scene, program: Client) -> None:
    Scoresheet.objects.update(event="=1+1")

    table = stream(program, "tournaments/rang/deals", format="csv")
    marked = stream(program, "tournaments/rang/deals", format="csv", bom="1")

    rows = list(csv.DictReader(io.StringIO(table)))
    assert [(row["table"], row["number"]) for row in rows] == [("2", "1"), ("1", "1"), ("1", "2")]
    assert (rows[0]["event"], rows[0]["north"], rows[0]["award"]) == ("'=1+1", "Chand Rao", "bavney")
    assert marked == f"\ufeff{table}"


def test_a_file_of_nothing_in_particular_has_the_first_deals_only(
    scene: Scene, program: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(found_lists, "MOST_OF_ANYTHING", 1)

    found = stream(program, "deals/", format="ndjson", name="asif")
    of_a_club = stream(program, "deals/", format="ndjson", name="asif", club="lahore")

    assert (len(found.splitlines()), len(of_a_club.splitlines())) == (1, 2)


def test_nothing_of_what_is_private_is_streamed(program: Client) -> None:
    a_scene(visibility="private")

    assert stream(program, "deals/", club="lahore", format="ndjson") == ""
    assert program.get(f"{API}tournaments/rang/deals?format=pcn").status_code == 404


def test_who_asks_for_all_too_often_is_told_when_to_come_again(
    scene: Scene, program: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(StreamThrottle, "rate", "1/min")

    statuses = [program.get(f"{API}tournaments/rang/deals?format=pcn").status_code for _ in range(2)]

    assert statuses == [200, 429]
    assert program.get(f"{API}tournaments/rang/deals").status_code == 200


def test_more_deals_take_no_more_memory() -> None:
    many_deals(600)
    wanted = DealFilter(club="lahore")

    def lines(most: int) -> Any:
        found = whole.stream_deals(actor=ANONYMOUS, wanted=wanted)
        return (deal.pcn.encode() for deal, _number in zip(found, range(most), strict=False))

    read_all(lines(1))
    few, memory_for_few = read_all(lines(250))
    many, memory_for_many = read_all(lines(600))

    assert many > 2.3 * few
    assert memory_for_many < 1.2 * memory_for_few


@pytest.mark.django_db(transaction=True)
def test_it_is_streamed_beside_sockets_too() -> None:
    a_scene()
    address, query = "/api/v1/tournaments/rang/deals", b"format=ndjson"

    messages = asyncio.run(_messages(address, query))

    assert messages[0]["status"] == 200
    body = b"".join(message.get("body", b"") for message in messages[1:])
    assert len(body.splitlines()) == 3


async def _messages(address: str, query: bytes) -> list[Any]:
    scope = {
        "type": "http",
        "method": "GET",
        "path": address,
        "query_string": query,
        "headers": [(b"host", b"testserver")],
    }
    visitor: Any = ApplicationCommunicator(OneThreadHandler(), scope)  # type: ignore[no-untyped-call]
    await visitor.send_input({"type": "http.request", "body": b""})
    messages = [await visitor.receive_output(20), await visitor.receive_output(20)]
    while messages[-1].get("more_body", False):
        messages.append(await visitor.receive_output(20))
    await visitor.wait(20)
    return messages


def test_pieces_are_sent_in_parts_that_are_worth_it() -> None:
    answer = StreamedText(("x" * 1000 for _ in range(200)), content_type="text/plain", headers={})

    sizes = [len(part) for part in answer]

    assert sizes == [66_000, 66_000, 66_000, 2000]
