"""Of an answer only what is wanted, and in the order that is wanted."""

from typing import Any

import pytest
from django.test import Client

from tests.api.builders import API, Scene, a_program, a_scene, the_json

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene()


@pytest.fixture
def program() -> Client:
    return a_program()


# -- fields


def test_the_lines_of_a_list_have_the_fields_that_are_wanted(scene: Scene, program: Client) -> None:
    part = the_json(program, "players/", fields="name,club.slug", limit=2)

    assert part["results"] == [
        {"name": "Asif Khan", "club": {"slug": "lahore"}},
        {"name": "Bilal Shah", "club": {"slug": "lahore"}},
    ]
    assert "fields=name" in part["next"]


def test_a_thing_has_the_fields_that_are_wanted(scene: Scene, program: Client) -> None:
    table = the_json(program, "tournaments/rang/standings", fields="version,rows.rank,rows.partnership.name")

    assert list(table) == ["version", "rows"]
    assert table["rows"][0] == {"rank": 1, "partnership": {"name": "Erum Emerald & Farah Falcon"}}


def test_another_choice_of_fields_is_another_answer(scene: Scene, program: Client) -> None:
    path = f"{API}tournaments/rang/standings"
    whole = program.get(path)["ETag"]

    some = program.get(f"{path}?fields=version", headers={"If-None-Match": whole})
    again = program.get(f"{path}?fields=version", headers={"If-None-Match": some["ETag"]})

    assert (some.status_code, again.status_code) == (200, 304)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (
            "clubs/lahore?fields=nmae",
            "There is no field “nmae” here. There are: slug, name, city, country, timezone.",
        ),
        ("players/?fields=club.x", "There is no field “club.x” here. There are: slug, name."),
        ("players/?fields=name.first", "There is nothing in “name”."),
        ("players/?fields=name,", "Write names with commas between them: id,partnership.name."),
        ("players/?fields=.", "Write names with commas between them: id,partnership.name."),
        (f"players/?fields={'a' * 2000}", "Write names with commas between them: id,partnership.name."),
        (
            "tournaments/rang/standings?format=csv&fields=rank",
            "Fields can be chosen of an answer in JSON only.",
        ),
    ],
)
def test_a_field_that_there_is_not_is_named(scene: Scene, program: Client, path: str, said: str) -> None:
    answer = program.get(f"{API}{path}")

    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert answer.json()["errors"] == {"fields": [said]}


# -- orders


@pytest.mark.parametrize(
    ("path", "key"),
    [
        ("clubs/", "slug"),
        ("players/", "name"),
        ("partnerships/", "name"),
        ("scoresheets/", "id"),
        ("deals/", "id"),
    ],
)
@pytest.mark.parametrize("order", ["created", "-created"])
def test_a_list_is_read_in_another_order_part_by_part(
    scene: Scene, program: Client, path: str, key: str, order: str
) -> None:
    whole = [line[key] for line in the_json(program, path, ordering=order)["results"]]
    other = order.removeprefix("-") if order.startswith("-") else f"-{order}"

    parts = _walk(program, f"{API}{path}?ordering={order}&limit=1", key)

    assert parts == whole
    assert [line[key] for line in the_json(program, path, ordering=other)["results"]] == whole[::-1]


def _walk(program: Client, address: str | None, key: str) -> list[Any]:
    found = []
    while address is not None:
        part = program.get(address).json()
        found += [line[key] for line in part["results"]]
        address = part["next"]
    return found


@pytest.mark.parametrize("path", ["tournaments/", "sessions/", "rounds/", "matches/"])
def test_every_list_has_orders(scene: Scene, program: Client, path: str) -> None:
    up = the_json(program, path, ordering="created")["results"]

    assert [line["slug"] if "slug" in line else line["id"] for line in up] == [
        line["slug"] if "slug" in line else line["id"]
        for line in reversed(the_json(program, path, ordering="-created")["results"])
    ]
    assert program.get(f"{API}{path}?ordering=colour").status_code == 400


def test_a_cursor_of_another_order_is_none(scene: Scene, program: Client) -> None:
    following = the_json(program, "players/", limit=1)["next"]

    assert program.get(f"{following}&ordering=created").status_code == 422
