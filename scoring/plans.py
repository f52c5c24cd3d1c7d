"""A change to the deals of a scoresheet: planned in memory, then written, or only shown.

A plan is the whole scoresheet as it would be: every ledger line, every problem that depends on the match, the
totals. To write it is to save what differs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final
from uuid import UUID, uuid4

from courtpiece.accounts.names import clean_text
from courtpiece.engine import LedgerLine, MatchDoubts, Outcome, Team
from scoring import versions
from scoring.bulk import insert
from scoring.changes import REFUSED_ALWAYS, REFUSED_WITHOUT_RULING, NewRevision
from scoring.ledgers import LedgerEntry, SheetTotals, counts, ledger_of, totals_of
from scoring.models import Deal, MadeVia, Operation, Revision, RevisionKind, Scoresheet
from scoring.models import Ruling as RulingRow
from scoring.records import RecordProblem, finding_json, match_problems, trump_method
from scoring.sheets import HeldDeal, SheetState


@dataclass(frozen=True, slots=True)
class PlannedDeal:
    """A deal as it would stand."""

    entry: LedgerEntry
    line: LedgerLine
    problems: tuple[RecordProblem, ...]
    """All that would stand, those of the match included."""
    held: HeldDeal | None
    """None for a deal that is new."""
    new: NewRevision | None
    """None for a deal that gets no revision."""
    uid: UUID

    def row(self, scoresheet_id: int) -> Deal:
        """Return the deal's row as it would be, not saved."""
        return Deal(
            pk=self.held.row.pk if self.held is not None else None,
            uid=self.uid,
            scoresheet_id=scoresheet_id,
            number=self.entry.number,
            **self.columns(),
        )

    @property
    def revision(self) -> int:
        """The number of the revision that would stand."""
        before = self.held.row.revision if self.held is not None else 0
        return before if self.new is None else before + 1

    def columns(self) -> dict[str, Any]:
        """Return everything of the deal's row that is derived."""
        return {**self._own_columns(), **_ledger_columns(self.entry, self.line, self.problems)}

    def _own_columns(self) -> dict[str, Any]:
        if self.new is None:
            row = self.held.row if self.held is not None else Deal()
            return {name: getattr(row, name) for name in _OWN_COLUMNS}
        finding, record = self.new.judged.finding, self.new.judged.record
        trump = finding.trump if finding is not None else None
        return {
            "revision": self.revision,
            "kind": self.new.kind.value,
            "is_ruled": self.new.ruling is not None,
            "level": record.level.value,
            "dealer": record.dealer.letter,
            "trump": trump.letter if trump is not None else "",
            "trump_method": trump_method(record),
        }


_OWN_COLUMNS: Final = ("revision", "kind", "is_ruled", "level", "dealer", "trump", "trump_method")


def outcome_columns(outcome: Outcome, revoked: Team | None) -> dict[str, Any]:
    """Return the columns that a deal and a revision both keep of an outcome."""
    return {
        "winner": outcome.winner.name if outcome.winner is not None else "",
        "award": outcome.award.value,
        "tricks_ns": outcome.tricks.ns,
        "tricks_ew": outcome.tricks.ew,
        "courts_ns": outcome.courts.ns,
        "courts_ew": outcome.courts.ew,
        "revoked": revoked.name if revoked is not None else "",
    }


def standing(problems: Iterable[RecordProblem]) -> list[dict[str, str]]:
    """Return problems as a deal keeps them: without places, in one order."""
    kept = (problem.as_standing() for problem in problems)
    return sorted(kept, key=lambda problem: (problem["code"], problem["message"]))


def _ledger_columns(
    entry: LedgerEntry, line: LedgerLine, problems: Sequence[RecordProblem]
) -> dict[str, Any]:
    return {
        **outcome_columns(entry.outcome, entry.revoked),
        "counts": counts(entry.outcome),
        "run_courts_ns": line.run_courts.ns,
        "run_courts_ew": line.run_courts.ew,
        "match_courts_ns": line.courts.ns,
        "match_courts_ew": line.courts.ew,
        "match_runs_ns": line.runs.ns,
        "match_runs_ew": line.runs.ew,
        "problems": standing(problems),
    }


@dataclass(frozen=True, slots=True)
class Plan:
    """A scoresheet as a change would leave it."""

    state: SheetState
    deals: tuple[PlannedDeal, ...]
    """All of them, by number."""
    totals: SheetTotals

    @property
    def changed(self) -> tuple[PlannedDeal, ...]:
        """The deals that get a revision."""
        return tuple(deal for deal in self.deals if deal.new is not None)

    def refusals(self) -> tuple[RecordProblem, ...]:
        """Return the problems for which the change must not be written; empty where it may be.

        A ruling covers what a record states otherwise than it shows, never what cannot be.
        """
        return tuple(
            problem
            for deal in self.changed
            for problem in deal.problems
            if problem.kind in (REFUSED_WITHOUT_RULING if _is_bare(deal) else REFUSED_ALWAYS)
        )

    def sheet_columns(self) -> dict[str, Any]:
        """Return everything of the scoresheet's row that is derived from its deals."""
        totals = self.totals
        columns: dict[str, Any] = {
            "deals_count": totals.deals,
            "problem_deals": sum(1 for deal in self.deals if deal.problems),
            "next_dealer": totals.next_dealer.letter if totals.next_dealer is not None else "",
        }
        pairs = {
            "courts": totals.courts,
            "deals": totals.deals_won,
            "bavneys": totals.bavneys,
            "goon_courts": totals.goon_courts,
            "revokes": totals.revokes,
            "runs": totals.runs,
        }
        for name, score in pairs.items():
            columns[f"{name}_ns"], columns[f"{name}_ew"] = score
        return columns


def _is_bare(deal: PlannedDeal) -> bool:
    """Return whether a new revision stands without a director's decision: no ruling, not voided."""
    return deal.new is not None and deal.new.ruling is None and deal.new.kind != RevisionKind.VOID


def plan(state: SheetState, new: Iterable[NewRevision] = ()) -> Plan:
    """Return the scoresheet as the new revisions would leave it; without any, as it should stand now."""
    revisions = {revision.entry.number: revision for revision in new}
    entries = {number: held.entry for number, held in state.deals.items() if number not in revisions}
    entries |= {number: revision.entry for number, revision in revisions.items()}
    ordered = [entries[number] for number in sorted(entries)]
    ledger = ledger_of(state.rules, ordered)
    deals = tuple(
        _planned(entry, line, doubts, state.deals.get(entry.number), revisions.get(entry.number))
        for entry, (line, doubts) in zip(ordered, ledger, strict=True)
    )
    return Plan(state, deals, totals_of(ordered, [line for line, _doubts in ledger]))


def _planned(
    entry: LedgerEntry, line: LedgerLine, doubts: MatchDoubts, held: HeldDeal | None, new: NewRevision | None
) -> PlannedDeal:
    if new is not None:
        problems = (*new.judged.problems, *match_problems(doubts, new.judged.reading, file=new.judged.file))
    elif held is not None:
        problems = (*held.own_problems, *match_problems(doubts, held.reading))
    else:
        raise LookupError(f"deal {entry.number} is neither held nor new")
    return PlannedDeal(entry, line, problems, held, new, held.row.uid if held is not None else uuid4())


# -- writing


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """Who makes a change, when and on which way: what every revision of it says."""

    by_id: int | None
    via: MadeVia
    at: datetime
    source: str = ""
    """What it came from where that is no file: a table link."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What deals were taken from where they did not come as records: what the history says of it."""

    via: MadeVia
    source: str = ""
    """The name of a file, or empty."""

    @staticmethod
    def slip() -> "Origin":
        """Return that they were typed from a score slip."""
        return Origin(MadeVia.SLIP)

    @staticmethod
    def file(name: str) -> "Origin":
        """Return that they stood in a file of that name."""
        return Origin(MadeVia.FILE, clean_text(name)[:255])


def write_plans(plans: Sequence[Plan], operations: Sequence[Operation], made: Made) -> None:
    """Save what the plans change, one operation for each, in the transaction that locked their scoresheets.

    New rows are saved together, whatever the number of scoresheets. Their collections' versions go up by one,
    and their standings are queued for after the commit.
    """
    insert(Operation, operations)
    ids = _save_deals(plans)
    revisions, changed = [], []
    for plan, operation in zip(plans, operations, strict=True):
        for deal in plan.changed:
            changed.append(deal)
            deal_id = ids[plan.state.row.pk, deal.entry.number]
            revisions.append(_revision(deal, operation, deal_id, made=made))
    insert(Revision, revisions)
    _save_rulings(revisions, changed, made)
    for plan in plans:
        _save_totals(plan)
    versions.advance(plan.state.row.collection_id for plan in plans)


def _save_deals(plans: Sequence[Plan]) -> dict[tuple[int, int], int]:
    """Save the deals that are new or differ. Return the ids of all of them by scoresheet and number."""
    new = []
    ids = {}
    for plan in plans:
        for deal in plan.deals:
            if deal.held is None:
                new.append(deal.row(plan.state.row.pk))
                continue
            _save_difference(deal.held.row, deal.columns())
            ids[plan.state.row.pk, deal.entry.number] = deal.held.row.pk
    insert(Deal, new)
    return ids | {(row.scoresheet_id, row.number): row.pk for row in new}


def _save_difference(row: Deal, columns: Mapping[str, Any]) -> None:
    differing = {name: value for name, value in columns.items() if getattr(row, name) != value}
    if differing:
        Deal.objects.filter(pk=row.pk).update(**differing)


def _revision(deal: PlannedDeal, operation: Operation, deal_id: int, *, made: Made) -> Revision:
    new = deal.new
    if new is None or new.judged.finding is None:
        raise LookupError(f"deal {deal.entry.number} gets no revision")
    return Revision(
        deal_id=deal_id,
        number=deal.revision,
        kind=new.kind.value,
        operation=operation,
        pcn=new.judged.pcn,
        finding=finding_json(new.judged.finding),
        problems=[problem.as_json() for problem in deal.problems],
        made_by_id=made.by_id,
        made_via=made.via.value,
        made_at=made.at,
        reason=new.reason,
        source=_source(new.judged.file) or made.source,
        **outcome_columns(deal.entry.outcome, deal.entry.revoked),
    )


@lru_cache(maxsize=256)
def _source(file: str) -> str:
    """Return a file's name as a revision keeps it; many records come in one file."""
    return clean_text(file)[:255]


def _save_rulings(revisions: Sequence[Revision], deals: Sequence[PlannedDeal], made: Made) -> None:
    rulings = [
        RulingRow(revision=revision, law=new.ruling.law, reason=new.ruling.reason, decided_by_id=made.by_id)
        for revision, new in zip(revisions, (deal.new for deal in deals), strict=True)
        if new is not None and new.ruling is not None
    ]
    insert(RulingRow, rulings)


def _save_totals(plan: Plan) -> None:
    sheet = plan.state.row
    Scoresheet.objects.filter(pk=sheet.pk).update(version=sheet.version + 1, **plan.sheet_columns())
