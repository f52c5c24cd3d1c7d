"""What all sockets of tournaments are: followers of groups, to which the same is told at once.

Channels gives every socket a channel of its own, and on the way from a group to each page a message goes through a
queue, two tasks and a thread. Five hundred pages make that a second of work for a sentence. Here a process follows a
group once, and hands what comes in to its own sockets.
"""

import asyncio
import logging
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from channels.layers import get_channel_layer

logger = logging.getLogger(__name__)

PAUSE: float = 1.0
"""Seconds until a group is listened to again after a fault of the channel layer."""


class LiveConsumer(AsyncJsonWebsocketConsumer):
    """A socket that follows groups: ``follow`` and ``leave`` them; what is told comes to the method of its type."""

    channel_layer_alias = None
    """It has no channel of its own."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one socket to its end."""
        self.followed: list[str] = []
        try:
            await super().__call__(scope, receive, send)
        finally:
            for group in self.followed:
                await Hub.here().leave(group, self)

    async def follow(self, group: str) -> None:
        """Hear from now on what is told to the group, until the socket is closed."""
        self.followed.append(group)
        await Hub.here().follow(group, self)

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Hand a message to the method that is named after its type.

        Channels goes to a thread before each, to close connections to the database that have become old. No method here
        has one of its own: ``database_sync_to_async`` closes what it used.
        """
        await getattr(self, get_handler_name(message))(message)


class Hub:
    """The sockets of this process and what they follow."""

    _of_loops: ClassVar[WeakKeyDictionary[asyncio.AbstractEventLoop, "Hub"]] = WeakKeyDictionary()

    def __init__(self) -> None:
        self._followers: dict[str, set[LiveConsumer]] = {}
        self._readers: dict[str, tuple[str, asyncio.Task[None]]] = {}
        self._handing: set[asyncio.Task[None]] = set()
        self._changing = asyncio.Lock()

    @classmethod
    def here(cls) -> "Hub":
        """Return the hub of the running loop."""
        return cls._of_loops.setdefault(asyncio.get_running_loop(), cls())

    async def follow(self, group: str, socket: LiveConsumer) -> None:
        """Hand on to the socket what is told to the group from now on."""
        async with self._changing:
            self._followers.setdefault(group, set()).add(socket)
            if group not in self._readers:
                layer: Any = get_channel_layer()
                channel = await layer.new_channel()
                await layer.group_add(group, channel)
                self._readers[group] = channel, asyncio.create_task(self._read(group, channel))

    async def leave(self, group: str, socket: LiveConsumer) -> None:
        """Hand on nothing more to the socket; a group that nobody follows is left by the process too."""
        async with self._changing:
            followers = self._followers.get(group, set())
            followers.discard(socket)
            if followers or group not in self._readers:
                return
            del self._followers[group]
            channel, reader = self._readers.pop(group)
            reader.cancel()
            await asyncio.wait([reader])
            layer: Any = get_channel_layer()
            await layer.group_discard(group, channel)

    async def _read(self, group: str, channel: str) -> None:
        layer: Any = get_channel_layer()
        while True:
            try:
                message = await layer.receive(channel)
            except Exception:
                logger.exception("Nothing can be heard of the group %s", group)
                await asyncio.sleep(PAUSE)
                continue
            # A task each: a page that is slow to take what it is sent keeps none of the others waiting.
            for socket in tuple(self._followers.get(group, ())):
                task = asyncio.create_task(socket.dispatch(message))
                self._handing.add(task)
                task.add_done_callback(self._was_handed)

    def _was_handed(self, task: asyncio.Task[None]) -> None:
        self._handing.discard(task)
        if not task.cancelled() and task.exception() is not None:
            # The page has gone away in the middle; its own task sees to that.
            logger.debug("A socket could not be told", exc_info=task.exception())
