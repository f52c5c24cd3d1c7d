"""Double dummy by `endplay`, an optional extra: bridge is played to the left, so it is asked in the mirror.

East and West change places, as in the PBN of the notation (`courtpiece.notation.pbn`): partners stay partners, and play
to the right becomes play to the left. Bridge counts the tricks of who plays behind the leader's right; what is asked
for here are those of the leader's side.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from threading import Lock
from typing import Any, Final

from courtpiece.engine import Card, Seat
from courtpiece.engine.cards import suit_ranks
from scoring.domain.analyses import Position

_MIRROR: Final = {Seat.N: "N", Seat.W: "E", Seat.S: "S", Seat.E: "W"}
_ONE_AT_A_TIME: Final = Lock()
"""The library beneath keeps its tables in one place for all threads."""
MOST_AT_ONCE: Final = 200
"""Positions that the library takes in one call."""


class NotInstalled(LookupError):  # noqa: N818 - says what is the case
    """The solver is not installed here."""


def is_installed() -> bool:
    """Return whether deals can be analysed here. It costs a look at the disk, and loads nothing."""
    return find_spec("endplay") is not None


class EndplaySolver:
    """The solver of ``domain.analyses``. Cost: some 30 ms a position of thirteen tricks on one core."""

    def __init__(self) -> None:
        """Load the library.

        :raises NotInstalled: if it is not installed here.
        """
        try:
            # It is an optional extra, and loading it takes a fifth of a second.
            from endplay import dds, types  # noqa: PLC0415 - see above
        except ImportError as error:
            raise NotInstalled from error
        self._dds: Any = dds
        self._types: Any = types

    def tricks(self, positions: Sequence[Position]) -> list[int]:
        """Return how many tricks the side of who leads makes in each."""
        found: list[int] = []
        for start in range(0, len(positions), MOST_AT_ONCE):
            deals = [self._deal(position) for position in positions[start : start + MOST_AT_ONCE]]
            with _ONE_AT_A_TIME:
                found += self._dds.analyse_all_starts(deals, declarer_is_first=True)
        return found

    def tricks_after(self, position: Position, cards: Sequence[Card]) -> list[int]:
        """Return how many the side of who leads makes in all: before the first card, then after each of them."""
        with _ONE_AT_A_TIME:
            solved = self._dds.analyse_play(
                self._deal(position), [str(card) for card in cards], declarer_is_first=True
            )
            found = [int(solved[place]) for place in range(len(solved))]
        # The library says nothing of the last trick: with one card each nothing is left to choose.
        return found + [found[-1]] * (len(cards) + 1 - len(found))

    def _deal(self, position: Position) -> Any:
        """Return the position in the mirror, the leader's hand first and the others to the left."""
        leader = position.leader
        order = (leader, leader.right, leader.partner, leader.left)
        hands = [".".join(suit_ranks(position.hands[seat], suit) for suit in range(4)) for seat in order]
        deal = self._types.Deal(f"{_MIRROR[leader]}:{' '.join(hands)}")
        deal.first = self._types.Player.find(_MIRROR[leader])
        deal.trump = self._types.Denom.find(position.trump.letter)
        return deal
