"""Pairs that are to enter, as they are typed or stand in a file: read, and what is wrong with them in words."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from scoring.names import NameRefused, clean_name
from tournaments.domain.entering import (
    HIGHEST_RATING,
    MOST_ENTRIES,
    MOST_GROUPS,
    Column,
    Fault,
    NewPair,
    PairFault,
)

COLUMN_NAMES: Final = tuple(column.value for column in Column)
"""As a file's header has them."""
NEEDED: Final = (Column.FIRST, Column.SECOND)
_HIGHEST: Final[Mapping[Column, int]] = {
    Column.SEED: MOST_ENTRIES,
    Column.RATING: HIGHEST_RATING,
    Column.GROUP: MOST_GROUPS,
}
_COLUMN_LABELS: Final[Mapping[Column, str | Promise]] = {
    Column.FIRST: pgettext_lazy("column", "player 1"),
    Column.SECOND: pgettext_lazy("column", "player 2"),
    Column.SEED: pgettext_lazy("column", "seed"),
    Column.RATING: pgettext_lazy("column", "rating"),
    Column.GROUP: pgettext_lazy("column", "group"),
}


@dataclass(frozen=True, slots=True)
class SaidFault:
    """A fault in words: where it is, what is wrong, what would do."""

    row: int
    column: str
    what: str
    remedy: str


@dataclass(frozen=True, slots=True)
class ReadPairs:
    """What was read: the pairs without a fault of their own, and the faults of the others."""

    pairs: tuple[NewPair, ...]
    rows: tuple[NewPair, ...]
    """All of them, to be compared with one another: what is at fault in a row is empty there."""
    faults: tuple[PairFault, ...]


def read_pairs(rows: Sequence[tuple[int, Mapping[Column, str]]]) -> ReadPairs:
    """Return the pairs that stand in the rows, each with its number."""
    pairs: list[NewPair] = []
    all_rows: list[NewPair] = []
    faults: list[PairFault] = []
    for number, cells in rows:
        read = _Row(number, cells)
        pair = read.pair()
        faults += read.faults
        all_rows.append(pair)
        if not read.faults:
            pairs.append(pair)
    return ReadPairs(tuple(pairs), tuple(all_rows), tuple(faults))


def said(fault: PairFault) -> SaidFault:
    """Return the fault in words."""
    what, remedy = _WORDS[fault.fault]
    values = {"value": fault.value, "other": fault.other, "detail": fault.detail}
    return SaidFault(
        row=fault.row,
        column=str(_COLUMN_LABELS[fault.column]),
        what=str(what) % values,
        remedy=str(remedy) % values,
    )


def in_a_sentence(fault: PairFault) -> str:
    """Return the fault and its remedy as one text, for where there is only one row."""
    words = said(fault)
    return f"{words.what} {words.remedy}".strip()


class _Row:
    """A row while it is read. ``faults`` grows with each cell that is not as it must be."""

    def __init__(self, number: int, cells: Mapping[Column, str]) -> None:
        self.number = number
        self.cells = cells
        self.faults: list[PairFault] = []

    def pair(self) -> NewPair:
        """Return the pair; where there are faults it is not to be used."""
        return NewPair(
            row=self.number,
            names=(self._name(Column.FIRST), self._name(Column.SECOND)),
            seed=self._number(Column.SEED),
            rating=self._number(Column.RATING),
            group=self._number(Column.GROUP),
        )

    def _name(self, column: Column) -> str:
        text = self.cells.get(column, "").strip()
        if not text:
            return self._wrong(column, Fault.NO_NAME)
        if text.startswith("="):
            return self._wrong(column, Fault.FORMULA)
        try:
            return clean_name(text)
        except NameRefused as refused:
            return self._wrong(column, Fault.BAD_NAME, detail=str(refused))

    def _number(self, column: Column) -> int | None:
        text = self.cells.get(column, "").strip()
        if not text:
            return None
        if text.startswith("="):
            self._wrong(column, Fault.FORMULA)
        elif not re.fullmatch(r"\d{1,9}", text):
            self._wrong(column, Fault.NOT_A_NUMBER)
        elif not 1 <= int(text) <= _HIGHEST[column]:
            self._wrong(column, Fault.OUT_OF_RANGE, detail=str(_HIGHEST[column]))
        else:
            return int(text)
        return None

    def _wrong(self, column: Column, fault: Fault, *, detail: str = "") -> str:
        value = self.cells.get(column, "").strip()
        self.faults.append(
            PairFault(row=self.number, column=column, fault=fault, value=value[:80], detail=detail)
        )
        return ""


_WORDS: Final[Mapping[Fault, tuple[str | Promise, str | Promise]]] = {
    Fault.NO_NAME: (gettext_lazy("There is no name."), gettext_lazy("Write the name of the player.")),
    Fault.BAD_NAME: ("%(detail)s", gettext_lazy("Write the name as the standings are to show it.")),
    Fault.FORMULA: (
        gettext_lazy("There is a formula, “%(value)s”, and formulas are not computed."),
        gettext_lazy("Put the value itself into the cell."),
    ),
    Fault.NOT_A_NUMBER: (
        gettext_lazy("“%(value)s” is no whole number."),
        gettext_lazy("Write a whole number, or leave it empty."),
    ),
    Fault.OUT_OF_RANGE: (
        gettext_lazy("%(value)s is not from 1 to %(detail)s."),
        gettext_lazy("Write a number in this range, or leave it empty."),
    ),
    Fault.SAME_PLAYER: (
        gettext_lazy("“%(value)s” is both players of the pair."),
        gettext_lazy("Write the name of the partner."),
    ),
    Fault.PLAYER_TWICE: (
        gettext_lazy("“%(value)s” stands in row %(other)d too."),
        gettext_lazy(
            "A player enters once. Take one of the rows out, or tell two people apart by their names."
        ),
    ),
    Fault.PLAYER_ENTERED: (
        gettext_lazy("“%(value)s” plays in entry %(other)d already."),
        gettext_lazy("A player enters once. Choose another, or change that entry."),
    ),
    Fault.SEED_TWICE: (
        gettext_lazy("Seed %(value)s stands in row %(other)d too."),
        gettext_lazy("Give each seed once, or none: they can be set later."),
    ),
    Fault.SEED_TAKEN: (
        gettext_lazy("Entry %(other)d has seed %(value)s."),
        gettext_lazy("Choose another, or leave it empty: seeds can be set later."),
    ),
    Fault.TOO_MANY: (
        gettext_lazy("A tournament has at most %(detail)s pairs, and these would be more."),
        gettext_lazy("Take pairs out, or play in two tournaments."),
    ),
}
