"""Who sits in for a player in one match."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Action, Actor, require
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Refused
from scoring import versions
from scoring.models import Collection, Player, Scoresheet
from scoring.names import clean_name, search_key
from scoring.operations.collections import SheetInUse
from scoring.operations.naming import add_name_keys
from scoring.operations.people import SamePlayerTwice
from scoring.sheets import CollectionLocked

SEATS: Final = ("north", "south", "east", "west")


class NotAtTheTable(Refused):
    """The player who is to be replaced does not sit there."""

    field = "absent"


@transaction.atomic
def find_or_make_player(*, actor: Actor, club_id: int, name: str, at: datetime) -> int:
    """Return the id of the club's player of that name, who is made where there is none.

    :raises Forbidden: if the actor may not record deals in the club.
    :raises NameRefused: if it cannot be a name.
    """
    require(actor, Action.RECORD_DEAL, club_id=club_id)
    kept = clean_name(name)
    hidden = Player.objects.filter(club=club_id, hidden_name=kept).first()
    if hidden is not None:
        return hidden.pk
    player, is_made = Player.objects.get_or_create(
        club_id=club_id, name=kept, defaults={"search_key": search_key(kept), "created_at": at}
    )
    if is_made:
        add_name_keys({player.pk: kept})
    return player.pk


@transaction.atomic
def seat_substitute(
    *, actor: Actor, scoresheet_id: int, absent_id: int, substitute_id: int, played_all: bool = False
) -> None:
    """Put another player into a player's seat of one scoresheet. The partnerships stay.

    A scoresheet has one player a seat, for all its deals: once it has deals, who says ``played_all`` says that the
    substitute played every one of them. From then on its records name the substitute. Runs in the caller's
    transaction or opens one; its collection is locked first.

    :raises NotFound: if there is no such scoresheet.
    :raises Forbidden: if the actor may not record deals there, or with deals may not correct them.
    :raises CollectionLocked: if its collection is locked.
    :raises NotAtTheTable: if nobody of that id sits there.
    :raises SamePlayerTwice: if the substitute sits there already.
    :raises SheetInUse: if it has a deal, and nobody said that the substitute played all.
    """
    own = Scoresheet.objects.filter(pk=scoresheet_id, collection__isnull=False).values("collection")
    collections = list(Collection.objects.select_for_update().filter(pk__in=own))
    sheet = Scoresheet.objects.select_for_update(of=("self",)).filter(pk=scoresheet_id).first()
    if sheet is None:
        raise NotFound
    require(actor, Action.CORRECT_DEAL if sheet.version else Action.RECORD_DEAL, club_id=sheet.club_id)
    if any(collection.is_locked for collection in collections):
        raise CollectionLocked
    if sheet.version > 0 and not played_all:
        raise SheetInUse(
            _("Deals are recorded already. Say that the substitute played all of them, or leave the seats.")
        )
    _reseat(sheet, absent_id, substitute_id)
    versions.advance([collection.pk for collection in collections])


def _reseat(sheet: Scoresheet, absent_id: int, substitute_id: int) -> None:
    seated = {seat: getattr(sheet, f"{seat}_id") for seat in SEATS}
    seat = next((seat for seat, player_id in seated.items() if player_id == absent_id), None)
    if seat is None:
        raise NotAtTheTable(_("This player does not sit at the table."))
    if substitute_id in seated.values():
        raise SamePlayerTwice(Player.objects.values_list("name", flat=True).get(pk=substitute_id))
    setattr(sheet, f"{seat}_id", substitute_id)
    sheet.save(update_fields=[seat])
