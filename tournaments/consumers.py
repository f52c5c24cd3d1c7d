"""The sockets of tournaments."""

import asyncio
from typing import Any, Final

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer, AsyncWebsocketConsumer

from courtpiece.accounts.permissions import actor_of
from courtpiece.errors import CourtPieceError
from tournaments import queries
from tournaments.publishing import StandingsMessage, StandingsNews, group_of

LEAST_SECONDS: Final = 1.0
"""Between two answers to one page."""
NOT_HERE: Final = 4404
"""Closes a socket to what does not exist, or may not be seen: which of them is not told."""


class TournamentConsumer(AsyncJsonWebsocketConsumer):
    """Follows a tournament's standings: says their version at once, and again when there is a newer one."""

    group = ""
    _told_at = float("-inf")

    async def connect(self) -> None:
        """Let in who may see the tournament, and say which standings it has."""
        try:
            tournament_id, _news_before = await database_sync_to_async(_news)(self.scope)
        except CourtPieceError:
            await self.accept()
            await self.close(code=NOT_HERE)
            return
        self.group = group_of(tournament_id)
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()
        # Asked again now that the group tells: what came between is not missed.
        await self._tell()

    async def disconnect(self, code: int) -> None:
        """Leave the group."""
        if self.group:
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **_: Any) -> None:
        """Say again which standings there are, whatever was asked: a page that woke up asks so. Once a second."""
        now = asyncio.get_running_loop().time()
        if now - self._told_at >= LEAST_SECONDS:
            self._told_at = now
            await self._tell()

    async def _tell(self) -> None:
        try:
            _tournament_id, news = await database_sync_to_async(_news)(self.scope)
        except CourtPieceError:
            await self.close(code=NOT_HERE)
            return
        await self.send_json(dict(news.as_message()))

    async def standings(self, message: StandingsMessage) -> None:
        """Pass on that there are newer standings."""
        await self.send_json(dict(message))


class NowhereConsumer(AsyncWebsocketConsumer):
    """Closes a socket to an address where there is none, as to one that may not be seen."""

    async def connect(self) -> None:
        """Say that nothing is here."""
        await self.accept()
        await self.close(code=NOT_HERE)


def _news(scope: dict[str, Any]) -> tuple[int, StandingsNews]:
    slug: str = scope["url_route"]["kwargs"]["slug"]
    return queries.standings_news(slug, actor=actor_of(scope))
