"""Groups: who is in which, their rounds, and how the best of them go into a bracket."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Final

from scoring.domain.ranking import Row, rank_entries
from scoring.domain.results import Entrant, Scheme
from scoring.domain.withdrawals import counting_results
from tournaments.domain.berger import berger
from tournaments.domain.knockout import places_for, seed_order
from tournaments.domain.labels import group_label
from tournaments.domain.pairing import Draw
from tournaments.domain.state import Participant, PlayedRound, TournamentState, by_seed

_NO_GAIN: Final = 1 << 62


def serpentine(entries: Sequence[int], groups: int) -> tuple[tuple[int, ...], ...]:
    """Return the entries, the best seed first, in groups: 1 2 3 3 2 1 1 2 3.

    >>> serpentine([1, 2, 3, 4, 5, 6, 7], 2)
    ((1, 4, 5), (2, 3, 6, 7))
    """
    dealt: list[list[int]] = [[] for _ in range(groups)]
    for place, entry in enumerate(entries):
        turn, column = divmod(place, groups)
        dealt[column if turn % 2 == 0 else groups - 1 - column].append(entry)
    return tuple(tuple(group) for group in dealt)


def groups_of(entries: Sequence[Participant], groups: int) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of the entries by group, the best seed first.

    Where the tournament keeps groups they hold, and an entry without one has no place; else they follow from
    the seeds.
    """
    if not any(entry.group for entry in entries):
        return serpentine(by_seed(entries), groups)
    return tuple(
        by_seed(entry for entry in entries if entry.group == group) for group in range(1, groups + 1)
    )


def group_draws(groups: Sequence[Sequence[int]], *, cycles: int) -> tuple[Draw, ...]:
    """Return the rounds of all the groups, each with one round of every group that still has one.

    :raises ScheduleError: if a group has fewer than two entries.
    """
    return _rounds(tuple(tuple(group) for group in groups), cycles)


@lru_cache(maxsize=8)
def _rounds(groups: tuple[tuple[int, ...], ...], cycles: int) -> tuple[Draw, ...]:
    """Return all rounds. They are kept, since a tournament's are asked for at every step."""
    of_groups = [berger(group, cycles=cycles) for group in groups]
    last = max(len(draws) for draws in of_groups)
    return tuple(_interleaved(of_groups, number) for number in range(1, last + 1))


def rank_group(
    members: Sequence[Participant], rounds: Sequence[PlayedRound], *, scheme: Scheme, cycles: int
) -> tuple[Row, ...]:
    """Return a group's own standings, best first, with the tournament's tie-breaks.

    Who left it before half of its matches is counted for nobody (design 8).
    """
    entrants = [
        Entrant(number=entry.number, penalty=entry.penalty, withdrawn=not entry.active) for entry in members
    ]
    among = {entrant.number for entrant in entrants}
    counting = counting_results(
        entrants,
        [
            result
            for one in rounds
            for result in one.results
            if among >= {side.entry for side in result.sides}
        ],
        [bye for one in rounds for bye in one.unplayed if among >= {bye.entry, bye.opponent or bye.entry}],
        scheduled=dict.fromkeys(among, cycles * (len(among) - 1)),
    )
    return rank_entries(counting.entrants, counting.matches, counting.byes, scheme=scheme)


def qualified(
    groups: Sequence[Sequence[int]],
    state: TournamentState,
    *,
    cycles: int,
    qualifiers: int,
    chosen: frozenset[int] | None = None,
) -> tuple[tuple[int, ...], ...]:
    """Return who goes on after the group rounds of the state, by group, the best first.

    Of those that share a rank the better seed goes first. Who is no longer active does not go on, and the next
    does. ``chosen`` is who really went on, once that is known.
    """
    by_number = {entry.number: entry for entry in state.entries}
    active = frozenset(entry.number for entry in state.entries if entry.active)
    may_go_on = active if chosen is None else chosen
    going_on: list[tuple[int, ...]] = []
    for group in groups:
        members = [by_number[number] for number in group]
        rows = rank_group(members, state.rounds, scheme=state.scheme, cycles=cycles)
        ordered = sorted(rows, key=lambda row: (row.rank, group.index(row.tally.entry)))
        eligible = [row.tally.entry for row in ordered if row.tally.entry in may_go_on]
        going_on.append(tuple(eligible[:qualifiers]) if chosen is None else tuple(eligible))
    return tuple(going_on)


def bracket_order(going_on: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return the entries as a bracket takes them, as if the first of them were the best seed.

    All winners of groups stand before all seconds, and so on; two of one group are put as far apart in the
    bracket as the others allow, the better placed first.
    """
    tiers = [
        [group for group, entries in enumerate(going_on) if len(entries) > place]
        for place in range(max(len(entries) for entries in going_on))
    ]
    places = seed_order(places_for(sum(len(tier) for tier in tiers)))
    slot_of = {seed: slot for slot, seed in enumerate(places)}
    taken: dict[int, list[int]] = {group: [] for group in range(len(going_on))}
    order: list[int] = []
    for place, tier in enumerate(tiers):
        slots = [slot_of[len(order) + offset] for offset in range(1, len(tier) + 1)]
        costs = [[sum(_closeness(slot, other) for other in taken[group]) for group in tier] for slot in slots]
        for slot, column in zip(slots, cheapest(costs), strict=True):
            taken[tier[column]].append(slot)
            order.append(going_on[tier[column]][place])
    return tuple(order)


def cheapest(costs: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """Return for each row the column given to it, each column once, so that the sum of the costs is least.

    The Hungarian method, in the cube of the number of rows; the same costs give the same answer.
    """
    size = len(costs)
    of_rows, of_columns = [0] * (size + 1), [0] * (size + 1)
    row_of = [0] * (size + 1)
    for row in range(1, size + 1):
        row_of[0] = row
        came_from = _shortest_path(costs, row_of, of_rows, of_columns)
        column = came_from[0]
        while column:
            row_of[column], column = row_of[came_from[column]], came_from[column]
    columns = {row_of[column] - 1: column - 1 for column in range(1, size + 1)}
    return tuple(columns[row] for row in range(size))


def _shortest_path(
    costs: Sequence[Sequence[int]], row_of: list[int], of_rows: list[int], of_columns: list[int]
) -> list[int]:
    """Return from which column each was reached; at 0 the free column at the end of the cheapest path."""
    size = len(costs)
    least = [_NO_GAIN] * (size + 1)
    seen = [False] * (size + 1)
    came_from = [0] * (size + 1)
    at = 0
    while row_of[at]:
        seen[at] = True
        row = row_of[at]
        for column in range(1, size + 1):
            cost = costs[row - 1][column - 1] - of_rows[row] - of_columns[column]
            if not seen[column] and cost < least[column]:
                least[column], came_from[column] = cost, at
        nearest = min((column for column in range(1, size + 1) if not seen[column]), key=least.__getitem__)
        step = least[nearest]
        for column in range(size + 1):
            if seen[column]:
                of_rows[row_of[column]] += step
                of_columns[column] -= step
            else:
                least[column] -= step
        at = nearest
    came_from[0] = at
    return came_from


def _closeness(slot: int, other: int) -> int:
    """Return how bad it is that two of one group stand in these slots: 4 times worse for each round earlier."""
    rounds_until_they_meet = (slot ^ other).bit_length()
    return 1 << (2 * (10 - rounds_until_they_meet))


def _interleaved(of_groups: Sequence[Sequence[Draw]], number: int) -> Draw:
    parts = {
        group: draws[number - 1] for group, draws in enumerate(of_groups, start=1) if number <= len(draws)
    }
    return Draw(
        number=number,
        pairings=tuple(
            replace(pairing, label=group_label(group).key)
            for group, part in parts.items()
            for pairing in part.pairings
        ),
        byes=tuple(bye for part in parts.values() for bye in part.byes),
    )
