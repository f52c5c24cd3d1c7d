"""What a tournament's director can do next, and what must happen before."""

from dataclasses import dataclass
from enum import Enum


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
    """Of the round that would be drawn, from 1; of the last one, where there is none to come."""
    label: str = ""
    """The round's key: see ``labels``."""
    blocks: tuple[Block, ...] = ()
    """By round and table; empty unless one must wait."""
    left_out: tuple[int, ...] = ()
    """Active entries for whom the format has no place, since they came too late; ascending."""
