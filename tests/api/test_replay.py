"""A deal turn by turn as programs read it: frames, pictures and PBN."""

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from scoring.models import Deal
from tests.api.builders import API, a_program
from tests.scoring.builders import a_club, a_full_record, a_record, a_sheet_with, the_deal

pytestmark = pytest.mark.django_db


def a_deal(text: str = a_full_record()) -> Deal:
    return the_deal(a_sheet_with(a_club(), [text]), 1)


def ask(deal: Deal, query: str = "", **headers: str) -> Any:
    return Client(headers=headers).get(f"{API}deals/{deal.uid}/replay{query}")


def test_every_turn_is_told_with_what_stands_after_it() -> None:
    answer = ask(a_deal(a_full_record().replace("2. C9 C7 CT CK", "2. C9 S8>C7 CT CK"))).json()["replay"]

    assert (answer["dealer"], answer["caller"], answer["trump"], answer["gathers"]) == ("E", "N", "C", False)
    assert {hand["seat"]: hand["holding"] for hand in answer["hands"]}["N"] == "K852.T763.98.J72"
    assert answer["plays"][5] == {
        "index": 6,
        "trick": 2,
        "seat": "N",
        "card": "C7",
        "taken_back": ["S8"],
        "revoked": ["S8"],
        "reveal": False,
        "face_down": False,
        "winning": False,
        "trump": "C",
        "covered": False,
        "ns": 0,
        "ew": 1,
        "pile": 0,
    }
    assert "".join(trick["winner"] for trick in answer["tricks"]) == "ESWNEEWWW"


def test_a_deal_without_cards_has_no_replay_and_says_at_which_level_it_is() -> None:
    answer = ask(a_deal(a_record(1))).json()

    assert (answer["replay"], answer["level"], answer["cards_from"]) == (None, "result", None)


def test_a_picture_is_had_by_name_or_by_what_is_accepted() -> None:
    deal = a_deal()

    svg, png = ask(deal, "?format=svg&at=2"), ask(deal, accept="image/png")

    cards = [one.get("data-card") for one in ET.fromstring(svg.content).iter() if one.get("data-card")]
    assert (svg["Content-Type"], cards) == ("image/svg+xml; charset=utf-8", ["HT", "H5"])
    assert (png["Content-Type"], png.content[:4]) == ("image/png", b"\x89PNG")
    assert svg["ETag"] != ask(deal, "?format=svg&at=3")["ETag"]


@pytest.mark.parametrize("query", ["?at=-1", "?at=x", "?format=gif", "?step=3"])
def test_what_there_is_not_is_said(query: str) -> None:
    answer = ask(a_deal(), query)

    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")


def test_a_picture_of_what_there_is_not_is_refused_in_words() -> None:
    answer = Client().get(f"{API}deals/00000000-0000-0000-0000-000000000001/replay?format=png")

    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


def test_deals_are_had_as_pbn_one_by_one_and_together() -> None:
    sheet = a_sheet_with(a_club(), [a_full_record(1), a_record(2, dealer="N", result="NS 7-4")])
    program = a_program()

    one = program.get(f"{API}deals/{the_deal(sheet, 1).uid}?format=pbn")
    both = program.get(f"{API}scoresheets/{sheet.uid}/deals", headers={"accept": "application/x-pbn"})

    assert one["Content-Type"] == both["Content-Type"] == "application/x-pbn; charset=utf-8"
    assert both.content.startswith(one.content)
    assert [both.content.decode().count(tag) for tag in ('[Board "', '[Play "')] == [2, 1]


@pytest.mark.parametrize("count", [1, 3])
def test_a_replay_takes_two_queries(count: int, django_assert_num_queries: Any) -> None:
    records = [a_full_record(1), *(a_record(number) for number in range(2, count + 1))]
    deal = the_deal(a_sheet_with(a_club(), records), 1)

    with django_assert_num_queries(2):
        answer = ask(deal)

    assert len(answer.json()["replay"]["plays"]) == 36
