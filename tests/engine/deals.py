"""Deals played at random: any rules, any legal action, and now and then a revoke."""

from collections.abc import Iterator
from random import Random

from courtpiece.engine import (
    Card,
    DealState,
    IllegalPlayError,
    Outcome,
    Play,
    Rules,
    Seat,
    Suit,
    Trump,
    TrumpMethod,
)
from courtpiece.engine.cards import CARDS
from courtpiece.engine.rules import NAMED
from courtpiece.notation import Record
from courtpiece.notation.checker import JsonObject
from courtpiece.notation.json_form import record_from_json, record_to_json

RULES_NAMES = tuple(NAMED)

_NUMBERS = {
    "court": (1, 2, 999),
    "goon": (1, 3),
    "bavney": (2, 13),
    "revoke": (1, 2),
    "streak": (2, 3),
    "streak-court": (1, 4),
}
_CHOICES = {
    "streak-and-court": ("one", "both"),
    "gather": ("single", "double", "ace"),
    "reveal-from": ("card", "trick"),
}
_METHODS = tuple(method.value for method in TrumpMethod)


def random_rules(rng: Random, name: str | None = None) -> Rules:
    """Return rules of that name, or of any, with a few options of any kind."""
    words = [name or rng.choice(RULES_NAMES)]
    words += [f"{option}={rng.choice(values)}" for option, values in _NUMBERS.items() if rng.random() < 0.1]
    words += [f"{option}={rng.choice(values)}" for option, values in _CHOICES.items() if rng.random() < 0.2]
    if rng.random() < 0.2:
        first, last = sorted(rng.sample(range(2, 13), k=2))
        words += [f"first-claim={first}", f"last-claim={last}"]
    if rng.random() < 0.2:
        words.append(f"trump={','.join(rng.sample(_METHODS, k=rng.randint(1, 7)))}")
    return Rules.parse(" ".join(words))


def random_hands(rng: Random) -> dict[Seat, list[Card]]:
    """Return four hands, some of them badly shuffled: long suits, voids, many courts."""
    pack = list(CARDS)
    if rng.random() < 0.5:
        pack = rng.sample(pack, k=52)
    else:
        for _ in range(rng.randint(0, 20)):
            one, other = rng.sample(range(52), k=2)
            pack[one], pack[other] = pack[other], pack[one]
    return {seat: pack[13 * seat : 13 * seat + 13] for seat in Seat}


def random_trump(rng: Random, rules: Rules, hand: list[Card], five: list[Card]) -> Trump:
    """Return a trump that the holder of the hand may make under the rules (law 4)."""
    method = rng.choice(rules.trump)
    if method is TrumpMethod.ANNOUNCED:
        return Trump(method, rng.choice(list(Suit)))
    if method is TrumpMethod.DISCARD:
        return Trump(method, None)
    later = method in (TrumpMethod.TURNED, TrumpMethod.NAMED)
    card = rng.choice([card for card in hand if (card in five) is not later])
    number = rng.randint(6, 13) if method is TrumpMethod.NAMED else None
    return Trump(method, card.suit, card, number)


def random_start(rng: Random, rules: Rules) -> DealState:
    """Return a deal before its first lead."""
    dealer, hands = rng.choice(list(Seat)), random_hands(rng)
    caller = hands[dealer.right]
    five = rng.sample(caller, k=5)
    trump = random_trump(rng, rules, caller, five)
    return DealState.start(rules=rules, dealer=dealer, hands=hands, trump=trump, first_five=five)


def steps(state: DealState, rng: Random, *, slips: float = 0.0) -> Iterator[DealState]:
    """Yield the deal after each turn, until all cards are played or nobody may go on.

    :param slips: how likely it is that a player plays any card, whether it follows suit or not.
    """
    while state.trick_number <= 13:
        state = _slip(state, rng) if rng.random() < slips else _legal_turn(state, rng)
        yield state
        if state.is_over and not state.current_trick and rng.random() < 0.7:
            return


def play_out(rng: Random, rules: Rules, *, slips: float = 0.0) -> DealState:
    """Return a deal played until it is decided; some go on after it, and a few are given up before."""
    state = random_start(rng, rules)
    give_up_at = rng.randint(0, 60) if rng.random() < 0.1 else 99
    for turn, after in enumerate(steps(state, rng, slips=slips)):
        if turn >= give_up_at or (after.may_carry_on and not after.current_trick and rng.random() < 0.2):
            break
        state = after
    return state


def _legal_turn(state: DealState, rng: Random) -> DealState:
    """Return the deal after a turn that the laws allow, or, once the deal is over, after any card held."""
    if state.is_over:
        return _any_card(state, rng)
    if state.may_reveal() and (rng.random() < 0.3 or not state.legal_plays()):
        state = state.reveal()
    card = rng.choice(sorted(state.legal_plays()))
    face_down = rng.random() < 0.5 and may_face_down(state, card)
    return state.play(card, face_down=face_down)


def may_face_down(state: DealState, card: Card) -> bool:
    """Return whether the card may be discarded face down now."""
    try:
        state.check_play(card, face_down=True)
    except IllegalPlayError:
        return False
    return True


def _any_card(state: DealState, rng: Random) -> DealState:
    hand = state.hand(state.turn)
    if not hand:  # the indicator is the only card left
        return state.record(Play((state.indicator or CARDS[0],), reveal=True))
    return state.record(Play((rng.choice(hand),)))


def _slip(state: DealState, rng: Random) -> DealState:
    """Return the deal after any card of the player's, perhaps taken back; others may follow (law 8.2)."""
    seat = state.turn
    state = _any_card(state, rng)
    if rng.random() < 0.6:
        state = _corrected(state, rng, seat)
    return state


def _corrected(state: DealState, rng: Random, seat: Seat) -> DealState:
    for at in (seat, *rng.sample(list(Seat), k=2)):
        hand = state.hand(at)
        card = rng.choice(hand) if hand else None
        if card is not None and state.may_correct(at, card):
            state = state.correct(at, card)
    return state


# -- records ----------------------------------------------------------------------------------------------


def as_record(state: DealState, *, number: int = 1, claimed: bool = True, **tags: str) -> Record:
    """Return the full record of a deal as it stands, with what its result must be.

    :param claimed: whether an established revoke that ended it was claimed.
    """
    facts = state.facts
    written = {"Deal": str(number), "Rules": str(state.rules), "Dealer": state.dealer.letter}
    written["Hands"] = " ".join(
        f"{seat.letter}:{_holding(facts.hands[seat])}" for seat in Seat if facts.hands is not None
    )
    if facts.first_five is not None:
        written["FirstFive"] = " ".join(map(str, facts.first_five))
    written["Trump"] = trump_of(state)
    written["Result"] = "void" if state.outcome is None else result_of(state.outcome)
    tricks = record_to_json(as_played(state))["tricks"]
    form: JsonObject = {"tags": {**written, **tags}, "tricks": tricks}
    stood = [revoke for revoke in state.revokes if not revoke.corrected]
    if stood and claimed:
        form["claim"] = {"seat": stood[0].seat.letter, "trick": stood[0].trick}
    return record_from_json(form)


def _holding(held: int) -> str:
    suits = [[card for card in CARDS[13 * suit : 13 * suit + 13] if held >> card.index & 1] for suit in Suit]
    return ".".join("".join(card.rank.letter for card in reversed(cards)) for cards in suits)


def trump_of(state: DealState) -> str:
    """Return how trump was made, as a record states it."""
    trump = state.facts.trump
    assert trump is not None
    if trump.method is TrumpMethod.DISCARD:
        made = trump_at_end(state)
        return "-" if made is None else f"{made.letter} discard"
    words = [trump.suit.letter if trump.suit is not None else "-"]
    if trump.method is not TrumpMethod.ANNOUNCED:
        words.append(trump.method.value)
    if trump.number is not None:
        words.append(str(trump.number))
    return " ".join([*words, str(trump.card)] if trump.card else words)


def trump_at_end(state: DealState) -> Suit | None:
    """Return the suit that the first discard of a complete trick made, up to the one that ended the deal."""
    made: Suit | None = None
    for played in complete_tricks(state):
        if made is None:
            others = [card.suit for card in played if card.suit is not played[0].suit]
            made = others[0] if others else None
    return made


def complete_tricks(state: DealState) -> list[list[Card]]:
    """Return the cards that stood in each complete trick that counted, and in one ended by a revoke."""
    tricks = as_played(state).tricks or ()
    whole = [[play.card for play in plays] for plays in tricks if len(plays) == 4]
    return whole[: tricks_that_mattered(state)]


def as_played(state: DealState) -> Record:
    """Return the deal as a record that has no tag yet."""
    return Record(tags=(), deal=1, facts=state.facts)


def tricks_that_mattered(state: DealState) -> int:
    """Return how many complete tricks there were until the deal was over, that of a revoke included."""
    stood = [revoke.trick for revoke in state.revokes if not revoke.corrected]
    return stood[0] if stood else state.trick_number - 1


def result_of(outcome: Outcome) -> str:
    """Return the outcome as ``Result`` states it."""
    if outcome.winner is None:
        return "void"
    won, lost = outcome.tricks.of(outcome.winner), outcome.tricks.of(outcome.winner.other)
    award = "" if outcome.award.value == "win" else f" {outcome.award.value}"
    return f"{outcome.winner.name} {won}-{lost}{award}"
