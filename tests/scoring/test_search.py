"""What is searched for is found: names in any script, dates, rules, revokes and cards, by whoever may see it."""

import csv
import html
import io
import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from courtpiece.accounts.models import Role
from courtpiece.accounts.parts import Asked
from courtpiece.accounts.permissions import ANONYMOUS, SERVER, Actor
from courtpiece.accounts.refusals import Refused
from courtpiece.notation import read
from scoring import operations
from scoring.models import Deal, NameKey, Player, Scoresheet
from scoring.queries import found, lists, searching
from scoring.queries.lists import DealFilter, PeopleFilter, SheetFilter
from scoring.queries.searching import Sought
from tests.scoring.builders import (
    AT,
    a_club,
    a_full_record,
    a_record,
    a_sheet,
    a_sheet_with,
    an_actor,
    player_at,
    record_file,
)

pytestmark = pytest.mark.django_db
URDU = (("آصف خان", "بلال شاہ"), ("Chand Rao", "Dev Patel"))


def the_players(typed: str, *, actor: Actor = ANONYMOUS, club: str | None = None) -> list[str]:
    wanted = PeopleFilter(search=typed, club=club)
    return [line.name for line in lists.players(actor=actor, wanted=wanted, asked=Asked()).items]


def the_deals(actor: Actor = ANONYMOUS, *, award: str | None = None, **sought: str) -> list[int]:
    wanted = DealFilter(award=award, sought=Sought(**sought))
    part = found.found_deals(actor=actor, wanted=wanted, asked=Asked(), now=AT)
    return [one.line.number for one in part.items]


def the_matches(**sought: str) -> int:
    wanted = SheetFilter(sought=Sought(**sought))
    return len(lists.scoresheets(actor=ANONYMOUS, wanted=wanted, asked=Asked()).items)


# -- names


@pytest.mark.parametrize("typed", ["Asif", "asif khan", "khan as", "آصف", "आसिफ", "ख़ान आसिफ", "ASÍF"])
def test_spellings_of_one_name_in_three_scripts_find_each_other(typed: str) -> None:
    a_sheet_with(a_club(), [a_record(1)])
    sheet = a_sheet(a_club("goa"), names=URDU)
    record_file(sheet, [a_record(1)])

    assert the_players(typed) == ["Asif Khan", "آصف خان"]


@pytest.mark.parametrize("typed", ["sif", "asim", "!", "", "a" * 100, "%", "_", "\\"])
def test_what_begins_no_word_of_a_name_finds_nobody(typed: str) -> None:
    a_sheet_with(a_club(), [a_record(1)])

    assert the_players(typed) == []


def test_keys_are_written_wherever_a_player_is_named() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    substitute = operations.find_or_make_player(actor=SERVER, club_id=sheet.club_id or 0, name="Zoya", at=AT)

    assert set(NameKey.objects.filter(player=substitute).values_list("key", flat=True)) == {"zoya", "~z"}
    assert not Player.objects.filter(name_keys=None).exists()


@pytest.mark.parametrize("count", [1, 3])
def test_a_search_for_a_name_takes_as_many_queries_for_more(
    count: int, django_assert_num_queries: Any
) -> None:
    for number in range(count):
        a_sheet_with(a_club(f"club-{number}"), [a_record(1)])

    with django_assert_num_queries(4):
        the_players("asif")
    with django_assert_num_queries(5):
        the_deals(name="asif")


# -- matches and deals


def test_deals_and_matches_are_found_by_who_sat_there_and_with_whom() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1), a_record(2, dealer="N")])

    assert the_deals(name="آصف") == [1, 2]
    assert the_deals(name="asif", partner="bilal") == [1, 2]
    assert the_deals(name="asif", partner="chand") == []
    assert (the_matches(name="dev"), the_matches(name="dev", partner="asif")) == (1, 0)
    assert sheet.deals_count == 2


@pytest.mark.parametrize(
    ("date", "sought", "is_found"),
    [
        ("2026.11.29", {"date_from": "2026.11.29", "date_to": "2026-11-29"}, True),
        ("2026.11.29", {"date_from": "2026.11.30"}, False),
        ("2026.11.29", {"date_to": "2026.11.28"}, False),
        ("2026.11.29", {"date_from": "2026", "date_to": "2026"}, True),
        ("2026.11.29", {"date_to": "2026.10"}, False),
        ("2026.11.??", {"date_from": "2026.11.01", "date_to": "2026.11.30"}, True),
        ("2026.11.??", {"date_from": "2026.11.02"}, False),
        ("2026.??.??", {"date_from": "2026.01.01"}, True),
        ("", {"date_to": "2030"}, False),
    ],
)
def test_matches_are_found_by_date_though_a_part_of_it_is_not_known(
    date: str, sought: dict[str, str], is_found: bool
) -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    Scoresheet.objects.filter(pk=sheet.pk).update(date=date)

    assert the_matches(**sought) == int(is_found)


def test_matches_are_found_by_rules_whatever_their_options() -> None:
    a_sheet(a_club(), rules="double-sir goon=3")

    assert (the_matches(game="double-sir"), the_matches(game="double-sir-ace")) == (1, 0)


def test_deals_are_found_by_whose_revoke_ended_them() -> None:
    revoke = a_record(2, dealer="N", result="EW 2-3 revoke", more='[Revoke "N 6"]')
    a_sheet_with(a_club(), [a_record(1), revoke])

    assert the_deals(revoke_by="any") == [2]
    assert (the_deals(revoke_by="N"), the_deals(revoke_by="S")) == ([2], [])
    assert the_deals(revoke_by="player", name="asif") == [2]
    assert the_deals(revoke_by="player", name="bilal") == []
    assert the_deals(award="win", revoke_by="any") == []


@pytest.mark.parametrize(
    ("held", "by", "is_found"),
    [
        ("SK H7", "N", True),
        ("KS 7H", "any", True),
        ("K♠,10♥", "caller", True),
        ("SK", "dealer", False),
        ("SA ST", "dealer", True),
        ("SK SA", "any", False),
        ("HT", "player", True),
        ("SA", "player", False),
    ],
)
def test_deals_are_found_by_the_cards_that_a_hand_held(held: str, by: str, is_found: bool) -> None:
    a_sheet_with(a_club(), [a_full_record(), a_record(2, dealer="N")])

    assert the_deals(name="asif", held=held, held_by=by) == [1] * is_found


@pytest.mark.parametrize(
    ("sought", "field"),
    [
        ({"held": "AS XX"}, "held"),
        ({"held": "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS 2H"}, "held"),
        ({"held": "AS", "held_by": "player"}, "name"),
        ({"revoke_by": "player"}, "name"),
        ({"date_from": "yesterday"}, "date_from"),
        ({"date_to": "２０２６"}, "date_to"),
    ],
)
def test_what_cannot_be_asked_is_refused_at_its_field(sought: dict[str, str], field: str) -> None:
    with pytest.raises(Refused) as caught:
        the_deals(ANONYMOUS, award=None, **sought)

    assert caught.value.field == field


def test_a_search_for_cards_stops_after_so_many_deals_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "DEALS_LOOKED_THROUGH", 2)
    sheet = a_sheet(a_club())
    record_file(sheet, [a_record(1), a_record(2, dealer="N", result="NS 7-2"), a_full_record(3)])
    wanted = DealFilter(sought=Sought(held="SK"))

    first = found.found_deals(actor=ANONYMOUS, wanted=wanted, asked=Asked(), now=AT)
    asked = Asked(cursor=first.next or "")
    second = found.found_deals(actor=ANONYMOUS, wanted=wanted, asked=asked, now=AT)

    assert (first.items, first.previous) == ((), None)
    assert [one.line.number for one in second.items] == [3]
    assert second.next is None


def test_a_name_that_too_many_have_is_asked_for_more_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MOST_PEOPLE", 0)
    a_sheet_with(a_club(), [a_record(1)])

    with pytest.raises(searching.TooManyPeople):
        the_deals(name="asif")


# -- who finds what


def test_what_is_private_is_found_by_nobody_who_may_not_see_it() -> None:
    club = a_club()
    sheet = a_sheet(club, visibility="private")
    record_file(sheet, [a_full_record()])
    director = an_actor(club, Role.DIRECTOR)

    assert (the_players("asif"), the_deals(name="asif"), the_deals(held="SK")) == ([], [], [])
    assert (the_players("asif", actor=director), the_deals(director, held="SK")) == (["Asif Khan"], [1])


def test_cards_that_are_kept_from_spectators_are_not_found_by() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_full_record()])
    Scoresheet.objects.filter(pk=sheet.pk).update(cards_delay=timedelta(hours=1))

    assert (the_deals(held="SK"), the_deals(name="asif")) == ([], [1])
    assert the_deals(an_actor(club, Role.SCORER), held="SK") == [1]


# -- pages and files


def test_the_page_shows_each_kind_of_what_is_found() -> None:
    sheet = a_sheet_with(a_club(), [a_full_record()])
    client = Client()

    shown = {
        what: client.get("/search/", {"what": what, "name": "asif"}).content.decode()
        for what in ("deals", "matches", "players", "partnerships")
    }

    assert f"/deals/{Deal.objects.get().uid}/" in shown["deals"]
    assert f"/scoresheets/{sheet.uid}/" in shown["matches"]
    assert f"/players/{player_at(sheet, 'north').uid}/" in shown["players"]
    assert "/partnerships/" in shown["partnerships"]


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({}, 200),
        ({"what": "x"}, 200),
        ({"what": "deals", "held": "?"}, 422),
        ({"what": "deals", "cursor": "?"}, 422),
    ],
)
def test_a_bad_question_is_answered_with_the_form(query: dict[str, str], status: int) -> None:
    assert Client().get("/search/", query).status_code == status


def test_found_deals_leave_as_files_of_the_api() -> None:
    a_sheet_with(a_club(), [a_full_record(), a_record(2, dealer="N")])
    client = Client()

    page = client.get(
        "/search/", {"what": "deals", "name": "asif", "award": "", "held_by": "any"}
    ).content.decode()
    found = [html.unescape(link) for link in re.findall(r'href="(/api/v1/deals/[^"]+)"', page)]
    pcn, table, lines = (b"".join(client.get(link).streaming_content) for link in found)  # type: ignore[attr-defined]

    assert [reading.record is not None for reading in read(pcn.decode())] == [True, True]
    rows = list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"))))
    assert [(row["number"], row["north"]) for row in rows] == [("1", "Asif Khan"), ("2", "Asif Khan")]
    assert [json.loads(line)["number"] for line in lines.splitlines()] == [1, 2]


@pytest.mark.parametrize(
    ("what", "column"),
    [("matches", "north"), ("players", "name"), ("partnerships", "first")],
)
def test_whatever_is_found_leaves_as_files_of_the_api(what: str, column: str) -> None:
    a_sheet_with(a_club(), [a_full_record()])
    client = Client()
    asked = {
        "what": what,
        "name": "asif",
        "club": "lahore",
        "partner": "bil",
        "award": "win",
        "held_by": "any",
    }
    if what == "matches":
        asked |= {"date_from": "2026", "game": "court-piece"}

    page = client.get("/search/", asked).content.decode()
    links = [html.unescape(link) for link in re.findall(r'href="(/api/v1/[^"]+format=[^"]+)"', page)]
    table, lines = (b"".join(client.get(link).streaming_content) for link in links)  # type: ignore[attr-defined]

    rows = list(csv.DictReader(io.StringIO(table.decode("utf-8-sig"))))
    assert [row[column] for row in rows] == ["Asif Khan"]
    assert len(lines.splitlines()) == 1


def test_nothing_found_leaves_as_no_file() -> None:
    page = Client().get("/search/", {"what": "players", "name": "nobody"}).content.decode()

    assert "format=csv" not in page


def test_the_api_searches_the_same(client: Client) -> None:
    a_sheet_with(a_club(), [a_full_record(), a_record(2, dealer="N")])

    answer = client.get("/api/v1/deals/", {"name": "आसिफ", "held": "KS", "held_by": "player"})
    bad = client.get("/api/v1/deals/", {"held": "XX"})

    assert [line["number"] for line in answer.json()["results"]] == [1]
    assert bad.status_code == 422


@pytest.mark.parametrize(
    ("asked", "status"),
    [({"limit": "1"}, 400), ({"held": "XX"}, 422), ({"revoke_by": "player"}, 422)],
)
def test_what_no_file_has_is_refused_by_its_name(asked: dict[str, str], status: int, client: Client) -> None:
    answer = client.get("/api/v1/deals/", {"club": "lahore", "format": "ndjson", **asked})

    assert answer.status_code == status
    assert set(answer.json()["errors"]) <= {*asked, "name"}
