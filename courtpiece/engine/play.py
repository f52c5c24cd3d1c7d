"""One player's turn as it is recorded: cards played and taken back, a reveal, a card face down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from courtpiece.engine.cards import CARDS, Card
from courtpiece.engine.seats import Seat

# Inside the engine a play is one integer. A single card without a sign is its index, 0 to 51. Bits 6
# and 7 are the sign; the cards taken back follow from bit 8 in groups of six, each index plus one, the
# first one played lowest.
CARD_BITS: Final = 0x3F
PLAIN: Final = 64
"""Codes below this are single cards without a sign."""
REVEAL: Final = 1 << 6
FACE_DOWN: Final = 1 << 7
_TAKEN_BACK: Final = 8


@dataclass(frozen=True, slots=True)
class Play:
    """The cards of one turn in the order played: the last one stands, those before were taken back (law 8.2)."""

    cards: tuple[Card, ...]
    reveal: bool = False
    """The indicator was turned up just before the first card (law 6)."""
    face_down: bool = False
    """The card that stands was discarded face down (law 6.8)."""

    @property
    def card(self) -> Card:
        """The card that stands."""
        return self.cards[-1]


class Claim(NamedTuple):
    """A claim that a seat revoked: in a trick from 1, or, with None, in the first one where its card stood."""

    seat: Seat
    trick: int | None


def play_code(play: Play) -> int:
    """Return the integer that stands for ``play`` inside the engine."""
    return join_code(
        [card.index for card in play.cards],
        (REVEAL if play.reveal else 0) | (FACE_DOWN if play.face_down else 0),
    )


def join_code(indexes: list[int], sign: int) -> int:
    """Return the code of the cards, in the order played, under a sign (0 for none)."""
    code = indexes[-1] | sign
    for place, index in enumerate(indexes[:-1]):
        code |= (index + 1) << (_TAKEN_BACK + 6 * place)
    return code


def card_indexes(code: int) -> list[int]:
    """Return the indexes of a code's cards in the order played; the last one stands."""
    indexes = []
    taken_back = code >> _TAKEN_BACK
    while taken_back:
        indexes.append((taken_back & CARD_BITS) - 1)
        taken_back >>= 6
    indexes.append(code & CARD_BITS)
    return indexes


def play_of(code: int) -> Play:
    """Return the play that a code stands for."""
    return Play(
        tuple(CARDS[index] for index in card_indexes(code)),
        reveal=bool(code & REVEAL),
        face_down=bool(code & FACE_DOWN),
    )
