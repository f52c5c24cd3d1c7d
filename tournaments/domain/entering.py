"""The rules of a list of entries: who may be in it, and until when."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from tournaments.domain.plans import FormatName

MOST_ENTRIES: Final = 500
"""In one tournament: the reasons for its ranks name everybody that somebody is level with."""
HIGHEST_RATING: Final = 9999
MOST_GROUPS: Final = 64
TAKES_LATE_ENTRIES: Final = frozenset({FormatName.SWISS, FormatName.LEAGUE, FormatName.WINNER_STAYS})
"""The formats that draw one round after the other for whoever is there; in the others all follows from the first."""
COUNTS_MISSED_ROUNDS: Final = frozenset({FormatName.SWISS, FormatName.LEAGUE})
"""Those of them in which a round that was missed is a round without a match."""


class Column(Enum):
    """What is told of a pair, by the words that head its column in a file."""

    FIRST = "player 1"
    SECOND = "player 2"
    SEED = "seed"
    RATING = "rating"
    GROUP = "group"


class Fault(Enum):
    """What is wrong with a pair that is to enter. The words for people are made of it outside."""

    NO_NAME = "no-name"
    BAD_NAME = "bad-name"
    """``detail`` says why."""
    FORMULA = "formula"
    NOT_A_NUMBER = "not-a-number"
    OUT_OF_RANGE = "out-of-range"
    """``detail`` is the highest number."""
    SAME_PLAYER = "same-player"
    """Both names of the pair are one."""
    PLAYER_TWICE = "player-twice"
    """The player stands in another of the rows: ``other``."""
    PLAYER_ENTERED = "player-entered"
    """The player is in an entry: ``other`` is its number."""
    SEED_TWICE = "seed-twice"
    """Another of the rows has the seed: ``other``."""
    SEED_TAKEN = "seed-taken"
    """An entry has the seed: ``other`` is its number."""
    TOO_MANY = "too-many"
    """``detail`` is how many a tournament can have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPair:
    """A pair that is to enter, its names as they are kept."""

    row: int
    """Where it stands, from 1: of a file the row of the sheet."""
    names: tuple[str, str]
    seed: int | None = None
    rating: int | None = None
    group: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFault:
    """One thing that is wrong with a pair that is to enter."""

    row: int
    column: Column
    fault: Fault
    value: str = ""
    """What stands there."""
    other: int = 0
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedEntries:
    """What is in the list already."""

    count: int = 0
    players: Mapping[str, int] = field(default_factory=dict)
    """The number of the entry of each player, by name."""
    seeds: Mapping[int, int] = field(default_factory=dict)
    """The number of the entry that has each seed."""


def pair_faults(pairs: Sequence[NewPair], listed: ListedEntries) -> tuple[PairFault, ...]:
    """Return everything that is wrong with the pairs together and beside those in the list, row by row.

    A name that could not be read is empty, and compared with nothing.
    """
    rows_of_players: dict[str, int] = {}
    rows_of_seeds: dict[int, int] = {}
    faults: list[PairFault] = []
    for pair in pairs:
        faults += _name_faults(pair, rows_of_players, listed)
        faults += _seed_faults(pair, rows_of_seeds, listed)
    if pairs and listed.count + len(pairs) > MOST_ENTRIES:
        first_too_many = pairs[max(MOST_ENTRIES - listed.count, 0)]
        faults.append(
            PairFault(
                row=first_too_many.row, column=Column.FIRST, fault=Fault.TOO_MANY, detail=str(MOST_ENTRIES)
            )
        )
    return tuple(faults)


def player_faults(names: Iterable[str], listed: ListedEntries) -> tuple[PairFault, ...]:
    """Return which of the two players are in an entry already."""
    columns = zip((Column.FIRST, Column.SECOND), names, strict=True)
    return tuple(
        PairFault(row=1, column=column, fault=Fault.PLAYER_ENTERED, value=name, other=listed.players[name])
        for column, name in columns
        if name in listed.players
    )


def takes_late_entries(format_name: FormatName) -> bool:
    """Return whether a pair can still enter once a round is published."""
    return format_name in TAKES_LATE_ENTRIES


def may_ask(*, players_may_enter: bool, published_rounds: int, is_over: bool) -> bool:
    """Return whether players can ask to play: until the first round is published, where they may at all."""
    return players_may_enter and published_rounds == 0 and not is_over


def _name_faults(pair: NewPair, rows: dict[str, int], listed: ListedEntries) -> Iterator[PairFault]:
    first, second = pair.names
    if first and first == second:
        yield PairFault(row=pair.row, column=Column.SECOND, fault=Fault.SAME_PLAYER, value=second)
        return
    for column, name in ((Column.FIRST, first), (Column.SECOND, second)):
        if not name:
            continue
        if name in listed.players:
            other = listed.players[name]
            yield PairFault(row=pair.row, column=column, fault=Fault.PLAYER_ENTERED, value=name, other=other)
        elif rows.setdefault(name, pair.row) != pair.row:
            yield PairFault(
                row=pair.row, column=column, fault=Fault.PLAYER_TWICE, value=name, other=rows[name]
            )


def _seed_faults(pair: NewPair, rows: dict[int, int], listed: ListedEntries) -> Iterator[PairFault]:
    if pair.seed is None:
        return
    value = str(pair.seed)
    if pair.seed in listed.seeds:
        other = listed.seeds[pair.seed]
        yield PairFault(row=pair.row, column=Column.SEED, fault=Fault.SEED_TAKEN, value=value, other=other)
    elif rows.setdefault(pair.seed, pair.row) != pair.row:
        yield PairFault(
            row=pair.row, column=Column.SEED, fault=Fault.SEED_TWICE, value=value, other=rows[pair.seed]
        )
