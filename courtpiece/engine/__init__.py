"""The laws of Court Piece: values, one replay, and the ledger of a match."""

from courtpiece.engine.adjudication import adjudicate, result_text
from courtpiece.engine.cards import Card, Rank, Suit
from courtpiece.engine.deal import DealFacts, StatedResult, StatedRevoke
from courtpiece.engine.faults import Code, Fault, Kind
from courtpiece.engine.finding import Finding, Level, Outcome, Revoke
from courtpiece.engine.ledger import LedgerLine, MatchDoubts, MatchRecord, MatchState, derive_ledger
from courtpiece.engine.play import Claim, Play
from courtpiece.engine.rules import Gather, Rules, RulesError, TrumpMethod
from courtpiece.engine.seats import Award, Score, Seat, Team
from courtpiece.engine.state import DealState, IllegalPlayError, PlayFault
from courtpiece.engine.trump import Trump

__all__ = [
    "Award",
    "Card",
    "Claim",
    "Code",
    "DealFacts",
    "DealState",
    "Fault",
    "Finding",
    "Gather",
    "IllegalPlayError",
    "Kind",
    "LedgerLine",
    "Level",
    "MatchDoubts",
    "MatchRecord",
    "MatchState",
    "Outcome",
    "Play",
    "PlayFault",
    "Rank",
    "Revoke",
    "Rules",
    "RulesError",
    "Score",
    "Seat",
    "StatedResult",
    "StatedRevoke",
    "Suit",
    "Team",
    "Trump",
    "TrumpMethod",
    "adjudicate",
    "derive_ledger",
    "result_text",
]
