"""Cards that somebody asks for: how they are written, and whose hand they are looked for in."""

import re
from enum import StrEnum
from typing import Final

from courtpiece.engine import Seat
from courtpiece.engine.cards import BITS, HAND_SIZE
from courtpiece.errors import CourtPieceError
from courtpiece.notation.values import card_index

_SUIT_SIGNS: Final = str.maketrans("♠♥♦♣♤♡♢♧", "SHDCSHDC")
_BETWEEN: Final = re.compile(r"[\s,;+]+")


class Holder(StrEnum):
    """Whose hand cards are looked for in."""

    ANY = "any"
    """Any one hand that has them all."""
    CALLER = "caller"
    DEALER = "dealer"
    NORTH = "N"
    EAST = "E"
    SOUTH = "S"
    WEST = "W"
    PLAYER = "player"
    """The player who is named."""


class NoCards(CourtPieceError):  # noqa: N818 - it is told to who typed it
    """A word is no card, or no hand has so many. ``word`` is empty for the latter."""

    def __init__(self, word: str) -> None:
        super().__init__(f"no cards: {word}")
        self.word = word


def cards_of(text: str) -> int:
    """Return the cards that are written, as a set of bits: ``AS KS``, ``SA,SK`` or ``A♠ K♠``.

    :raises NoCards: if a word is no card, there is none, or there are more than a hand has.
    """
    held = 0
    for word in _BETWEEN.split(text.translate(_SUIT_SIGNS).strip()):
        index = card_index(word)
        if index is None:
            raise NoCards(word)
        held |= BITS[index]
    if held.bit_count() > HAND_SIZE:
        raise NoCards("")
    return held


def caller_of(dealer: Seat) -> Seat:
    """Return the seat that calls when that one deals (law 3.2)."""
    return dealer.right
