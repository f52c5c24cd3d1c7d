"""Rows of a file of results: read, written, and what is wrong with them in words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from courtpiece.engine import Award, Outcome, Seat, StatedRevoke, Team
from tournaments.domain.result_rows import RESULT, Column, FaultyCell, ResultRow, RowFault
from tournaments.domain.slips import TRICKS, SlipLine
from tournaments.headings import plain
from tournaments.spreadsheets import Cell, Table

COLUMN_NAMES: Final = tuple(column.value for column in Column)
"""As a file's header has them."""
MOST_DEALS: Final = 999
MOST_ROUNDS: Final = 9999
_SIDES: Final[Mapping[str, Team]] = {
    "ns": Team.NS,
    "n": Team.NS,
    "northsouth": Team.NS,
    "ew": Team.EW,
    "e": Team.EW,
    "eastwest": Team.EW,
}
_SEATS: Final[Mapping[str, Seat]] = {
    **{seat.letter.lower(): seat for seat in Seat},
    "north": Seat.N,
    "east": Seat.E,
    "south": Seat.S,
    "west": Seat.W,
}
_AWARDS: Final[Mapping[str, Award]] = {award.value.replace("-", ""): award for award in Award}
AWARD_WORDS: Final = ", ".join(award.value for award in Award)


# -- reading


@dataclass(frozen=True, slots=True)
class ReadRows:
    """What was read of a file."""

    rows: tuple[ResultRow, ...]
    """Those without a fault of their own."""
    faults: tuple[FaultyCell, ...]
    blank: int
    """Rows of deals that are not filled in."""


def read_rows(table: Table, places: Mapping[Column, int]) -> ReadRows:
    """Return the deals that stand in the rows of a table."""
    rows: list[ResultRow] = []
    faults: list[FaultyCell] = []
    blank = 0
    for line in table.rows:
        cells = {
            column: line.cells[place].removeprefix("'")
            for column, place in places.items()
            if place < len(line.cells)
        }
        if not any(cells.get(column) for column in RESULT):
            blank += 1
            continue
        row = _Row(line.number, cells)
        found = row.result()
        faults += row.faults
        if not row.faults:
            rows.append(found)
    return ReadRows(tuple(rows), tuple(faults), blank)


class _Row:
    """A row while it is read. ``faults`` grows with each cell that is not as it must be."""

    def __init__(self, number: int, cells: Mapping[Column, str]) -> None:
        self.number = number
        self.cells = cells
        self.faults: list[FaultyCell] = []

    def result(self) -> ResultRow:
        """Return the deal; where there are faults it is not to be used."""
        table = self._needed(Column.TABLE)
        found = ResultRow(
            row=self.number,
            round=self._number(Column.ROUND, 1, MOST_ROUNDS, is_needed=True) or 0,
            table=table,
            ns=self._text(Column.NS),
            ew=self._text(Column.EW),
            line=self._line(),
        )
        if found.line.is_void:
            for column in (Column.WON, Column.LOST, Column.REVOKE):
                if self._text(column) not in ("", "0"):
                    self._wrong(column, RowFault.VOID_WITH)
        return found

    def _line(self) -> SlipLine:
        award = self._award()
        is_void = award is Award.VOID or plain(self._text(Column.WINNER)) == "void"
        winner = self._side()
        if is_void and winner is not None:
            self._wrong(Column.WINNER, RowFault.VOID_WITH)
        if not is_void and winner is None and not self._text(Column.WINNER):
            self._wrong(Column.WINNER, RowFault.NO_WINNER)
        return SlipLine(
            number=self._number(Column.DEAL, 1, MOST_DEALS, is_needed=True),
            dealer=self._dealer(),
            winner=None if is_void else winner,
            is_void=is_void,
            won=None if is_void else self._number(Column.WON, 0, TRICKS),
            lost=None if is_void else self._number(Column.LOST, 0, TRICKS),
            award=None if is_void else award,
            revoke=None if is_void else self._revoke(),
        )

    def _text(self, column: Column) -> str:
        return self.cells.get(column, "").strip()

    def _needed(self, column: Column) -> str:
        text = self._text(column)
        if not text:
            self._wrong(column, RowFault.MISSING)
        elif text.startswith("="):
            self._wrong(column, RowFault.FORMULA)
        return text

    def _number(self, column: Column, least: int, most: int, *, is_needed: bool = False) -> int | None:
        text = self._needed(column) if is_needed else self._text(column)
        if not text or (is_needed and text.startswith("=")):
            return None
        if text.startswith("="):
            self._wrong(column, RowFault.FORMULA)
        elif not re.fullmatch(r"\d{1,9}", text):
            self._wrong(column, RowFault.NOT_A_NUMBER)
        elif not least <= int(text) <= most:
            self._wrong(column, RowFault.OUT_OF_RANGE, detail=f"{least}–{most}")
        else:
            return int(text)
        return None

    def _dealer(self) -> Seat | None:
        text = self._text(Column.DEALER)
        seat = _SEATS.get(plain(text))
        if text and seat is None:
            self._wrong(Column.DEALER, RowFault.NO_SEAT)
        return seat

    def _side(self) -> Team | None:
        text = self._text(Column.WINNER)
        side = _SIDES.get(plain(text))
        if text and side is None and plain(text) != "void":
            self._wrong(Column.WINNER, RowFault.NO_SIDE)
        return side

    def _award(self) -> Award | None:
        text = self._text(Column.AWARD)
        award = _AWARDS.get(plain(text))
        if text and award is None:
            self._wrong(Column.AWARD, RowFault.NO_AWARD)
        return award

    def _revoke(self) -> StatedRevoke | None:
        text = self._text(Column.REVOKE)
        if not text:
            return None
        found = re.fullmatch(r"([A-Za-z]+)[\s,-]*(\d{1,2})", text)
        seat = _SEATS.get(plain(found[1])) if found is not None else None
        if found is None or seat is None or not 1 <= int(found[2]) <= TRICKS:
            self._wrong(Column.REVOKE, RowFault.NO_REVOKE)
            return None
        return StatedRevoke(seat, int(found[2]))

    def _wrong(self, column: Column, fault: RowFault, *, detail: str = "") -> None:
        value = self._text(column)[:80]
        self.faults.append(
            FaultyCell(row=self.number, column=column, fault=fault, value=value, detail=detail)
        )


# -- writing


def cells_of(
    *,
    dealer: Seat,
    outcome: Outcome,
    revoke: StatedRevoke | None,
    is_ruled: bool,
) -> tuple[Cell, ...]:
    """Return what the columns after ``deal`` say of a deal."""
    if outcome.winner is None:
        result: tuple[Cell, ...] = ("", "", "", outcome.award.value, "")
    else:
        tricks = outcome.tricks
        result = (
            outcome.winner.name,
            tricks.of(outcome.winner),
            tricks.of(outcome.winner.other),
            outcome.award.value,
            "" if revoke is None else f"{revoke.seat.letter} {revoke.trick}",
        )
    return (dealer.letter, *result, "yes" if is_ruled else "")


# -- in words


@dataclass(frozen=True, slots=True)
class SaidFault:
    """A fault in words: where it is, what is wrong, what would do."""

    row: int
    column: str
    what: str
    remedy: str


def said(fault: FaultyCell) -> SaidFault:
    """Return the fault in words."""
    what, remedy = _WORDS[fault.fault]
    values = {"value": fault.value, "other": fault.other, "detail": fault.detail, "awards": AWARD_WORDS}
    return SaidFault(
        row=fault.row,
        column=fault.column.value,
        what=str(what) % values,
        remedy=str(remedy) % values,
    )


_WORDS: Final[Mapping[RowFault, tuple[str | Promise, str | Promise]]] = {
    RowFault.MISSING: (gettext_lazy("There is nothing."), gettext_lazy("Every deal needs it.")),
    RowFault.FORMULA: (
        gettext_lazy("There is a formula, “%(value)s”, and formulas are not computed."),
        gettext_lazy("Put the value itself into the cell."),
    ),
    RowFault.NOT_A_NUMBER: (
        gettext_lazy("“%(value)s” is no whole number."),
        gettext_lazy("Write a whole number."),
    ),
    RowFault.OUT_OF_RANGE: (
        gettext_lazy("%(value)s is not one of %(detail)s."),
        gettext_lazy("Write a number in this range."),
    ),
    RowFault.NO_SEAT: (
        gettext_lazy("“%(value)s” is no seat."),
        gettext_lazy("Write N, E, S or W; or leave it empty: the laws tell who dealt."),
    ),
    RowFault.NO_SIDE: (gettext_lazy("“%(value)s” is no side."), gettext_lazy("Write NS, EW or void.")),
    RowFault.NO_AWARD: (
        gettext_lazy("“%(value)s” is none of %(awards)s."),
        gettext_lazy("Write one of them; or leave it empty: the tricks tell."),
    ),
    RowFault.NO_REVOKE: (
        gettext_lazy("“%(value)s” is no seat and trick."),
        gettext_lazy("Write who revoked and in which trick, as in W 4; or leave it empty."),
    ),
    RowFault.VOID_WITH: (
        gettext_lazy("“%(value)s” stands there, and the deal is void."),
        gettext_lazy("Nobody wins a void deal: leave it empty, or take the void away."),
    ),
    RowFault.NO_ROUND: (
        gettext_lazy("There is no round %(value)s."),
        gettext_lazy("Publish the round first, or write the number of one that is."),
    ),
    RowFault.NO_TABLE: (
        gettext_lazy("Round %(detail)s has no table “%(value)s”."),
        gettext_lazy("Write the table as the room shows it."),
    ),
    RowFault.OTHER_PAIR: (
        gettext_lazy("“%(value)s” do not sit there, but “%(detail)s”."),
        gettext_lazy(
            "Is it another table’s row? Mend the round, the table or the names; they may be left empty."
        ),
    ),
    RowFault.MATCH_OVER: (
        gettext_lazy("The match at table %(value)s is over, so it takes no new deals."),
        gettext_lazy("Open it again in the room, or take the row out."),
    ),
    RowFault.REPEATED: (
        gettext_lazy("Deal %(value)s of this table stands in row %(other)d too."),
        gettext_lazy("Keep one of them."),
    ),
    RowFault.NO_DEALER: (
        gettext_lazy("Nothing tells who dealt: the deal before is missing, or was not drawn."),
        gettext_lazy("Write the dealer, N, E, S or W."),
    ),
    RowFault.NO_WINNER: (
        gettext_lazy("Nothing tells who won."),
        gettext_lazy("Write NS or EW; where nobody won, the award “void”."),
    ),
    RowFault.NO_TRICKS: (
        gettext_lazy("The tricks are missing."),
        gettext_lazy("Write how many tricks the winners and the losers had."),
    ),
    RowFault.IMPOSSIBLE: (
        gettext_lazy("No deal ends so: %(detail)s."),
        gettext_lazy("Mend the tricks or the award."),
    ),
    RowFault.RULED: (
        gettext_lazy(
            "The deal is recorded as %(detail)s by a director’s decision; the file says “%(value)s”."
        ),
        gettext_lazy("Take the row out, or let a director decide again on the deal’s page."),
    ),
    RowFault.RECORDED: (
        gettext_lazy("The deal is recorded as %(detail)s; the file says “%(value)s”."),
        gettext_lazy("Take the row out, or ask a director, who may correct it by the same file."),
    ),
}
