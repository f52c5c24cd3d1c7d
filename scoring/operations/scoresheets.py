"""Everything that makes scoresheets and what they are counted together in."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Action, Actor, Visibility, require
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Refused
from courtpiece.engine import Rules
from scoring.bulk import insert
from scoring.models import Collection, Player, Scoresheet
from scoring.operations.people import Pair, SamePlayerTwice
from scoring.sheets import CollectionLocked


class TextTooLong(Refused):
    """A text has more characters than are kept. ``name`` says which text, ``most`` how many."""

    def __init__(self, name: str, *, most: int) -> None:
        super().__init__(_("%(name)s: at most %(most)d characters are kept.") % {"name": name, "most": most})
        self.name = name
        self.most = most


@dataclass(frozen=True, slots=True, kw_only=True)
class NewScoresheet:
    """A scoresheet to be made. Texts that are empty are not known."""

    ns: Pair
    """North first."""
    ew: Pair
    """East first."""
    rules: str
    event: str = ""
    site: str = ""
    date: str = ""
    round: str = ""
    table: str = ""
    source: str = ""


_LONGEST: Final = {"event": 200, "site": 200, "date": 10, "round": 40, "table": 40}


@transaction.atomic
def create_collection(
    *,
    actor: Actor,
    club_id: int,
    visibility: str = Visibility.PUBLIC,
    name: str = "",
    path: str = "",
    cards_delay: timedelta = timedelta(0),
) -> int:
    """Make a collection at version 0 and return its id. Opens a transaction or runs in the caller's.

    :raises Forbidden: if the actor may not run tournaments in the club.
    """
    require(actor, Action.MANAGE_TOURNAMENT, club_id=club_id)
    collection = Collection.objects.create(
        club_id=club_id,
        visibility=Visibility(visibility),
        name=name[:200],
        path=path,
        cards_delay=cards_delay,
    )
    return collection.pk


@transaction.atomic
def describe_collection(*, actor: Actor, collection_id: int, visibility: str, name: str, path: str) -> None:
    """Say who sees a collection and its scoresheets, what it is called, and where its page is.

    :raises NotFound: if there is no such collection.
    :raises Forbidden: if the actor may not run tournaments in the club.
    """
    collection = Collection.objects.select_for_update().filter(pk=collection_id).first()
    if collection is None:
        raise NotFound
    require(actor, Action.MANAGE_TOURNAMENT, club_id=collection.club_id)
    Collection.objects.filter(pk=collection_id).update(
        visibility=Visibility(visibility), name=name[:200], path=path
    )
    Scoresheet.objects.filter(collection=collection_id).update(visibility=Visibility(visibility))


@transaction.atomic
def delay_cards(*, actor: Actor, collection_id: int, delay: timedelta) -> None:
    """Say for how long after it was recorded a deal's cards are kept from spectators, in all its scoresheets.

    Opens a transaction or runs in the caller's. No version changes: what counts stays the same. What is locked can
    still be shown or hidden.

    :raises NotFound: if there is no such collection.
    :raises Forbidden: if the actor may not run tournaments in the club.
    """
    collection = Collection.objects.select_for_update().filter(pk=collection_id).first()
    if collection is None:
        raise NotFound
    require(actor, Action.MANAGE_TOURNAMENT, club_id=collection.club_id)
    Collection.objects.filter(pk=collection_id).update(cards_delay=delay)
    Scoresheet.objects.filter(collection=collection_id).update(cards_delay=delay)


@transaction.atomic
def create_scoresheets(
    *,
    actor: Actor,
    club_id: int,
    sheets: Sequence[NewScoresheet],
    at: datetime,
    collection_id: int | None = None,
    visibility: str = Visibility.PUBLIC,
) -> tuple[int, ...]:
    """Make scoresheets and return their ids, in order. Two queries.

    Opens a transaction or runs in the caller's. In a collection they get its visibility, else the one given.
    An empty scoresheet changes no standings.

    :raises NotFound: if there is no such collection in the club.
    :raises CollectionLocked: if it is locked.
    :raises Forbidden: if the actor may not record deals in the club.
    :raises RulesError: if there are no such rules.
    :raises SamePlayerTwice: if one player would sit at a table twice.
    :raises TextTooLong: if a text is too long to be kept.
    """
    require(actor, Action.RECORD_DEAL, club_id=club_id)
    collection = None if collection_id is None else _open_collection(collection_id, club_id)
    if collection is not None:
        visibility = collection.visibility
    rows = [_row(sheet, club_id, collection, visibility, at) for sheet in sheets]
    insert(Scoresheet, rows)
    return tuple(row.pk for row in rows)


def _open_collection(collection_id: int, club_id: int) -> Collection:
    found = Collection.objects.filter(pk=collection_id, club=club_id)
    row = found.only("visibility", "cards_delay", "is_locked").first()
    if row is None:
        raise NotFound
    if row.is_locked:
        raise CollectionLocked
    return row


def _row(
    sheet: NewScoresheet, club_id: int, collection: Collection | None, visibility: str, at: datetime
) -> Scoresheet:
    _check_four_players(sheet)
    return Scoresheet(
        club_id=club_id,
        collection=collection,
        visibility=visibility,
        cards_delay=timedelta(0) if collection is None else collection.cards_delay,
        ns_id=sheet.ns.partnership_id,
        ew_id=sheet.ew.partnership_id,
        north_id=sheet.ns.player_ids[0],
        south_id=sheet.ns.player_ids[1],
        east_id=sheet.ew.player_ids[0],
        west_id=sheet.ew.player_ids[1],
        rules=str(Rules.parse(sheet.rules)),
        source=sheet.source[:255],
        created_at=at,
        **{name: kept_text(name, getattr(sheet, name)) for name in _LONGEST},
    )


def _check_four_players(sheet: NewScoresheet) -> None:
    twice = set(sheet.ns.player_ids) & set(sheet.ew.player_ids)
    if twice:
        raise SamePlayerTwice(Player.objects.values_list("name", flat=True).get(pk=twice.pop()))


def kept_text(name: str, text: str) -> str:
    """Return a text of a scoresheet as it is kept.

    :raises TextTooLong: if it is too long to be kept.
    """
    kept = clean_text(text)
    if len(kept) > _LONGEST[name]:
        raise TextTooLong(name, most=_LONGEST[name])
    return kept
