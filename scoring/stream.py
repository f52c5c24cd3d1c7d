"""The numbered events of collections: what programs that follow one are told, written with what happened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from scoring.bulk import insert
from scoring.models import StreamEvent

DEAL_RECORDED: Final = "deal.recorded"
"""Deals that were not there before; ``data`` has the ``scoresheet`` and its ``deals``."""
DEAL_CORRECTED: Final = "deal.corrected"
"""Another revision of a deal: a correction, a ruling, or made void; ``data`` is the same."""


@dataclass(frozen=True, slots=True)
class Happened:
    """What an event is to tell."""

    kind: str
    data: Mapping[str, Any]


def write_events(
    happened: Sequence[Happened], *, collection_id: int, last: int, version: int, at: datetime
) -> None:
    """Write events down, in the transaction that counted them in the collection. One statement, none for none.

    ``last`` is the number of the last event before them, ``version`` the collection's with them.
    """
    insert(
        StreamEvent,
        [
            StreamEvent(
                collection_id=collection_id,
                number=number,
                kind=one.kind,
                version=version,
                data=dict(one.data),
                made_at=at,
            )
            for number, one in enumerate(happened, start=last + 1)
        ],
    )
