"""Every address that programs read: what it says, what it costs, and that it says so only once."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.models import Deal, Partnership, Player, Scoresheet
from tests.accounts.builders import AT, a_club
from tests.api.builders import API, PCN, Scene, a_program, a_scene, the_json
from tests.tournaments.builders import CHAND, ERUM, GITA, a_match, a_scheduled_tournament, upload
from tournaments.models import Round, Session
from tournaments.operations.standings import bring_up_to_date

pytestmark = pytest.mark.django_db

LISTS = (
    "clubs/",
    "players/",
    "partnerships/",
    "tournaments/",
    "sessions/",
    "rounds/",
    "matches/",
    "scoresheets/",
    "deals/",
)


@pytest.fixture
def scene() -> Scene:
    return a_scene()


@pytest.fixture
def program() -> Client:
    return a_program()


def a_sheet() -> Scoresheet:
    """Return the scoresheet with two deals, one a goon court."""
    return Scoresheet.objects.get(deals_count=2)


def paths_of(scene: Scene) -> list[str]:
    """Return every address that is read."""
    player = f"players/{Player.objects.get(name='Asif Khan').uid}"
    pair = f"partnerships/{Partnership.objects.get(first__name='Asif Khan').uid}"
    sheet, deal = a_sheet(), Deal.objects.get(number=2)
    return [
        "",
        *LISTS,
        "clubs/lahore",
        "tournaments/rang",
        "tournaments/rang/standings",
        "tournaments/rang/crosstable",
        "tournaments/rang/scoresheets",
        "tournaments/rang/deals",
        player,
        f"{player}/history",
        pair,
        f"{pair}/record",
        f"sessions/{Session.objects.get().uid}",
        f"rounds/{Round.objects.get(number=1).uid}",
        f"matches/{scene.match.uid}",
        f"scoresheets/{sheet.uid}",
        f"scoresheets/{sheet.uid}/deals",
        f"deals/{deal.uid}",
        f"deals/{deal.uid}/revisions",
        "schema",
    ]


def test_every_address_answers_everybody_about_what_is_public(scene: Scene, program: Client) -> None:
    answered = {path: program.get(f"{API}{path}") for path in paths_of(scene)}

    assert {path: response.status_code for path, response in answered.items()} == dict.fromkeys(answered, 200)
    assert {response["Content-Type"] for response in answered.values()} == {"application/json"}
    assert {response["Access-Control-Allow-Origin"] for response in answered.values()} == {"*"}
    assert {response["Cache-Control"] for response in answered.values()} == {"no-cache"}


def test_who_has_the_answer_is_not_sent_it_again(scene: Scene, program: Client) -> None:
    tags = {path: program.get(f"{API}{path}")["ETag"] for path in paths_of(scene)}

    again = {path: program.get(f"{API}{path}", headers={"If-None-Match": tag}) for path, tag in tags.items()}

    assert {path: (answer.status_code, answer.content) for path, answer in again.items()} == dict.fromkeys(
        tags, (304, b"")
    )
    # A page of another site gets an error of its browser's in place of a 304 that does not let it read.
    assert {answer["Access-Control-Allow-Origin"] for answer in again.values()} == {"*"}


def test_a_tag_of_something_else_is_answered(scene: Scene, program: Client) -> None:
    answer = program.get(f"{API}clubs/lahore", headers={"If-None-Match": '"something else"'})

    assert answer.status_code == 200


def test_a_slash_too_many_is_taken_away(scene: Scene, program: Client) -> None:
    answer = program.get(f"{API}clubs/lahore/?format=json")

    assert (answer.status_code, answer["Location"]) == (308, f"{API}clubs/lahore?format=json")
    assert answer["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "path", ["clubs/nowhere/", "nothing/at/all/", "nothing", "deals/1", "clubs/lahore/deals"]
)
def test_where_nothing_is_there_is_nothing(scene: Scene, program: Client, path: str) -> None:
    answer = program.get(f"{API}{path}", follow=True)

    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer["Access-Control-Allow-Origin"] == "*"


def test_the_index_names_the_lists(program: Client) -> None:
    index = the_json(program, "")

    assert index["clubs"] == "http://testserver/api/v1/clubs/"
    assert index["check"] == "http://testserver/api/v1/check"


def test_a_list_is_asked_how_it_is_asked(program: Client) -> None:
    answer = program.options(f"{API}clubs/")

    assert (answer.status_code, answer["Allow"]) == (204, "GET, POST, HEAD, OPTIONS")
    assert answer["Access-Control-Allow-Origin"] == "*"


def test_what_is_read_is_not_written(program: Client) -> None:
    answer = program.delete(f"{API}clubs/")

    assert (answer.status_code, answer["Content-Type"]) == (401, "application/problem+json")


# -- what is answered


def test_a_club(scene: Scene, program: Client) -> None:
    assert the_json(program, "clubs/lahore") == {
        "slug": "lahore",
        "name": "Lahore",
        "city": "",
        "country": "",
        "timezone": "Asia/Karachi",
    }


def test_a_player_and_a_partnership(scene: Scene, program: Client) -> None:
    asif, bilal = Player.objects.get(name="Asif Khan"), Player.objects.get(name="Bilal Shah")
    pair = Partnership.objects.get(first=asif)
    club = {"slug": "lahore", "name": "Lahore"}

    assert the_json(program, f"players/{asif.uid}") == {
        "id": str(asif.uid),
        "name": "Asif Khan",
        "club": club,
        "anonymised": False,
        "merged_into": None,
    }
    assert the_json(program, f"partnerships/{pair.uid}") == {
        "id": str(pair.uid),
        "name": "Asif Khan & Bilal Shah",
        "players": [
            {"id": str(asif.uid), "name": "Asif Khan"},
            {"id": str(bilal.uid), "name": "Bilal Shah"},
        ],
        "club": club,
    }


RECORD = {
    "matches": 1,
    "won": 1,
    "drawn": 0,
    "lost": 0,
    "courts_for": 1,
    "courts_against": 0,
    "deals_won": 1,
    "deals_lost": 1,
    "bavneys": 0,
    "goon_courts": 1,
    "revokes": 0,
}


def test_a_players_history(scene: Scene, program: Client) -> None:
    asif = Player.objects.get(name="Asif Khan")

    history = the_json(program, f"players/{asif.uid}/history")

    assert list(history) == [
        "player",
        "against",
        "record",
        "partners",
        "opponents",
        "opposing_players",
        "figures",
        "longest_runs",
        "next",
        "previous",
        "results",
    ]
    assert history["player"] == {"id": str(asif.uid), "name": "Asif Khan"}
    assert history["record"] == RECORD
    assert [(line["partnership"]["name"], line["record"]) for line in history["opponents"]] == [
        ("Gita Garnet & Hema Heron", RECORD)
    ]
    assert history["against"] is None
    assert [(line["player"]["name"], line["record"]) for line in history["opposing_players"]] == [
        ("Gita Garnet", RECORD),
        ("Hema Heron", RECORD),
    ]
    (match,) = history["results"]
    assert match["scoresheet"] == str(a_sheet().uid)
    assert match["collection"] == {"name": "Tuesday Rang", "path": "/tournaments/rang/"}
    assert (match["opponents"]["name"], match["result"]) == ("Gita Garnet & Hema Heron", "won")


def test_a_partnerships_record(scene: Scene, program: Client) -> None:
    pair = Partnership.objects.get(first__name="Asif Khan")

    record = the_json(program, f"partnerships/{pair.uid}/record")

    assert list(record) == ["partnership", "against", "record", "opponents", "figures", "longest_runs"]
    assert record["against"] is None
    assert record["record"] == RECORD


def test_a_tournament(scene: Scene, program: Client) -> None:
    answer = the_json(program, "tournaments/rang")

    entries = answer.pop("entries")
    assert answer == {
        "slug": "rang",
        "name": "Tuesday Rang",
        "club": {"slug": "lahore", "name": "Lahore"},
        "format": "round-robin",
        "rules": "court-piece",
        "rules_version": 1,
        "status": "provisional",
        "visibility": "public",
        "version": 4,
        "timezone": "Asia/Karachi",
        "created_at": "2026-11-29T18:00:00Z",
        "ranking": "match-points",
        "points": {"win": 2, "draw": 1, "loss": 0, "bye": 2},
        "tiebreaks": ["courts-difference", "courts-for", "head-to-head", "deals-won"],
        "lot_seed": None,
    }
    assert [(entry["entry"], entry["partnership"]["name"], entry["state"]) for entry in entries] == [
        (1, "Asif Khan & Bilal Shah", "active"),
        (2, "Chand Rao & Dev Patel", "active"),
        (3, "Erum Emerald & Farah Falcon", "active"),
        (4, "Gita Garnet & Hema Heron", "active"),
    ]


def test_a_session_a_round_and_a_match(scene: Scene, program: Client) -> None:
    session, match = Session.objects.get(), scene.match
    round_ = Round.objects.get(number=1)

    assert the_json(program, f"sessions/{session.uid}") == {
        "id": str(session.uid),
        "tournament": "rang",
        "number": 1,
        "place": None,
        "starts_at": None,
        "minutes": None,
        "rounds": 3,
    }
    assert the_json(program, f"rounds/{round_.uid}") == {
        "id": str(round_.uid),
        "tournament": "rang",
        "session": {"id": str(session.uid), "number": 1},
        "number": 1,
        "label": None,
        "matches": {"scheduled": 2, "finished": 2, "open": 0, "void": 0},
        "name": None,
        "state": "published",
        "byes": [],
    }
    answer = the_json(program, f"matches/{match.uid}")
    assert (answer["tournament"], answer["session"], answer["table"]) == ("rang", 1, "1")
    assert answer["round"] == {"id": str(round_.uid), "number": 1, "label": None}
    assert (answer["ns"]["entry"], answer["ew"]["entry"]) == (1, 4)
    assert (answer["state"], answer["winner"]) == ("finished", "NS")
    assert answer["scoresheet"] == str(a_sheet().uid)
    assert [answer[name] for name in ("name", "first_dealer", "forfeit", "adjusted")] == [None] * 4
    assert answer["result"] == {
        "deals": 2,
        "courts": {"NS": 1, "EW": 0},
        "deals_won": {"NS": 1, "EW": 1},
        "bavneys": {"NS": 0, "EW": 0},
        "goon_courts": {"NS": 1, "EW": 0},
        "revokes": {"NS": 0, "EW": 0},
    }


def test_byes_are_named(program: Client) -> None:
    scene = a_scene()
    a_scheduled_tournament("A B & C D", "E F & G H", "I J & K L", slug="odd", club_id=scene.club.pk)

    rounds = the_json(program, "rounds/", tournament="odd")["results"]

    assert sorted(bye["partnership"]["name"] for one in rounds for bye in one["byes"]) == [
        "A B & C D",
        "E F & G H",
        "I J & K L",
    ]


def test_a_scoresheet(scene: Scene, program: Client) -> None:
    answer = the_json(program, f"scoresheets/{a_sheet().uid}")

    assert {seat: person["name"] for seat, person in answer["seats"].items()} == {
        "N": "Asif Khan",
        "E": "Gita Garnet",
        "S": "Bilal Shah",
        "W": "Hema Heron",
    }
    assert (answer["deals"], answer["winner"], answer["next_dealer"], answer["version"]) == (2, "NS", "S", 1)
    assert {**answer["ns"], "partnership": answer["ns"]["partnership"]["name"]} == {
        "partnership": "Asif Khan & Bilal Shah",
        "courts": 1,
        "deals_won": 1,
        "bavneys": 0,
        "goon_courts": 1,
        "revokes": 0,
        "run": 0,
    }


def test_a_scoresheets_deals_in_json_are_those_in_pcn(scene: Scene, program: Client) -> None:
    path = f"scoresheets/{a_sheet().uid}/deals"

    in_json = the_json(program, path)
    by_accept = program.get(f"{API}{path}", headers={"Accept": PCN})
    by_format = program.get(f"{API}{path}?format=pcn")

    assert by_accept.content == by_format.content
    assert by_accept["Content-Type"] == "text/vnd.courtpiece.pcn; charset=utf-8"
    text = by_accept.content.decode()
    assert text.startswith("% PCN 1\n\n[Round")
    assert [deal["record"]["tags"]["Result"] for deal in in_json["deals"]] == ["NS 7-0 court", "EW 7-5"]
    assert all(f'[Result "{deal["record"]["tags"]["Result"]}"]' in text for deal in in_json["deals"])
    assert [deal["record"]["finding"]["award"] for deal in in_json["deals"]] == ["goon-court", "win"]


def test_a_deal(scene: Scene, program: Client) -> None:
    deal = Deal.objects.get(scoresheet=a_sheet(), number=1)

    answer = the_json(program, f"deals/{deal.uid}")

    assert (answer["number"], answer["revision"], answer["award"]) == (1, 1, "goon-court")
    assert (answer["tricks"], answer["courts"]) == ({"NS": 7, "EW": 0}, {"NS": 1, "EW": 0})
    assert answer["total"] == {"NS": 1, "EW": 0}
    assert answer["scoresheet"]["id"] == str(a_sheet().uid)
    assert (answer["previous"], answer["next"]["number"]) == (None, 2)
    assert answer["record"]["tags"]["Result"] == "NS 7-0 court"
    assert answer["explanation"][0]["text"] != ""
    (revision,) = answer["revisions"]
    assert (revision["number"], revision["current"], revision["made_via"]) == (1, True, "file")
    assert the_json(program, f"deals/{deal.uid}/revisions") == [revision]
    assert program.get(f"{API}deals/{deal.uid}?format=pcn").content.decode() == answer["pcn"]


@pytest.mark.parametrize("format_", ["xml", "pcn", ""])
def test_a_form_that_there_is_not_is_an_error(program: Client, format_: str) -> None:
    answer = program.get(f"{API}clubs/?format={format_}")

    if format_:
        assert answer.status_code == 400
        assert answer.json()["errors"] == {"format": ["This has the formats json."]}
    else:
        assert answer.status_code == 200


def test_who_takes_no_json_gets_none(program: Client) -> None:
    answer = program.get(f"{API}clubs/", headers={"Accept": "image/png"})

    assert (answer.status_code, answer["Content-Type"]) == (406, "application/problem+json")


# -- what it costs


QUERIES = {
    "clubs/": 1,
    "players/": 1,
    "partnerships/": 1,
    "tournaments/": 3,
    "sessions/": 1,
    "rounds/": 3,
    "matches/": 4,
    "scoresheets/": 1,
    "deals/": 1,
    "tournaments/rang/scoresheets": 2,
    "tournaments/rang/deals": 2,
}


def test_a_list_costs_the_same_for_one_line_and_for_three(program: Client) -> None:
    scene = a_scene()
    a_club("multan")
    for number in (2, 3):
        a_scheduled_tournament("A B & C D", "E F & G H", slug=f"rang-{number}", club_id=scene.club.pk)

    costs = {path: {limit: _cost(program, path, limit) for limit in (1, 3)} for path in QUERIES}

    assert costs == {path: {1: (1, number), 3: (3, number)} for path, number in QUERIES.items()}


def _cost(program: Client, path: str, limit: int) -> tuple[int, int]:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        lines = the_json(program, path, limit=limit)["results"]
    return len(lines), len(queries)


DETAILS: dict[str, int] = {
    "tournaments/rang": 5,
    "tournaments/rang/standings": 4,
    "tournaments/rang/standings?round=1": 4,
    "tournaments/rang/crosstable": 10,
    "scoresheets/{sheet}": 1,
    "scoresheets/{sheet}/deals": 2,
    "scoresheets/{sheet}/deals?format=pcn": 2,
    "deals/{deal}": 3,
    "deals/{deal}/revisions": 3,
    "players/{player}": 1,
    "players/{player}/history": 8,
    "partnerships/{pair}": 1,
    "partnerships/{pair}/record": 8,
}


@pytest.mark.parametrize("path", DETAILS)
def test_a_thing_costs_the_same_however_much_there_is_of_it(
    program: Client, path: str, django_assert_num_queries: Any
) -> None:
    scene = a_scene()
    sheet = Scoresheet.objects.get(deals_count=1)
    ids = {
        "sheet": sheet.uid,
        "deal": Deal.objects.get(scoresheet=sheet, number=1).uid,
        "player": Player.objects.get(name="Erum Emerald").uid,
        "pair": Partnership.objects.get(first__name="Erum Emerald").uid,
    }
    address = f"{API}{path.format(**ids)}"

    with django_assert_num_queries(DETAILS[path]):
        before = program.get(address)
    more = a_match(["EW 7-6"] * 2, ns=CHAND, ew=ERUM, round="1", table="2", first_deal=2)
    upload(a_match(["NS 7-3"] * 3, ns=GITA, ew=ERUM, round="2"), more, slug=scene.tournament.slug)
    bring_up_to_date(slug=scene.tournament.slug, now=AT)
    with django_assert_num_queries(DETAILS[path]):
        after = program.get(address)

    assert (before.status_code, after.status_code) == (200, 200)


def test_a_token_costs_its_own_look_up_and_its_users_roles(scene: Scene) -> None:
    program = a_program(user=scene.scorer)
    the_json(program, "deals/")

    with CaptureQueriesContext(connection) as queries:
        the_json(program, "deals/")

    assert len(queries) == 3
