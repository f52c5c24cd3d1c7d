"""Everything that changes deals.

A write locks the collection and then the scoresheet, so that two at once come one after the other; the second
then sees what the first wrote. An operation's id is kept under a unique constraint with its answer.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from courtpiece.accounts.permissions import Action, Actor, Via, may, require
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Conflict
from courtpiece.engine import Rules
from courtpiece.notation import Reading
from scoring.changes import (
    REFUSED_ALWAYS,
    REFUSED_WITHOUT_RULING,
    Author,
    Correction,
    DealChange,
    Decision,
    NewRevision,
    NothingToChange,
    RecordRefused,
    Replacement,
    Ruling,
    Voiding,
    checked,
    one_record,
    recorded,
    some_records,
)
from scoring.models import Deal, MadeVia, Operation, Revision, RevisionKind, Scoresheet
from scoring.plans import Made, Origin, Plan, PlannedDeal, plan, write_plans
from scoring.records import JudgedRecord, RecordProblem, SheetCode, judge
from scoring.sheets import HeldDeal, SheetState, fitted, load_sheets, tags_of_match

SHEETS_AT_ONCE: Final = 50
"""Scoresheets in one transaction of ``record_deals``: on SQLite it keeps every other writer waiting."""


# -- what can go wrong


class DealConflict(Conflict):
    """The deal is recorded already, and says something else. Both texts are for a person to settle."""

    field = "text"

    def __init__(self, *, deal_uid: UUID, number: int, revision: int, current: str, offered: str) -> None:
        super().__init__(self._message() % {"revision": revision})
        self.deal_uid = deal_uid
        self.number = number
        self.revision = revision
        self.current = current
        self.offered = offered

    @staticmethod
    def _message() -> str:
        return _("The deal is recorded already (revision %(revision)d) and says something else.")

    @property
    def conflicts(self) -> tuple["DealConflict", ...]:
        """The conflict itself, as what holds several has them."""
        return (self,)

    def as_json(self) -> dict[str, object]:
        """Return what programs are told of it."""
        return {
            "deal": str(self.deal_uid),
            "current": {"revision": self.revision, "pcn": self.current},
            "offered": {"pcn": self.offered},
        }


class RevisionConflict(DealConflict):
    """Another revision came before this one. ``revision`` and ``current`` are what stands now."""

    @staticmethod
    def _message() -> str:
        return _("Somebody changed this deal in the meantime: revision %(revision)d stands now.")


class SheetConflict(Conflict):
    """Deals are recorded already, and say something else. ``conflicts`` has both texts of each."""

    field = "text"

    def __init__(self, conflicts: Sequence[DealConflict]) -> None:
        message = ngettext(
            "%(count)d deal is recorded already and says something else.",
            "%(count)d deals are recorded already and say something else.",
            len(conflicts),
        )
        super().__init__(message % {"count": len(conflicts)})
        self.conflicts = tuple(conflicts)


class OperationReused(Conflict):
    """The operation's id came before with something else to do. ``operation_id`` is the id."""

    def __init__(self, operation_id: UUID) -> None:
        super().__init__(
            _("The operation %(id)s was carried out before with other content.") % {"id": operation_id}
        )
        self.operation_id = operation_id


# -- what is answered


class Became(StrEnum):
    """What became of a record that was sent."""

    CREATED = "created"
    """A revision was written."""
    DUPLICATE = "duplicate"
    """It was written before, word for word; nothing was written now."""
    CONFLICT = "conflict"
    """The deal is recorded and says something else; nothing was written."""
    REJECTED = "rejected"
    """It, or another record of the same scoresheet, cannot be written as it stands; nothing was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealAnswer:
    """What became of one record."""

    number: int
    """The deal's number in its match; 0 where it could not be read."""
    became: Became
    deal_uid: UUID | None = None
    """None for a deal that was not there and was not written."""
    revision: int = 0
    """The revision that was written, or that stands; 0 where there is none."""
    problems: tuple[RecordProblem, ...] = ()
    """Those of this record; warnings too."""

    @property
    def is_at_fault(self) -> bool:
        """Whether this record was rejected for itself, not for another of its scoresheet."""
        return self.became is Became.REJECTED and bool(_errors(self.problems))

    def as_json(self) -> dict[str, Any]:
        """Return the answer as an operation keeps it."""
        return {
            "number": self.number,
            "became": self.became.value,
            "deal_uid": str(self.deal_uid) if self.deal_uid is not None else None,
            "revision": self.revision,
            "problems": [problem.as_json() for problem in self.problems],
        }

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> "DealAnswer":
        """Return the answer that :meth:`as_json` wrote."""
        return DealAnswer(
            number=stored["number"],
            became=Became(stored["became"]),
            deal_uid=UUID(stored["deal_uid"]) if stored["deal_uid"] else None,
            revision=stored["revision"],
            problems=tuple(map(RecordProblem.from_json, stored["problems"])),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetAnswer:
    """What became of the records that were sent for one scoresheet, in their order."""

    scoresheet_id: int
    deals: tuple[DealAnswer, ...]

    @property
    def became(self) -> Became:
        """``created`` where something was written, ``duplicate`` where everything had been; else why not.

        ``conflict`` where all that is wrong is that deals are recorded and say something else.
        """
        found = {deal.became for deal in self.deals}
        if any(deal.is_at_fault for deal in self.deals):
            return Became.REJECTED
        worst_first = (Became.CONFLICT, Became.REJECTED, Became.CREATED)
        return next((became for became in worst_first if became in found), Became.DUPLICATE)

    @property
    def problems(self) -> tuple[RecordProblem, ...]:
        """All problems of all records; warnings too."""
        return tuple(problem for deal in self.deals for problem in deal.problems)


# -- recording


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
) -> DealAnswer:
    """Write one deal from its record, at any of the three levels; the answer is ``created`` or ``duplicate``.

    A record that states something else than it shows needs a ruling. The same operation again gives the same
    answer. ``file`` is the name of the file that it came in, if it was one.

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
    (answer,) = _record_chunk(actor, [asked], at=at, ruling=checked(ruling), of_the_match=True)
    (deal,) = answer.deals
    if deal.became is Became.REJECTED:
        raise RecordRefused(_errors(deal.problems))
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
        raise RecordRefused(_errors(answer.problems))
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


def _errors(problems: Iterable[RecordProblem]) -> tuple[RecordProblem, ...]:
    return tuple(problem for problem in problems if problem.severity == "error")


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
) -> list[SheetAnswer]:
    rows = _scoresheets(actor, sheets, Action.RULE if ruling is not None else Action.RECORD_DEAL)
    judged = [_judge(sheet, rows[sheet.scoresheet_id], with_match=of_the_match) for sheet in sheets]
    asked = [
        _Asked(sheet, records, sheet.operation_id, _fingerprint_of(sheet, ruling))
        for sheet, records in zip(sheets, judged, strict=True)
    ]
    made = _made(actor, at, origin=origin, is_file=_has_file(asked))
    try:
        with transaction.atomic():
            return _record_locked(asked, ruling, made)
    except IntegrityError:
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
    people = ("north", "south", "east", "west")
    rows = {row.pk: row for row in Scoresheet.objects.filter(pk__in=ids).select_related(*people)}
    for row in rows.values():
        require(actor, action, club_id=row.club_id, scoresheet_id=row.pk, owner_id=row.owner_id)
    if len(rows) < len(ids):
        raise NotFound
    return rows


def _judge(sheet: SheetRecords, row: Scoresheet, *, with_match: bool) -> list[JudgedRecord]:
    rules = Rules.parse(row.rules)
    own = tags_of_match(row)
    judged = [judge(reading, rules=rules, file=file, own=own) for reading, file in sheet.named]
    return [fitted(record, row) for record in judged] if with_match else judged


def _record_locked(asked: Sequence[_Asked], ruling: Ruling | None, made: Made) -> list[SheetAnswer]:
    states = load_sheets([one.sheet.scoresheet_id for one in asked], lock=True)
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
        answer or _answer(by_number[record.record.deal], became)
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


def _answer(deal: PlannedDeal, became: Became) -> DealAnswer:
    is_written = became is Became.CREATED
    return DealAnswer(
        number=deal.entry.number,
        became=became,
        deal_uid=deal.uid if is_written else None,
        revision=deal.revision if is_written else 0,
        problems=deal.problems,
    )


# -- operations by their ids


def _fingerprint(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _fingerprint_of(sheet: SheetRecords, ruling: Ruling | None) -> str:
    texts = [reading.text for reading in sheet.readings]
    return _fingerprint("record", sheet.scoresheet_id, texts, ruling)


def _answers_before(asked: Sequence[_Asked]) -> dict[int, SheetAnswer]:
    """Return the answers of the operations that were carried out before, by scoresheet.

    :raises OperationReused: if one of the ids came with other content.
    """
    by_id = {one.operation_id: one for one in asked if one.operation_id is not None}
    if not by_id:
        return {}
    answers = {}
    for operation in Operation.objects.filter(pk__in=by_id):
        one = by_id[operation.pk]
        if operation.fingerprint != one.fingerprint:
            raise OperationReused(operation.pk)
        answers[one.sheet.scoresheet_id] = SheetAnswer(
            scoresheet_id=operation.scoresheet_id,
            deals=tuple(map(DealAnswer.from_json, operation.answer["deals"])),
        )
    return answers


def _operation(one: _Asked, answer: SheetAnswer, at: datetime) -> Operation:
    return Operation(
        pk=one.operation_id or uuid4(),
        scoresheet_id=answer.scoresheet_id,
        kind=RevisionKind.RECORD.value,
        fingerprint=one.fingerprint,
        answer={"deals": [deal.as_json() for deal in answer.deals]},
        made_at=at,
    )


_VIA: Final = {
    Via.PAGE: MadeVia.PAGE,
    Via.API: MadeVia.API,
    Via.SOCKET: MadeVia.TABLE,
    Via.COMMAND: MadeVia.COMMAND,
    Via.TABLE: MadeVia.TABLE,
}


def _has_file(asked: Sequence[_Asked]) -> bool:
    return any(record.file for one in asked for record in one.judged[:1])


def _made(actor: Actor, at: datetime, *, origin: Origin | None = None, is_file: bool = False) -> Made:
    if actor.via not in (Via.PAGE, Via.COMMAND):
        return Made(by_id=actor.user_id, via=_VIA[actor.via], at=at, source=_source_of(actor))
    if origin is not None:
        return Made(by_id=actor.user_id, via=origin.via, at=at, source=origin.source)
    via = MadeVia.FILE if is_file else _VIA[actor.via]
    return Made(by_id=actor.user_id, via=via, at=at, source=_source_of(actor))


def _source_of(actor: Actor) -> str:
    """Return what the history names beside or in place of a person; empty for most."""
    return "" if actor.table is None else actor.table.name


# -- changing what is recorded


def correct_deal(
    *,
    actor: Actor,
    deal_uid: UUID,
    base_revision: int,
    text: str,
    reason: str,
    operation_id: UUID,
    at: datetime,
    ruling: Ruling | None = None,
) -> DealAnswer:
    """Write another record of a deal, made on revision ``base_revision``, and derive what follows it.

    It may be of another level, and it brings back a deal that was voided. The same operation again gives
    the same answer.

    :raises NotFound: if there is no such deal.
    :raises Forbidden: if the actor may not correct deals there, or with a ruling may not rule.
    :raises ReasonMissing: if ``reason`` or the ruling's is empty.
    :raises RecordRefused: if the text is not one record of this deal that can be written.
    :raises CollectionLocked: if what it belongs to is final.
    :raises RevisionConflict: if another revision came first.
    :raises NothingToChange: if the deal says and counts just that.
    :raises OutcomeRefused: if no deal counts as ruled, or neither ruling nor record say who won.
    :raises OperationReused: if the operation's id came before with something else.
    """
    return change_deal(
        actor=actor,
        deal_uid=deal_uid,
        base_revision=base_revision,
        change=Correction(text=text, reason=reason, ruling=ruling),
        operation_id=operation_id,
        at=at,
    )


def replace_deal(
    *,
    actor: Actor,
    scoresheet_id: int,
    base_revision: int,
    text: str,
    operation_id: UUID,
    at: datetime,
    reason: str = "",
) -> DealAnswer:
    """Write another record of a deal, found by its number, made on revision ``base_revision``.

    Who may record deals only may replace the last one of the match that they entered themselves; who may correct
    deals, any. The answer is ``created``, or ``duplicate`` where just that stands. The same operation again gives
    the same answer.

    :raises NotFound: if there is no such scoresheet.
    :raises Forbidden: if the actor may not record deals there.
    :raises RecordRefused: if the text is not one record of a deal that is there, or cannot be written.
    :raises CollectionLocked: if what it belongs to is final.
    :raises RevisionConflict: if another revision came first, and says something else.
    :raises NotYoursToReplace: if it is not the actor's last.
    :raises OutcomeRefused: if the record does not say who won.
    :raises OperationReused: if the operation's id came before with something else.
    """
    sheet = Scoresheet.objects.filter(pk=scoresheet_id).first()
    if sheet is None:
        raise NotFound
    require(
        actor,
        Action.RECORD_DEAL,
        club_id=sheet.club_id,
        scoresheet_id=sheet.pk,
        owner_id=sheet.owner_id,
    )
    judged, uid = _deal_to_replace(sheet, text)
    try:
        return change_deal(
            actor=actor,
            deal_uid=uid,
            base_revision=base_revision,
            change=Replacement(text=text, reason=reason, author=_author(actor, sheet)),
            operation_id=operation_id,
            at=at,
        )
    except NothingToChange:
        revision = base_revision
    except RevisionConflict as conflict:
        if conflict.current != judged.pcn:
            raise
        revision = conflict.revision
    return DealAnswer(number=judged.record.deal, became=Became.DUPLICATE, deal_uid=uid, revision=revision)


def _author(actor: Actor, sheet: Scoresheet) -> Author | None:
    """Return as whom the actor replaces deals; None for whose they need not be."""
    if may(
        actor,
        Action.CORRECT_DEAL,
        club_id=sheet.club_id,
        scoresheet_id=sheet.pk,
        owner_id=sheet.owner_id,
    ):
        return None
    return Author(user_id=actor.user_id, source=_source_of(actor))


def _deal_to_replace(sheet: Scoresheet, text: str) -> tuple[JudgedRecord, UUID]:
    """Return the record, and the deal that it is of. One query."""
    judged = judge(one_record(text), rules=Rules.parse(sheet.rules), own=tags_of_match(sheet))
    if not judged.is_readable:
        raise RecordRefused(_errors(judged.problems))
    number = judged.record.deal
    found = Deal.objects.filter(scoresheet=sheet.pk, number=number).values_list("uid", flat=True).first()
    if found is None:
        message = _("deal %(number)d is not recorded, so there is nothing to replace") % {"number": number}
        raise RecordRefused([judged.problem_at("Deal", SheetCode.NO_SUCH_DEAL, message)])
    return judged, found


def void_deal(
    *,
    actor: Actor,
    deal_uid: UUID,
    base_revision: int,
    reason: str,
    operation_id: UUID,
    at: datetime,
) -> DealAnswer:
    """Void a deal, as made on revision ``base_revision``: it scores nothing. Its record stays.

    :raises NotFound: if there is no such deal.
    :raises Forbidden: if the actor may not correct deals there.
    :raises ReasonMissing: if ``reason`` is empty.
    :raises CollectionLocked: if what it belongs to is final.
    :raises RevisionConflict: if another revision came first.
    :raises NothingToChange: if nobody won it as it is.
    :raises OperationReused: if the operation's id came before with something else.
    """
    return change_deal(
        actor=actor,
        deal_uid=deal_uid,
        base_revision=base_revision,
        change=Voiding(reason=reason),
        operation_id=operation_id,
        at=at,
    )


def rule_deal(
    *,
    actor: Actor,
    deal_uid: UUID,
    base_revision: int,
    ruling: Ruling,
    operation_id: UUID,
    at: datetime,
) -> DealAnswer:
    """Put a director's decision above what the engine found in a deal, as made on revision ``base_revision``.

    A ruling without an outcome says that the finding stands, whatever the record states.

    :raises NotFound: if there is no such deal.
    :raises Forbidden: if the actor may not rule there.
    :raises ReasonMissing: if the ruling has no reason.
    :raises CollectionLocked: if what it belongs to is final.
    :raises RevisionConflict: if another revision came first.
    :raises OutcomeRefused: if no deal counts as ruled, or neither ruling nor record say who won.
    :raises OperationReused: if the operation's id came before with something else.
    """
    return change_deal(
        actor=actor,
        deal_uid=deal_uid,
        base_revision=base_revision,
        change=Decision(ruling=ruling),
        operation_id=operation_id,
        at=at,
    )


def change_deal(
    *,
    actor: Actor,
    deal_uid: UUID,
    base_revision: int,
    change: DealChange,
    operation_id: UUID,
    at: datetime,
    origin: Origin | None = None,
) -> DealAnswer:
    """Write a change to a deal, made on revision ``base_revision``: what the three above do.

    :raises NotFound: if there is no such deal.
    :raises Forbidden: if the actor may not make that change there.
    :raises CollectionLocked: if what it belongs to is final.
    :raises RevisionConflict: if another revision came first.
    :raises OperationReused: if the operation's id came before with something else.
    :raises Refused: whatever the change itself says.
    """
    target = _Target(actor, deal_uid, base_revision, operation_id, _made(actor, at, origin=origin))
    scoresheet_id, number = _place_of(target, change.action)
    fingerprint = _fingerprint(change.kind.value, deal_uid, base_revision, change)
    try:
        with transaction.atomic():
            state = load_sheets([scoresheet_id], lock=True)[scoresheet_id]
            done = _answer_before(operation_id, fingerprint)
            return done or _change_locked(state, state.deals[number], change, target, fingerprint)
    except IntegrityError:
        # Another process may have carried out the same operation in the same moment: then its answer stands.
        done = _answer_before(operation_id, fingerprint)
        if done is None:
            raise
        return done


@dataclass(frozen=True, slots=True)
class _Target:
    """What is changed, on which revision, by whom, when, under which id."""

    actor: Actor
    deal_uid: UUID
    base_revision: int
    operation_id: UUID
    made: Made


def _place_of(target: _Target, action: Action) -> tuple[int, int]:
    """Return the deal's scoresheet and number."""
    deal = Deal.objects.select_related("scoresheet").filter(uid=target.deal_uid).first()
    if deal is None:
        raise NotFound
    sheet = deal.scoresheet
    require(target.actor, action, club_id=sheet.club_id, scoresheet_id=sheet.pk, owner_id=sheet.owner_id)
    return deal.scoresheet_id, deal.number


def _answer_before(operation_id: UUID, fingerprint: str) -> DealAnswer | None:
    operation = Operation.objects.filter(pk=operation_id).first()
    if operation is None:
        return None
    if operation.fingerprint != fingerprint:
        raise OperationReused(operation_id)
    (answer,) = operation.answer["deals"]
    return DealAnswer.from_json(answer)


def _change_locked(
    state: SheetState, held: HeldDeal, change: DealChange, target: _Target, fingerprint: str
) -> DealAnswer:
    state.require_unlocked()
    if held.row.revision != target.base_revision:
        raise RevisionConflict(
            deal_uid=held.row.uid,
            number=held.row.number,
            revision=held.row.revision,
            current=held.current.pcn,
            offered=change.text,
        )
    planned = plan(state, [change.revision(state, held)])
    if planned.refusals():
        raise RecordRefused(planned.refusals())
    (deal,) = planned.changed
    answer = _answer(deal, Became.CREATED)
    operation = Operation(
        pk=target.operation_id,
        scoresheet=state.row,
        kind=change.kind.value,
        fingerprint=fingerprint,
        answer={"deals": [answer.as_json()]},
        made_at=target.made.at,
    )
    write_plans([planned], [operation], target.made)
    return answer
