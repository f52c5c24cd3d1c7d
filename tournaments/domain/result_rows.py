"""A file of results: its columns, and what can be wrong with a row of it."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from tournaments.domain.slips import LineFault, SlipLine


class Column(Enum):
    """What is told of a deal, by the words that head its column in a file."""

    ROUND = "round"
    TABLE = "table"
    NS = "north-south"
    EW = "east-west"
    DEAL = "deal"
    DEALER = "dealer"
    WINNER = "winner"
    WON = "tricks won"
    LOST = "tricks lost"
    AWARD = "award"
    REVOKE = "revoke"
    RULED = "ruled"
    """Says of a deal that is exported that a director decided on it; not read."""


NEEDED: Final = (Column.ROUND, Column.TABLE, Column.DEAL, Column.WINNER, Column.LOST)
"""Without these columns nothing can be told."""
RESULT: Final = (Column.WINNER, Column.WON, Column.LOST, Column.AWARD, Column.REVOKE)
"""A row with nothing in these is a deal that is not filled in."""


class RowFault(Enum):
    """What is wrong with a row. The words for people are made of it outside."""

    MISSING = "missing"
    FORMULA = "formula"
    NOT_A_NUMBER = "not-a-number"
    OUT_OF_RANGE = "out-of-range"
    """``detail`` is from what to what."""
    NO_SEAT = "no-seat"
    NO_SIDE = "no-side"
    NO_AWARD = "no-award"
    NO_REVOKE = "no-revoke"
    """It is not a seat and a trick."""
    VOID_WITH = "void-with"
    """A void deal has something in this column."""
    NO_ROUND = "no-round"
    NO_TABLE = "no-table"
    """``detail`` is the round."""
    OTHER_PAIR = "other-pair"
    """Another pair sits there: ``detail``."""
    MATCH_OVER = "match-over"
    REPEATED = "repeated"
    """Another row has the deal: ``other``."""
    NO_DEALER = "no-dealer"
    NO_WINNER = "no-winner"
    NO_TRICKS = "no-tricks"
    IMPOSSIBLE = "impossible"
    """``detail`` has the engine's own words."""
    RULED = "ruled"
    """The deal is recorded otherwise, and a director decided on it: ``detail`` is what counts."""
    RECORDED = "recorded"
    """The deal is recorded otherwise, and whoever sends the file may not correct it: ``detail`` is what is recorded."""


OF_LINE: Final = {
    LineFault.REPEATED: (RowFault.REPEATED, Column.DEAL),
    LineFault.NO_DEALER: (RowFault.NO_DEALER, Column.DEALER),
    LineFault.NO_WINNER: (RowFault.NO_WINNER, Column.WINNER),
    LineFault.NO_TRICKS: (RowFault.NO_TRICKS, Column.LOST),
    LineFault.IMPOSSIBLE: (RowFault.IMPOSSIBLE, Column.AWARD),
}
"""What a fault that the engine finds in a deal is called here, and at which column it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRow:
    """A deal as a row of the file has it."""

    row: int
    """Its number in the sheet, from 1."""
    round: int
    table: str
    line: SlipLine
    ns: str = ""
    """The pair that sits there, where the row says it."""
    ew: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FaultyCell:
    """One thing that is wrong in a row."""

    row: int
    column: Column
    fault: RowFault
    value: str = ""
    """What stands there."""
    other: int = 0
    detail: str = ""
