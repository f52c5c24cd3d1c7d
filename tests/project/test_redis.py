"""What the site asks of Redis, beyond what its libraries ask by default."""

import asyncio

import pytest
from channels.layers import get_channel_layer
from channels_redis.core import RedisChannelLayer
from django.conf import settings

pytestmark = pytest.mark.redis


def test_reading_is_given_up_later_than_a_socket_is_told_that_there_is_no_news() -> None:
    (host,) = settings.CHANNEL_LAYERS["default"]["CONFIG"]["hosts"]

    assert host["socket_timeout"] > 2 * RedisChannelLayer.brpop_timeout


@pytest.mark.asyncio
async def test_a_socket_that_heard_nothing_for_some_time_still_hears() -> None:
    layer = get_channel_layer()
    assert isinstance(layer, RedisChannelLayer)
    channel = await layer.new_channel()
    await layer.group_add("quiet", channel)
    waiting = asyncio.create_task(layer.receive(channel))

    await asyncio.sleep(RedisChannelLayer.brpop_timeout + 0.5)
    await layer.group_send("quiet", {"type": "news"})

    assert await asyncio.wait_for(waiting, timeout=5) == {"type": "news"}
