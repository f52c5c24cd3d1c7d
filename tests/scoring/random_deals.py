"""Deals played at random under the laws, as records."""

from random import Random

from courtpiece.engine import DealState, Rules, Score, Seat, Suit, Trump, TrumpMethod
from courtpiece.engine.cards import CARDS
from courtpiece.notation import Record
from courtpiece.notation.values import hands_text, trump_text


def a_random_deal(rng: Random, *, dealer: Seat, rules: Rules) -> DealState:
    """Return a deal played until it is decided, everybody playing any card that the laws allow."""
    pack = rng.sample(list(CARDS), k=52)
    hands = {seat: pack[13 * place : 13 * place + 13] for place, seat in enumerate(Seat)}
    trump = Trump(TrumpMethod.ANNOUNCED, rng.choice(list(Suit)))
    state = DealState.start(rules=rules, dealer=dealer, hands=hands, trump=trump)
    while state.outcome is None or state.current_trick:
        state = state.play(rng.choice(sorted(state.legal_plays(), key=str)))
    return state


def as_record(state: DealState, number: int, *, courts: Score) -> Record:
    """Return the deal's full record. ``courts`` are the match's after it."""
    facts = state.facts
    if facts.hands is None or facts.trump is None:
        raise LookupError("the deal has hands and a trump")
    tags = {
        "Deal": str(number),
        "Rules": str(state.rules),
        "Dealer": state.dealer.letter,
        "Hands": hands_text(facts.hands, state.caller),
        "Trump": trump_text(facts.trump),
        "Courts": f"NS {courts.ns} EW {courts.ew}",
    }
    return Record(tags=tuple(tags.items()), deal=number, facts=facts, stated_courts=courts)
