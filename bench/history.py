"""The history of some clubs in PCN files, played by the library's simulator: the same for the same seed and size.

A folder for each club, in it a file for each tournament, as ``manage.py import_folder`` takes them. Who plays often is
as in real clubs: a few come to most tournaments, many to some, everybody to one.
"""

import math
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Final

from courtpiece.engine import Rules
from courtpiece.notation import Record, write_file
from courtpiece.notation.simulator import Heading, simulate_match

MILLION: Final = 1_000_000
TOURNAMENTS: Final = 400
"""Of a million deals, as the players; fewer deals have as many fewer of both."""
PLAYERS: Final = 5_000
CLUBS: Final = 8
ROUNDS: Final = 5
DEALS_OF_A_MATCH: Final = 20
FIRST_DAY: Final = date(2018, 1, 6)
RULES_OF_CLUBS: Final = (*("court-piece",) * 6, "hidden-trump", "double-sir")
"""Most clubs play the plain game."""
_SWAPS: Final = 0.15
"""The chance that two pairs who are usually together play with each other's partner."""
_REGULARS: Final = 8
"""A larger number makes it less equal how often people come."""

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """How much was played, by how many, where."""

    deals: int = MILLION
    """About as many: tables play whole matches."""
    seed: int = 2026

    @property
    def tournaments(self) -> int:
        """How many there are, at all clubs together."""
        return max(2, TOURNAMENTS * self.deals // MILLION)

    @property
    def clubs(self) -> int:
        """How many have them, in turn."""
        return min(CLUBS, self.tournaments)

    @property
    def tables(self) -> int:
        """How many play at once in each tournament."""
        return max(1, round(self.deals / (self.tournaments * ROUNDS * DEALS_OF_A_MATCH)))

    @property
    def pairs(self) -> int:
        """How many pairs are usually together in each club."""
        return max(2 * self.tables, PLAYERS * self.deals // MILLION // self.clubs // 2)

    @property
    def deals_of_a_tournament(self) -> int:
        """How many are played in each."""
        return self.tables * ROUNDS * DEALS_OF_A_MATCH


def write_history(history: History, folder: Path, *, processes: int = 1) -> tuple[Path, ...]:
    """Write the files that are not in the folder yet, and return all of them. Memory is a tournament's."""
    numbers = range(history.tournaments)
    if processes == 1:
        return tuple(_write_tournament(history, number, folder) for number in numbers)
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        count = len(numbers)
        return tuple(pool.map(_write_tournament, [history] * count, numbers, [folder] * count))


def _write_tournament(history: History, number: int, folder: Path) -> Path:
    club = number % history.clubs
    path = folder / f"club-{club + 1}" / f"club-{club + 1}-open-{number // history.clubs + 1}.pcn"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".unfinished")
    with unfinished.open("w", encoding="utf-8") as file:
        file.writelines(write_file(_records(history, number)))
    return unfinished.rename(path)


def _records(history: History, number: int) -> Iterator[Record]:
    """Yield the records of a tournament, round by round and table by table."""
    club, of_club = number % history.clubs, number // history.clubs
    rng = Random(f"{history.seed}, tournament {number}")
    rules = Rules.parse(RULES_OF_CLUBS[club % len(RULES_OF_CLUBS)])
    heading = Heading(
        event=f"Club {club + 1} Open {of_club + 1}",
        date=f"{FIRST_DAY + timedelta(days=7 * of_club):%Y.%m.%d}",
    )
    field = _field(_pairs(history, club), of_club, history.tables, rng)
    for round_number in range(1, ROUNDS + 1):
        for table, (ns, ew) in enumerate(_round(field, round_number), start=1):
            yield from simulate_match(
                rng=rng,
                rules=rules,
                heading=heading._replace(
                    round=str(round_number), table=str(table), ns=" & ".join(ns), ew=" & ".join(ew)
                ),
                deals=DEALS_OF_A_MATCH,
            )


def _round(field: Sequence[Pair], number: int) -> Iterator[tuple[Pair, Pair]]:
    """Yield who meets in a round: one pair stays, the others move on by one place with every round."""
    turn = (number - 1) % (len(field) - 1)
    places = [field[0], *field[1 + turn :], *field[1 : 1 + turn]]
    half = len(places) // 2
    yield from zip(places[:half], reversed(places[half:]), strict=True)


def _field(pairs: Sequence[Pair], tournament: int, tables: int, rng: Random) -> list[Pair]:
    """Return who plays in a club's tournament: all come once in the first ones, then by how keen they are."""
    count = 2 * tables
    first = pairs[tournament * count : (tournament + 1) * count]
    others = [place for place, pair in enumerate(pairs) if pair not in first]
    keenness = {place: 1 / (place + 1 + len(pairs) / _REGULARS) for place in others}
    drawn = sorted(others, key=lambda place: -math.log(1 - rng.random()) / keenness[place])
    field = [*first, *(pairs[place] for place in drawn[: count - len(first)])]
    for place in range(0, count - 1, 2):
        if rng.random() < _SWAPS:
            (one, two), (three, four) = field[place : place + 2]
            field[place : place + 2] = [(one, four), (three, two)]
    return sorted(field, key=lambda _pair: rng.random())


def _pairs(history: History, club: int) -> list[Pair]:
    """Return a club's pairs, the keenest first."""
    rng = Random(f"{history.seed}, club {club}")
    names = list(islice(_names(rng), 2 * history.pairs))
    return list(zip(names[::2], names[1::2], strict=True))


def _names(rng: Random) -> Iterator[str]:
    """Yield names that nobody has, none twice."""
    given: set[str] = set()
    while True:
        name = f"{_word(2, rng)} {_word(3, rng)}"
        if name not in given:
            given.add(name)
            yield name


def _word(syllables: int, rng: Random) -> str:
    letters = [
        _one_of(letters, rng) for _syllable in range(syllables) for letters in ("bdfghjklmnprstvz", "aeiou")
    ]
    return "".join(letters).capitalize()


def _one_of(letters: str, rng: Random) -> str:
    return letters[int(rng.random() * len(letters))]
