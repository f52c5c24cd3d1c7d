"""Everything that makes the kept figures of statistics anew from the deals.

Every write of a deal keeps the figures of its scoresheet (``plans.write_plans``). These are for what comes in by
another way, and for figures that are to be counted in another way than they were.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from django.db import transaction

from scoring import figures
from scoring.models import Scoresheet, SideFigures
from scoring.queries import counting_deals

SHEETS_AT_ONCE: Final = 500
"""That are in memory together, and locked."""


@transaction.atomic
def renew_figures(scoresheet_ids: Sequence[int]) -> int:
    """Make the figures of the scoresheets anew, and return of how many: those of clubs to which something was written.

    Set-based: six or seven statements, whatever their number; some hundreds are right. Opens a transaction or runs in
    the caller's; the scoresheets are locked in it, in the order of the ids. Who calls it has decided that it may be.
    """
    ids = sorted(scoresheet_ids)
    list(
        Scoresheet.objects.select_for_update(of=("self",))
        .filter(pk__in=ids)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    sheets = list(figures.counted_sheets(ids, counting_deals()))
    SideFigures.objects.filter(scoresheet__in=ids).delete()
    figures.keep(sheets, are_new=True)
    return len(sheets)


def renew_all_figures() -> Iterator[int]:
    """Make the figures of all scoresheets anew, five hundred in a transaction; yield of how many after each.

    What is recorded meanwhile keeps its own. A million deals take a few minutes.
    """
    last = 0
    while ids := list(
        Scoresheet.objects.filter(pk__gt=last, version__gt=0)
        .order_by("pk")
        .values_list("pk", flat=True)[:SHEETS_AT_ONCE]
    ):
        yield renew_figures(ids)
        last = ids[-1]
