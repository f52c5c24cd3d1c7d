"""The socket for programs: every event once, in order, from the one on that was asked for."""

from typing import Any

import pytest
from channels.db import database_sync_to_async
from channels.routing import URLRouter
from django.contrib.auth.models import AnonymousUser

from courtpiece.accounts.models import Membership, User
from courtpiece.accounts.operations import create_token, revoke_token
from courtpiece.accounts.permissions import SERVER
from scoring.models import Collection
from tests.accounts.builders import AT, as_actor
from tests.sockets import SocketVisitor
from tests.tournaments.tables import a_director
from tests.tournaments.test_events import a_tournament, record
from tournaments.operations.creating import publish_tournament
from tournaments.queries import events
from tournaments.routing import websocket_urlpatterns

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]

CLOSED = "websocket.close"


def a_program(after: object = 0, *, token: str = "") -> SocketVisitor:
    headers = [(b"authorization", f"Bearer {token}".encode())] if token else []
    return SocketVisitor(
        URLRouter(websocket_urlpatterns),
        f"/ws/tournaments/rang/events/?after={after}",
        headers=headers,
        user=AnonymousUser(),
    )


async def numbers_of(program: SocketVisitor, *, count: int) -> list[int]:
    return [(await program.receive_json())["number"] for _ in range(count)]


async def last() -> int:
    row = await Collection.objects.aget()
    return row.events


async def some_deals(*numbers: int) -> None:
    for number in numbers:
        await database_sync_to_async(record)(number)


async def test_who_comes_is_told_where_the_events_stand_and_then_all_that_came_before() -> None:
    await database_sync_to_async(a_tournament)()
    program = a_program()

    assert await program.connect()

    there = await last()
    assert await program.receive_json() == {"type": "stream", "after": 0, "last": there}
    assert await numbers_of(program, count=there) == list(range(1, there + 1))
    await program.disconnect()


async def test_each_follower_is_told_every_event_as_it_happens() -> None:
    await database_sync_to_async(a_tournament)()
    before = await last()
    programs = [a_program(before), a_program(before)]
    for program in programs:
        await program.connect()
        await program.receive_json()

    await some_deals(1, 2)

    there = await last()
    for program in programs:
        assert await numbers_of(program, count=there - before) == list(range(before + 1, there + 1))
        assert await program.hears_nothing(timeout=0.1)
        await program.disconnect()


async def test_who_was_away_is_told_what_was_missed_once_and_in_order() -> None:
    await database_sync_to_async(a_tournament)()
    before = await last()
    first = a_program(before)
    await first.connect()
    await first.receive_json()
    await some_deals(1)
    seen = await numbers_of(first, count=2)
    await first.disconnect()

    await some_deals(2, 3)
    again = a_program(seen[-1])
    await again.connect()
    await again.receive_json()
    await some_deals(4)

    there = await last()
    seen += await numbers_of(again, count=there - seen[-1])
    assert seen == list(range(before + 1, there + 1))
    await again.disconnect()


async def test_more_events_than_are_read_at_once_all_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tournaments.consumers.events.PART", 2)
    await database_sync_to_async(a_tournament)()
    await some_deals(1, 2)
    program = a_program()
    await program.connect()
    await program.receive_json()

    there = await last()
    assert there > 2 * 2
    assert await numbers_of(program, count=there) == list(range(1, there + 1))
    await program.disconnect()


async def test_followers_that_are_as_far_are_told_by_one_look(monkeypatch: pytest.MonkeyPatch) -> None:
    await database_sync_to_async(a_tournament)()
    before = await last()
    programs = [a_program(before) for _ in range(5)]
    for program in programs:
        await program.connect()
        await program.receive_json()
    looks: list[int] = []
    counted = events.events_now

    def count(*args: Any, **named: Any) -> Any:
        looks.append(1)
        return counted(*args, **named)

    monkeypatch.setattr("tournaments.consumers.events.events_now", count)
    await some_deals(1)

    for program in programs:
        assert await numbers_of(program, count=2) == [before + 1, before + 2]
        await program.disconnect()
    assert len(looks) == 1


async def test_a_private_tournament_is_followed_with_a_token_that_may_read_it_while_it_is_good() -> None:
    await database_sync_to_async(a_tournament)("private")
    user, token = await database_sync_to_async(_a_directors_token)()
    program = a_program(await last(), token=token)
    await program.connect()
    assert (await program.receive_json())["type"] == "stream"

    await some_deals(1)
    told = await program.receive_json()
    await program.receive_json()
    await database_sync_to_async(_revoke)(user)
    await some_deals(2)

    assert told["type"] == "deal.recorded"
    assert await program.receive_event() == {"type": CLOSED, "code": 4401}


async def test_who_loses_the_role_is_told_no_more() -> None:
    await database_sync_to_async(a_tournament)("private")
    user, token = await database_sync_to_async(_a_directors_token)()
    program = a_program(await last(), token=token)
    await program.connect()
    await program.receive_json()

    await Membership.objects.filter(user=user).adelete()
    await some_deals(1)

    assert await program.receive_event() == {"type": CLOSED, "code": 4404}


async def test_a_tournament_that_becomes_private_is_told_no_more() -> None:
    await database_sync_to_async(a_tournament)()
    program = a_program(await last())
    await program.connect()
    await program.receive_json()

    await database_sync_to_async(publish_tournament)(
        actor=SERVER, slug="rang", visibility="private", act_id=None, at=AT
    )

    assert await program.receive_event() == {"type": CLOSED, "code": 4404}


async def test_a_private_tournament_looks_like_one_that_is_not_there() -> None:
    await database_sync_to_async(a_tournament)("private")
    program = a_program()

    await program.connect()

    assert await program.receive_event() == {"type": CLOSED, "code": 4404}


async def test_a_token_that_is_not_good_is_told_so() -> None:
    await database_sync_to_async(a_tournament)()
    program = a_program(token="cp_nothing")

    await program.connect()

    assert await program.receive_event() == {"type": CLOSED, "code": 4401}


@pytest.mark.parametrize("after", ["x", "-1", "", "9" * 40, "٣"])
async def test_an_address_that_names_no_number_is_told_so(after: str) -> None:
    await database_sync_to_async(a_tournament)()
    program = a_program(after)

    await program.connect()

    assert await program.receive_event() == {"type": CLOSED, "code": 4400}


def _a_directors_token() -> tuple[User, str]:
    actor = a_director()
    assert actor.user_id is not None
    user = User.objects.get(pk=actor.user_id)
    return user, create_token(actor=actor, name="program", scopes=["read"], at=AT).text


def _revoke(user: User) -> None:
    revoke_token(actor=as_actor(user), token_id=user.api_tokens.get().pk, at=AT)
