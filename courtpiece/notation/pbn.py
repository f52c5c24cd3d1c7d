"""PBN out: the deal in a mirror, so that bridge programs, who play to the left, can replay it."""

from __future__ import annotations

import re
from typing import Final

from courtpiece.engine.cards import CARD_NAMES, suit_ranks
from courtpiece.engine.deal import Hands
from courtpiece.engine.dealing import faults_of_telling, hands_from_play
from courtpiece.engine.finding import Finding
from courtpiece.engine.play import CARD_BITS
from courtpiece.engine.replay import Replay
from courtpiece.engine.seats import SEATS, Seat
from courtpiece.engine.trump import UNKNOWN_DISCARD, winning_place
from courtpiece.notation.record import Record

_MIRROR: Final = {Seat.N: "N", Seat.W: "E", Seat.S: "S", Seat.E: "W"}
_RESERVED: Final = frozenset({"Mirror"})


def write_pbn(record: Record, finding: Finding) -> str:
    """Return the record as one PBN game with the blank line after it.

    East and West change places everywhere. A record that could not be adjudicated, or has no card, has no play. Play
    stops before the first trick that a bridge program would give to another player.
    """
    hands = known_hands(record)
    lines = [
        _tag("Board", str(record.deal)),
        _tag("Dealer", _MIRROR[record.dealer]),
        _tag("Vulnerable", "None"),
    ]
    if hands is not None:
        lines.append(_tag("Deal", _deal(hands, record.dealer)))
    lines.append(_tag("Declarer", _MIRROR[record.dealer]))
    play: list[str] = []
    if record.facts.tricks and hands is not None and finding.outcome is not None:
        lines.append(_tag("Contract", f"1{finding.trump.letter if finding.trump is not None else 'NT'}"))
        play = [_tag("Play", _MIRROR[record.dealer.right]), *_play_table(record, hands, finding), "*"]
    lines += [
        _tag(f"Pcn{name}", value)
        for name, value in record.tags
        if name not in _RESERVED and _can_be_carried(name, value)
    ]
    lines.append(_tag("PcnMirror", "EW"))
    return "\n".join([*lines, *play, "", ""])


def known_hands(record: Record) -> Hands | None:
    """Return the four hands that the record tells, or its play; None where it does not, or they are no deal."""
    facts = record.facts
    if facts.hands is None and facts.tricks is not None:
        return None if faults_of_telling(facts, facts.tricks) else hands_from_play(facts, facts.tricks)
    if facts.hands is not None and any(hand.bit_count() != 13 or hand >> 52 for hand in facts.hands):
        return None
    return facts.hands


def _deal(hands: Hands, dealer: Seat) -> str:
    order = (dealer, dealer.right, dealer.partner, dealer.left)
    written = [".".join(suit_ranks(hands[seat], suit) for suit in range(4)) for seat in order]
    return f"{_MIRROR[dealer]}:{' '.join(written)}"


def _play_table(record: Record, hands: Hands, finding: Finding) -> list[str]:
    """Return a line a trick, its cards in the order of the seats from the caller, not in the order played."""
    caller = record.dealer.right
    tricks = record.facts.tricks or ()
    replay = Replay(record.rules, caller, hands, record.facts.trump or UNKNOWN_DISCARD)
    replay.run(tricks)
    trump = int(finding.trump) if finding.trump is not None else -1
    leader = int(caller)
    table = []
    for plays, winner in zip(tricks, replay.winners, strict=False):
        cards = [code & CARD_BITS for code in plays]
        bridge = leader + winning_place(cards, trump=trump, trump_from=0, face_down=-1) & 3
        if bridge != winner:
            break
        by_seat = {SEATS[leader + place & 3]: CARD_NAMES[card] for place, card in enumerate(cards)}
        table.append(" ".join(by_seat[SEATS[caller + place & 3]] for place in range(4)))
        leader = winner
    return table


_SECTION: Final = re.compile(r"[+-]?\w")


def _can_be_carried(name: str, value: str) -> bool:
    """Return whether a PBN reader takes the tag for what it is.

    PBN has no way to write three kinds of value: ``#`` means that of the game before; a name that ends in Table begins
    a section and its value names columns; and ``"]`` inside a value ends the tag.
    """
    if value == "#" or '"]' in value:
        return False
    return not name.lower().endswith("table") or all(_SECTION.match(part) for part in value.split(";"))


def _tag(name: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'
