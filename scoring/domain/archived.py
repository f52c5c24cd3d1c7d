"""What an archive has of players and scoresheets: everything that everybody may read of them, and nothing else.

The classes are the form of the file: ``typed_json`` reads, writes and describes them.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final, Literal, TypeAlias
from uuid import UUID

from courtpiece.engine import Award, Outcome, Score, Team
from scoring.domain.typed_json import Between, Filled, JsonObject, Longest, Matching, Says

MOST: Final = 2**31 - 1
"""That a whole number can be in most columns."""
HIGHEST_DEAL: Final = 10_000
"""See ``records.HIGHEST_DEAL``."""

Count: TypeAlias = Annotated[int, Between(0, MOST)]
Number: TypeAlias = Annotated[int, Between(1, MOST)]
Version: TypeAlias = Annotated[int, Between(0, 2**63 - 1)]
SideName: TypeAlias = Literal["NS", "EW"]
SeatName: TypeAlias = Literal["N", "E", "S", "W"]
Digest: TypeAlias = Annotated[str, Matching("[0-9a-f]{64}")]
ONE_LINE: Final = Matching("[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*")
"""No character that ends a line, or does anything else but stand there."""
Name: TypeAlias = Annotated[str, Longest(80, least=1), ONE_LINE]
Line: TypeAlias = Annotated[str, Longest(255), ONE_LINE]
Place: TypeAlias = Annotated[str, Longest(200), ONE_LINE]
Word: TypeAlias = Annotated[str, Longest(40), ONE_LINE]
Reason: TypeAlias = Annotated[str, Longest(20_000)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedPlayer:
    """A player."""

    id: UUID
    name: Name
    anonymised: Annotated[bool, Says("Whether the name was taken away for good; what stands there is none.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedPartnership:
    """A partnership: two players, in the order in which they were first named."""

    id: UUID
    players: tuple[UUID, UUID]


@dataclass(frozen=True, slots=True, kw_only=True)
class BySide:
    """A number for each side."""

    NS: Count
    EW: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class Seats:
    """Who sat where, by the ids of players."""

    N: UUID
    E: UUID
    S: UUID
    W: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedOutcome:
    """What a deal counts for, without the courts of a run."""

    winner: SideName | None
    award: Award
    tricks: BySide
    courts: BySide

    @property
    def value(self) -> Outcome:
        """The same for the engine."""
        winner = None if self.winner is None else Team[self.winner]
        return Outcome(winner, self.award, score_of(self.tricks), score_of(self.courts))


def score_of(pair: BySide) -> Score:
    """Return the same for the engine."""
    return Score(pair.NS, pair.EW)


def by_side(score: Score) -> BySide:
    """Return the same for an archive."""
    return BySide(NS=score.ns, EW=score.ew)


def archived_outcome(outcome: Outcome) -> ArchivedOutcome:
    """Return the same for an archive."""
    winner: SideName | None = None
    if outcome.winner is not None:
        winner = "NS" if outcome.winner is Team.NS else "EW"
    return ArchivedOutcome(
        winner=winner, award=outcome.award, tricks=by_side(outcome.tricks), courts=by_side(outcome.courts)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingProblem:
    """A problem that stands with a deal."""

    code: Annotated[str, Longest(40, least=1)]
    kind: Literal["malformed", "impossible", "discrepancy", "warning"]
    message: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedProblem:
    """A problem that a revision was written with, at its place in what it came in; 0 is no place."""

    code: Annotated[str, Longest(40, least=1)]
    kind: Literal["malformed", "impossible", "discrepancy", "warning"]
    message: Reason
    file: Line
    record: Count
    line: Count
    column: Count


@dataclass(frozen=True, slots=True, kw_only=True)
class DealRuling:
    """A director's decision that stands with a revision; what it decided is the revision's outcome."""

    law: Annotated[str, Longest(20)]
    reason: Annotated[str, Longest(20_000, least=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedRevision:
    """What was written of a deal at one time: what, why, by whom, when and by what way."""

    number: Number
    kind: Literal["record", "correction", "void", "ruling"]
    pcn: Annotated[str, Longest(100_000, least=1), Says("The record in PCN, without players and scoresheet.")]
    finding: Annotated[JsonObject, Says("What the engine found of the record: the keys of the checker.")]
    problems: tuple[PlacedProblem, ...]
    outcome: ArchivedOutcome
    revoked: Annotated[SideName | None, Says("The side whose established revoke ended the deal.")]
    ruling: DealRuling | None
    made_by: Annotated[
        str, Longest(80), ONE_LINE, Says("The name of an account; empty: a command, or a table without one.")
    ]
    made_via: Literal["page", "api", "file", "command", "table", "slip"]
    made_at: datetime
    reason: Reason
    source: Line


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedLine:
    """What stands in the ledger after a deal."""

    run_courts: Annotated[BySide, Says("The courts of law 11 that the deal made.")]
    courts: Annotated[BySide, Says("The match's.")]
    runs: BySide


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedDeal:
    """A deal: everything ever written of it, the revision that stands last, and its line in the ledger."""

    id: UUID
    number: Annotated[int, Between(1, HIGHEST_DEAL)]
    revisions: Annotated[tuple[ArchivedRevision, ...], Filled()]
    ledger: ArchivedLine
    problems: tuple[StandingProblem, ...]

    @property
    def current(self) -> ArchivedRevision:
        """The revision that stands."""
        return self.revisions[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedTotals:
    """What the deals of a scoresheet come to."""

    deals: Annotated[Count, Says("Those that count.")]
    problem_deals: Count
    courts: BySide
    deals_won: BySide
    bavneys: BySide
    goon_courts: BySide
    revokes: BySide
    runs: BySide
    next_dealer: SeatName | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedSheet:
    """The record of one match."""

    id: UUID
    ns: Annotated[UUID, Says("A partnership.")]
    ew: UUID
    seats: Seats
    rules: Line
    event: Place
    site: Place
    date: Annotated[str, Longest(10), Says("As the `Date` tag of PCN; empty: not known.")]
    round: Word
    table: Word
    source: Line
    created_at: datetime
    version: Annotated[Count, Says("How often it was written to.")]
    deals: tuple[ArchivedDeal, ...]
    totals: ArchivedTotals
    sha256: Annotated[Digest, Says("Of the canonical JSON of this object without this key.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetNumbers:
    """What standings are made of, by side: ``tournaments.domain.assembling.SheetCounts``."""

    courts_ns: int
    courts_ew: int
    deals_ns: int
    deals_ew: int
    bavneys_ns: int
    bavneys_ew: int
    goon_courts_ns: int
    goon_courts_ew: int
    revokes_ns: int
    revokes_ew: int


def numbers_of(totals: ArchivedTotals) -> SheetNumbers:
    """Return what standings are made of."""
    return SheetNumbers(
        courts_ns=totals.courts.NS,
        courts_ew=totals.courts.EW,
        deals_ns=totals.deals_won.NS,
        deals_ew=totals.deals_won.EW,
        bavneys_ns=totals.bavneys.NS,
        bavneys_ew=totals.bavneys.EW,
        goon_courts_ns=totals.goon_courts.NS,
        goon_courts_ew=totals.goon_courts.EW,
        revokes_ns=totals.revokes.NS,
        revokes_ew=totals.revokes.EW,
    )
