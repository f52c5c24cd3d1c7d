"""Found scoresheets, players and partnerships as files: what their lists have, for whoever may see it."""

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client

from courtpiece.accounts.api.throttles import StreamThrottle
from courtpiece.accounts.permissions import ANONYMOUS, SERVER
from scoring.api import found as found_lists
from scoring.models import Partnership, Player, Scoresheet
from scoring.operations import persons
from scoring.queries import whole
from scoring.queries.lists import PeopleFilter, SheetFilter
from tests.accounts.builders import AT, a_user
from tests.api.builders import API, JSON, Scene, a_program, a_scene, the_json
from tests.api.copies import read_all
from tests.scoring.builders import a_club, an_actor, some_sheets
from tests.scoring.games import a_game

pytestmark = pytest.mark.django_db

PATHS = ("scoresheets/", "players/", "partnerships/", "tournaments/rang/scoresheets")


def the_file(program: Client, path: str, **query: Any) -> str:
    answer = program.get(f"{API}{path}", query)
    assert (answer.status_code, answer.streaming) == (200, True)
    return b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]  # it is streamed


def the_rows(program: Client, path: str, **query: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(the_file(program, path, format="csv", **query))))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("order", ["", "-created"])
def test_lines_of_json_are_those_of_the_list_in_its_order(path: str, order: str) -> None:
    a_scene()
    asked = {"ordering": order} if order else {}

    lines = the_file(a_program(), path, format="ndjson", **asked).splitlines()

    listed = the_json(a_program(), path, **asked)["results"]
    assert [json.loads(line) for line in lines] == listed
    assert len(listed) > 1


def test_a_table_of_scoresheets_has_a_line_for_each() -> None:
    a_scene()
    sheet = Scoresheet.objects.get(deals_count=2)

    (row,) = the_rows(a_program(), "scoresheets/", table="1", round="1", name="asif", partner="bilal")

    assert (row["scoresheet"], row["club"], row["deals"], row["winner"]) == (
        str(sheet.uid),
        "lahore",
        "2",
        "NS",
    )
    assert (row["north"], row["courts_ns"], row["deals_won_ns"], row["deals_won_ew"]) == (
        "Asif Khan",
        str(sheet.courts_ns),
        "1",
        "1",
    )
    assert row["partnership_ns"] == str(Partnership.objects.get(first__name="Asif Khan").uid)


def test_tables_of_people_have_a_line_for_each() -> None:
    a_scene()
    asif, bilal = (Player.objects.get(name=name) for name in ("Asif Khan", "Bilal Shah"))

    (player,) = the_rows(a_program(), "players/", search="asif")
    (pair,) = the_rows(a_program(), "partnerships/", search="asif", partner="bil")

    assert player == {
        "player": str(asif.uid),
        "name": "Asif Khan",
        "club": "lahore",
        "club_name": asif.club.name,
        "anonymised": "false",
    }
    assert (pair["first"], pair["second"]) == ("Asif Khan", "Bilal Shah")
    assert (pair["first_player"], pair["second_player"]) == (str(asif.uid), str(bilal.uid))


def test_no_name_becomes_a_formula_and_excel_is_told_that_it_is_utf8() -> None:
    a_scene()
    Player.objects.filter(name="Asif Khan").update(name="=1+1 आसिफ")

    plain = the_file(a_program(), "players/", format="csv", ordering="created")
    marked = the_file(a_program(), "players/", format="csv", ordering="created", bom="1")

    assert ",'=1+1 आसिफ," in plain
    assert marked == f"\ufeff{plain}"
    assert the_rows(a_program(), "scoresheets/", table="1", round="1")[0]["north"] == "'=1+1 आसिफ"


@pytest.mark.parametrize(("path", "name"), [("scoresheets/", "scoresheets"), ("players/", "players")])
def test_a_file_is_had_by_accept_under_its_name(path: str, name: str) -> None:
    a_scene()

    answer = a_program().get(f"{API}{path}", headers={"Accept": "text/csv"})

    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="{name}.csv"'


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("query", ["limit=5", "cursor=abc", "fields=id", "nothing=1"])
def test_a_file_of_a_part_is_refused(path: str, query: str) -> None:
    a_scene()

    answer = a_program().get(f"{API}{path}?format=csv&{query}")

    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert list(answer.json()["errors"]) == [query.partition("=")[0]]


def test_what_cannot_be_asked_of_a_list_cannot_be_asked_of_its_file() -> None:
    answer = a_program().get(f"{API}scoresheets/?format=csv&date_from=yesterday")

    assert (answer.status_code, list(answer.json()["errors"])) == (422, ["date_from"])


@pytest.mark.parametrize("path", ["scoresheets/", "players/", "partnerships/"])
def test_a_file_of_nothing_in_particular_has_the_first_lines_only(
    path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_scene()
    monkeypatch.setattr(found_lists, "MOST_OF_ANYTHING", 1)

    found, of_a_club = the_rows(a_program(), path), the_rows(a_program(), path, club="lahore")

    assert len(found) == 1
    assert len(of_a_club) == len(the_json(a_program(), path)["results"]) > 1


def test_who_asks_for_all_too_often_is_told_when_to_come_again(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = a_scene()
    monkeypatch.setattr(StreamThrottle, "rate", "2/min")
    one, other = a_program(user=scene.scorer), a_program(user=scene.scorer)

    def asked(program: Client, path: str) -> int:
        return program.get(f"{API}{path}", {"format": "csv"}).status_code

    statuses = [asked(one, path) for path in ("scoresheets/", "players/", "partnerships/", "deals/")]

    assert statuses == [200, 200, 429, 429]
    assert asked(other, "players/") == 200
    assert the_json(one, "players/")["results"]


def test_a_write_is_answered_in_json_whatever_is_accepted() -> None:
    scene = a_scene()
    program = a_program(user=scene.scorer)
    body = json.dumps({"club": "lahore", "name": "Sadia Sapphire"})

    refused = program.post(f"{API}players/", body, content_type=JSON, headers={"Accept": "text/csv"})
    written = program.post(f"{API}players/", body, content_type=JSON)

    assert (refused.status_code, written.status_code, written["Content-Type"]) == (406, 201, JSON)


# -- who is given what


def readers_of(scene: Scene) -> dict[str, Client]:
    return {
        "nobody": a_program(),
        "a director of another club": a_program(user=scene.outsider),
        "somebody with an account": a_program(user=a_user("Zoya")),
        "who plays in it": a_program(user=scene.participant),
        "the scorer": a_program(user=scene.scorer),
    }


@pytest.mark.parametrize("form", ["csv", "ndjson"])
@pytest.mark.parametrize("path", ["scoresheets/", "players/", "partnerships/"])
def test_what_is_private_is_in_the_files_of_who_may_find_it_only(path: str, form: str) -> None:
    readers = readers_of(a_scene(visibility="private"))

    found = {
        who: "Asif Khan" in the_file(program, path, format=form, club="lahore")
        for who, program in readers.items()
    }

    assert {who for who, is_given in found.items() if is_given} == {"who plays in it", "the scorer"}


def test_a_private_tournament_has_no_file_for_who_may_not_see_it() -> None:
    readers = readers_of(a_scene(visibility="private"))
    address = f"{API}tournaments/rang/scoresheets?format=csv"

    statuses = {who: program.get(address).status_code for who, program in readers.items()}

    assert {who for who, status in statuses.items() if status == 200} == {"who plays in it", "the scorer"}
    assert set(statuses.values()) == {200, 404}


def test_a_name_that_is_hidden_or_taken_away_is_in_no_file() -> None:
    scene = a_scene()
    asif, chand = (Player.objects.get(name=name) for name in ("Asif Khan", "Chand Rao"))
    persons.hide_name(actor=SERVER, player_uid=asif.uid, at=AT)
    persons.anonymise_player(actor=SERVER, player_id=chand.pk, at=AT)

    texts = [
        the_file(program, path, format=form)
        for program in (a_program(), a_program(user=scene.scorer))
        for path in PATHS
        for form in ("csv", "ndjson")
    ]

    assert [text for text in texts if "Asif" in text or "Chand" in text] == []
    assert all("Bilal" in text for text in texts)
    assert [row["anonymised"] for row in the_rows(a_program(), "players/")].count("true") == 1
    assert the_rows(a_program(), "players/", search="asif") == []


def test_a_game_of_ones_own_is_in_nobody_elses_file() -> None:
    scene, owner = a_scene(), a_user("Omar Opal")
    game = a_game(owner, deals=1)

    mine = the_rows(a_program(user=owner), "scoresheets/", own="true")

    assert [(row["scoresheet"], row["club"], row["partnership_ns"]) for row in mine] == [
        (str(game.uid), "", "")
    ]
    assert mine[0]["north"] != ""
    for program in (a_program(), a_program(user=scene.director)):
        assert str(game.uid) not in the_file(program, "scoresheets/", format="csv")
        assert the_rows(program, "scoresheets/", own="true") == []


# -- however many


def test_more_lines_take_no_more_memory_and_a_query_for_every_two_hundred(
    django_assert_num_queries: Any,
) -> None:
    club = a_club()
    some_sheets(club, 601)
    wanted = SheetFilter(club=club.slug)
    director = an_actor(club)

    def lines(most: int) -> Any:
        found = whole.stream_scoresheets(actor=director, wanted=wanted)
        return (f"{sheet!r}".encode() for sheet, _number in zip(found, range(most), strict=False))

    read_all(lines(1))
    few, memory_for_few = read_all(lines(250))
    with django_assert_num_queries(4):
        many, memory_for_many = read_all(lines(700))

    assert many > 2.3 * few
    assert memory_for_many < 1.2 * memory_for_few


def test_people_are_read_on_where_the_last_two_hundred_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    a_scene()
    monkeypatch.setattr(whole, "_AT_A_TIME", 3)

    players = list(whole.stream_players(actor=ANONYMOUS, wanted=PeopleFilter()))
    pairs = list(whole.stream_partnerships(actor=ANONYMOUS, wanted=PeopleFilter(), order="name"))

    assert [line.name for line in players] == sorted(line.name for line in players)
    assert len({line.uid for line in players}) == len(players) == 8
    assert len({line.pair.uid for line in pairs}) == len(pairs) == 4
