"""How the standings came about, round by round, and what may still come."""

from dataclasses import dataclass
from typing import Final

from courtpiece.accounts.permissions import Actor
from scoring import queries as scoring
from scoring.domain.needs import Need
from tournaments.domain.placing import place_entries
from tournaments.domain.remaining import needs, remaining
from tournaments.models import RoundStandings
from tournaments.need_words import need_text
from tournaments.queries.clocks import RoundTab, round_tabs
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for
from tournaments.queries.state import load_state

MOST_LINES: Final = 12
"""Entries whose ranks a chart draws: more lines cannot be told apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankLine:
    """An entry's ranks, round by round."""

    entry: int
    name: str
    partnership: str
    """The address of the partnership."""
    ranks: tuple[int | None, ...]
    """One for each of the page's rounds; None where it was not in the standings yet."""

    @property
    def last(self) -> int | None:
        """Its rank after the last of the rounds."""
        return self.ranks[-1] if self.ranks else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RanksPage:
    """The ranks over the rounds."""

    header: TournamentHeader
    rounds: tuple[RoundTab, ...]
    """Those after which standings are kept, in order."""
    lines: tuple[RankLine, ...]
    """By the last rank."""
    is_current: bool
    """Whether nothing was written since they were computed."""

    @property
    def drawn(self) -> tuple[RankLine, ...]:
        """The lines that a chart draws: the first of them."""
        return self.lines[:MOST_LINES]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedLine:
    """What an entry needs for a place, with who it is."""

    entry: int
    name: str
    rank: int
    need: Need

    @property
    def text(self) -> str:
        """What it needs, in words."""
        return need_text(self.need)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceNeeds:
    """A place that matters, and what those near it need for it."""

    place: int
    lines: tuple[NeedLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsPage:
    """What everybody near a prize or the cut needs."""

    header: TournamentHeader
    is_possible: bool
    """Whether anything can be said in this format."""
    matches_left: int
    """Those of which it is known who meets whom."""
    rounds_not_drawn: int
    places: tuple[PlaceNeeds, ...]


def ranks_page(slug: str, *, actor: Actor) -> RanksPage:
    """Return the ranks after each round. Six queries, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    tournament = tournament_for(slug, actor=actor)
    header = header_of(tournament, actor)
    kept = list(
        RoundStandings.objects.filter(tournament=tournament).defer("reasons").order_by("round_number")
    )
    tabs = {tab.number: tab for tab in round_tabs(tournament)}
    kept = [row for row in kept if row.round_number in tabs]
    ranks = [{line["entry"]: line["rank"] for line in row.table["rows"]} for row in kept]
    last = kept[-1].table["rows"] if kept else []
    return RanksPage(
        header=header,
        rounds=tuple(tabs[row.round_number] for row in kept),
        lines=tuple(
            RankLine(
                entry=line["entry"],
                name=line["partnership"]["name"],
                partnership=line["partnership"]["id"],
                ranks=tuple(after.get(line["entry"]) for after in ranks),
            )
            for line in last
        ),
        is_current=all(row.version == header.version for row in kept),
    )


def needs_page(slug: str, *, actor: Actor) -> NeedsPage:
    """Return what everybody near the first place, a prize or the cut needs. Twelve queries, one more where private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    tournament = tournament_for(slug, actor=actor)
    header = header_of(tournament, actor)
    loaded = load_state(tournament)
    left = remaining(loaded.plan, loaded.state)
    rows = place_entries(loaded.plan, loaded.state)
    pairs = scoring.partnerships_by_id(entry.partnership_id for entry in loaded.entered)
    names = {entry.number: pairs[entry.partnership_id].name for entry in loaded.entered}
    ranks = {row.tally.entry: row.rank for row in rows}
    places = sorted({1, loaded.plan.prizes, loaded.plan.cut} - {0})
    found = {place: needs(loaded.plan, loaded.state, rows, place=place) for place in places}
    return NeedsPage(
        header=header,
        is_possible=left is not None,
        matches_left=0 if left is None else len(left.pairs),
        rounds_not_drawn=0 if left is None else left.rounds_not_drawn,
        places=tuple(
            PlaceNeeds(
                place=place,
                lines=tuple(
                    NeedLine(entry=one.entry, name=names[one.entry], rank=ranks[one.entry], need=one)
                    for one in of_place
                ),
            )
            for place, of_place in found.items()
            if of_place
        ),
    )
