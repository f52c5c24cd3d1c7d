"""What tells programs that something happened in a tournament: the one way in which its operations do."""

from collections.abc import Iterable
from datetime import datetime

from scoring.operations import Happened, add_events
from tournaments.events import Happening
from tournaments.models import Round


def tell(collection_id: int, happening: Happening, at: datetime, data: dict[str, object]) -> None:
    """Write it down in the caller's transaction, as its last step. Three queries."""
    add_events(collection_id=collection_id, happened=[Happened(happening.value, data)], at=at)


def tell_rounds(collection_id: int, happening: Happening, at: datetime, rounds: Iterable[Round]) -> None:
    """Write down what was done to rounds, an event each, in the caller's transaction. Three queries."""
    happened = [
        Happened(happening.value, {"round": {"id": str(row.uid), "number": row.number}}) for row in rounds
    ]
    add_events(collection_id=collection_id, happened=happened, at=at)
