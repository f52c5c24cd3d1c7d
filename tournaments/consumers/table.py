"""The socket of a table: what spectators see, each thing when its time has come.

A table's group is told only that something will be shown, and when. What is shown is read from the database at that
moment, by the delay that holds then; so nothing leaves the server before its time, whoever asks and however.
"""

import asyncio
from typing import Any, Final
from urllib.parse import parse_qs

from channels.db import database_sync_to_async
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone, translation

from courtpiece.accounts.permissions import actor_of
from courtpiece.errors import CourtPieceError
from tournaments.consumers.base import LiveConsumer
from tournaments.consumers.tournament import LEAST_SECONDS, NOT_HERE
from tournaments.publishing import (
    StandingsMessage,
    TableMessage,
    group_of,
    group_of_table,
    milliseconds,
)
from tournaments.queries.live import WatchedTable, table_now, watched_table

SHARED_SECONDS: Final = 2.0
"""For so long what was made of a table for one socket is there for the others, which ask at the same moment."""
LONGEST_SLEEP: Final = 3600.0

Made = tuple[WatchedTable, dict[str, Any]]


class TableConsumer(LiveConsumer):
    """Follows a table. Every message is the whole of what is shown, so one that is lost is healed by the next."""

    _groups: tuple[str, ...] = ()
    _tournament_id = 0
    _language = ""
    _telling: asyncio.Lock
    _timer: asyncio.Task[None] | None = None
    _wakes_at = float("inf")
    """When the timer runs out, by the clock of the loop."""
    _asked_at = float("-inf")
    _looked_at = float("-inf")
    _shown = ""

    async def connect(self) -> None:
        """Let in who may see the tournament, and show the table as it is shown now."""
        self._telling = asyncio.Lock()
        self._language = _language_of(self.scope)
        try:
            tournament_id, _watched = await database_sync_to_async(_look)(self.scope)
        except CourtPieceError:
            await self.accept()
            await self.close(code=NOT_HERE)
            return
        table: str = self.scope["url_route"]["kwargs"]["table"]
        self._tournament_id = tournament_id
        self._groups = (group_of_table(tournament_id, table), group_of(tournament_id))
        for group in self._groups:
            await self.follow(group)
        await self.accept()
        await self._tell()

    async def disconnect(self, code: int) -> None:
        """Say nothing more."""
        if self._timer is not None:
            self._timer.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None, **_: Any) -> None:
        """Show again what is shown, whatever was asked: a page that woke up asks so. Once a second."""
        now = asyncio.get_running_loop().time()
        if now - self._asked_at >= LEAST_SECONDS:
            self._asked_at = now
            await self._tell()

    async def table_state(self, message: TableMessage) -> None:
        """Show at its time what the table said."""
        self._wake_when_due(message["due"])

    async def standings(self, message: StandingsMessage) -> None:
        """Look whether a deal was recorded here, at most once a second."""
        wait = self._looked_at + LEAST_SECONDS - asyncio.get_running_loop().time()
        self._wake_in(wait, reason=f"standings {message['version']}")

    async def clock(self, message: object) -> None:
        """Leave the clock to the tournament's own socket."""

    # -- when to look

    def _wake_when_due(self, due: int) -> None:
        seconds = (due - milliseconds(timezone.now())) / 1000
        self._wake_in(seconds, reason=f"due {due}" if seconds > 0 else "")

    def _wake_in(self, seconds: float, *, reason: str) -> None:
        """Look again then, unless that is done before; sockets that wake for the same reason look together."""
        at = asyncio.get_running_loop().time() + max(seconds, 0.0)
        if self._timer is not None:
            if self._wakes_at <= at:
                return
            self._timer.cancel()
        self._wakes_at = at
        self._timer = asyncio.create_task(self._wake(min(max(seconds, 0.0), LONGEST_SLEEP), reason))

    async def _wake(self, seconds: float, reason: str) -> None:
        await asyncio.sleep(seconds)
        self._timer, self._wakes_at = None, float("inf")
        await self._tell(reason)

    # -- what to say

    async def _tell(self, reason: str = "") -> None:
        async with self._telling:
            self._looked_at = asyncio.get_running_loop().time()
            try:
                watched, message = await self._made(reason)
            except CourtPieceError:
                await self.close(code=NOT_HERE)
                return
            if not reason or watched.version != self._shown:
                self._shown = watched.version
                await self.send_json({**message, "now": milliseconds(timezone.now())})
        if watched.next_due is not None:
            self._wake_when_due(watched.next_due)

    async def _made(self, reason: str) -> Made:
        """Return the table as it is shown now; for a reason that others have too, made once for all of them.

        Without a reason, and where not everybody may see it, it is looked at anew whether this visitor may.
        """
        if not reason:
            made: Made = await database_sync_to_async(_make_for)(self.scope, self._language)
            return made
        table: str = self.scope["url_route"]["kwargs"]["table"]
        make = database_sync_to_async(_make)
        loop = asyncio.get_running_loop()
        key = (id(loop), self._groups[0], self._language, reason)
        making = _MAKING.get(key)
        if making is None:
            making = _MAKING[key] = asyncio.ensure_future(make(self._tournament_id, table, self._language))
            loop.call_later(SHARED_SECONDS, _MAKING.pop, key, None)
        shared = await asyncio.shield(making)
        watched, _message = shared
        # It may have become private, or this visitor's right to it may be gone, since the socket was let in.
        return shared if watched.is_for_all else await self._made("")


_MAKING: Final[dict[object, "asyncio.Future[Made]"]] = {}


def _look(scope: dict[str, Any]) -> tuple[int, WatchedTable]:
    arguments = scope["url_route"]["kwargs"]
    return watched_table(arguments["slug"], arguments["table"], actor=actor_of(scope), now=timezone.now())


def _make_for(scope: dict[str, Any], language: str) -> Made:
    """Return the table as it is shown now to this visitor, and the message that shows it."""
    _tournament_id, watched = _look(scope)
    return _shown(watched, language)


def _make(tournament_id: int, table: str, language: str) -> Made:
    """Return the same for all who were let in."""
    return _shown(table_now(tournament_id, table, now=timezone.now()), language)


def _shown(watched: WatchedTable, language: str) -> Made:
    with translation.override(language):
        board = render_to_string("tournaments/watch_board.html", {"watched": watched})
    return watched, {"type": "table", "version": watched.version, "as_of": watched.as_of, "html": board}


def _language_of(scope: dict[str, Any]) -> str:
    """Return the language of the page that asks, as its address says; the site's where it says none of ours."""
    asked = parse_qs(scope.get("query_string", b"").decode("ascii", "replace")).get("language", [""])[0]
    return asked if asked in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
