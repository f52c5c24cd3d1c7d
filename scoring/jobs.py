"""Background jobs by name: scoring starts work of the apps above without knowing them."""

from typing import Final

from celery import signature

from courtpiece.accounts.hints import hint_after_commit

RECOMPUTE_STANDINGS: Final = "tournaments.compute_standings"
"""Takes ``collection_id``, and the ``version`` from which on it need not be done any more."""

ANALYSE_DEAL: Final = "scoring.analyse_deal"
"""Takes ``revision_id``."""


def enqueue_after_commit(name: str, /, **kwargs: int | str) -> None:
    """Queue the job once the surrounding transaction is committed and the request is answered; without, at once.

    A queue that cannot be reached is logged and otherwise no error: what was written stands, and the sweep
    finds it.
    """
    job = signature(name, kwargs=kwargs)

    def send() -> None:
        job.apply_async(retry=False)

    hint_after_commit(send)
