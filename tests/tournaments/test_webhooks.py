"""Webhooks: what happened arrives, signed, until it is taken; and everybody can see what became of it."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from courtpiece.accounts.models import AuditEntry, Club, Membership, Role, User
from courtpiece.accounts.permissions import SERVER, Actor
from tests.accounts.builders import AT, a_browser, a_club, a_user, as_actor
from tests.tournaments.builders import ASIF, CHAND, a_scheduled_tournament
from tests.tournaments.receivers import a_receiver
from tests.tournaments.test_events import a_tournament, record
from tournaments.domain.webhooks import signature
from tournaments.errors import (
    BadWebhookAddress,
    NoEventChosen,
    TooManyWebhooks,
    WebhookIsPaused,
)
from tournaments.models import Tournament, Webhook, WebhookDelivery
from tournaments.operations import deliveries, webhooks
from tournaments.operations.creating import publish_tournament
from tournaments.posting import Posted
from tournaments.queries.webhooks import KINDS
from tournaments.webhook_secrets import key_of, secret_of

pytestmark = pytest.mark.django_db

DEALS = ("deal.recorded", "deal.corrected")
SOON = timedelta(seconds=1)


@pytest.fixture
def director() -> Actor:
    """Dina, who directs the club of a tournament that goes on."""
    a_tournament()
    return a_director_of("lahore")


def a_director_of(slug: str, name: str = "Dina") -> Actor:
    user = a_user(name)
    Membership.objects.create(club=Club.objects.get(slug=slug), user=user, role=Role.DIRECTOR, created_at=AT)
    return as_actor(user)


def the_user(actor: Actor) -> User:
    assert actor.user_id is not None
    return User.objects.get(pk=actor.user_id)


def a_webhook(actor: Actor, url: str = "http://127.0.0.1:9/hook", *, kinds: Any = DEALS) -> Webhook:
    made = webhooks.make_webhook(actor=actor, club_slug="lahore", url=url, kinds=kinds, at=AT)
    return Webhook.objects.get(uid=made.uid)


def at(moment: datetime = AT) -> Callable[[], datetime]:
    return lambda: moment


def prepare(moment: datetime = AT) -> int:
    return deliveries.sweep_webhooks(clock=at(moment))


def send(moment: datetime = AT, *, poster: Any = None) -> int:
    named = {} if poster is None else {"poster": poster}
    return deliveries.send_webhooks(clock=at(moment), **named)


class Answers:
    """Answers as it is told to, and knows what it was asked."""

    def __init__(self, *answers: Posted) -> None:
        self.answers = list(answers)
        self.sent: list[tuple[str, dict[str, Any], dict[str, str]]] = []

    def __call__(self, url: str, body: bytes, headers: dict[str, str], *, reach: Any) -> Posted:
        self.sent.append((url, json.loads(body), headers))
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


TAKEN = Posted(status=200, took=12, answer="thank you")
DOWN = Posted(status=503, fault="status", took=12)
GONE = Posted(status=410, fault="status", took=12)


def states() -> list[str]:
    return list(WebhookDelivery.objects.order_by("pk").values_list("state", flat=True))


# -- from what happened to who is told


def test_a_deal_arrives_signed_with_the_words_of_the_api(director: Actor) -> None:
    with a_receiver() as receiver:
        hook = a_webhook(director, receiver.url)
        deal = record()

        assert (prepare(), send()) == (1, 1)

    (one,) = receiver.received
    body = json.loads(one.body)
    assert one.headers["webhook-signature"] == signature(
        [key_of(hook.key)],
        message_id=one.headers["webhook-id"],
        seconds=int(AT.timestamp()),
        body=one.body,
    )
    assert one.headers["webhook-timestamp"] == str(int(AT.timestamp()))
    assert one.headers["content-type"] == "application/json"
    assert (body["type"], body["data"]["deals"][0]["id"]) == ("deal.recorded", str(deal.uid))
    row = WebhookDelivery.objects.get()
    assert (row.state, row.status, row.tries, row.answer) == ("delivered", 200, 1, "thank you")


def test_what_happened_before_it_was_made_is_not_sent_and_what_was_not_chosen_neither(
    director: Actor,
) -> None:
    record(1)
    a_webhook(director, kinds=["deal.recorded"])

    record(2)

    assert prepare() == 1
    assert json.loads(WebhookDelivery.objects.get().body)["data"]["deals"][0]["number"] == 2


def test_a_tournament_that_was_made_later_is_told_from_its_first_event(director: Actor) -> None:
    a_webhook(director, kinds=["round.published"])

    a_scheduled_tournament(ASIF, CHAND, slug="later", club_id=Club.objects.get().pk)

    prepare()
    told = [json.loads(row.body) for row in WebhookDelivery.objects.all()]
    assert [(one["tournament"]["slug"], one["number"]) for one in told] == [("later", 1)]


def test_however_often_it_is_prepared_each_event_is_sent_once(director: Actor) -> None:
    a_webhook(director)
    record()
    collection_id = Tournament.objects.get().collection_id

    made = [deliveries.fan_out(collection_id=collection_id, clock=at()) for _ in range(3)]

    assert (made, prepare()) == ([1, 0, 0], 0)
    assert WebhookDelivery.objects.count() == 1


def test_each_webhook_of_a_club_is_told_and_those_of_another_are_not(director: Actor) -> None:
    a_webhook(director)
    a_webhook(director)
    a_club("karachi")
    other = a_director_of("karachi", "Omar")
    webhooks.make_webhook(actor=other, club_slug="karachi", url="http://127.0.0.1:9/", kinds=DEALS, at=AT)

    record()

    assert prepare() == 2
    assert set(WebhookDelivery.objects.values_list("hook__club__slug", flat=True)) == {"lahore"}


def test_a_private_tournament_is_told_to_the_clubs_own_webhooks_only(director: Actor) -> None:
    a_webhook(director)
    publish_tournament(actor=SERVER, slug="rang", visibility="private", act_id=None, at=AT)
    a_club("karachi")
    webhooks.make_webhook(
        actor=a_director_of("karachi", "Omar"),
        club_slug="karachi",
        url="http://127.0.0.1:9/",
        kinds=DEALS,
        at=AT,
    )

    record()

    assert prepare() == 1


def test_who_may_not_manage_webhooks_any_more_is_sent_nothing_by_theirs(director: Actor) -> None:
    a_webhook(director)
    Membership.objects.filter(user=director.user_id).update(role=Role.SCORER)

    record()

    assert prepare() == 0
    hook = Webhook.objects.get()
    assert (hook.paused_at, hook.paused_because) == (AT, "maker")


def test_nothing_is_asked_of_the_database_for_a_club_without_webhooks(
    django_assert_num_queries: Any,
) -> None:
    tournament = a_tournament()
    record()

    with django_assert_num_queries(1):
        deliveries.fan_out(collection_id=tournament.collection_id, clock=at())


@pytest.mark.parametrize("count", [1, 3])
def test_many_events_are_prepared_with_no_more_queries(
    count: int, django_assert_max_num_queries: Any, director: Actor
) -> None:
    a_webhook(director)
    for number in range(1, count + 1):
        record(number)

    with django_assert_max_num_queries(14):
        assert deliveries.fan_out(collection_id=Tournament.objects.get().collection_id, clock=at()) == count


def test_more_events_than_are_looked_at_at_once_are_all_prepared(
    director: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "AT_ONCE", 2)
    a_webhook(director)
    for number in range(1, 6):
        record(number)

    assert prepare() == 5


# -- until it is taken


def test_what_is_not_taken_is_tried_again_later_and_later_and_then_given_up(director: Actor) -> None:
    a_webhook(director)
    record()
    prepare()
    server, moment, tried = Answers(DOWN), AT, []

    for _ in range(20):
        if send(moment, poster=server):
            tried.append(moment - AT)
        row = WebhookDelivery.objects.get()
        if row.next_at is None:
            break
        assert send(row.next_at - SOON, poster=server) == 0
        moment = row.next_at

    row = WebhookDelivery.objects.get()
    minutes = [0, 1, 5, 21, 85, 341, 1365]
    assert tried == [timedelta(minutes=one) for one in minutes]
    assert (row.state, row.tries, row.status, row.ended_at) == ("failed", 7, 503, moment)


def test_each_try_has_the_same_id_and_body_and_a_time_and_signature_of_its_own(director: Actor) -> None:
    a_webhook(director)
    record()
    prepare()
    server = Answers(DOWN, TAKEN)

    send(AT, poster=server)
    send(AT + timedelta(minutes=1), poster=server)

    (_url, body, headers), (_again, same, later) = server.sent
    assert body == same
    assert headers["webhook-id"] == later["webhook-id"]
    assert int(later["webhook-timestamp"]) - int(headers["webhook-timestamp"]) == 60
    assert headers["webhook-signature"] != later["webhook-signature"]


def test_while_an_address_fails_one_of_what_is_waiting_is_tried_at_a_time(director: Actor) -> None:
    a_webhook(director)
    for number in (1, 2, 3):
        record(number)
    prepare()
    server = Answers(DOWN)

    send(poster=server)

    assert len(server.sent) == 1
    assert sorted(WebhookDelivery.objects.values_list("tries", flat=True)) == [0, 0, 1]


def test_an_address_that_fails_keeps_no_other_waiting(director: Actor) -> None:
    with a_receiver(500) as bad, a_receiver() as good:
        a_webhook(director, bad.url)
        a_webhook(director, good.url)
        record()
        prepare()

        send()

    assert (len(bad.received), len(good.received)) == (1, 1)


def test_an_address_with_much_to_come_leaves_room_for_the_others(
    director: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "OF_ONE", 2)
    much, little = (
        a_webhook(director, "http://127.0.0.1:9/much"),
        a_webhook(director, "http://127.0.0.1:9/little"),
    )
    for number in range(1, 5):
        record(number)
    prepare()
    WebhookDelivery.objects.filter(hook=little).update(next_at=AT + SOON)

    claimed = deliveries._claim(AT + SOON)

    assert [one.hook_id for one in claimed] == [much.pk, much.pk, little.pk, little.pk]


def test_a_try_that_was_lost_with_its_worker_is_due_again(director: Actor) -> None:
    a_webhook(director)
    record()
    prepare()
    deliveries._claim(AT)

    server = Answers(TAKEN)
    assert send(AT + timedelta(minutes=1), poster=server) == 0
    assert send(AT + timedelta(minutes=3), poster=server) == 1
    assert (states(), WebhookDelivery.objects.get().tries) == (["delivered"], 2)


def test_what_a_slow_worker_says_of_a_try_that_was_thought_lost_changes_nothing(director: Actor) -> None:
    a_webhook(director)
    record()
    prepare()
    (slow,) = deliveries._claim(AT)
    send(AT + timedelta(minutes=3), poster=Answers(TAKEN))

    deliveries._note(slow, DOWN, AT + timedelta(minutes=4))

    assert states() == ["delivered"]


def test_two_workers_do_not_send_at_once(director: Actor) -> None:
    a_webhook(director)
    record()
    prepare()
    inner = Answers(TAKEN)

    def poster(*args: Any, **named: Any) -> Posted:
        assert send(poster=inner) == 0
        return TAKEN

    assert send(poster=poster) == 1
    assert inner.sent == []


# -- when it is paused


def give_up(hook: Webhook) -> None:
    """Let the address fail until a delivery is given up."""
    for _ in range(20):
        row = WebhookDelivery.objects.filter(hook=hook, state="waiting").order_by("next_at").first()
        if row is None or row.next_at is None:
            return
        send(row.next_at, poster=Answers(DOWN))


def test_an_address_at_which_nothing_arrives_for_a_day_is_paused_and_says_so(director: Actor) -> None:
    hook = a_webhook(director)
    record(1)
    prepare()

    give_up(hook)
    record(2)

    hook.refresh_from_db()
    assert hook.paused_because == "failures"
    assert prepare() == 0
    page = a_browser(the_user(director)).get(f"/clubs/lahore/webhooks/{hook.uid}/")
    assert "nothing arrived there for a day" in page.content.decode()
    assert AuditEntry.objects.filter(what="webhook-paused").get().detail["because"] == "failures"


def test_an_address_that_takes_others_is_not_paused_for_one_that_it_refuses(director: Actor) -> None:
    hook = a_webhook(director)
    record()
    prepare()
    Webhook.objects.update(succeeded_at=AT + timedelta(hours=1))

    give_up(hook)

    hook.refresh_from_db()
    assert (states(), hook.paused_at) == (["failed"], None)


def test_an_address_that_says_it_is_gone_is_paused_at_once(director: Actor) -> None:
    hook = a_webhook(director)
    record()
    prepare()

    send(poster=Answers(GONE))

    hook.refresh_from_db()
    assert (states(), hook.paused_because) == (["failed"], "gone")


def test_while_it_is_paused_nothing_is_sent_and_what_waited_goes_when_it_is_resumed(director: Actor) -> None:
    hook = a_webhook(director)
    record(1)
    prepare()
    which: Any = {"actor": director, "club_slug": "lahore", "uid": hook.uid, "at": AT}

    webhooks.pause_webhook(**which)
    record(2)
    assert (prepare(), send(poster=Answers(TAKEN))) == (0, 0)
    webhooks.resume_webhook(**which)
    record(3)

    assert (prepare(), send(poster=Answers(TAKEN))) == (1, 2)
    numbers = [json.loads(row.body)["data"]["deals"][0]["number"] for row in WebhookDelivery.objects.all()]
    assert sorted(numbers) == [1, 3]


def test_whoever_resumes_it_is_responsible_for_it(director: Actor) -> None:
    hook = a_webhook(director)
    Membership.objects.filter(user=director.user_id).delete()
    record(1)
    prepare()
    other = a_director_of("lahore", "Erum")

    webhooks.resume_webhook(actor=other, club_slug="lahore", uid=hook.uid, at=AT)
    record(2)

    assert (Webhook.objects.get().made_by_id, prepare()) == (other.user_id, 1)


# -- what a person can do


def test_a_renewed_secret_signs_with_the_old_one_for_a_day(director: Actor) -> None:
    hook = a_webhook(director)
    old = secret_of(hook.key)
    made = webhooks.renew_secret(actor=director, club_slug="lahore", uid=hook.uid, at=AT)
    hook.refresh_from_db()
    keys = [key_of(hook.key), key_of(hook.key_before or hook.key)]
    record(1)
    prepare()
    server = Answers(TAKEN)

    send(poster=server)
    record(2)
    prepare(AT + timedelta(days=2))
    send(AT + timedelta(days=2), poster=server)

    assert made.secret == secret_of(hook.key) != old
    counts = [len(headers["webhook-signature"].split(" ")) for _url, _body, headers in server.sent]
    assert (counts, len({*keys})) == ([2, 1], 2)


def test_what_was_sent_is_sent_again_word_for_word_under_the_same_id(director: Actor) -> None:
    hook = a_webhook(director)
    record()
    prepare()
    server = Answers(TAKEN)
    send(poster=server)
    row = WebhookDelivery.objects.get()

    webhooks.send_again(actor=director, club_slug="lahore", uid=hook.uid, delivery=row.uid, at=AT)
    send(poster=server)

    first, second = server.sent
    assert (first[1], first[2]["webhook-id"]) == (second[1], second[2]["webhook-id"])
    assert states() == ["delivered"]


def test_a_test_is_sent_to_try_the_address(director: Actor) -> None:
    with a_receiver() as receiver:
        hook = a_webhook(director, receiver.url)

        webhooks.send_test(actor=director, club_slug="lahore", uid=hook.uid, at=AT)
        send()

    assert json.loads(receiver.received[0].body) == {
        "type": "test",
        "timestamp": "2026-11-29T18:00:00Z",
        "data": {},
    }


def test_nothing_is_sent_by_hand_while_it_is_paused(director: Actor) -> None:
    hook = a_webhook(director)
    which: Any = {"actor": director, "club_slug": "lahore", "uid": hook.uid, "at": AT}
    webhooks.pause_webhook(**which)

    with pytest.raises(WebhookIsPaused):
        webhooks.send_test(**which)
    with pytest.raises(WebhookIsPaused):
        webhooks.send_again(**which, delivery=uuid4())


def test_one_that_is_removed_is_sent_nothing_and_is_not_found(director: Actor) -> None:
    hook = a_webhook(director)
    record()
    prepare()
    which: Any = {"actor": director, "club_slug": "lahore", "uid": hook.uid, "at": AT}

    webhooks.remove_webhook(**which)

    assert send(poster=Answers(TAKEN)) == 0
    browser = a_browser(the_user(director))
    assert browser.get(f"/clubs/lahore/webhooks/{hook.uid}/").status_code == 404


def test_what_ended_a_month_ago_is_forgotten_and_what_waits_is_not(director: Actor) -> None:
    hook = a_webhook(director)
    record(1)
    prepare()
    send(poster=Answers(TAKEN))
    webhooks.send_test(actor=director, club_slug="lahore", uid=hook.uid, at=AT)

    prepare(AT + timedelta(days=31))

    assert states() == ["waiting"]


@pytest.mark.parametrize(
    ("url", "kinds", "error"),
    [
        ("https://192.168.0.1/", DEALS, BadWebhookAddress),
        ("ftp://example.org/", DEALS, BadWebhookAddress),
        ("https://example.org/", [], NoEventChosen),
        ("https://example.org/", ["deal.recorded", "nonsense"], NoEventChosen),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_made(
    url: str, kinds: Any, error: type[Exception], director: Actor
) -> None:
    with pytest.raises(error):
        a_webhook(director, url, kinds=kinds)

    assert not Webhook.objects.exists()


def test_a_server_sends_by_https_only(director: Actor, settings: Any) -> None:
    settings.WEBHOOKS_ONLY_HTTPS = True

    with pytest.raises(BadWebhookAddress, match="https://"):
        a_webhook(director, "http://example.org/")


def test_a_club_has_ten_at_most(director: Actor) -> None:
    for _ in range(webhooks.MOST):
        a_webhook(director)

    with pytest.raises(TooManyWebhooks):
        a_webhook(director)


# -- the pages


@pytest.fixture
def browser(director: Actor) -> Client:
    return a_browser(the_user(director))


HOOKS = "/clubs/lahore/webhooks/"


def test_the_secret_is_shown_once(browser: Client) -> None:
    asked = {"url": "https://example.org/hook", "kinds": list(KINDS)}

    made = browser.post(HOOKS, asked)

    hook = Webhook.objects.get()
    secret = secret_of(hook.key)
    again = browser.get(f"{HOOKS}{hook.uid}/")
    assert secret in made.content.decode()
    assert secret not in again.content.decode()
    assert "no-store" in made["Cache-Control"]


def test_what_is_wrong_is_said_beside_the_field(browser: Client) -> None:
    page = browser.post(HOOKS, {"url": "https://10.0.0.1/", "kinds": ["deal.recorded"]})

    assert "a network of its own" in page.content.decode()


def test_the_log_says_what_became_of_each_and_what_is_sent(browser: Client, director: Actor) -> None:
    hook = a_webhook(director)
    record()
    prepare()
    send(poster=Answers(Posted(status=503, fault="status", took=7, answer="<b>no</b>")))

    page = browser.get(f"{HOOKS}{hook.uid}/").content.decode()

    words = ("deal.recorded", "1 of 7", "503", "7 ms", "&lt;b&gt;no&lt;/b&gt;", "webhook-id: msg_")
    assert [word for word in words if word not in page] == []


@pytest.mark.parametrize("do", ["pause", "test", "remove", "renew", "again", "nonsense", ""])
def test_every_button_answers(do: str, browser: Client, director: Actor) -> None:
    hook = a_webhook(director)
    record()
    prepare()
    send(poster=Answers(TAKEN))
    row = WebhookDelivery.objects.get()

    page = browser.post(f"{HOOKS}{hook.uid}/do/", {"do": do, "delivery": str(row.uid)}, follow=True)

    assert page.status_code == 200


def test_a_delivery_of_another_webhook_is_not_sent_again(browser: Client, director: Actor) -> None:
    first, second = a_webhook(director), a_webhook(director)
    record()
    prepare()
    row = WebhookDelivery.objects.get(hook=first)

    answers = [
        browser.post(f"{HOOKS}{second.uid}/do/", {"do": "again", "delivery": delivery})
        for delivery in (str(row.uid), str(uuid4()), "")
    ]

    assert [answer.status_code for answer in answers] == [404, 404, 404]


def test_it_can_be_changed(browser: Client, director: Actor) -> None:
    hook = a_webhook(director)

    browser.post(
        f"{HOOKS}{hook.uid}/change/", {"url": "https://example.org/other", "kinds": ["tournament.final"]}
    )

    hook.refresh_from_db()
    assert (hook.url, hook.kinds) == ("https://example.org/other", ["tournament.final"])


@pytest.mark.parametrize("count", [1, 3])
def test_the_pages_take_as_many_queries_whatever_there_is(
    count: int, director: Actor, django_assert_num_queries: Any, browser: Client
) -> None:
    hooks = [a_webhook(director) for _ in range(count)]
    for number in range(1, count + 1):
        record(number)
    prepare()

    with django_assert_num_queries(6):
        browser.get(HOOKS)
    with django_assert_num_queries(7):
        browser.get(f"{HOOKS}{hooks[0].uid}/")


def test_the_one_task_that_follows_every_write_prepares_and_sends(
    django_capture_on_commit_callbacks: Any, director: Actor
) -> None:
    with a_receiver() as receiver:
        a_webhook(director, receiver.url)

        with django_capture_on_commit_callbacks(execute=True):
            record()

    assert [json.loads(one.body)["type"] for one in receiver.received] == ["deal.recorded"]
    assert states() == ["delivered"]
