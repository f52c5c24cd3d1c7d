"""How the standings came about, round by round, and what may still come."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, NamedTuple, TypeAlias

from django.core.cache import cache
from django.db.models import QuerySet
from django.utils.translation import get_language

from courtpiece.accounts.permissions import Actor
from scoring.domain.needs import Need
from tournaments.domain.remaining import outlook
from tournaments.models import RoundStandings, Status, Tournament
from tournaments.need_words import need_text, unknown_text
from tournaments.queries.clocks import RoundTab, round_tabs
from tournaments.queries.draws import names_of
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for
from tournaments.queries.standings import entered_pairs
from tournaments.queries.state import shown_state

KEPT: Final = 86_400
"""Seconds for which what was worked out of one version is kept; a new version is worked out anew."""
_Ranked: TypeAlias = tuple[int, tuple[int | None, ...]]
"""An entry with its ranks."""

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


class NeedLine(NamedTuple):
    """What an entry needs for a place, with who it is."""

    entry: int
    name: str
    rank: int
    status: str
    """The value of a ``NeedStatus``."""
    text: str
    """What it needs, in the words of the language asked for."""


class PlaceNeeds(NamedTuple):
    """A place that matters, and what those near it need for it."""

    place: int
    group: int | None
    """From 1, where the place is one of those in a group that go on; None: one of the whole tournament."""
    lines: tuple[NeedLine, ...]


class AllNeeds(NamedTuple):
    """What everybody near a place that matters needs for it."""

    is_possible: bool
    """Whether anything can be said in this format."""
    matches_left: int
    """Those of which it is known who meets whom."""
    rounds_not_drawn: int
    places: tuple[PlaceNeeds, ...]
    ground: str
    """The value of a ``Ground``: what is said rests on that. Empty where nothing is possible."""
    unknown: str
    """Why nothing can be said of anybody, in the words of the language asked for; empty where something can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NeedsPage:
    """What everybody near a prize or the cut needs."""

    header: TournamentHeader
    needs: AllNeeds


def ranks_page(slug: str, *, actor: Actor) -> RanksPage:
    """Return the ranks after each round. Eight queries, one more where it is private, one less where they are kept.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    tournament = tournament_for(slug, actor=actor)
    header = header_of(tournament, actor)
    tabs = {tab.number: tab for tab in round_tabs(tournament)}
    rows = RoundStandings.objects.filter(tournament=tournament, round_number__in=tabs)
    versions = dict(rows.order_by("round_number").values_list("round_number", "version"))
    key = f"ranks-of:{tournament.pk}:{sha256(repr(versions).encode()).hexdigest()}"
    # Names are not kept with them: one may have been hidden since.
    pairs = entered_pairs(tournament.pk)
    lines: list[_Ranked] = cache.get_or_set(key, lambda: _ranked(rows), KEPT) or []
    return RanksPage(
        header=header,
        rounds=tuple(tabs[number] for number in versions),
        lines=tuple(
            RankLine(entry=entry, name=pairs[entry].name, partnership=str(pairs[entry].uid), ranks=ranks)
            for entry, ranks in lines
            if entry in pairs
        ),
        is_current=all(version == header.version for version in versions.values()),
    )


def _ranked(rows: QuerySet[RoundStandings]) -> list[_Ranked]:
    """Return everybody's ranks after each of the rounds, by the last."""
    tables = [table["rows"] for table in rows.order_by("round_number").values_list("table", flat=True)]
    ranks = [{line["entry"]: line["rank"] for line in table} for table in tables]
    return [
        (line["entry"], tuple(after.get(line["entry"]) for after in ranks))
        for line in (tables[-1] if tables else [])
    ]


def needs_page(slug: str, *, actor: Actor) -> NeedsPage:
    """Return what everybody near the first place, a prize or the cut needs.

    Thirteen queries, one more where it is private; three where it was worked out of this version before.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    tournament = tournament_for(slug, actor=actor)
    header = header_of(tournament, actor)
    key = f"outlook:{tournament.pk}:{header.version}:{_is_closed(tournament):d}:{get_language()}"
    found: AllNeeds | None = cache.get_or_set(key, lambda: _needs(tournament), KEPT)
    return NeedsPage(header=header, needs=found or _needs(tournament))


def _is_closed(tournament: Tournament) -> bool:
    return tournament.appeals_until is not None or tournament.status != Status.PROVISIONAL


def _needs(tournament: Tournament) -> AllNeeds:
    loaded = shown_state(tournament)
    names = names_of(loaded)
    found = outlook(loaded.plan, loaded.state, closed=_is_closed(tournament))
    if found is None:
        return AllNeeds(
            is_possible=False, matches_left=0, rounds_not_drawn=0, places=(), ground="", unknown=""
        )
    return AllNeeds(
        is_possible=True,
        matches_left=len(found.remaining.pairs),
        rounds_not_drawn=found.remaining.rounds_not_drawn,
        places=tuple(
            PlaceNeeds(one.place, one.group, tuple(_need_line(need, names, one.ranks) for need in one.needs))
            for one in found.places
            if one.needs
        ),
        ground=found.ground.value,
        unknown="" if found.unknown is None else unknown_text(found.unknown),
    )


def _need_line(need: Need, names: Mapping[int, str], ranks: Mapping[int, int]) -> NeedLine:
    return NeedLine(need.entry, names[need.entry], ranks[need.entry], need.status.value, need_text(need))
