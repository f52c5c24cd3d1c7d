"""The scoresheets of a table, as its scorer needs them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from uuid import UUID

from django.db.models import F

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import Action, Actor
from scoring.models import MadeVia, Operation, Revision, RevisionKind, Scoresheet
from scoring.queries.holding import require_cards
from scoring.queries.refs import seated_pair
from scoring.queries.scoresheets import (
    SHEET_TREE,
    DealLine,
    SheetHeader,
    SideTotals,
    deal_line,
    header_of,
    side_totals,
)
from scoring.queries.sight import require_sight


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

    Two queries, two more where a user wrote one of the deals, and for a user one more for each that is not public.

    :raises Forbidden: if the actor may not see one of them, or all its cards at once.
    """
    ids = list(scoresheet_ids)
    rows = Scoresheet.objects.select_related(*SHEET_TREE).filter(pk__in=ids)
    deals = _kept_deals(ids)
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


def _kept_deals(scoresheet_ids: list[int]) -> defaultdict[int, list[KeptDeal]]:
    current = Revision.objects.filter(deal__scoresheet__in=scoresheet_ids, number=F("deal__revision"))
    rows = list(current.select_related("deal__scoresheet").order_by("deal__scoresheet", "deal__number"))
    directors = _directors(rows)
    found: defaultdict[int, list[KeptDeal]] = defaultdict(list)
    for row in rows:
        kept = KeptDeal(line=deal_line(row.deal), pcn=row.pcn, made_by=_maker(row, directors))
        found[row.deal.scoresheet_id].append(kept)
    return found


def _directors(rows: Iterable[Revision]) -> frozenset[tuple[int, int]]:
    """Return who of those that wrote the revisions may correct deals, with the club."""
    writers: defaultdict[int, set[int]] = defaultdict(set)
    for row in rows:
        club_id = row.deal.scoresheet.club_id
        if row.made_by_id is not None and club_id is not None:
            writers[club_id].add(row.made_by_id)
    return frozenset(
        (club_id, user_id)
        for club_id, user_ids in writers.items()
        for user_id in accounts.users_who_may(Action.CORRECT_DEAL, user_ids=user_ids, club_id=club_id)
    )


def _maker(row: Revision, directors: frozenset[tuple[int, int]]) -> Maker:
    if row.kind in {RevisionKind.VOID, RevisionKind.RULING}:
        return Maker.DIRECTOR
    if row.made_by_id is None:
        return Maker.TABLE if row.made_via == MadeVia.TABLE else Maker.SERVER
    is_director = (row.deal.scoresheet.club_id, row.made_by_id) in directors
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
