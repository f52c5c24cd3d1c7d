"""What the socket of a tournament says of its clock, and how often it speaks of standings."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser

from courtpiece.accounts.permissions import SERVER
from tests.accounts.builders import AT, a_club
from tests.sockets import SocketVisitor
from tests.tournaments.builders import ASIF, CHAND, a_scheduled_tournament
from tournaments.consumers.base import LEAST_BETWEEN
from tournaments.models import Tournament
from tournaments.operations.clocks import ClockTurn, turn_clock
from tournaments.publishing import STANDINGS, StandingsNews, milliseconds, publish_after_commit
from tournaments.routing import websocket_urlpatterns

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


def a_visitor() -> SocketVisitor:
    return SocketVisitor(URLRouter(websocket_urlpatterns), "/ws/tournaments/rang/", user=AnonymousUser())


def a_tournament() -> Tournament:
    return a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)


def turn(action: str, version: int, *, minutes: int | None = None, after: int = 0) -> None:
    turn_clock(
        actor=SERVER,
        slug="rang",
        round_number=1,
        turn=ClockTurn(action=action, version=version, minutes=minutes),
        act_id=uuid4(),
        at=AT + timedelta(minutes=after),
    )


def publish(tournament: Tournament, version: int) -> None:
    news = StandingsNews(version=version, status="provisional", computed_at=None)
    publish_after_commit(tournament_id=tournament.pk, news=news)


def without_now(message: dict[str, Any]) -> dict[str, Any]:
    assert message.pop("now") > milliseconds(AT)
    return message


def clock(
    version: int, state: str, *, left: int, since: int | None, last_deal: bool = False
) -> dict[str, Any]:
    return {
        "type": "clock",
        "round": 1,
        "version": version,
        "state": state,
        "left": left * 60_000,
        "running_since": None if since is None else milliseconds(AT + timedelta(minutes=since)),
        "last_deal": last_deal,
    }


async def test_followers_are_told_of_every_turn_of_the_clock() -> None:
    await database_sync_to_async(a_tournament)()
    visitor = a_visitor()
    await visitor.connect()
    assert (await visitor.receive_json())["type"] == "standings"

    said = []
    for version, (action, minutes, after) in enumerate(
        [
            ("start", 20, 0),
            ("pause", None, 5),
            ("resume", None, 9),
            ("add-time", 5, 10),
            ("call-last-deal", None, 12),
            ("end", None, 15),
        ]
    ):
        await database_sync_to_async(turn)(action, version, minutes=minutes, after=after)
        said.append(without_now(await visitor.receive_json()))

    assert said == [
        clock(1, "running", left=20, since=0),
        clock(2, "paused", left=15, since=None),
        clock(3, "running", left=15, since=9),
        clock(4, "running", left=20, since=9),
        clock(5, "running", left=20, since=9, last_deal=True),
        clock(6, "ended", left=14, since=None, last_deal=True),
    ]
    await visitor.disconnect()


async def test_who_connects_again_is_told_how_the_clock_runs() -> None:
    await database_sync_to_async(a_tournament)()
    await database_sync_to_async(turn)("start", 0, minutes=20)
    visitor = a_visitor()

    await visitor.connect()

    assert (await visitor.receive_json())["type"] == "standings"
    assert without_now(await visitor.receive_json()) == clock(1, "running", left=20, since=0)
    await visitor.disconnect()


async def test_a_turn_that_is_refused_tells_nobody() -> None:
    await database_sync_to_async(a_tournament)()
    visitor = a_visitor()
    await visitor.connect()
    await visitor.receive_json()

    with pytest.raises(Exception, match="not been started"):
        await database_sync_to_async(turn)("pause", 0)

    assert await visitor.receive_nothing(timeout=0.2)  # type: ignore[no-untyped-call]
    await visitor.disconnect()


async def test_of_standings_that_come_one_upon_the_other_only_the_newest_is_passed_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Longer than on a site, so that also a slow machine says all of it meanwhile.
    monkeypatch.setitem(LEAST_BETWEEN, STANDINGS, 1.0)
    tournament = await database_sync_to_async(a_tournament)()
    visitor = a_visitor()
    await visitor.connect()
    await visitor.receive_json()

    for version in range(10, 20):
        await database_sync_to_async(publish)(tournament, version)
    said = [await visitor.receive_json(), await visitor.receive_json(timeout=10)]

    assert [message["version"] for message in said] == [10, 19]
    await visitor.disconnect()


async def test_who_leaves_while_standings_wait_is_not_waited_for() -> None:
    tournament = await database_sync_to_async(a_tournament)()
    visitor = a_visitor()
    await visitor.connect()
    await visitor.receive_json()
    for version in (10, 11):
        await database_sync_to_async(publish)(tournament, version)
    await visitor.receive_json()

    await asyncio.wait_for(visitor.disconnect(), timeout=1)
