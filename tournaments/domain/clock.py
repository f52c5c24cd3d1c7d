"""The arithmetic of a round's clock: moments and sums, so that nothing drifts and a restart loses nothing."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from courtpiece.errors import CourtPieceError

MOST_ADDED: Final = 24 * 60 * 60
"""The most seconds that can be added, or taken away, at once and in all."""


class ClockState(Enum):
    """What a clock does."""

    NOT_STARTED = "not-started"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


class ClockAction(Enum):
    """What can be done to a clock."""

    START = "start"
    PAUSE = "pause"
    RESUME = "resume"
    ADD_TIME = "add-time"
    CALL_LAST_DEAL = "call-last-deal"
    """A deal begun before this is played out; no other is begun (law 13.3)."""
    END = "end"


class ClockFault(Enum):
    """Why an action is not possible."""

    NOT_STARTED = "not-started"
    ALREADY_STARTED = "already-started"
    ALREADY_RUNNING = "already-running"
    PAUSED = "paused"
    LAST_DEAL_CALLED = "last-deal-called"
    ENDED = "ended"
    OUT_OF_RANGE = "out-of-range"
    """More than a day, nothing, or more than was left."""
    BEFORE = "before"
    """The moment lies before what the clock already knows of."""


class ClockError(CourtPieceError):
    """The clock does not allow the action now."""

    def __init__(self, fault: ClockFault) -> None:
        super().__init__(f"the clock does not allow that: {fault.value}")
        self.fault = fault


_FAULTS: Final = {
    ClockAction.START: {
        ClockState.RUNNING: ClockFault.ALREADY_STARTED,
        ClockState.PAUSED: ClockFault.ALREADY_STARTED,
    },
    ClockAction.PAUSE: {
        ClockState.NOT_STARTED: ClockFault.NOT_STARTED,
        ClockState.PAUSED: ClockFault.PAUSED,
    },
    ClockAction.RESUME: {
        ClockState.NOT_STARTED: ClockFault.NOT_STARTED,
        ClockState.RUNNING: ClockFault.ALREADY_RUNNING,
    },
    ClockAction.ADD_TIME: {},
    ClockAction.CALL_LAST_DEAL: {ClockState.NOT_STARTED: ClockFault.NOT_STARTED},
    ClockAction.END: {ClockState.NOT_STARTED: ClockFault.NOT_STARTED},
}
"""What each action is refused for, by the clock's state. One that has ended refuses all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A round's clock, as it is stored. Every moment is an aware ``datetime``."""

    length: int
    """In seconds, as agreed (law 13.1)."""
    added: int = 0
    """Seconds added since, less those taken away."""
    ran: timedelta = timedelta(0)
    """How long it ran before it last stood still."""
    running_since: datetime | None = None
    """None: it stands."""
    started_at: datetime | None = None
    last_deal_at: datetime | None = None
    """When the last deal was called."""
    ended_at: datetime | None = None

    @property
    def state(self) -> ClockState:
        """What it does."""
        if self.ended_at is not None:
            return ClockState.ENDED
        if self.started_at is None:
            return ClockState.NOT_STARTED
        return ClockState.PAUSED if self.running_since is None else ClockState.RUNNING

    @property
    def total(self) -> timedelta:
        """The agreed length with what was added."""
        return timedelta(seconds=self.length + self.added)

    def elapsed(self, now: datetime) -> timedelta:
        """Return how long it has run, pauses left out."""
        running = timedelta(0) if self.running_since is None else now - self.running_since
        return self.ran + max(running, timedelta(0))

    def remaining(self, now: datetime) -> timedelta:
        """Return what is left, never less than nothing."""
        return max(self.total - self.elapsed(now), timedelta(0))

    def runs_out_at(self, now: datetime) -> datetime | None:
        """Return when nothing will be left, or was; None while it stands."""
        if self.running_since is None:
            return None
        return self.running_since + self.total - self.ran

    def may_begin_deal(self, now: datetime) -> bool:
        """Return whether a deal may be begun: the clock runs, time is left, and the last was not called (law 13.3)."""
        is_called = self.last_deal_at is not None
        return self.state is ClockState.RUNNING and not is_called and self.remaining(now) > timedelta(0)

    def is_over(self, now: datetime) -> bool:
        """Return whether no further match is begun: it has ended, the last deal was called, or no time is left.

        A deal begun before is played out (law 13.3). What was not started is not over.
        """
        if self.started_at is None:
            return False
        is_called = self.last_deal_at is not None or self.ended_at is not None
        return is_called or self.remaining(now) <= timedelta(0)

    # -- may I, why not, do it

    def actions(self) -> frozenset[ClockAction]:
        """Return what can be done now."""
        return frozenset(action for action in ClockAction if self._fault_of(action) is None)

    def check(self, action: ClockAction) -> None:
        """Raise why the action is not possible.

        :raises ClockError: if the clock does not allow it now.
        """
        fault = self._fault_of(action)
        if fault is not None:
            raise ClockError(fault)

    def start(self, at: datetime) -> "Clock":
        """Return the clock running.

        :raises ClockError: if it was started before.
        """
        self.check(ClockAction.START)
        return replace(self, started_at=at, running_since=at)

    def pause(self, at: datetime) -> "Clock":
        """Return the clock standing.

        :raises ClockError: if it does not run, or ``at`` is before it was set running.
        """
        self.check(ClockAction.PAUSE)
        return self._stopped(at)

    def resume(self, at: datetime) -> "Clock":
        """Return the clock running again.

        :raises ClockError: if it does not stand still after having run, or ``at`` is before it was started.
        """
        self.check(ClockAction.RESUME)
        self._check_moment(at)
        return replace(self, running_since=at)

    def add_time(self, seconds: int, now: datetime) -> "Clock":
        """Return the clock with more time, or with less where ``seconds`` are below 0.

        Time that is added after it ran out begins with the moment at which it is added. The last deal that was
        called is called no more.

        :raises ClockError: if the round has ended, or ``seconds`` are 0, are or would make more than a day, or take
            more than is left.
        """
        self.check(ClockAction.ADD_TIME)
        left = self.remaining(now)
        is_too_much = max(abs(seconds), abs(self.added + seconds)) > MOST_ADDED
        if seconds == 0 or is_too_much or left + timedelta(seconds=seconds) < timedelta(0):
            raise ClockError(ClockFault.OUT_OF_RANGE)
        if seconds < 0:
            return replace(self, added=self.added + seconds)
        longer = replace(self, added=self.added + seconds, last_deal_at=None)
        if left > timedelta(0):
            return longer
        return replace(longer, ran=self.total, running_since=self.running_since and now)

    def call_last_deal(self, at: datetime) -> "Clock":
        """Return the clock with the last deal called: what was begun is played out (law 13.3).

        :raises ClockError: if it was not started, has ended, or the last deal was called before.
        """
        self.check(ClockAction.CALL_LAST_DEAL)
        self._check_moment(at)
        return replace(self, last_deal_at=at)

    def end(self, at: datetime) -> "Clock":
        """Return the clock ended: it stands for good.

        :raises ClockError: if it was not started, has ended, or ``at`` is before it was set running.
        """
        self.check(ClockAction.END)
        return replace(self._stopped_or_same(at), ended_at=at)

    def _fault_of(self, action: ClockAction) -> ClockFault | None:
        if self.state is ClockState.ENDED:
            return ClockFault.ENDED
        if action is ClockAction.CALL_LAST_DEAL and self.last_deal_at is not None:
            return ClockFault.LAST_DEAL_CALLED
        return _FAULTS[action].get(self.state)

    def _check_moment(self, at: datetime) -> None:
        known = [moment for moment in (self.started_at, self.running_since) if moment is not None]
        if any(at < moment for moment in known):
            raise ClockError(ClockFault.BEFORE)

    def _stopped(self, at: datetime) -> "Clock":
        self._check_moment(at)
        return replace(self, ran=self.elapsed(at), running_since=None)

    def _stopped_or_same(self, at: datetime) -> "Clock":
        return self if self.running_since is None else self._stopped(at)
