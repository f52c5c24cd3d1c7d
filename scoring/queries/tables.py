"""The scoresheets of a table, as its scorer needs them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final
from uuid import UUID

from django.db.models import BigIntegerField, F

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import Action, Actor
from courtpiece.accounts.prepared import Prepared
from scoring.models import MadeVia, Operation, Player, Revision, RevisionKind, Scoresheet
from scoring.queries.holding import require_cards
from scoring.queries.refs import seated_pair
from scoring.queries.scoresheets import (
    DealLine,
    SheetHeader,
    SideTotals,
    deal_line,
    header_of,
    side_totals,
)
from scoring.queries.sight import require_sight
from scoring.sheets import SEATS


class Maker(Enum):
    """As what somebody wrote a revision; who it was is not said."""

    TABLE = "table"
    """By the link of the table."""
    DIRECTOR = "director"
    """A user who may correct deals in the club; who rules or makes void may, whatever became of them since."""
    SCORER = "scorer"
    """Another user."""
    SERVER = "server"
    """A command of the server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDeal:
    """A deal with its record as it is kept: without what the scoresheet says of the match."""

    line: DealLine
    pcn: str
    made_by: Maker
    """As what the revision that stands was written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSheet:
    """A scoresheet with its totals and all its deals, void ones included, by number."""

    id: int
    header: SheetHeader
    ns: SideTotals
    ew: SideTotals
    next_dealer: str
    """Law 12; empty before the first deal."""
    deals: tuple[KeptDeal, ...]


def table_sheets(scoresheet_ids: Iterable[int], *, actor: Actor) -> dict[int, TableSheet]:
    """Return the scoresheets by database id.

    Three queries, two more where a user wrote one of the deals, and for a user one more for each that is not public.

    :raises Forbidden: if the actor may not see one of them, or all its cards at once.
    """
    rows = _sheets(scoresheet_ids)
    deals = _kept_deals({row.pk: row.club_id for row in rows})
    sheets = {}
    for row in rows:
        require_sight(actor, row)
        require_cards(actor, row)
        sheets[row.pk] = TableSheet(
            id=row.pk,
            header=header_of(row, actor),
            ns=side_totals(row, "ns", seated_pair(row, "ns")),
            ew=side_totals(row, "ew", seated_pair(row, "ew")),
            next_dealer=row.next_dealer,
            deals=tuple(deals[row.pk]),
        )
    return sheets


def _sheets(ids: Iterable[int]) -> list[Scoresheet]:
    """Return the scoresheets, with the players of the seats but not those of the pairs. Two queries.

    A phone asks for its table after every deal: one query over nine tables takes a server longer to plan than all else.
    """
    rows = _SHEETS.models(list(ids))
    seated = {getattr(row, f"{seat}_id") for row in rows for seat in SEATS}
    players = {player.pk: player for player in _PLAYERS.models(list(seated - {None}))}
    for row in rows:
        for seat in SEATS:
            setattr(row, seat, players.get(getattr(row, f"{seat}_id")))
    return rows


_SHEETS: Final = Prepared(
    lambda ids: Scoresheet.objects.select_related("club", "collection", "ns", "ew").filter(pk__in=ids),
    BigIntegerField(),
)
_PLAYERS: Final = Prepared(lambda ids: Player.objects.filter(pk__in=ids), BigIntegerField())

_NOT_NEEDED: Final = ("finding", "problems", "reason", "source", "operation", "made_at")
"""Of a revision: what the deal itself has, or nobody is shown here."""


_CURRENT: Final = Prepared(
    lambda sheets: (
        Revision.objects.filter(deal__scoresheet__pk__in=sheets, number=F("deal__revision"))
        .select_related("deal")
        .defer(*_NOT_NEEDED)
        .order_by("deal__scoresheet", "deal__number")
    ),
    BigIntegerField(),
)


def _kept_deals(clubs: Mapping[int, int | None]) -> defaultdict[int, list[KeptDeal]]:
    """Return the deals of the scoresheets, of which the clubs are given."""
    rows = _CURRENT.models(list(clubs))
    directors = _directors(rows, clubs)
    found: defaultdict[int, list[KeptDeal]] = defaultdict(list)
    for row in rows:
        made_by = _maker(row, clubs[row.deal.scoresheet_id], directors)
        found[row.deal.scoresheet_id].append(KeptDeal(line=deal_line(row.deal), pcn=row.pcn, made_by=made_by))
    return found


def _directors(rows: Iterable[Revision], clubs: Mapping[int, int | None]) -> frozenset[tuple[int, int]]:
    """Return who of those that wrote the revisions may correct deals, with the club."""
    writers: defaultdict[int, set[int]] = defaultdict(set)
    for row in rows:
        club_id = clubs[row.deal.scoresheet_id]
        if row.made_by_id is not None and club_id is not None:
            writers[club_id].add(row.made_by_id)
    return frozenset(
        (club_id, user_id)
        for club_id, user_ids in writers.items()
        for user_id in accounts.users_who_may(Action.CORRECT_DEAL, user_ids=user_ids, club_id=club_id)
    )


def _maker(row: Revision, club_id: int | None, directors: frozenset[tuple[int, int]]) -> Maker:
    if row.kind in {RevisionKind.VOID, RevisionKind.RULING}:
        return Maker.DIRECTOR
    if row.made_by_id is None:
        return Maker.TABLE if row.made_via == MadeVia.TABLE else Maker.SERVER
    is_director = (club_id, row.made_by_id) in directors
    return Maker.DIRECTOR if is_director else Maker.SCORER


def scoresheet_ids_by_uid(uids: Iterable[UUID]) -> dict[UUID, int]:
    """Return the database ids of the scoresheets that there are, by their public ids. One query."""
    return dict(Scoresheet.objects.filter(uid__in=set(uids)).values_list("uid", "pk"))


def carried_out(operation_ids: Iterable[UUID]) -> frozenset[UUID]:
    """Return those of the ids by which an operation was carried out. One query."""
    return frozenset(Operation.objects.filter(pk__in=[*operation_ids]).values_list("pk", flat=True))


def is_carried_out(operation_id: UUID) -> bool:
    """Return whether an operation of that id was carried out. One query."""
    return Operation.objects.filter(pk=operation_id).exists()
