"""From tags and a play section that were understood to a record."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import Final, TypedDict, cast

from courtpiece.engine.adjudication import resolved_claim
from courtpiece.engine.deal import DealFacts, StatedResult, StatedRevoke, Tricks
from courtpiece.engine.play import Claim
from courtpiece.engine.rules import NAMED, Rules
from courtpiece.engine.seats import RIGHT_OF, Score, Seat
from courtpiece.engine.trump import Trump
from courtpiece.notation.record import Comment, Record
from courtpiece.notation.values import (
    DEALT_TWICE,
    DealtHands,
    FiveCards,
    TagValue,
    TrickWinners,
    hands_text,
)

_COURT_PIECE = NAMED["court-piece"]
_PLACE: Final = itemgetter(0)
REQUIRED_TAGS: Final = ("Deal", "Dealer")
# Called with their class first, they make named tuples in half the time that calling the class takes.
_record: Final = Record.__new__
_deal_facts: Final = DealFacts.__new__


class _Meanings(TypedDict, total=False):
    """What the tags mean, by name: each reader of ``values`` gives its own type."""

    Deal: int
    Rules: Rules
    Dealer: Seat
    Hands: DealtHands
    FirstFive: FiveCards
    Trump: Trump
    Tricks: TrickWinners
    Revoke: StatedRevoke
    Result: StatedResult | None
    Courts: Score


def build_record(
    values: Iterable[TagValue],
    *,
    tricks: Tricks | None = None,
    claim: Claim | None = None,
    comments: tuple[Comment, ...] = (),
    misnumbered: int | None = None,
) -> Record:
    """Return the record of a play section and tags that were all read, ``Deal`` and ``Dealer`` among them."""
    tags = sorted(values, key=_PLACE)
    meanings = cast(_Meanings, {written[0]: meaning for _, written, meaning in tags})
    facts = _facts(meanings, tricks, claim, misnumbered)
    written = _written(tags, meanings.get("Hands"), facts.dealer)
    return _record(Record, written, meanings["Deal"], facts, meanings.get("Courts"), comments)


def _facts(
    meanings: _Meanings, tricks: Tricks | None, claim: Claim | None, misnumbered: int | None
) -> DealFacts:
    hands = meanings.get("Hands")
    five = meanings.get("FirstFive")
    winners = meanings.get("Tricks")
    facts = _deal_facts(
        DealFacts,
        meanings.get("Rules", _COURT_PIECE),
        meanings["Dealer"],
        hands.sets if hands is not None else None,
        five.cards if five is not None else None,
        meanings.get("Trump"),
        tricks,
        claim,
        winners.seats if winners is not None else None,
        meanings.get("Revoke"),
        meanings.get("Result"),
        misnumbered,
    )
    if claim is None or claim.trick is not None:
        return facts
    return facts._replace(claim=Claim(claim.seat, resolved_claim(facts)))


def _written(tags: list[TagValue], hands: DealtHands | None, dealer: Seat) -> tuple[tuple[str, str], ...]:
    """Return the tags as they are written: hands start at the caller, whoever they started at."""
    written = [tag[1] for tag in tags]
    caller = RIGHT_OF[dealer]
    if hands is not None and hands.first is not caller:
        place = next(at for at, (name, _) in enumerate(written) if name == "Hands")
        if not any(held & DEALT_TWICE for held in hands.sets):
            written[place] = ("Hands", hands_text(hands.sets, caller))
    return tuple(written)
