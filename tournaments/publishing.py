"""What the open pages of a tournament are told: that there is news, and how its clock runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from math import ceil
from typing import Any, Final, TypedDict

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from courtpiece.accounts.hints import hint_after_commit
from tournaments.domain.clock import Clock

STANDINGS: Final = "standings"
"""The type of the message, and so the name of the consumer's method that takes it."""

TABLE: Final = "table_state"
"""The same of the message that a table has something to show."""

CLOCK: Final = "clock"
"""The same of the message about a round's clock."""

ROOM: Final = "room"
"""The same of the message that something in the room is new which the standings do not show."""


class StandingsMessage(TypedDict):
    """New standings are there to be fetched."""

    type: str
    version: int
    status: str
    computed_at: str | None


class TableMessage(TypedDict):
    """A table said something that is shown from ``due`` on, in milliseconds since 1970: what it is, is not told."""

    type: str
    due: int


class ClockMessage(TypedDict):
    """How a round's clock runs. Moments and lengths are in milliseconds, moments since 1970."""

    type: str
    round: int
    version: int
    """Of this round's clock: a lower one is older."""
    state: str
    left: int
    """What was left at ``running_since``; what is left, where it stands."""
    running_since: int | None
    last_deal: bool
    """Whether the last deal was called."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockNews:
    """How the clock of a round runs."""

    round: int
    version: int
    clock: Clock

    def as_message(self) -> ClockMessage:
        """Return what sockets are sent; whoever sends it adds the ``now`` of the server."""
        left = self.clock.total - self.clock.ran
        since = self.clock.running_since
        return ClockMessage(
            type=CLOCK,
            round=self.round,
            version=self.version,
            state=self.clock.state.value,
            left=round(left.total_seconds() * 1000),
            running_since=None if since is None else milliseconds(since),
            last_deal=self.clock.last_deal_at is not None,
        )


def group_of(tournament_id: int) -> str:
    """Return the name of the group that a tournament's sockets are in."""
    return f"tournament.{tournament_id}"


def room_of(tournament_id: int) -> str:
    """Return the name of the group of the sockets of those who see the tournament's room."""
    return f"room.{tournament_id}"


def group_of_table(tournament_id: int, table: str) -> str:
    """Return the name of the group that the sockets of a table are in, whatever the table is called."""
    return f"table.{tournament_id}.{sha256(table.encode()).hexdigest()[:24]}"


def timestamp(moment: datetime) -> str:
    """Return a moment in UTC to the second: ``2026-11-29T18:04:05Z``."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def milliseconds(moment: datetime) -> int:
    """Return a moment in milliseconds since 1970, as scripts count them."""
    return round(moment.timestamp() * 1000)


def due_milliseconds(moment: datetime) -> int:
    """Return a moment in milliseconds since 1970, rounded up: whoever waits for it does not come too early."""
    return ceil(moment.timestamp() * 1000)


def publish_after_commit(*, tournament_id: int, news: StandingsNews | ClockNews) -> None:
    """Tell the tournament's sockets once the surrounding transaction is committed, or at once without one.

    Sockets that cannot be told find the version by themselves when they next ask; so a fault is logged, and
    no more.
    """
    message: Mapping[str, object] = {**news.as_message()}
    _tell_after_commit(group_of(tournament_id), message)


def tell_room(*, tournament_id: int) -> None:
    """Tell the open pages of the room, after the surrounding transaction, that what its tables say is new.

    Only that is told: the pages ask for what there is, by the rights of whoever looks at them.
    """
    _tell_after_commit(room_of(tournament_id), {"type": ROOM})


def announce_table(*, tournament_id: int, table: str, due: datetime) -> None:
    """Tell the table's sockets when they have something to show. A fault is logged, as with other news."""
    message = TableMessage(type=TABLE, due=due_milliseconds(due))
    _tell_after_commit(group_of_table(tournament_id, table), {**message})


def _tell_after_commit(group: str, message: Mapping[str, object]) -> None:
    def publish() -> None:
        layer: Any = get_channel_layer()
        async_to_sync(layer.group_send)(group, dict(message))

    hint_after_commit(publish)
