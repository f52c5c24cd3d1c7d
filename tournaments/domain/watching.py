"""What of a match that is being played wants a director's look."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from itertools import islice
from typing import Final

from tournaments.domain.clock import Clock, ClockState
from tournaments.domain.labels import LabelKind, read_label
from tournaments.domain.match_courts import leader_of
from tournaments.domain.plans import FormatName, LengthKind, MatchLength

_OF_A_KNOCKOUT: Final = frozenset(LabelKind) - {LabelKind.GROUP}


class Doubt(Enum):
    """What is missing, or in doubt, at a table."""

    GONE = "gone"
    """A side of an open match plays no more: the match is given away, or made void."""
    NOT_STARTED = "not-started"
    """The clock runs, and no deal is in."""
    MISSING_DEALS = "missing-deals"
    """Deal numbers are left out."""
    PROBLEMS = "problems"
    """Deals have problems that stand."""
    DISPUTED = "disputed"
    """The other pair says that a deal was not so."""
    UNSENT = "unsent"
    """Devices at the table have deals that they have not sent."""
    LEVEL = "level"
    """Nothing is left to play, the match is level, and it must have a winner: further deals (law 13.2)."""
    UNCONFIRMED = "unconfirmed"
    """Nothing is left to play, and the other pair has not yet confirmed every deal."""
    COMPLETE = "complete"
    """All that was agreed is in, and the match is not finished."""
    TIME_OVER = "time-over"
    """The round's clock has ended, and the match is not finished."""
    SHORT = "short"
    """It was finished with fewer deals or courts than were agreed, and no clock was the reason."""


_SOON: Final = timedelta(minutes=5)
"""So long after the start at the latest, or a fifth of the time, a table should have a deal."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """A match as the room sees it."""

    is_open: bool
    is_one_gone: bool = False
    """Whether a side was withdrawn or disqualified."""
    is_finished: bool = False
    deals: int = 0
    """Deals that count."""
    last_number: int = 0
    """The highest number of a deal that is in; 0: none is."""
    missing: tuple[int, ...] = ()
    """The numbers that are left out below it."""
    problems: int = 0
    """Deals with a problem that stands."""
    unsent: int = 0
    """Deals that devices at the table have not sent, by what they said last."""
    disputed: int = 0
    """Deals that the other pair disputes."""
    unconfirmed: int = 0
    """Deals that wait for the other pair."""
    courts: tuple[int, int] = (0, 0)
    must_have_winner: bool = False
    agreed: MatchLength | None = None
    clock: ClockState = ClockState.NOT_STARTED
    should_have_begun: bool = True
    """Whether the clock has run so long that a deal should be in."""
    time_called: bool = False
    """Whether time was called: the last deal, or the end (law 13.3)."""
    is_ruled: bool = False
    """Whether a ruling says how it ended."""

    @property
    def is_level(self) -> bool:
        """Whether both sides have as many courts."""
        return leader_of(self.courts) is None

    @property
    def is_complete(self) -> bool:
        """Whether the deals or the courts that were agreed are in (law 13.1)."""
        if self.agreed is None or self.agreed.kind is LengthKind.MINUTES:
            return False
        made = self.deals if self.agreed.kind is LengthKind.DEALS else max(self.courts)
        return made >= self.agreed.amount

    @property
    def is_short(self) -> bool:
        """Whether it lacks what was agreed, and neither a clock nor a ruling is the reason."""
        has_length = self.agreed is not None and self.agreed.kind is not LengthKind.MINUTES
        return has_length and not self.is_complete and not self.time_called and not self.is_ruled


def doubts_of(match: Watched) -> tuple[Doubt, ...]:
    """Return what wants a look, in the order of :class:`Doubt`."""
    over = match.is_complete or match.clock is ClockState.ENDED
    level = match.must_have_winner and match.is_level
    found = {
        Doubt.GONE: match.is_open and match.is_one_gone,
        Doubt.NOT_STARTED: match.is_open
        and match.clock is ClockState.RUNNING
        and match.should_have_begun
        and match.last_number == 0,
        Doubt.MISSING_DEALS: bool(match.missing),
        Doubt.PROBLEMS: match.problems > 0,
        Doubt.DISPUTED: match.disputed > 0,
        Doubt.UNSENT: match.unsent > 0,
        Doubt.LEVEL: match.is_open and over and level and match.last_number > 0,
        Doubt.UNCONFIRMED: match.unconfirmed > 0 and (over or match.is_finished),
        Doubt.COMPLETE: match.is_open and match.is_complete and not level,
        Doubt.TIME_OVER: match.is_open and match.clock is ClockState.ENDED and not match.is_complete,
        Doubt.SHORT: match.is_finished and match.is_short,
    }
    return tuple(doubt for doubt in Doubt if found[doubt])


def should_have_begun(clock: Clock, now: datetime) -> bool:
    """Return whether the clock has run so long that a deal should be in: a fifth of its time, five minutes at most."""
    return clock.elapsed(now) >= min(clock.total / 5, _SOON)


def is_time_called(clock: Clock, now: datetime) -> bool:
    """Return whether no deal may be begun any more, since the clock called the last or ran out (law 13.3)."""
    if clock.state is ClockState.NOT_STARTED:
        return False
    is_called = clock.last_deal_at is not None or clock.state is ClockState.ENDED
    return is_called or clock.remaining(now) <= timedelta(0)


MOST_MISSING: Final = 100
"""Deal numbers that are named where they are left out: one that was mistyped leaves out millions."""


def missing_numbers(recorded: Iterable[int]) -> tuple[int, ...]:
    """Return the deal numbers that are left out: below the highest, from 1, the first hundred of them."""
    numbers = set(recorded)
    left_out = (number for number in range(1, max(numbers, default=0)) if number not in numbers)
    return tuple(islice(left_out, MOST_MISSING))


def must_have_winner(tournament_format: FormatName, round_label: str) -> bool:
    """Return whether a match of a round with this key cannot end level, since its winner goes on."""
    if tournament_format is FormatName.KNOCKOUT:
        return True
    label = read_label(round_label) if tournament_format is FormatName.GROUPS_KNOCKOUT else None
    return label is not None and label.kind in _OF_A_KNOCKOUT
