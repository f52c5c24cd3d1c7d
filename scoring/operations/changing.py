"""Everything that changes deals that are recorded.

Each change names the revision that it was made on, and is locked and kept as recording is.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Action, Actor, may, require
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Rules
from scoring.changes import (
    Author,
    Correction,
    DealChange,
    Decision,
    NothingToChange,
    RecordRefused,
    Replacement,
    Ruling,
    Voiding,
    one_record,
)
from scoring.models import Deal, Operation, Scoresheet
from scoring.operations.answers import (
    Became,
    DealAnswer,
    OperationReused,
    RevisionConflict,
    answer_of,
    errors_of,
    fingerprint_of,
    made_by,
    source_of,
)
from scoring.plans import Made, Origin, plan, write_plans
from scoring.records import JudgedRecord, SheetCode, judge
from scoring.sheets import HeldDeal, SheetState, load_sheets, tags_of_match


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
    return Author(user_id=actor.user_id, source=source_of(actor))


def _deal_to_replace(sheet: Scoresheet, text: str) -> tuple[JudgedRecord, UUID]:
    """Return the record, and the deal that it is of. One query."""
    judged = judge(one_record(text), rules=Rules.parse(sheet.rules), own=tags_of_match(sheet))
    if not judged.is_readable:
        raise RecordRefused(errors_of(judged.problems))
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
    target = _Target(actor, deal_uid, base_revision, operation_id, made_by(actor, at, origin=origin))
    scoresheet_id, number = _place_of(target, change.action)
    fingerprint = fingerprint_of(change.kind.value, deal_uid, base_revision, change)
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
    answer = answer_of(deal, Became.CREATED)
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
