"""What a new tournament can begin from, and what a tournament was made with."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from courtpiece.accounts.permissions import Action, Actor, Visibility
from courtpiece.accounts.queries import NotFound
from tournaments.domain.plans import FormatPlan
from tournaments.models import Draft, EntryState, Round, Session, Tournament
from tournaments.queries.pages import ManagePage, manage_page
from tournaments.queries.parts import entries_of
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for
from tournaments.queries.state import plan_of
from tournaments.schemes import (
    NewSession,
    NewTournament,
    plan_fingerprint,
    scheme_of,
    sessions_fingerprint,
    sessions_of,
)

MOST_EARLIER: Final = 100
"""Tournaments that a page offers to be copied."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Copy:
    """A tournament to be made after an earlier one."""

    new: NewTournament
    pairs: tuple[str, ...]
    """Those that played in it, if they were asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeWith:
    """What a tournament was made with, as far as it can be changed, and what the forms are made on."""

    header: TournamentHeader
    plan: FormatPlan
    plan_made_on: str
    is_drawn: bool
    """Whether a round is drafted or published, so that the plan stays."""
    sessions: tuple[NewSession, ...]
    sessions_made_on: str
    players_may_enter: bool
    appeal_minutes: int
    confirmation: bool
    link_hours: int | None
    live_delay: int
    """Minutes."""
    entries: int
    """How many entered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsPage:
    """What a director can change of a tournament."""

    made: MadeWith
    manage: ManagePage


def earlier_tournaments(club_id: int) -> list[tuple[str, str]]:
    """Return address and name of the club's newest tournaments. One query."""
    rows = Tournament.objects.filter(club=club_id).order_by("-created_at", "-pk")
    return list(rows.values_list("slug", "name")[:MOST_EARLIER])


def copy_of(
    slug: str, *, actor: Actor, club_id: int, zone: ZoneInfo, starts_on: date | None, with_pairs: bool
) -> Copy:
    """Return a private draft after an earlier tournament of the club. Five queries at most.

    Its sessions are moved so that the first is on ``starts_on``; without a date nothing is said of when they are.
    A draw of lots gets a seed of its own.

    :raises NotFound: if the club has no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    row = tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    if row.club_id != club_id:
        raise NotFound
    sessions = sessions_of(Session.objects.filter(tournament=row).order_by("number"))
    entries = entries_of(row.pk).values() if with_pairs else ()
    return Copy(
        new=NewTournament(
            name=row.name,
            format=row.format,
            rules=row.rules,
            visibility=Visibility.PRIVATE,
            scheme=replace(scheme_of(row), lot_seed=None),
            plan=plan_of(row),
            sessions=moved(sessions, starts_on, zone),
            players_may_enter=row.players_may_enter,
            appeal_minutes=row.appeal_minutes,
            confirmation=row.confirmation,
            link_hours=row.link_hours,
            live_delay=row.live_delay,
        ),
        pairs=tuple(entry.pair.name for entry in entries if entry.state == EntryState.ACTIVE),
    )


def moved(sessions: Sequence[NewSession], starts_on: date | None, zone: ZoneInfo) -> tuple[NewSession, ...]:
    """Return the sessions with the first on that day, the others as many days later, at the same time of day."""
    dates = [one.starts_at.astimezone(zone).date() for one in sessions if one.starts_at is not None]
    if starts_on is None or not dates:
        return tuple(replace(one, starts_at=None) for one in sessions)
    later = starts_on - min(dates)
    return tuple(replace(one, starts_at=_later(one.starts_at, later, zone)) for one in sessions)


def settings_page(slug: str, *, actor: Actor) -> SettingsPage:
    """Return everything that the page of the settings shows. Fifteen queries at most.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    return SettingsPage(made=made_with(slug, actor=actor), manage=manage_page(slug, actor=actor))


def made_with(slug: str, *, actor: Actor) -> MadeWith:
    """Return what the tournament was made with. Seven queries.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    row = tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    plan = plan_of(row)
    sessions = sessions_of(Session.objects.filter(tournament=row).order_by("number"))
    drawn = Round.objects.filter(tournament=row).exists() or Draft.objects.filter(tournament=row).exists()
    return MadeWith(
        header=header_of(row, actor),
        plan=plan,
        plan_made_on=plan_fingerprint(plan),
        is_drawn=drawn,
        sessions=sessions,
        sessions_made_on=sessions_fingerprint(sessions),
        players_may_enter=row.players_may_enter,
        appeal_minutes=row.appeal_minutes,
        confirmation=row.confirmation,
        link_hours=row.link_hours,
        live_delay=row.live_delay,
        entries=row.entries.filter(state=EntryState.ACTIVE).count(),
    )


def _later(moment: datetime | None, days: timedelta, zone: ZoneInfo) -> datetime | None:
    if moment is None:
        return None
    local = moment.astimezone(zone)
    return datetime.combine(local.date() + days, local.timetz())
