"""The pack of law 2: suits, ranks, cards, and the integers that stand for them inside the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final


class Suit(IntEnum):
    """A suit. The value is its place in a written hand."""

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3

    @property
    def letter(self) -> str:
        """``S``, ``H``, ``D`` or ``C``."""
        return SUIT_LETTERS[self]


class Rank(IntEnum):
    """A rank; a higher value beats a lower (law 2.1)."""

    TWO = 0
    THREE = 1
    FOUR = 2
    FIVE = 3
    SIX = 4
    SEVEN = 5
    EIGHT = 6
    NINE = 7
    TEN = 8
    JACK = 9
    QUEEN = 10
    KING = 11
    ACE = 12

    @property
    def letter(self) -> str:
        """``2`` to ``9``, ``T``, ``J``, ``Q``, ``K`` or ``A``."""
        return RANK_LETTERS[self]


SUITS: Final[tuple[Suit, ...]] = tuple(Suit)
RANKS: Final[tuple[Rank, ...]] = tuple(Rank)
SUIT_LETTERS: Final = "SHDC"
RANK_LETTERS: Final = "23456789TJQKA"
PACK_SIZE: Final = 52
HAND_SIZE: Final = 13


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """A card of the pack, written suit then rank: ``Card.of("HT")`` is the ten of hearts."""

    suit: Suit
    rank: Rank
    index: int = field(init=False, repr=False, compare=False)
    """The card's place in the pack, 0 (two of spades) to 51 (ace of clubs)."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "index", self.suit * 13 + self.rank)

    @staticmethod
    def of(text: str) -> Card:
        """Return the card written ``text``.

        :raises KeyError: if ``text`` is not exactly a suit's and a rank's letter.
        """
        return CARDS[CARD_INDEX[text]]

    def __str__(self) -> str:
        return CARD_NAMES[self.index]


CARDS: Final[tuple[Card, ...]] = tuple(Card(suit, rank) for suit in SUITS for rank in RANKS)
CARD_NAMES: Final[tuple[str, ...]] = tuple(suit + rank for suit in SUIT_LETTERS for rank in RANK_LETTERS)
CARD_INDEX: Final[dict[str, int]] = {name: index for index, name in enumerate(CARD_NAMES)}

# Sets of cards are integers, a bit for each place in the pack.
BITS: Final[tuple[int, ...]] = tuple(1 << index for index in range(PACK_SIZE))
SUIT_OF: Final[tuple[int, ...]] = tuple(index // 13 for index in range(PACK_SIZE))
SUIT_SETS: Final[tuple[int, ...]] = tuple(0x1FFF << (13 * suit) for suit in range(4))
SUIT_SET_OF: Final[tuple[int, ...]] = tuple(SUIT_SETS[index // 13] for index in range(PACK_SIZE))
FULL_PACK: Final = (1 << PACK_SIZE) - 1
ACES: Final = sum(BITS[13 * suit + 12] for suit in range(4))


def card_set(cards: Iterable[Card]) -> int:
    """Return the cards as a set of bits."""
    held = 0
    for card in cards:
        held |= BITS[card.index]
    return held


def cards_in(held: int) -> Iterator[Card]:
    """Yield the cards of a set of bits, spades first and from high to low within a suit."""
    for suit in range(4):
        for index in range(13 * suit + 12, 13 * suit - 1, -1):
            if held & BITS[index]:
                yield CARDS[index]


def suit_ranks(held: int, suit: int) -> str:
    """Return the ranks held in a suit, high to low; empty for none."""
    return RANKS_OF_HOLDING[(held >> (13 * suit)) & 0x1FFF]


def _ranks_of(holding: int) -> str:
    return "".join(RANK_LETTERS[rank] for rank in range(12, -1, -1) if holding >> rank & 1)


RANKS_OF_HOLDING: Final[tuple[str, ...]] = tuple(_ranks_of(holding) for holding in range(1 << 13))
HOLDING_OF_RANKS: Final[dict[str, int]] = {ranks: holding for holding, ranks in enumerate(RANKS_OF_HOLDING)}
