"""The socket of a tournament: who is let in, what it says, and that it says it to everybody who follows."""

from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser

from courtpiece.accounts.models import Club, Role, User
from scoring import operations as scoring
from tests.accounts.builders import AT, a_club, a_user
from tests.sockets import SocketVisitor
from tests.tournaments.builders import ASIF, CHAND, a_scheduled_tournament
from tournaments.models import Standings, Tournament
from tournaments.operations import standings
from tournaments.routing import websocket_urlpatterns

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


def a_visitor(slug: str = "rang", *, user: User | None = None) -> SocketVisitor:
    application = URLRouter(websocket_urlpatterns)
    return SocketVisitor(application, f"/ws/tournaments/{slug}/", user=user or AnonymousUser())


def a_tournament(visibility: str = "public") -> Tournament:
    return a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk, visibility=visibility)


def write_something(tournament: Tournament) -> None:
    scoring.advance_collection(collection_id=tournament.collection_id)


def compute(tournament: Tournament) -> None:
    standings.compute_standings(collection_id=tournament.collection_id, now=AT)


def news(version: int) -> dict[str, Any]:
    return {
        "type": "standings",
        "version": version,
        "status": "provisional",
        "computed_at": "2026-11-29T18:00:00Z",
    }


async def test_a_follower_is_told_which_standings_there_are_and_then_of_newer_ones() -> None:
    tournament = await database_sync_to_async(a_tournament)()
    visitors = [a_visitor(), a_visitor()]
    for visitor in visitors:
        assert await visitor.connect()
        assert (await visitor.receive_json())["version"] == 1

    await database_sync_to_async(write_something)(tournament)

    for visitor in visitors:
        assert (await visitor.receive_json())["version"] == 2
        await visitor.disconnect()


async def test_the_message_says_version_status_and_when() -> None:
    tournament = await database_sync_to_async(a_tournament)()
    await database_sync_to_async(Standings.objects.all().delete)()
    visitor = a_visitor()
    assert await visitor.connect()
    assert await visitor.receive_json() == {**news(0), "computed_at": None}

    await database_sync_to_async(compute)(tournament)

    assert await visitor.receive_json() == news(1)
    await visitor.disconnect()


async def test_who_asks_is_told_again() -> None:
    await database_sync_to_async(a_tournament)()
    visitor = a_visitor()
    await visitor.connect()
    first = await visitor.receive_json()

    await visitor.send_json({"wake": True})

    assert await visitor.receive_json() == first
    await visitor.disconnect()


@pytest.mark.parametrize("slug", ["rang", "no-such-tournament"])
async def test_a_private_tournament_looks_like_one_that_is_not_there(slug: str) -> None:
    await database_sync_to_async(a_tournament)("private")
    visitor = a_visitor(slug)

    await visitor.connect()

    assert await visitor.receive_output(3) == {"type": "websocket.close", "code": 4404}  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("address", ["/ws/nothing/", "/ws/tournaments/%D8%B1/", "/"])
async def test_a_socket_to_nowhere_is_closed_like_one_that_may_not_be_seen(address: str) -> None:
    visitor = SocketVisitor(URLRouter(websocket_urlpatterns), address, user=AnonymousUser())

    await visitor.connect()

    assert await visitor.receive_output(3) == {"type": "websocket.close", "code": 4404}  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("said", [{"text": "no JSON"}, {"text": "[" * 50_000}, {"bytes": b"\xff"}])
async def test_whatever_a_page_says_it_is_told_the_standings(said: dict[str, object]) -> None:
    await database_sync_to_async(a_tournament)()
    visitor = a_visitor()
    await visitor.connect()
    first = await visitor.receive_json()

    await visitor.send_input({"type": "websocket.receive", **said})  # type: ignore[no-untyped-call]

    assert await visitor.receive_json() == first
    await visitor.disconnect()


async def test_a_scorer_of_the_club_follows_its_private_tournaments() -> None:
    await database_sync_to_async(a_tournament)("private")
    visitor = a_visitor(user=await database_sync_to_async(a_scorer)())

    assert await visitor.connect()
    assert (await visitor.receive_json())["version"] == 1
    await visitor.disconnect()


def a_scorer() -> User:
    user = a_user()
    Club.objects.get().memberships.create(user=user, role=Role.SCORER, created_at=AT)
    return user
