"""Round robins by the Berger tables (FIDE C.05, annex 1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from courtpiece.errors import CourtPieceError

FEWEST: Final = 2
"""Entries without whom nothing can be played."""


class ScheduleError(CourtPieceError):
    """No round robin can be made of these entries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Two entries at a table (from 1)."""

    table: int
    ns: int
    ew: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundPlan:
    """The pairings of a round (from 1), and who is left without an opponent."""

    number: int
    pairings: tuple[Pairing, ...]
    bye: int | None


def berger(entries: Sequence[int], *, cycles: int = 1) -> tuple[RoundPlan, ...]:
    """Return the rounds of a round robin among the numbers, which take the table's places in the order given.

    With an odd number of entries each has one bye a cycle. In every second cycle the two teams of a pairing
    change places.

    :raises ScheduleError: if there are fewer than two entries, one is there twice, or there is no cycle.
    """
    if len(entries) < FEWEST or len(set(entries)) < len(entries) or cycles < 1:
        raise ScheduleError("a round robin needs two different entries or more, and one cycle or more")
    places: list[int | None] = [*entries]
    if len(places) % 2:
        places.append(None)
    rounds = len(places) - 1
    return tuple(
        _round_plan(places, cycle * rounds + turn + 1, turn, mirrored=cycle % 2 == 1)
        for cycle in range(cycles)
        for turn in range(rounds)
    )


def _round_plan(places: Sequence[int | None], number: int, turn: int, *, mirrored: bool) -> RoundPlan:
    pairings: list[Pairing] = []
    bye: int | None = None
    for first, second in _places_of_round(len(places), turn):
        ns, ew = places[first], places[second]
        if ns is None or ew is None:
            bye = ew if ns is None else ns
            continue
        if mirrored:
            ns, ew = ew, ns
        pairings.append(Pairing(table=len(pairings) + 1, ns=ns, ew=ew))
    return RoundPlan(number=number, pairings=tuple(pairings), bye=bye)


def _places_of_round(count: int, turn: int) -> list[tuple[int, int]]:
    """Return the table's pairs of places (from 0) for a round (from 0).

    The last place stands still and the others move on by half of ``count`` around the ring that they make;
    the last place sits second in the first round, first in the next, and so on.
    """
    ring = count - 1
    step = turn * (count // 2)
    pairs = [((board + step) % ring, (ring - 1 - board + step + 1) % ring) for board in range(count // 2)]
    top = step % ring
    pairs[0] = (top, ring) if turn % 2 == 0 else (ring, top)
    return pairs
