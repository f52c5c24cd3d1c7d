"""The facts of one deal as they were recorded, before anybody judged them."""

from __future__ import annotations

from typing import Final, NamedTuple

from courtpiece.engine.cards import Card
from courtpiece.engine.play import Claim
from courtpiece.engine.rules import Rules
from courtpiece.engine.seats import Award, Score, Seat, Team
from courtpiece.engine.trump import Trump

Hands = tuple[int, int, int, int]
"""The cards of S, E, N and W, as sets of bits."""

Tricks = tuple[tuple[int, ...], ...]
"""The plays of each trick, as codes (see ``play``)."""


class StatedResult(NamedTuple):
    """A result as a record states it. Void has no winner and no tricks."""

    winner: Team | None
    tricks: Score
    award: Award


class StatedRevoke(NamedTuple):
    """An established revoke as a record states it; ``trick`` counts from 1."""

    seat: Seat
    trick: int


class DealFacts(NamedTuple):
    """Everything that a record tells of a deal. What it does not tell is None."""

    rules: Rules
    dealer: Seat
    hands: Hands | None = None
    first_five: tuple[Card, ...] | None = None
    trump: Trump | None = None
    tricks: Tricks | None = None
    claim: Claim | None = None
    winners: tuple[Seat, ...] | None = None
    """Who won each trick, as stated."""
    revoke: StatedRevoke | None = None
    result: StatedResult | None = None
    misnumbered: int | None = None
    """The first trick, from 0, that was written under a wrong number."""


NO_HANDS: Final[Hands] = (0, 0, 0, 0)
