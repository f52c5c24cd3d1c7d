"""The short line of keys in which a deal is typed from its slip: ``n4``, ``e7-3``, ``nc``, ``er5-2``, ``-``.

Who won comes first, ``n`` or ``e``; a lone ``-`` is a deal that nobody won. What follows may stand in any order: the
tricks, a letter for the award, ``d`` and a seat where another dealt than should have, ``=`` and the courts of the match
as the slip has them after the deal. Capitals, blanks, digits of any script and any usual sign between two numbers do.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from courtpiece.engine import Award, Score, Seat, Team
from courtpiece.errors import CourtPieceError
from tournaments.domain.slips import TRICKS, SlipLine


class KeysFault(Enum):
    """Why keys are no line."""

    NO_SIDE = "no-side"
    """They do not begin with a side, or with what says that nobody won."""
    UNKNOWN = "unknown"
    """Something in them means nothing."""
    TWICE = "twice"
    """They say one thing twice."""
    TOO_MANY_TRICKS = "too-many-tricks"
    """A deal has thirteen."""


class KeysError(CourtPieceError):
    """The keys are no line. ``odd`` is the part of them that is at fault."""

    def __init__(self, fault: KeysFault, odd: str) -> None:
        super().__init__(f"{fault.value}: {odd}")
        self.fault = fault
        self.odd = odd


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedLine:
    """A deal as its keys say it."""

    line: SlipLine
    courts: Score | None = None
    """The courts of the match that stand on the slip after the deal; None where they were not typed."""


_SIDES: Final[Mapping[str, Team]] = {
    "n": Team.NS,
    "s": Team.NS,
    "ns": Team.NS,
    "e": Team.EW,
    "w": Team.EW,
    "ew": Team.EW,
}
_AWARDS: Final[Mapping[str, Award]] = {
    "c": Award.COURT,
    "court": Award.COURT,
    "g": Award.GOON_COURT,
    "goon": Award.GOON_COURT,
    "goon-court": Award.GOON_COURT,
    "b": Award.BAVNEY,
    "bavney": Award.BAVNEY,
    "r": Award.REVOKE,
    "revoke": Award.REVOKE,
}
_BETWEEN: Final = r"(?:\s*[-:/.,]\s*|\s+)"
_SIDE: Final = re.compile(r"ns|ew|[nsew]")
_VOID: Final = re.compile(r"void|v|x|-")
_PART: Final = re.compile(
    rf"""
    =\s*(?P<ns>\d{{1,4}}){_BETWEEN}(?P<ew>\d{{1,4}})
    | (?P<won>\d{{1,2}}){_BETWEEN}(?P<lost>\d{{1,2}})
    | (?P<alone>\d{{1,2}})
    | d\s*(?P<dealer>[nsew])
    | (?P<award>goon-court|goon|court|bavney|revoke|[cgbr])
    """,
    re.VERBOSE,
)
_DASHES: Final = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))


def read_keys(text: str, *, number: int, is_single: bool) -> KeyedLine | None:
    """Return the deal of that number as it was typed; None where nothing was.

    One number alone is the losers' tricks where they are taken one by one (``is_single``), else the winners'.

    :raises KeysError: if they mean nothing.
    """
    keys = _folded(text)
    if not keys:
        return None
    start = _VOID.match(keys) or _SIDE.match(keys)
    if start is None:
        raise KeysError(KeysFault.NO_SIDE, keys)
    winner = _SIDES.get(start[0])
    line = SlipLine(number=number, winner=winner, is_void=winner is None)
    rest = keys[start.end() :].strip()
    return _with_parts(KeyedLine(line=line), rest, is_single=is_single)


def _folded(text: str) -> str:
    """Return the keys in small Latin letters and digits."""
    plain = unicodedata.normalize("NFKC", text).translate(_DASHES).lower()
    digits = "".join(str(unicodedata.decimal(sign, sign)) for sign in plain)
    return " ".join(digits.split())


def _with_parts(keyed: KeyedLine, rest: str, *, is_single: bool) -> KeyedLine:
    said: set[str] = set()
    while rest:
        part = _PART.match(rest)
        if part is None or (keyed.line.is_void and part["dealer"] is None and part["ns"] is None):
            raise KeysError(KeysFault.UNKNOWN, rest)
        kind = _kind(part)
        if kind in said:
            raise KeysError(KeysFault.TWICE, part[0])
        said.add(kind)
        keyed = _with_part(keyed, part, is_single=is_single)
        rest = rest[part.end() :].strip()
    return keyed


def _kind(part: re.Match[str]) -> str:
    if part["won"] or part["alone"]:
        return "tricks"
    return next(name for name in ("dealer", "award", "ns") if part[name] is not None)


def _with_part(keyed: KeyedLine, part: re.Match[str], *, is_single: bool) -> KeyedLine:
    if part["ns"] is not None:
        return replace(keyed, courts=Score(int(part["ns"]), int(part["ew"])))
    line = keyed.line
    if part["dealer"] is not None:
        return replace(keyed, line=replace(line, dealer=Seat[part["dealer"].upper()]))
    if part["award"] is not None:
        return replace(keyed, line=replace(line, award=_AWARDS[part["award"]]))
    alone = int(part["alone"]) if part["alone"] is not None else None
    if alone is not None:
        won, lost = (None, alone) if is_single else (alone, None)
    else:
        won, lost = int(part["won"]), int(part["lost"])
    if max(won or 0, lost or 0) > TRICKS:
        raise KeysError(KeysFault.TOO_MANY_TRICKS, part[0])
    return replace(keyed, line=replace(line, won=won, lost=lost))
