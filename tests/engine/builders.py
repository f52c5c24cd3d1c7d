"""Records for the examples, as a scorer would write them."""

from courtpiece.engine import Finding, Outcome, Score
from courtpiece.notation import Reading, read
from courtpiece.notation.checker import JsonObject, check

WEST_AND_EAST_VOID = "N:AKQJT98.432.2.32 W:.KJ98.AKQJ.AKQJT S:765432.AQ.T98.98 E:.T765.76543.7654"
"""Hands in which N calls and holds one diamond only, and in which W and E have no spade."""

A_SUIT_EACH = "N:AKQJT98765432... W:.AKQJT98765432.. S:..AKQJT98765432. E:...AKQJT98765432"
"""Hands in which nobody but the leader can follow suit."""


def pcn(play: str = "", **tags: str) -> str:
    """Return the text of one record; where the tags do not say otherwise, deal 1, dealt by E, called by N."""
    known = {"Deal": "1", "Dealer": "E", **tags}
    lines = [f'[{name} "{value}"]\n' for name, value in known.items()]
    return "".join(lines) + (f"\n{play.strip()}\n" if play else "")


def only(text: str) -> Reading:
    """Return the one record of a text."""
    (reading,) = read(text)
    return reading


def judged(play: str = "", **tags: str) -> Finding:
    """Return what the engine finds in the record of ``pcn``, which can be read."""
    finding = only(pcn(play, **tags)).finding()
    assert finding is not None
    return finding


def outcome(play: str = "", **tags: str) -> Outcome:
    """Return what the deal counts for, nothing being wrong with its record."""
    finding = judged(play, **tags)
    assert (finding.outcome, finding.faults) == (finding.outcome, ())
    assert finding.outcome is not None
    return finding.outcome


def taken(play: str = "", **tags: str) -> Score:
    """Return the tricks won or gathered in an unfinished deal of which nothing is wrong."""
    return outcome(play, **{"Result": "void", **tags}).tricks


def winners(play: str = "", **tags: str) -> str:
    """Return who won each trick of an unfinished deal of which nothing is wrong."""
    finding = judged(play, **{"Result": "void", **tags})
    assert finding.faults == ()
    assert finding.trick_winners is not None
    return "".join(seat.letter for seat in finding.trick_winners)


def codes(play: str = "", **tags: str) -> list[str]:
    """Return the codes of what is wrong with the record, match and all."""
    return [code for code, _, _ in problems(pcn(play, **tags))]


def problems(source: str | bytes) -> list[tuple[str, int, int]]:
    """Return code, line and column of all problems of all records."""
    return [place for line in checked(source) for place in places(line)]


def places(line: JsonObject) -> list[tuple[str, int, int]]:
    """Return code, line and column of each problem of one of the checker's lines."""
    found = line["problems"]
    assert isinstance(found, list)
    return [_place(problem) for problem in found]


def _place(problem: object) -> tuple[str, int, int]:
    assert isinstance(problem, dict)
    return problem["code"], problem["line"], problem["column"]


def checked(source: str | bytes) -> list[JsonObject]:
    """Return the checker's lines about the records, those about matches left out."""
    return [line for line in check(source) if line["type"] == "deal"]


# -- deals made for a sequence of winners -----------------------------------------------------------------

_WITH_ACE = ("A234", "K567", "Q89T", "J")
_WITHOUT_ACE = ("K234", "Q567", "J89T", "A")
_SUITS = "SHDC"
_SEATS = "SENW"


def won_by(order: str, *, caller: str = "N") -> dict[str, str]:
    """Return hands and a play in which the seats win the tricks in this order; ``A`` after a seat: by an ace.

    To the first twelve tricks, which are spades, hearts, diamonds, clubs and again, all four follow suit. To
    the last one everybody has one card, of another suit each, spades for the caller: with spades for trump
    the caller wins it. At most one ace a suit.
    """
    tricks = order.split()
    led = [*tricks, *caller * (13 - len(tricks))]
    hands = {seat: [_SUITS[place] + _ranks(led, place)[3]] for place, seat in enumerate(_from(caller))}
    leader = caller
    lines = []
    for number, winner in enumerate(led[:12]):
        cards = _trick(led, number, leader)
        for seat, card in cards.items():
            hands[seat].append(card)
        lines.append(f"{number + 1}. {' '.join(cards.values())}")
        leader = winner[0]
    lines.append(f"13. {' '.join(hands[seat][0] for seat in _from(leader))}")
    return {
        "Hands": " ".join(f"{seat}:{_holding(hands[seat])}" for seat in _from(caller)),
        "play": "\n".join([*lines[: len(tricks)], "*"]),
    }


def _trick(tricks: list[str], number: int, leader: str) -> dict[str, str]:
    """Return who plays what to one of the first twelve tricks, in the order played."""
    suit = _SUITS[number % 4]
    ranks = _ranks(tricks, number % 4)[number // 4]
    highest, others = ranks[0], list(ranks[1:])
    winner = tricks[number][0]
    return {seat: suit + (highest if seat == winner else others.pop()) for seat in _from(leader)}


def _ranks(tricks: list[str], suit: int) -> tuple[str, ...]:
    """Return the ranks of the three tricks of a suit, the winning one first, and the rank that is left."""
    with_ace = [number for number in range(suit, 12, 4) if "A" in tricks[number]]
    if not with_ace:
        return _WITHOUT_ACE
    ace, *others, last = _WITH_ACE
    others.insert(with_ace[0] // 4, ace)
    return (*others, last)


def _holding(cards: list[str]) -> str:
    by_suit = ["".join(rank for rank in "AKQJT98765432" if suit + rank in cards) for suit in _SUITS]
    return ".".join(by_suit)


def _from(seat: str) -> str:
    at = _SEATS.index(seat)
    return _SEATS[at:] + _SEATS[:at]
