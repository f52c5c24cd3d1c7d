"""Everything that says who is there."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Action, Actor
from tournaments.errors import WrongState
from tournaments.events import Event
from tournaments.models import Absence, AbsenceKind, Entry, EntryState, Tournament
from tournaments.operations.listing import check_version, entry_of, published_rounds, save_entry
from tournaments.operations.log import record_change
from tournaments.operations.once import Answer, once
from tournaments.operations.running import locked


@transaction.atomic(durable=True)
def check_in(
    *, actor: Actor, slug: str, entry: int, is_there: bool, at: datetime, version: int | None = None
) -> None:
    """Say that a pair is there, or take it back. Who is there is not absent from the next round any more.

    What is so already stays so, whatever version was looked at: two who check in the same pair agree.

    :raises NotFound: if there is no such tournament or entry.
    :raises Forbidden: if the actor may not run it.
    :raises TournamentIsFinal: if its standings are final.
    :raises WrongState: if the entry does not play now.
    :raises ChangedMeanwhile: if the entry was changed since the version, and this would change it.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    row = entry_of(tournament, entry, version=None)
    if row.state != EntryState.ACTIVE:
        raise WrongState(_("This entry is %(state)s.") % {"state": EntryState(row.state).label})
    if (row.checked_in_at is not None) == is_there:
        return
    check_version(row, version)
    row.checked_in_at = at if is_there else None
    save_entry(row, "checked_in_at")
    if is_there:
        following = published_rounds(tournament) + 1
        Absence.objects.filter(entry=row, round_number=following, kind=AbsenceKind.ABSENT).delete()
    event = Event.ENTRY_CHECKED_IN if is_there else Event.ENTRY_NOT_CHECKED_IN
    record_change(tournament, actor, event, at, {"entry": row.number})


@transaction.atomic(durable=True)
def mark_absent(*, actor: Actor, slug: str, at: datetime, act_id: UUID | None = None) -> tuple[int, ...]:
    """Say of every pair that is not checked in that it is not there in the next round, and return their numbers.

    Who asked to sit that round out still does. The same again changes nothing.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    :raises TournamentIsFinal: if its standings are final.
    :raises ActReused: if the act was another one.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)

    def carry_out() -> Answer:
        return {"entries": list(_marked(tournament, actor, at))}

    done = once(tournament, act_id=act_id, what="mark-absent", asked={}, at=at, carry_out=carry_out)
    numbers = done["entries"]
    assert isinstance(numbers, list)
    return tuple(int(number) for number in numbers)


def _marked(tournament: Tournament, actor: Actor, at: datetime) -> tuple[int, ...]:
    following = published_rounds(tournament) + 1
    missing = Entry.objects.filter(tournament=tournament, state=EntryState.ACTIVE, checked_in_at=None)
    rows = list(missing.exclude(absences__round_number=following).order_by("number"))
    if not rows:
        return ()
    Absence.objects.bulk_create(
        Absence(entry=row, round_number=following, kind=AbsenceKind.ABSENT) for row in rows
    )
    numbers = tuple(row.number for row in rows)
    record_change(
        tournament,
        actor,
        Event.ENTRIES_ABSENT,
        at,
        {"round": following, "entries": [str(number) for number in numbers]},
    )
    return numbers


@transaction.atomic(durable=True)
def clear_check_in(*, actor: Actor, slug: str, at: datetime, act_id: UUID | None = None) -> None:
    """Take every check-in back, as before another session.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    :raises TournamentIsFinal: if its standings are final.
    :raises ActReused: if the act was another one.
    """
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)

    def carry_out() -> Answer:
        _clear(tournament, actor, at)
        return {}

    once(tournament, act_id=act_id, what="clear-check-in", asked={}, at=at, carry_out=carry_out)


def _clear(tournament: Tournament, actor: Actor, at: datetime) -> None:
    rows = list(Entry.objects.filter(tournament=tournament, checked_in_at__isnull=False))
    for row in rows:
        row.checked_in_at = None
        row.version += 1
    Entry.objects.bulk_update(rows, ["checked_in_at", "version"])
    if rows:
        record_change(
            tournament, actor, Event.CHECK_IN_CLEARED, at, {"entries": [str(row.number) for row in rows]}
        )
