"""Whether what is kept is what the library finds in the records today."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from courtpiece.accounts.one_moment import one_moment
from courtpiece.engine import Team
from courtpiece.notation import Reading, write
from scoring.bulk import garbage_later
from scoring.domain.differences import Difference
from scoring.domain.ledgers import revoked_team
from scoring.domain.statistics import figures_of
from scoring.figures import DERIVED_COLUMNS, derived_values
from scoring.models import Deal, Revision, RevisionKind, Ruling, Scoresheet, SideFigures
from scoring.plans import (
    FOUND_COLUMNS,
    LEDGER_COLUMNS,
    OUTCOME_COLUMNS,
    Plan,
    PlannedDeal,
    found_values,
    ledger_values,
    outcome_values,
    plan,
    standing,
)
from scoring.records import RecordProblem, finding_json, own_problems, read_kept
from scoring.sheets import HeldDeal, SheetState, sheets_to_audit

Place = tuple[str] | tuple[str, int] | tuple[str, int, int]
"""A scoresheet, a deal's number in it, a revision's number: put into words only where something differs."""


def scoresheet_ids(*, collection_id: int | None = None) -> tuple[int, ...]:
    """Return the ids of the scoresheets of a collection, or of all there are, in order. One query."""
    sheets = (
        Scoresheet.objects.all()
        if collection_id is None
        else Scoresheet.objects.filter(collection=collection_id)
    )
    return tuple(sheets.order_by("pk").values_list("pk", flat=True))


@dataclass(frozen=True, slots=True)
class SizeOfAudit:
    """How much there is to audit."""

    sheets: int
    deals: int


def size_of_audit() -> SizeOfAudit:
    """Return how much there is to audit. Two queries."""
    return SizeOfAudit(Scoresheet.objects.count(), Deal.objects.count())


@garbage_later()
def audit_scoresheets(ids: Sequence[int]) -> tuple[Difference, ...]:
    """Replay every revision of the scoresheets, derive their ledgers anew, return the differences.

    Everything is read as it was at one moment, and nothing is locked: whoever records a deal meanwhile does not wait.
    All of it is in memory, so give some tens at a time. Three queries.
    """
    with one_moment():
        states = sheets_to_audit(ids)
        kept = {(row.scoresheet_id, row.side): row for row in SideFigures.objects.filter(scoresheet__in=ids)}
    return tuple(difference for state in states for difference in _differences(state, kept))


KeptFigures = Mapping[tuple[int, str], SideFigures]
"""By scoresheet and side."""


def _differences(state: SheetState, kept: KeptFigures) -> Iterator[Difference]:
    place = f"scoresheet {state.row.uid}"
    for number, held in sorted(state.deals.items()):
        for revision in held.revisions:
            reading = held.reading if revision is held.current else read_kept(revision.pcn)
            yield from _of_revision((place, number, revision.number), revision, reading)
        yield from _of_history((place, number), held)
    planned = plan(state)
    yield from _of_ledger(place, planned)
    yield from _of_figures(place, planned, kept)


def _of_revision(where: Place, revision: Revision, reading: Reading) -> Iterator[Difference]:
    record, finding = reading.record, reading.finding()
    if record is None or finding is None:
        yield from _compare(where, {"text": revision.pcn}, {"text": "cannot be read"})
        return
    text = write(record)
    if text != revision.pcn:
        yield from _compare(where, {"text": revision.pcn}, {"text": text})
    today = finding_json(finding)
    if today != revision.finding:
        yield from _compare(where, revision.finding, {name: today.get(name) for name in revision.finding})
    if finding.outcome is None:
        return
    found = outcome_values(finding.outcome, revoked_team(finding, finding.outcome))
    if _outcome_of(revision.__dict__) != found and not _is_decided_by_a_person(revision):
        yield from _compare(where, revision.__dict__, dict(zip(OUTCOME_COLUMNS, found, strict=True)))


def _is_decided_by_a_person(revision: Revision) -> bool:
    """Return whether what counts is not what was found. One query where it was not made void."""
    return revision.kind == RevisionKind.VOID or Ruling.objects.filter(pk=revision.pk).exists()


def _of_history(where: Place, held: HeldDeal) -> Sequence[Difference]:
    last = held.row.revision
    if len(held.revisions) == last == held.current.number:
        return ()  # the database keeps no number twice
    kept = [revision.number for revision in held.revisions]
    return _compare(where, {"revisions": kept}, {"revisions": list(range(1, last + 1))})


def _of_ledger(sheet: str, planned: Plan) -> Iterator[Difference]:
    rules = planned.state.rules
    for deal in planned.deals:
        held = deal.held
        if held is None:
            continue
        where, row = (sheet, deal.entry.number), held.row
        own = own_problems(held.reading, rules=rules)
        if own or deal.problems or row.problems:
            yield from _of_problems(where, deal, held, own)
        found = ledger_values(deal.entry, deal.line)
        if _ledger_of(row.__dict__) != found:
            yield from _compare(where, row.__dict__, dict(zip(LEDGER_COLUMNS, found, strict=True)))
        record = held.reading.record
        if record is None:
            continue
        found = found_values(record, held.reading.finding(), deal.entry.revoked)
        if _found_of(row.__dict__) != found:
            yield from _compare(where, row.__dict__, dict(zip(FOUND_COLUMNS, found, strict=True)))
    yield from _compare((sheet,), planned.state.row.__dict__, planned.sheet_columns())


def _of_problems(
    where: Place, deal: PlannedDeal, held: HeldDeal, own: Sequence[RecordProblem]
) -> Iterator[Difference]:
    kept, found = _codes(standing(held.own_problems)), _codes(standing(own))
    yield from _compare(where, {"problems of the record": kept}, {"problems of the record": found})
    kept, found = _codes(held.row.problems), _codes(standing(deal.problems))
    yield from _compare(where, {"problems": kept}, {"problems": found})


_outcome_of: Final = itemgetter(*OUTCOME_COLUMNS)
_ledger_of: Final = itemgetter(*LEDGER_COLUMNS)
_found_of: Final = itemgetter(*FOUND_COLUMNS)
_figures_of: Final = itemgetter(*DERIVED_COLUMNS)


def _of_figures(sheet_name: str, planned: Plan, kept: KeptFigures) -> Iterator[Difference]:
    sheet = planned.state.row
    has_figures = sheet.club_id is not None and sheet.version > 0
    for team, figures in zip(Team, figures_of(planned.counted(sheet.created_at).deals), strict=True):
        of_side = (f"{sheet_name}, figures of {team.name}",)
        stands = kept.get((sheet.pk, team.name))
        if stands is None or not has_figures:
            yield from _compare(of_side, {"kept": stands is not None}, {"kept": has_figures})
            continue
        found = derived_values(sheet.date, figures)
        if _figures_of(stands.__dict__) != found:
            yield from _compare(of_side, stands.__dict__, dict(zip(DERIVED_COLUMNS, found, strict=True)))


def _codes(problems: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the codes of problems: how one is worded may change, what is wrong does not."""
    return [problem["code"] for problem in problems]


def _compare(where: Place, kept: Mapping[str, Any], found: Mapping[str, Any]) -> Sequence[Difference]:
    return [
        Difference(where=_words(*where), what=what, stored=str(kept[what]), derived=str(value))
        for what, value in found.items()
        if kept[what] != value
    ]


def _words(sheet: str, deal: int = 0, revision: int = 0) -> str:
    return sheet + (f", deal {deal}" if deal else "") + (f", revision {revision}" if revision else "")
