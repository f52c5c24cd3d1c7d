"""How trump was made (law 4), and who wins a trick under it (laws 5.3 and 6.6 to 6.8)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from courtpiece.engine.cards import PACK_SIZE, SUIT_OF, Card, Suit
from courtpiece.engine.rules import TrumpMethod


@dataclass(frozen=True, slots=True)
class Trump:
    """How trump was made: part of the record (law 4)."""

    method: TrumpMethod
    suit: Suit | None
    """None only where a discard never made one."""
    card: Card | None = None
    """The card laid or turned; None where the method has none, or where it is not known."""
    number: int | None = None
    """Which of the caller's cards was named: 6 to 13 (law 4.4)."""


UNKNOWN_DISCARD: Final = Trump(TrumpMethod.DISCARD, None)
"""Trump by discard, nothing stated."""


def _strengths(trump: int, led: int) -> tuple[int, ...]:
    """Return for each card how it fights for a trick (law 5.3): 0 cannot win it; odd follows suit."""
    strengths = []
    for index in range(PACK_SIZE):
        suit, rank = divmod(index, 13)
        beats = 20 + rank if suit == trump else 1 + rank if suit == led else 0
        strengths.append(2 * beats + (suit == led))
    return tuple(strengths)


_BY_SUITS: Final = tuple(tuple(_strengths(trump, led) for led in range(4)) for trump in (0, 1, 2, 3, -1))

STRENGTHS: Final = tuple(tuple(by_led[SUIT_OF[card]] for card in range(PACK_SIZE)) for by_led in _BY_SUITS)
"""For a trump suit (the last one: none), by the card led, by card: the strength of the card."""


def winning_place(cards: list[int], *, trump: int, trump_from: int, face_down: int) -> int:
    """Return the place in the trick, from 0, of the card that wins it.

    ``trump`` is the suit, -1 for none. Cards of it count as trumps from the place ``trump_from`` on (law 6.6);
    where it was led, all do (law 6.7). ``face_down`` is the place of the one card that cannot win (law 6.8), or -1.
    """
    as_trump = STRENGTHS[trump][cards[0]]
    as_plain = STRENGTHS[-1][cards[0]]
    best, best_strength = 0, -1
    for place, card in enumerate(cards):
        strength = (as_trump if place >= trump_from or SUIT_OF[cards[0]] == trump else as_plain)[card]
        if place != face_down and strength > best_strength:
            best, best_strength = place, strength
    return best
