"""The socket of a tournament, and the one that leads nowhere."""

import asyncio
from typing import Any, Final

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import timezone

from courtpiece.accounts.permissions import actor_of
from courtpiece.errors import CourtPieceError
from tournaments import queries
from tournaments.consumers.base import LiveConsumer
from tournaments.publishing import (
    ClockMessage,
    ClockNews,
    StandingsMessage,
    StandingsNews,
    group_of,
    milliseconds,
)

LEAST_SECONDS: Final = 1.0
"""Between two answers to one page."""
LEAST_BETWEEN_NEWS: Final = 0.1
"""Seconds between two messages about standings to one page. The page itself fetches what changed once a second."""
NOT_HERE: Final = 4404
"""Closes a socket to what does not exist, or may not be seen: which of them is not told."""


class TournamentConsumer(LiveConsumer):
    """Follows a tournament: says the version of its standings and how its clock runs, then what changes.

    The clock is passed on at once. Of standings that come one upon the other only the newest is, ten times a second.
    """

    _told_at = float("-inf")
    _passed_at = float("-inf")
    _newest: StandingsMessage | None = None
    """Standings that are there and wait for their turn."""
    _waiting: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Let in who may see the tournament, and say which standings it has, and its clock where it was started."""
        try:
            tournament_id, _news_before, _clock = await database_sync_to_async(_news)(self.scope)
        except CourtPieceError:
            await self.accept()
            await self.close(code=NOT_HERE)
            return
        await self.follow(group_of(tournament_id))
        await self.accept()
        # Asked again now that the group tells: what came between is not missed.
        await self._tell()

    async def disconnect(self, code: int) -> None:
        """Say nothing more."""
        if self._waiting is not None:
            self._waiting.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **_: Any) -> None:
        """Say again how things are, whatever was asked: a page that woke up asks so. Once a second."""
        now = asyncio.get_running_loop().time()
        if now - self._told_at >= LEAST_SECONDS:
            self._told_at = now
            await self._tell()

    async def _tell(self) -> None:
        try:
            _tournament_id, news, clock = await database_sync_to_async(_news)(self.scope)
        except CourtPieceError:
            await self.close(code=NOT_HERE)
            return
        await self.send_json(dict(news.as_message()))
        if clock is not None:
            await self.clock(clock.as_message())

    async def clock(self, message: ClockMessage) -> None:
        """Pass on how the clock runs, with the moment at which that is said."""
        await self.send_json({**message, "now": milliseconds(timezone.now())})

    async def standings(self, message: StandingsMessage) -> None:
        """Pass on that there are newer standings: at once, or when a moment has passed since the last time."""
        self._newest = message
        if self._waiting is None or self._waiting.done():
            wait = self._passed_at + LEAST_BETWEEN_NEWS - asyncio.get_running_loop().time()
            if wait <= 0:
                await self._pass_on()
            else:
                self._waiting = asyncio.create_task(self._pass_on_in(wait))

    async def _pass_on_in(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        await self._pass_on()

    async def _pass_on(self) -> None:
        message, self._newest = self._newest, None
        if message is not None:
            self._passed_at = asyncio.get_running_loop().time()
            await self.send_json(dict(message))


class NowhereConsumer(AsyncWebsocketConsumer):
    """Closes a socket to an address where there is none, as to one that may not be seen."""

    async def connect(self) -> None:
        """Say that nothing is here."""
        await self.accept()
        await self.close(code=NOT_HERE)


def _news(scope: dict[str, Any]) -> tuple[int, StandingsNews, ClockNews | None]:
    slug: str = scope["url_route"]["kwargs"]["slug"]
    actor = actor_of(scope)
    tournament_id, news = queries.standings_news(slug, actor=actor)
    return tournament_id, news, queries.clock_news(slug, actor=actor, now=timezone.now())
