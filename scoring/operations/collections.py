"""Changes to what scoresheets are counted in that write no deal."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Action, Actor, require
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Conflict
from scoring import versions
from scoring.models import Collection, Scoresheet
from scoring.operations.people import Pair
from scoring.sheets import CollectionLocked
from scoring.stream import Happened, write_events


class SheetInUse(Conflict):
    """A scoresheet with deals keeps its seats."""


@transaction.atomic
def advance_collection(*, collection_id: int) -> None:
    """Take the collection's version up by one: what is computed from it is behind. Queues the standings.

    For what changes them without writing a deal: a match is finished, an entry is penalised. Who calls it has
    decided that it may be done.
    """
    versions.advance([collection_id])


@transaction.atomic
def add_events(*, collection_id: int, happened: Sequence[Happened], at: datetime) -> None:
    """Write down for programs what happened in a collection that is no deal. Three queries, none for nothing.

    The collection's row is locked until the caller's transaction ends: what takes long is done before. Who calls it
    has decided that it may be done.
    """
    if not happened:
        return
    own = Collection.objects.filter(pk=collection_id)
    own.update(events=F("events") + len(happened))
    last, version = own.values_list("events", "version").get()
    write_events(happened, collection_id=collection_id, last=last - len(happened), version=version, at=at)


@transaction.atomic
def lock_collection(*, collection_id: int) -> None:
    """Close the collection's scoresheets and deals to every write, in the database itself.

    What is computed from them, who sees them and the names of their players can still change. Who calls it has decided
    that it may be done.
    """
    Collection.objects.filter(pk=collection_id).update(is_locked=True)


@transaction.atomic
def unlock_collection(*, collection_id: int) -> None:
    """Open what :func:`lock_collection` closed. Who calls it has decided that it may be done."""
    Collection.objects.filter(pk=collection_id).update(is_locked=False)


@transaction.atomic
def reseat_scoresheet(*, actor: Actor, scoresheet_id: int, ns: Pair, ew: Pair) -> None:
    """Put the pairs of a scoresheet without deals into other seats, as they sat down.

    Its collection is locked first, in the order in which a write of deals locks them.

    :raises NotFound: if there is no such scoresheet.
    :raises Forbidden: if the actor may not record deals there.
    :raises CollectionLocked: if its collection is locked.
    :raises SheetInUse: if it has a deal.
    """
    own = Scoresheet.objects.filter(pk=scoresheet_id, collection__isnull=False).values("collection")
    collections = list(Collection.objects.select_for_update().filter(pk__in=own))
    sheet = Scoresheet.objects.select_for_update(of=("self",)).filter(pk=scoresheet_id).first()
    if sheet is None:
        raise NotFound
    require(actor, Action.RECORD_DEAL, club_id=sheet.club_id)
    if any(collection.is_locked for collection in collections):
        raise CollectionLocked
    if sheet.version > 0:
        raise SheetInUse(_("The scoresheet has deals: its seats stay."))
    sheet.ns_id, sheet.ew_id = ns.partnership_id, ew.partnership_id
    sheet.north_id, sheet.south_id = ns.player_ids
    sheet.east_id, sheet.west_id = ew.player_ids
    sheet.save(update_fields=["ns", "ew", "north", "south", "east", "west"])


@transaction.atomic
def remove_unused_scoresheets(*, actor: Actor, scoresheet_ids: Sequence[int]) -> None:
    """Remove scoresheets to which nothing was ever written, as where a draw is taken back before its first deal.

    Their collections are locked first, in the order in which a write of deals locks them.

    :raises Forbidden: if the actor may not run tournaments in their clubs.
    :raises CollectionLocked: if a collection of theirs is locked.
    :raises SheetInUse: if something was written to one of them.
    """
    rows = Scoresheet.objects.filter(pk__in=scoresheet_ids)
    own = rows.filter(collection__isnull=False).values("collection")
    collections = list(Collection.objects.select_for_update().filter(pk__in=own).order_by("pk"))
    if any(collection.is_locked for collection in collections):
        raise CollectionLocked
    found = list(rows.select_for_update(of=("self",)).order_by("pk"))
    for club_id in {sheet.club_id for sheet in found}:
        require(actor, Action.MANAGE_TOURNAMENT, club_id=club_id)
    if any(sheet.version > 0 for sheet in found):
        raise SheetInUse(_("Something was written to the scoresheet: it stays."))
    rows.delete()
