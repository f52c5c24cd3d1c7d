"""The next round of any format, and whether there is one."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tournaments.domain.pairing import Draw
from tournaments.domain.plans import FormatPlan
from tournaments.domain.state import Participant, TournamentState


class NextStep(Enum):
    """What can be done next."""

    DRAW = "draw"
    """A round can be drawn."""
    WAIT = "wait"
    """Something must happen before."""
    NEXT_SESSION = "next-session"
    """A league's session has had its rounds."""
    OVER = "over"
    """The tournament has had its last round, and every match of it is finished."""


class BlockKind(Enum):
    """What must happen before a round can be drawn."""

    OPEN_MATCH = "open-match"
    """A match is not finished."""
    LEVEL_MATCH = "level-match"
    """A match that must have a winner is level (law 13.2): further deals until a court."""
    VOID_MATCH = "void-match"
    """A match that must have a winner is void."""
    TOO_FEW_ENTRIES = "too-few-entries"
    LATE_ENTRY = "late-entry"
    """An entry came when no place was left for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One thing that must happen before a round can be drawn."""

    kind: BlockKind
    round: int | None = None
    table: str = ""
    """Of the match; empty where it is about no match."""
    entries: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Next:
    """What comes next."""

    step: NextStep
    number: int
    """Of the round that would be drawn, from 1."""
    label: str = ""
    """Its key: see ``labels``."""
    blocks: tuple[Block, ...] = ()


def what_next(plan: FormatPlan, state: TournamentState) -> Next:
    """Return whether a round can be drawn, what must happen before, or that the tournament is over."""
    raise NotImplementedError


def draw_round(plan: FormatPlan, state: TournamentState, *, seed: int) -> Draw:
    """Return the next round: the same one for the same plan, state and seed.

    :raises PairingError: if there is none to be drawn now.
    """
    raise NotImplementedError


def schedule(plan: FormatPlan, entries: Sequence[Participant]) -> tuple[Draw, ...]:
    """Return the rounds that no result changes: all of a round robin, the groups', the first of others."""
    raise NotImplementedError
