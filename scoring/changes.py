"""A change to the deals of a scoresheet: planned in memory, then written, or only shown.

A plan is the whole scoresheet as it would be: every ledger line, every problem that depends on the match, the
totals. To write it is to save what differs. Nothing here decides a rule: the library judges the records and
keeps the ledger.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Any, ClassVar, Final, Protocol
from uuid import UUID, uuid4

from django.utils.translation import gettext as _

from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Action
from courtpiece.accounts.refusals import Refused
from courtpiece.engine import Award, Kind, LedgerLine, MatchDoubts, Outcome, Score, Team
from courtpiece.notation import Reading, read
from scoring import versions
from scoring.bulk import insert
from scoring.ledgers import LedgerEntry, SheetTotals, counts, ledger_of, revoked_team, totals_of
from scoring.models import Deal, MadeVia, Operation, Revision, RevisionKind, Scoresheet
from scoring.models import Ruling as RulingRow
from scoring.records import (
    JudgedRecord,
    RecordProblem,
    SheetCode,
    finding_json,
    judge,
    match_problems,
    trump_method,
)
from scoring.sheets import HeldDeal, SheetState, fitted, stored_outcome, tags_of_match

REFUSED_ALWAYS: Final = frozenset({Kind.MALFORMED.value, Kind.IMPOSSIBLE.value})
REFUSED_WITHOUT_RULING: Final = REFUSED_ALWAYS | {Kind.DISCREPANCY.value}


# -- what can go wrong


class RecordRefused(Refused):
    """The record cannot be written as it stands. ``problems`` says what is wrong and where."""

    field: ClassVar[str] = "text"

    def __init__(self, problems: Sequence[RecordProblem]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


class NothingToChange(Refused):
    """The deal says and counts just that already."""

    def __init__(self) -> None:
        super().__init__(_("Nothing would change: the deal says and counts just that already."))


class ReasonMissing(Refused):
    """A correction, a ruling or voiding a deal needs its reason."""

    field: ClassVar[str] = "reason"

    def __init__(self) -> None:
        super().__init__(_("Say why: everyone who reads the deal can see the reason."))


class OutcomeRefused(Refused):
    """No deal counts like what was ruled. ``reason`` is a code."""

    field: ClassVar[str] = "outcome"

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A director's decision on a deal. Without an ``outcome`` the engine's finding stands."""

    reason: str
    law: str = ""
    """The law it rests on: ``8.4``."""
    outcome: Outcome | None = None


# -- what is to be written


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRevision:
    """What is to be written of one deal."""

    kind: RevisionKind
    judged: JudgedRecord
    outcome: Outcome
    """What counts."""
    reason: str = ""
    ruling: Ruling | None = None

    @property
    def entry(self) -> LedgerEntry:
        """What the deal brings to its match."""
        record = self.judged.record
        return LedgerEntry(
            number=record.deal,
            dealer=record.dealer,
            outcome=self.outcome,
            stated_courts=record.stated_courts,
            revoked=revoked_team(self.judged.finding, self.outcome),
        )


# -- the kinds of change


class DealChange(Protocol):
    """A change to one deal that is recorded."""

    @property
    def kind(self) -> RevisionKind:
        """The kind of its revision."""

    @property
    def action(self) -> Action:
        """What whoever makes it must be allowed to do."""

    @property
    def text(self) -> str:
        """The record that is offered; empty where it stays as it is."""

    def revision(self, state: SheetState, held: HeldDeal) -> NewRevision:
        """Return what is to be written of the deal."""


def recorded(judged: JudgedRecord, ruling: Ruling | None) -> NewRevision:
    """Return the first revision of a deal.

    :raises OutcomeRefused: if neither ruling nor record say who won.
    """
    return NewRevision(
        kind=RevisionKind.RECORD, judged=judged, outcome=_outcome_under(judged, ruling), ruling=ruling
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """Another record in the place of the one that stands."""

    kind: ClassVar[RevisionKind] = RevisionKind.CORRECTION
    text: str
    reason: str
    ruling: Ruling | None = None

    @property
    def action(self) -> Action:
        """Correcting; with a ruling, ruling."""
        return Action.CORRECT_DEAL if self.ruling is None else Action.RULE

    def revision(self, state: SheetState, held: HeldDeal) -> NewRevision:
        """Return what is to be written of the deal.

        :raises ReasonMissing: if the reason, or the ruling's, is empty.
        :raises RecordRefused: if the text is not one record of this deal that can be written.
        :raises NothingToChange: if the deal says and counts just that.
        :raises OutcomeRefused: if no deal counts as ruled, or neither ruling nor record say who won.
        """
        own = tags_of_match(state.row)
        judged = fitted(judge(one_record(self.text), rules=state.rules, own=own), state.row)
        refused = REFUSED_WITHOUT_RULING if self.ruling is None else REFUSED_ALWAYS
        refusals = [problem for problem in judged.problems if problem.kind in refused]
        if judged.is_readable and judged.record.deal != held.row.number:
            refusals.append(_other_deal(judged, held.row.number))
        if refusals:
            raise RecordRefused(refusals)
        ruling = checked(self.ruling)
        new = NewRevision(
            kind=self.kind,
            judged=judged,
            outcome=_outcome_under(judged, ruling),
            reason=_reason(self.reason),
            ruling=ruling,
        )
        if judged.pcn == held.current.pcn and ruling is None and _counts_as(held, new.outcome):
            raise NothingToChange
        return new


@dataclass(frozen=True, slots=True, kw_only=True)
class Voiding:
    """A deal made void: nobody won it (law 9.6)."""

    kind: ClassVar[RevisionKind] = RevisionKind.VOID
    action: ClassVar[Action] = Action.CORRECT_DEAL
    text: ClassVar[str] = ""
    reason: str

    def revision(self, state: SheetState, held: HeldDeal) -> NewRevision:
        """Return what is to be written of the deal.

        :raises ReasonMissing: if the reason is empty.
        :raises NothingToChange: if nobody won it as it is.
        """
        reason = _reason(self.reason)
        if stored_outcome(held.current).winner is None:
            raise NothingToChange
        judged = judge(held.reading, rules=state.rules)
        return NewRevision(kind=self.kind, judged=judged, outcome=Outcome.void(), reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """A director's ruling on the record as it stands."""

    kind: ClassVar[RevisionKind] = RevisionKind.RULING
    action: ClassVar[Action] = Action.RULE
    text: ClassVar[str] = ""
    ruling: Ruling

    def revision(self, state: SheetState, held: HeldDeal) -> NewRevision:
        """Return what is to be written of the deal.

        :raises ReasonMissing: if the ruling has no reason.
        :raises OutcomeRefused: if no deal counts as ruled, or neither ruling nor record say who won.
        """
        ruling = _checked(self.ruling)
        judged = judge(held.reading, rules=state.rules)
        outcome = _outcome_under(judged, ruling)
        return NewRevision(
            kind=self.kind, judged=judged, outcome=outcome, reason=ruling.reason, ruling=ruling
        )


def one_record(text: str) -> Reading:
    """Return the reading of a text that is one record.

    :raises RecordRefused: if it has none, or more.
    """
    readings = list(islice(read(text), 2))
    if len(readings) == 1:
        return readings[0]
    if readings:
        raise _other_than_expected(_("expected the record of one deal; found another"), readings[1])
    raise _other_than_expected(_("expected the record of a deal"))


def some_records(text: str | bytes) -> tuple[Reading, ...]:
    """Return the readings of a text that has at least one record.

    :raises RecordRefused: if it has none.
    """
    readings = tuple(read(text))
    if not readings:
        raise _other_than_expected(_("expected the record of a deal"))
    return readings


def _other_than_expected(message: str, odd: Reading | None = None) -> RecordRefused:
    problem = RecordProblem(
        code=SheetCode.ONE_RECORD.value,
        kind=Kind.MALFORMED.value,
        message=message,
        record=odd.number if odd is not None else 0,
        line=odd.line if odd is not None else 1,
        column=1,
    )
    return RecordRefused([problem])


def _other_deal(judged: JudgedRecord, number: int) -> RecordProblem:
    message = _("this corrects deal %(number)d; the record is of deal %(other)d")
    return judged.problem_at(
        "Deal", SheetCode.OTHER_DEAL, message % {"number": number, "other": judged.record.deal}
    )


def _counts_as(held: HeldDeal, outcome: Outcome) -> bool:
    return held.row.kind != RevisionKind.VOID and stored_outcome(held.current) == outcome


def _outcome_under(judged: JudgedRecord, ruling: Ruling | None) -> Outcome:
    """Return what the deal counts for: what was ruled, or what the engine found."""
    if ruling is not None and ruling.outcome is not None:
        return ruling.outcome
    if judged.finding is None or judged.finding.outcome is None:
        raise OutcomeRefused(
            _("The record does not say who won; only a ruling with an outcome can."), reason="missing"
        )
    return judged.finding.outcome


def _reason(text: str) -> str:
    reason = clean_text(text)
    if not reason:
        raise ReasonMissing
    return reason[:LONGEST_REASON]


def checked(ruling: Ruling | None) -> Ruling | None:
    """Return the ruling with its texts cleaned; None for none.

    :raises ReasonMissing: if it has no reason.
    :raises OutcomeRefused: if no deal counts as it says.
    """
    return None if ruling is None else _checked(ruling)


def _checked(ruling: Ruling) -> Ruling:
    if ruling.outcome is not None:
        _check_outcome(ruling.outcome)
    return replace(ruling, reason=_reason(ruling.reason), law=clean_text(ruling.law)[:20])


def _check_outcome(outcome: Outcome) -> None:
    """Do nothing if a deal can count so: a director stands above the finding, not above arithmetic."""
    if (outcome.winner is None) != (outcome.award is Award.VOID):
        raise OutcomeRefused(_("A deal is void, or somebody won it."), reason="winner")
    if outcome.winner is None and outcome.courts != Score():
        raise OutcomeRefused(_("A void deal scores nothing."), reason="void")
    if min(outcome.tricks) < 0 or sum(outcome.tricks) > TRICKS:
        raise OutcomeRefused(_("A deal has thirteen tricks."), reason="tricks")
    if outcome.award in _BY_TRICKS and not _won_by_tricks(outcome):
        raise OutcomeRefused(_("Whoever wins by tricks has more of them than the other side."), reason="won")
    if not all(0 <= courts <= MOST_COURTS for courts in outcome.courts):
        raise OutcomeRefused(
            _("A deal scores 0 to %(most)d courts for a side.") % {"most": MOST_COURTS}, reason="courts"
        )


def _won_by_tricks(outcome: Outcome) -> bool:
    winner = outcome.winner
    return winner is not None and outcome.tricks.of(winner) > outcome.tricks.of(winner.other)


_BY_TRICKS: Final = frozenset({Award.WIN, Award.COURT, Award.GOON_COURT, Award.BAVNEY})
"""A revoke can end a deal at any number of tricks."""
TRICKS: Final = 13
MOST_COURTS: Final = 999
"""The most an option of law 14 can make a deal count."""
LONGEST_REASON: Final = 2000
"""In characters."""


# -- the plan


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
        source=_source(new.judged.file),
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
