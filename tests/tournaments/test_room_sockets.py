"""The socket of the room: it says that a table said something, to who sees the room and to nobody else."""

from typing import Any
from uuid import uuid4

import pytest
from channels.db import database_sync_to_async
from channels.routing import URLRouter

from courtpiece.accounts.models import Club, Membership, Role, User
from courtpiece.accounts.permissions import SERVER
from tests.accounts.builders import AT, a_user
from tests.sockets import SocketVisitor
from tests.tournaments.tables import a_tournament_with_links, at_table
from tournaments.operations import sync
from tournaments.operations.creating import change_tables
from tournaments.operations.sync import DeviceCount
from tournaments.routing import websocket_urlpatterns

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


def a_scorer() -> User:
    """Return a scorer of the club, where there is a tournament with links."""
    a_tournament_with_links()
    user = a_user("Sana")
    Club.objects.get().memberships.create(user=user, role=Role.SCORER, created_at=AT)
    return user


def a_visitor(user: User) -> SocketVisitor:
    return SocketVisitor(URLRouter(websocket_urlpatterns), "/ws/tournaments/rang/room/", user=user)


def hear(unsent: int) -> None:
    """Let a device at table 1 say how much it has not sent."""
    sync.look_at_table(actor=at_table(), count=DeviceCount(device=uuid4(), unsent=unsent), at=AT)


async def let_in(user: User) -> SocketVisitor:
    visitor = a_visitor(user)
    assert await visitor.connect()
    assert (await visitor.receive_json())["type"] == "standings"
    return visitor


async def until_room(visitor: SocketVisitor) -> dict[str, Any]:
    """Return the next message about the room."""
    while True:
        message: dict[str, Any] = await visitor.receive_json()
        if message["type"] == "room":
            return message


async def test_what_devices_count_is_told_to_the_room() -> None:
    visitor = await let_in(await database_sync_to_async(a_scorer)())

    await database_sync_to_async(hear)(2)

    assert await until_room(visitor) == {"type": "room"}
    await visitor.disconnect()


async def test_that_a_setting_of_the_tables_changed_is_told_to_the_room() -> None:
    visitor = await let_in(await database_sync_to_async(a_scorer)())

    await database_sync_to_async(change_tables)(
        actor=SERVER, slug="rang", confirmation=True, link_hours=None, at=AT
    )

    assert await until_room(visitor) == {"type": "room"}
    await visitor.disconnect()


async def test_a_device_that_has_nothing_unsent_disturbs_nobody() -> None:
    visitor = await let_in(await database_sync_to_async(a_scorer)())

    await database_sync_to_async(hear)(0)

    assert await visitor.hears_nothing(timeout=0.1)
    await visitor.disconnect()


async def test_who_scores_there_no_more_is_told_nothing_more() -> None:
    user = await database_sync_to_async(a_scorer)()
    visitor = await let_in(user)
    await database_sync_to_async(Membership.objects.filter(user=user).delete)()

    await database_sync_to_async(hear)(2)

    assert (await visitor.receive_event())["type"] == "websocket.close"
