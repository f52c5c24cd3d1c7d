"""The laws of Court Piece: values, one replay, and the ledger of a match.

Where the games of laws 15 to 17 will go, each behind a value that is there today: their names and options into
``rules`` (``NOT_YET`` has the names), the seats in order of play and their sides into ``seats``, their packs and what a
card is worth into ``cards`` and ``trump`` (the replay asks only for strengths by trump and lead), an auction before
the first card into ``deal`` beside ``Trump``, and what is counted and when it decides into a tally of its own in
``gathering``: the replay hands every tally the winners and the winning cards, and never looks at how they are counted.
"""

from courtpiece.engine.adjudication import adjudicate, result_text
from courtpiece.engine.cards import Card, Rank, Suit
from courtpiece.engine.deal import DealFacts, StatedResult, StatedRevoke
from courtpiece.engine.faults import Code, Fault, Kind
from courtpiece.engine.finding import Finding, Level, Outcome, Revoke
from courtpiece.engine.laws import LAWS, UnknownLawError, cited_laws
from courtpiece.engine.ledger import LedgerLine, MatchDoubts, MatchRecord, MatchState, derive_ledger
from courtpiece.engine.play import Claim, Play
from courtpiece.engine.rules import Gather, Rules, RulesError, TrumpMethod
from courtpiece.engine.seats import Award, Score, Seat, Team
from courtpiece.engine.state import DealState, IllegalPlayError, PlayFault
from courtpiece.engine.trump import Trump
from courtpiece.engine.unfinished import state_so_far

__all__ = [
    "LAWS",
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
    "UnknownLawError",
    "adjudicate",
    "cited_laws",
    "derive_ledger",
    "result_text",
    "state_so_far",
]
