"""Whether what is kept is what the library finds in the records today."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction

from courtpiece.notation import write
from scoring.ledgers import revoked_team
from scoring.models import Revision, RevisionKind, Scoresheet
from scoring.plans import outcome_columns, plan, standing
from scoring.records import finding_json, judge, read_kept
from scoring.sheets import HeldDeal, SheetState, load_sheets


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Something stored that is not what is derived today."""

    where: str
    """``scoresheet UID, deal 3, revision 2``, or less of it."""
    what: str
    """A column, a key of the finding, ``text``, ``revisions`` or ``problems of the record``."""
    stored: str
    derived: str


def scoresheet_ids(*, collection_id: int | None = None) -> tuple[int, ...]:
    """Return the ids of the scoresheets of a collection, or of all there are, in order. One query."""
    sheets = (
        Scoresheet.objects.all()
        if collection_id is None
        else Scoresheet.objects.filter(collection=collection_id)
    )
    return tuple(sheets.order_by("pk").values_list("pk", flat=True))


@transaction.atomic
def audit_scoresheets(ids: Sequence[int]) -> tuple[Difference, ...]:
    """Replay every revision of the scoresheets, derive their ledgers anew, return the differences.

    The scoresheets are locked meanwhile, so that no write falls in between: give some tens at a time.
    """
    states = load_sheets(ids, lock=True)
    return tuple(difference for pk in sorted(states) for difference in _differences(states[pk]))


def _differences(state: SheetState) -> Iterator[Difference]:
    place = f"scoresheet {state.row.uid}"
    for number in sorted(state.deals):
        held = state.deals[number]
        for revision in held.revisions:
            yield from _of_revision(f"{place}, deal {number}, revision {revision.number}", revision)
        yield from _of_history(f"{place}, deal {number}", held)
    yield from _of_ledger(place, state)


def _of_revision(where: str, revision: Revision) -> Iterator[Difference]:
    reading = read_kept(revision.pcn)
    record, finding = reading.record, reading.finding()
    if record is None or finding is None:
        yield from _compare(where, {"text": revision.pcn}, {"text": "cannot be read"})
        return
    yield from _compare(where, {"text": revision.pcn}, {"text": write(record)})
    today = finding_json(finding)
    yield from _compare(where, revision.finding, {name: today.get(name) for name in revision.finding})
    if finding.outcome is not None and not _is_decided_by_a_person(revision):
        found = outcome_columns(finding.outcome, revoked_team(finding, finding.outcome))
        yield from _compare(where, revision.__dict__, found)


def _is_decided_by_a_person(revision: Revision) -> bool:
    return revision.kind == RevisionKind.VOID or hasattr(revision, "ruling")


def _of_history(where: str, held: HeldDeal) -> Iterator[Difference]:
    kept = [revision.number for revision in held.revisions]
    found = list(range(1, held.row.revision + 1))
    yield from _compare(where, {"revisions": kept}, {"revisions": found})


def _of_ledger(where: str, state: SheetState) -> Iterator[Difference]:
    planned = plan(state)
    for deal in planned.deals:
        if deal.held is None:
            continue
        of_deal = f"{where}, deal {deal.entry.number}"
        own = judge(deal.held.reading, rules=state.rules).problems
        kept, found = _codes(standing(deal.held.own_problems)), _codes(standing(own))
        yield from _compare(of_deal, {"problems of the record": kept}, {"problems of the record": found})
        columns = deal.columns()
        kept, found = _codes(deal.held.row.problems), _codes(columns.pop("problems"))
        yield from _compare(of_deal, {"problems": kept}, {"problems": found})
        yield from _compare(of_deal, deal.held.row.__dict__, columns)
    yield from _compare(where, state.row.__dict__, planned.sheet_columns())


def _codes(problems: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the codes of problems: how one is worded may change, what is wrong does not."""
    return [problem["code"] for problem in problems]


def _compare(where: str, kept: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[Difference]:
    for what, value in found.items():
        if kept[what] != value:
            yield Difference(where=where, what=what, stored=str(kept[what]), derived=str(value))
