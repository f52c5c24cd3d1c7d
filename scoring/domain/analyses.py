"""What could have been made of a deal with all cards on the table: for which deals it is asked, and what is found.

Double dummy means that everybody sees all four hands and plays as well as can be for the tricks of the own side, all
thirteen of them. It knows nothing of courts, nor that a deal ends with the seventh trick. The solver is an argument.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from random import Random
from typing import Final, NamedTuple, Protocol, TypedDict

from courtpiece.engine import Card, Finding, Gather, Seat, Suit, TrumpMethod
from courtpiece.engine.cards import CARDS, FULL_PACK, HAND_SIZE, SUITS, card_set
from courtpiece.engine.deal import Hands
from courtpiece.engine.play import CARD_BITS
from courtpiece.engine.seats import SEATS
from courtpiece.errors import CourtPieceError
from courtpiece.notation import Record
from courtpiece.notation.pbn import known_hands

SAMPLES: Final = 40
"""Deals that are drawn around the caller's five cards."""
FORMAT: Final = 1
"""Of what is kept."""


class Position(NamedTuple):
    """Four hands of one size, and who is to lead to the first trick under which trump."""

    hands: Hands
    leader: Seat
    trump: Suit


class Solver(Protocol):
    """What knows how many tricks a side makes double dummy, playing to the right (law 1.2)."""

    def tricks(self, positions: Sequence[Position]) -> list[int]:
        """Return how many tricks the side of who leads makes in each."""

    def tricks_after(self, position: Position, cards: Sequence[Card]) -> list[int]:
        """Return how many the side of who leads makes in all: before the first card, then after each of them."""


class WhyNot(Enum):
    """Why a deal is not analysed."""

    PILES = "piles"
    """Tricks lie in the centre until somebody gathers them (law 7.2)."""
    HIDDEN_TRUMP = "hidden-trump"
    """Trump lies face down, or a discard makes it (laws 4.5 to 4.7)."""
    NO_HANDS = "no-hands"
    """The record does not tell all four hands."""
    NO_TRUMP = "no-trump"
    """The record does not tell the trump."""
    IMPOSSIBLE = "impossible"
    """The record cannot be adjudicated as it stands."""


class NotAnalysable(CourtPieceError):  # noqa: N818 - raised and caught in sentences that read better so
    """The deal cannot be analysed; ``why`` says why not."""

    def __init__(self, why: WhyNot) -> None:
        super().__init__(why.value)
        self.why = why


class FiveJson(TypedDict):
    """What the caller's first five cards alone say of the trump, by deals drawn around them."""

    cards: list[str]
    samples: int
    seed: int
    sums: dict[str, int]
    """By suit, the tricks of the caller's side in all the samples together."""
    best: list[str]


class PlayJson(TypedDict):
    """A card, with the tricks of the caller's side before and after it, those already won included."""

    trick: int
    seat: str
    card: str
    before: int
    after: int
    lost: int
    """Tricks that it gave to the other side."""


class AnalysisJson(TypedDict):
    """What is found of a deal. Tricks are those of the caller's side, of thirteen."""

    format: int
    caller: str
    trump: str
    chosen: bool
    """Whether the caller chose it from the first five cards (laws 4.1 and 4.2)."""
    tricks: dict[str, int]
    """By suit, under each as trump."""
    best: list[str]
    five: FiveJson | None
    """None where the record does not tell the five, or trump was not chosen from them."""
    plays: list[PlayJson]
    """Empty without a play section."""
    stopped: bool
    """Whether an established revoke ends the plays before its trick."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A deal that can be analysed."""

    hands: Hands
    caller: Seat
    trump: Suit
    is_chosen: bool
    five: tuple[Card, ...] | None
    plays: tuple[tuple[int, Seat, Card], ...]
    """The number of the trick, who played, and the card that stood."""
    is_stopped: bool


_CHOSEN: Final = frozenset({TrumpMethod.ANNOUNCED, TrumpMethod.CARD})
_NOT_PLAIN: Final = frozenset({TrumpMethod.HIDDEN, TrumpMethod.BLIND, TrumpMethod.DISCARD})


def question_of(record: Record, finding: Finding) -> Question:
    """Return what there is to analyse in a deal.

    :raises NotAnalysable: if tricks are gathered from piles, trump was hidden or made by a discard, the record does not
        tell the trump or all four hands, or it cannot be adjudicated.
    """
    why = _why_not(record, finding)
    hands, trump = known_hands(record), record.facts.trump
    if why is None and hands is None:
        why = WhyNot.NO_HANDS
    if why is not None or hands is None or trump is None or trump.suit is None:
        raise NotAnalysable(why or WhyNot.NO_TRUMP)
    plays = tuple(_plays(record, finding))
    return Question(
        hands=hands,
        caller=finding.caller,
        trump=trump.suit,
        is_chosen=trump.method in _CHOSEN,
        five=record.facts.first_five,
        plays=plays,
        is_stopped=any(not revoke.corrected for revoke in finding.revokes),
    )


def _why_not(record: Record, finding: Finding) -> WhyNot | None:
    if record.rules.gather is not Gather.SINGLE:
        return WhyNot.PILES
    trump = record.facts.trump
    methods = set(record.rules.trump) if trump is None else {trump.method}
    if methods <= _NOT_PLAIN:
        return WhyNot.HIDDEN_TRUMP
    return WhyNot.IMPOSSIBLE if finding.outcome is None else None


def _plays(record: Record, finding: Finding) -> Iterator[tuple[int, Seat, Card]]:
    """Yield the cards of the tricks that counted: none from an established revoke's or after the decision."""
    tricks = zip(record.facts.tricks or (), finding.trick_winners or (), strict=False)
    leader = finding.caller
    for number, (codes, winner) in enumerate(tricks, start=1):
        for place, code in enumerate(codes):
            yield number, SEATS[leader + place & 3], CARDS[code & CARD_BITS]
        leader = winner


def analysis_of(question: Question, *, solver: Solver, samples: int = SAMPLES) -> AnalysisJson:
    """Return what is found of a deal: the same for the same deal and number of samples, as far as ``Random`` is.

    Cost: a solution for each suit, one for each card, and four for each sample.
    """
    tricks = solver.tricks([Position(question.hands, question.caller, suit) for suit in SUITS])
    by_suit = {suit.letter: count for suit, count in zip(SUITS, tricks, strict=True)}
    five = question.five if question.is_chosen else None
    return AnalysisJson(
        format=FORMAT,
        caller=question.caller.letter,
        trump=question.trump.letter,
        chosen=question.is_chosen,
        tricks=by_suit,
        best=_best(by_suit),
        five=None if five is None else _of_five(five, question.caller, solver=solver, samples=samples),
        plays=_of_plays(question, solver) if question.plays else [],
        stopped=question.is_stopped,
    )


def _best(by_suit: Mapping[str, int]) -> list[str]:
    most = max(by_suit.values())
    return [letter for letter, count in by_suit.items() if count == most]


def _of_five(five: Sequence[Card], caller: Seat, *, solver: Solver, samples: int) -> FiveJson:
    cards = [str(card) for card in sorted(five, key=lambda card: (card.suit, -card.rank))]
    seed = seed_of(cards)
    rng = Random(seed)  # noqa: S311 - everybody is to draw the same
    drawn = list(draw_deals(five, caller, count=samples, rng=rng))
    sums = {
        suit.letter: sum(solver.tricks([Position(hands, caller, suit) for hands in drawn])) for suit in SUITS
    }
    return FiveJson(cards=cards, samples=samples, seed=seed, sums=sums, best=_best(sums))


def seed_of(cards: Sequence[str]) -> int:
    """Return the seed of the samples: the same five cards are always judged by the same deals."""
    return int.from_bytes(sha256(" ".join(cards).encode()).digest()[:4])


def draw_deals(five: Sequence[Card], caller: Seat, *, count: int, rng: Random) -> Iterator[Hands]:
    """Yield deals in which the caller holds these five cards and everything else lies anywhere."""
    known = card_set(five)
    others = [card for card in CARDS if not known >> card.index & 1]
    for _number in range(count):
        drawn = rng.sample(others, k=len(others))
        more = HAND_SIZE - len(five)
        hands = {caller: known | card_set(drawn[:more])}
        for place, seat in enumerate(seat for seat in SEATS if seat is not caller):
            start = more + HAND_SIZE * place
            hands[seat] = card_set(drawn[start : start + HAND_SIZE])
        south, east, north, west = (hands[seat] for seat in SEATS)
        if south | east | north | west != FULL_PACK:
            raise AssertionError("a drawn deal is no deal")
        yield south, east, north, west


def _of_plays(question: Question, solver: Solver) -> list[PlayJson]:
    position = Position(question.hands, question.caller, question.trump)
    values = solver.tricks_after(position, [card for _trick, _seat, card in question.plays])
    return [
        PlayJson(
            trick=trick,
            seat=seat.letter,
            card=str(card),
            before=before,
            after=after,
            lost=before - after if seat.team is question.caller.team else after - before,
        )
        for (trick, seat, card), before, after in zip(question.plays, values[:-1], values[1:], strict=True)
    ]
