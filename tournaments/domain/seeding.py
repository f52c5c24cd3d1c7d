"""Who is thought to be the strongest before anything is played."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from courtpiece.errors import CourtPieceError


class SeedTwice(CourtPieceError):  # noqa: N818 - read in sentences
    """Two entries were given one seed. ``seed`` is the seed, ``entries`` are their numbers."""

    def __init__(self, seed: int, entries: tuple[int, int]) -> None:
        super().__init__(f"entries {entries[0]} and {entries[1]} both have seed {seed}")
        self.seed = seed
        self.entries = entries


@dataclass(frozen=True, slots=True)
class Rated:
    """An entry with its rating; None where nobody said one."""

    number: int
    rating: int | None


def seeds_by_rating(entries: Iterable[Rated]) -> dict[int, int]:
    """Return the seed of each entry, from 1: the highest rating first, equals and those without by number."""
    order = sorted(entries, key=lambda entry: (entry.rating is None, -(entry.rating or 0), entry.number))
    return {entry.number: seed for seed, entry in enumerate(order, start=1)}


def seeds_drawn(numbers: Iterable[int], *, seed: int) -> dict[int, int]:
    """Return the seed of each entry, from 1, as a draw from ``seed`` gives it.

    The order is that of a hash of both numbers, not of a shuffle: it is the same in every version of Python, and
    an entry more changes no order between two others.
    """
    drawn = sorted(set(numbers), key=lambda number: sha256(f"seed:{seed}:{number}".encode()).digest())
    return {number: place for place, number in enumerate(drawn, start=1)}


def seeds_by_hand(given: Mapping[int, int | None]) -> dict[int, int | None]:
    """Return the seeds as they were given, closed up to 1, 2, 3; who was given none has none.

    :raises SeedTwice: if two entries were given one seed.
    """
    holders: dict[int, int] = {}
    for number, seed in sorted(given.items()):
        if seed is not None and holders.setdefault(seed, number) != number:
            raise SeedTwice(seed, (holders[seed], number))
    places = {holders[seed]: place for place, seed in enumerate(sorted(holders), start=1)}
    return {number: places.get(number) for number in given}
