"""The clocks of rounds, and which round is played now."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil
from typing import Final

from django.db.models import Count, Exists, OuterRef, Q, Subquery
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce

from courtpiece.accounts.permissions import Actor
from tournaments.domain.clock import Clock, ClockAction, ClockState
from tournaments.domain.plans import LengthKind, MatchLength, WinnerStaysPlan, plan_from_json
from tournaments.domain.watching import is_time_called
from tournaments.models import Format, Match, MatchState, Round, RoundClock, Session, Status, Tournament
from tournaments.publishing import ClockNews, milliseconds
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for

USUAL_MINUTES: Final = 30
"""What a clock begins with where no time was agreed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTab:
    """A round, as far as a page needs it to be chosen."""

    id: int
    number: int
    label: str
    name: str
    """A key of ``domain.labels``; empty where it has only a number."""
    state: str
    session: int
    open: int
    """Matches that are open."""
    finished: int
    """Matches that are finished; the others are open or void."""
    matches: int
    agreed: MatchLength | None
    """The agreed length of a match (law 13.1); None where nobody said one."""
    seconds: int
    """How long its clock is until somebody gives it another length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedRound:
    """A round, as far as its clock names it."""

    number: int
    label: str
    name: str
    """A key of ``domain.labels``; empty where it has only a number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownClock:
    """A round's clock as it stands at a moment."""

    round: RoundTab | TimedRound
    clock: Clock
    version: int
    now: datetime

    @property
    def state(self) -> str:
        """What it does: the value of a ``ClockState``."""
        return self.clock.state.value

    @property
    def was_started(self) -> bool:
        """Whether it ever ran."""
        return self.clock.state is not ClockState.NOT_STARTED

    @property
    def is_over(self) -> bool:
        """Whether nothing is left, or it has ended."""
        return self.state == ClockState.ENDED.value or self.clock.remaining(self.now) <= timedelta(0)

    @property
    def last_deal(self) -> bool:
        """Whether the last deal was called."""
        return self.clock.last_deal_at is not None

    @property
    def seconds(self) -> int:
        """What is left, in whole seconds that have begun."""
        return ceil(self.clock.remaining(self.now).total_seconds())

    @property
    def text(self) -> str:
        """What is left as minutes and seconds: ``29:05``; with hours ``1:05:00``."""
        minutes, seconds = divmod(self.seconds, 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"

    @property
    def duration(self) -> str:
        """The same for machines: ``PT1745S``."""
        return f"PT{self.seconds}S"

    @property
    def minutes(self) -> int:
        """The agreed minutes, without what was added."""
        return self.clock.length // 60

    @property
    def added_minutes(self) -> int:
        """What was added, or below 0 taken away."""
        return round(self.clock.added / 60)

    @property
    def can(self) -> Mapping[str, bool]:
        """What can be done now, by the action's name with ``_``."""
        actions = self.clock.actions()
        return {action.value.replace("-", "_"): action in actions for action in ClockAction}

    @property
    def news(self) -> ClockNews:
        """What sockets are told of it."""
        return ClockNews(round=self.round.number, version=self.version, clock=self.clock)

    @property
    def phase(self) -> str:
        """What a page shows of it: its state, or ``last-deal`` or ``over`` where time is up (law 13.3)."""
        if self.clock.state not in {ClockState.RUNNING, ClockState.PAUSED}:
            return self.state
        if self.is_over:
            return "over"
        return "last-deal" if self.last_deal else self.state

    @property
    def message(self) -> str:
        """What the script starts from, as JSON: the message of the sockets, with the moment of the server."""
        return json.dumps({**self.news.as_message(), "now": milliseconds(self.now)})


@dataclass(frozen=True, slots=True, kw_only=True)
class WallClock:
    """The clock that pages about something else show too, as a hall has one on its wall."""

    slug: str
    """The tournament's."""
    format: str
    clock: ShownClock | None
    """Of the round that is played; None while none runs there or is paused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockPage:
    """The clock alone, for the hall."""

    header: TournamentHeader
    clock: ShownClock | None
    """None before the first round."""


def clock_page(slug: str, *, actor: Actor, now: datetime) -> ClockPage:
    """Return the clock of the round that is played. Five queries, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    tournament = tournament_for(slug, actor=actor)
    return ClockPage(header=header_of(tournament, actor), clock=current_clock(tournament, now=now))


def clock_news(slug: str, *, actor: Actor, now: datetime) -> ClockNews | None:
    """Return how the clock of the round that is played runs; None while it was not started. Three queries.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    shown = current_clock(tournament_for(slug, actor=actor), now=now)
    return shown.news if shown is not None and shown.was_started else None


def current_clock(tournament: Tournament, *, now: datetime) -> ShownClock | None:
    """Return the clock of the round that is played; None before the first round. Two queries."""
    rounds = round_tabs(tournament)
    tab = timed_round(tournament, rounds, current_round(rounds))
    return None if tab is None else clock_of(tab, now=now)


def wall_clock(
    *, tournament_id: int, slug: str, tournament_format: str, status: str, now: datetime
) -> WallClock | None:
    """Return the clock for the tournament's other pages; None where the standings are final. One query, or none."""
    if status == Status.FINAL:
        return None
    row = (
        RoundClock.objects.filter(
            round=_round_played(tournament_id, tournament_format),
            version__gt=0,
            started_at__isnull=False,
            ended_at__isnull=True,
        )
        .select_related("round")
        .first()
    )
    if row is None:
        return WallClock(slug=slug, format=tournament_format, clock=None)
    timed = TimedRound(number=row.round.number, label=row.round.label, name=row.round.name)
    clock = ShownClock(round=timed, clock=as_clock(row), version=row.version, now=now)
    return WallClock(slug=slug, format=tournament_format, clock=clock)


def _round_played(tournament_id: int, tournament_format: str) -> Combinable:
    """Return the round of :func:`timed_round`, for the database to find."""
    rounds = Round.objects.filter(tournament=tournament_id).order_by("number").values("pk")
    if tournament_format == Format.WINNER_STAYS:
        return Subquery(rounds[:1])
    is_open = Exists(Match.objects.filter(round=OuterRef("pk"), state=MatchState.OPEN))
    return Coalesce(Subquery(rounds.filter(is_open)[:1]), Subquery(rounds.reverse()[:1]))


def is_time_up(match: Match, tournament: Tournament, *, now: datetime) -> bool:
    """Return whether the clock of the match called time, so that fewer deals than agreed are all. One query."""
    of_evening = tournament.format == Format.WINNER_STAYS
    timed = {"round__tournament": tournament, "round__number": 1} if of_evening else {"round": match.round_id}
    row = RoundClock.objects.filter(version__gt=0, **timed).first()
    return row is not None and is_time_called(as_clock(row), now)


def clock_of(tab: RoundTab, *, now: datetime) -> ShownClock:
    """Return the clock of the round. One query.

    Until somebody turns it, it is as long as is agreed now.
    """
    row = RoundClock.objects.filter(round=tab.id, version__gt=0).first()
    if row is None:
        return ShownClock(round=tab, clock=Clock(length=tab.seconds), version=0, now=now)
    return ShownClock(round=tab, clock=as_clock(row), version=row.version, now=now)


def as_clock(row: RoundClock) -> Clock:
    """Return the clock that a row keeps."""
    return Clock(
        length=row.length,
        added=row.added,
        ran=row.ran,
        running_since=row.running_since,
        started_at=row.started_at,
        last_deal_at=row.last_deal_at,
        ended_at=row.ended_at,
    )


def clock_seconds(session: Session, tournament: Tournament) -> int:
    """Return the length of a clock that nobody gave another: of a match, where the winner stays of the evening."""
    if tournament.format == Format.WINNER_STAYS:
        plan = plan_from_json({**tournament.plan, "format": tournament.format})
        return 60 * (
            session.minutes or (plan.minutes if isinstance(plan, WinnerStaysPlan) else USUAL_MINUTES)
        )
    agreed = agreed_length(session, tournament)
    is_time = agreed is not None and agreed.kind is LengthKind.MINUTES
    return 60 * (agreed.amount if agreed is not None and is_time else USUAL_MINUTES)


def round_tabs(tournament: Tournament) -> tuple[RoundTab, ...]:
    """Return the rounds in their order. One query."""
    is_open = Q(matches__state=MatchState.OPEN)
    is_finished = Q(matches__state=MatchState.FINISHED)
    rows = Round.objects.filter(tournament=tournament).select_related("session").order_by("number")
    return tuple(
        RoundTab(
            id=row.pk,
            number=row.number,
            label=row.label,
            name=row.name,
            state=row.state,
            session=row.session.number,
            open=row.open_matches,
            finished=row.finished_matches,
            matches=row.all_matches,
            agreed=agreed_length(row.session, tournament),
            seconds=clock_seconds(row.session, tournament),
        )
        for row in rows.annotate(
            open_matches=Count("matches", filter=is_open),
            finished_matches=Count("matches", filter=is_finished),
            all_matches=Count("matches"),
        )
    )


def current_round(rounds: tuple[RoundTab, ...]) -> RoundTab | None:
    """Return the first round with an open match, the last where all are over; None without rounds."""
    return next((one for one in rounds if one.open), rounds[-1] if rounds else None)


def timed_round(
    tournament: Tournament, rounds: tuple[RoundTab, ...], shown: RoundTab | None
) -> RoundTab | None:
    """Return the round whose clock runs for the one shown: its own; where the winner stays, the first's for all."""
    return rounds[0] if rounds and tournament.format == Format.WINNER_STAYS else shown


def agreed_length(session: Session, tournament: Tournament) -> MatchLength | None:
    """Return the length of a match that was agreed for the session, or with the format (law 13.1)."""
    minutes = None if tournament.format == Format.WINNER_STAYS else session.minutes
    kinds = ((LengthKind.MINUTES, minutes), (LengthKind.DEALS, session.deals))
    for kind, amount in (*kinds, (LengthKind.COURTS, session.courts)):
        if amount is not None:
            return MatchLength(kind, amount)
    if "match" not in tournament.plan:
        return None
    return plan_from_json({**tournament.plan, "format": tournament.format}).match
