"""Counted sequences of legal plays from fixed deals: a number changes if any law of following (5, 6) does.

A play counts once for each way to make it: with and without turning up the indicator, face up and face down.
The deals stand in ``tests/golden/perft.json`` as text, some with a few cards played.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from courtpiece.engine import DealState
from tests.engine.builders import only, pcn
from tests.engine.deals import may_face_down

GOLDEN = Path(__file__).parents[1] / "golden" / "perft.json"
Case = dict[str, object]
CASES: list[Case] = json.loads(GOLDEN.read_text())


def start_of(case: Case) -> DealState:
    """Return the deal after the cards that the case has played."""
    tags = {name: str(case[name.lower()]) for name in ("Rules", "Dealer", "Hands", "Trump")}
    record = only(pcn(f"{case['played']} *", Result="void", **tags)).record
    assert record is not None
    return record.states()[-1]


def next_deals(deal: DealState) -> Iterator[DealState]:
    """Yield the deal after each play that the laws allow."""
    for state in (deal, deal.reveal()) if deal.may_reveal() else (deal,):
        for card in state.legal_plays():
            yield state.play(card)
            if not state.asked and may_face_down(state, card):
                yield state.play(card, face_down=True)


def count(deal: DealState, depth: int) -> list[int]:
    """Return how many sequences of 1, 2, … plays the laws allow."""
    counts = []
    deals = [deal]
    for _ in range(depth):
        deals = [after for before in deals for after in next_deals(before)]
        counts.append(len(deals))
    return counts


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["name"]))
def test_the_number_of_legal_sequences(case: Case) -> None:
    expected = case["counts"]
    assert isinstance(expected, list)

    assert count(start_of(case), len(expected)) == expected


@pytest.mark.parametrize(
    "case", [case for case in CASES if not case["played"]], ids=lambda case: str(case["name"])
)
def test_the_first_trick_counted_from_the_hands_alone_law_5_2(case: Case) -> None:
    hands = hands_of(case)
    expected = [first_trick(hands, plays) for plays in (1, 2, 3, 4)]

    assert first_trick_without_reveals(case) == expected


def hands_of(case: Case) -> list[list[str]]:
    """Return the hands from the caller to the right, without an indicator that lies face down."""
    laid = str(case["trump"]).split()[-1] if str(case["rules"]).startswith("hidden") else ""
    return [
        [
            suit + rank
            for suit, ranks in zip("SHDC", hand[2:].split("."), strict=True)
            for rank in ranks
            if suit + rank != laid
        ]
        for hand in str(case["hands"]).split()
    ]


def first_trick(hands: list[list[str]], plays: int) -> int:
    """Return how many ways there are to play that many cards of the first trick, following suit."""
    ways = 0
    for lead in hands[0]:
        product = 1
        for hand in hands[1:plays]:
            following = [card for card in hand if card[0] == lead[0]]
            product *= len(following or hand)
        ways += product
    return ways


def first_trick_without_reveals(case: Case) -> list[int]:
    """Return the counts of the first trick, nobody asking for the trump."""
    counts = []
    deals = [start_of(case)]
    for _ in range(4):
        deals = [deal.play(card) for deal in deals for card in deal.legal_plays()]
        counts.append(len(deals))
    return counts
