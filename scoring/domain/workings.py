"""How the value of a tie-break is shown, so that a person can add it up again."""

from dataclasses import dataclass
from enum import Enum

from scoring.domain.results import ByeKind, Exact


class Cut(Enum):
    """Why a line does not count (FIDE C.07, article 14.3)."""

    LOWEST = "lowest"
    """It is the least significant value: the lowest, or the lowest of the rounds missed by choice (16.5)."""
    HIGHEST = "highest"
    """It is the most significant value of those that the first cut left."""


@dataclass(frozen=True, slots=True)
class WorkingLine:
    """What one opponent, or one round without one, gave to a value."""

    opponent: int | None
    """Whom it met, or would have met where a match was given away; None where there was nobody."""
    rounds: tuple[int, ...]
    """The rounds in which they met; several only where a value is an average over them."""
    amount: Exact
    own: Exact | None = None
    other: Exact | None = None
    """``own`` and ``other`` are what the amount was made of, where it was made of two numbers: courts of both
    for a difference; for Sonneborn-Berger the points made of the opponent, and the opponent's score."""
    again: int = 0
    """Head-to-head only: how many times the tied set had been narrowed before this line was counted."""
    bye: ByeKind | None = None
    """Why no match was played in the round; None where one was."""
    dummy: bool = False
    """Whether it is taken to have met a dummy in the round (16.4), whose score the amount is or is made of."""
    cut: Cut | None = None
    """Why the amount is not in the value; None where it is."""
    before: Exact | None = None
    """The opponent's or the dummy's score as it was before article 16 changed it; None where it did not."""


@dataclass(frozen=True, slots=True)
class Working:
    """A value, opponent by opponent."""

    value: Exact | None
    lines: tuple[WorkingLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLine:
    """What one session of a league gave to an entry that was there."""

    session: int
    """From 1."""
    rank: int
    """Among those who were there."""
    tied: bool
    score: Exact
    """What the session was ordered by: match points or courts."""
    points: Exact
    """What it is worth in the league."""
    counts: bool = True
    """Whether it is one of the best that count."""
