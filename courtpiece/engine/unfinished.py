"""A deal that goes on: what its cards tell so far, whether its hands are known or not."""

from __future__ import annotations

from courtpiece.engine.cards import BITS
from courtpiece.engine.deal import DealFacts, Hands, Tricks
from courtpiece.engine.dealing import faults_of_deal, faults_of_telling, hands_from_play
from courtpiece.engine.faults import Code
from courtpiece.engine.play import CARD_BITS, card_indexes
from courtpiece.engine.seats import Seat
from courtpiece.engine.state import DealState, ImpossibleDealError


def state_so_far(facts: DealFacts) -> DealState:
    """Return the deal after the cards that were told.

    Without hands each seat has held what it is known to have played, and the caller the cards that are known to be
    the caller's: so whoever plays a suit after not having followed it has revoked, and of nobody is more known.

    :raises ImpossibleDealError: if nobody could have played so, or trump was not made as the rules allow; a deal
        without a card may be without trump.
    """
    tricks = facts.tricks or ()
    faults = faults_of_deal(facts, has_cards=bool(tricks))
    if facts.hands is None:
        faults += [fault for fault in faults_of_telling(facts, tricks) if fault.code is not Code.HANDS_NEEDED]
    if faults:
        raise ImpossibleDealError(faults)
    hands = _hands_so_far(facts, tricks) if facts.hands is None else facts.hands
    return DealState(facts._replace(hands=hands, tricks=tricks, misnumbered=None))


def _hands_so_far(facts: DealFacts, tricks: Tricks) -> Hands:
    told = [0, 0, 0, 0]
    if tricks:
        told = list(hands_from_play(facts, tricks))
    stood = told[0] | told[1] | told[2] | told[3]
    for seat, card in _cards_shown(facts, tricks, told):
        if not stood & BITS[card]:
            told[seat] |= BITS[card]
    return told[0], told[1], told[2], told[3]


def _cards_shown(facts: DealFacts, tricks: Tricks, hands: list[int]) -> list[tuple[int, int]]:
    """Return the seats and cards that are known beside those that stand: taken back, or the caller's."""
    shown = [
        (seat, card)
        for plays in tricks
        for code in plays
        for seat in Seat
        if hands[seat] & BITS[code & CARD_BITS]
        for card in card_indexes(code)[:-1]
    ]
    own = [*(facts.first_five or ()), *([facts.trump.card] if facts.trump and facts.trump.card else [])]
    return [*shown, *((facts.dealer.right, card.index) for card in own)]
