"""The table of all players with their figures, best first."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django.db.models import Case, F, Q, QuerySet, When

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import Actor
from courtpiece.accounts.queries import ClubLine
from scoring.domain.periods import ALL_TIME, Period
from scoring.domain.statistics import Figures, ranks_of
from scoring.models import Player, Scoresheet
from scoring.queries.figures import SUMS, figures_of_row, sheets_of, years_of
from scoring.queries.merges import merged_players
from scoring.queries.refs import PAGE_LENGTH, PageOf

LEAST_DEALS: Final = 20
"""Of whoever is ranked by a share or an average: of fewer deals these say little."""


class Order(Enum):
    """By what the table is ranked."""

    MATCHES = "matches"
    """Matches won."""
    SHARE = "share"
    """The share of deals won."""
    COURTS = "courts"
    """Courts for less courts against, in a hundred deals."""
    BAVNEYS = "bavneys"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderLine:
    """A player in the table."""

    rank: int
    """1 is best; equals share one, and the next is skipped."""
    is_tied: bool
    uid: UUID
    name: str
    club_slug: str
    club_name: str
    figures: Figures


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadersPage:
    """A page of the table of all players of a club, or of all clubs."""

    club: ClubLine | None
    period: Period
    years: tuple[int, ...]
    """From the first to the last in which anything was played, the last one first."""
    order: Order
    least_deals: int
    """Fewer deals leave a player out; 1 where they leave nobody out."""
    lines: PageOf[LeaderLine]


def leaders_page(
    *,
    actor: Actor,
    slug: str | None = None,
    period: Period = ALL_TIME,
    order: Order = Order.MATCHES,
    page: int = 1,
) -> LeadersPage:
    """Return a page of the players ranked by ``order``. One query for all figures, five more.

    Of a club what the actor may see is counted, of all clubs what everybody finds in lists.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor may not see it.
    """
    club = None if slug is None else accounts.club_by_slug(slug, actor=actor)
    least = LEAST_DEALS if order in {Order.SHARE, Order.COURTS} else 1
    sheets = sheets_of(club, actor)
    found = _by_player(sheets, period)
    value = _VALUES[order]
    ranked = sorted(
        ((value(figures), figures.matches, pk) for pk, figures in found.items() if figures.deals >= least),
        key=lambda one: (-one[0], -one[1], one[2]),
    )
    pages = max(1, -(-len(ranked) // PAGE_LENGTH))
    number = min(max(page, 1), pages)
    start = (number - 1) * PAGE_LENGTH
    ranks = list(ranks_of(one[0] for one in ranked))[start : start + PAGE_LENGTH]
    shown = [pk for _value, _matches, pk in ranked[start : start + PAGE_LENGTH]]
    people: Mapping[int, Any] = Player.objects.select_related("club").in_bulk(shown)
    lines = (
        _line(people[pk], found[pk], rank, is_tied=is_tied)
        for pk, (rank, is_tied) in zip(shown, ranks, strict=True)
    )
    return LeadersPage(
        club=club,
        period=period,
        years=years_of(sheets),
        order=order,
        least_deals=least,
        lines=PageOf(items=tuple(lines), number=number, num_pages=pages, count=len(ranked)),
    )


_VALUES: Final[Mapping[Order, Callable[[Figures], Fraction]]] = {
    Order.MATCHES: lambda figures: Fraction(figures.won),
    Order.SHARE: lambda figures: Fraction(figures.deals_won, figures.deals),
    Order.COURTS: lambda figures: Fraction(figures.courts_for - figures.courts_against, figures.deals),
    Order.BAVNEYS: lambda figures: Fraction(figures.bavneys),
}


def _by_player(sheets: QuerySet[Scoresheet], period: Period) -> dict[int, Figures]:
    """Return the figures of each person by the player's id: those of the sides on which they sat. Two queries."""
    wanted = Q(figures__side__in=("NS", "EW"))
    if period.first is not None:
        wanted &= Q(figures__played_first__gte=period.first)
    if period.last is not None:
        wanted &= Q(figures__played_last__lte=period.last)
    rows = sheets.filter(wanted).annotate(one=_sat("north", "east"), other=_sat("south", "west"))
    found: defaultdict[int, Figures] = defaultdict(Figures)
    kept = merged_players()
    for row in rows.values("one", "other").annotate(**SUMS).order_by():
        figures = figures_of_row(row)
        for pk in (int(row["one"]), int(row["other"])):
            found[kept.get(pk, pk)] += figures
    return found


def _sat(ns: str, ew: str) -> Case:
    return Case(When(figures__side="NS", then=F(f"{ns}_id")), default=F(f"{ew}_id"))


def _line(player: Player, figures: Figures, rank: int, *, is_tied: bool) -> LeaderLine:
    return LeaderLine(
        rank=rank,
        is_tied=is_tied,
        uid=player.uid,
        name=player.name,
        club_slug=player.club.slug,
        club_name=player.club.name,
        figures=figures,
    )
