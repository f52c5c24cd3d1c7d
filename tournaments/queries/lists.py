"""Lists of tournaments."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import Actor
from courtpiece.accounts.queries import ClubLine, ClubPage
from tournaments.models import Entry, Tournament
from tournaments.queries.sight import visible_tournaments

NEWEST: Final = 12
"""Tournaments on the first page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentLine:
    """A tournament as a list shows it."""

    slug: str
    name: str
    club_slug: str
    club_name: str
    club_timezone: str
    format: str
    rules: str
    status: str
    visibility: str
    entries: int
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubTournaments:
    """A club with its tournaments, the newest first."""

    page: ClubPage
    tournaments: tuple[TournamentLine, ...]


def newest_tournaments(*, actor: Actor, limit: int = NEWEST) -> tuple[TournamentLine, ...]:
    """Return the tournaments made last that the actor may find. Three queries."""
    return tournament_lines(visible_tournaments(actor).order_by("-created_at", "-pk")[:limit])


def club_tournaments(slug: str, *, actor: Actor) -> ClubTournaments:
    """Return a club's page. Three queries, one more for somebody signed in.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor may not see it.
    """
    page = accounts.club_page(slug, actor=actor)
    own = visible_tournaments(actor).filter(club=page.club.id).order_by("-created_at", "-pk")
    return ClubTournaments(page=page, tournaments=tournament_lines(own))


def tournament_lines(tournaments: Iterable[Tournament]) -> tuple[TournamentLine, ...]:
    """Return the tournaments as a list shows them. Two queries, and that of the tournaments."""
    rows = list(tournaments)
    clubs = accounts.clubs_by_id({row.club_id for row in rows})
    entries = _entries_by_tournament([row.pk for row in rows])
    return tuple(_line(row, clubs[row.club_id], entries.get(row.pk, 0)) for row in rows)


def _entries_by_tournament(tournament_ids: Collection[int]) -> dict[int, int]:
    rows = Entry.objects.filter(tournament__in=tournament_ids).values_list("tournament")
    return dict(rows.annotate(entries=Count("pk")))


def _line(row: Tournament, club: ClubLine, entries: int) -> TournamentLine:
    return TournamentLine(
        slug=row.slug,
        name=row.name,
        club_slug=club.slug,
        club_name=club.name,
        club_timezone=club.timezone,
        format=row.format,
        rules=row.rules,
        status=row.status,
        visibility=row.visibility,
        entries=entries,
        created_at=row.created_at,
    )
