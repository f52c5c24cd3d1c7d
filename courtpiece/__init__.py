"""Court Piece: the laws, and PCN, the portable notation of its deals. The library's public face."""

from courtpiece.engine import (
    Award,
    Card,
    DealState,
    Finding,
    IllegalPlayError,
    Outcome,
    Rules,
    Score,
    Seat,
    Suit,
    Team,
    derive_ledger,
)
from courtpiece.errors import CourtPieceError
from courtpiece.notation import Problem, Reading, Record, check, read, write, write_file

__all__ = [
    "Award",
    "Card",
    "CourtPieceError",
    "DealState",
    "Finding",
    "IllegalPlayError",
    "Outcome",
    "Problem",
    "Reading",
    "Record",
    "Rules",
    "Score",
    "Seat",
    "Suit",
    "Team",
    "check",
    "derive_ledger",
    "read",
    "write",
    "write_file",
]
