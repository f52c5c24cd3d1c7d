"""Many deals, of which the records are the same."""

import tracemalloc
from collections.abc import Iterable
from typing import Any

from scoring.models import Deal, Revision, Scoresheet
from tests.accounts.builders import a_club
from tests.scoring.builders import a_full_record, a_sheet_with
from tests.scoring.builders import some_sheets as sheets_of

A_SHEET = 100
"""Deals of one scoresheet."""


def many_deals(count: int, *, club: str = "lahore") -> None:
    """Keep so many deals of the club, by cards, a hundred on each scoresheet."""
    home = a_club(club)
    first = a_sheet_with(home, [a_full_record(1)])
    deal = first.deals.get()
    revision = Revision.objects.get(deal=deal)
    for sheet in (first, *_more_sheets(home, -(-count // A_SHEET) - 1)):
        known = sheet.deals.count()
        made = Deal.objects.bulk_create(
            _copy(deal, sheet, number) for number in range(known + 1, A_SHEET + 1)
        )
        Revision.objects.bulk_create(_again(revision, one) for one in made)


def _more_sheets(home: Any, count: int) -> Iterable[Scoresheet]:
    return sheets_of(home, count) if count else ()


def _copy(deal: Deal, sheet: Scoresheet, number: int) -> Deal:
    values = {field.attname: getattr(deal, field.attname) for field in Deal._meta.concrete_fields}
    left_out = ("id", "uid", "scoresheet_id", "number")
    return Deal(scoresheet=sheet, number=number, **{k: v for k, v in values.items() if k not in left_out})


def _again(revision: Revision, deal: Deal) -> Revision:
    values = {field.attname: getattr(revision, field.attname) for field in Revision._meta.concrete_fields}
    return Revision(deal=deal, **{k: v for k, v in values.items() if k not in ("id", "deal_id")})


def read_all(parts: Iterable[bytes]) -> tuple[int, int]:
    """Read the parts without keeping them; return how many bytes they were, and the most memory that it took."""
    tracemalloc.start()
    try:
        size = sum(map(len, parts))
        return size, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
