"""Lists: read part by part, each line once, whatever is added meanwhile; and what may be asked of them."""

from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from courtpiece.accounts.models import Club
from courtpiece.accounts.parts import Asked, BadCursor, PartOf, read_part
from scoring.models import Deal, Partnership, Player, Scoresheet
from tests.accounts.builders import AT, a_club
from tests.api.builders import API, Scene, a_program, a_scene, the_json
from tests.scoring.builders import a_full_record, a_record, a_sheet, a_sheet_with, correct, record_file
from tests.tournaments.builders import a_scheduled_tournament
from tournaments.models import Match, Round, Session

pytestmark = pytest.mark.django_db


@pytest.fixture
def program() -> Client:
    return a_program()


# -- part by part


def _names(part: PartOf[Club]) -> list[str]:
    return [club.slug for club in part.items]


def _part(limit: int, cursor: str | None = None) -> PartOf[Club]:
    asked = Asked(limit=limit, cursor=cursor or "")
    return read_part(Club.objects.all(), ("name", "-pk"), list, asked=asked)


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(names=st.lists(st.sampled_from("abc"), max_size=9), limit=st.integers(1, 10))
def test_the_parts_of_a_list_are_the_list_on_both_ways(names: list[str], limit: int) -> None:
    Club.objects.all().delete()
    for number, name in enumerate(names):
        Club.objects.create(slug=f"{name}{number}", name=name, timezone="UTC", created_at=AT)
    whole = [club.slug for club in Club.objects.order_by("name", "-pk")]

    forwards, last = _parts(limit, "next", _part(limit))
    backwards, first = _parts(limit, "previous", last)

    assert [slug for part in forwards for slug in part] == whole
    assert [slug for part in reversed(backwards) for slug in part] == whole
    assert (first.previous, last.next) == (None, None)
    assert all(part for part in forwards) or not whole


def _parts(limit: int, way: str, part: PartOf[Club]) -> tuple[list[list[str]], PartOf[Club]]:
    found = [_names(part)]
    while (cursor := getattr(part, way)) is not None:
        part = _part(limit, cursor)
        found.append(_names(part))
    return found, part


def test_what_is_added_meanwhile_moves_nothing() -> None:
    for name in "bdf":
        a_club(name)
    first = _part(2)

    a_club("a")
    a_club("e")
    second = _part(2, first.next)

    assert (_names(first), _names(second)) == (["b", "d"], ["e", "f"])
    assert _names(_part(2, second.previous)) == ["b", "d"]


def test_what_is_removed_meanwhile_breaks_nothing() -> None:
    for name in "bdf":
        a_club(name)
    first = _part(2)
    Club.objects.exclude(slug="b").delete()

    rest = _part(2, first.next)

    assert (rest.items, rest.next, rest.previous) == ((), None, None)


def test_a_cursor_of_another_list_is_none() -> None:
    for name in "bdf":
        a_club(name)
    cursor = read_part(Club.objects.all(), ("pk",), list, asked=Asked(limit=1)).next

    with pytest.raises(BadCursor):
        _part(1, cursor)


def test_the_addresses_of_the_neighbours_keep_what_was_asked(program: Client) -> None:
    a_scene()

    first = the_json(program, "players/", limit=3, club="lahore")
    second = program.get(first["next"]).json()

    assert [line["name"] for line in first["results"]] == ["Asif Khan", "Bilal Shah", "Chand Rao"]
    assert [line["name"] for line in second["results"]] == ["Dev Patel", "Erum Emerald", "Farah Falcon"]
    assert second["previous"].startswith("http://testserver/api/v1/players/?limit=3&club=lahore&cursor=")
    assert program.get(second["previous"]).json()["results"] == first["results"]
    assert first["previous"] is None
    assert program.get(second["next"]).json()["next"] is None


def test_an_unchanged_part_is_the_same_answer(program: Client) -> None:
    a_scene()

    tags = {program.get(f"{API}players/?limit=3")["ETag"] for _ in range(2)}

    assert len(tags) == 1


@pytest.mark.parametrize("cursor", ["nonsense", "W10:AAAA", "é", "🂡", "a" * 2000, ":", "..."])
def test_a_cursor_that_was_not_given_out_is_refused(program: Client, cursor: str) -> None:
    answer = program.get(f"{API}players/", {"cursor": cursor})

    assert answer.status_code == 422
    assert list(answer.json()["errors"]) == ["cursor"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("clubs/?limit=0", "limit"),
        ("clubs/?limit=201", "limit"),
        ("clubs/?limit=ten", "limit"),
        (f"clubs/?limit={10**40}", "limit"),
        (f"clubs/?cursor={'a' * 2001}", "cursor"),
        ("clubs/?cursor=%00", "cursor"),
        ("clubs/?serch=lahore", "serch"),
        ("clubs/lahore?page=2", "page"),
        ("players/?club=a%20b", "club"),
        ("players/?search=%00", "search"),
        ("scoresheets/?player=1", "player"),
        ("scoresheets/?date=29.11.2026", "date"),
        ("deals/?award=victory", "award"),
        ("deals/?number=0", "number"),
        (f"deals/?number={2**31}", "number"),
        ("deals/?ruled=perhaps", "ruled"),
        ("deals/?trump=X", "trump"),
        ("matches/?state=lost", "state"),
        ("matches/?round=1", "round"),
        ("tournaments/?kind=swiss-ish", "kind"),
        ("tournaments/rang/standings?round=0", "round"),
        ("tournaments/rang/standings?bom=perhaps", "bom"),
    ],
)
def test_a_parameter_that_is_not_as_it_must_be_is_named(program: Client, path: str, name: str) -> None:
    a_scene()

    answer = program.get(f"{API}{path}")

    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert list(answer.json()["errors"]) == [name]


# -- what is asked for


@pytest.mark.parametrize(
    ("query", "slugs"),
    [
        ({}, ["karachi", "lahore", "multan"]),
        ({"country": "pakistan"}, ["karachi"]),
        ({"search": "aho"}, ["lahore"]),
        ({"search": "sea"}, ["karachi"]),
        ({"search": "nothing"}, []),
    ],
)
def test_clubs_are_asked_for(program: Client, query: dict[str, str], slugs: list[str]) -> None:
    for slug in ("lahore", "multan", "karachi"):
        a_club(slug)
    Club.objects.filter(slug="karachi").update(country="Pakistan", city="By the sea")

    assert [club["slug"] for club in the_json(program, "clubs/", **query)["results"]] == slugs


@pytest.fixture
def two_clubs() -> tuple[Scene, Scene]:
    return a_scene(), a_scene(slug="rang-2", club="multan")


ASKED: list[tuple[str, dict[str, str], int]] = [
    ("players/", {}, 16),
    ("players/", {"club": "multan"}, 8),
    ("players/", {"club": "nowhere"}, 0),
    ("players/", {"search": "ASÍF"}, 2),
    ("players/", {"search": "!"}, 0),
    ("partnerships/", {"club": "lahore"}, 4),
    ("partnerships/", {"search": "bilal"}, 2),
    ("tournaments/", {"club": "multan"}, 1),
    ("tournaments/", {"kind": "round-robin"}, 2),
    ("tournaments/", {"kind": "single"}, 0),
    ("tournaments/", {"status": "final"}, 0),
    ("tournaments/", {"rules": "court-piece"}, 2),
    ("tournaments/", {"search": "TUESDAY"}, 2),
    ("sessions/", {"tournament": "rang-2"}, 1),
    ("rounds/", {"tournament": "rang"}, 3),
    ("matches/", {"tournament": "rang"}, 6),
    ("matches/", {"tournament": "rang", "state": "finished"}, 2),
    ("scoresheets/", {"club": "multan"}, 6),
    ("scoresheets/", {"round": "1", "table": "1"}, 2),
    ("scoresheets/", {"rules": "double-sir"}, 0),
    ("tournaments/rang/scoresheets", {}, 6),
    ("tournaments/rang/scoresheets", {"round": "1"}, 2),
    ("deals/", {"club": "lahore"}, 3),
    ("deals/", {"award": "bavney"}, 2),
    ("deals/", {"winner": "EW", "number": "2"}, 2),
    ("deals/", {"dealer": "N", "level": "result"}, 4),
    ("deals/", {"corrected": "true"}, 0),
    ("deals/", {"corrected": "false", "ruled": "0", "has_problems": "false"}, 6),
    ("deals/", {"trump": "S"}, 0),
    ("tournaments/rang/deals", {"award": "bavney"}, 1),
]


def test_lines_are_asked_for(two_clubs: tuple[Scene, Scene], program: Client) -> None:
    found = [(path, query, _count(program, path, **query)) for path, query, _number in ASKED]

    assert found == ASKED


def test_lines_are_asked_for_by_who_played(two_clubs: tuple[Scene, Scene], program: Client) -> None:
    asif = Player.objects.get(name="Asif Khan", club__slug="lahore").uid
    pair = Partnership.objects.get(first__uid=asif).uid
    session = Session.objects.get(tournament__slug="rang").uid
    round_ = Round.objects.get(tournament__slug="rang", number=1).uid

    counts = {
        "partnerships": _count(program, "partnerships/", player=asif),
        "scoresheets of the player": _count(program, "scoresheets/", player=asif),
        "scoresheets of the pair": _count(program, "scoresheets/", partnership=pair),
        "deals of the player": _count(program, "deals/", player=asif),
        "deals of the pair": _count(program, "deals/", partnership=pair),
        "matches of the pair": _count(program, "matches/", partnership=pair),
        "matches of the round": _count(program, "matches/", round=round_),
        "matches of the session": _count(program, "matches/", session=session),
        "rounds of the session": _count(program, "rounds/", session=session),
    }

    assert counts == {
        "partnerships": 1,
        "scoresheets of the player": 3,
        "scoresheets of the pair": 3,
        "deals of the player": 2,
        "deals of the pair": 2,
        "matches of the pair": 3,
        "matches of the round": 2,
        "matches of the session": 6,
        "rounds of the session": 3,
    }


def _count(program: Client, path: str, **query: Any) -> int:
    return len(the_json(program, path, **query)["results"])


@pytest.mark.parametrize("path", ["sessions/", "rounds/", "matches/"])
def test_a_tournament_that_there_is_not_has_no_lines(program: Client, path: str) -> None:
    assert program.get(f"{API}{path}?tournament=nothing").status_code == 404


def test_scoresheets_are_asked_for_by_the_beginning_of_their_date(program: Client) -> None:
    a_sheet(a_club())

    counts = {
        date: _count(program, "scoresheets/", date=date)
        for date in ("2026", "2026.11", "2026.11.29", "2026.11.??", "2025", "2026.12")
    }

    assert counts == {
        "2026": 1,
        "2026.11": 1,
        "2026.11.29": 1,
        "2026.11.??": 0,
        "2025": 0,
        "2026.12": 0,
    }
    assert _count(program, "scoresheets/", event="Tuesday Rang") == 1


def test_deals_are_asked_for_by_what_became_of_them(program: Client) -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(1), a_record(2, dealer="N", result="EW 7-3")])
    correct(sheet, 2, a_record(2, dealer="N", result="NS 7-3"))
    record_file(sheet, [a_record(3, dealer="S", result="NS 7-4")])

    numbers = {
        name: [deal["number"] for deal in the_json(program, "deals/", **{name: "true"})["results"]]
        for name in ("corrected", "ruled", "has_problems")
    }

    assert numbers == {"corrected": [2], "ruled": [], "has_problems": [3]}
    clubs = the_json(program, "deals/", trump="C", level="full")["results"]
    assert [(deal["number"], deal["trump_method"]) for deal in clubs] == [(1, "announced")]


def test_deals_are_in_the_order_of_their_numbers_within_the_newest_scoresheet(program: Client) -> None:
    club = a_club()
    old = a_sheet_with(club, [a_record(2, dealer="E"), a_record(1, dealer="E")])
    new = a_sheet_with(club, [a_record(1, dealer="E")])

    deals = the_json(program, "deals/")["results"]

    assert [(deal["scoresheet"], deal["number"]) for deal in deals] == [
        (str(new.uid), 1),
        (str(old.uid), 1),
        (str(old.uid), 2),
    ]


def test_the_newest_tournament_comes_first(program: Client) -> None:
    club = a_club()
    for slug in ("old", "new"):
        a_scheduled_tournament("A B & C D", "E F & G H", slug=slug, club_id=club.pk)

    assert [line["slug"] for line in the_json(program, "tournaments/")["results"]] == ["new", "old"]
    assert [line["tournament"] for line in the_json(program, "matches/")["results"]] == ["new", "old"]
    assert Match.objects.count() == 2
    assert (Deal.objects.count(), Scoresheet.objects.count()) == (0, 2)
