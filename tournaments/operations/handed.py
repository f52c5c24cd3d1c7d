"""Everything that takes in deals which a phone handed on in a file.

Each goes the way that it would have gone by the phone's own network, with the same operation: so it does not matter
which of the two is first, nor how often either comes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from uuid import UUID, uuid5

from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Action, Actor
from courtpiece.accounts.refusals import code_of
from courtpiece.engine import Kind
from scoring import queries as scoring
from scoring.operations import Became, OperationReused
from scoring.records import RecordProblem
from tournaments import queries
from tournaments.evenings import key_left, words_of
from tournaments.handed import HandedRecord, whole_number
from tournaments.operations import sync
from tournaments.operations.sync import Outcome, SentDeal
from tournaments.queries.sight import tournament_for
from tournaments.reports import HandedReport

NO_SUCH_SHEET = "no-such-scoresheet"
SPOILT = "spoilt-tags"


def take_in_handed(
    *, actor: Actor, slug: str, records: Sequence[HandedRecord], at: datetime
) -> tuple[HandedReport, ...]:
    """Record the deals, each by itself, and say what became of every one, in the order given.

    What is recorded already, by the phone itself or from another file, is not written twice. An operation's id that
    came before with another text, as when somebody changed the file, is judged by the text alone.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not upload there.
    """
    tournament = tournament_for(slug, actor=actor, action=Action.UPLOAD)
    sheets = {record.scoresheet for record in records if record.scoresheet is not None}
    places = queries.places_of_sheets(sheets)
    own = {uid for uid, place in places.items() if place.tournament_id == tournament.pk}
    sent = {place: _sent(record, own) for place, record in enumerate(records)}
    deals = {place: deal for place, deal in sent.items() if deal is not None}
    before = scoring.carried_out(deal.operation_id for deal in deals.values())
    outcomes = _outcomes(actor, deals, at)
    return tuple(
        _report(record, outcomes[place], before) if place in outcomes else _refused(record, own)
        for place, record in enumerate(records)
    )


def _sent(record: HandedRecord, own: set[UUID]) -> SentDeal | None:
    """Return the deal as the phone sends it; None where it cannot be one of this tournament."""
    operation_id, scoresheet = record.operation_id, record.scoresheet
    if operation_id is None or scoresheet not in own or not record.pcn:
        return None
    return SentDeal(
        operation_id=operation_id,
        scoresheet=scoresheet,
        pcn=record.pcn,
        base_revision=record.base_revision,
        reason=record.reason,
        file=record.file,
    )


def _outcomes(actor: Actor, sent: dict[int, SentDeal], at: datetime) -> dict[int, Outcome]:
    found = dict(
        zip(sent, sync.sync_deals(actor=actor, count=None, deals=[*sent.values()], at=at), strict=True)
    )
    again = {place: _by_text(one.sent) for place, one in found.items() if _is_reused(one)}
    answers = sync.sync_deals(actor=actor, count=None, deals=[*again.values()], at=at)
    return found | dict(zip(again, answers, strict=True))


def _is_reused(outcome: Outcome) -> bool:
    return [one["code"] for one in outcome.problems] == [code_of(OperationReused)]


def _by_text(sent: SentDeal) -> SentDeal:
    """Return the deal as an operation of its own, the same for the same text."""
    return replace(sent, operation_id=uuid5(sent.operation_id, sent.pcn))


# -- what is said of it


def _report(record: HandedRecord, outcome: Outcome, before: frozenset[UUID]) -> HandedReport:
    found, conflict = outcome.conflict or outcome.answer, outcome.conflict
    was_there = outcome.is_taken and outcome.sent.operation_id in before
    return HandedReport(
        became=Became.DUPLICATE if was_there else outcome.became,
        file=record.file,
        match=_words(record),
        number=_number(record),
        scoresheet=outcome.sent.scoresheet,
        deal=found.deal_uid if found is not None else None,
        revision=found.revision if found is not None else 0,
        current=conflict.current if conflict is not None else "",
        offered=record.pcn,
        problems=tuple(
            _placed(record, one["code"], one["message"], one["severity"]) for one in outcome.problems
        ),
    )


def _refused(record: HandedRecord, own: set[UUID]) -> HandedReport:
    return HandedReport(
        became=Became.REJECTED,
        file=record.file,
        match=_words(record),
        number=_number(record),
        offered=record.pcn or record.reading.text,
        problems=tuple(_why_not(record, own)),
    )


def _why_not(record: HandedRecord, own: set[UUID]) -> Iterable[RecordProblem]:
    reading = record.reading
    if reading.record is None:
        for problem in reading.problems:
            yield RecordProblem(
                code=problem.code.value,
                kind=problem.kind.value,
                message=problem.message,
                file=record.file,
                record=reading.number,
                line=problem.line,
                column=problem.column,
            )
    elif record.operation_id is None or record.scoresheet is None:
        message = _(
            "The lines that begin with [Phone were changed. Save the file on the phone again; or remove these lines, "
            "and the deal is taken by its round, table and names."
        )
        yield _placed(record, SPOILT, message)
    elif record.scoresheet not in own:
        message = _(
            "No match of this tournament has this deal's scoresheet. Upload the file to the tournament that it was "
            "played in; if its round was taken back and drawn again, remove the lines that begin with [Phone, and the "
            "deal is taken by its round, table and names."
        )
        yield _placed(record, NO_SUCH_SHEET, message)


def _placed(record: HandedRecord, code: str, message: str, severity: str = "error") -> RecordProblem:
    kind = Kind.WARNING if severity == "warning" else Kind.IMPOSSIBLE
    return RecordProblem(
        code=code,
        kind=kind.value,
        message=message,
        file=record.file,
        record=record.reading.number,
        line=record.reading.line,
        column=1,
    )


def _words(record: HandedRecord) -> str:
    return words_of(key_left(record.tags))


def _number(record: HandedRecord) -> int:
    if record.reading.record is not None:
        return record.reading.record.deal
    return whole_number(record.tags.get("Deal", "")) or 0
