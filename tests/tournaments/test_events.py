"""What programs are told of a tournament: every event once, in order, with what happened, and to nobody else."""

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from courtpiece.accounts.models import Club
from courtpiece.accounts.permissions import SERVER
from scoring.models import Collection, Deal, StreamEvent
from scoring.operations import correct_deal, record_deal, record_sheet
from tests.accounts.builders import AT, a_club, a_user
from tests.api.builders import API, a_program
from tests.tournaments import drawn
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_match, a_scheduled_tournament, upload
from tests.tournaments.tables import a_director, a_text, the_match
from tournaments.models import Round, Tournament
from tournaments.operations.closing import close_for_results, make_final, make_official, reopen_tournament
from tournaments.operations.creating import publish_tournament
from tournaments.operations.live import change_live_delay
from tournaments.operations.schedules import take_back_round
from tournaments.operations.standings import bring_up_to_date

pytestmark = pytest.mark.django_db

EVENTS = f"{API}tournaments/rang/events"


def a_tournament(visibility: str = "public") -> Tournament:
    return a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, club_id=a_club().pk, visibility=visibility)


def record(number: int = 1, result: str = "NS 7-4", dealer: str = "E", table: str = "1") -> Deal:
    sheet = the_match(table).scoresheet
    record_deal(
        actor=SERVER,
        scoresheet_id=sheet.pk,
        text=a_text(number, result, dealer),
        operation_id=uuid4(),
        at=AT,
    )
    return Deal.objects.get(scoresheet=sheet, number=number)


def told(after: int = 0, **query: int) -> Any:
    answer = a_program().get(EVENTS, {"after": after, **query})
    assert answer.status_code == 200, answer.content.decode()
    return answer.json()


def kinds(after: int = 0) -> list[str]:
    return [event["type"] for event in told(after)["results"] if event["type"] != "standings.changed"]


def last() -> int:
    return Collection.objects.get().events


def test_a_recorded_deal_is_told_with_ids_versions_and_addresses() -> None:
    a_tournament()
    before = last()

    deal = record()

    event = told(before)["results"][0]
    sheet = the_match().scoresheet
    assert event == {
        "number": before + 1,
        "type": "deal.recorded",
        "timestamp": "2026-11-29T18:00:00Z",
        "version": 2,
        "tournament": {"slug": "rang", "url": "http://testserver/api/v1/tournaments/rang"},
        "data": {
            "scoresheet": {
                "id": str(sheet.uid),
                "url": f"http://testserver/api/v1/scoresheets/{sheet.uid}",
            },
            "deals": [
                {
                    "id": str(deal.uid),
                    "number": 1,
                    "revision": 1,
                    "kind": "record",
                    "cards_from": None,
                    "url": f"http://testserver/api/v1/deals/{deal.uid}",
                }
            ],
        },
    }


def test_new_standings_are_told_after_what_changed_them() -> None:
    a_tournament()
    before = last()

    record()
    bring_up_to_date(slug="rang", now=AT)

    _deal, standings = told(before)["results"]
    assert standings["data"] == {
        "standings": {
            "version": 2,
            "status": "provisional",
            "url": "http://testserver/api/v1/tournaments/rang/standings",
        }
    }
    assert (standings["type"], standings["number"]) == ("standings.changed", before + 2)


def test_standings_that_are_computed_again_are_not_told_again() -> None:
    a_tournament()
    bring_up_to_date(slug="rang", now=AT)
    before = last()

    bring_up_to_date(slug="rang", now=AT)

    assert last() == before


def test_a_correction_is_told_with_the_revision_that_it_made() -> None:
    a_tournament()
    deal = record()
    before = last()

    correct_deal(
        actor=SERVER,
        deal_uid=deal.uid,
        base_revision=1,
        text=a_text(1, "NS 7-5"),
        reason="The paper says so.",
        operation_id=uuid4(),
        at=AT,
    )

    event = told(before)["results"][0]
    (told_deal,) = event["data"]["deals"]
    assert (event["type"], told_deal["revision"], told_deal["kind"]) == ("deal.corrected", 2, "correction")


def test_many_deals_of_one_write_are_one_event() -> None:
    a_tournament()
    before = last()
    text = "\n".join(a_text(number) for number in (1, 2, 3))

    record_sheet(
        actor=SERVER, scoresheet_uid=the_match().scoresheet.uid, text=text, operation_id=uuid4(), at=AT
    )

    (event, *_standings) = told(before)["results"]
    assert [deal["number"] for deal in event["data"]["deals"]] == [1, 2, 3]


def test_the_same_write_again_is_no_event() -> None:
    a_tournament()
    asked: Any = {"actor": SERVER, "scoresheet_id": the_match().scoresheet_id, "text": a_text(), "at": AT}
    operation_id = uuid4()
    record_deal(**asked, operation_id=operation_id)
    before = kinds()

    record_deal(**asked, operation_id=operation_id)
    record_deal(**asked, operation_id=uuid4())

    assert kinds() == before


def test_numbers_have_no_gap_and_are_in_the_order_of_what_happened() -> None:
    a_tournament()
    for number, dealer in ((1, "E"), (2, "E"), (3, "E")):
        record(number, dealer=dealer)

    numbers = [event["number"] for event in told()["results"]]
    assert numbers == list(range(1, last() + 1))
    assert kinds() == ["round.published"] * 3 + ["deal.recorded"] * 3


def test_a_round_is_told_when_it_is_published_and_when_it_is_taken_back() -> None:
    drawn.a_tournament("swiss", 4, rounds=3)
    one = drawn.a_round()
    slug = Tournament.objects.get().slug

    take_back_round(actor=SERVER, slug=slug, number=1, act_id=None, at=AT)

    rows = StreamEvent.objects.filter(kind__startswith="round").order_by("number")
    assert [(row.kind, row.data) for row in rows] == [
        ("round.published", {"round": {"id": str(one.uid), "number": 1}}),
        ("round.taken-back", {"round": {"id": str(one.uid), "number": 1}}),
    ]
    assert not Round.objects.exists()


def test_rounds_that_an_upload_makes_are_told_once_whenever_they_come() -> None:
    a_tournament()
    before = last()

    for _ in range(2):
        upload(a_match(["NS 7-4"], round="4"), a_match(["EW 7-4"], round="5"))

    made = Round.objects.filter(number__gt=3).order_by("number")
    rounds = [event for event in told(before)["results"] if event["type"] == "round.published"]
    assert [event["data"]["round"]["id"] for event in rounds] == [str(one.uid) for one in made]
    assert kinds(before) == ["deal.recorded"] * 2 + ["round.published"] * 2


def test_a_final_tournament_is_told_and_so_is_that_it_was_opened_again() -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk, format="single")
    upload(a_match(["NS 7-4"]))
    close_for_results(actor=SERVER, slug="rang", at=AT)
    later = AT + timedelta(days=1)
    make_official(actor=SERVER, slug="rang", at=later)
    before = last()

    make_final(actor=SERVER, slug="rang", at=later)
    reopen_tournament(actor=SERVER, slug="rang", reason="A protest.", at=later)

    events = [event for event in told(before)["results"] if event["type"].startswith("tournament")]
    assert [(event["type"], event["data"]) for event in events] == [
        ("tournament.final", {"status": "final"}),
        ("tournament.reopened", {"status": "provisional"}),
    ]


def test_what_happened_is_never_changed_or_removed() -> None:
    a_tournament()
    row = StreamEvent.objects.filter(number=1)

    for statement in (
        "UPDATE scoring_streamevent SET kind = 'x' WHERE number = 1",
        "DELETE FROM scoring_streamevent WHERE number = 1",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    assert row.get().kind == "round.published"


def test_a_deal_that_is_not_written_leaves_no_event_and_no_gap() -> None:
    a_tournament()
    before = last()

    with transaction.atomic():
        record()
        transaction.set_rollback(True)
    record()

    assert told(before)["results"][0]["number"] == before + 1


def test_a_recorded_deal_costs_one_statement_more_for_its_event() -> None:
    a_tournament()
    record(1)

    with CaptureQueriesContext(connection) as caught:
        record(2)

    statements = [one["sql"] for one in caught.captured_queries]
    counted = [sql for sql in statements if '"events" = ' in sql]
    assert len([sql for sql in statements if "streamevent" in sql]) == 1
    assert [sql for sql in counted if '"version" = ' not in sql] == []


# -- who is told


def test_no_result_no_card_and_no_name_is_in_what_is_told() -> None:
    tournament = a_tournament()
    change_live_delay(actor=SERVER, slug=tournament.slug, live_delay=15, at=AT)
    before = last()

    record(result="EW 7-0 court")

    (event, *_standings) = told(before)["results"]
    text = json.dumps(event)
    assert event["data"]["deals"][0]["cards_from"] == "2026-11-29T18:15:00Z"
    assert not any(word in text for word in ('court"', "7-0", "Asif", "winner", "pcn"))


def test_a_private_tournament_is_told_to_its_own_and_is_not_there_for_others() -> None:
    a_tournament("private")
    director = a_director()
    assert director.user_id is not None

    nobody = a_program().get(EVENTS)
    stranger = a_program(user=a_user("Omar")).get(EVENTS)
    nowhere = a_program().get(f"{API}tournaments/nowhere/events")

    assert [one.status_code for one in (nobody, stranger, nowhere)] == [404, 404, 404]
    assert nobody.json()["detail"] == nowhere.json()["detail"]


def test_a_tournament_that_becomes_private_is_told_no_more() -> None:
    tournament = a_tournament()
    assert told()["last"] > 0

    publish_tournament(actor=SERVER, slug=tournament.slug, visibility="private", act_id=None, at=AT)

    assert a_program().get(EVENTS).status_code == 404


# -- the list


def test_a_long_list_is_followed_part_by_part_to_its_end() -> None:
    a_tournament()
    record(1)

    first = told(limit=2)
    address = first["next"]
    numbers = [event["number"] for event in first["results"]]
    while address:
        answer = a_program().get(address.removeprefix("http://testserver")).json()
        numbers += [event["number"] for event in answer["results"]]
        address = answer["next"]

    assert numbers == list(range(1, last() + 1))


def test_who_has_all_gets_nothing_and_the_same_answer_again() -> None:
    a_tournament()
    program = a_program()
    answer = program.get(EVENTS, {"after": last()})

    again = program.get(EVENTS, {"after": last()}, headers={"If-None-Match": answer["ETag"]})

    assert answer.json() == {"last": last(), "next": None, "results": []}
    assert again.status_code == 304


def test_a_new_event_is_another_answer() -> None:
    a_tournament()
    program, before = a_program(), last()
    tag = program.get(EVENTS, {"after": before})["ETag"]

    record()

    assert program.get(EVENTS, {"after": before}, headers={"If-None-Match": tag}).status_code == 200


@pytest.mark.parametrize("query", ["after=-1", "after=x", "after=99999999999999999999", "limit=0", "since=1"])
def test_a_parameter_that_cannot_be_is_named(query: str) -> None:
    a_tournament()

    answer = a_program().get(f"{EVENTS}?{query}")

    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == [query.partition("=")[0]]


@pytest.mark.parametrize("count", [1, 3])
def test_any_number_of_events_takes_three_queries(count: int, django_assert_num_queries: Any) -> None:
    a_tournament()
    assert Club.objects.count() == 1

    with django_assert_num_queries(3):
        a_program().get(EVENTS, {"limit": count})
