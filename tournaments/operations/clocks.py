"""Everything that changes the clock of a round."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from courtpiece.accounts.auditing import Detail
from courtpiece.accounts.permissions import Action, Actor
from courtpiece.accounts.queries import NotFound
from tournaments import queries
from tournaments.domain.clock import Clock, ClockAction, ClockError, ClockFault, ClockState
from tournaments.errors import ChangedMeanwhile, ClockRefused, UnknownState
from tournaments.events import Event
from tournaments.models import Round, RoundClock, Tournament
from tournaments.operations.log import write_down
from tournaments.operations.once import Answer, once
from tournaments.operations.running import locked
from tournaments.publishing import publish_after_commit

LONGEST_MINUTES: Final = 600
"""Of a round's clock, as of an agreed length."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockTurn:
    """What is to be done to a clock."""

    action: str
    """The value of a ``ClockAction``."""
    version: int
    """Of the clock that it was decided on; 0 before it was started."""
    minutes: int | None = None
    """The length, for a start; what is added, or below 0 taken away."""


@transaction.atomic(durable=True)
def turn_clock(
    *, actor: Actor, slug: str, round_number: int, turn: ClockTurn, at: datetime, act_id: UUID | None = None
) -> int:
    """Start, pause, resume, lengthen or end the clock of a round, or call the last deal; return its version.

    Every open page is told once it is saved. The same act again changes nothing.

    :raises NotFound: if there is no such tournament or round.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises UnknownState: if there is no such action.
    :raises ChangedMeanwhile: if the clock is another than the one it was decided on.
    :raises ClockRefused: if the clock does not allow it now, or the minutes are too many or none.
    :raises ActReused: if the act's id was used for something else.
    """
    if turn.action not in {action.value for action in ClockAction}:
        raise UnknownState(_("A clock cannot do that."))
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    row = Round.objects.select_related("session").filter(tournament=tournament, number=round_number).first()
    if row is None:
        raise NotFound
    answer = once(
        tournament,
        act_id=act_id,
        what="clock",
        asked={
            "round": round_number,
            "action": turn.action,
            "version": turn.version,
            "minutes": turn.minutes,
        },
        at=at,
        carry_out=lambda: _turn(actor, tournament, row, turn, at),
    )
    return int(str(answer["version"]))


def _turn(actor: Actor, tournament: Tournament, row: Round, turn: ClockTurn, at: datetime) -> Answer:
    agreed = queries.clock_seconds(row.session, tournament)
    held = RoundClock.objects.select_for_update().filter(round=row).first()
    kept = held or RoundClock(round=row)
    if kept.version == 0:
        kept.length = agreed
    clock = queries.as_clock(kept)
    if kept.version != turn.version:
        raise ChangedMeanwhile(_changed(clock, at))
    try:
        _keep(kept, _turned(clock, turn, at), is_new=held is None)
    except ClockError as error:
        raise ClockRefused(str(_FAULTS[error.fault])) from error
    detail: Detail = {"round": row.number, "action": turn.action, "minutes": turn.minutes}
    write_down(tournament, actor, Event.CLOCK_TURNED, at, {**detail})
    news = queries.ClockNews(round=row.number, version=kept.version, clock=queries.as_clock(kept))
    publish_after_commit(tournament_id=tournament.pk, news=news)
    return {"version": kept.version}


def end_clocks(tournament: Tournament, *, actor: Actor, at: datetime) -> None:
    """End every clock that was started, in the caller's transaction, with the tournament locked: play is over."""
    left = RoundClock.objects.filter(round__tournament=tournament, started_at__isnull=False, ended_at=None)
    for row in left.select_for_update(of=("self",)).select_related("round").order_by("round__number"):
        turn = ClockTurn(action=ClockAction.END.value, version=row.version)
        _turn(actor, tournament, row.round, turn, max(at, row.running_since or at))


def _turned(clock: Clock, turn: ClockTurn, at: datetime) -> Clock:
    steps: Mapping[ClockAction, Callable[[], Clock]] = {
        ClockAction.START: lambda: _of_length(clock, turn.minutes).start(at),
        ClockAction.PAUSE: lambda: clock.pause(at),
        ClockAction.RESUME: lambda: clock.resume(at),
        ClockAction.ADD_TIME: lambda: clock.add_time(60 * (turn.minutes or 0), at),
        ClockAction.CALL_LAST_DEAL: lambda: clock.call_last_deal(at),
        ClockAction.END: lambda: clock.end(at),
    }
    return steps[ClockAction(turn.action)]()


def _of_length(clock: Clock, minutes: int | None) -> Clock:
    if minutes is None:
        return clock
    if not 1 <= minutes <= LONGEST_MINUTES:
        raise ClockError(ClockFault.OUT_OF_RANGE)
    return replace(clock, length=60 * minutes)


def _keep(row: RoundClock, clock: Clock, *, is_new: bool) -> None:
    """Save the clock. Of a second that had begun when it was stopped nothing is counted: it is shown whole."""
    row.length = clock.length
    row.added = clock.added
    row.ran = clock.ran
    row.running_since = clock.running_since
    row.started_at = clock.started_at
    row.last_deal_at = clock.last_deal_at
    row.ended_at = clock.ended_at
    row.version += 1
    row.save(force_insert=is_new)


def _changed(clock: Clock, now: datetime) -> str:
    """Return what the clock is now."""
    minutes, seconds = divmod(int(clock.remaining(now).total_seconds()), 60)
    return str(_NOW[clock.state]) % {"left": f"{minutes:02}:{seconds:02}"}


_NOW: Final[Mapping[ClockState, str | Promise]] = {
    ClockState.NOT_STARTED: gettext_lazy("Nothing was changed: the clock has not been started."),
    ClockState.RUNNING: gettext_lazy(
        "Nothing was changed: somebody was there before you. The clock runs, with %(left)s left."
    ),
    ClockState.PAUSED: gettext_lazy(
        "Nothing was changed: somebody was there before you. The clock stands, with %(left)s left."
    ),
    ClockState.ENDED: gettext_lazy(
        "Nothing was changed: somebody was there before you. The clock has ended."
    ),
}
_FAULTS: Final[Mapping[ClockFault, str | Promise]] = {
    ClockFault.NOT_STARTED: gettext_lazy("The clock has not been started."),
    ClockFault.ALREADY_STARTED: gettext_lazy("The clock was started before."),
    ClockFault.ALREADY_RUNNING: gettext_lazy("The clock runs already."),
    ClockFault.PAUSED: gettext_lazy("The clock stands already."),
    ClockFault.LAST_DEAL_CALLED: gettext_lazy("The last deal was called before."),
    ClockFault.ENDED: gettext_lazy("The clock has ended, and stays so."),
    ClockFault.OUT_OF_RANGE: gettext_lazy(
        "Give at least a minute and no more than a day in all, and take away no more than is left."
    ),
    ClockFault.BEFORE: gettext_lazy(
        "This server's clock was set back: it says that this is earlier than the last change."
    ),
}
