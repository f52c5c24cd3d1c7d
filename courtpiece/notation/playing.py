"""Card sense: what somebody who plays sensibly, and no better, does with a hand."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

from courtpiece.engine.cards import BITS, CARDS, PACK_SIZE, SUIT_OF, SUIT_SET_OF, SUIT_SETS, SUITS, cards_in
from courtpiece.engine.rules import TrumpMethod
from courtpiece.engine.trump import Trump

_JACK: Final = 9
_NO_CARD: Final = -1

# Chances, from 0 to 1.
_SLIP: Final = 0.03
"""Any card that is allowed, for no reason."""
_SECOND_HAND_LOW: Final = 0.7
_HOPES: Final = 0.15
"""To take another way of making trump than the hand suggests."""
_USUAL_NUMBER: Final = 0.8

ABOVE: Final = tuple(SUIT_SET_OF[card] & ~((BITS[card] << 1) - 1) for card in range(PACK_SIZE))
"""The higher cards of a card's suit, as a set."""


class Look(NamedTuple):
    """What a player sees when it is time to play a card."""

    allowed: int
    """The cards the player may choose from, as a set."""
    unseen: int
    """The cards that the player knows to be elsewhere and not played yet, as a set."""
    trumps: int
    """All cards of the trump suit, as a set; 0 while there is no trump."""
    best: int
    """The card that wins the trick so far; -1 on lead."""
    partner_wins: bool
    """Whether the partner laid it."""
    to_follow: int
    """How many play to the trick afterwards, 0 to 3."""
    made_trump: bool
    """Whether the player's team made trump."""
    may_gather: bool = False
    """Whether the player of the card that wins so far also won the trick before, and may gather (law 7.2)."""


def choose_card(look: Look, rng: Random) -> int:
    """Return the card to play, by its place in the pack."""
    allowed = look.allowed
    if allowed & (allowed - 1) == 0:
        return allowed.bit_length() - 1
    if rng.random() < _SLIP:
        return _any_of(allowed, rng)
    if look.best == _NO_CARD:
        return _lead(look)
    return _follow(look, rng)


# -- on lead ----------------------------------------------------------------------------------------------


def _lead(look: Look) -> int:
    trumps = look.allowed & look.trumps
    out = look.unseen & look.trumps
    if trumps > out > 0 and (look.made_trump or trumps.bit_count() > out.bit_count()):
        return trumps.bit_length() - 1
    plain = look.allowed & ~look.trumps
    sure = sure_winners(plain, look.unseen)
    if sure:
        return max(sure, key=lambda card: (look.unseen & SUIT_SET_OF[card]).bit_count())
    if not plain:
        return trumps.bit_length() - 1
    if trumps and not look.made_trump:
        alone = _alone(plain)
        if alone != _NO_CARD:
            return alone
    return lowest(max((plain & suit for suit in SUIT_SETS), key=int.bit_count))


def sure_winners(held: int, unseen: int) -> list[int]:
    """Return the top card of each suit of which nobody else has a higher one left."""
    return [(held & suit).bit_length() - 1 for suit in SUIT_SETS if (held & suit) > (unseen & suit)]


def _alone(held: int) -> int:
    """Return a card that is the only one of its suit and no winner to keep, or -1."""
    for suit in SUIT_SETS:
        of_suit = held & suit
        if of_suit and not of_suit & (of_suit - 1):
            return of_suit.bit_length() - 1
    return _NO_CARD


# -- second, third or last to play ------------------------------------------------------------------------


def _follow(look: Look, rng: Random) -> int:
    allowed, best = look.allowed, look.best
    beaters = allowed & (ABOVE[best] if best_is_trump(look) else ABOVE[best] | look.trumps)
    if not beaters or (look.partner_wins and (look.may_gather or _is_safe(look))):
        return _throw(look)
    if look.to_follow == 0:
        return lowest(beaters)
    if beaters & look.trumps & ~SUIT_SET_OF[best]:  # a ruff
        return lowest(beaters)
    top = beaters.bit_length() - 1
    if not ABOVE[top] & look.unseen:
        return top
    if look.partner_wins:
        return _throw(look)
    if look.may_gather or look.to_follow == 1:
        return top
    return _throw(look) if rng.random() < _SECOND_HAND_LOW else lowest(beaters)


def best_is_trump(look: Look) -> bool:
    """Return whether a trump wins the trick so far."""
    return bool(BITS[look.best] & look.trumps)


def _is_safe(look: Look) -> bool:
    """Return whether the partner's card is likely to win."""
    return not look.to_follow or best_is_trump(look) or not ABOVE[look.best] & look.unseen


def _throw(look: Look) -> int:
    """Return the card that is missed least."""
    plain = look.allowed & ~look.trumps
    return lowest(plain or look.allowed)


def lowest(held: int) -> int:
    """Return the lowest card of a set; among equals, of the shortest suit."""
    found, least = _NO_CARD, PACK_SIZE * PACK_SIZE
    for suit in SUIT_SETS:
        of_suit = held & suit
        if of_suit:
            card = (of_suit & -of_suit).bit_length() - 1
            worth = card % 13 * PACK_SIZE + of_suit.bit_count()
            if worth < least:
                found, least = card, worth
    return found


def _any_of(held: int, rng: Random) -> int:
    cards = [card.index for card in cards_in(held)]
    return cards[int(rng.random() * len(cards))]


def discard_for_trump(held: int) -> int:
    """Return the card with which to make trump by discard (law 4.7): a low one of the longest suit."""
    return lowest(max((held & suit for suit in SUIT_SETS), key=int.bit_count))


# -- making trump -----------------------------------------------------------------------------------------

_DECLINING: Final = (TrumpMethod.TURNED, TrumpMethod.NAMED, TrumpMethod.BLIND, TrumpMethod.DISCARD)
_CHOOSING: Final = (TrumpMethod.ANNOUNCED, TrumpMethod.CARD, TrumpMethod.HIDDEN)
_STRONG: Final = 14
"""Three cards to an honour or two, or four small ones."""
_BATCH_2: Final = range(5, 9)
"""The places of the 6th to the 9th card of a hand, as dealt (law 4.3)."""


def make_trump(methods: Sequence[TrumpMethod], dealt: Sequence[int], rng: Random) -> Trump:
    """Return the trump that a caller makes, looking at the first five cards of those dealt in order (law 4).

    A caller with a suit to speak of chooses it; another declines, where the rules have a way to.
    """
    suit, strength = _best_suit(dealt[:5])
    method = _method(methods, rng, strong=strength >= _STRONG)
    if method is TrumpMethod.DISCARD:
        return Trump(method, None)
    if method is TrumpMethod.ANNOUNCED:
        return Trump(method, SUITS[suit])
    if method is TrumpMethod.NAMED:
        number = _number(rng)
        return _with_card(method, dealt[number - 1], number)
    if method is TrumpMethod.TURNED:
        return _with_card(method, dealt[_BATCH_2[int(rng.random() * 4)]])
    if method is TrumpMethod.BLIND:
        return _with_card(method, dealt[int(rng.random() * 5)])
    return _with_card(method, min(card for card in dealt[:5] if SUIT_OF[card] == suit))


def _with_card(method: TrumpMethod, index: int, number: int | None = None) -> Trump:
    card = CARDS[index]
    return Trump(method, card.suit, card, number)


def _best_suit(five: Sequence[int]) -> tuple[int, int]:
    """Return the suit worth most, and its worth: four for each card, and some for each honour."""
    worth = [0, 0, 0, 0]
    for card in five:
        worth[SUIT_OF[card]] += 4 + max(0, card % 13 - _JACK + 1)
    suit = max(range(4), key=worth.__getitem__)
    return suit, worth[suit]


def _method(methods: Sequence[TrumpMethod], rng: Random, *, strong: bool) -> TrumpMethod:
    if len(methods) == 1:
        return methods[0]
    fitting = _CHOOSING if strong else _DECLINING
    usual = [method for method in methods if method in fitting]
    choice = methods if not usual or rng.random() < _HOPES else usual
    return choice[int(rng.random() * len(choice))]


def _number(rng: Random) -> int:
    """Return which later card is named: mostly the 7th or the 10th (law 4.4)."""
    if rng.random() < _USUAL_NUMBER:
        return (7, 10)[int(rng.random() * 2)]
    return 6 + int(rng.random() * 8)
