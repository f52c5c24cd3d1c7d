"""A table as spectators follow it: late by what the tournament sets, decided here and not by who asks."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import quote
from uuid import UUID

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import ANONYMOUS, Action, Actor, may
from courtpiece.accounts.queries import NotFound
from scoring import queries as scoring
from scoring.live import LiveDeal, live_deal
from scoring.queries import Glance
from tournaments.models import LiveState, Match, MatchState, Tournament
from tournaments.publishing import due_milliseconds, timestamp
from tournaments.queries.parts import table_key
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for
from tournaments.words import label_text

SILENT: Final = timedelta(hours=1)
"""A table that has said nothing for so long beyond its delay shows no deal any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPlace:
    """A scoresheet's match, as far as what comes from its table must be judged."""

    match_id: int
    scoresheet_id: int
    club_id: int
    state: str
    rules: str


def scoresheet_of_match(uid: UUID) -> MatchPlace | None:
    """Return the match of the scoresheet; None where it is of none. One query."""
    row = (
        Match.objects.filter(scoresheet__uid=uid)
        .values_list("pk", "scoresheet", "scoresheet__club", "state", "scoresheet__rules")
        .first()
    )
    if row is None:
        return None
    match_id, scoresheet_id, club_id, state, rules = row
    return MatchPlace(
        match_id=match_id, scoresheet_id=scoresheet_id, club_id=club_id, state=state, rules=rules
    )


def delay_of(tournament: Tournament) -> timedelta:
    """Return how late spectators follow."""
    return timedelta(minutes=tournament.live_delay)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedTable:
    """A table at a moment, as spectators are shown it then."""

    slug: str
    timezone: str
    table: str
    round_number: int
    round_name: str
    is_open: bool
    """Whether the match is still played."""
    glance: Glance
    deal: LiveDeal | None
    """The deal that goes on; None where none is shown."""
    shown_at: datetime | None
    """When what is shown of the deal came from the table; None without one."""
    delay_minutes: int
    next_at: datetime | None
    """When the next thing that is known will be shown; None: nothing is waiting."""
    state_id: int
    now: datetime
    is_for_all: bool
    """Whether everybody may see it."""

    @property
    def version(self) -> str:
        """What is shown: another whenever something of it is."""
        deal = 0 if self.deal is None else self.state_id
        return f"{self.glance.uid.hex[:8]}.{self.glance.version}.{deal}.{int(self.is_open)}"

    @property
    def as_of(self) -> str:
        """Of when what is shown is, for machines."""
        return timestamp(self.shown_at or self.now)

    @property
    def next_due(self) -> int | None:
        """The moment of ``next_at`` in milliseconds; None where nothing is waiting."""
        return None if self.next_at is None else due_milliseconds(self.next_at)

    @property
    def socket(self) -> str:
        """The path of the socket that follows the table."""
        return f"/ws/tournaments/{self.slug}/tables/{quote(self.table, safe='')}/"


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePage:
    """The page of a table."""

    header: TournamentHeader
    watched: WatchedTable
    tables: tuple[str, ...]
    """All of the round, this one among them."""


def table_page(slug: str, table: str, *, actor: Actor, now: datetime) -> TablePage:
    """Return the table as it is shown now. Nine queries, one more where the tournament is private.

    :raises NotFound: if there is no such tournament, or no match at such a table.
    :raises Forbidden: if the actor may not see it.
    """
    tournament = tournament_for(slug, actor=actor)
    header = header_of(tournament, actor)
    match = _match_at(tournament, table)
    tables = Match.objects.filter(round=match.round_id).values_list("table", flat=True)
    return TablePage(
        header=header,
        watched=_watched(match, tournament, timezone=header.club.timezone, now=now),
        tables=tuple(sorted(tables, key=table_key)),
    )


def watched_table(slug: str, table: str, *, actor: Actor, now: datetime) -> tuple[int, WatchedTable]:
    """Return the tournament's id and the table as it is shown now, for a socket. Nine queries.

    :raises NotFound: if there is no such tournament, or no match at such a table.
    :raises Forbidden: if the actor may not see it.
    """
    tournament = tournament_for(slug, actor=actor)
    return tournament.pk, table_now(tournament.pk, table, now=now)


def table_now(tournament_id: int, table: str, *, now: datetime) -> WatchedTable:
    """Return the table as it is shown now. Eight queries. For who has decided that it may be seen.

    :raises NotFound: if there is no match at such a table any more.
    """
    tournament = Tournament.objects.get(pk=tournament_id)
    zone = accounts.clubs_by_id([tournament.club_id])[tournament.club_id].timezone
    return _watched(_match_at(tournament, table), tournament, timezone=zone, now=now)


def watched_match(
    match: Match, tournament: Tournament, *, timezone: str, now: datetime
) -> WatchedTable | None:
    """Return the table of the match as it is shown now; None where the match is not the one that is followed there.

    Six queries. For who has decided that it may be seen.
    """
    if match.state != MatchState.OPEN or _match_at(tournament, match.table).pk != match.pk:
        return None
    return _watched(match, tournament, timezone=timezone, now=now)


def _match_at(tournament: Tournament, table: str) -> Match:
    """Return the match that is played at the table: the first that is open, or the last there was."""
    if "\0" in table:
        raise NotFound
    rows = Match.objects.filter(round__tournament=tournament, table=table).select_related("round")
    found = rows.filter(state=MatchState.OPEN).order_by("round__number").first()
    match = found or rows.order_by("-round__number").first()
    if match is None:
        raise NotFound
    return match


def _watched(match: Match, tournament: Tournament, *, timezone: str, now: datetime) -> WatchedTable:
    delay = delay_of(tournament)
    until = now - delay
    states = LiveState.objects.filter(match=match)
    shown = states.filter(received_at__lte=until).order_by("-received_at", "-pk").first()
    waiting = states.filter(received_at__gt=until).order_by("received_at", "pk").first()
    seen = scoring.glance(match.scoresheet_id, at=until)
    deal = _deal_of(shown, recorded=seen.recorded, until=until, open_hands=tournament.live_delay > 0)
    return WatchedTable(
        slug=tournament.slug,
        timezone=timezone,
        table=match.table,
        round_number=match.round.number,
        round_name=label_text(match.round.label or match.round.name),
        is_open=match.state == MatchState.OPEN,
        glance=seen,
        deal=deal if match.state == MatchState.OPEN else None,
        shown_at=shown.received_at if shown is not None and deal is not None else None,
        delay_minutes=tournament.live_delay,
        next_at=None if waiting is None else waiting.received_at + delay,
        state_id=0 if shown is None else shown.pk,
        now=now,
        is_for_all=may(ANONYMOUS, Action.VIEW_TOURNAMENT, visibility=tournament.visibility),
    )


def _deal_of(
    shown: LiveState | None, *, recorded: Iterable[int], until: datetime, open_hands: bool
) -> LiveDeal | None:
    if shown is None or not shown.pcn or shown.deal in recorded or shown.received_at < until - SILENT:
        return None
    return live_deal(shown.pcn, open_hands=open_hands)
