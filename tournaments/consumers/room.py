"""The socket of a tournament's room, for who records deals there."""

import asyncio
from typing import Any

from channels.db import database_sync_to_async

from courtpiece.accounts.permissions import Action, actor_of
from courtpiece.errors import CourtPieceError
from tournaments import queries
from tournaments.consumers.tournament import LEAST_SECONDS, NOT_HERE, TournamentConsumer
from tournaments.publishing import ROOM, room_of


class RoomConsumer(TournamentConsumer):
    """Follows a tournament, and what its tables say besides: deals that are not sent, and what the other pair says.

    It says only that there is something new, at most once a second: the page asks for it by its reader's rights.
    """

    _room_told_at = float("-inf")
    _room_waiting: asyncio.Task[None] | None = None

    async def connect(self) -> None:
        """Let in who may see the room."""
        try:
            tournament_id = await database_sync_to_async(_room)(self.scope)
        except CourtPieceError:
            await self.accept()
            await self.close(code=NOT_HERE)
            return
        await self.follow(room_of(tournament_id))
        await super().connect()

    async def disconnect(self, code: int) -> None:
        """Say nothing more."""
        if self._room_waiting is not None:
            self._room_waiting.cancel()

    async def room(self, message: dict[str, Any]) -> None:
        """Pass on that a table said something: at once, or when a second has passed since the last time."""
        if self._room_waiting is not None and not self._room_waiting.done():
            return
        wait = self._room_told_at + LEAST_SECONDS - asyncio.get_running_loop().time()
        self._room_waiting = asyncio.create_task(self._tell_room_in(max(wait, 0)))

    async def _tell_room_in(self, seconds: float) -> None:
        await asyncio.sleep(seconds)
        try:
            await database_sync_to_async(_room)(self.scope)
        except CourtPieceError:
            await self.close(code=NOT_HERE)
            return
        self._room_told_at = asyncio.get_running_loop().time()
        await self.send_json({"type": ROOM})


def _room(scope: dict[str, Any]) -> int:
    """Return the tournament's id; asked again before anything is told, since roles are taken away."""
    slug: str = scope["url_route"]["kwargs"]["slug"]
    return queries.tournament_id(slug, actor=actor_of(scope), action=Action.RECORD_DEAL)
