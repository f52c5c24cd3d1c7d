"""PCN, the portable Court Piece notation: reading, writing, checking, and its other forms."""

from courtpiece.notation.checker import CheckedDeal, MatchChecker, check, deal_line, finding_keys, match_line
from courtpiece.notation.differences import Difference, Point, first_difference
from courtpiece.notation.problems import Problem
from courtpiece.notation.reader import Reading, TextReader, read
from courtpiece.notation.record import Comment, Record
from courtpiece.notation.writer import write, write_file

__all__ = [
    "CheckedDeal",
    "Comment",
    "Difference",
    "MatchChecker",
    "Point",
    "Problem",
    "Reading",
    "Record",
    "TextReader",
    "check",
    "deal_line",
    "finding_keys",
    "first_difference",
    "match_line",
    "read",
    "write",
    "write_file",
]
