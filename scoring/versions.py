"""The versions of collections, by which what is computed from one can tell that it is behind."""

from collections.abc import Iterable

from django.db.models import F

from scoring import jobs
from scoring.models import Collection


def advance(collection_ids: Iterable[int | None]) -> None:
    """Take the versions up by one, in the caller's transaction, and queue the standings for after it.

    A None among the ids is passed over.
    """
    ids = sorted({pk for pk in collection_ids if pk is not None})
    if not ids:
        return
    rows = Collection.objects.filter(pk__in=ids)
    rows.update(version=F("version") + 1)
    for pk, version in rows.order_by("pk").values_list("pk", "version"):
        jobs.enqueue_after_commit(jobs.RECOMPUTE_STANDINGS, collection_id=pk, version=version)
