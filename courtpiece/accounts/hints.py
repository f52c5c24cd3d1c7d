"""What is told to others once a request is answered: that there is news, and that there is work.

The database is the truth, and whoever misses a hint finds by itself what is new. So nobody who asked for something
waits until it is given: where a server answers requests, hints wait for the answer to be on its way. Everywhere else
they are given at once.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from django.db import transaction

Hint = Callable[[], None]

logger = logging.getLogger(__name__)

_WAITING: Final[ContextVar[list[Hint] | None]] = ContextVar("waiting", default=None)


def hint_after_commit(hint: Hint) -> None:
    """Give the hint after the surrounding transaction is committed, or without one now, and after the answer.

    One that cannot be given is logged and otherwise no error.
    """

    # A function, not a partial: of what fails Django writes down the name, and a partial has none. That would fail in
    # turn, and what was just committed would be answered as an error.
    def give() -> None:
        hint_after_answer(hint)

    transaction.on_commit(give, robust=True)


def hint_after_answer(hint: Hint) -> None:
    """Give the hint after the answer, or where no answer waits for it now; outside of a transaction."""
    waiting = _WAITING.get()
    if waiting is None:
        hint()
    else:
        waiting.append(hint)


@contextmanager
def waiting_hints() -> Iterator[list[Hint]]:
    """Let hints that are ready in this block wait; return them, for :func:`give` to give."""
    waiting: list[Hint] = []
    token = _WAITING.set(waiting)
    try:
        yield waiting
    finally:
        _WAITING.reset(token)


def give(hints: list[Hint]) -> None:
    """Give the hints in their order, and forget them. What fails is logged, and the others are given."""
    while hints:
        hint = hints.pop(0)
        try:
            hint()
        except Exception:
            logger.exception("A hint could not be given; whoever misses it finds what is new by itself.")
