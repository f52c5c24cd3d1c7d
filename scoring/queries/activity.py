"""How far scoresheets are, and when they were last heard from."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max

from scoring.models import Deal


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetActivity:
    """What is known of a scoresheet that has a deal."""

    scoresheet_id: int
    deals: int
    """Deals that are recorded, void ones included."""
    last_number: int
    """The highest number of a deal."""
    heard_at: datetime
    """When a deal of it was last written or changed."""

    @property
    def has_gap(self) -> bool:
        """Whether a number below the highest is left out."""
        return self.last_number > self.deals


def sheet_activity(scoresheet_ids: Iterable[int]) -> dict[int, SheetActivity]:
    """Return how far the scoresheets are, by database id; one without a deal is left out. One query."""
    rows = Deal.objects.filter(scoresheet__in=list(scoresheet_ids)).order_by().values("scoresheet_id")
    found = rows.annotate(
        deals=Count("pk", distinct=True), last_number=Max("number"), heard_at=Max("revisions__made_at")
    )
    return {row["scoresheet_id"]: SheetActivity(**row) for row in found}


def deal_numbers(scoresheet_ids: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """Return the numbers of the deals that are recorded, by the scoresheet's database id. One query."""
    numbers: defaultdict[int, list[int]] = defaultdict(list)
    rows = Deal.objects.filter(scoresheet__in=list(scoresheet_ids)).order_by("number")
    for scoresheet_id, number in rows.values_list("scoresheet_id", "number"):
        numbers[scoresheet_id].append(number)
    return {scoresheet_id: tuple(found) for scoresheet_id, found in numbers.items()}
