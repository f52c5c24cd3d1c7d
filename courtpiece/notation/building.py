"""From tags and a play section that were understood to a record."""

from __future__ import annotations

from collections.abc import Iterable
from operator import itemgetter
from typing import Final

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
    Typed,
    hands_text,
)

_COURT_PIECE = NAMED["court-piece"]
_PLACE: Final = itemgetter(0)
REQUIRED_TAGS: Final = ("Deal", "Dealer")


def build_record(
    values: Iterable[TagValue],
    *,
    tricks: Tricks | None = None,
    claim: Claim | None = None,
    comments: tuple[Comment, ...] = (),
    misnumbered: int | None = None,
) -> Record:
    """Return the record of tags that were all read, ``Deal`` and ``Dealer`` among them, and their play section."""
    tags = sorted(values, key=_PLACE)
    meanings: dict[str, Typed] = {written[0]: meaning for _, written, meaning in tags}
    dealer = meanings["Dealer"]
    number = meanings["Deal"]
    assert isinstance(dealer, Seat) and isinstance(number, int)
    facts = _facts(meanings, dealer, tricks, claim, misnumbered)
    courts = meanings.get("Courts")
    return Record(
        _written(tags, meanings.get("Hands"), RIGHT_OF[dealer]),
        number,
        facts,
        courts if isinstance(courts, Score) else None,
        comments,
    )


def _facts(
    meanings: dict[str, Typed],
    dealer: Seat,
    tricks: Tricks | None,
    claim: Claim | None,
    misnumbered: int | None,
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
        five.cards if isinstance(five, FiveCards) else None,
        trump if isinstance(trump, Trump) else None,
        tricks,
        claim,
        winners.seats if isinstance(winners, TrickWinners) else None,
        revoke if isinstance(revoke, StatedRevoke) else None,
        result if isinstance(result, StatedResult) else None,
        misnumbered,
    )
    if claim is None or claim.trick is not None:
        return facts
    return facts._replace(claim=Claim(claim.seat, resolved_claim(facts)))


def _written(tags: list[TagValue], hands: Typed, caller: Seat) -> tuple[tuple[str, str], ...]:
    """Return the tags as they are written: hands start at the caller, whoever they started at."""
    written = [tag.written for tag in tags]
    if isinstance(hands, DealtHands) and hands.first is not caller:
        place = next(at for at, (name, _) in enumerate(written) if name == "Hands")
        if not any(held & DEALT_TWICE for held in hands.sets):
            written[place] = ("Hands", hands_text(hands.sets, caller))
    return tuple(written)
