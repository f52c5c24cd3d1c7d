"""What all sockets of tournaments are: followers of groups, to which the same is told at once.

Channels gives every socket a channel of its own, and on the way from a group to each page a message goes through a
queue, two tasks and a thread. Five hundred pages make that a second of work for a sentence. Here a process follows a
group once, and hands what comes in to its own sockets. What all of them are sent alike is put into words once, and goes
past what signs them in to the server itself: the session is asked for with every message that it lets through.
"""

import asyncio
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final
from weakref import WeakKeyDictionary

from channels.consumer import get_handler_name
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from channels.layers import get_channel_layer

from tournaments.publishing import STANDINGS

logger = logging.getLogger(__name__)

PAUSE: float = 1.0
"""Seconds until a group is listened to again after a fault of the channel layer."""

LEAST_BETWEEN: Final[Mapping[str, float]] = {STANDINGS: 0.1}
"""Seconds between two messages of a type: of those that come one upon the other only the newest is handed on. A page
itself fetches new standings once a second."""

PLAIN_SEND: Final = "courtpiece.send"
"""In the scope of a socket: the server's own ``send``, without what the middleware puts around it."""


class PlainSend:
    """Keeps the server's own ``send`` in the scope of a socket; what it is put around knows nothing of it."""

    def __init__(self, application: Any) -> None:
        self.application = application

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one socket to its end."""
        await self.application({**scope, PLAIN_SEND: send}, receive, send)


@dataclass(slots=True)
class Heard:
    """What was told to a group, in the words of each kind of socket."""

    message: Mapping[str, Any]
    _texts: dict[type["LiveConsumer"], str | None] = field(default_factory=dict)

    def text_for(self, kind: type["LiveConsumer"]) -> str | None:
        """Return what all sockets of that kind are sent, made for the first of them; None: each sees for itself."""
        if kind not in self._texts:
            words = kind.words(self.message)
            self._texts[kind] = None if words is None else json.dumps(words)
        return self._texts[kind]


class LiveConsumer(AsyncJsonWebsocketConsumer):
    """A socket that follows groups: ``follow`` and ``leave`` them; what is told comes to the method of its type."""

    channel_layer_alias = None
    """It has no channel of its own."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Serve one socket to its end."""
        self.followed: list[str] = []
        self._plain_send = scope.get(PLAIN_SEND, send)
        try:
            await super().__call__(scope, receive, send)
        finally:
            for group in self.followed:
                await Hub.here().leave(group, self)

    async def follow(self, group: str) -> None:
        """Hear from now on what is told to the group, until the socket is closed."""
        self.followed.append(group)
        await Hub.here().follow(group, self)

    @classmethod
    def words(cls, _message: Mapping[str, Any], /) -> Mapping[str, Any] | None:
        """Return what every page is sent of a message alike; None: it goes to the method that is named after its type.

        It runs in the loop, so it asks no database.
        """
        return None

    async def hear(self, heard: Heard) -> None:
        """Take what was told to a group that is followed."""
        text = heard.text_for(type(self))
        if text is None:
            await self.dispatch(dict(heard.message))
        else:
            await self._plain_send({"type": "websocket.send", "text": text})

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Hand a message to the method that is named after its type.

        Channels goes to a thread before each, to close connections to the database that have become old. No method here
        has one of its own: ``database_sync_to_async`` closes what it used.
        """
        await getattr(self, get_handler_name(message))(message)


class Group:
    """A group that this process follows, with those of its sockets that do."""

    def __init__(self, name: str, channel: str) -> None:
        self.channel = channel
        self.followers: set[LiveConsumer] = set()
        self.reader = asyncio.create_task(self._read(name))
        self._handing: set[asyncio.Task[None]] = set()
        self._newest: dict[str, Mapping[str, Any]] = {}
        self._handed_at: dict[str, float] = {}

    async def _read(self, name: str) -> None:
        layer: Any = get_channel_layer()
        while True:
            try:
                message = await layer.receive(self.channel)
            except Exception:
                logger.exception("Nothing can be heard of the group %s", name)
                await asyncio.sleep(PAUSE)
                continue
            self._take(message)

    def _take(self, message: Mapping[str, Any]) -> None:
        """Hand the message on: at once, or in a moment, where one of its type has just been."""
        kind: str = message["type"]
        is_waited_for = kind in self._newest
        self._newest[kind] = message
        if is_waited_for:
            return
        loop = asyncio.get_running_loop()
        wait = self._handed_at.get(kind, float("-inf")) + LEAST_BETWEEN.get(kind, 0.0) - loop.time()
        if wait <= 0:
            self._hand_on(kind)
        else:
            loop.call_later(wait, self._hand_on, kind)

    def _hand_on(self, kind: str) -> None:
        self._handed_at[kind] = asyncio.get_running_loop().time()
        heard = Heard(self._newest.pop(kind))
        # A task each: a page that is slow to take what it is sent keeps none of the others waiting.
        for socket in self.followers:
            task = asyncio.create_task(socket.hear(heard))
            self._handing.add(task)
            task.add_done_callback(self._was_handed)

    def _was_handed(self, task: asyncio.Task[None]) -> None:
        self._handing.discard(task)
        if not task.cancelled() and task.exception() is not None:
            # The page has gone away in the middle; its own task sees to that.
            logger.debug("A socket could not be told", exc_info=task.exception())


class Hub:
    """The sockets of this process and what they follow."""

    _of_loops: ClassVar[WeakKeyDictionary[asyncio.AbstractEventLoop, "Hub"]] = WeakKeyDictionary()

    def __init__(self) -> None:
        self._groups: dict[str, Group] = {}
        self._changing = asyncio.Lock()

    @classmethod
    def here(cls) -> "Hub":
        """Return the hub of the running loop."""
        return cls._of_loops.setdefault(asyncio.get_running_loop(), cls())

    async def follow(self, group: str, socket: LiveConsumer) -> None:
        """Hand on to the socket what is told to the group from now on."""
        async with self._changing:
            if group not in self._groups:
                layer: Any = get_channel_layer()
                channel = await layer.new_channel()
                await layer.group_add(group, channel)
                self._groups[group] = Group(group, channel)
            self._groups[group].followers.add(socket)

    async def leave(self, group: str, socket: LiveConsumer) -> None:
        """Hand on nothing more to the socket; a group that nobody follows is left by the process too."""
        async with self._changing:
            known = self._groups.get(group)
            if known is None:
                return
            known.followers.discard(socket)
            if known.followers:
                return
            del self._groups[group]
            known.reader.cancel()
            await asyncio.wait([known.reader])
            layer: Any = get_channel_layer()
            await layer.group_discard(group, known.channel)
