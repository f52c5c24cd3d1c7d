"""Everything that checks what is stored against what it was derived from. Nothing is changed."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from scoring import operations as scoring_operations
from scoring.auditing import scoresheet_ids
from scoring.domain.differences import Difference
from tournaments.models import Standings, Tournament
from tournaments.operations.ratings import finished_matches
from tournaments.operations.standings import derive_standings

SHEETS_A_JOB = 50
"""Scoresheets that one job audits: about a thousand deals, all of them in memory."""


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
    kept = {**stored.table, "computed_at": derived.table["computed_at"]}
    found = [*_of_heading(where, kept, derived.table)]
    found += _of_entries(f"{where}, entry", kept["rows"], derived.table["rows"])
    found += _of_entries(f"{where}, reason of entry", stored.reasons, derived.reasons)
    return tuple(found)


def audit_ratings(*, club_id: int) -> tuple[Difference, ...]:
    """Rate the club's finished matches anew, and say where the stored ratings differ.

    Ratings that are behind are no difference: the sweep makes them. Its queries are those of
    ``scoring.operations.audit_ratings`` and one for each tournament.
    """
    return scoring_operations.audit_ratings(club_id=club_id, finished=finished_matches)


def _of_heading(where: str, kept: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[Difference]:
    for name, value in found.items():
        if name != "rows" and kept.get(name) != value:
            yield Difference(where=where, what=name, stored=str(kept.get(name)), derived=str(value))


def _of_entries(
    where: str, kept: Sequence[Mapping[str, Any]], found: Sequence[Mapping[str, Any]]
) -> Iterator[Difference]:
    """Yield what differs in the rows of an entry, and what order the entries are in where that differs."""
    order = [row["entry"] for row in found]
    if [row["entry"] for row in kept] != order:
        kept_order = str([row["entry"] for row in kept])
        yield Difference(where=where, what="order", stored=kept_order, derived=str(order))
    kept_rows = {row["entry"]: row for row in kept}
    for row in found:
        kept_row = kept_rows.get(row["entry"], {})
        for name, value in row.items():
            if kept_row.get(name) != value:
                place = f"{where} {row['entry']}"
                yield Difference(where=place, what=name, stored=str(kept_row.get(name)), derived=str(value))
