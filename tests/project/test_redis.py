"""What is told through Redis is heard, once by each socket, also after a silence."""

import asyncio
from typing import Any, cast

import pytest
from channels.layers import get_channel_layer
from channels_redis.pubsub import RedisPubSubChannelLayer

from tournaments.consumers.base import Heard, Hub, LiveConsumer

pytestmark = [pytest.mark.redis, pytest.mark.asyncio]

SILENCE = 5.5
"""Seconds: the library's own readers give up after five."""


class Socket:
    """Notes what it hears."""

    def __init__(self) -> None:
        self.heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

    async def hear(self, told: Heard) -> None:
        await self.heard.put(dict(told.message))


def layer() -> Any:
    found = get_channel_layer()
    assert isinstance(found, RedisPubSubChannelLayer)
    return found


async def test_a_socket_that_heard_nothing_for_some_time_still_hears() -> None:
    channel = await layer().new_channel()
    await layer().group_add("quiet", channel)
    waiting = asyncio.create_task(layer().receive(channel))

    await asyncio.sleep(SILENCE)
    await layer().group_send("quiet", {"type": "news"})

    assert await asyncio.wait_for(waiting, timeout=5) == {"type": "news"}


async def test_every_socket_of_a_process_hears_once_and_no_more_when_it_has_left() -> None:
    hub, one, other = Hub.here(), Socket(), Socket()
    await hub.follow("many", cast("LiveConsumer", one))
    await hub.follow("many", cast("LiveConsumer", other))
    await layer().group_send("many", {"type": "first"})
    first = [await asyncio.wait_for(socket.heard.get(), timeout=5) for socket in (one, other)]
    await hub.leave("many", cast("LiveConsumer", one))
    await layer().group_send("many", {"type": "second"})
    second = await asyncio.wait_for(other.heard.get(), timeout=5)
    await hub.leave("many", cast("LiveConsumer", other))

    assert first == [{"type": "first"}] * 2
    assert second == {"type": "second"}
    assert one.heard.empty()
    assert other.heard.empty()
