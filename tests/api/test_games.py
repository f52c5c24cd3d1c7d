"""Games that were recorded at home, as programs and phones send them: first the game, then its deals by ``sync``."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from courtpiece.accounts.models import Role, User
from scoring.models import Deal, Scoresheet
from tests.accounts.builders import a_browser, a_club, a_user
from tests.api.builders import API, a_program, send_json, the_json
from tests.scoring.builders import a_record
from tests.scoring.games import NAMES_AT_HOME, a_game

pytestmark = pytest.mark.django_db


def a_body(**more: object) -> dict[str, object]:
    return {
        "id": str(uuid4()),
        "rules": "double-sir goon=3",
        "seats": NAMES_AT_HOME,
        "date": "2026.11.29",
        **more,
    }


def sync(program: Client, game: str, *records: str) -> list[dict[str, Any]]:
    items = [{"operation_id": str(uuid4()), "scoresheet": game, "pcn": one} for one in records]
    answer = send_json(program, "sync", {"device": str(uuid4()), "unsent": len(items), "items": items})
    assert answer.status_code == 200, answer.content.decode()
    return list(answer.json()["outcomes"])


def put(program: Client, path: str, body: object = None) -> Any:
    return program.put(f"{API}{path}", data=body or {}, content_type="application/json")


def test_a_game_is_sent_and_then_its_deals_by_a_token_or_a_signed_in_page() -> None:
    asif = a_user()
    for sender in (a_program(user=asif), a_browser(asif)):
        body = a_body()

        answer = send_json(sender, "scoresheets/", body)
        outcomes = sync(
            sender,
            str(body["id"]),
            a_record(1, dealer="E", result="NS 8-5", rules="double-sir goon=3"),
            a_record(2, dealer="E", result="NS 13-0 court", rules="double-sir goon=3"),
        )

        game = the_json(sender, f"scoresheets/{body['id']}")
        assert answer.status_code == 201
        assert [one["outcome"] for one in outcomes] == ["created", "created"]
        assert (game["club"], game["visibility"], game["rules"]) == (None, "private", "double-sir goon=3")
        assert game["seats"]["N"] == {"id": None, "name": "Asif"}
        assert (game["ns"]["partnership"]["name"], game["ns"]["courts"], game["deals"]) == (
            "Asif & Bilal",
            1,
            2,
        )


def test_the_same_game_again_makes_nothing() -> None:
    program = a_program(user=a_user())
    body = a_body()

    answers = [send_json(program, "scoresheets/", body).status_code for _ in range(3)]

    assert answers == [201, 200, 200]
    assert Scoresheet.objects.count() == 1


def test_deals_that_are_sent_again_after_a_lost_answer_are_written_once() -> None:
    asif = a_user()
    game, program = a_game(asif), a_program(user=asif)
    item = {"operation_id": str(uuid4()), "scoresheet": str(game.uid), "pcn": a_record(1)}
    batch = {"device": str(uuid4()), "unsent": 1, "items": [item]}

    outcomes = [send_json(program, "sync", batch).json()["outcomes"][0]["outcome"] for _ in range(2)]

    assert outcomes == ["created", "created"]
    assert Deal.objects.count() == 1


def test_its_owner_replaces_any_deal_of_it() -> None:
    asif = a_user()
    game, program = a_game(asif, deals=3), a_program(user=asif)
    item = {
        "operation_id": str(uuid4()),
        "scoresheet": str(game.uid),
        "base_revision": 1,
        "pcn": a_record(1, result="EW 7-5"),
    }

    answer = send_json(program, "sync", {"device": str(uuid4()), "unsent": 1, "items": [item]})

    assert answer.json()["outcomes"][0]["outcome"] == "created"
    assert Deal.objects.get(number=1).winner == "EW"


def test_a_game_is_in_its_owners_list_and_in_no_other() -> None:
    asif, omar = a_user(), a_user("Omar")
    game = a_game(asif, deals=1)
    a_game(omar)

    mine = the_json(a_program(user=asif), "scoresheets/", own="true")

    assert [one["id"] for one in mine["results"]] == [str(game.uid)]
    assert the_json(Client(), "scoresheets/")["results"] == []
    assert the_json(Client(), "deals/")["results"] == []


def test_to_anybody_else_there_is_no_such_game() -> None:
    game = a_game(a_user(), deals=1)
    paths = ("", "/deals", "/facts", "/link", "/offer")
    other = a_program(user=a_user("Omar"))

    answers = [other.get(f"{API}scoresheets/{game.uid}{path}").status_code for path in paths[:2]]
    answers += [
        put(other, f"scoresheets/{game.uid}{path}", a_body() | {"club": "x"}).status_code
        for path in paths[2:]
    ]
    (outcome,) = sync(other, str(game.uid), a_record(2, dealer="E"))

    assert answers == [404] * 5
    assert (outcome["outcome"], outcome["problems"][0]["code"]) == ("rejected", "not-found")
    assert send_json(other, "scoresheets/", a_body(id=str(game.uid))).status_code == 409


@pytest.mark.parametrize(
    ("wrong", "status", "told"),
    [
        ({"id": "no-id"}, 400, "id"),
        ({"seats": {"N": "Asif", "E": "Chand", "S": "Bilal"}}, 400, "seats"),
        ({"seats": NAMES_AT_HOME | {"W": "Asif"}}, 422, "“Asif” stands there twice"),
        ({"seats": NAMES_AT_HOME | {"W": "A & B"}}, 422, "W: “&” joins partners"),
        ({"rules": "whist"}, 422, "whist"),
        ({"rules": "double-sir goon=0"}, 422, "goon"),
        ({"date": "29/11/2026"}, 422, "2026.11.30"),
        ({"event": "x" * 201}, 400, "event"),
    ],
)
def test_what_is_wrong_is_named(wrong: dict[str, object], status: int, told: str) -> None:
    answer = send_json(a_program(user=a_user()), "scoresheets/", a_body(**wrong))

    assert answer.status_code == status
    assert told in str(answer.json())
    assert not Scoresheet.objects.exists()


def test_nobody_keeps_no_game_and_a_token_needs_the_scope() -> None:
    reader = a_program(user=a_user(), scopes=["read"])

    assert send_json(Client(), "scoresheets/", a_body()).status_code == 401
    assert send_json(reader, "scoresheets/", a_body()).status_code == 403


def test_it_is_described_shared_and_offered() -> None:
    asif = a_user()
    a_club("lahore", members=[(a_user("Dina"), Role.DIRECTOR)])
    game, program = a_game(asif, deals=1), a_program(user=asif)
    here = f"scoresheets/{game.uid}"

    described = put(
        program, f"{here}/facts", {"seats": NAMES_AT_HOME | {"N": "Asif Khan"}, "event": "Sunday"}
    )
    shared = put(program, f"{here}/link")
    offered = put(program, f"{here}/offer", {"club": "lahore"})

    assert described.json()["seats"]["N"]["name"] == "Asif Khan"
    path = shared.json()["url"].removeprefix("http://testserver")
    assert Client().get(path).status_code == 200
    assert put(program, f"{here}/link").json() == shared.json()
    assert offered.json() == {"club": "lahore", "state": "open"}
    assert put(program, f"{here}/offer", {"club": "nowhere"}).status_code == 404
    assert program.delete(f"{API}{here}/link").status_code == 204
    assert program.delete(f"{API}{here}/offer").status_code == 204
    assert Client().get(path).status_code == 404


def test_the_list_of_a_tournament_takes_no_game() -> None:
    program = a_program(user=a_user())

    assert send_json(program, "tournaments/rang/scoresheets", a_body()).status_code == 405


# -- the page that is kept on phones


def test_a_page_that_was_kept_learns_who_is_signed_in_and_its_token() -> None:
    address = reverse("tournaments:record_account")
    asif: User = a_user()

    nobody, somebody = Client().get(address), a_browser(asif).get(address)

    assert nobody.json()["name"] is None
    assert somebody.json()["name"] == "Asif"
    assert len(somebody.json()["csrf"]) == 64
    assert "no-store" in somebody["Cache-Control"]


def test_a_signed_in_page_without_the_token_sends_nothing() -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(a_user())
    token = browser.get(reverse("tournaments:record_account")).json()["csrf"]

    without = send_json(browser, "scoresheets/", a_body())
    with_it = send_json(browser, "scoresheets/", a_body(), headers={"X-CSRFToken": token})

    assert (without.status_code, with_it.status_code) == (403, 201)
