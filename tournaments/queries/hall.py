"""The big screen of a hall: standings, the clock, the tables, what fell lately, who meets next."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeVar

from courtpiece.accounts.permissions import Actor
from scoring import queries as scoring
from scoring.queries import FallenDeal
from tournaments.queries.clocks import RoundTab, ShownClock, clock_of, current_round, round_tabs, timed_round
from tournaments.queries.pages import AWARDS
from tournaments.queries.parts import (
    EntryLine,
    MatchLine,
    RoundLine,
    entries_of,
    matches_of_sheets,
    round_lines,
)
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for
from tournaments.queries.standings import ShownStandings, shown_standings

T = TypeVar("T")
FEW: Final = 7
"""Rows that stand in one column."""
MANY: Final = 14
"""Rows of a page of standings, in two columns."""
TABLES: Final = 7
"""Matches of a page."""
NEWS: Final = 6
"""Deals that fell lately."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FallenLine:
    """A deal that made courts, with where and for whom."""

    deal: FallenDeal
    match: MatchLine
    round: int

    @property
    def winner(self) -> EntryLine | None:
        """Who won it; None: nobody did."""
        return {"NS": self.match.ns, "EW": self.match.ew}.get(self.deal.winner)

    @property
    def courts(self) -> int:
        """The winner's, those of a run not counted."""
        return self.deal.courts_ew if self.deal.winner == "EW" else self.deal.courts_ns


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A page of a panel: what is on the screen at one time."""

    number: int
    of: int
    items: Sequence[Any]
    is_wide: bool = False
    """Whether few enough rows are there for one column with more to say of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HallPage:
    """Everything that the screen shows, panel by panel."""

    header: TournamentHeader
    clock: ShownClock | None
    """None before the first round."""
    standings: ShownStandings
    ranks: tuple[Part, ...]
    round: RoundLine | None
    """The one that is played; None before the first."""
    tables: tuple[Part, ...]
    fallen: tuple[FallenLine, ...]
    """The newest first."""
    next_round: RoundLine | None
    """The one after it, where it is published and nothing of it is played."""
    next_tables: tuple[Part, ...]
    now: datetime


def hall_page(slug: str, *, actor: Actor, now: datetime) -> HallPage:
    """Return what the screen shows now. Twenty queries at most, one more where the tournament is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    tournament = tournament_for(slug, actor=actor)
    header = header_of(tournament, actor)
    tabs = round_tabs(tournament)
    tab = current_round(tabs)
    timed = timed_round(tournament, tabs, tab)
    entries = entries_of(tournament.pk)
    following = _following(tabs, tab)
    shown = [one.id for one in (tab, following) if one is not None]
    rounds = {one.number: one for one in round_lines(shown, entries)} if shown else {}
    played = rounds.get(tab.number) if tab is not None else None
    coming = rounds.get(following.number) if following is not None else None
    standings = shown_standings(header)
    fallen = scoring.fallen_deals(header.collection_id, awards=AWARDS, limit=NEWS)
    matches = matches_of_sheets({deal.scoresheet_id for deal in fallen}, entries)
    return HallPage(
        header=header,
        clock=None if timed is None else clock_of(timed, now=now),
        standings=standings,
        ranks=_rank_parts(standings.answer["rows"]),
        round=played,
        tables=_parts(played.matches, TABLES) if played is not None else (),
        fallen=tuple(
            FallenLine(deal=deal, match=match, round=number)
            for deal in fallen
            for number, match in [matches[deal.scoresheet_id]]
        ),
        next_round=coming,
        next_tables=_parts(coming.matches, TABLES) if coming is not None else (),
        now=now,
    )


def _following(tabs: Sequence[RoundTab], current: RoundTab | None) -> RoundTab | None:
    """Return the round after the current one, where it waits to be played."""
    if current is None:
        return None
    later = next((one for one in tabs if one.number > current.number), None)
    return later if later is not None and later.open == later.matches else None


def _rank_parts(rows: Sequence[Any]) -> tuple[Part, ...]:
    if len(rows) <= FEW:
        return (Part(number=1, of=1, items=rows, is_wide=True),) if rows else ()
    return _parts(rows, MANY)


def _parts(items: Sequence[T], length: int) -> tuple[Part, ...]:
    """Return the items in parts of even lengths, none longer than that."""
    count = -(-len(items) // length)
    if not count:
        return ()
    even = -(-len(items) // count)
    return tuple(
        Part(number=number + 1, of=count, items=part) for number, part in enumerate(_cut(items, even))
    )


def _cut(items: Sequence[T], length: int) -> Iterable[Sequence[T]]:
    return (items[start : start + length] for start in range(0, len(items), length))
