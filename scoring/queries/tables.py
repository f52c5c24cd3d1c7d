"""The scoresheets of a table, as its scorer needs them."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F

from courtpiece.accounts.permissions import Actor
from scoring.models import Operation, Revision, Scoresheet
from scoring.queries.holding import require_cards
from scoring.queries.refs import PairRef, person
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


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDeal:
    """A deal with its record as it is kept: without what the scoresheet says of the match."""

    line: DealLine
    pcn: str


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
    """Return the scoresheets by database id. Two queries, and for a user one more for each that is not public.

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
            ns=side_totals(row, "ns", PairRef(row.ns.uid, (person(row.north), person(row.south)))),
            ew=side_totals(row, "ew", PairRef(row.ew.uid, (person(row.east), person(row.west)))),
            next_dealer=row.next_dealer,
            deals=tuple(deals[row.pk]),
        )
    return sheets


def _kept_deals(scoresheet_ids: list[int]) -> defaultdict[int, list[KeptDeal]]:
    current = Revision.objects.filter(deal__scoresheet__in=scoresheet_ids, number=F("deal__revision"))
    found: defaultdict[int, list[KeptDeal]] = defaultdict(list)
    for row in current.select_related("deal").order_by("deal__scoresheet", "deal__number"):
        found[row.deal.scoresheet_id].append(KeptDeal(line=deal_line(row.deal), pcn=row.pcn))
    return found


def scoresheet_ids_by_uid(uids: Iterable[UUID]) -> dict[UUID, int]:
    """Return the database ids of the scoresheets that there are, by their public ids. One query."""
    return dict(Scoresheet.objects.filter(uid__in=set(uids)).values_list("uid", "pk"))


def is_carried_out(operation_id: UUID) -> bool:
    """Return whether an operation of that id was carried out. One query."""
    return Operation.objects.filter(pk=operation_id).exists()
