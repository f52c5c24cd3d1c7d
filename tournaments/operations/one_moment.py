"""Much that is read of a tournament, all of it as it was at one moment, while others write."""

from collections.abc import Callable
from typing import Final, TypeVar

from django.db import connection

from courtpiece.accounts.one_moment import one_moment
from scoring import queries as scoring

T = TypeVar("T")
TRIES: Final = 3
"""How often everything is read again because something was written meanwhile, before nobody may write."""


def at_one_moment(collection_id: int, read: Callable[[], T], *, version_of: Callable[[T], int | None]) -> T:
    """Return what is read; ``version_of`` says at which version of the collection, None: there is nothing to read.

    ``read`` may be called several times: each time it begins anew. PostgreSQL shows one moment to a transaction. On
    SQLite one that is open keeps every writer waiting, so that it is only read in one where others will not stop.
    """
    if connection.in_atomic_block:
        return read()
    if connection.vendor == "postgresql":
        with one_moment():
            return read()
    for _attempt in range(TRIES):
        found = read()
        version = version_of(found)
        if version is None or scoring.collection_versions([collection_id])[collection_id] == version:
            return found
    with one_moment():
        return read()
