"""The versions of collections, by which what is computed from one can tell that it is behind."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from django.db.models import BigIntegerField, F

from courtpiece.accounts.prepared import Prepared
from scoring import jobs
from scoring.bulk import update
from scoring.models import Collection

_VERSIONS: Final = Prepared(
    lambda ids: Collection.objects.filter(pk__in=ids).values_list("pk", "version"), BigIntegerField()
)


def versions_of(collection_ids: Iterable[int]) -> dict[int, int]:
    """Return the version of each collection, by id. One query."""
    return dict(_VERSIONS.rows(list(collection_ids)))


_NONE: Final[Mapping[int, int]] = MappingProxyType({})


def advance(
    collection_ids: Iterable[int | None],
    *,
    known: Mapping[int, int] = _NONE,
    last_events: Mapping[int, int] = _NONE,
) -> None:
    """Take the versions up by one, in the caller's transaction, and queue the standings for after it.

    A None among the ids is passed over. ``known`` are the versions of collections that are the caller's alone: these
    are not read. ``last_events`` are the numbers of the last events of some of them, where the caller writes events
    down with it. One query for each that is known, two for all the others.
    """
    ids = sorted({pk for pk in collection_ids if pk is not None})
    now = {pk: known[pk] + 1 for pk in ids if pk in known}
    for pk, version in now.items():
        told = {"events": last_events[pk]} if pk in last_events else {}
        update(Collection, pk, {"version": version, **told})
    others = [pk for pk in ids if pk not in known]
    if others:
        Collection.objects.filter(pk__in=others).update(version=F("version") + 1)
        now |= versions_of(others)
    for pk, version in sorted(now.items()):
        jobs.enqueue_after_commit(jobs.RECOMPUTE_STANDINGS, collection_id=pk, version=version)
