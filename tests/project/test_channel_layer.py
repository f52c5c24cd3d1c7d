"""The channel layer of the embedded way, across threads."""

import asyncio
import threading
import time

import pytest
from asgiref.sync import async_to_sync

from courtpiece.project.channel_layer import OneProcessChannelLayer

QUICKLY = 0.3
"""Seconds. Channels' own layer needs up to 0.7, or never delivers."""


@pytest.mark.asyncio
async def test_a_message_from_another_thread_arrives_at_once() -> None:
    layer = OneProcessChannelLayer()
    channel = await layer.new_channel()
    await layer.group_add("tournament", channel)
    waiting = asyncio.create_task(layer.receive(channel))
    await asyncio.sleep(0.05)

    begun = time.monotonic()
    threading.Thread(target=lambda: async_to_sync(layer.group_send)("tournament", {"type": "news"})).start()

    assert await asyncio.wait_for(waiting, timeout=5) == {"type": "news"}
    assert time.monotonic() - begun < QUICKLY


@pytest.mark.asyncio
async def test_a_hundred_messages_from_four_threads_all_arrive() -> None:
    layer = OneProcessChannelLayer()
    channel = await layer.new_channel()
    await layer.group_add("tournament", channel)
    received: list[int] = []

    async def listen() -> None:
        while len(received) < 100:
            received.append((await layer.receive(channel))["number"])

    def send(first: int) -> None:
        for number in range(first, first + 25):
            async_to_sync(layer.group_send)("tournament", {"type": "news", "number": number})

    waiting = asyncio.create_task(listen())
    await asyncio.sleep(0.05)
    for first in (0, 25, 50, 75):
        threading.Thread(target=send, args=(first,)).start()
    await asyncio.wait_for(waiting, timeout=10)

    assert sorted(received) == list(range(100))


def test_a_message_after_the_loop_has_gone_is_no_error() -> None:
    layer = OneProcessChannelLayer()

    async def visit() -> None:
        channel = await layer.new_channel()
        await layer.group_add("tournament", channel)
        await layer.send(channel, {"type": "news"})
        await layer.receive(channel)

    asyncio.run(visit())

    async_to_sync(layer.group_send)("tournament", {"type": "news"})
