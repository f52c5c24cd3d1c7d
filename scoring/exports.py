"""What is found as a table for spreadsheets, made line by line. docs/api.md says what the columns are."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from courtpiece.accounts.cells import safe_cell
from scoring.queries.lists import PartnershipLine, PlayerLine, SheetLine
from scoring.queries.scoresheets import SideTotals
from scoring.queries.whole import StreamedDeal

BYTE_ORDER_MARK: Final = "\ufeff"
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Table(Generic[T]):
    """A kind of table: its columns, and what stands in them of each thing."""

    columns: tuple[str, ...]
    cells: Callable[[T], Sequence[Any]]


def csv_lines(table: Table[T], found: Iterable[T], *, byte_order_mark: bool) -> Iterator[str]:
    """Yield the table, its head first, then a line for each thing."""
    yield (BYTE_ORDER_MARK if byte_order_mark else "") + _row(table.columns)
    for one in found:
        yield _row([safe_cell(cell) for cell in table.cells(one)])


def _row(cells: Sequence[str]) -> str:
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue()


# -- the tables


def _of_deal(deal: StreamedDeal) -> tuple[Any, ...]:
    line = deal.line
    return (
        *(line.uid, deal.scoresheet_uid, deal.event, deal.date, deal.round, deal.table, line.number),
        *deal.seats,
        *(deal.rules, line.dealer, line.caller, line.trump, line.winner, line.award),
        *(line.tricks_ns, line.tricks_ew, line.courts_ns, line.courts_ew),
        *(line.run_courts_ns, line.run_courts_ew, deal.revoked, deal.revoker, line.level, line.revision),
    )


def _of_scoresheet(line: SheetLine) -> tuple[Any, ...]:
    sheet = line.header
    return (
        *(sheet.uid, sheet.club_slug, "" if sheet.collection is None else sheet.collection.name),
        *(sheet.event, sheet.site, sheet.date, sheet.round, sheet.table),
        *(sheet.north.name, sheet.east.name, sheet.south.name, sheet.west.name),
        *(line.ns.pair.uid, line.ew.pair.uid, sheet.rules, sheet.visibility, line.deals_count, line.winner),
        *(total for side in zip(_totals(line.ns), _totals(line.ew), strict=True) for total in side),
        *(line.next_dealer, sheet.version),
    )


def _totals(side: SideTotals) -> tuple[int, ...]:
    return side.courts, side.deals_won, side.bavneys, side.goon_courts, side.revokes, side.run


def _of_player(line: PlayerLine) -> tuple[Any, ...]:
    return line.uid, line.name, line.club_slug, line.club_name, line.is_anonymised


def _of_partnership(line: PartnershipLine) -> tuple[Any, ...]:
    first, second = line.pair.players
    return line.pair.uid, first.name, second.name, first.uid, second.uid, line.club_slug, line.club_name


DEALS: Final = Table(
    (
        *("deal", "scoresheet", "event", "date", "round", "table", "number"),
        *("north", "east", "south", "west"),
        *("rules", "dealer", "caller", "trump", "winner", "award", "tricks_ns", "tricks_ew"),
        *("courts_ns", "courts_ew", "run_courts_ns", "run_courts_ew"),
        *("revoked", "revoker", "level", "revision"),
    ),
    _of_deal,
)
SCORESHEETS: Final = Table(
    (
        *("scoresheet", "club", "collection", "event", "site", "date", "round", "table"),
        *("north", "east", "south", "west"),
        *("partnership_ns", "partnership_ew", "rules", "visibility", "deals", "winner"),
        *("courts_ns", "courts_ew", "deals_won_ns", "deals_won_ew", "bavneys_ns", "bavneys_ew"),
        *("goon_courts_ns", "goon_courts_ew", "revokes_ns", "revokes_ew", "run_ns", "run_ew"),
        *("next_dealer", "version"),
    ),
    _of_scoresheet,
)
PLAYERS: Final = Table(("player", "name", "club", "club_name", "anonymised"), _of_player)
PARTNERSHIPS: Final = Table(
    ("partnership", "first", "second", "first_player", "second_player", "club", "club_name"), _of_partnership
)
