"""The longest stay: how many matches running an entry won at a table where the winners keep their seats."""

from collections.abc import Mapping
from itertools import groupby

from scoring.domain.results import Encounter, MatchEnd, Tally
from scoring.domain.workings import Working, WorkingLine


def longest_stays(tallies: Mapping[int, Tally]) -> dict[int, Working]:
    """Return every entry's longest stay, match by match: of several that are as long, the earliest.

    A stay ends with a match that is not won, a draw too, and with a match of others at the table.
    """
    longest: dict[int, list[Encounter]] = {entry: [] for entry in tallies}
    for _, played in groupby(_matches(tallies), key=lambda met: met.table):
        for entry, stay in groupby(played, key=_winner):
            won = list(stay)
            if entry is not None and len(won) > len(longest[entry]):
                longest[entry] = won
    return {entry: _working(entry, won) for entry, won in longest.items()}


def _matches(tallies: Mapping[int, Tally]) -> list[Encounter]:
    """Return every match once, table by table in the order of play."""
    once = [met for entry, tally in tallies.items() for met in tally.encounters if entry < met.opponent]
    return sorted(once, key=lambda met: (met.table, met.round, met.order, met.own.entry, met.opponent))


def _winner(met: Encounter) -> int | None:
    if met.end is MatchEnd.DRAW:
        return None
    return met.own.entry if met.end is MatchEnd.WIN else met.opponent


def _working(entry: int, won: list[Encounter]) -> Working:
    lines = [
        WorkingLine(met.opponent if met.own.entry == entry else met.own.entry, (met.round,), 1) for met in won
    ]
    return Working(len(lines), tuple(lines))
