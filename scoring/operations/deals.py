"""Everything that records deals.

A write locks the collection and then the scoresheet, so that two at once come one after the other; the second
then sees what the first wrote. An operation's id is kept under a unique constraint with its answer.
"""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import BigIntegerField, F, UUIDField
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Action, Actor, require
from courtpiece.accounts.prepared import Prepared
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Rules
from courtpiece.notation import Reading
from scoring.changes import (
    REFUSED_ALWAYS,
    REFUSED_WITHOUT_RULING,
    NewRevision,
    RecordRefused,
    Ruling,
    checked,
    one_record,
    recorded,
    some_records,
)
from scoring.models import Deal, Operation, Revision, RevisionKind, Scoresheet
from scoring.operations.answers import (
    Became,
    DealAnswer,
    DealConflict,
    OperationReused,
    SheetAnswer,
    SheetConflict,
    answer_of,
    errors_of,
    fingerprint_of,
    made_by,
)
from scoring.plans import Made, Origin, Plan, plan, write_plans
from scoring.records import JudgedRecord, RecordProblem, SheetCode, judge
from scoring.sheets import SEATS, HeldDeal, SheetState, fitted, load_sheets, tags_of_match

SHEETS_AT_ONCE: Final = 50
"""Scoresheets in one transaction of ``record_deals``: on SQLite it keeps every other writer waiting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetRecords:
    """Records for one scoresheet, as they were read."""

    scoresheet_id: int
    readings: Sequence[Reading]
    file: str = ""
    """The name they came under, for the places of problems and for the deals' history."""
    files: Sequence[str] = ()
    """The name that each came under, in the order of ``readings``, where it is not ``file`` for all."""
    operation_id: UUID | None = None
    """Of all of them together; None: the texts alone tell what came before."""

    @property
    def named(self) -> Iterator[tuple[Reading, str]]:
        """The readings with the names of their files."""
        return zip(self.readings, self.files or [self.file] * len(self.readings), strict=True)


def record_deals(
    *, actor: Actor, sheets: Sequence[SheetRecords], at: datetime, origin: Origin | None = None
) -> tuple[SheetAnswer, ...]:
    """Write the records of many scoresheets, and say of each what became of it, in the order given.

    All or nothing for each scoresheet: one with a record that is refused, or that says something else than is
    recorded, is left as it was, and the others are written. What was recorded before is not written twice.
    Fifty scoresheets share a transaction, or all the caller's. About ten queries for these fifty, and one for
    each of them.

    :raises NotFound: if one of the scoresheets does not exist.
    :raises Forbidden: if the actor may not record deals in one of their clubs.
    :raises CollectionLocked: if what one of them belongs to is final.
    :raises OperationReused: if an operation's id came before with other records.
    """
    answers: list[SheetAnswer] = []
    for chunk in _chunks(sheets):
        answers += _record_chunk(actor, chunk, at=at, origin=origin)
    return tuple(answers)


def record_deal(
    *,
    actor: Actor,
    scoresheet_id: int,
    text: str,
    operation_id: UUID,
    at: datetime,
    ruling: Ruling | None = None,
    file: str = "",
    savepoint: bool = True,
) -> DealAnswer:
    """Write one deal from its record, at any of the three levels; the answer is ``created`` or ``duplicate``.

    A record that states something else than it shows needs a ruling. The same operation again gives the same
    answer. ``file`` is the name of the file that it came in, if it was one. Without ``savepoint`` a failure leaves the
    caller's transaction to be rolled back: an ``IntegrityError`` may then be this operation, carried out by another
    process in the same moment.

    :raises NotFound: if there is no such scoresheet.
    :raises Forbidden: if the actor may not record deals there, or with a ruling may not rule.
    :raises CollectionLocked: if what it belongs to is final.
    :raises RecordRefused: if the text is not one record of this match that can be written.
    :raises DealConflict: if the deal is recorded and says something else.
    :raises OutcomeRefused: if no deal counts as ruled, or neither ruling nor record say who won.
    :raises ReasonMissing: if the ruling has no reason.
    :raises OperationReused: if the operation's id came before with something else.
    """
    asked = SheetRecords(
        scoresheet_id=scoresheet_id, readings=(one_record(text),), file=file, operation_id=operation_id
    )
    (answer,) = _record_chunk(
        actor, [asked], at=at, ruling=checked(ruling), of_the_match=True, savepoint=savepoint
    )
    (deal,) = answer.deals
    if deal.became is Became.REJECTED:
        raise RecordRefused(errors_of(deal.problems))
    if deal.became is Became.CONFLICT:
        raise _conflict(deal, offered=text)
    return deal


def record_sheet(
    *,
    actor: Actor,
    scoresheet_uid: UUID,
    text: str | bytes,
    operation_id: UUID,
    at: datetime,
    origin: Origin | None = None,
) -> SheetAnswer:
    """Write the records of one scoresheet, all of them or none; the answer is ``created`` or ``duplicate``.

    ``origin`` is what the history says that they were taken from, where they did not come as records.

    What was recorded before is not written twice. The same operation again gives the same answer.

    :raises NotFound: if there is no such scoresheet.
    :raises Forbidden: if the actor may not record deals there.
    :raises CollectionLocked: if what it belongs to is final.
    :raises RecordRefused: if there is no record, or one is of another match or cannot be written.
    :raises SheetConflict: if deals are recorded and say something else, and that is all that is wrong.
    :raises OperationReused: if the operation's id came before with something else.
    """
    readings = some_records(text)
    asked = SheetRecords(
        scoresheet_id=_scoresheet_id(scoresheet_uid), readings=readings, operation_id=operation_id
    )
    (answer,) = _record_chunk(actor, [asked], at=at, of_the_match=True, origin=origin)
    if answer.became is Became.REJECTED:
        raise RecordRefused(errors_of(answer.problems))
    if answer.became is Became.CONFLICT:
        raise SheetConflict(_conflicts(answer, readings))
    return answer


def _scoresheet_id(uid: UUID) -> int:
    found = Scoresheet.objects.filter(uid=uid).values_list("pk", flat=True).first()
    if found is None:
        raise NotFound
    return found


def _conflicts(answer: SheetAnswer, readings: Sequence[Reading]) -> list[DealConflict]:
    """Return the deals that stand against what was sent. One query."""
    offered = {
        deal.deal_uid: reading.text
        for deal, reading in zip(answer.deals, readings, strict=True)
        if deal.became is Became.CONFLICT
    }
    current = Revision.objects.filter(deal__uid__in=list(offered), number=F("deal__revision"))
    return [
        DealConflict(
            deal_uid=row.deal.uid,
            number=row.deal.number,
            revision=row.number,
            current=row.pcn,
            offered=offered[row.deal.uid],
        )
        for row in current.select_related("deal").order_by("deal__number")
    ]


def _conflict(deal: DealAnswer, *, offered: str) -> DealConflict:
    if deal.deal_uid is None:
        raise LookupError("a conflict is with a deal")
    row = Deal.objects.get(uid=deal.deal_uid)
    current = Revision.objects.get(deal=row, number=row.revision)
    return DealConflict(
        deal_uid=row.uid, number=row.number, revision=row.revision, current=current.pcn, offered=offered
    )


def _chunks(sheets: Sequence[SheetRecords]) -> Iterator[list[SheetRecords]]:
    """Yield the sheets in parts of at most ``SHEETS_AT_ONCE``, none with one scoresheet twice."""
    chunk: dict[int, SheetRecords] = {}
    for sheet in sheets:
        if len(chunk) == SHEETS_AT_ONCE or sheet.scoresheet_id in chunk:
            yield list(chunk.values())
            chunk = {}
        chunk[sheet.scoresheet_id] = sheet
    if chunk:
        yield list(chunk.values())


def _record_chunk(
    actor: Actor,
    sheets: Sequence[SheetRecords],
    *,
    at: datetime,
    ruling: Ruling | None = None,
    of_the_match: bool = False,
    origin: Origin | None = None,
    savepoint: bool = True,
) -> list[SheetAnswer]:
    rows = _scoresheets(actor, sheets, Action.RULE if ruling is not None else Action.RECORD_DEAL)
    judged = [_judge(sheet, rows[sheet.scoresheet_id], with_match=of_the_match) for sheet in sheets]
    asked = [
        _Asked(sheet, records, sheet.operation_id, _fingerprint_of(sheet, ruling))
        for sheet, records in zip(sheets, judged, strict=True)
    ]
    made = made_by(actor, at, origin=origin, is_file=_has_file(asked))
    try:
        with transaction.atomic() if savepoint else nullcontext():
            return _record_locked(asked, ruling, made)
    except IntegrityError:
        if not savepoint:
            raise
        # Another process may have carried out the same operation in the same moment: then its answer stands.
        done = _answers_before(asked)
        if len(done) < len(asked):
            raise
        return [done[one.sheet.scoresheet_id] for one in asked]


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is to be recorded in one scoresheet."""

    sheet: SheetRecords
    judged: Sequence[JudgedRecord]
    operation_id: UUID | None
    fingerprint: str


def _scoresheets(actor: Actor, sheets: Sequence[SheetRecords], action: Action) -> dict[int, Scoresheet]:
    ids = {sheet.scoresheet_id for sheet in sheets}
    rows = {row.pk: row for row in _JUDGED.models(list(ids))}
    for row in rows.values():
        require(actor, action, club_id=row.club_id, scoresheet_id=row.pk, owner_id=row.owner_id)
    if len(rows) < len(ids):
        raise NotFound
    return rows


_TO_JUDGE: Final = (
    *("club", "owner", "rules", "event", "site", "date", "round", "table"),
    *(f"{seat}_name" for seat in SEATS),
    *(f"{seat}__{name}" for seat in SEATS for name in ("name", "hidden_name", "anonymised_at")),
)
"""Of a scoresheet: what tells whether a record is of its match, and who may write it."""

_JUDGED: Final = Prepared(
    lambda ids: Scoresheet.objects.filter(pk__in=ids).select_related(*SEATS).only(*_TO_JUDGE),
    BigIntegerField(),
)


def _judge(sheet: SheetRecords, row: Scoresheet, *, with_match: bool) -> list[JudgedRecord]:
    rules = Rules.parse(row.rules)
    own = tags_of_match(row)
    judged = [judge(reading, rules=rules, file=file, own=own) for reading, file in sheet.named]
    return [fitted(record, row) for record in judged] if with_match else judged


def _record_locked(asked: Sequence[_Asked], ruling: Ruling | None, made: Made) -> list[SheetAnswer]:
    states = load_sheets([one.sheet.scoresheet_id for one in asked], lock=True, for_new=True)
    answers = _answers_before(asked)
    plans: list[Plan] = []
    operations: list[Operation] = []
    for one in asked:
        if one.sheet.scoresheet_id in answers:
            continue
        state = states[one.sheet.scoresheet_id]
        state.require_unlocked()
        answer, planned = _decide(state, one.judged, ruling)
        answers[answer.scoresheet_id] = answer
        if planned is not None:
            plans.append(planned)
            operations.append(_operation(one, answer, made.at))
        elif one.operation_id is not None and answer.became is Became.DUPLICATE:
            _operation(one, answer, made.at).save(force_insert=True)
    write_plans(plans, operations, made)
    return [answers[one.sheet.scoresheet_id] for one in asked]


def _decide(
    state: SheetState, judged: Sequence[JudgedRecord], ruling: Ruling | None
) -> tuple[SheetAnswer, Plan | None]:
    """Return what is to become of the records, and the plan that writes them; None to write nothing."""
    answers, new = _sort_out(state, judged, ruling)
    if any(answer is not None and answer.became is not Became.DUPLICATE for answer in answers):
        rejected = [answer or _rejected(record) for answer, record in zip(answers, judged, strict=True)]
        return SheetAnswer(scoresheet_id=state.row.pk, deals=tuple(rejected)), None
    if not new:
        known = tuple(answer for answer in answers if answer is not None)
        return SheetAnswer(scoresheet_id=state.row.pk, deals=known), None
    planned = plan(state, new)
    became = Became.REJECTED if planned.refusals() else Became.CREATED
    by_number = {deal.entry.number: deal for deal in planned.changed}
    deals = tuple(
        answer or answer_of(by_number[record.record.deal], became)
        for answer, record in zip(answers, judged, strict=True)
    )
    return SheetAnswer(scoresheet_id=state.row.pk, deals=deals), None if planned.refusals() else planned


def _sort_out(
    state: SheetState, judged: Sequence[JudgedRecord], ruling: Ruling | None
) -> tuple[list[DealAnswer | None], list[NewRevision]]:
    """Return the answer to each record that can be told by itself, None to the others, and these to write."""
    refused = REFUSED_ALWAYS if ruling is not None else REFUSED_WITHOUT_RULING
    answers: list[DealAnswer | None] = []
    new: dict[int, JudgedRecord] = {}
    for record in judged:
        if not record.is_readable or any(problem.kind in refused for problem in record.problems):
            answers.append(_rejected(record))
        elif (held := state.deals.get(record.record.deal)) is not None:
            answers.append(_known(held, record))
        elif (twin := new.setdefault(record.record.deal, record)) is not record:
            answers.append(_repeated(twin, record))
        else:
            answers.append(None)
    return answers, [recorded(record, ruling) for record in new.values()]


def _rejected(record: JudgedRecord, *problems: RecordProblem) -> DealAnswer:
    number = record.record.deal if record.is_readable else 0
    return DealAnswer(number=number, became=Became.REJECTED, problems=(*record.problems, *problems))


def _known(held: HeldDeal, record: JudgedRecord) -> DealAnswer:
    """Return the answer to a record of a deal that is there."""
    row = held.row
    if held.has_text(record.pcn):
        return DealAnswer(number=row.number, became=Became.DUPLICATE, deal_uid=row.uid, revision=row.revision)
    message = _("deal %(number)d is recorded already and says something else") % {"number": row.number}
    odd = record.problem_at("Deal", SheetCode.DEAL_CONFLICT, message)
    return DealAnswer(
        number=row.number,
        became=Became.CONFLICT,
        deal_uid=row.uid,
        revision=row.revision,
        problems=(*record.problems, odd),
    )


def _repeated(twin: JudgedRecord, record: JudgedRecord) -> DealAnswer:
    """Return the answer to a record whose deal stands earlier in what was sent."""
    number = record.record.deal
    if twin.pcn == record.pcn:
        return DealAnswer(number=number, became=Became.DUPLICATE)
    message = _("deal %(number)d stands in record %(first)d too and says something else there")
    odd = record.problem_at(
        "Deal", SheetCode.DEAL_REPEATED, message % {"number": number, "first": twin.reading.number}
    )
    return _rejected(record, odd)


# -- operations by their ids


def _fingerprint_of(sheet: SheetRecords, ruling: Ruling | None) -> str:
    texts = [reading.text for reading in sheet.readings]
    return fingerprint_of("record", sheet.scoresheet_id, texts, ruling)


def _answers_before(asked: Sequence[_Asked]) -> dict[int, SheetAnswer]:
    """Return the answers of the operations that were carried out before, by scoresheet.

    :raises OperationReused: if one of the ids came with other content.
    """
    by_id = {one.operation_id: one for one in asked if one.operation_id is not None}
    if not by_id:
        return {}
    answers = {}
    for operation in _OPERATIONS.models(list(by_id)):
        one = by_id[operation.pk]
        if operation.fingerprint != one.fingerprint:
            raise OperationReused(operation.pk)
        answers[one.sheet.scoresheet_id] = SheetAnswer(
            scoresheet_id=operation.scoresheet_id,
            deals=tuple(map(DealAnswer.from_json, operation.answer["deals"])),
        )
    return answers


_OPERATIONS: Final = Prepared(lambda ids: Operation.objects.filter(pk__in=ids), UUIDField())


def _operation(one: _Asked, answer: SheetAnswer, at: datetime) -> Operation:
    """Return the row of the operation; the answer of one that nobody can name again is not kept."""
    told = [] if one.operation_id is None else [deal.as_json() for deal in answer.deals]
    return Operation(
        pk=one.operation_id or uuid4(),
        scoresheet_id=answer.scoresheet_id,
        kind=RevisionKind.RECORD.value,
        fingerprint=one.fingerprint,
        answer={"deals": told},
        made_at=at,
    )


def _has_file(asked: Sequence[_Asked]) -> bool:
    return any(record.file for one in asked for record in one.judged[:1])
