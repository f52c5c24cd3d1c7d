"""Everything that checks what is stored against what it was derived from. Nothing is changed."""

from collections.abc import Iterator
from datetime import datetime

from scoring.auditing import Difference, scoresheet_ids
from tournaments.models import Standings, Tournament
from tournaments.operations.standings import derive_standings

SHEETS_A_JOB = 50
"""Scoresheets that one job audits: about a thousand deals, locked meanwhile."""


def sheet_chunks() -> Iterator[list[int]]:
    """Yield the ids of all scoresheets, a job's worth at a time."""
    ids = scoresheet_ids()
    for start in range(0, len(ids), SHEETS_A_JOB):
        yield list(ids[start : start + SHEETS_A_JOB])


def collections_with_standings() -> list[int]:
    """Return the ids of the collections of tournaments that have standings."""
    rows = Tournament.objects.filter(standings__isnull=False).order_by("pk")
    return list(rows.values_list("collection_id", flat=True))


def audit_standings(*, collection_id: int, now: datetime) -> tuple[Difference, ...]:
    """Derive the standings of the collection's tournament anew, and say where the stored ones differ.

    Standings that are behind are no difference: the sweep computes them. Ten queries.
    """
    derived = derive_standings(collection_id=collection_id, now=now)
    stored = Standings.objects.filter(tournament__collection=collection_id).first()
    if derived is None or stored is None:
        return ()
    if stored.version != derived.version:
        return ()
    where = f"standings of {derived.table['tournament']['slug']} at version {derived.version}"
    table = {**derived.table, "computed_at": stored.table["computed_at"]}
    facts = [(name, stored.table.get(name), value) for name, value in table.items()]
    facts.append(("reasons", stored.reasons, derived.reasons))
    return tuple(
        Difference(where=where, what=name, stored=str(kept), derived=str(value))
        for name, kept, value in facts
        if kept != value
    )
