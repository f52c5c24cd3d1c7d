"""What the deals of one scoresheet come to: values, derived from nothing but the records and the rulings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from courtpiece.engine import (
    Award,
    Finding,
    LedgerLine,
    MatchDoubts,
    MatchRecord,
    Outcome,
    Rules,
    Score,
    Seat,
    Team,
)

NONE: Final = Score()


class LedgerEntry(NamedTuple):
    """What one deal brings to its match."""

    number: int
    dealer: Seat
    outcome: Outcome
    """What counts: the finding's, or the one that a ruling put in its place."""
    stated_courts: Score | None = None
    revoked: Team | None = None
    """The team whose established revoke ended the deal."""


@dataclass(frozen=True, slots=True)
class SheetTotals:
    """What the deals of a scoresheet come to. Only deals that count are in it: void ones do not."""

    deals: int = 0
    courts: Score = NONE
    deals_won: Score = NONE
    bavneys: Score = NONE
    goon_courts: Score = NONE
    revokes: Score = NONE
    runs: Score = NONE
    next_dealer: Seat | None = None


def counts(outcome: Outcome) -> bool:
    """Return whether a deal counts in results, standings and statistics: it does if somebody won it.

    The one place that decides it; ``Deal.counts`` keeps the answer and ``queries.counting_deals`` reads it.
    """
    return outcome.winner is not None


def revoked_team(finding: Finding | None, outcome: Outcome) -> Team | None:
    """Return the team whose revoke ended the deal (law 8.3), None where none did.

    Where a ruling decided another outcome than the engine found, the ruling's award tells.
    """
    if outcome.award is Award.REVOKE:
        return outcome.winner.other if outcome.winner is not None else None
    if finding is None or finding.outcome != outcome:
        return None
    return next((revoke.seat.team for revoke in finding.revokes if not revoke.corrected), None)


def revoker(finding: Finding | None, revoked: Team | None) -> Seat | None:
    """Return the seat whose revoke ended the deal; None where none did, or only the team is known."""
    if finding is None or revoked is None:
        return None
    seats = (revoke.seat for revoke in finding.revokes if not revoke.corrected)
    return next((seat for seat in seats if seat.team is revoked), None)


def ledger_of(rules: Rules, entries: Iterable[LedgerEntry]) -> tuple[tuple[LedgerLine, MatchDoubts], ...]:
    """Return the ledger's line of each of ``entries``, and what is odd there.

    The entries stand in the order of their numbers. Laws 11 to 13; what a ruling decided counts like what the
    engine found.
    """
    match = MatchRecord(rules)
    return tuple(
        match.add(
            number=entry.number,
            dealer=entry.dealer,
            outcome=entry.outcome,
            stated_courts=entry.stated_courts,
        )
        for entry in entries
    )


def totals_of(entries: Sequence[LedgerEntry], lines: Sequence[LedgerLine]) -> SheetTotals:
    """Return what the entries and their lines come to."""
    if not lines:
        return SheetTotals()
    counting = [entry for entry in entries if counts(entry.outcome)]
    return SheetTotals(
        deals=len(counting),
        courts=lines[-1].courts,
        deals_won=_count(entry.outcome.winner for entry in counting),
        bavneys=_count(entry.outcome.winner for entry in counting if entry.outcome.award is Award.BAVNEY),
        goon_courts=_count(
            entry.outcome.winner for entry in counting if entry.outcome.award is Award.GOON_COURT
        ),
        revokes=_count(entry.revoked for entry in counting),
        runs=lines[-1].runs,
        next_dealer=lines[-1].next_dealer,
    )


def _count(teams: Iterable[Team | None]) -> Score:
    counted = [0, 0]
    for team in teams:
        if team is not None:
            counted[team] += 1
    return Score(*counted)
