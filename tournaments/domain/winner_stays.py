"""Winner stays: the losers of a match give up their seats to the next in the queue.

Nothing about the queue is stored. Whoever sits in an open match plays; whoever won their last match holds that
table; everybody else waits, in the order in which they lost or came.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from tournaments.domain.pairing import Draw, Note, Pairing
from tournaments.domain.plans import WinnerStaysPlan
from tournaments.domain.state import Participant, TournamentState

_LEFT_FIRST: Final = 0
_LEFT_SECOND: Final = 1
_CAME: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMatch:
    """A match of the evening."""

    table: int
    """From 1."""
    ns: int
    ew: int
    winner: int | None = None
    """None: nobody, or it is still open."""
    ended: int | None = None
    """Its place in the order in which matches ended, from 1; None: it is open."""

    @property
    def entries(self) -> tuple[int, int]:
        """Both of them."""
        return self.ns, self.ew


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """Who sits down at a free table. Who held it keeps the seats, and else the first of the queue sits North-South."""

    table: int
    ns: int
    ew: int
    holder: int | None = None
    """Who won the table's last match and stayed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """Who does not play at the moment."""

    queue: tuple[int, ...]
    """The next first."""
    holders: tuple[tuple[int, int], ...]
    """The tables whose winners wait for somebody to play against, and these, the longest wait first."""


def waiting(entries: Iterable[Participant], matches: Sequence[TableMatch]) -> Waiting:
    """Return who waits, in the queue or at a table. Entries that are no longer active do not.

    A late entry joins the end of the queue as it was when it came. Where nobody won, both leave: the one that
    sat there longer first, and of two that sat down together North-South.
    """
    playing = {entry for match in matches if match.ended is None for entry in match.entries}
    busy = {match.table for match in matches if match.ended is None}
    last = _last_matches(matches)
    winners_last = {match.table: match for match in _by_end(matches)}
    queue: list[tuple[tuple[int, int, int], int]] = []
    holders: list[tuple[int, int, int]] = []
    for entry in entries:
        number = entry.number
        if not entry.active or number in playing:
            continue
        match = last.get(number)
        if match is None:
            queue.append(((entry.joined_round - 1, _CAME, entry.seed), number))
        elif match.winner == number and match.table not in busy and winners_last[match.table] is match:
            holders.append((_end(match), match.table, number))
        else:
            queue.append(((_end(match), _place_after(number, match, matches), entry.seed), number))
    return Waiting(
        queue=tuple(number for _, number in sorted(queue)),
        holders=tuple((table, number) for _, table, number in sorted(holders)),
    )


def next_sittings(
    plan: WinnerStaysPlan, entries: Sequence[Participant], matches: Sequence[TableMatch]
) -> tuple[Sitting, ...]:
    """Return who sits down now at each free table, by table.

    Winners who stayed get the first of the queue, the longest wait first; then empty tables get two each. Winners
    for whom nobody is left meet one another, at the table of the one that waited longer.
    """
    now = waiting(entries, matches)
    queue = list(now.queue)
    sittings: list[Sitting] = []
    alone: list[tuple[int, int]] = []
    for table, holder in now.holders:
        if queue:
            sittings.append(_against_holder(table, holder, queue.pop(0), matches))
        else:
            alone.append((table, holder))
    while len(alone) > 1:
        (table, holder), (_, other), *alone = alone
        sittings.append(_against_holder(table, holder, other, matches))
    pairs = zip(queue[::2], queue[1::2], strict=False)
    sittings += [
        Sitting(table=table, ns=ns, ew=ew)
        for table, (ns, ew) in zip(_empty_tables(plan, matches, now), pairs, strict=False)
    ]
    return tuple(sorted(sittings, key=lambda sitting: sitting.table))


def matches_of(state: TournamentState) -> tuple[TableMatch, ...]:
    """Return the matches that were drawn, without the void ones. One that was given away is won by the other."""
    numbers = {name: number for number, name in enumerate(state.tables, start=1)}
    drawn = [match for one in state.rounds for match in one.matches if not match.void]
    return tuple(
        TableMatch(
            table=numbers.get(match.table) or _number_of(match.table),
            ns=match.first,
            ew=match.second,
            winner=match.winner,
            ended=None if match.is_open else (match.ended or place),
        )
        for place, match in enumerate(drawn, start=1)
    )


def draw_of(sittings: Sequence[Sitting], *, number: int) -> Draw:
    """Return the sittings as a round."""
    return Draw(
        number=number,
        pairings=tuple(
            Pairing(
                first=sitting.ns,
                second=sitting.ew,
                notes=(Note.QUEUE,),
                table=sitting.table,
                fixed_seats=True,
            )
            for sitting in sittings
        ),
    )


def _number_of(table: str) -> int:
    return int(table) if table.isascii() and table.isdecimal() else 0


def _end(match: TableMatch) -> int:
    return match.ended or 0


def _by_end(matches: Iterable[TableMatch]) -> list[TableMatch]:
    return sorted((match for match in matches if match.ended is not None), key=_end)


def _last_matches(matches: Iterable[TableMatch]) -> dict[int, TableMatch]:
    """Return the last match of each entry that ended one."""
    return {entry: match for match in _by_end(matches) for entry in match.entries}


def _place_after(number: int, match: TableMatch, matches: Sequence[TableMatch]) -> int:
    """Return whether the entry left the table before the other of its match, where both had to."""
    if match.winner is not None:
        return _LEFT_FIRST
    held = [one for one in _by_end(matches) if one.table == match.table and _end(one) < _end(match)]
    if held and held[-1].winner in match.entries:
        return _LEFT_FIRST if held[-1].winner == number else _LEFT_SECOND
    return _LEFT_FIRST if match.ns == number else _LEFT_SECOND


def _against_holder(table: int, holder: int, other: int, matches: Sequence[TableMatch]) -> Sitting:
    if _last_matches(matches)[holder].ns == holder:
        return Sitting(table=table, ns=holder, ew=other, holder=holder)
    return Sitting(table=table, ns=other, ew=holder, holder=holder)


def _empty_tables(plan: WinnerStaysPlan, matches: Sequence[TableMatch], now: Waiting) -> list[int]:
    busy = {match.table for match in matches if match.ended is None}
    held = {table for table, _ in now.holders}
    return [table for table in range(1, plan.tables + 1) if table not in busy | held]
