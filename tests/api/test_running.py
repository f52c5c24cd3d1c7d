"""Programs that make clubs and tournaments and run them: once each, on what they have read, by who may."""

import json
from typing import Any, Final
from uuid import uuid4

import pytest
from django.test import Client

from courtpiece.accounts.models import AuditEntry, Club, Membership
from courtpiece.accounts.permissions import Scope
from scoring.models import Partnership, Player
from tests.accounts.builders import a_user
from tests.api.builders import API, JSON, Scene, a_program, a_scene, send_json, the_json
from tournaments.models import Entry, Match, Round, Session, Tournament

pytestmark = pytest.mark.django_db

MULTAN = {"slug": "multan", "name": "Multan", "timezone": "Asia/Karachi", "city": "Multan"}
CUP = {"club": "lahore", "name": "Garden Cup", "kind": "swiss"}
PAIRS = [{"players": ["Omar Opal", "Pari Pearl"]}, {"players": ["Qadir Quartz", "Rani Ruby"], "seed": 1}]


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene()


@pytest.fixture
def program(scene: Scene) -> Client:
    return a_program(user=scene.director, scopes=Scope.values)


def send(program: Client, method: str, path: str, body: object, *, match: str = "") -> Any:
    headers = {"If-Match": match} if match else {}
    return program.generic(method, f"{API}{path}", _as_json(body), content_type=JSON, headers=headers)


def _as_json(body: object) -> bytes:
    return json.dumps(body).encode()


# -- clubs

OTHER_CLUBS: Final = ({"slug": "other"}, {"name": "Other"}, {"city": "Lahore"}, {"timezone": "UTC"})


def test_a_club_is_made_once_however_often_it_is_sent() -> None:
    user = a_user()
    program = a_program(user=user, scopes=["clubs:write"])
    body = {**MULTAN, "operation_id": str(uuid4())}

    answers = [send_json(program, "clubs/", body) for _ in range(2)]
    others = [send_json(program, "clubs/", {**body, **other}) for other in OTHER_CLUBS]

    assert [answer.status_code for answer in answers] == [201, 201]
    assert answers[0].json() == answers[1].json()
    assert answers[0]["Location"] == "/api/v1/clubs/multan"
    assert (Club.objects.count(), Membership.objects.get().role) == (1, "owner")
    refused = [(other.status_code, other.json()["type"]) for other in others]
    assert refused == [(409, "urn:courtpiece:operation-reused")] * len(OTHER_CLUBS)


def test_a_club_of_another_operation_keeps_its_address() -> None:
    program = a_program(user=a_user(), scopes=["clubs:write"])
    send_json(program, "clubs/", {**MULTAN, "operation_id": str(uuid4())})

    again = send_json(program, "clubs/", {**MULTAN, "operation_id": str(uuid4())})

    assert (again.status_code, list(again.json()["errors"])) == (409, ["slug"])


def test_a_club_is_changed_as_it_was_read_or_not_at_all() -> None:
    program = a_program(user=a_user(), scopes=["clubs:write", "read"])
    send_json(program, "clubs/", {**MULTAN, "operation_id": str(uuid4())})
    tag = program.get(f"{API}clubs/multan")["ETag"]

    unsaid = send(program, "PATCH", "clubs/multan", {"city": "Old Multan"})
    changed = send(program, "PATCH", "clubs/multan", {"city": "Old Multan"}, match=tag)
    late = send(program, "PATCH", "clubs/multan", {"city": "New Multan"}, match=tag)
    whatever = send(program, "PATCH", "clubs/multan", {"country": "Pakistan"}, match="*")

    assert (unsaid.status_code, unsaid.json()["type"]) == (428, "urn:courtpiece:condition-missing")
    assert (changed.status_code, changed.json()["city"]) == (200, "Old Multan")
    assert (late.status_code, late.json()["type"]) == (412, "urn:courtpiece:outdated")
    assert whatever.json() == {
        **{key: MULTAN[key] for key in MULTAN},
        "city": "Old Multan",
        "country": "Pakistan",
    }
    assert program.get(f"{API}clubs/multan", headers={"If-None-Match": whatever["ETag"]}).status_code == 304
    assert AuditEntry.objects.filter(what="club-changed").count() == 2


# -- players and partnerships


def test_a_player_is_named_and_the_same_name_is_the_same_player(program: Client) -> None:
    body = {"club": "lahore", "name": "Sadia Sapphire"}

    first, again = (send_json(program, "players/", body) for _ in range(2))

    assert first.json() == again.json()
    assert Player.objects.get(name="Sadia Sapphire").search_key


def test_two_are_one_partnership_in_either_order(program: Client) -> None:
    known = Partnership.objects.get(first__name="Asif Khan")

    one = send_json(program, "partnerships/", {"club": "lahore", "players": ["Bilal Shah", "Asif Khan"]})
    same = send_json(program, "partnerships/", {"club": "lahore", "players": ["Asif Khan", "Asif Khan"]})

    assert (one.status_code, one.json()["id"]) == (201, str(known.uid))
    assert (same.status_code, same.json()["type"]) == (422, "urn:courtpiece:same-player-twice")


# -- tournaments


def test_a_tournament_is_made_entered_planned_and_drawn(program: Client) -> None:
    made = send_json(program, "tournaments/", {**CUP, "operation_id": str(uuid4())})
    path = f"tournaments/{made.json()['slug']}"
    entered = send_json(program, f"{path}/entries", {"entries": PAIRS, "operation_id": str(uuid4())})
    plan = {"sessions": [{"place": "Garden", "starts_at": None, "length": {"kind": "deals", "amount": 3}}]}
    planned = send(
        program, "PUT", f"{path}/sessions", plan, match=program.get(f"{API}{path}/sessions")["ETag"]
    )
    drawn = send_json(program, f"{path}/rounds", {"seed": 7, "operation_id": str(uuid4())})

    assert [made.status_code, entered.status_code, planned.status_code, drawn.status_code] == [
        201,
        201,
        200,
        201,
    ], (made.content, entered.content, planned.content, drawn.content)
    assert (entered.json(), planned.json()) == ({"entries": [1, 2]}, plan)
    assert (drawn.json()["number"], drawn.json()["matches"]["scheduled"]) == (1, 1)
    assert Match.objects.filter(round__tournament__slug=made.json()["slug"]).count() == 1
    assert Session.objects.get(tournament__slug=made.json()["slug"]).deals == 3


def test_what_is_sent_again_does_nothing_again(program: Client) -> None:
    cup, pairs, draw = ({"operation_id": str(uuid4())} for _ in range(3))

    slugs = {send_json(program, "tournaments/", CUP | cup).json()["slug"] for _ in range(2)}
    path = f"tournaments/{slugs.pop()}"
    numbers = [send_json(program, f"{path}/entries", {"entries": PAIRS} | pairs).json() for _ in range(2)]
    rounds = [send_json(program, f"{path}/rounds", {"seed": 7} | draw).json()["id"] for _ in range(2)]
    other = send_json(program, f"{path}/rounds", {"seed": 8} | draw)

    assert (slugs, numbers[0], rounds[0]) == (set(), numbers[1], rounds[1])
    assert (Entry.objects.filter(tournament__name="Garden Cup").count(), other.status_code) == (2, 409)
    assert Round.objects.filter(tournament__name="Garden Cup").count() == 1


def test_a_round_robin_with_its_pairs_has_all_rounds_at_once(program: Client) -> None:
    names = [["A B", "C D"], ["E F", "G H"], ["I J", "K L"]]

    answer = send_json(
        program, "tournaments/", {**CUP, "kind": "round-robin", "pairs": names, "operation_id": str(uuid4())}
    )

    assert (answer.status_code, len(answer.json()["entries"])) == (201, 3)
    assert Round.objects.filter(tournament__name="Garden Cup").count() == 3


def test_a_tournament_is_changed_as_it_was_read_or_not_at_all(program: Client) -> None:
    tag = program.get(f"{API}tournaments/rang")["ETag"]

    unsaid = send(program, "PATCH", "tournaments/rang", {"name": "Rang"})
    changed = send(program, "PATCH", "tournaments/rang", {"visibility": "unlisted"}, match=tag)
    late = send(program, "PATCH", "tournaments/rang", {"name": "Rang"}, match=tag)

    assert [unsaid.status_code, changed.status_code, late.status_code] == [428, 200, 412]
    assert (changed.json()["visibility"], Tournament.objects.get().name) == ("unlisted", "Tuesday Rang")


def test_sessions_that_somebody_changed_meanwhile_are_not_overwritten(program: Client) -> None:
    path = "tournaments/rang/sessions"
    tag = program.get(f"{API}{path}")["ETag"]

    first = send(program, "PUT", path, {"sessions": [{"place": "Here"}]}, match=tag)
    late = send(program, "PUT", path, {"sessions": [{"place": "There"}]}, match=tag)

    assert (first.status_code, late.status_code) == (200, 412)
    assert Session.objects.get().place == "Here"


def test_a_match_is_finished_and_opened_and_its_round_closed_and_opened(
    program: Client, scene: Scene
) -> None:
    match, first = f"matches/{scene.match.uid}", f"rounds/{Round.objects.get(number=1).uid}"

    states = [send(program, "PUT", match, {"state": state}).json()["state"] for state in ("open", "finished")]
    closed = send(program, "PUT", first, {"state": "closed"})
    unsaid = send(program, "PUT", first, {"state": "published"})
    opened = send(program, "PUT", first, {"state": "published", "reason": "A deal is missing."})

    assert states == ["open", "finished"]
    assert (closed.json()["state"], unsaid.status_code, opened.json()["state"]) == (
        "closed",
        422,
        "published",
    )


@pytest.mark.parametrize(
    ("path", "body", "name"),
    [
        ("tournaments/", {**CUP, "kind": "chess"}, "kind"),
        ("tournaments/", {**CUP, "tiebreaks": ["beauty"]}, "tiebreaks"),
        ("tournaments/", {**CUP, "rules": "whist"}, "rules"),
        ("tournaments/", {**CUP, "pairs": [["One"]]}, "pairs"),
        ("tournaments/", {**CUP, "name": "\u0000"}, "name"),
        ("tournaments/rang/entries", {"entries": []}, "entries"),
        ("tournaments/rang/rounds", {"seed": -1}, "seed"),
        ("clubs/", {**MULTAN, "slug": "Two Words"}, "slug"),
        ("clubs/", {**MULTAN, "timezone": "Mars/Base"}, "timezone"),
        ("players/", {"club": "lahore", "name": "\u0000"}, "name"),
    ],
)
def test_what_is_at_fault_is_named(program: Client, path: str, body: dict[str, Any], name: str) -> None:
    answer = send_json(program, path, {**body, "operation_id": str(uuid4())})

    assert (answer.status_code in (400, 422), answer["Content-Type"]) == (True, "application/problem+json")
    assert list(answer.json()["errors"]) == [name], answer.content


def test_a_token_that_may_only_write_is_answered_what_it_wrote(scene: Scene) -> None:
    Tournament.objects.update(visibility="private")
    program = a_program(user=scene.director, scopes=["tournaments:write"])

    answer = send(program, "PATCH", "tournaments/rang", {"name": "Rang"}, match="*")

    assert (answer.status_code, answer.json()["name"]) == (200, "Rang")
    assert program.get(f"{API}tournaments/rang").status_code == 403


def test_nothing_is_told_of_the_clubs_of_others(scene: Scene) -> None:
    far = a_program(user=scene.outsider, scopes=Scope.values)

    assert send(far, "PATCH", "clubs/lahore", {"city": "X"}, match="*").status_code == 404
    assert send_json(far, "tournaments/", {**CUP, "operation_id": str(uuid4())}).status_code == 404
    assert the_json(far, "clubs/lahore")["city"] == ""
