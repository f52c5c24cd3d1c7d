"""The deal before anybody plays: what is impossible about it, and the hands that its play tells."""

from __future__ import annotations

from typing import Final

from courtpiece.engine.cards import BITS, CARDS, FULL_PACK, HAND_SIZE, card_set
from courtpiece.engine.deal import DealFacts, Hands, Tricks
from courtpiece.engine.faults import RECORD, Code, Fault, Where
from courtpiece.engine.gathering import ALL_TRICKS
from courtpiece.engine.play import CARD_BITS, FACE_DOWN, REVEAL
from courtpiece.engine.rules import RevealFrom, Rules, TrumpMethod
from courtpiece.engine.seats import RIGHT_OF, SEATS, Seat
from courtpiece.engine.trump import UNKNOWN_DISCARD, Trump, winning_place

# Bound once: a member of an enum costs four times a name of the module.
_DISCARD: Final = TrumpMethod.DISCARD


def stops_play(faults: list[Fault]) -> bool:
    """Return whether the cards cannot be replayed; a wrong FirstFive does not hinder them."""
    return any(fault.where.tag != "FirstFive" for fault in faults)


def faults_of_deal(facts: DealFacts, *, has_cards: bool) -> list[Fault]:
    """Return what is impossible about hands, first five and trump, before any card is played."""
    faults = _faults_of_hands(facts)
    if faults:
        if stops_play(faults):
            return faults
        facts = facts._replace(first_five=None)
    fault = _fault_of_trump(facts, has_cards=has_cards)
    return faults if fault is None else [*faults, fault]


def _faults_of_hands(facts: DealFacts) -> list[Fault]:
    hands = facts.hands
    if hands is None:
        return []
    south, east, north, west = hands
    if (
        south | east | north | west != FULL_PACK
        or south.bit_count() != HAND_SIZE
        or east.bit_count() != HAND_SIZE
        or north.bit_count() != HAND_SIZE
        or west.bit_count() != HAND_SIZE
    ):
        return [Fault(Code.BAD_HANDS, Where.at_tag("Hands"), _why_no_deal(hands))]
    if facts.first_five is not None and card_set(facts.first_five) & ~hands[RIGHT_OF[facts.dealer]]:
        message = (
            f"expected five cards of the caller, {RIGHT_OF[facts.dealer].letter}; found another's (law 3.3)"
        )
        return [Fault(Code.BAD_HANDS, Where.at_tag("FirstFive"), message)]
    return []


def _why_no_deal(hands: Hands) -> str:
    for seat in SEATS:
        if hands[seat] > FULL_PACK:
            return f"{seat.letter} was dealt a card twice (law 2.1)"
        if hands[seat].bit_count() != HAND_SIZE:
            return f"expected 13 cards for {seat.letter}; found {hands[seat].bit_count()} (law 3.3)"
    twice = next(CARDS[index] for index in range(52) if sum(hand >> index & 1 for hand in hands) > 1)
    return f"{twice} is dealt twice (law 2.1)"


def _fault_of_trump(facts: DealFacts, *, has_cards: bool) -> Fault | None:
    trump, methods = facts.trump, facts.rules.trump
    if trump is None:
        if has_cards and methods != (TrumpMethod.DISCARD,):
            return Fault(
                Code.BAD_TRUMP, RECORD, "expected Trump: a record with cards tells how it was made (law 4)"
            )
        return None
    if trump.method not in methods:
        allowed = ", ".join(method.value for method in methods)
        return _bad_trump(f"{trump.method.value} is not a method of these rules; expected {allowed} (law 14)")
    if trump.card is None and has_cards and trump.method.is_hidden:
        return _bad_trump(
            "expected the card that lay face down; ? stands only in a record without cards (law 6)"
        )
    return _fault_of_indicator(facts, trump)


def _fault_of_indicator(facts: DealFacts, trump: Trump) -> Fault | None:
    """Return how the card laid or turned is against law 4.8, or None."""
    if trump.card is None:
        return None
    caller = RIGHT_OF[facts.dealer]
    if facts.hands is not None and not facts.hands[caller] & BITS[trump.card.index]:
        return _bad_trump(
            f"expected a card of the caller, {caller.letter}; {trump.card} is another's (law 4.8)"
        )
    if facts.first_five is None:
        return None
    among_first = trump.card in facts.first_five
    if trump.method in (TrumpMethod.TURNED, TrumpMethod.NAMED):
        return _bad_trump(f"{trump.card} is one of the first five (law 4.8)") if among_first else None
    return None if among_first else _bad_trump(f"{trump.card} is not one of the first five (law 4.8)")


def _bad_trump(message: str) -> Fault:
    return Fault(Code.BAD_TRUMP, Where.at_tag("Trump"), message)


def faults_of_telling(facts: DealFacts, tricks: Tricks) -> list[Fault]:
    """Return why the cards played do not tell the hands; empty where they do.

    Where a trick is odd, cards that are missing or there twice come of that and are not reported too.
    """
    faults = fault_of_shape(tricks, facts.misnumbered)
    if faults:
        return faults
    if sum(map(len, tricks)) < 4 * ALL_TRICKS:
        faults.append(Fault(Code.HANDS_NEEDED, RECORD, "expected Hands: fewer than 52 cards were played"))
    seen = 0
    for number, plays in enumerate(tricks):
        for place, code in enumerate(plays):
            card = code & CARD_BITS
            if seen & BITS[card]:
                message = f"{CARDS[card]} was played before"
                return [*faults, Fault(Code.CARD_REPEATED, Where.at_play(number, place), message)]
            seen |= BITS[card]
    return faults


def hands_from_play(facts: DealFacts, tricks: Tricks) -> Hands:
    """Return the hands that 52 played cards tell; only where ``faults_of_telling`` finds none."""
    trump = facts.trump or UNKNOWN_DISCARD
    return _collect_hands(facts.rules, RIGHT_OF[facts.dealer], tricks, trump)


def fault_of_shape(tricks: Tricks, misnumbered: int | None) -> list[Fault]:
    """Return the first odd trick, if there is one."""
    for number, plays in enumerate(tricks):
        odd = len(plays) > 4 or (len(plays) < 4 and number < len(tricks) - 1)
        if odd or number >= ALL_TRICKS or number == misnumbered:
            message = f"trick {number + 1}: expected thirteen tricks of four cards, numbered in order"
            return [Fault(Code.BAD_TRICK, Where.at_trick(number), message)]
    return []


def _collect_hands(rules: Rules, caller: Seat, tricks: Tricks, trump: Trump) -> Hands:
    """Return who played what, when every card was played and nobody's right to play it is asked."""
    hands = [0, 0, 0, 0]
    leader = int(caller)
    hidden = trump.method.is_hidden
    suit = -1 if trump.suit is None or hidden or trump.method is _DISCARD else int(trump.suit)
    for plays in tricks:
        cards = [code & CARD_BITS for code in plays]
        trump_from = 0
        if suit < 0:
            made_at, suit = _trump_made_in(plays, cards, trump)
            trump_from = 0 if hidden and rules.reveal_from is RevealFrom.TRICK else made_at
        place = winning_place(cards, trump=suit, trump_from=trump_from, face_down=_face_down_in(plays))
        for turn, card in enumerate(cards):
            hands[leader + turn & 3] |= BITS[card]
        leader = leader + place & 3
    return hands[0], hands[1], hands[2], hands[3]


def _trump_made_in(plays: tuple[int, ...], cards: list[int], trump: Trump) -> tuple[int, int]:
    """Return the place at which the trick makes or reveals trump, and the suit; the suit is -1 where it does not."""
    for place, code in enumerate(plays):
        if trump.method is _DISCARD:
            if cards[place] // 13 != cards[0] // 13:
                return place, cards[place] // 13
        elif code & REVEAL and trump.suit is not None:
            return place, int(trump.suit)
    return 0, -1


def _face_down_in(plays: tuple[int, ...]) -> int:
    return next((place for place, code in enumerate(plays) if code & FACE_DOWN), -1)
