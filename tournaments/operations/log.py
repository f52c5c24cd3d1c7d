"""What writes down that something was done to a tournament: the one way in which its operations do."""

from datetime import datetime

from courtpiece.accounts.auditing import Detail, write_entry
from courtpiece.accounts.permissions import Actor
from scoring.operations import advance_collection
from tournaments.events import Event
from tournaments.models import Tournament


def write_down(tournament: Tournament, actor: Actor, event: Event, at: datetime, detail: Detail) -> None:
    """Write down what was done, in the caller's transaction."""
    write_entry(
        actor=actor,
        what=event,
        at=at,
        club_id=tournament.club_id,
        detail={"tournament": tournament.slug, **detail},
    )


def record_change(tournament: Tournament, actor: Actor, event: Event, at: datetime, detail: Detail) -> None:
    """Write down what was done, and have the standings computed anew."""
    write_down(tournament, actor, event, at, detail)
    advance_collection(collection_id=tournament.collection_id)
