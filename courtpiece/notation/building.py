"""From tags and a play section that were understood to a record."""

from __future__ import annotations

from collections.abc import Iterable

from courtpiece.engine.adjudication import resolved_claim
from courtpiece.engine.cards import Card
from courtpiece.engine.deal import DealFacts, StatedResult, StatedRevoke, Tricks
from courtpiece.engine.play import Claim
from courtpiece.engine.rules import NAMED, Rules
from courtpiece.engine.seats import Score, Seat
from courtpiece.engine.trump import Trump
from courtpiece.notation.record import Comment, Record
from courtpiece.notation.values import DEALT_TWICE, OTHER_TAG, TAG_ORDER, DealtHands, TagValue, Typed, hands_text

_COURT_PIECE = NAMED["court-piece"]
REQUIRED_TAGS = ("Deal", "Dealer")


def build_record(
    values: Iterable[TagValue],
    *,
    tricks: Tricks | None = None,
    claim: Claim | None = None,
    comments: tuple[Comment, ...] = (),
    misnumbered: int | None = None,
) -> Record:
    """Return the record of tags that were all read, ``Deal`` and ``Dealer`` among them, and their play section."""
    tags = in_table_order(values)
    meanings: dict[str, Typed] = {tag.name: tag.meaning for tag in tags}
    dealer = meanings["Dealer"]
    number = meanings["Deal"]
    assert isinstance(dealer, Seat) and isinstance(number, int)
    facts = _facts(meanings, dealer, tricks, claim, misnumbered)
    courts = meanings.get("Courts")
    return Record(
        tuple([(tag.name, _text(tag, dealer.right)) for tag in tags]),
        number,
        facts,
        courts if isinstance(courts, Score) else None,
        comments,
    )


def _facts(
    meanings: dict[str, Typed], dealer: Seat, tricks: Tricks | None, claim: Claim | None, misnumbered: int | None
) -> DealFacts:
    rules = meanings.get("Rules", _COURT_PIECE)
    hands = meanings.get("Hands")
    five = meanings.get("FirstFive")
    trump = meanings.get("Trump")
    winners = meanings.get("Tricks")
    revoke = meanings.get("Revoke")
    result = meanings.get("Result")
    assert isinstance(rules, Rules)
    facts = DealFacts(
        rules,
        dealer,
        hands.sets if isinstance(hands, DealtHands) else None,
        _cards(five),
        trump if isinstance(trump, Trump) else None,
        tricks,
        claim,
        _seats(winners),
        revoke if isinstance(revoke, StatedRevoke) else None,
        result if isinstance(result, StatedResult) else None,
        misnumbered,
    )
    if claim is None or claim.trick is not None:
        return facts
    return facts._replace(claim=Claim(claim.seat, resolved_claim(facts)))


def _cards(meaning: Typed) -> tuple[Card, ...] | None:
    if not isinstance(meaning, tuple):
        return None
    return tuple([card for card in meaning if isinstance(card, Card)])


def _seats(meaning: Typed) -> tuple[Seat, ...] | None:
    if not isinstance(meaning, tuple):
        return None
    return tuple([seat for seat in meaning if isinstance(seat, Seat)])


def in_table_order(values: Iterable[TagValue]) -> list[TagValue]:
    """Return the tags in the order of the notation's table, those it does not know last and as they came."""
    return sorted(values, key=_place)


def _place(tag: TagValue) -> int:
    return TAG_ORDER.get(tag.name, OTHER_TAG)


def _text(tag: TagValue, caller: Seat) -> str:
    if isinstance(tag.meaning, DealtHands) and tag.meaning.first is not caller:
        if any(held & DEALT_TWICE for held in tag.meaning.sets):
            return tag.text
        return hands_text(tag.meaning.sets, caller)
    return tag.text
