"""The first row of a sheet that somebody made: which column is which."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from django.utils.translation import gettext as _

C = TypeVar("C", bound=Enum)
"""The columns of a kind of sheet; their values are the words over them."""


@dataclass(frozen=True, slots=True)
class Headings(Generic[C]):
    """Which column of a sheet is which, by its place from 0."""

    places: Mapping[C, int]
    ignored: tuple[str, ...]
    """What stands over columns that are not read."""
    wrong: str
    """What is wrong with the header in words; empty where nothing is."""


def read_headings(header: Sequence[str], columns: type[C], *, needed: Collection[C]) -> Headings[C]:
    """Return which column is which. Case, blanks and signs in the words do not matter."""
    known = {plain(column.value): column for column in columns}
    places: dict[C, int] = {}
    repeated: list[C] = []
    ignored: list[str] = []
    for place, text in enumerate(header):
        column = known.get(plain(text))
        if column is None:
            ignored += [text] if text else []
        elif column in places:
            repeated.append(column)
        else:
            places[column] = place
    missing = [column for column in needed if column not in places]
    return Headings(places, tuple(ignored), _wrong(missing, repeated))


def plain(text: str) -> str:
    """Return the letters and digits of a word in a cell, by which it is known."""
    return re.sub(r"[\W_]+", "", text.casefold())


def _wrong(missing: Sequence[C], repeated: Sequence[C]) -> str:
    if missing:
        return _(
            "The first row names the columns, and there is no %(names)s. Begin with the empty file below."
        ) % {"names": _quoted(missing)}
    if repeated:
        return _("The first row names a column twice: %(names)s. Keep one.") % {"names": _quoted(repeated)}
    return ""


def _quoted(columns: Iterable[Enum]) -> str:
    return ", ".join(f"“{column.value}”" for column in columns)
