"""The values of tags: what each means, and its one written form."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from typing import Final, NamedTuple

from courtpiece.engine.adjudication import result_text
from courtpiece.engine.cards import (
    CARD_INDEX,
    CARDS,
    HOLDING_OF_RANKS,
    RANK_LETTERS,
    SUITS,
    Card,
    Suit,
    suit_ranks,
)
from courtpiece.engine.deal import Hands, StatedResult, StatedRevoke
from courtpiece.engine.faults import Code
from courtpiece.engine.finding import Outcome
from courtpiece.engine.rules import Rules, RulesError, TrumpMethod
from courtpiece.engine.seats import SEAT_OF_LETTER, SEATS, TEAM_OF_NAME, Award, Score, Seat
from courtpiece.engine.trump import Trump
from courtpiece.errors import CourtPieceError

TAG_ORDER: Final = {
    name: place
    for place, name in enumerate(
        (
            "Event",
            "Site",
            "Date",
            "Round",
            "Table",
            "Deal",
            "NS",
            "EW",
            "Rules",
            "Dealer",
            "Hands",
            "FirstFive",
            "Trump",
            "Tricks",
            "Revoke",
            "Result",
            "Courts",
            "Note",
        )
    )
}
"""The tags of the notation, each with its place in a written record."""

OTHER_TAG: Final = len(TAG_ORDER)
UNKNOWN: Final = "?"


class BadValueError(CourtPieceError):
    """A tag's value is not as its tag wants it. ``code`` is ``bad-value`` or ``unknown-rules``."""

    def __init__(self, message: str, *, code: Code = Code.BAD_VALUE) -> None:
        super().__init__(message)
        self.code = code


class DealtHands(NamedTuple):
    """The value of ``Hands``: the cards of each seat, and the seat that was written first."""

    sets: Hands
    first: Seat | None
    """None where the value is not written in the one form, whoever the caller is."""


class FiveCards(NamedTuple):
    """The value of ``FirstFive``."""

    cards: tuple[Card, ...]


class TrickWinners(NamedTuple):
    """The value of ``Tricks``."""

    seats: tuple[Seat, ...]


Typed = (
    str
    | int
    | Seat
    | Rules
    | DealtHands
    | Trump
    | StatedRevoke
    | StatedResult
    | Score
    | FiveCards
    | TrickWinners
    | None
)


class TagValue(NamedTuple):
    """A tag as it was understood."""

    place: int
    """Its place in a written record."""
    written: tuple[str, str]
    """Its name and its value, in the one form."""
    meaning: Typed
    """What it means; None: not known."""

    @property
    def name(self) -> str:
        """The tag's name."""
        return self.written[0]


# -- cards, as forgiving as import is --------------------------------------------------------------------

_SYMBOLS: Final = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
_CARD: Final = re.compile(
    r"(?:(?P<suit>[SHDCshdc♠♥♦♣])(?P<rank>10|[2-9TJQKAtjqka])"
    r"|(?P<rank2>10|[2-9TJQKAtjqka])(?P<suit2>[SHDCshdc♠♥♦♣]))"
)
CARD_PATTERN: Final = r"(?:[SHDCshdc♠♥♦♣](?:10|[2-9TJQKAtjqka])|(?:10|[2-9TJQKAtjqka])[SHDCshdc♠♥♦♣])"


def card_index(text: str) -> int | None:
    """Return the place in the pack of a card as import writes it; None where it is no card."""
    index = CARD_INDEX.get(text)
    if index is not None:
        return index
    match = _CARD.fullmatch(text)
    if match is None:
        return None
    suit = match["suit"] or match["suit2"]
    rank = match["rank"] or match["rank2"]
    letter = _SYMBOLS.get(suit, suit.upper())
    return CARD_INDEX[letter + ("T" if rank == "10" else rank.upper())]


def _suit(text: str) -> Suit | None:
    letter = _SYMBOLS.get(text, text.upper())
    return SUITS["SHDC".index(letter)] if len(text) == 1 and letter in "SHDC" else None


def words_of(text: str) -> list[str]:
    """Return the words of a value, parted by runs of blanks."""
    return [word for word in re.split(r"[ \t]+", text) if word]


# -- one reader a tag --------------------------------------------------------------------------------------


def _free_text(text: str) -> tuple[str, Typed]:
    return text, None if text == UNKNOWN else text


def _pair(text: str) -> tuple[str, Typed]:
    if text == UNKNOWN:
        return text, None
    names = text.split(" & ")
    if len(names) != 2 or any(not name.strip() or "&" in name for name in names):
        raise BadValueError(f'expected two names joined by " & ", or ?; found {text!r}')
    return text, text


_DATE: Final = re.compile(r"([0-9]{4}|\?{4})\.([0-9]{2}|\?\?)\.([0-9]{2}|\?\?)")


def _date(text: str) -> tuple[str, Typed]:
    text = text.strip(" \t")
    if text == UNKNOWN:
        return text, None
    match = _DATE.fullmatch(text)
    if match is None:
        raise BadValueError(f"expected YYYY.MM.DD, unknown parts ??; found {text!r}")
    year, month, day = match.groups()
    try:
        # A leap year and a month of 31 days, so that what is not known rules nothing out.
        date(
            2000 if "?" in year else int(year),
            1 if "?" in month else int(month),
            1 if "?" in day else int(day),
        )
    except ValueError:
        raise BadValueError(f"{text!r} is no date in the calendar") from None
    return text, text


_DEAL_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")


def _deal_number(text: str) -> tuple[str, Typed]:
    text = text.strip(" \t")
    if not _DEAL_NUMBER.fullmatch(text):
        raise BadValueError(f"expected the number of the deal, 1 or more; found {text!r}")
    return text, int(text)


def _rules(text: str) -> tuple[str, Typed]:
    # The options stay as they were written: one that equals the rule's own value is still what the scorer said.
    text = " ".join(words_of(text))
    try:
        return text, Rules.parse(text)
    except RulesError as error:
        raise BadValueError(str(error), code=Code.UNKNOWN_RULES) from error


def _seat(text: str) -> tuple[str, Typed]:
    text = text.strip(" \t")
    if text not in SEAT_OF_LETTER:
        raise BadValueError(f"expected N, E, S or W; found {text!r}")
    return text, SEAT_OF_LETTER[text]


_HAND: Final = re.compile(r"([NESW]):([^.]*)\.([^.]*)\.([^.]*)\.([^.]*)")
_HOLDING: Final = re.compile(r"(?:10|[2-9TJQKAtjqka])*")
DEALT_TWICE: Final = 1 << 52
"""Stands in a hand's set for a card written twice in it, which makes the hand no hand."""


_RANK_BYTES: Final = RANK_LETTERS.encode()
_FIRST_OF_FRAME: Final = {
    " ".join(f"{seat.letter}:..." for seat in (first, first.right, first.partner, first.left)).encode(): first
    for first in SEATS
}
"""What is left of the four hands without their ranks, for each seat that may come first."""


class _Holdings(dict[str, int]):
    """The holdings met so far, by their ranks: the few that recur lie together, and are found faster than among all.

    :raises KeyError: for a text that is no holding in the one form.
    """

    def __missing__(self, ranks: str) -> int:
        held = self[ranks] = HOLDING_OF_RANKS[ranks]
        return held


_HOLDINGS: Final = _Holdings()


def _hands(text: str) -> tuple[str, Typed]:
    try:
        return text, _hands_in_one_form(text)
    except (KeyError, ValueError):
        return _hands_in_any_form(text)


def _hands_in_one_form(text: str) -> DealtHands:
    """Return the hands; KeyError or ValueError if they are not written in the one form, for some caller."""
    first = _FIRST_OF_FRAME[text.encode().translate(None, _RANK_BYTES)]
    held = _HOLDINGS
    _, s1, h1, d1, c1, _, s2, h2, d2, c2, _, s3, h3, d3, c3, _, s4, h4, d4, c4 = (
        text.replace(":", ".").replace(" ", ".").split(".")
    )
    sets = [
        held[s1] | held[h1] << 13 | held[d1] << 26 | held[c1] << 39,
        held[s2] | held[h2] << 13 | held[d2] << 26 | held[c2] << 39,
        held[s3] | held[h3] << 13 | held[d3] << 26 | held[c3] << 39,
        held[s4] | held[h4] << 13 | held[d4] << 26 | held[c4] << 39,
    ]
    south, east, north, west = sets[4 - first :] + sets[: 4 - first]
    return DealtHands((south, east, north, west), first)


def _hands_in_any_form(text: str) -> tuple[str, Typed]:
    words = words_of(text)
    sets: dict[Seat, int] = {}
    for word in words:
        seat, held = _hand(word)
        if seat in sets:
            raise BadValueError(f"the hand of {seat.letter} stands twice")
        sets[seat] = held
    if len(sets) != len(SEATS):
        raise BadValueError(f"expected the hands of N, E, S and W; found {len(sets)} of them")
    hands: Hands = (sets[SEATS[0]], sets[SEATS[1]], sets[SEATS[2]], sets[SEATS[3]])
    if any(held & DEALT_TWICE for held in hands):
        return " ".join(words), DealtHands(hands, None)
    return text, DealtHands(hands, None)


def _hand(word: str) -> tuple[Seat, int]:
    match = _HAND.fullmatch(word)
    if match is None:
        raise BadValueError(f"expected SEAT:spades.hearts.diamonds.clubs; found {word!r}")
    held = 0
    for suit, written in enumerate(match.groups()[1:]):
        held |= _odd_holding(written, suit)
    return SEAT_OF_LETTER[match[1]], held


def _odd_holding(written: str, suit: int) -> int:
    if not _HOLDING.fullmatch(written):
        raise BadValueError(f"expected ranks of A K Q J T 9 to 2; found {written!r}")
    held = 0
    for rank in written.replace("10", "T").upper():
        bit = 1 << (13 * suit + RANK_LETTERS.index(rank))
        held |= DEALT_TWICE if held & bit else bit
    return held


def hands_text(hands: Hands, first: Seat) -> str:
    """Return the hands in their one form: ``first`` and then to the right, ranks from high to low."""
    return " ".join(
        f"{seat.letter}:{'.'.join(suit_ranks(hands[seat], suit) for suit in range(4))}"
        for seat in (first, first.right, first.partner, first.left)
    )


def _first_five(text: str) -> tuple[str, Typed]:
    words = words_of(text)
    indexes = [card_index(word) for word in words]
    cards = tuple(CARDS[index] for index in indexes if index is not None)
    if len(cards) != len(words):
        odd = words[indexes.index(None)]
        raise BadValueError(f"expected five cards, suit then rank; found {odd!r}")
    if len(set(indexes)) != 5 or len(cards) != 5:
        raise BadValueError(f"expected five different cards; found {len(set(indexes))}")
    return " ".join(map(str, cards)), FiveCards(cards)


_METHODS: Final = {method.value: method for method in TrumpMethod}
_TRUMP_FORMS: Final = "S; S card S7; H turned H9; H named 7 H9; D hidden D7; D blind D7; D discard; -"


def _trump(text: str) -> tuple[str, Typed]:
    words = words_of(text)
    if words == ["-"]:
        return "-", Trump(TrumpMethod.DISCARD, None)
    suit = _suit(words[0]) if words else None
    trump = _trump_of(suit, words[1:]) if suit is not None else None
    if trump is None:
        raise BadValueError(f"expected one of: {_TRUMP_FORMS}; found {text!r}")
    return trump_text(trump), trump


def _trump_of(suit: Suit, words: list[str]) -> Trump | None:
    """Return the trump that the words after its suit tell; None where they tell none."""
    if not words:
        return Trump(TrumpMethod.ANNOUNCED, suit)
    method = _METHODS.get(words[0])
    if method is None or method is TrumpMethod.ANNOUNCED:
        return None
    if method is TrumpMethod.DISCARD:
        return Trump(method, suit) if len(words) == 1 else None
    number = None
    if method is TrumpMethod.NAMED:
        number = _named_number(words)
        if number is None:
            return None
        words = words[1:]
    if len(words) != 2:
        return None
    if words[1] == UNKNOWN and method.is_hidden:
        return Trump(method, suit)
    index = card_index(words[1])
    if index is None or CARDS[index].suit is not suit:
        return None
    return Trump(method, suit, CARDS[index], number)


def _named_number(words: list[str]) -> int | None:
    if len(words) != 3 or not re.fullmatch(r"[6-9]|1[0-3]", words[1]):
        return None
    return int(words[1])


def trump_text(trump: Trump) -> str:
    """Return how trump was made in its one form."""
    if trump.suit is None:
        return "-"
    if trump.method is TrumpMethod.ANNOUNCED:
        return trump.suit.letter
    words = [trump.suit.letter, trump.method.value]
    if trump.method is TrumpMethod.DISCARD:
        return " ".join(words)
    if trump.number is not None:
        words.append(str(trump.number))
    return " ".join([*words, UNKNOWN if trump.card is None else str(trump.card)])


def _trick_winners(text: str) -> tuple[str, Typed]:
    words = words_of(text)
    odd = next((word for word in words if word not in SEAT_OF_LETTER), None)
    if odd is not None:
        raise BadValueError(f"expected the seats that won the tricks, N E S W; found {odd!r}")
    if len(words) > 13:
        raise BadValueError(f"a deal has thirteen tricks; found {len(words)}")
    return " ".join(words), TrickWinners(tuple(SEAT_OF_LETTER[word] for word in words))


def _revoke(text: str) -> tuple[str, Typed]:
    words = words_of(text)
    if len(words) != 2 or words[0] not in SEAT_OF_LETTER or not re.fullmatch(r"[1-9]|1[0-3]", words[1]):
        raise BadValueError(f"expected a seat and the number of a trick, such as W 4; found {text!r}")
    return " ".join(words), StatedRevoke(SEAT_OF_LETTER[words[0]], int(words[1]))


_TRICKS: Final = re.compile(r"(0|[1-9][0-9]?)-(0|[1-9][0-9]?)")
_AWARDS: Final = {award.value: award for award in Award if award not in (Award.WIN, Award.VOID)}


def _result(text: str) -> tuple[str, Typed]:
    words = words_of(text)
    if words == [UNKNOWN]:
        return UNKNOWN, None
    if words == ["void"]:
        return "void", StatedResult(None, Score(), Award.VOID)
    tricks = _TRICKS.fullmatch(words[1]) if len(words) in (2, 3) else None
    award = _AWARDS.get(words[2]) if len(words) == 3 else Award.WIN
    if tricks is None or award is None or words[0] not in TEAM_OF_NAME:
        raise BadValueError(
            f"expected a result such as NS 7-4, EW 7-0 court, NS 3-2 revoke or void; found {text!r}"
        )
    winner = TEAM_OF_NAME[words[0]]
    score = Score().plus(winner, int(tricks[1])).plus(winner.other, int(tricks[2]))
    return " ".join(words), StatedResult(winner, score, award)


_NUMBER: Final = re.compile(r"0|[1-9][0-9]{0,8}")


def _courts(text: str) -> tuple[str, Typed]:
    words = words_of(text)
    if (
        len(words) != 4
        or (words[0], words[2]) != ("NS", "EW")
        or not (_NUMBER.fullmatch(words[1]) and _NUMBER.fullmatch(words[3]))
    ):
        raise BadValueError(f"expected the courts as NS n EW n; found {text!r}")
    return " ".join(words), Score(int(words[1]), int(words[3]))


_READERS: Final[dict[str, Callable[[str], tuple[str, Typed]]]] = {
    "Event": _free_text,
    "Site": _free_text,
    "Date": _date,
    "Round": _free_text,
    "Table": _free_text,
    "Deal": _deal_number,
    "NS": _pair,
    "EW": _pair,
    "Rules": _rules,
    "Dealer": _seat,
    "Hands": _hands,
    "FirstFive": _first_five,
    "Trump": _trump,
    "Tricks": _trick_winners,
    "Revoke": _revoke,
    "Result": _result,
    "Courts": _courts,
    "Note": _free_text,
}


def read_value(name: str, text: str) -> TagValue:
    """Return what a tag's value means. The text is made NFC; a tag that the notation does not know is kept.

    :raises BadValueError: if the value is not as the notation's table says.
    """
    text = unicodedata.normalize("NFC", text)
    reader = _READERS.get(name)
    written, meaning = (text, text) if reader is None else reader(text)
    return TagValue(TAG_ORDER.get(name, OTHER_TAG), (name, written), meaning)


_NOT_KEPT: Final = frozenset({"Hands", "FirstFive", "Tricks", "Note"})
_MOST_KEPT: Final = 20_000


class ValueCache(dict[tuple[str, str], TagValue]):
    """Tag values read before, by name and text: most of a file's values are those of the record before."""

    def __missing__(self, tag: tuple[str, str]) -> TagValue:
        value = read_value(*tag)
        if tag[0] not in _NOT_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[tag] = value
        return value


def stated_result(outcome: Outcome) -> str:
    """Return the value of ``Result`` that states the outcome."""
    return result_text(outcome)
