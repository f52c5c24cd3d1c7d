"""Deals as a table for spreadsheets, made line by line."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from courtpiece.accounts.cells import safe_cell
from scoring.queries.lists import StreamedDeal

BYTE_ORDER_MARK: Final = "\ufeff"
COLUMNS: Final = (
    *("deal", "scoresheet", "event", "date", "round", "table", "number", "north", "east", "south", "west"),
    *("rules", "dealer", "caller", "trump", "winner", "award", "tricks_ns", "tricks_ew"),
    *("courts_ns", "courts_ew", "run_courts_ns", "run_courts_ew", "revoked", "revoker", "level", "revision"),
)


def csv_lines(deals: Iterable[StreamedDeal], *, byte_order_mark: bool) -> Iterator[str]:
    """Yield a table with a line for each deal."""
    yield (BYTE_ORDER_MARK if byte_order_mark else "") + _row(COLUMNS)
    for deal in deals:
        yield _row([safe_cell(cell) for cell in _cells(deal)])


def _row(cells: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue()


def _cells(deal: StreamedDeal) -> tuple[Any, ...]:
    line = deal.line
    return (
        *(line.uid, deal.scoresheet_uid, deal.event, deal.date, deal.round, deal.table, line.number),
        *deal.seats,
        *(deal.rules, line.dealer, line.caller, line.trump, line.winner, line.award),
        *(line.tricks_ns, line.tricks_ew, line.courts_ns, line.courts_ew),
        *(line.run_courts_ns, line.run_courts_ew, deal.revoked, deal.revoker, line.level, line.revision),
    )
