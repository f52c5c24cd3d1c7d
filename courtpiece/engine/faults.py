"""What can be wrong with a record: the codes of the notation, and where in a record each one stands."""

from __future__ import annotations

from enum import Enum
from typing import Final, NamedTuple


class Kind(Enum):
    """How far a problem goes."""

    MALFORMED = "malformed"
    """The record could not be read."""
    IMPOSSIBLE = "impossible"
    """The record could not be adjudicated."""
    DISCREPANCY = "discrepancy"
    """The record states what it does not show; the finding stands."""
    WARNING = "warning"
    """The record counts; a person may want to know."""


class Code(Enum):
    """The stable codes of the notation's table of errors, in its order."""

    BAD_SYNTAX = "bad-syntax"
    BAD_ENCODING = "bad-encoding"
    RECORD_TOO_LONG = "record-too-long"
    DUPLICATE_TAG = "duplicate-tag"
    MISSING_TAG = "missing-tag"
    BAD_VALUE = "bad-value"
    UNKNOWN_RULES = "unknown-rules"
    BAD_HANDS = "bad-hands"
    CARD_REPEATED = "card-repeated"
    CARD_NOT_HELD = "card-not-held"
    BAD_TRICK = "bad-trick"
    BAD_TRUMP = "bad-trump"
    BAD_REVEAL = "bad-reveal"
    BAD_CORRECTION = "bad-correction"
    NO_SUCH_REVOKE = "no-such-revoke"
    HANDS_NEEDED = "hands-needed"
    UNDECIDED = "undecided"
    RESULT_MISMATCH = "result-mismatch"
    COURTS_MISMATCH = "courts-mismatch"
    WRONG_DEALER = "wrong-dealer"
    DEAL_GAP = "deal-gap"
    UNCALLED_REVOKE = "uncalled-revoke"

    @property
    def kind(self) -> Kind:
        """How far a problem of this code goes."""
        return KIND_OF[self]


_MALFORMED: Final = (
    Code.BAD_SYNTAX,
    Code.BAD_ENCODING,
    Code.RECORD_TOO_LONG,
    Code.DUPLICATE_TAG,
    Code.MISSING_TAG,
    Code.BAD_VALUE,
    Code.UNKNOWN_RULES,
)
_DISCREPANCIES: Final = (Code.RESULT_MISMATCH, Code.COURTS_MISMATCH)
_WARNINGS: Final = (Code.WRONG_DEALER, Code.DEAL_GAP, Code.UNCALLED_REVOKE)

KIND_OF: Final[dict[Code, Kind]] = {
    code: Kind.MALFORMED
    if code in _MALFORMED
    else Kind.DISCREPANCY
    if code in _DISCREPANCIES
    else Kind.WARNING
    if code in _WARNINGS
    else Kind.IMPOSSIBLE
    for code in Code
}


class Part(Enum):
    """The part of a record that a fault is about."""

    RECORD = "record"
    TAG = "tag"
    TRICK = "trick"
    PLAY = "play"
    CLAIM = "claim"


class Where(NamedTuple):
    """A place in a record. Tricks, plays of a trick and cards of a play count from 0."""

    part: Part
    tag: str = ""
    trick: int = 0
    play: int = 0
    card: int = 0

    @staticmethod
    def at_tag(name: str) -> Where:
        """Return the place of the value of the tag ``name``."""
        return Where(Part.TAG, name)

    @staticmethod
    def at_trick(trick: int) -> Where:
        """Return the place of the trick itself: its number, or its first card."""
        return Where(Part.TRICK, "", trick)

    @staticmethod
    def at_play(trick: int, play: int, card: int = 0) -> Where:
        """Return the place of a play, its sign included."""
        return Where(Part.PLAY, "", trick, play, card)


RECORD: Final = Where(Part.RECORD)
CLAIM: Final = Where(Part.CLAIM)


class Fault(NamedTuple):
    """Something wrong with a record: the code, the place, and what was expected and found."""

    code: Code
    where: Where
    message: str
