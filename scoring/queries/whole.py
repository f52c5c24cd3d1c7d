"""Lists that are read whole, however long, for files: what :mod:`scoring.queries.lists` gives part by part.

Who finds what, and in which order, is as in the list of the same name. Some hundred lines are in memory at a time.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar
from uuid import UUID

from django.db.models import F, Model, QuerySet

from courtpiece.accounts.parts import in_order, read_on
from courtpiece.accounts.permissions import Actor
from scoring.models import Deal, Revision, Scoresheet
from scoring.queries import lists
from scoring.queries.holding import Reader, held_deals
from scoring.queries.lists import (
    DealFilter,
    PartnershipLine,
    PeopleFilter,
    PlayerLine,
    SheetFilter,
    SheetLine,
)
from scoring.queries.scoresheets import SHEET_TREE, DealLine, deal_line
from scoring.sheets import seat_name

T = TypeVar("T")
M = TypeVar("M", bound=Model)
_AT_A_TIME: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamedDeal:
    """A deal with what its scoresheet says of it, and its record at the current revision, as a file."""

    scoresheet_uid: UUID
    event: str
    date: str
    round: str
    table: str
    rules: str
    seats: tuple[str, str, str, str]
    """The names of North, East, South and West."""
    line: DealLine
    revoked: str
    """The side whose established revoke ended it; empty where none did, or it is not told yet."""
    revoker: str
    """The seat of it, where it is known."""
    pcn: str


def stream_players(*, actor: Actor, wanted: PeopleFilter, order: str = "") -> Iterator[PlayerLine]:
    """Yield the players. A query for every two hundred of them, and three where a name is sought."""
    rows = lists.players_wanted(wanted, actor)
    return _lines(rows, in_order(lists.PLAYERS_ORDER, lists.PLAYER_ORDERS, order), lists.player_lines)


def stream_partnerships(*, actor: Actor, wanted: PeopleFilter, order: str = "") -> Iterator[PartnershipLine]:
    """Yield the partnerships. A query for every two hundred of them, and three for each name that is sought."""
    rows = lists.partnerships_wanted(wanted, actor)
    keys = in_order(lists.PARTNERSHIPS_ORDER, lists.PARTNERSHIP_ORDERS, order)
    return _lines(rows, keys, lists.partnership_lines)


def stream_scoresheets(*, actor: Actor, wanted: SheetFilter, order: str = "") -> Iterator[SheetLine]:
    """Yield the scoresheets. A query for every two hundred of them, and three for each name that is sought.

    :raises Refused: if something is asked that cannot be.
    """

    def lines(found: Sequence[Scoresheet]) -> list[SheetLine]:
        return [lists.sheet_line(row, actor) for row in found]

    rows = lists.sheets_wanted(wanted, actor)
    return _lines(rows, in_order(lists.SHEETS_ORDER, lists.SHEET_ORDERS, order), lines)


def stream_deals(
    *, actor: Actor, wanted: DealFilter, order: str = "", now: datetime | None = None
) -> Iterator[StreamedDeal]:
    """Yield the deals with their records.

    Two queries for every two hundred of them, and another where cards are shown late, made while they are read.

    :raises Refused: if something is asked that cannot be.
    """
    reader = Reader(actor, now)
    tree = [f"scoresheet__{name}" for name in SHEET_TREE]

    def lines(found: Sequence[Deal]) -> list[StreamedDeal]:
        held = held_deals(reader, found)
        texts = _texts_of(found)
        return [_streamed(row, texts[row.pk], held.get(row.pk)) for row in found]

    rows = lists.deals_wanted(wanted, reader).select_related("scoresheet", *tree)
    return _lines(rows, in_order(lists.DEALS_ORDER, lists.DEAL_ORDERS, order), lines)


def _lines(
    rows: QuerySet[M], order: Sequence[str], lines: Callable[[Sequence[M]], Sequence[T]]
) -> Iterator[T]:
    for found in read_on(rows, order, size=_AT_A_TIME):
        yield from lines(found)


def _streamed(row: Deal, text: str, cards_from: datetime | None) -> StreamedDeal:
    sheet = row.scoresheet
    return StreamedDeal(
        scoresheet_uid=sheet.uid,
        event=sheet.event,
        date=sheet.date,
        round=sheet.round,
        table=sheet.table,
        rules=sheet.rules,
        seats=(
            seat_name(sheet, "north"),
            seat_name(sheet, "east"),
            seat_name(sheet, "south"),
            seat_name(sheet, "west"),
        ),
        line=deal_line(row, cards_from=cards_from),
        revoked=row.revoked if cards_from is None else "",
        revoker=row.revoker if cards_from is None else "",
        pcn=lists.file_as_read(sheet, text, cards_from),
    )


def _texts_of(deals: Sequence[Deal]) -> dict[int, str]:
    current = Revision.objects.filter(deal__in=[deal.pk for deal in deals], number=F("deal__revision"))
    return dict(current.values_list("deal_id", "pcn"))
