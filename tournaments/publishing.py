"""What the open pages of a tournament are told: not the news itself, only that there is some."""

from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypedDict

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.db import transaction

STANDINGS: Final = "standings"
"""The type of the message, and so the name of the consumer's method that takes it."""


class StandingsMessage(TypedDict):
    """New standings are there to be fetched."""

    type: str
    version: int
    status: str
    computed_at: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsNews:
    """Which standings a tournament has: their version and status, and when they were computed (in UTC)."""

    version: int
    status: str
    computed_at: str | None

    def as_message(self) -> StandingsMessage:
        """Return what sockets are sent."""
        return StandingsMessage(
            type=STANDINGS, version=self.version, status=self.status, computed_at=self.computed_at
        )


def group_of(tournament_id: int) -> str:
    """Return the name of the group that a tournament's sockets are in."""
    return f"tournament.{tournament_id}"


def timestamp(moment: datetime) -> str:
    """Return a moment in UTC to the second: ``2026-11-29T18:04:05Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def publish_after_commit(*, tournament_id: int, news: StandingsNews) -> None:
    """Tell the tournament's sockets once the surrounding transaction is committed, or at once without one.

    Sockets that cannot be told find the version by themselves when they next ask; so a fault is logged, and
    no more.
    """
    transaction.on_commit(partial(_publish, tournament_id, news), robust=True)


def _publish(tournament_id: int, news: StandingsNews) -> None:
    layer: Any = get_channel_layer()
    async_to_sync(layer.group_send)(group_of(tournament_id), dict(news.as_message()))
