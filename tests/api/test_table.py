"""The table of a link, as devices read it."""

from uuid import uuid4

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.permissions import SERVER
from scoring import operations as scoring
from scoring.models import Deal
from tests.accounts.builders import AT, a_user, as_actor
from tests.api.builders import a_program
from tests.tournaments.tables import (
    TABLE,
    Device,
    a_director,
    a_text,
    a_tournament_with_links,
    an_item,
    texts_of,
    the_link,
    the_match,
    the_secret,
)
from tournaments.api.authentication import LookThrottle
from tournaments.models import DeviceReport
from tournaments.operations import sync
from tournaments.operations.links import renew_table_link, revoke_table_link
from tournaments.operations.matches import set_match_state

pytestmark = pytest.mark.django_db


def test_a_table_has_its_matches_with_who_sits_where_and_their_deals() -> None:
    a_tournament_with_links()
    device, match = Device(the_secret()), the_match()
    device.outcomes(an_item(a_text(1, "EW 7-0 court")), an_item(a_text(2, "EW 7-3")))

    table = device.look().json()

    first = table["matches"][0]
    assert (table["tournament"]["slug"], table["table"], table["timezone"]) == ("rang", "1", "Asia/Karachi")
    assert (table["session"]["number"], table["rules"]) == (1, "court-piece")
    assert [one["round"]["number"] for one in table["matches"]] == [1, 2, 3]
    assert (first["scoresheet"], first["state"]) == (str(match.scoresheet.uid), "open")
    assert {seat: who["name"] for seat, who in first["seats"].items()} == {
        "N": "Asif Khan",
        "E": "Gita Garnet",
        "S": "Bilal Shah",
        "W": "Hema Heron",
    }
    assert (first["ew"]["entry"], first["ew"]["courts"], first["ew"]["run"]) == (4, 1, 1)
    assert [(deal["number"], deal["revision"], deal["award"], deal["ruled"]) for deal in first["deals"]] == [
        (1, 1, "goon-court", False),
        (2, 1, "win", False),
    ]
    assert first["deals"][1]["pcn"] == texts_of(match)[2]
    assert first["next_dealer"] in set("NESW")


def test_before_the_first_deal_the_drawn_dealer_is_next() -> None:
    a_tournament_with_links()
    match = the_match()
    match.first_dealer = "W"
    match.save(update_fields=["first_dealer"])

    first = Device(the_secret()).look().json()["matches"][0]

    assert (first["first_dealer"], first["next_dealer"], first["deals"]) == ("W", "W", [])


def test_it_is_the_same_answer_until_something_changes_at_this_table() -> None:
    a_tournament_with_links()
    device = Device(the_secret())
    tag = device.look()["ETag"]

    Device(the_secret("2")).outcomes(an_item(a_text(), sheet=the_match("2").scoresheet.uid))
    still = device.client.get(TABLE, headers={"If-None-Match": tag})
    device.outcomes(an_item(a_text()))
    changed = device.client.get(TABLE, headers={"If-None-Match": tag})
    tag = changed["ETag"]
    set_match_state(actor=SERVER, uid=the_match().uid, state="finished", at=AT)
    over = device.client.get(TABLE, headers={"If-None-Match": tag})

    assert [answer.status_code for answer in (still, changed, over)] == [304, 200, 200]


@pytest.mark.parametrize("deals", [0, 1, 6])
def test_a_table_takes_the_same_queries_whatever_was_played(
    deals: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a_tournament_with_links()
    device = Device(the_secret())
    device.outcomes(*(an_item(a_text(number)) for number in range(1, deals + 1)))

    with django_assert_num_queries(9):
        device.look()


# -- who gets in


@pytest.mark.parametrize("secret", ["", "x", "A" * 43, "é", "cp_abcdefgh_" + "a" * 40])
def test_what_is_no_link_is_not_let_in(secret: str) -> None:
    a_tournament_with_links(visibility="public")

    answer = Device(secret).look()

    assert (answer.status_code, answer.json()["type"]) == (401, "about:blank")
    assert answer["WWW-Authenticate"] == 'Table realm="api"'


def test_nobody_and_a_program_of_a_user_have_no_table() -> None:
    a_tournament_with_links(visibility="public")

    answers = [client.get(TABLE) for client in (Client(), a_program(user=a_user("Sana")))]

    assert [answer.status_code for answer in answers] == [401, 401]


def test_a_revoked_link_is_told_so_and_its_successor_is_let_in() -> None:
    a_tournament_with_links()
    old = Device(the_secret())
    renew_table_link(actor=SERVER, slug="rang", session=1, table="1", at=AT)

    refused = old.look()

    assert (refused.status_code, refused.json()["type"]) == (401, "urn:courtpiece:link-revoked")
    assert Device(the_secret()).look().status_code == 200


def test_the_link_opens_no_other_address() -> None:
    a_tournament_with_links()
    client = Device(the_secret()).client
    sheet = the_match().scoresheet.uid

    found = {
        path: client.get(f"/api/v1/{path}").status_code
        for path in ("tournaments/rang", f"scoresheets/{sheet}", f"scoresheets/{sheet}/deals")
    }

    assert set(found.values()) == {404}


# -- what a device says of itself


def test_a_device_that_looks_is_heard() -> None:
    a_tournament_with_links()
    device = Device(the_secret())

    device.look(device=str(device.id), unsent=3)
    device.look(device=str(device.id), unsent=1)
    device.look()

    (report,) = DeviceReport.objects.all()
    assert (report.link, report.device, report.unsent) == (the_link(), device.id, 1)


@pytest.mark.parametrize(
    "query",
    [
        {"device": "x", "unsent": 1},
        {"device": str(uuid4())},
        {"unsent": 1},
        {"device": str(uuid4()), "unsent": -1},
    ],
)
def test_what_a_device_says_of_itself_must_be_whole(query: dict[str, object]) -> None:
    a_tournament_with_links()

    answer = Device(the_secret()).look(**query)

    assert answer.status_code == 400
    assert set(answer.json()["errors"]) <= {"device", "unsent"}
    assert not DeviceReport.objects.exists()


def test_a_link_keeps_so_many_devices_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sync, "MOST_DEVICES", 2)
    a_tournament_with_links()
    device = Device(the_secret())
    ids = [uuid4() for _ in range(3)]

    for one in ids:
        device.look(device=str(one), unsent=0)

    assert set(DeviceReport.objects.values_list("device", flat=True)) == set(ids[1:])


def test_a_link_is_asked_so_often_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LookThrottle, "rate", "2/min")
    a_tournament_with_links()

    statuses = [Device(the_secret()).look().status_code for _ in range(3)]

    assert statuses == [200, 200, 429]
    assert Device(the_secret("2")).look().status_code == 200


def test_a_match_that_was_taken_back_is_no_longer_there() -> None:
    a_tournament_with_links()
    revoke_table_link(actor=SERVER, slug="rang", session=1, table="2", at=AT)
    match = the_match(round_number=3)
    match.table = "7"
    match.save(update_fields=["table"])

    table = Device(the_secret()).look().json()

    assert [one["round"]["number"] for one in table["matches"]] == [1, 2]
    assert not Deal.objects.exists()


def test_a_deal_says_as_what_somebody_wrote_it_and_not_who() -> None:
    a_tournament_with_links()
    device, sheet = Device(the_secret()), the_match().scoresheet
    device.outcomes(*(an_item(a_text(number)) for number in (1, 2, 3)))
    scorer = a_user("Sana")
    Club.objects.get().memberships.create(user=scorer, role=Role.SCORER, created_at=AT)
    scoring.record_deal(
        actor=as_actor(scorer), scoresheet_id=sheet.pk, text=a_text(4), operation_id=uuid4(), at=AT
    )
    for number, actor in ((2, a_director()), (3, SERVER)):
        scoring.correct_deal(
            actor=actor,
            deal_uid=Deal.objects.get(number=number).uid,
            base_revision=1,
            text=a_text(number, "NS 7-5"),
            reason="The slip says five.",
            operation_id=uuid4(),
            at=AT,
        )

    answer = device.look()

    deals = answer.json()["matches"][0]["deals"]
    assert [(deal["kind"], deal["made_by"]) for deal in deals] == [
        ("record", "table"),
        ("correction", "director"),
        ("correction", "server"),
        ("record", "scorer"),
    ]
    assert "Dina" not in answer.content.decode()
