"""Where two records of one deal part: the first point at which they do, in the order in which a person looks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from courtpiece.engine.deal import Hands, StatedResult
from courtpiece.engine.finding import Finding, Level, Outcome
from courtpiece.engine.seats import SEATS, Seat
from courtpiece.notation.record import Record
from courtpiece.notation.tokens import write_play
from courtpiece.notation.values import hands_text, trump_text


class Point(Enum):
    """What two records say differently, in the order in which it is looked at.

    Who led a trick is no point of its own: the caller leads the first, and then who won the one before.
    """

    DEALER = "dealer"
    RULES = "rules"
    HANDS = "hands"
    FIRST_FIVE = "first-five"
    TRUMP = "trump"
    CARD = "card"
    """What a seat played to a trick, with what was taken back, and whether it was revealed or face down."""
    TRICK_WINNER = "trick-winner"
    REVOKE = "revoke"
    WINNER = "winner"
    TRICKS = "tricks"
    AWARD = "award"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first point at which two records of one deal part."""

    point: Point
    one: str
    """What the one says there, as records write it; empty where it has nothing."""
    other: str
    trick: int | None = None
    """From 1; None where it is about no trick."""
    seat: Seat | None = None
    """Whose hand or card it is; None where it is about no seat, or where it cannot be known whose turn it was."""


def first_difference(one: Record, other: Record) -> Difference | None:
    """Return the first point at which two records of one deal part; None where they agree.

    What one of them does not tell (a result only has no cards) is no difference, nor is what is said beside the deal:
    comments, the note, the match's tags.
    """
    return next(_differences(one, other), None)


def _differences(one: Record, other: Record) -> Iterator[Difference]:
    if one.dealer is not other.dealer:
        yield Difference(point=Point.DEALER, one=one.dealer.letter, other=other.dealer.letter)
    if one.rules != other.rules:
        yield Difference(point=Point.RULES, one=str(one.rules), other=str(other.rules))
    yield from _of_what_was_dealt(one, other)
    found = one.finding(), other.finding()
    yield from _of_cards(one, other, found[0])
    yield from _of_tricks(*found)
    yield from _of_revokes((one, found[0]), (other, found[1]))
    yield from _of_results((one, found[0]), (other, found[1]))


def _of_what_was_dealt(one: Record, other: Record) -> Iterator[Difference]:
    ours, theirs = one.facts, other.facts
    if ours.hands is not None and theirs.hands is not None:
        caller = ours.dealer.right
        for seat in (caller, caller.right, caller.partner, caller.left):
            mine, their = _hand(ours.hands, seat), _hand(theirs.hands, seat)
            if mine != their:
                yield Difference(point=Point.HANDS, seat=seat, one=mine, other=their)
    if None not in (ours.first_five, theirs.first_five) and ours.first_five != theirs.first_five:
        fives = [" ".join(map(str, facts.first_five or ())) for facts in (ours, theirs)]
        yield Difference(point=Point.FIRST_FIVE, seat=ours.dealer.right, one=fives[0], other=fives[1])
    if ours.trump is not None and theirs.trump is not None and ours.trump != theirs.trump:
        yield Difference(point=Point.TRUMP, one=trump_text(ours.trump), other=trump_text(theirs.trump))


def _hand(hands: Hands, seat: Seat) -> str:
    return hands_text(hands, seat).split()[0].partition(":")[2]


def _of_cards(one: Record, other: Record, found: Finding) -> Iterator[Difference]:
    ours, theirs = one.facts.tricks, other.facts.tricks
    if ours is None or theirs is None:
        return
    winners = found.trick_winners or ()
    for place in range(max(len(ours), len(theirs))):
        mine = ours[place] if place < len(ours) else ()
        their = theirs[place] if place < len(theirs) else ()
        leader = found.caller if place == 0 else winners[place - 1] if place <= len(winners) else None
        for turn in range(max(len(mine), len(their))):
            cards = [write_play(trick[turn]) if turn < len(trick) else "" for trick in (mine, their)]
            if cards[0] != cards[1]:
                seat = None if leader is None or turn > 3 else SEATS[(leader + turn) & 3]
                yield Difference(point=Point.CARD, trick=place + 1, seat=seat, one=cards[0], other=cards[1])


def _of_tricks(one: Finding, other: Finding) -> Iterator[Difference]:
    if one.trick_winners is None or other.trick_winners is None:
        return
    ours, theirs = one.trick_winners, other.trick_winners
    for place in range(max(len(ours), len(theirs))):
        seats = [winners[place].letter if place < len(winners) else "" for winners in (ours, theirs)]
        if seats[0] != seats[1]:
            yield Difference(point=Point.TRICK_WINNER, trick=place + 1, one=seats[0], other=seats[1])


_Judged = tuple[Record, Finding]


def _of_revokes(one: _Judged, other: _Judged) -> Iterator[Difference]:
    ours, theirs = _revoke(*one), _revoke(*other)
    both_tell = (ours and theirs) or one[0].level is other[0].level is Level.FULL
    if both_tell and ours != theirs:
        yield Difference(point=Point.REVOKE, one=ours, other=theirs)


def _revoke(record: Record, finding: Finding) -> str:
    """Return the revoke that the deal ended with, ``SEAT TRICK``; empty where none did."""
    facts = record.facts
    if facts.revoke is not None:
        return f"{facts.revoke.seat.letter} {facts.revoke.trick}"
    if facts.claim is not None and facts.claim.trick is not None:
        return f"{facts.claim.seat.letter} {facts.claim.trick}"
    stood = (revoke for revoke in finding.revokes if not revoke.corrected)
    return next((f"{revoke.seat.letter} {revoke.trick}" for revoke in stood), "")


def _of_results(one: _Judged, other: _Judged) -> Iterator[Difference]:
    ours, theirs = _outcome(*one), _outcome(*other)
    if ours is None or theirs is None:
        return
    if ours.winner is not theirs.winner:
        yield Difference(point=Point.WINNER, one=_winner(ours), other=_winner(theirs))
    if ours.tricks != theirs.tricks:
        yield Difference(point=Point.TRICKS, one=_tricks(ours), other=_tricks(theirs))
    if ours.award is not theirs.award:
        yield Difference(point=Point.AWARD, one=ours.award.value, other=theirs.award.value)


_Result = Outcome | StatedResult


def _outcome(record: Record, finding: Finding) -> _Result | None:
    return record.facts.result if finding.outcome is None else finding.outcome


def _winner(result: _Result) -> str:
    return "void" if result.winner is None else result.winner.name


def _tricks(result: _Result) -> str:
    winner = result.winner
    return "" if winner is None else f"{result.tricks.of(winner)}-{result.tricks.of(winner.other)}"
