"""What the engine finds in a deal."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple

from courtpiece.engine.cards import Card, Suit
from courtpiece.engine.faults import Code, Fault, Kind
from courtpiece.engine.rules import Rules
from courtpiece.engine.seats import Award, Score, Seat, Team


class Level(Enum):
    """How much of a deal a record tells."""

    FULL = "full"
    """It has a play section."""
    TRICKS = "tricks"
    """It tells who won each trick."""
    RESULT = "result"
    """It tells the result only."""


class Revoke(NamedTuple):
    """A revoke (law 8.1). ``trick`` counts from 1; ``card`` and ``led`` are None where the record has no cards."""

    seat: Seat
    trick: int
    card: Card | None
    led: Suit | None
    corrected: bool


NIL: Final = Score()


class Outcome(NamedTuple):
    """What a deal counts for in its match, as found or as ruled.

    ``tricks`` are those won or gathered (law 7.8); ``courts`` those of laws 8 and 10, not law 11's.
    """

    winner: Team | None
    award: Award
    tricks: Score
    courts: Score

    @staticmethod
    def void(tricks: Score = NIL) -> Outcome:
        """Return the outcome of a deal that nobody won (law 9.6)."""
        return Outcome(None, Award.VOID, tricks, NIL)


class Finding(NamedTuple):
    """What the engine says of one deal by itself; what needs the match is the ledger's."""

    level: Level
    rules: Rules
    dealer: Seat
    trump: Suit | None
    """The suit made or stated, a hidden one too, revealed or not; None where there is none."""
    outcome: Outcome | None
    """None where the record cannot be adjudicated."""
    trick_winners: tuple[Seat, ...] | None
    """The winners of the tricks that counted; None in a record of the result only."""
    revokes: tuple[Revoke, ...]
    faults: tuple[Fault, ...]

    @property
    def caller(self) -> Seat:
        """The seat that makes trump and leads (law 3.2)."""
        return self.dealer.right

    @property
    def is_discrepant(self) -> bool:
        """Whether the record states something that it does not show."""
        return any(fault.code.kind is Kind.DISCREPANCY for fault in self.faults)

    def has(self, code: Code) -> bool:
        """Return whether a fault of this code was found."""
        return any(fault.code is code for fault in self.faults)
