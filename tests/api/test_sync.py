"""Deals that devices send: an outcome for each, whatever was lost, repeated, crossed or revoked on the way."""

from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.models import Role, User
from courtpiece.accounts.permissions import SERVER
from scoring import operations as scoring
from scoring.models import Deal, Operation, Revision
from tests.accounts.builders import AT, a_browser, a_club, a_user
from tests.api.builders import a_program
from tests.tournaments.tables import (
    JSON,
    SYNC,
    Device,
    a_director,
    a_text,
    a_tournament_with_links,
    an_item,
    at_table,
    became,
    texts_of,
    the_link,
    the_match,
    the_secret,
)
from tournaments.api.authentication import SyncThrottle
from tournaments.models import DeviceReport, TableLink, Tournament
from tournaments.operations import sync
from tournaments.operations.links import renew_table_link, revoke_table_link
from tournaments.operations.matches import set_match_state
from tournaments.operations.sync import SentDeal, sync_deals

pytestmark = pytest.mark.django_db


@pytest.fixture
def device() -> Device:
    a_tournament_with_links()
    return Device(the_secret())


def codes_of(outcome: dict[str, Any]) -> list[str]:
    return [problem["code"] for problem in outcome["problems"]]


def correct(number: int = 1, result: str = "NS 7-5") -> None:
    """Let a director correct a deal of the first match."""
    deal = Deal.objects.get(scoresheet=the_match().scoresheet, number=number)
    scoring.correct_deal(
        actor=SERVER,
        deal_uid=deal.uid,
        base_revision=deal.revision,
        text=a_text(number, result),
        reason="The players say so.",
        operation_id=uuid4(),
        at=AT,
    )


# -- written


def test_a_deal_that_is_sent_is_recorded_and_the_history_names_the_link(device: Device) -> None:
    item = an_item(a_text())

    (outcome,) = device.outcomes(item)

    deal = Deal.objects.get()
    revision = Revision.objects.get()
    assert outcome == {
        "operation_id": item["operation_id"],
        "scoresheet": item["scoresheet"],
        "outcome": "created",
        "number": 1,
        "deal": str(deal.uid),
        "revision": 1,
        "current": None,
        "offered": None,
        "problems": [],
    }
    assert (revision.made_by, revision.made_via) == (None, "table")
    assert revision.source == f"table 1, link {the_link().uid.hex[:8]}"
    assert texts_of(the_match()) == {1: revision.pcn}


def test_a_deal_reaches_the_tournament_as_any_other_does(device: Device) -> None:
    before = Tournament.objects.get().collection.version

    device.outcomes(an_item(a_text(1)), an_item(a_text(2)))

    assert Tournament.objects.get().collection.version == before + 2


def test_a_warning_stops_nothing_and_is_told(device: Device) -> None:
    (outcome,) = device.outcomes(an_item(a_text(3)))

    assert (outcome["outcome"], codes_of(outcome)) == ("created", ["deal-gap"])


def test_a_scorer_with_a_token_or_a_session_sends_to_every_table() -> None:
    a_tournament_with_links()
    sana = a_user("Sana")
    sana.memberships.create(club=Tournament.objects.get().club, role=Role.SCORER, created_at=AT)
    body = {"device": str(uuid4()), "unsent": 1}
    one, two = the_match("1").scoresheet.uid, the_match("2").scoresheet.uid

    by_token = a_program(user=sana).post(
        SYNC, {**body, "items": [an_item(a_text(), sheet=one)]}, content_type=JSON
    )
    by_page = a_browser(sana).post(SYNC, {**body, "items": [an_item(a_text(), sheet=two)]}, content_type=JSON)

    assert [became(answer.json()["outcomes"]) for answer in (by_token, by_page)] == [["created"], ["created"]]
    assert set(Revision.objects.values_list("made_by", "made_via")) == {(sana.pk, "api")}
    assert not DeviceReport.objects.exists()


# -- lost, repeated, reordered, crossed


def test_a_batch_whose_answer_was_lost_gets_the_same_answer_and_writes_nothing(device: Device) -> None:
    batch = [an_item(a_text(1)), an_item("no deal"), an_item(a_text(1, "EW 7-1")), an_item(a_text(2))]

    first = device.outcomes(*batch)
    written = Operation.objects.count(), Revision.objects.count()
    again = device.outcomes(*batch)

    assert became(first) == ["created", "rejected", "conflict", "created"]
    assert again == first
    assert (Operation.objects.count(), Revision.objects.count()) == written


def test_a_batch_that_arrives_in_another_order_is_the_same_match(device: Device) -> None:
    items = [an_item(a_text(number)) for number in (1, 2, 3)]

    outcomes = device.outcomes(items[2], items[0], items[1])
    again = device.outcomes(*items)

    assert became(outcomes) == became(again) == ["created"] * 3
    assert sorted(texts_of(the_match())) == [1, 2, 3]
    assert not Deal.objects.exclude(problems=[]).exists()


def test_the_same_deal_from_two_devices_is_one(device: Device) -> None:
    other = Device(the_secret())

    (first,) = device.outcomes(an_item(a_text()))
    (second,) = other.outcomes(an_item(a_text()))

    assert (first["outcome"], second["outcome"]) == ("created", "duplicate")
    assert (first["deal"], second["revision"]) == (second["deal"], 1)
    assert Revision.objects.count() == 1


def test_two_devices_in_conflict_get_both_texts_and_nothing_is_lost(device: Device) -> None:
    device.outcomes(an_item(a_text(1, "NS 7-4")))
    text = a_text(1, "EW 7-4")

    first, second = Device(the_secret()).outcomes(an_item(text), an_item(a_text(2)))

    assert (first["outcome"], first["number"], first["revision"]) == ("conflict", 1, 1)
    assert first["current"] == {"revision": 1, "pcn": texts_of(the_match())[1]}
    assert first["offered"] == {"pcn": text}
    assert second["outcome"] == "created"


def test_an_id_that_comes_again_with_another_deal_is_refused(device: Device) -> None:
    operation_id = uuid4()

    first, second = device.outcomes(
        an_item(a_text(1), operation_id=operation_id), an_item(a_text(2), operation_id=operation_id)
    )

    assert (first["outcome"], second["outcome"]) == ("created", "rejected")
    assert codes_of(second) == ["operation-reused"]


# -- entering again


def test_the_last_deal_can_be_entered_again_by_the_link_that_entered_it(device: Device) -> None:
    device.outcomes(an_item(a_text(1)), an_item(a_text(2)))

    (outcome,) = device.outcomes(an_item(a_text(2, "NS 7-6"), base=1))

    history = Revision.objects.filter(deal__number=2).order_by("number")
    assert (outcome["outcome"], outcome["revision"]) == ("created", 2)
    assert [(one.kind, one.reason) for one in history] == [
        ("record", ""),
        ("correction", "Entered again at the table."),
    ]


def test_a_replacement_that_is_repeated_is_made_once(device: Device) -> None:
    device.outcomes(an_item(a_text()))
    replacement = an_item(a_text(1, "NS 7-6"), base=1)

    first, again, anew = (
        device.outcomes(one)[0] for one in (replacement, replacement, an_item(a_text(1, "NS 7-6"), base=1))
    )

    assert first == again
    assert (anew["outcome"], anew["revision"]) == ("duplicate", 2)
    assert Revision.objects.count() == 2


def test_an_earlier_deal_another_ones_and_a_directors_is_not_replaced(device: Device) -> None:
    device.outcomes(an_item(a_text(1)), an_item(a_text(2)))
    earlier = device.outcomes(an_item(a_text(1, "NS 7-6"), base=1))
    renew_table_link(actor=SERVER, slug="rang", session=1, table="1", at=AT)
    of_the_old_link = Device(the_secret()).outcomes(an_item(a_text(2, "NS 7-6"), base=1))
    correct(2)
    directors = Device(the_secret()).outcomes(an_item(a_text(2, "NS 7-6"), base=2))

    for (outcome,) in (earlier, of_the_old_link, directors):
        assert (outcome["outcome"], codes_of(outcome)) == ("rejected", ["not-yours-to-replace"])


def test_a_replacement_of_what_a_director_changed_is_a_conflict(device: Device) -> None:
    device.outcomes(an_item(a_text()))
    correct(1, "NS 7-5")

    (outcome,) = device.outcomes(an_item(a_text(1, "NS 7-6"), base=1))

    assert (outcome["outcome"], outcome["revision"]) == ("conflict", 2)
    assert "NS 7-5" in outcome["current"]["pcn"]


def test_two_devices_that_make_the_same_replacement_agree(device: Device) -> None:
    device.outcomes(an_item(a_text()))

    outcomes = [
        one.outcomes(an_item(a_text(1, "NS 7-6"), base=1))[0] for one in (device, Device(the_secret()))
    ]

    assert became(outcomes) == ["created", "duplicate"]
    assert [one["revision"] for one in outcomes] == [2, 2]


def test_what_was_never_recorded_is_not_replaced(device: Device) -> None:
    (outcome,) = device.outcomes(an_item(a_text(), base=1))

    assert (outcome["outcome"], codes_of(outcome)) == ("rejected", ["no-such-deal"])
    assert outcome["problems"][0]["line"] == 1


def test_a_scorer_replaces_the_last_own_deal_and_a_director_any(device: Device) -> None:
    device.outcomes(an_item(a_text(1)), an_item(a_text(2)))
    sana = a_user("Sana")
    sana.memberships.create(club=Tournament.objects.get().club, role=Role.SCORER, created_at=AT)
    scorer = a_program(user=sana)
    director = a_program(user=User.objects.get(pk=a_director().user_id or 0))

    def send(program: Any, item: dict[str, Any]) -> str:
        body = {"device": str(uuid4()), "unsent": 1, "items": [item]}
        return str(program.post(SYNC, body, content_type=JSON).json()["outcomes"][0]["outcome"])

    found = [
        send(scorer, an_item(a_text(2, "NS 7-6"), base=1)),
        send(scorer, an_item(a_text(3))),
        send(scorer, an_item(a_text(3, "NS 7-6"), base=1)),
        send(director, an_item(a_text(1, "NS 7-6"), base=1)),
    ]

    assert found == ["rejected", "created", "created", "created"]


# -- refused


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("", "one-record", 1),
        ("nonsense", "bad-syntax", 1),
        (a_text() + "\n" + a_text(2), "one-record", 6),
        ('[Deal "1"]\n[Rules "court-piece"]\n[Dealer "Q"]\n[Result "NS 7-4"]\n', "bad-value", 3),
        (a_text().replace("court-piece", "double-sir"), "other-rules", 2),
        (a_text() + '[Table "2"]\n', "other-match", 5),
        ("\x00", "bad-encoding", 1),
        ("\ud800", "bad-encoding", 1),
        (a_text() + '[Note "\ud800"]\n', "bad-encoding", 5),
    ],
)
def test_what_cannot_be_written_says_where_and_stops_nothing(
    device: Device, text: str, code: str, line: int
) -> None:
    first, second = device.outcomes(an_item(text), an_item(a_text()))

    assert (first["outcome"], first["deal"], first["revision"]) == ("rejected", None, None)
    assert (first["problems"][0]["code"], first["problems"][0]["line"]) == (code, line)
    assert second["outcome"] == "created"


def test_a_failure_that_nobody_foresaw_stops_nothing(
    device: Device, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def break_(**asked: Any) -> Any:
        if "13-0" in asked["text"]:
            raise ZeroDivisionError
        return scoring.record_deal(**asked)

    monkeypatch.setattr(sync, "record_deal", break_)

    first, second = device.outcomes(an_item(a_text(1, "NS 13-0")), an_item(a_text(2)))

    assert (first["outcome"], codes_of(first)) == ("rejected", ["unforeseen"])
    assert second["outcome"] == "created"
    assert "could not be taken" in caplog.text


def test_a_match_that_is_over_takes_no_new_deal_but_answers_for_old_ones(device: Device) -> None:
    first, second = an_item(a_text(1)), an_item(a_text(2))
    before = device.outcomes(first)
    set_match_state(actor=SERVER, uid=the_match().uid, state="finished", at=AT)

    again, known, new, other = device.outcomes(
        first, an_item(a_text(1)), second, an_item(a_text(1, "EW 7-4"))
    )
    set_match_state(actor=SERVER, uid=the_match().uid, state="open", at=AT)
    reopened = device.outcomes(second)

    assert [again] == before
    assert (known["outcome"], new["outcome"], other["outcome"]) == ("duplicate", "rejected", "conflict")
    assert codes_of(new) == ["match-is-over"]
    assert became(reopened) == ["created"]


# -- who gets in


def test_a_link_writes_at_no_other_table_and_finds_out_nothing(device: Device) -> None:
    others = [
        an_item(a_text(), sheet=the_match("2").scoresheet.uid),
        an_item(a_text(), sheet=uuid4()),
        an_item(a_text(), sheet=the_match("2").scoresheet.uid, base=1),
    ]

    outcomes = device.outcomes(*others)

    assert became(outcomes) == ["rejected"] * 3
    assert [outcome["problems"] for outcome in outcomes[1:]] == [outcomes[0]["problems"]] * 2
    assert codes_of(outcomes[0]) == ["not-found"]
    assert not Deal.objects.exists()


def test_a_link_of_another_tournament_of_the_same_club_writes_nothing_here(device: Device) -> None:
    a_tournament_with_links(slug="other", club="lahore")

    (outcome,) = Device(the_secret(slug="other")).outcomes(an_item(a_text()))

    assert (outcome["outcome"], codes_of(outcome)) == ("rejected", ["not-found"])


def test_who_has_no_right_in_the_club_writes_nothing() -> None:
    a_tournament_with_links(visibility="public")
    omar = a_user("Omar")
    a_club("far", members=[(omar, Role.OWNER)])
    body = {"device": str(uuid4()), "unsent": 1, "items": [an_item(a_text())]}

    answers = [client.post(SYNC, body, content_type=JSON) for client in (a_browser(omar), a_browser())]

    assert codes_of(answers[0].json()["outcomes"][0]) == ["not-found"]
    assert answers[1].status_code == 401
    assert not Deal.objects.exists()


def test_a_token_without_the_scope_is_told_which() -> None:
    a_tournament_with_links()
    sana = a_user("Sana")
    sana.memberships.create(club=Tournament.objects.get().club, role=Role.SCORER, created_at=AT)
    body = {"device": str(uuid4()), "unsent": 1, "items": [an_item(a_text())]}

    answer = a_program(user=sana, scopes=["read"]).post(SYNC, body, content_type=JSON)

    assert answer.status_code == 403
    assert "deals:write" in answer.json()["detail"]


def test_a_revoked_link_says_so_and_its_deals_go_by_the_next_one(device: Device) -> None:
    first, second = an_item(a_text(1)), an_item(a_text(2))
    before = device.outcomes(first)
    renew_table_link(actor=SERVER, slug="rang", session=1, table="1", at=AT)

    refused = device.send(first, second)
    taken = Device(the_secret(), id=device.id).outcomes(first, second)

    assert (refused.status_code, refused.json()["type"]) == (401, "urn:courtpiece:link-revoked")
    assert (taken[0], taken[1]["outcome"]) == (before[0], "created")
    assert Revision.objects.count() == 2


def test_a_link_that_is_revoked_in_the_middle_of_a_batch_writes_no_more(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    def revoke_after(**asked: Any) -> Any:
        answer = scoring.record_deal(**asked)
        TableLink.objects.update(revoked_at=AT)
        return answer

    monkeypatch.setattr(sync, "record_deal", revoke_after)

    first, second = device.outcomes(an_item(a_text(1)), an_item(a_text(2)))

    assert (first["outcome"], codes_of(second)) == ("created", ["link-revoked"])
    assert sorted(texts_of(the_match())) == [1]


def test_a_locked_tournament_takes_nothing(device: Device) -> None:
    scoring.lock_collection(collection_id=Tournament.objects.get().collection_id)

    (outcome,) = device.outcomes(an_item(a_text()))

    assert (outcome["outcome"], codes_of(outcome)) == ("rejected", ["collection-locked"])


# -- shapes


ITEM = {"operation_id": str(uuid4()), "scoresheet": str(uuid4()), "base_revision": None, "pcn": "x"}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"device": "x"}, ["device"]),
        ({"unsent": -1}, ["unsent"]),
        ({"items": {}}, ["items"]),
        ({"items": [ITEM, {**ITEM, "pcn": 5}, ITEM]}, ["items", "1", "pcn"]),
        ({"items": [{**ITEM, "operation_id": "x"}]}, ["items", "0", "operation_id"]),
        ({"items": [{**ITEM, "scoresheet": "x"}]}, ["items", "0", "scoresheet"]),
        ({"items": [{**ITEM, "base_revision": 0}]}, ["items", "0", "base_revision"]),
        ({"items": [{**ITEM, "base_revision": 2**31}]}, ["items", "0", "base_revision"]),
        ({"items": ["deal"]}, ["items", "0"]),
        ({"items": [ITEM] * 201}, ["items"]),
    ],
)
def test_a_body_of_another_shape_is_refused_with_the_place(
    device: Device, change: dict[str, Any], place: list[str]
) -> None:
    body = {"device": str(device.id), "unsent": 1, "items": [], **change}

    answer = device.client.post(SYNC, body, content_type=JSON)

    found = answer.json()["errors"]
    assert answer.status_code == 400
    for step in place:
        found = found[step]
    assert found


@pytest.mark.parametrize("body", ["", "{", "[]", "7", '"x"', "null", '{"device": 1e999}'])
def test_a_body_that_is_none_is_refused(device: Device, body: str) -> None:
    answer = device.client.post(SYNC, body, content_type=JSON)

    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")


def test_two_hundred_deals_go_at_once(device: Device) -> None:
    outcomes = device.outcomes(*(an_item("no deal") for _ in range(200)))

    assert became(outcomes) == ["rejected"] * 200


# -- heard from


def test_what_is_left_on_a_device_is_what_was_not_taken(device: Device) -> None:
    device.outcomes(an_item(a_text(1)), an_item("no deal"), an_item(a_text(2)), unsent=5)

    (report,) = DeviceReport.objects.all()
    assert (report.device, report.unsent) == (device.id, 3)


def test_a_device_says_more_than_it_has_and_is_heard_all_the_same(device: Device) -> None:
    device.outcomes(an_item(a_text(1)), unsent=0)

    assert DeviceReport.objects.get().unsent == 0


# -- how often, how dear


def test_a_link_sends_so_often_and_no_more(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SyncThrottle, "rate", "2/min")
    cache.clear()

    statuses = [Device(the_secret()).send(an_item(a_text())).status_code for _ in range(3)]

    assert statuses == [200, 200, 429]
    assert Device(the_secret("2")).send().status_code == 200


@pytest.mark.parametrize("deals", [0, 5])
def test_a_deal_costs_the_same_whatever_was_played(
    device: Device, deals: int, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    device.outcomes(*(an_item(a_text(number)) for number in range(1, deals + 1)))
    item = an_item(a_text(deals + 1))

    with django_assert_max_num_queries(35):
        device.outcomes(item)


def test_an_operation_is_called_without_http_too(device: Device) -> None:
    sent = SentDeal(operation_id=uuid4(), scoresheet=the_match().scoresheet.uid, pcn=a_text())

    (outcome,) = sync_deals(actor=at_table(), count=None, deals=[sent], at=AT)
    revoke_table_link(actor=SERVER, slug="rang", session=1, table="1", at=AT)

    assert outcome.is_taken
    assert not DeviceReport.objects.exists()
