"""Double dummy: the solver in the mirror agrees with trying every card by the laws, and what is asked of it."""

from collections.abc import Sequence
from functools import cache
from random import Random

import pytest

from courtpiece.engine import Card, Finding, Seat, Suit
from courtpiece.engine.cards import CARDS, HAND_SIZE, SUITS, card_set, cards_in
from courtpiece.engine.deal import Hands
from courtpiece.engine.seats import SEATS
from courtpiece.engine.trump import winning_place
from courtpiece.notation import Record
from scoring.domain.analyses import (
    NotAnalysable,
    Position,
    WhyNot,
    analysis_of,
    draw_deals,
    question_of,
    seed_of,
)
from scoring.solver import EndplaySolver
from tests.engine.builders import A_SUIT_EACH, only, pcn
from tests.scoring.builders import a_full_record

FIVE = tuple(map(Card.of, ("SA", "SK", "S9", "H7", "C2")))


def legal(hand: int, led: Card | None) -> list[Card]:
    """Return what may be played (law 5.2)."""
    cards = list(cards_in(hand))
    follow = [card for card in cards if led is not None and card.suit is led.suit]
    return follow or cards


def tricks_by_laws(position: Position, first: Sequence[Card] = ()) -> int:
    """Return how many tricks the side of who leads makes, by trying every card, after these were played."""
    ours = position.leader.team

    @cache
    def best(hands: Hands, leader: Seat, trick: tuple[Card, ...]) -> int:
        if len(trick) == 4:
            place = winning_place(
                [card.index for card in trick], trump=position.trump, trump_from=0, face_down=-1
            )
            winner = SEATS[leader + place & 3]
            return (winner.team is ours) + best(hands, winner, ())
        seat = SEATS[leader + len(trick) & 3]
        if not hands[seat]:
            return 0
        values = [
            best(without(hands, seat, card), leader, (*trick, card))
            for card in legal(hands[seat], trick[0] if trick else None)
        ]
        return max(values) if seat.team is ours else min(values)

    hands, leader, won = position.hands, position.leader, 0
    trick: tuple[Card, ...] = ()
    for card in first:
        seat = SEATS[leader + len(trick) & 3]
        hands, trick = without(hands, seat, card), (*trick, card)
        if len(trick) == 4:
            place = winning_place([c.index for c in trick], trump=position.trump, trump_from=0, face_down=-1)
            leader, trick = SEATS[leader + place & 3], ()
            won += leader.team is ours
    return won + best(hands, leader, trick)


def without(hands: Hands, seat: Seat, card: Card) -> Hands:
    south, east, north, west = (
        hand & ~(1 << card.index) if other is seat else hand for other, hand in zip(SEATS, hands, strict=True)
    )
    return south, east, north, west


def a_small_position(rng: Random, size: int) -> Position:
    """Return hands of so many cards of a short pack, so that suits meet."""
    pack = rng.sample([card for card in CARDS if card.rank >= 8], k=4 * size)
    south, east, north, west = (card_set(pack[size * place : size * (place + 1)]) for place in range(4))
    return Position((south, east, north, west), rng.choice(SEATS), rng.choice(SUITS))


def some_play(rng: Random, position: Position) -> list[Card]:
    """Return every card of the position as somebody might play them."""
    hands, leader = position.hands, position.leader
    trick: list[Card] = []
    played: list[Card] = []
    while any(hands):
        seat = SEATS[leader + len(trick) & 3]
        card = rng.choice(legal(hands[seat], trick[0] if trick else None))
        hands, trick = without(hands, seat, card), [*trick, card]
        played.append(card)
        if len(trick) == 4:
            place = winning_place([c.index for c in trick], trump=position.trump, trump_from=0, face_down=-1)
            leader, trick = SEATS[leader + place & 3], []
    return played


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_solver_agrees_with_trying_every_card_by_the_laws(size: int) -> None:
    positions = [a_small_position(Random(f"{size} {number}"), size) for number in range(16 // size)]

    found = EndplaySolver().tricks(positions)

    assert found == [tricks_by_laws(position) for position in positions]


@pytest.mark.parametrize("number", range(6))
def test_what_each_card_is_worth_agrees_with_trying_every_card_by_the_laws(number: int) -> None:
    rng = Random(number)
    position = a_small_position(rng, 3)
    cards = some_play(rng, position)

    found = EndplaySolver().tricks_after(position, cards)

    assert found == [tricks_by_laws(position, cards[:count]) for count in range(len(cards) + 1)]


def test_who_holds_a_suit_makes_all_tricks_with_it_as_trump_and_leads() -> None:
    position = question_of(*read_as(pcn("*", Hands=A_SUIT_EACH, Trump="S", Result="void")))

    found = EndplaySolver().tricks([Position(position.hands, seat, suit) for seat in SEATS for suit in SUITS])

    assert sorted(found) == [0] * 8 + [13] * 8


# -- which deals are analysed


def read_as(text: str) -> tuple[Record, Finding]:
    record = only(text).record
    assert record is not None
    return record, record.finding()


def why_not(text: str) -> WhyNot:
    with pytest.raises(NotAnalysable) as caught:
        question_of(*read_as(text))
    return caught.value.why


def test_piles_hidden_trumps_and_records_without_all_cards_are_not_analysed() -> None:
    assert why_not(pcn("*", Rules="double-sir", Hands=A_SUIT_EACH, Trump="S", Result="void")) is WhyNot.PILES
    assert (
        why_not(pcn("*", Rules="hidden-trump", Hands=A_SUIT_EACH, Trump="S hidden S7", Result="void"))
        is WhyNot.HIDDEN_TRUMP
    )
    assert why_not(pcn(Result="NS 7-4")) is WhyNot.NO_HANDS
    assert why_not(pcn(Result="NS 7-4", Hands=A_SUIT_EACH)) is WhyNot.NO_TRUMP


def test_a_deal_of_the_notation_is_asked_for_with_every_card_that_counted() -> None:
    question = question_of(*read_as(a_full_record()))

    assert (question.caller, question.trump, question.is_chosen, question.five) == (
        Seat.N, Suit.CLUBS, True, None,
    )  # fmt: skip
    assert len(question.plays) == 36
    assert [(trick, seat, str(card)) for trick, seat, card in question.plays[4:6]] == [
        (2, Seat.E, "C9"),
        (2, Seat.N, "C7"),
    ]


# -- what is found


class Counting:
    """A solver that says how many cards of the trump suit the leader holds, and remembers nothing."""

    def tricks(self, positions: Sequence[Position]) -> list[int]:
        return [sum(card.suit is one.trump for card in cards_in(one.hands[one.leader])) for one in positions]

    def tricks_after(self, position: Position, cards: Sequence[Card]) -> list[int]:
        return [7, *(7 - count % 2 for count, _card in enumerate(cards, start=1))]


def test_samples_hold_the_five_cards_and_are_the_same_for_the_same_seed() -> None:
    drawn = list(draw_deals(FIVE, Seat.W, count=5, rng=Random(1)))

    assert drawn == list(draw_deals(FIVE, Seat.W, count=5, rng=Random(1)))
    assert all(hands[Seat.W] & card_set(FIVE) == card_set(FIVE) for hands in drawn)
    assert {hand.bit_count() for hands in drawn for hand in hands} == {HAND_SIZE}
    assert len(set(drawn)) == 5


def test_the_best_trump_and_what_each_card_gave_away_are_told() -> None:
    text = a_full_record().replace('[Trump "C"]', '[FirstFive "SK S8 S5 H7 C2"]\n[Trump "C"]')
    question = question_of(*read_as(text))

    found = analysis_of(question, solver=Counting(), samples=3)

    five = found["five"]
    assert (found["caller"], found["trump"], found["tricks"], found["best"]) == (
        "N", "C", {"S": 4, "H": 4, "D": 2, "C": 3}, ["S", "H"],
    )  # fmt: skip
    assert five is not None
    assert (five["cards"], five["samples"], five["seed"]) == (
        ["SK", "S8", "S5", "H7", "C2"], 3, seed_of(["SK", "S8", "S5", "H7", "C2"]),
    )  # fmt: skip
    assert sum(five["sums"].values()) == 3 * HAND_SIZE
    assert [play["lost"] for play in found["plays"][:4]] == [1, 1, 1, 1]
