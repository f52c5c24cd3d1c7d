"""What goes wrong between a phone and the site: order, repetition, clocks, and a database that is away."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random
from threading import Barrier
from typing import Any

import pytest
from django.db import InterfaceError, OperationalError, connections

from scoring import operations as scoring
from scoring.models import Deal, Operation, Revision
from scoring.operations import deals
from tests.tournaments.tables import (
    JSON,
    SYNC,
    Device,
    a_text,
    a_tournament_with_links,
    an_item,
    became,
    texts_of,
    the_match,
    the_secret,
)
from tournaments.models import DeviceReport
from tournaments.operations import sync
from tournaments.operations.sync import MOST_ITEMS


@pytest.fixture
def device() -> Device:
    a_tournament_with_links()
    return Device(the_secret())


# -- the database is away


@pytest.mark.django_db
def test_a_database_that_is_away_is_no_answer_to_any_deal(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_(**asked: Any) -> Any:
        raise OperationalError

    item = an_item(a_text())
    with monkeypatch.context() as away:
        away.setattr(sync, "record_deal", break_)
        answer = device.send(item)

    assert (answer.status_code, answer["Retry-After"]) == (503, "3")
    assert became(device.outcomes(item)) == ["created"]


@pytest.mark.django_db
def test_a_database_that_goes_away_in_the_middle_of_a_batch_leaves_what_was_written(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_(**asked: Any) -> Any:
        if "13-0" in asked["text"]:
            raise InterfaceError
        return scoring.record_deal(**asked)

    batch = [an_item(a_text(1)), an_item(a_text(2, "NS 13-0 bavney")), an_item(a_text(3))]
    with monkeypatch.context() as away:
        away.setattr(sync, "record_deal", break_)
        refused = device.send(*batch)
    before = sorted(texts_of(the_match()))
    outcomes = device.outcomes(*batch)

    assert (refused.status_code, before) == (503, [1])
    assert became(outcomes) == ["created"] * 3
    assert Revision.objects.count() == 3


@pytest.mark.django_db
def test_a_database_that_goes_away_after_the_last_deal_loses_the_answer_only(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_(*_asked: Any) -> None:
        raise OperationalError

    item = an_item(a_text())
    with monkeypatch.context() as away:
        away.setattr(sync, "_hear", break_)
        refused = device.send(item)
    (outcome,) = device.outcomes(item)

    assert refused.status_code == 503
    assert (outcome["outcome"], outcome["revision"]) == ("created", 1)
    assert Revision.objects.count() == 1


# -- order and size


@pytest.mark.django_db
def test_two_hundred_good_deals_of_a_batch_are_recorded_in_whatever_order_they_stand(device: Device) -> None:
    items = [an_item(a_text(number)) for number in range(1, MOST_ITEMS + 1)]
    Random(7).shuffle(items)

    outcomes = device.outcomes(*items)
    again = device.outcomes(*reversed(items))

    assert became(outcomes) == ["created"] * MOST_ITEMS
    assert again == list(reversed(outcomes))
    assert sorted(texts_of(the_match())) == list(range(1, MOST_ITEMS + 1))
    assert Revision.objects.count() == Operation.objects.count() == MOST_ITEMS


@pytest.mark.django_db
def test_batches_that_arrive_the_wrong_way_round_are_settled_by_number(device: Device) -> None:
    earlier = [an_item(a_text(number)) for number in (1, 2, 3)]
    later = [an_item(a_text(number)) for number in (4, 5)]

    outcomes = [*device.outcomes(*later), *device.outcomes(*earlier)]

    assert became(outcomes) == ["created"] * 5
    assert sorted(texts_of(the_match())) == [1, 2, 3, 4, 5]
    assert not Deal.objects.exclude(problems=[]).exists()


@pytest.mark.django_db
def test_a_replacement_that_overtakes_its_deal_is_kept_for_when_the_deal_has_come(device: Device) -> None:
    deal, replacement = an_item(a_text(1)), an_item(a_text(1, "NS 7-6"), base=1)

    outcomes = [device.outcomes(one)[0]["outcome"] for one in (replacement, deal, replacement)]

    assert outcomes == ["rejected", "created", "created"]
    assert "NS 7-6" in texts_of(the_match())[1]


@pytest.mark.django_db
def test_an_id_twice_in_one_batch_is_one_deal(device: Device) -> None:
    item = an_item(a_text(1))

    first, second = device.outcomes(item, item)

    assert first == second
    assert Revision.objects.count() == 1


# -- clocks


@pytest.mark.django_db
@pytest.mark.parametrize("wrong_by", [timedelta(days=-366), timedelta(days=366)])
def test_what_a_phones_clock_says_is_never_believed(device: Device, wrong_by: timedelta) -> None:
    before = Device(the_secret("2")).look().json()["server_time"]
    item = {**an_item(a_text(1)), "made_at": f"{2026 + wrong_by.days // 366}-11-29T18:00:00Z"}

    answer = device.client.post(
        SYNC, {"device": str(device.id), "unsent": 1, "items": [item]}, content_type=JSON
    )
    looked = device.look(device=str(device.id), unsent=0)

    said, made = answer.json()["server_time"], Revision.objects.get().made_at
    assert became(answer.json()["outcomes"]) == ["created"]
    assert before <= said <= looked.json()["server_time"]
    assert abs(made - DeviceReport.objects.get().heard_at) < timedelta(minutes=1)
    assert made.isoformat()[:16] == said[:16]


@pytest.mark.django_db
def test_a_date_in_the_text_that_is_not_the_matchs_is_shown_and_keeps_nothing_back(device: Device) -> None:
    wrong, right = an_item(a_text(1) + '[Date "2025.11.29"]\n'), an_item(a_text(2))

    outcomes = device.outcomes(wrong, right)

    assert outcomes[1]["outcome"] == "created"
    assert {outcomes[0]["outcome"]} <= {"created", "rejected"}


# -- at the same time


def at_once(*batches: Sequence[dict[str, Any]], secrets: Sequence[str]) -> list[Any]:
    """Send the batches in the same moment, each from a phone of its own, and return the answers."""
    start = Barrier(len(batches))

    def send(secret: str, batch: Sequence[dict[str, Any]]) -> Any:
        try:
            start.wait()
            return Device(secret).send(*batch)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(batches)) as threads:
        return list(threads.map(send, secrets, batches))


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_batch_that_comes_four_times_at_once_is_written_once_and_answered_alike(device: Device) -> None:
    batch = [an_item(a_text(number)) for number in range(1, 9)]

    answers = at_once(*[batch] * 4, secrets=[device.secret] * 4)

    first, *others = [answer.json()["outcomes"] for answer in answers]
    assert [answer.status_code for answer in answers] == [200] * 4
    assert became(first) == ["created"] * 8
    assert all(other == first for other in others)
    assert Revision.objects.count() == Operation.objects.count() == 8


@pytest.mark.django_db(transaction=True)
def test_what_another_process_writes_in_the_same_moment_is_found_and_never_an_unforeseen_error(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = an_item(a_text(1))
    device.outcomes(first)
    again = {**an_item(a_text(2)), "operation_id": first["operation_id"]}
    too_early, look = iter([True]), deals._answers_before
    monkeypatch.setattr(deals, "_answers_before", lambda asked: {} if next(too_early, False) else look(asked))

    (outcome,) = device.outcomes(again)

    assert outcome["outcome"] == "rejected"
    assert [problem["code"] for problem in outcome["problems"]] == ["operation-reused"]
    assert Revision.objects.count() == Operation.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_replacement_that_comes_four_times_at_once_is_made_once(device: Device) -> None:
    device.outcomes(an_item(a_text(1)))
    replacement = an_item(a_text(1, "NS 7-6"), base=1)

    answers = at_once(*[[replacement]] * 4, secrets=[device.secret] * 4)

    assert [became(answer.json()["outcomes"]) for answer in answers] == [["created"]] * 4
    assert Revision.objects.count() == 2


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_phones_that_enter_the_same_deals_at_once_agree_or_conflict_and_lose_nothing(
    device: Device,
) -> None:
    one = [an_item(a_text(number)) for number in range(1, 9)]
    other = [an_item(a_text(number, "EW 7-2" if number % 2 else "NS 7-4")) for number in range(8, 0, -1)]

    answers = at_once(one, other, secrets=[device.secret] * 2)

    first, second = (
        {outcome["number"]: outcome["outcome"] for outcome in answer.json()["outcomes"]} for answer in answers
    )
    assert Revision.objects.count() == 8
    for number in range(1, 9):
        expected = {"created", "conflict"} if number % 2 else {"created", "duplicate"}
        assert {first[number], second[number]} == expected


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_tables_write_at_once_and_nothing_of_one_is_at_the_other(device: Device) -> None:
    at_two = the_match("2").scoresheet.uid
    one = [an_item(a_text(number)) for number in range(1, 9)]
    two = [an_item(a_text(number), sheet=at_two) for number in range(1, 9)]

    answers = at_once(one, two, secrets=[device.secret, the_secret("2")])

    assert [became(answer.json()["outcomes"]) for answer in answers] == [["created"] * 8] * 2
    assert sorted(texts_of(the_match())) == sorted(texts_of(the_match("2"))) == list(range(1, 9))
