"""Which tie-breaks do not go with a format. Formats are known here by the words that they are stored with."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from scoring.domain.results import TiebreakCode

PREDETERMINED: Final = frozenset({"single", "round-robin", "groups-knockout"})
"""The formats in which everybody knows from the start whom to meet, or whose groups are such."""

_OVER_OPPONENTS: Final = (
    TiebreakCode.BUCHHOLZ,
    TiebreakCode.MEDIAN_BUCHHOLZ,
    TiebreakCode.SONNEBORN_BERGER,
)
_BUCHHOLZ: Final = (TiebreakCode.BUCHHOLZ, TiebreakCode.MEDIAN_BUCHHOLZ)


class Objection(Enum):
    """Why a tie-break does not go with a format. The words for people are made of it outside."""

    SAME_OPPONENTS = "same-opponents"
    """Everybody meets the same opponents, so that their scores say nothing (FIDE C.07, article 8)."""
    UNEQUAL_MATCHES = "unequal-matches"
    """Who stays at the table plays more matches, so that sums over opponents do not compare."""
    NOBODY_STAYS = "nobody-stays"
    """The winners of a match do not keep their seats."""


@dataclass(frozen=True, slots=True)
class ObjectionTo:
    """A tie-break that does not go with a format, and why."""

    code: TiebreakCode
    objection: Objection


def objection_to_tiebreaks(format_name: str, codes: Iterable[TiebreakCode]) -> ObjectionTo | None:
    """Return the first of the tie-breaks that does not go with the format; None where all do."""
    for code in codes:
        objection = _objection(format_name, code)
        if objection is not None:
            return ObjectionTo(code, objection)
    return None


def _objection(format_name: str, code: TiebreakCode) -> Objection | None:
    if code is TiebreakCode.LONGEST_STAY:
        return None if format_name == "winner-stays" else Objection.NOBODY_STAYS
    if code in _BUCHHOLZ and format_name in PREDETERMINED:
        return Objection.SAME_OPPONENTS
    if code in _OVER_OPPONENTS and format_name == "winner-stays":
        return Objection.UNEQUAL_MATCHES
    return None
