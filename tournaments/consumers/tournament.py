"""The socket of a tournament, and the one that leads nowhere."""

import asyncio
from collections.abc import Mapping
from typing import Any, Final

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import timezone

from courtpiece.accounts.permissions import actor_of
from courtpiece.errors import CourtPieceError
from tournaments import queries
from tournaments.consumers.base import LiveConsumer
from tournaments.publishing import (
    CLOCK,
    STANDINGS,
    ClockNews,
    StandingsNews,
    group_of,
    milliseconds,
)

LEAST_SECONDS: Final = 1.0
"""Between two answers to one page."""
NOT_HERE: Final = 4404
"""Closes a socket to what does not exist, or may not be seen: which of them is not told."""


class TournamentConsumer(LiveConsumer):
    """Follows a tournament: says the version of its standings and how its clock runs, then what changes.

    All pages are told the same.
    """

    _told_at = float("-inf")

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
        for message in (news.as_message(), *(() if clock is None else (clock.as_message(),))):
            await self.send_json(dict(self.words(message) or {}))

    @classmethod
    def words(cls, message: Mapping[str, Any], /) -> Mapping[str, Any] | None:
        """Return the news as they came; how the clock runs, with the moment at which that is said."""
        if message["type"] == CLOCK:
            return {**message, "now": milliseconds(timezone.now())}
        return message if message["type"] == STANDINGS else None


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
