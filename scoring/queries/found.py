"""What a search finds, as its page shows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from courtpiece.accounts.parts import Asked, PartOf, read_part
from courtpiece.accounts.permissions import Actor
from scoring.models import Deal
from scoring.queries.holding import Reader, held_deals
from scoring.queries.lists import DEALS_ORDER, DealFilter, deals_wanted, until_of
from scoring.queries.refs import CollectionRef, PairRef, collection_of, seated_pair
from scoring.queries.scoresheets import DealLine, deal_line
from scoring.sheets import SEATS

_PEOPLE: Final = tuple(f"scoresheet__{name}" for name in ("collection", "ns", "ew", *SEATS))


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDeal:
    """A deal with what its scoresheet says of it."""

    sheet_uid: UUID
    event: str
    collection: CollectionRef | None
    date: str
    ns: PairRef
    ew: PairRef
    line: DealLine
    revoker: str
    """The seat whose established revoke ended it, where it is known and told."""


def found_deals(*, actor: Actor, wanted: DealFilter, asked: Asked, now: datetime) -> PartOf[FoundDeal]:
    """Return a part of the deals: those of the newest scoresheet first, by number. Two queries, three for each name.

    They are found by few columns first, and what is shown of them is read then: a database would join it to all that it
    looks at. Who may find what is as in ``lists.deals``. One query more where cards are shown late, and where cards are
    sought.

    :raises BadCursor: if the cursor is none of this list.
    :raises Refused: if something is asked that cannot be.
    """
    reader = Reader(actor, now)

    def lines(found: Sequence[Deal]) -> list[FoundDeal]:
        rows = Deal.objects.select_related("scoresheet", *_PEOPLE)
        loaded = rows.in_bulk([row.pk for row in found])
        held = held_deals(reader, loaded.values())
        return [_found(loaded[row.pk], held.get(row.pk)) for row in found]

    rows = deals_wanted(wanted, reader).only("pk", "scoresheet_id", "number")
    return read_part(rows, DEALS_ORDER, lines, asked=asked, until=until_of(wanted))


def _found(deal: Deal, cards_from: datetime | None) -> FoundDeal:
    sheet = deal.scoresheet
    return FoundDeal(
        sheet_uid=sheet.uid,
        event=sheet.event,
        collection=collection_of(sheet),
        date=sheet.date,
        ns=seated_pair(sheet, "ns"),
        ew=seated_pair(sheet, "ew"),
        line=deal_line(deal, cards_from=cards_from),
        revoker=deal.revoker if cards_from is None else "",
    )
