"""Whether what an archive has of a scoresheet is what its records say: everything is derived from them anew."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import cast

from courtpiece.engine import Finding, LedgerLine, Outcome, Rules
from courtpiece.engine.decisions import objection_to_outcome
from courtpiece.engine.rules import RulesError
from courtpiece.notation import Problem, Reading, Record, finding_keys, read, write
from courtpiece.notation.checker import problems_of_doubts
from scoring.domain.archived import (
    ArchivedDeal,
    ArchivedLine,
    ArchivedRevision,
    ArchivedSheet,
    ArchivedTotals,
    SeatName,
    StandingProblem,
    archived_outcome,
    by_side,
)
from scoring.domain.differences import Difference
from scoring.domain.ledgers import LedgerEntry, SheetTotals, ledger_of, revoked_team, totals_of
from scoring.domain.typed_json import JsonObject, canonical, digest, to_json


@dataclass(frozen=True, slots=True)
class _ReadDeal:
    """A deal with its current record, read and judged again."""

    deal: ArchivedDeal
    reading: Reading
    record: Record
    finding: Finding


def sheet_digest(sheet: ArchivedSheet) -> str:
    """Return the digest of the scoresheet."""
    whole = cast(JsonObject, to_json(sheet))
    del whole["sha256"]
    return digest(whole)


def sealed(sheet: ArchivedSheet) -> ArchivedSheet:
    """Return the scoresheet with its digest."""
    return replace(sheet, sha256=sheet_digest(sheet))


def check_sheet(sheet: ArchivedSheet) -> Iterator[Difference]:
    """Yield what of the scoresheet is not as its records say, the digest first."""
    where = f"scoresheet {sheet.id}"
    yield from _compared(where, "sha256", sheet.sha256, sheet_digest(sheet))
    try:
        rules = Rules.parse(sheet.rules)
    except RulesError as error:
        yield Difference(where=where, what="rules", stored=sheet.rules, derived=str(error))
        return
    yield from _compared(where, "rules", sheet.rules, str(rules))
    yield from _check_date(where, sheet.date)
    yield from _compared(where, "seats", len({*_seated(sheet)}), 4)
    yield from _compared(where, "partnerships", len({sheet.ns, sheet.ew}), 2)
    found = []
    for deal in sheet.deals:
        yield from _check_history(f"{where}, deal {deal.number}", deal)
        for revision in deal.revisions:
            yield from _check_revision(
                f"{where}, deal {deal.number}, revision {revision.number}", deal, revision, rules
            )
        again = _read(deal)
        if again is not None:
            found.append(again)
    if len(found) == len(sheet.deals):
        yield from _check_ledger(where, sheet, rules, found)


def _check_date(where: str, date: str) -> Iterator[Difference]:
    """Yield a date that a record could not have."""
    text = f'[Date "{date or "?"}"]\n[Deal "1"]\n[Dealer "N"]\n[Result "NS 7-4"]\n'
    readings = list(read(text))
    if len(readings) != 1 or readings[0].record is None or readings[0].record.deal != 1:
        yield Difference(where=where, what="date", stored=date, derived="a date")


def _seated(sheet: ArchivedSheet) -> tuple[object, ...]:
    seats = sheet.seats
    return seats.N, seats.E, seats.S, seats.W


def _check_history(where: str, deal: ArchivedDeal) -> Iterator[Difference]:
    numbers = [revision.number for revision in deal.revisions]
    yield from _compared(where, "revisions", numbers, list(range(1, len(numbers) + 1)))
    first = deal.revisions[0].kind
    yield from _compared(where, "kind of the first revision", first, "record")


def _read(deal: ArchivedDeal) -> _ReadDeal | None:
    reading = next(read(deal.current.pcn), None)
    if reading is None or reading.record is None:
        return None
    finding = reading.finding()
    return None if finding is None else _ReadDeal(deal, reading, reading.record, finding)


# -- one revision


def _check_revision(
    where: str, deal: ArchivedDeal, revision: ArchivedRevision, rules: Rules
) -> Iterator[Difference]:
    readings = list(read(revision.pcn))
    record = readings[0].record if len(readings) == 1 else None
    finding = readings[0].finding() if record is not None else None
    if record is None or finding is None:
        yield Difference(where=where, what="pcn", stored=revision.pcn, derived="one record that can be read")
        return
    yield from _compared(where, "pcn", revision.pcn, write(record))
    yield from _compared(where, "deal of the record", record.deal, deal.number)
    yield from _compared(where, "rules of the record", str(record.rules), str(rules))
    named = [name for name, _value in record.tags if name in {"NS", "EW"}]
    yield from _compared(where, "players in the record", named, [])
    today = finding_keys(finding)
    for key, value in sorted(revision.finding.items()):
        yield from _compared(f"{where}, finding", key, value, today.get(key))
    yield from _check_outcome(where, revision, finding)


def _check_outcome(where: str, revision: ArchivedRevision, finding: Finding) -> Iterator[Difference]:
    """Yield where an outcome is not the finding's, or that of a decision that there can be."""
    outcome = revision.outcome.value
    if revision.kind == "void":
        yield from _compared(where, "outcome", to_json(revision.outcome), _outcome_json(Outcome.void()))
    elif revision.ruling is not None:
        objection = objection_to_outcome(outcome)
        yield from _compared(where, "objection to the ruling", objection and objection.value, None)
    elif finding.outcome is None:
        yield Difference(
            where=where, what="outcome", stored=canonical(to_json(revision.outcome)), derived="none"
        )
    else:
        yield from _compared(where, "outcome", to_json(revision.outcome), _outcome_json(finding.outcome))
    revoked = revoked_team(finding, outcome)
    yield from _compared(where, "revoked", revision.revoked, revoked.name if revoked is not None else None)
    if revision.kind != "record":
        yield from _compared(where, "has a reason", bool(revision.reason), True)


def _outcome_json(outcome: Outcome) -> object:
    return to_json(archived_outcome(outcome))


# -- the ledger


def _check_ledger(
    where: str, sheet: ArchivedSheet, rules: Rules, deals: list[_ReadDeal]
) -> Iterator[Difference]:
    numbers = [deal.number for deal in sheet.deals]
    yield from _compared(where, "order of the deals", numbers, sorted({*numbers}))
    yield from _compared(where, "was written to", sheet.version > 0, bool(deals) or sheet.version > 0)
    entries = [_entry(one) for one in deals]
    ledger = ledger_of(rules, entries)
    for one, (line, doubts) in zip(deals, ledger, strict=True):
        place = f"{where}, deal {one.deal.number}"
        yield from _compared(place, "ledger", to_json(one.deal.ledger), to_json(archived_line(line)))
        problems = [*one.reading.located(one.finding), *problems_of_doubts(doubts, one.reading)]
        yield from _compared(place, "problems", _counted(one.deal.problems), _counted_again(problems))
    totals = totals_of(entries, [line for line, _doubts in ledger])
    derived = archived_totals(totals, problem_deals=sum(bool(deal.problems) for deal in sheet.deals))
    yield from _compared_parts(f"{where}, totals", to_json(sheet.totals), to_json(derived))


def _entry(one: _ReadDeal) -> LedgerEntry:
    outcome = one.deal.current.outcome.value
    return LedgerEntry(
        number=one.deal.number,
        dealer=one.record.dealer,
        outcome=outcome,
        stated_courts=one.record.stated_courts,
        revoked=revoked_team(one.finding, outcome),
    )


def archived_line(line: LedgerLine) -> ArchivedLine:
    """Return the ledger's line for an archive."""
    return ArchivedLine(
        run_courts=by_side(line.run_courts), courts=by_side(line.courts), runs=by_side(line.runs)
    )


def archived_totals(totals: SheetTotals, *, problem_deals: int) -> ArchivedTotals:
    """Return the totals for an archive."""
    dealer = totals.next_dealer
    return ArchivedTotals(
        deals=totals.deals,
        problem_deals=problem_deals,
        courts=by_side(totals.courts),
        deals_won=by_side(totals.deals_won),
        bavneys=by_side(totals.bavneys),
        goon_courts=by_side(totals.goon_courts),
        revokes=by_side(totals.revokes),
        runs=by_side(totals.runs),
        next_dealer=None if dealer is None else cast(SeatName, dealer.letter),
    )


def _counted(problems: Iterable[StandingProblem]) -> list[str]:
    """Return the problems by code: how one is worded may change, what is wrong does not."""
    return sorted(Counter(f"{problem.kind} {problem.code}" for problem in problems).elements())


def _counted_again(problems: Iterable[Problem]) -> list[str]:
    return sorted(f"{problem.kind.value} {problem.code.value}" for problem in problems)


def _compared(where: str, what: str, stored: object, derived: object) -> Iterator[Difference]:
    if stored != derived:
        yield Difference(where=where, what=what, stored=_shown(stored), derived=_shown(derived))


def _compared_parts(where: str, stored: object, derived: object) -> Iterator[Difference]:
    """Yield the keys of two objects whose values differ."""
    kept, found = cast(JsonObject, stored), cast(JsonObject, derived)
    for key, value in found.items():
        yield from _compared(where, key, kept.get(key), value)


def _shown(value: object) -> str:
    return value if isinstance(value, str) else canonical(value)
