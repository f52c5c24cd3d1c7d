"""What a draw is made from and what it comes to, whatever the format."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from courtpiece.errors import CourtPieceError
from scoring.domain.results import ByeKind, Exact


class PairingError(CourtPieceError):
    """No round can be drawn. ``entries`` are the numbers of those at fault, ascending, as far as they are known."""

    def __init__(self, message: str, *, entries: tuple[int, ...] = ()) -> None:
        super().__init__(message)
        self.entries = entries


class Float(Enum):
    """Whether an entry met another score than its own."""

    UP = "up"
    """It met an entry of a higher score."""
    DOWN = "down"
    """It met an entry of a lower score, or had a bye worth more than a loss (FIDE C.04.3, 1.4.3)."""
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Contestant:
    """An entry as the next round sees it."""

    number: int
    rank: int
    """Its place among all before the round, from 1, never shared: by seed before the first round."""
    score: Exact = 0
    opponents: tuple[int, ...] = ()
    """Whom it has met, by round; twice where it met somebody twice. A match that was given away and never played
    does not count as met (FIDE C.04.1)."""
    rounds: tuple[int, ...] = ()
    """The round (from 1) of each of the ``opponents``; empty where nobody knows."""
    byes: Mapping[int, ByeKind]
    """The rounds (from 1) without an opponent."""
    floats: tuple[Float, ...] = ()
    """How it was floated, by round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Two entries that a director wants together, or apart, and why."""

    entries: tuple[int, int]
    reason: str


class Note(Enum):
    """Why a pairing is as it is. The words for people are made of it outside."""

    SAME_SCORE = "same-score"
    """Both have the same score."""
    FLOATED = "floated"
    """The two have different scores: whoever has more floats down, the other up."""
    FORCED = "forced"
    """The director wanted it."""
    REMATCH = "rematch"
    """The two have met before: no draw with byes as fair has fewer such pairs."""
    FLOATED_AGAIN = "floated-again"
    """An entry floats the same way as in the round before: no draw that is as good in what comes first has fewer."""
    SCHEDULED = "scheduled"
    """A table of the format says so: a round robin's, a bracket's."""
    QUEUE = "queue"
    """Whose turn it was."""


class Against(Enum):
    """Why an entry was not given what would have suited it better by itself."""

    MET = "met"
    FORBIDDEN = "forbidden"
    FORCED_ELSEWHERE = "forced-elsewhere"
    HAD_BYE = "had-bye"
    """It was not given the bye, having had more of them."""
    COSTS_MORE = "costs-more"
    """It could be, but the round as a whole would be worse: greater differences of score, or a tie broken otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """Who would have suited an entry better by itself, or whom a bye would have gone to first.

    An opponent suits better by a smaller difference of score, or by its place in the score group.
    """

    entry: int
    against: Against
    rounds: tuple[int, ...] = ()
    """When they met."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Two entries of a drawn round."""

    first: int
    """The one that stands higher; in a round robin, the one that sits North-South."""
    second: int
    notes: tuple[Note, ...] = ()
    scores: tuple[Exact, Exact] = (0, 0)
    alternatives: tuple[Alternative, ...] = ()
    """Whom ``first`` would rather have met, best first, at most three."""
    reason: str = ""
    """A director's, where the pairing was forced."""
    label: str = ""
    """The key of what the match is called, where it has a name: see ``labels``."""
    table: int | None = None
    """The table (from 1) that it must be played at, as where a winner stays; None: by the order of the draw."""
    fixed_seats: bool = False
    """Whether ``first`` must sit North-South: a round robin's tables say so, and a winner keeps its seats."""
    given_away_by: tuple[int, ...] = ()
    """Who cannot play it, and so gives it away: withdrawn entries, and those away where no other day is left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ByeGiven:
    """An entry without an opponent in a drawn round."""

    entry: int
    kind: ByeKind
    alternatives: tuple[Alternative, ...] = ()
    reason: str = ""
    """A director's, where the bye was given by hand."""
    by_seed: bool = False
    """Whether a bracket that is not full gave it to one of the best seeds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """A drawn round."""

    number: int
    """From 1."""
    pairings: tuple[Pairing, ...]
    """In the order of the tables, the highest first."""
    byes: tuple[ByeGiven, ...] = ()
    label: str = ""
    """The key of what the round is called, where it has a name: see ``labels``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """Everything that a Swiss round is drawn from."""

    number: int
    """Of the round, from 1."""
    contestants: tuple[Contestant, ...]
    """Everybody who plays in the round or has a pairing-allocated bye in it; not those who are away."""
    forbidden: tuple[Wish, ...] = ()
    forced: tuple[Wish, ...] = ()
    away: tuple[ByeGiven, ...] = ()
    """Who does not play: requested, absent, late. They are passed on to the draw."""
