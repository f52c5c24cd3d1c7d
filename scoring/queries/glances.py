"""A scoresheet at a glance: what somebody who watches its table needs, and no card."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from courtpiece.engine import result_text
from scoring.models import Deal, Revision, Scoresheet
from scoring.queries.refs import seated_pair, seated_person
from scoring.queries.scoresheets import SHEET_TREE
from scoring.sheets import stored_outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Glance:
    """A match as it stands."""

    uid: UUID
    version: int
    rules: str
    seats: dict[str, str]
    """The player's name at each seat's letter."""
    ns: str
    """The names of those who sit there."""
    ew: str
    courts_ns: int
    courts_ew: int
    deals_ns: int
    """Deals won."""
    deals_ew: int
    next_dealer: str
    """Empty before the first deal."""
    deals: int
    """How many are recorded, void ones included."""
    last_number: int
    """Of the last deal that is recorded; 0 before the first."""
    last_result: str
    """``NS 7-4``."""
    last_award: str
    recorded: frozenset[int]
    """The numbers of the deals that were recorded at the moment that was asked for."""


def glance(scoresheet_id: int, *, at: datetime) -> Glance:
    """Return the match as it stands, and which deals were recorded ``at`` that moment. Three queries.

    For who has decided that it may be seen.
    """
    sheet = Scoresheet.objects.select_related(*SHEET_TREE).get(pk=scoresheet_id)
    deals = Deal.objects.filter(scoresheet=scoresheet_id).order_by("number")
    first = Revision.objects.filter(deal__scoresheet=scoresheet_id, number=1, made_at__lte=at)
    rows = list(deals)
    last = rows[-1] if rows else None
    return Glance(
        uid=sheet.uid,
        version=sheet.version,
        rules=sheet.rules,
        seats={
            seat[0].upper(): seated_person(sheet, seat).name for seat in ("north", "east", "south", "west")
        },
        ns=seated_pair(sheet, "ns").name,
        ew=seated_pair(sheet, "ew").name,
        courts_ns=sheet.courts_ns,
        courts_ew=sheet.courts_ew,
        deals_ns=sheet.deals_ns,
        deals_ew=sheet.deals_ew,
        next_dealer=sheet.next_dealer,
        deals=len(rows),
        last_number=last.number if last is not None else 0,
        last_result=result_text(stored_outcome(last)) if last is not None else "",
        last_award=last.award if last is not None else "",
        recorded=frozenset(first.values_list("deal__number", flat=True)),
    )
