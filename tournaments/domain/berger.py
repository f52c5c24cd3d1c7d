"""Round robins by the Berger tables (FIDE C.05, annex 1)."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from scoring.domain.results import ByeKind
from tournaments.domain.pairing import ByeGiven, Draw, Note, Pairing, PairingError

FEWEST: Final = 2
"""Entries without whom nothing can be played."""


class ScheduleError(PairingError):
    """No round robin can be made of these entries."""


def berger(entries: Sequence[int], *, cycles: int = 1) -> tuple[Draw, ...]:
    """Return the rounds of a round robin among the numbers, which take the table's places in the order given.

    The first of a pairing sits North-South. With an odd number of entries each has one bye a cycle. In every
    second cycle the two teams of a pairing change places.

    :raises ScheduleError: if there are fewer than two entries, one is there twice, or there is no cycle.
    """
    if len(entries) < FEWEST or len(set(entries)) < len(entries) or cycles < 1:
        raise ScheduleError("a round robin needs two different entries or more, and one cycle or more")
    return _rounds(tuple(entries), cycles)


@lru_cache(maxsize=8)
def _rounds(entries: tuple[int, ...], cycles: int) -> tuple[Draw, ...]:
    """Return all rounds. They are kept, since a tournament's are asked for at every step: ten thousand pairings."""
    places: list[int | None] = [*entries]
    if len(places) % 2:
        places.append(None)
    rounds = len(places) - 1
    return tuple(
        _draw(places, cycle * rounds + turn + 1, turn, mirrored=cycle % 2 == 1)
        for cycle in range(cycles)
        for turn in range(rounds)
    )


def _draw(places: Sequence[int | None], number: int, turn: int, *, mirrored: bool) -> Draw:
    pairings: list[Pairing] = []
    byes: list[ByeGiven] = []
    for first, second in _places_of_round(len(places), turn):
        ns, ew = places[first], places[second]
        if ns is None or ew is None:
            left = ew if ns is None else ns
            byes += [] if left is None else [ByeGiven(entry=left, kind=ByeKind.PAIRING)]
            continue
        if mirrored:
            ns, ew = ew, ns
        pairings.append(Pairing(first=ns, second=ew, notes=(Note.SCHEDULED,), fixed_seats=True))
    return Draw(number=number, pairings=tuple(pairings), byes=tuple(byes))


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
