"""The table of law 1: seats, teams and pairs of numbers that belong to teams."""

from __future__ import annotations

from enum import Enum, IntEnum
from typing import Final, NamedTuple


class Team(IntEnum):
    """Two partners, who sit opposite (law 1.1). The value is the index of the team in a pair of numbers."""

    NS = 0
    EW = 1

    @property
    def other(self) -> Team:
        """The opponents."""
        return TEAMS[1 - self]


class Seat(IntEnum):
    """A seat at the table. The values count to the right from South, the order of deal and play (law 1.2)."""

    S = 0
    E = 1
    N = 2
    W = 3

    @property
    def right(self) -> Seat:
        """The seat that deals, bids and plays next (law 1.2)."""
        return RIGHT_OF[self]

    @property
    def left(self) -> Seat:
        """The seat that came before."""
        return SEATS[(self - 1) & 3]

    @property
    def partner(self) -> Seat:
        """The seat opposite (law 1.1)."""
        return SEATS[self ^ 2]

    @property
    def team(self) -> Team:
        """The team of the seat, fixed for the match (law 1.1)."""
        return TEAMS[self & 1]

    @property
    def letter(self) -> str:
        """``N``, ``E``, ``S`` or ``W``, as in a record."""
        return SEAT_LETTERS[self]

    def places_from(self, other: Seat) -> int:
        """Return how many places to the right of ``other`` this seat is: 0 to 3."""
        return (self - other) & 3


TEAMS: Final[tuple[Team, Team]] = (Team.NS, Team.EW)
SEATS: Final[tuple[Seat, ...]] = (Seat.S, Seat.E, Seat.N, Seat.W)
RIGHT_OF: Final[tuple[Seat, ...]] = (Seat.E, Seat.N, Seat.W, Seat.S)
SEAT_LETTERS: Final = "SENW"
SEAT_OF_LETTER: Final[dict[str, Seat]] = {seat.name: seat for seat in SEATS}
TEAM_OF_NAME: Final[dict[str, Team]] = {team.name: team for team in TEAMS}


class Score(NamedTuple):
    """A whole number for each team: tricks, courts, bavneys or deals won running."""

    ns: int = 0
    ew: int = 0

    def of(self, team: Team) -> int:
        """Return the number of ``team``."""
        return self[team]

    def plus(self, team: Team, amount: int) -> Score:
        """Return the score after ``amount`` more for ``team``."""
        return Score(self[0] + amount, self[1]) if team is Team.NS else Score(self[0], self[1] + amount)

    def total_with(self, other: Score) -> Score:
        """Return the sum, team by team."""
        return Score(self[0] + other[0], self[1] + other[1])

    @property
    def leader(self) -> Team | None:
        """The team with more, or None where they are equal (law 13.2)."""
        if self[0] == self[1]:
            return None
        return Team.NS if self[0] > self[1] else Team.EW

    def as_json(self) -> dict[str, int]:
        """Return ``{"NS": …, "EW": …}``."""
        return {"NS": self[0], "EW": self[1]}


SCORES: Final = tuple(tuple(Score(ns, ew) for ew in range(14)) for ns in range(14))
"""The scores of up to thirteen tricks a team, by NS and EW: made once, since every deal needs one."""


class Award(Enum):
    """What made a deal more than a win, or less (laws 8 to 10)."""

    WIN = "win"
    """Seven tricks, no court (law 9.1)."""
    COURT = "court"
    """Law 10.1 or 10.2, by the caller's team."""
    GOON_COURT = "goon-court"
    """Law 10.4: a court by the dealer's team."""
    BAVNEY = "bavney"
    """Law 10.3: all thirteen in a single game."""
    REVOKE = "revoke"
    """Law 8.3: the other team revoked."""
    VOID = "void"
    """Law 9.6: nobody won; the same dealer deals again."""
