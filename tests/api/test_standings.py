"""The standings as programs and spreadsheets read them."""

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.cells import safe_cell
from courtpiece.accounts.permissions import SERVER
from scoring.models import Player
from scoring.operations import hide_name
from tests.accounts.builders import AT, a_club
from tests.api.builders import API, Scene, a_program, a_scene, the_json
from tests.tournaments.builders import CHAND, ERUM, GITA, a_match, a_scheduled_tournament, penalise, upload
from tournaments.api.shapes import Crosstable, CrosstableResult, CrosstableRow, Standings, StandingsRow
from tournaments.operations.standings import bring_up_to_date

KEYS = [
    "format",
    "tournament",
    "version",
    "current",
    "status",
    "after_round",
    "computed_at",
    "timezone",
    "ranking",
    "tiebreaks",
    "lot_seed",
    "matches",
    "rows",
]
ROW_KEYS = [
    "position",
    "rank",
    "tied",
    "entry",
    "state",
    "partnership",
    "played",
    "won",
    "drawn",
    "lost",
    "byes",
    "match_points",
    "session_points",
    "courts_for",
    "courts_against",
    "bavneys",
    "goon_courts",
    "revokes",
    "deals_won",
    "deals_lost",
    "penalty",
    "tiebreaks",
    "decided_by",
]


@pytest.fixture
def scene(db: None) -> Scene:
    return a_scene()


@pytest.fixture
def program() -> Client:
    return a_program()


def test_the_answer_has_the_keys_of_the_documents_in_their_order(scene: Scene, program: Client) -> None:
    answer = json.loads(program.get(f"{API}tournaments/rang/standings").content)

    assert list(answer) == KEYS
    assert [list(row) for row in answer["rows"]] == [[key for key in ROW_KEYS if key != "session_points"]] * 4
    assert list(answer["tournament"]) == ["slug", "name", "rules", "rules_version"]
    assert list(answer["matches"]) == ["scheduled", "finished", "open", "void"]
    assert list(answer["rows"][0]["partnership"]) == ["id", "name", "players"]
    assert list(answer["rows"][0]["tiebreaks"][0]) == ["code", "value"]


def test_the_schema_has_these_keys_too_and_the_one_of_leagues() -> None:
    shapes = {Standings: KEYS, StandingsRow: ROW_KEYS}

    assert {shape: list(shape().fields) for shape in shapes} == shapes


def test_the_answer_says_who_stands_where_and_how_sure_it_is(scene: Scene, program: Client) -> None:
    answer = the_json(program, "tournaments/rang/standings")

    rows = answer.pop("rows")
    assert answer == {
        "format": 1,
        "tournament": {
            "slug": "rang",
            "name": "Tuesday Rang",
            "rules": "court-piece",
            "rules_version": 1,
        },
        "version": 4,
        "current": True,
        "status": "provisional",
        "after_round": 1,
        "computed_at": "2026-11-29T18:00:00Z",
        "timezone": "Asia/Karachi",
        "ranking": "match-points",
        "tiebreaks": ["courts-difference", "courts-for", "head-to-head", "deals-won"],
        "lot_seed": None,
        "matches": {"scheduled": 6, "finished": 2, "open": 4, "void": 0},
    }
    assert [(row["position"], row["rank"], row["entry"], row["courts_for"]) for row in rows] == [
        (1, 1, 3, 52),
        (2, 2, 1, 1),
        (3, 3, 4, 0),
        (4, 4, 2, 0),
    ]


def test_standings_that_are_behind_have_the_names_of_now(scene: Scene, program: Client) -> None:
    asif = Player.objects.get(name="Asif Khan")

    hide_name(actor=SERVER, player_uid=asif.uid, at=AT)

    answer = the_json(program, "tournaments/rang/standings")
    told = [row["partnership"] for row in answer["rows"]]
    assert answer["current"] is False
    assert "Asif" not in str(told)
    assert Player.objects.get(pk=asif.pk).name in str(told)


@pytest.mark.django_db
def test_standings_that_were_never_computed_say_so(program: Client) -> None:
    a_scheduled_tournament("A B & C D", "E F & G H", slug="new", club_id=a_club().pk)

    answer = the_json(program, "tournaments/new/standings")

    assert (answer["rows"], answer["version"], answer["current"], answer["computed_at"]) == (
        [],
        0,
        False,
        None,
    )
    text = program.get(f"{API}tournaments/new/standings?format=csv").content.decode()
    assert len(text.splitlines()) == 1


# -- after an earlier round


@pytest.fixture
def later(scene: Scene) -> Scene:
    """Return the scene after its second round."""
    upload(
        a_match(["NS 7-0 court"], ns=GITA, ew=ERUM, round="2", table="1"),
        a_match(["NS 7-0 court"], ns="Asif Khan & Bilal Shah", ew=CHAND, round="2", table="2"),
        slug="rang",
    )
    bring_up_to_date(slug="rang", now=AT)
    return scene


def test_standings_are_shown_as_they_were_after_a_round(later: Scene, program: Client) -> None:
    now = the_json(program, "tournaments/rang/standings")
    first = the_json(program, "tournaments/rang/standings", round=1)
    last = the_json(program, "tournaments/rang/standings", round=3)

    assert list(first) == KEYS
    assert (now["after_round"], first["after_round"], last["after_round"]) == (2, 1, 2)
    assert [row["entry"] for row in first["rows"]] == [3, 1, 4, 2]
    assert {row["played"] for row in first["rows"]} == {1}
    assert {row["played"] for row in now["rows"]} == {2}
    assert first["matches"] == {"scheduled": 2, "finished": 2, "open": 0, "void": 0}
    assert last["rows"] == now["rows"]
    assert first["version"] == now["version"]


def test_what_is_derived_is_not_sent_again_to_who_has_it(later: Scene, program: Client) -> None:
    path = f"{API}tournaments/rang/standings?round=1"
    tag = program.get(path)["ETag"]

    assert program.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert program.get(f"{path}&format=csv")["ETag"] != tag
    assert program.get(f"{path}&format=csv")["ETag"] != program.get(f"{path}&format=csv&bom=1")["ETag"]


def test_a_round_that_there_is_not_is_named(scene: Scene, program: Client) -> None:
    answer = program.get(f"{API}tournaments/rang/standings?round=9")

    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
    assert answer.json()["detail"] == "This tournament has no round 9."


# -- for spreadsheets


def a_table(program: Client, **query: Any) -> list[dict[str, str]]:
    response = program.get(f"{API}tournaments/rang/standings", {"format": "csv", **query})
    assert response.status_code == 200
    return list(csv.DictReader(io.StringIO(response.content.decode(), newline="")))


def test_the_table_says_what_the_answer_says(scene: Scene, program: Client) -> None:
    answer = the_json(program, "tournaments/rang/standings")

    table = a_table(program)

    assert [row["partnership"] for row in table] == [row["partnership"]["name"] for row in answer["rows"]]
    assert [int(row["courts_for"]) for row in table] == [row["courts_for"] for row in answer["rows"]]
    assert [row["courts-difference"] for row in table] == ["52", "1", "-1", "-52"]
    assert [row["head-to-head"] for row in table] == [""] * 4
    assert {(row["tournament"], row["version"], row["status"], row["current"]) for row in table} == {
        ("rang", "4", "provisional", "true")
    }
    assert (table[0]["player_1"], table[0]["player_2"], table[0]["tied"]) == (
        "Erum Emerald",
        "Farah Falcon",
        "false",
    )


def test_the_table_is_had_by_accept_too(scene: Scene, program: Client) -> None:
    by_accept = program.get(f"{API}tournaments/rang/standings", headers={"Accept": "text/csv"})
    by_format = program.get(f"{API}tournaments/rang/standings?format=csv")

    assert by_accept.content == by_format.content
    assert by_accept["Content-Type"] == "text/csv; charset=utf-8"
    assert by_accept["Content-Disposition"] == 'attachment; filename="standings-rang-v4-provisional.csv"'
    assert not by_accept.content.startswith(b"\xef\xbb\xbf")


def test_excel_is_told_what_the_letters_are(scene: Scene, program: Client) -> None:
    Player.objects.filter(name="Asif Khan").update(name="آصف خان")
    penalise(2, 1)
    bring_up_to_date(slug="rang", now=AT)

    content = program.get(f"{API}tournaments/rang/standings?format=csv&bom=1").content

    assert content.startswith(b"\xef\xbb\xbfposition,")
    assert "آصف خان & Bilal Shah" in content.decode()


@pytest.mark.django_db
def test_a_name_that_looks_like_a_formula_is_none_in_a_spreadsheet(program: Client) -> None:
    club = a_club()
    a_scheduled_tournament("=1+1 A & @SUM B", "-2 C & +3 D", slug="rang", club_id=club.pk, format="single")
    upload(a_match(["NS 7-0 court"], ns="=1+1 A & @SUM B", ew="-2 C & +3 D", round="1", table="1"))
    bring_up_to_date(slug="rang", now=AT)

    table = a_table(program)

    assert [(row["partnership"], row["player_1"], row["player_2"]) for row in table] == [
        ("'=1+1 A & @SUM B", "'=1+1 A", "'@SUM B"),
        ("'-2 C & +3 D", "'-2 C", "'+3 D"),
    ]
    assert [row["courts-difference"] for row in table] == ["1", "-1"]


def the_sheet(content: bytes) -> list[tuple[Any, ...]]:
    """Return the rows of the one sheet of a workbook."""
    (sheet,) = load_workbook(io.BytesIO(content)).worksheets
    return list(sheet.iter_rows(values_only=True))


def test_a_workbook_has_the_same_table_with_its_numbers(scene: Scene, program: Client) -> None:
    answer = program.get(f"{API}tournaments/rang/standings?format=xlsx")

    head, *rows = the_sheet(answer.content)
    table = a_table(program)
    assert list(head) == list(table[0])
    assert [str(row[head.index("partnership")]) for row in rows] == [row["partnership"] for row in table]
    assert [row[head.index("courts-difference")] for row in rows] == [52, 1, -1, -52]
    assert answer["Content-Disposition"] == 'attachment; filename="standings-rang-v4-provisional.xlsx"'


def test_lines_of_json_say_of_which_standings_they_are(scene: Scene, program: Client) -> None:
    rows = the_json(program, "tournaments/rang/standings")["rows"]

    lines = program.get(f"{API}tournaments/rang/standings?format=ndjson").content.decode().splitlines()

    assert [json.loads(line)["partnership"] for line in lines] == [row["partnership"] for row in rows]
    assert {json.loads(line)["version"] for line in lines} == {4}


def test_a_page_for_paper_is_had_by_whoever_may_see_them(scene: Scene, program: Client) -> None:
    path = f"{API}tournaments/rang/standings"

    page = program.get(path, {"round": "1", "paper": "letter"}, headers={"Accept": "text/html"})
    german = program.get(path, headers={"Accept": "text/html", "Accept-Language": "ur"})

    text = page.content.decode()
    assert (page.status_code, page["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert 'class="paper paper--letter' in text
    assert "Standings after round 1" in text
    assert 'href="/tournaments/rang/standings/?round=1"' in text
    assert german["ETag"] != program.get(path, headers={"Accept": "text/html"})["ETag"]
    assert (
        program.get(path, headers={"Accept": "text/html", "If-None-Match": german["ETag"]}).status_code == 200
    )


@pytest.mark.parametrize("form", ["json", "csv", "xlsx", "ndjson", "html"])
def test_standings_that_are_known_cost_three_queries(
    scene: Scene, program: Client, form: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    path = f"{API}tournaments/rang/standings?format={form}"
    tag = program.get(path)["ETag"]

    with django_assert_num_queries(3):
        again = program.get(path, headers={"If-None-Match": tag})
    upload(a_match(["NS 7-0 court"], ns=GITA, ew=ERUM, round="2", table="1"), slug="rang")
    changed = program.get(path, headers={"If-None-Match": tag})

    assert (again.status_code, again["ETag"], again.content) == (304, tag, b"")
    assert (changed.status_code, changed["ETag"] != tag) == (200, True)


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        (None, ""),
        (True, "true"),
        (-52, "-52"),
        ("-52", "-52"),
        ("-3/2", "-3/2"),
        ("-3+2", "'-3+2"),
        ("=1", "'=1"),
        ("+1", "'+1"),
        ("@a", "'@a"),
        ("\t=1", "'\t=1"),
        ("\r", "'\r"),
        (" =1", "' =1"),
        ("＝1", "'＝1"),
        ("a=1", "a=1"),
        ("", ""),
    ],
)
def test_a_cell_is_safe(value: Any, cell: str) -> None:
    assert safe_cell(value) == cell


@given(text=st.text())
def test_no_text_begins_a_formula_and_every_number_stays_one(text: str) -> None:
    cell = safe_cell(text)

    begins_formula = cell.lstrip()[:1] in ("=", "+", "-", "@", "＝", "＋", "－", "＠")
    assert cell in (text, f"'{text}")
    assert not begins_formula or cell.lstrip("-").replace("/", "").isdigit()


@given(number=st.one_of(st.integers(), st.fractions()))
def test_every_number_stays_a_number(number: Any) -> None:
    assert safe_cell(str(number)) == str(number)


# -- everybody against everybody


def test_the_crosstable_shows_each_match_from_both_sides(later: Scene, program: Client) -> None:
    table = the_json(program, "tournaments/rang/crosstable")

    assert (table["status"], table["current"], table["after_round"]) == ("provisional", True, 2)
    results = {
        (row["entry"], result["opponent"]): (result["result"], result["courts_for"], result["courts_against"])
        for row in table["rows"]
        for result in row["results"]
    }
    assert len(results) == 12
    assert (results[1, 4], results[4, 1]) == (("won", 1, 0), ("lost", 0, 1))
    assert (results[2, 3], results[3, 2]) == (("lost", 0, 52), ("won", 52, 0))
    assert results[1, 3] == (None, 0, 0)
    assert [row["position"] for row in table["rows"]] == [1, 2, 3, 4]
    assert all(len(row["results"]) == 3 and row["byes"] == [] for row in table["rows"])


def test_the_crosstable_has_the_keys_of_the_schema(scene: Scene, program: Client) -> None:
    table = the_json(program, "tournaments/rang/crosstable")

    row = table["rows"][0]
    assert sorted(table) == sorted(Crosstable().fields)
    assert list(row) == list(CrosstableRow().fields)
    assert list(row["results"][0]) == list(CrosstableResult().fields)


@pytest.mark.django_db
def test_the_crosstable_of_what_was_not_played_is_in_the_order_of_entering(program: Client) -> None:
    a_scheduled_tournament("A B & C D", "E F & G H", "I J & K L", slug="new", club_id=a_club().pk)

    rows = the_json(program, "tournaments/new/crosstable")["rows"]

    assert [(row["entry"], row["position"], len(row["byes"])) for row in rows] == [
        (1, None, 1),
        (2, None, 1),
        (3, None, 1),
    ]


def test_the_crosstable_is_a_table_with_a_column_for_each_entry(later: Scene, program: Client) -> None:
    text = program.get(f"{API}tournaments/rang/crosstable?format=csv").content.decode()
    sheet = the_sheet(program.get(f"{API}tournaments/rang/crosstable?format=xlsx").content)

    head, *rows = csv.reader(io.StringIO(text, newline=""))
    cells = {(row[2], number): cell for row in rows for number, cell in zip(head[4:], row[4:], strict=True)}
    assert (head[:4], head[4:]) == (["position", "rank", "entry", "partnership"], [row[2] for row in rows])
    assert (cells["1", "4"], cells["4", "1"]) == ("W 1-0", "L 0-1")
    assert (cells["3", "2"], cells["1", "3"], cells["1", "1"]) == ("W 52-0", "…", "")
    assert [str(cell) for cell in sheet[0]] == head


def test_the_crosstable_is_a_page_for_paper(later: Scene, program: Client) -> None:
    page = program.get(f"{API}tournaments/rang/crosstable?format=html")
    again = program.get(
        f"{API}tournaments/rang/crosstable?format=html", headers={"If-None-Match": page["ETag"]}
    )

    assert "W 52-0" in page.content.decode()
    assert again.status_code == 304
