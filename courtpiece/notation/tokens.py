"""The tokens of a play section."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from courtpiece.engine.cards import CARD_NAMES
from courtpiece.engine.play import FACE_DOWN, REVEAL, Claim, card_indexes, join_code
from courtpiece.engine.seats import SEAT_OF_LETTER
from courtpiece.notation.values import CARD_PATTERN, card_index

END: Final = "*"
_NUMBER: Final = re.compile(r"([0-9]{1,4})\.")
_PLAY: Final = re.compile(rf"(?P<sign>[\^_])?(?P<cards>{CARD_PATTERN}(?:>{CARD_PATTERN})*)")
_CLAIM: Final = re.compile(r"!([NESW])([1-9][0-9]?)?")
_SIGNS: Final = {None: 0, "^": REVEAL, "_": FACE_DOWN}
_COMMENT_BLANKS: Final = re.compile(r"[ \t\r\n]+")
_TAG_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_MOST_KEPT: Final = 20_000


def read_play(token: str) -> int | None:
    """Return the code of a play as import writes it; None where the token is none."""
    match = _PLAY.fullmatch(token)
    if match is None:
        return None
    indexes = [index for card in match["cards"].split(">") if (index := card_index(card)) is not None]
    return join_code(indexes, _SIGNS[match["sign"]])


def write_play(code: int) -> str:
    """Return the one written form of a play."""
    if code < len(CARD_NAMES):
        return CARD_NAMES[code]
    sign = "^" if code & REVEAL else "_" if code & FACE_DOWN else ""
    return sign + ">".join(CARD_NAMES[index] for index in card_indexes(code))


def read_number(token: str) -> int | None:
    """Return the number of a trick; None where the token is none."""
    match = _NUMBER.fullmatch(token)
    return None if match is None else int(match[1])


def read_claim(token: str) -> Claim | None:
    """Return the claim of a revoke; None where the token is none."""
    match = _CLAIM.fullmatch(token)
    if match is None:
        return None
    return Claim(SEAT_OF_LETTER[match[1]], int(match[2]) if match[2] else None)


def begins_play(token: str) -> bool:
    """Return whether a play section can begin with the token."""
    return (
        token[0] == "{"
        or token == END
        or read_play(token) is not None
        or read_number(token) is not None
        or read_claim(token) is not None
    )


class PlayCodes(dict[str, int]):
    """The codes of plays by their token, read once each.

    :raises KeyError: for a token that is no play.
    """

    def __init__(self) -> None:
        super().__init__((name, index) for index, name in enumerate(CARD_NAMES))

    def __missing__(self, token: str) -> int:
        code = read_play(token)
        if code is None:
            raise KeyError(token)
        if len(self) < _MOST_KEPT:
            self[token] = code
        return code


def comment_text(text: str) -> str:
    """Return a comment's text in its one form: NFC, each run of blanks and line ends one blank, none outside."""
    return unicodedata.normalize("NFC", _COMMENT_BLANKS.sub(" ", text).strip(" "))


def is_tag_name(name: str) -> bool:
    """Return whether a tag can be called so."""
    return _TAG_NAME.fullmatch(name) is not None
