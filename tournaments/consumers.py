"""The sockets of tournaments."""

from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer

from courtpiece.accounts.permissions import actor_of
from courtpiece.errors import CourtPieceError
from tournaments import queries
from tournaments.publishing import StandingsMessage, StandingsNews, group_of

NOT_HERE = 4404
"""Closes a socket to what does not exist, or may not be seen: which of them is not told."""


class TournamentConsumer(AsyncJsonWebsocketConsumer):
    """Follows a tournament's standings: says their version at once, and again when there is a newer one."""

    group = ""

    async def connect(self) -> None:
        """Let in who may see the tournament, and say which standings it has."""
        try:
            tournament_id, news = await database_sync_to_async(_news)(self.scope)
        except CourtPieceError:
            await self.accept()
            await self.close(code=NOT_HERE)
            return
        self.group = group_of(tournament_id)
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()
        await self.send_json(dict(news.as_message()))

    async def disconnect(self, code: int) -> None:
        """Leave the group."""
        if self.group:
            await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive_json(self, content: Any, **kwargs: Any) -> None:
        """Say again which standings there are, whatever was asked: a page that woke up asks so."""
        try:
            _tournament_id, news = await database_sync_to_async(_news)(self.scope)
        except CourtPieceError:
            await self.close(code=NOT_HERE)
            return
        await self.send_json(dict(news.as_message()))

    async def standings(self, message: StandingsMessage) -> None:
        """Pass on that there are newer standings."""
        await self.send_json(dict(message))


def _news(scope: dict[str, Any]) -> tuple[int, StandingsNews]:
    slug: str = scope["url_route"]["kwargs"]["slug"]
    return queries.standings_news(slug, actor=actor_of(scope))
