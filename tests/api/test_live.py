"""What a device shows of the deal that goes on, and that cards held back answer to no question."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from courtpiece.accounts.permissions import SERVER
from scoring.models import Scoresheet
from scoring.operations import record_deal
from tests.tournaments.tables import JSON, the_match, the_secret
from tests.tournaments.test_live_tables import FIRST_CARDS, a_tournament
from tournaments.models import LiveState

pytestmark = pytest.mark.django_db

WHOLE = '[Deal "1"]\n[Dealer "N"]\n[Trump "S"]\n[Tricks "N E N N E N E N N N"]\n[Result "NS 7-3"]\n'


def at_a_table(table: str = "1") -> Client:
    return Client(headers={"Authorization": f"Table {the_secret(table)}"})


def show(client: Client, **changed: Any) -> Any:
    body = {
        "device": str(uuid4()),
        "scoresheet": str(the_match().scoresheet.uid),
        "deal": 1,
        "sequence": 1,
        "pcn": FIRST_CARDS,
    }
    return client.post("/api/v1/table/live", {**body, **changed}, content_type=JSON)


def test_a_device_shows_what_is_entered_and_that_nothing_is() -> None:
    a_tournament()

    shown, nothing = show(at_a_table()), show(at_a_table(), pcn=None)

    assert [answer.json() for answer in (shown, nothing)] == [{"kept": True}, {"kept": True}]
    assert list(LiveState.objects.order_by("pk").values_list("pcn", flat=True))[1] == ""


def test_what_comes_twice_is_kept_once() -> None:
    a_tournament()
    device = str(uuid4())

    answers = [show(at_a_table(), device=device).json() for _ in range(2)]

    assert answers == [{"kept": True}, {"kept": False}]


def test_what_the_engine_refuses_is_422_with_the_place() -> None:
    a_tournament()

    answer = show(at_a_table(), pcn=FIRST_CARDS.replace("H8", "HA"))

    assert answer.status_code == 422
    assert [(one["code"], one["line"]) for one in answer.json()["problems"]] == [("card-repeated", 5)]
    assert not LiveState.objects.exists()


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"deal": 0}, "deal"),
        ({"sequence": -1}, "sequence"),
        ({"device": "mine"}, "device"),
        ({"pcn": "x" * 9000}, "pcn"),
    ],
)
def test_what_has_not_the_shape_is_400_and_named(changed: dict[str, Any], field: str) -> None:
    a_tournament()

    answer = show(at_a_table(), **changed)

    assert (answer.status_code, list(answer.json()["errors"])) == (400, [field])


def test_another_tables_link_finds_no_such_scoresheet_and_nobody_comes_without_one() -> None:
    a_tournament()

    assert show(at_a_table("2")).status_code == 404
    assert show(Client()).status_code == 401


def record(minutes_ago: int) -> None:
    record_deal(
        actor=SERVER,
        scoresheet_id=the_match().scoresheet_id,
        text=WHOLE,
        operation_id=uuid4(),
        at=timezone.now() - timedelta(minutes=minutes_ago),
    )


def numbers(**query: str) -> list[int]:
    answer = Client().get("/api/v1/deals/", query)
    return [line["number"] for line in answer.json()["results"]]


@pytest.mark.parametrize("query", [{"trump": "S"}, {"level": "tricks"}, {"has_problems": "false"}])
def test_a_deal_whose_cards_are_held_back_answers_to_no_question_about_them(query: dict[str, str]) -> None:
    a_tournament(delay=10)
    record(minutes_ago=5)

    assert (numbers(**query), numbers()) == ([], [1])


def test_what_is_told_of_it_meanwhile_is_its_result_and_from_when_the_rest() -> None:
    a_tournament(delay=10)
    record(minutes_ago=5)

    line = Client().get("/api/v1/deals/").json()["results"][0]

    told = {name: line[name] for name in ("trump", "trump_method", "level", "winner", "tricks", "problems")}
    assert told == {
        "trump": None,
        "trump_method": None,
        "level": "result",
        "winner": "NS",
        "tricks": {"NS": 7, "EW": 3},
        "problems": [],
    }
    assert line["cards_from"] is not None


def test_an_answer_that_was_kept_is_another_once_the_time_is_over() -> None:
    a_tournament(delay=10)
    record(minutes_ago=5)
    path = f"/api/v1/scoresheets/{the_match().scoresheet.uid}/deals"
    held = Client().get(path)
    Scoresheet.objects.update(cards_delay=timedelta(minutes=4))

    shown = Client(headers={"If-None-Match": held["ETag"]}).get(path)

    assert shown.status_code == 200
    assert (held["ETag"] != shown["ETag"], shown.json()["deals"][0]["level"]) == (True, "tricks")
