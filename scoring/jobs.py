"""Background jobs by name: scoring starts work of the apps above without knowing them."""

from typing import Final

from celery import signature
from django.db import transaction

RECOMPUTE_STANDINGS: Final = "tournaments.compute_standings"
"""Takes ``collection_id``, and the ``version`` from which on it need not be done any more."""


def enqueue_after_commit(name: str, /, **kwargs: int | str) -> None:
    """Queue the job once the surrounding transaction is committed, or at once without one.

    A queue that cannot be reached is logged and otherwise no error: what was written stands, and the sweep
    finds it.
    """
    job = signature(name, kwargs=kwargs)

    # A function, not a partial: of what fails Django writes down the name, and a partial has none. That would fail in
    # turn, and what was just committed would be answered as an error.
    def send() -> None:
        job.apply_async(retry=False)

    transaction.on_commit(send, robust=True)
