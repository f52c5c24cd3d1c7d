"""What the socket of a table says, and when: nothing before its time."""

import asyncio
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from courtpiece.accounts.permissions import SERVER
from scoring.operations import record_deal
from tests.sockets import SocketVisitor
from tests.tournaments.tables import a_text, the_match
from tests.tournaments.test_live_tables import FIRST_CARDS, WITH_HANDS, a_tournament, post
from tournaments.consumers import table
from tournaments.consumers.tournament import NOT_HERE
from tournaments.models import Tournament
from tournaments.operations.live import change_live_delay
from tournaments.operations.standings import bring_up_to_date
from tournaments.publishing import milliseconds
from tournaments.routing import websocket_urlpatterns

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

CARD = 'class="trick__play'


def a_visitor(table: str = "1", language: str = "en") -> SocketVisitor:
    return SocketVisitor(
        URLRouter(websocket_urlpatterns),
        f"/ws/tournaments/rang/tables/{table}/?language={language}",
        user=AnonymousUser(),
    )


async def arrived(delay: int = 0) -> SocketVisitor:
    """Return a visitor of table 1 who was shown how it is."""
    await database_sync_to_async(a_tournament)(delay=delay)
    visitor = a_visitor()
    await visitor.connect()
    assert CARD not in (await visitor.receive_json())["html"]
    return visitor


class Clock:
    """The time by which sockets show things: it stands until a test moves it, however long the machine takes."""

    def __init__(self) -> None:
        self._now = timezone.now()

    def now(self) -> datetime:
        return self._now

    def ago(self, seconds: float) -> datetime:
        return self._now - timedelta(seconds=seconds)

    def passes(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    standing = Clock()
    monkeypatch.setattr(table, "timezone", standing)
    return standing


async def test_a_card_is_shown_at_once_where_there_is_no_delay() -> None:
    visitor = await arrived()

    await database_sync_to_async(post)(FIRST_CARDS, at=timezone.now())

    said = await visitor.receive_json()
    assert (said["type"], said["html"].count(CARD)) == ("table", 3)
    await visitor.disconnect()


async def test_a_card_is_shown_when_its_time_has_come_and_not_before(clock: Clock) -> None:
    visitor = await arrived(delay=1)

    await database_sync_to_async(post)(WITH_HANDS, at=clock.ago(59.8))

    assert await visitor.hears_nothing(timeout=0.5)
    clock.passes(seconds=0.2)
    said = await visitor.receive_json(timeout=10)
    assert said["html"].count(CARD) == 3
    assert said["now"] == milliseconds(clock.now())
    await visitor.disconnect()


async def test_who_comes_later_is_shown_what_is_due_then_and_the_rest_in_its_turn(clock: Clock) -> None:
    await database_sync_to_async(a_tournament)(delay=1)
    one_card = FIRST_CARDS.replace("HA HJ H8", "HA")
    await database_sync_to_async(post)(one_card, sequence=1, at=clock.ago(70))
    await database_sync_to_async(post)(FIRST_CARDS, sequence=2, at=clock.ago(59.8))

    visitor = a_visitor()
    await visitor.connect()
    first = await visitor.receive_json()
    clock.passes(seconds=0.2)
    second = await visitor.receive_json(timeout=10)

    assert [said["html"].count(CARD) for said in (first, second)] == [1, 3]
    assert first["version"] != second["version"]
    await visitor.disconnect()


async def test_a_longer_delay_holds_for_what_was_waiting_already(clock: Clock) -> None:
    visitor = await arrived(delay=1)
    await database_sync_to_async(post)(FIRST_CARDS, at=clock.ago(59.8))

    await database_sync_to_async(change_live_delay)(
        actor=SERVER, slug="rang", live_delay=30, at=timezone.now()
    )
    clock.passes(seconds=2)

    said = await seen_within(visitor, seconds=1.5)
    assert not any(CARD in one["html"] for one in said)
    await visitor.disconnect()


async def seen_within(visitor: SocketVisitor, *, seconds: float) -> list[dict[str, Any]]:
    """Return everything that is said until then."""
    until = asyncio.get_running_loop().time() + seconds
    said = []
    while (left := until - asyncio.get_running_loop().time()) > 0:
        if await visitor.hears_nothing(timeout=left):
            break
        said.append(await visitor.receive_json())
    return said


async def test_a_page_that_woke_up_is_shown_everything_again() -> None:
    visitor = await arrived()
    await database_sync_to_async(post)(FIRST_CARDS, at=timezone.now())
    await visitor.receive_json()

    await visitor.send_json({})

    assert (await visitor.receive_json())["html"].count(CARD) == 3
    await visitor.disconnect()


async def test_a_recorded_deal_changes_the_score_that_is_shown() -> None:
    visitor = await arrived()

    await database_sync_to_async(record_it)()

    said = await visitor.receive_json(timeout=5)
    assert "Deal 1 is recorded:" in said["html"]
    await visitor.disconnect()


def record_it() -> None:
    record_deal(
        actor=SERVER,
        scoresheet_id=the_match().scoresheet_id,
        text=a_text(result="NS 7-0 court", dealer="N"),
        operation_id=uuid4(),
        at=timezone.now(),
    )
    bring_up_to_date(slug="rang", now=timezone.now())


async def test_who_was_let_in_is_shown_no_more_card_when_the_tournament_is_private() -> None:
    visitor = await arrived()
    rows = Tournament.objects.filter(slug="rang")
    await database_sync_to_async(rows.update)(visibility="private")

    await database_sync_to_async(post)(FIRST_CARDS, at=timezone.now())

    said = await visitor.receive_event()
    assert (said["type"], said.get("code")) == ("websocket.close", NOT_HERE)


async def test_a_table_hears_nothing_of_another_table() -> None:
    await database_sync_to_async(a_tournament)()
    visitor = a_visitor(table="2")
    await visitor.connect()
    await visitor.receive_json()

    await database_sync_to_async(post)(FIRST_CARDS, at=timezone.now())

    assert await visitor.hears_nothing(timeout=0.5)
    await visitor.disconnect()


async def test_a_table_there_is_not_looks_like_a_tournament_there_is_not() -> None:
    await database_sync_to_async(a_tournament)()
    visitor = a_visitor(table="99")

    await visitor.connect()

    assert (await visitor.receive_event())["code"] == 4404
    await visitor.disconnect()
