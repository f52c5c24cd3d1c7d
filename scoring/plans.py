"""A change to the deals of a scoresheet: planned in memory, then written, or only shown.

A plan is the whole scoresheet as it would be: every ledger line, every problem that depends on the match, the
totals. To write it is to save what differs.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from operator import itemgetter
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

from courtpiece.accounts.names import clean_text
from courtpiece.engine import Award, Finding, LedgerLine, MatchDoubts, Outcome, Suit, Team
from courtpiece.engine.deal import NO_HANDS
from courtpiece.notation import Record
from scoring import figures, versions
from scoring.bulk import insert, insert_values, update_many
from scoring.changes import REFUSED_ALWAYS, REFUSED_WITHOUT_RULING, NewRevision
from scoring.domain.ledgers import LedgerEntry, SheetTotals, counts, ledger_of, revoker, totals_of
from scoring.domain.statistics import CountedDeal
from scoring.models import Deal, MadeVia, Operation, Revision, RevisionKind, Scoresheet
from scoring.models import Ruling as RulingRow
from scoring.records import RecordProblem, finding_json, match_problems, trump_method
from scoring.sheets import HeldDeal, SheetState
from scoring.stream import DEAL_CORRECTED, DEAL_RECORDED, Happened, write_events


class PlannedDeal(NamedTuple):
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

    def new_values(self, scoresheet_id: int) -> tuple[Any, ...]:
        """Return the values of ``NEW_COLUMNS`` of a deal that is new."""
        return self.uid, scoresheet_id, self.entry.number, *self.values()

    def row(self, scoresheet_id: int) -> Deal:
        """Return the deal's row as it would be, not saved."""
        columns = dict(zip(NEW_COLUMNS, self.new_values(scoresheet_id), strict=True))
        return Deal(pk=self.held.row.pk if self.held is not None else None, **columns)

    @property
    def revision(self) -> int:
        """The number of the revision that would stand."""
        before = self.held.row.revision if self.held is not None else 0
        return before if self.new is None else before + 1

    def values(self) -> tuple[Any, ...]:
        """Return the values of ``DERIVED_COLUMNS``: everything of the deal's row that is derived."""
        return *self._own_values(), *ledger_values(self.entry, self.line), standing(self.problems)

    def counted(self) -> CountedDeal | None:
        """Return the deal as statistics count it; None where it does not count."""
        winner = self.entry.outcome.winner
        if winner is None or not counts(self.entry.outcome):
            return None
        trump, method = self._trump()
        return CountedDeal(
            self.entry.dealer,
            winner,
            self.entry.outcome.award,
            self.entry.outcome.courts.total_with(self.line.run_courts),
            self.line.run_courts,
            self.entry.revoked,
            self.entry.number,
            trump,
            method,
        )

    def _trump(self) -> tuple[Suit | None, str]:
        """Return the trump that was made, and how."""
        if self.new is None:
            row = self._kept
            return figures.suit_of(row.trump), row.trump_method
        finding = self.new.judged.finding
        return finding.trump if finding is not None else None, trump_method(self.new.judged.record)

    @property
    def _kept(self) -> Deal:
        return self.held.row if self.held is not None else Deal()

    def _own_values(self) -> tuple[Any, ...]:
        if self.new is None:
            own: tuple[Any, ...] = _own_values_of(self._kept.__dict__)
            return own
        finding, record = self.new.judged.finding, self.new.judged.record
        trump = finding.trump if finding is not None else None
        return (
            self.revision,
            self.new.kind.value,
            self.new.ruling is not None,
            record.level.value,
            record.dealer.letter,
            trump.letter if trump is not None else "",
            trump_method(record),
            *found_values(record, finding, self.entry.revoked),
        )


FOUND_COLUMNS: Final = ("revoker", "cards_s", "cards_e", "cards_n", "cards_w")
_OWN_COLUMNS: Final = (
    *("revision", "kind", "is_ruled", "level", "dealer", "trump", "trump_method"),
    *FOUND_COLUMNS,
)
_own_values_of: Final = itemgetter(*_OWN_COLUMNS)


def found_values(record: Record, finding: Finding | None, revoked: Team | None) -> tuple[Any, ...]:
    """Return the values of ``FOUND_COLUMNS``, by which deals are only searched.

    They are whose revoke ended it, and who was dealt what.
    """
    seat = revoker(finding, revoked)
    return seat.letter if seat is not None else "", *(record.facts.hands or NO_HANDS)


OUTCOME_COLUMNS: Final = ("winner", "award", "tricks_ns", "tricks_ew", "courts_ns", "courts_ew", "revoked")
"""What a deal and a revision both keep of an outcome."""


def outcome_values(outcome: Outcome, revoked: Team | None) -> tuple[Any, ...]:
    """Return the values of ``OUTCOME_COLUMNS``."""
    winner, award, tricks, courts = outcome
    return (
        TEAM_NAMES[winner] if winner is not None else "",
        AWARD_CODES[award],
        *tricks,
        *courts,
        TEAM_NAMES[revoked] if revoked is not None else "",
    )


TEAM_NAMES: Final = tuple(team.name for team in Team)
AWARD_CODES: Final = {award: award.value for award in Award}


def standing(problems: Iterable[RecordProblem]) -> list[dict[str, str]]:
    """Return problems as a deal keeps them: without places, in one order."""
    kept = [problem.as_standing() for problem in problems]
    return sorted(kept, key=itemgetter("code", "message"))


LEDGER_COLUMNS: Final = (
    *OUTCOME_COLUMNS,
    "counts",
    *("run_courts_ns", "run_courts_ew", "match_courts_ns", "match_courts_ew"),
    *("match_runs_ns", "match_runs_ew"),
)
"""What a deal keeps of its line in the ledger."""


def ledger_values(entry: LedgerEntry, line: LedgerLine) -> tuple[Any, ...]:
    """Return the values of ``LEDGER_COLUMNS``."""
    return (
        *outcome_values(entry.outcome, entry.revoked),
        counts(entry.outcome),
        *line.run_courts,
        *line.courts,
        *line.runs,
    )


DERIVED_COLUMNS: Final = (*_OWN_COLUMNS, *LEDGER_COLUMNS, "problems")
NEW_COLUMNS: Final = ("uid", "scoresheet_id", "number", *DERIVED_COLUMNS)
_derived_values_of: Final = itemgetter(*DERIVED_COLUMNS)


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

    def counted(self, at: datetime) -> figures.CountedSheet:
        """Return the scoresheet as statistics count it, last written to at that time."""
        deals = [deal.counted() for deal in self.deals]
        sheet = self.state.row
        return figures.CountedSheet(sheet.pk, sheet.date, at, [deal for deal in deals if deal is not None])

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
    revisions = {}
    entries = {number: held.entry for number, held in state.deals.items()}
    for revision in new:
        entry = revision.entry
        entries[entry.number], revisions[entry.number] = entry, revision
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
    changed = [
        (deal, operation) for plan, operation in zip(plans, operations, strict=True) for deal in plan.changed
    ]
    revisions = insert_values(
        Revision,
        REVISION_COLUMNS,
        [
            _revision_values(deal, operation, ids[operation.scoresheet_id, deal.entry.number], made=made)
            for deal, operation in changed
        ],
    )
    _save_rulings(revisions, [deal for deal, _operation in changed], made)
    _save_totals(plans)
    _keep_figures(plans, made.at)
    _tell(plans, made.at)


def _tell(plans: Sequence[Plan], at: datetime) -> None:
    """Take the versions of the collections up, and write down for programs what happened: an event a scoresheet."""
    happened: defaultdict[int, list[Happened]] = defaultdict(list)
    states: dict[int, SheetState] = {}
    for plan in plans:
        collection_id = plan.state.row.collection_id
        if collection_id is not None and plan.state.collection_version is not None:
            states[collection_id] = plan.state
            if plan.changed:
                happened[collection_id].append(_happened(plan))
    known = {pk: state.collection_version or 0 for pk, state in states.items()}
    versions.advance(
        [plan.state.row.collection_id for plan in plans],
        known=known,
        last_events={pk: (states[pk].last_event or 0) + len(told) for pk, told in happened.items()},
    )
    for pk, told in happened.items():
        write_events(told, collection_id=pk, last=states[pk].last_event or 0, version=known[pk] + 1, at=at)


def _happened(plan: Plan) -> Happened:
    """Return what is told of a plan: which deals, at which revisions, and no card of them."""
    is_new = all(deal.revision == 1 for deal in plan.changed)
    deals = [
        {
            "id": str(deal.uid),
            "number": deal.entry.number,
            "revision": deal.revision,
            "kind": "" if deal.new is None else deal.new.kind.value,
        }
        for deal in plan.changed
    ]
    return Happened(
        DEAL_RECORDED if is_new else DEAL_CORRECTED,
        {"scoresheet": str(plan.state.row.uid), "deals": deals},
    )


def _save_deals(plans: Sequence[Plan]) -> dict[tuple[int, int], int]:
    """Save the deals that are new or differ. Return the ids of all of them by scoresheet and number."""
    new: list[tuple[Any, ...]] = []
    ids = {}
    for plan in plans:
        sheet_id = plan.state.row.pk
        for deal in plan.deals:
            if deal.held is None:
                new.append(deal.new_values(sheet_id))
                continue
            _save_difference(deal.held.row, deal.values())
            ids[sheet_id, deal.entry.number] = deal.held.row.pk
    new_ids = insert_values(Deal, NEW_COLUMNS, new)
    return ids | {
        (sheet_id, number): pk for (_uid, sheet_id, number, *_), pk in zip(new, new_ids, strict=True)
    }


def _save_difference(row: Deal, values: tuple[Any, ...]) -> None:
    kept = _derived_values_of(row.__dict__)
    if kept != values:
        columns = zip(DERIVED_COLUMNS, kept, values, strict=True)
        Deal.objects.filter(pk=row.pk).update(**{name: new for name, old, new in columns if old != new})


REVISION_COLUMNS: Final = (
    *("deal_id", "number", "kind", "operation_id", "pcn", "finding", "problems"),
    *("made_by_id", "made_via", "made_at", "reason", "source"),
    *OUTCOME_COLUMNS,
)


def _revision_values(deal: PlannedDeal, operation: Operation, deal_id: int, *, made: Made) -> tuple[Any, ...]:
    """Return the values of ``REVISION_COLUMNS``."""
    new = deal.new
    if new is None or new.judged.finding is None:
        raise LookupError(f"deal {deal.entry.number} gets no revision")
    return (
        deal_id,
        deal.revision,
        new.kind.value,
        operation.pk,
        new.judged.pcn,
        finding_json(new.judged.finding),
        [problem.as_json() for problem in deal.problems],
        made.by_id,
        made.via.value,
        made.at,
        new.reason,
        _source(new.judged.file) or made.source,
        *outcome_values(deal.entry.outcome, deal.entry.revoked),
    )


@lru_cache(maxsize=256)
def _source(file: str) -> str:
    """Return a file's name as a revision keeps it; many records come in one file."""
    return clean_text(file)[:255]


def _save_rulings(revision_ids: Sequence[int], deals: Sequence[PlannedDeal], made: Made) -> None:
    rulings = [
        RulingRow(
            revision_id=revision_id, law=new.ruling.law, reason=new.ruling.reason, decided_by_id=made.by_id
        )
        for revision_id, new in zip(revision_ids, (deal.new for deal in deals), strict=True)
        if new is not None and new.ruling is not None
    ]
    insert(RulingRow, rulings)


def _save_totals(plans: Sequence[Plan]) -> None:
    sheets = {plan.state.row.pk: plan for plan in plans}
    update_many(
        Scoresheet,
        {pk: {"version": plan.state.row.version + 1, **plan.sheet_columns()} for pk, plan in sheets.items()},
    )


def _keep_figures(plans: Sequence[Plan], at: datetime) -> None:
    """Keep the figures of the plans that are a club's: a game of somebody's own is in nobody's statistics.

    One statement, or two.
    """
    of_clubs = [plan for plan in plans if plan.state.row.club_id is not None]
    for are_new in (True, False):
        wanted = [plan for plan in of_clubs if (plan.state.row.version == 0) is are_new]
        figures.keep([plan.counted(at) for plan in wanted], are_new=are_new)
