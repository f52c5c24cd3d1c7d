"""What happened in collections, as programs follow it."""

from collections.abc import Collection as Ids
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from scoring.models import Collection, StreamEvent


@dataclass(frozen=True, slots=True, kw_only=True)
class EventLine:
    """An event of a collection."""

    id: int
    collection_id: int
    number: int
    kind: str
    version: int
    data: Mapping[str, Any]
    made_at: datetime


def events_after(collection_id: int, after: int, *, limit: int) -> tuple[EventLine, ...]:
    """Return the events of a collection after that number, at most so many, in their order. One query.

    For who has decided that they may be seen.
    """
    rows = StreamEvent.objects.filter(collection=collection_id, number__gt=after).order_by("number")
    return tuple(map(_line, rows[:limit]))


def events_by_id(ids: Ids[int]) -> dict[int, EventLine]:
    """Return events by their database ids. One query. For who has decided that they may be seen."""
    return {row.pk: _line(row) for row in StreamEvent.objects.filter(pk__in=list(ids))}


def last_events(collection_ids: Ids[int]) -> dict[int, int]:
    """Return the number of the last event of each collection, by id; 0 where there was none. One query."""
    return dict(Collection.objects.filter(pk__in=list(collection_ids)).values_list("pk", "events"))


def _line(row: StreamEvent) -> EventLine:
    return EventLine(
        id=row.pk,
        collection_id=row.collection_id,
        number=row.number,
        kind=row.kind,
        version=row.version,
        data=row.data,
        made_at=row.made_at,
    )
