"""The socket on which programs follow what happens in a tournament, event by event, none twice and none left out."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from django.conf import settings
from django.utils import timezone

from courtpiece.accounts import operations as accounts
from courtpiece.accounts.permissions import Actor, actor_of
from courtpiece.errors import CourtPieceError
from tournaments.consumers.base import LiveConsumer
from tournaments.consumers.tournament import LEAST_SECONDS, NOT_HERE
from tournaments.publishing import StandingsMessage, group_of
from tournaments.queries.events import PART, EventsPart, events_now, events_part

BAD_AFTER: Final = 4400
"""Closes a socket whose address names no number after which to begin."""
BAD_TOKEN: Final = 4401
"""Closes a socket to a token that is not good."""
SHARED_SECONDS: Final = 2.0
"""For so long what was read for one socket is there for the others, which are woken by the same news."""
LARGEST: Final = 10**15


@dataclass(frozen=True, slots=True)
class Read:
    """Events as they are sent."""

    part: EventsPart
    texts: tuple[str, ...]


class EventsConsumer(LiveConsumer):
    """Tells the events after the one that is named in the address (``?after=``), then each as it happens.

    The news of standings, which follow everything that is written, wake it; the events themselves are read from the
    table. So a message that is lost loses nothing: the next one brings what was missed.
    """

    _tournament_id = 0
    _told = 0
    """The number of the last event that was sent."""
    _telling: asyncio.Lock
    _is_woken = False
    _asked_at = float("-inf")

    async def connect(self) -> None:
        """Let in who may see the tournament, say where its events stand, and send those that are asked for."""
        self._telling = asyncio.Lock()
        after = _after_of(self.scope)
        await self.accept()
        if after is None:
            await self.close(code=BAD_AFTER)
            return
        try:
            first = await database_sync_to_async(_read_for)(self.scope, after, 1)
        except CourtPieceError as error:
            await self.close(code=_code_of(error))
            return
        self._tournament_id, self._told = first.part.tournament_id, after
        await self.follow(group_of(self._tournament_id))
        await self.send_json({"type": "stream", "after": after, "last": first.part.last})
        # Read again now that the group tells: what came between is not missed.
        await self._tell("")

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **_: Any) -> None:
        """Look whether there is anything new, whatever was asked. Once a second."""
        now = asyncio.get_running_loop().time()
        if now - self._asked_at >= LEAST_SECONDS:
            self._asked_at = now
            await self._tell("")

    async def standings(self, message: StandingsMessage) -> None:
        """Send what happened."""
        await self._tell(f"standings {message['version']}")

    async def clock(self, message: object) -> None:
        """Leave the clock to the tournament's own socket."""

    async def _tell(self, reason: str) -> None:
        """Send what is not sent yet, in order; whoever comes meanwhile has it looked for once more."""
        self._is_woken = True
        if self._telling.locked():
            return
        async with self._telling:
            while self._is_woken:
                self._is_woken = False
                try:
                    await self._send_all(reason)
                except CourtPieceError as error:
                    await self.close(code=_code_of(error))
                    return
                reason = ""

    async def _send_all(self, reason: str) -> None:
        while True:
            read = await self._read(reason)
            for text in read.texts:
                await self.send(text_data=text)
            self._told = read.part.until
            if not read.part.has_more:
                return

    async def _read(self, reason: str) -> Read:
        """Return what comes next; for a reason that others have too, read once for all who are as far.

        Without a reason, and where not everybody may see it, it is looked at anew whether this visitor may.
        """
        if not reason:
            mine: Read = await database_sync_to_async(_read_for)(self.scope, self._told, PART)
            return mine
        loop = asyncio.get_running_loop()
        key = (id(loop), self._tournament_id, self._told, reason)
        reading = _READING.get(key)
        if reading is None:
            read: Any = database_sync_to_async(_read_now)
            reading = _READING[key] = asyncio.ensure_future(read(self._tournament_id, self._told))
            loop.call_later(SHARED_SECONDS, _READING.pop, key, None)
        shared = await asyncio.shield(reading)
        # It may have become private, or this visitor's right to it may be gone, since the socket was let in.
        return shared if shared.part.is_for_all else await self._read("")


_READING: Final[dict[object, "asyncio.Future[Read]"]] = {}


def _read_for(scope: dict[str, Any], after: int, limit: int) -> Read:
    slug: str = scope["url_route"]["kwargs"]["slug"]
    return _as_sent(
        events_part(slug, actor=_actor(scope), after=after, limit=limit, origin=settings.SITE_ORIGIN)
    )


def _read_now(tournament_id: int, after: int) -> Read:
    return _as_sent(events_now(tournament_id, after=after, limit=PART, origin=settings.SITE_ORIGIN))


def _as_sent(part: EventsPart) -> Read:
    return Read(part, tuple(json.dumps(event) for event in part.events))


def _actor(scope: dict[str, Any]) -> Actor:
    """Return who follows: by a token, as a program, or signed in, as a page.

    :raises TokenRefused: if there is a token that is not good.
    """
    words = dict(scope["headers"]).get(b"authorization", b"").split()
    if not words or words[0].lower() != b"bearer":
        return actor_of(scope)
    user, grant = accounts.use_token(b" ".join(words[1:]).decode("ascii", "replace"), at=timezone.now())
    return actor_of({**scope, "user": user, "auth": grant})


def _code_of(error: CourtPieceError) -> int:
    return BAD_TOKEN if isinstance(error, accounts.TokenRefused) else NOT_HERE


def _after_of(scope: dict[str, Any]) -> int | None:
    """Return after which event to begin; None where the address says something else than a number."""
    asked = parse_qs(scope.get("query_string", b"").decode("ascii", "replace"), keep_blank_values=True)
    text = asked.get("after", ["0"])[-1]
    if not text.isascii() or not text.isdigit() or len(text) > len(str(LARGEST)):
        return None
    return int(text)
