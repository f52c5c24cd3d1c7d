"""What comes next in a tournament."""

from dataclasses import replace
from datetime import datetime, timedelta

from scoring import queries as scoring
from tournaments.domain.drawing import what_next
from tournaments.domain.pairing import Draw
from tournaments.domain.plans import FormatPlan, LeaguePlan
from tournaments.domain.state import TournamentState
from tournaments.domain.steps import Next, NextStep
from tournaments.models import Format, RoundClock, Tournament
from tournaments.queries.clocks import as_clock
from tournaments.queries.state import LoadedState


def has_sessions(plan: FormatPlan) -> bool:
    """Return whether it matters for the draw in which session a round is played: it does in a league."""
    return isinstance(plan, LeaguePlan)


def ahead_of(
    loaded: LoadedState, *, session: int | None = None, time_over: bool = False
) -> tuple[TournamentState, Next]:
    """Return the state that the next round is drawn from, and what comes next.

    ``session`` is the number of the one in which it is played; None: the one that goes on, or in a league the
    next where that has had its rounds. ``time_over`` is what :func:`is_evening_over` says.
    """
    state = replace(loaded.state, time_over=time_over)
    if session is not None:
        state = replace(state, session=session)
    ahead = what_next(loaded.plan, state)
    if session is None and ahead.step is NextStep.NEXT_SESSION:
        state = replace(state, session=state.session + 1)
        ahead = what_next(loaded.plan, state)
    return state, ahead


def is_evening_over(tournament: Tournament, at: datetime) -> bool:
    """Return whether no further match is begun where the winner stays: the clock of the first round says so.

    While that was not started the evening goes on. One query in that format, none in others.
    """
    if tournament.format != Format.WINNER_STAYS:
        return False
    row = RoundClock.objects.filter(round__tournament=tournament, round__number=1).first()
    if row is None or row.started_at is None:
        return False
    clock = as_clock(row)
    is_called = clock.last_deal_at is not None or clock.ended_at is not None
    return is_called or clock.remaining(at) <= timedelta(0)


def names_of(loaded: LoadedState) -> dict[int, str]:
    """Return the names of the partnerships by the numbers of their entries. One query."""
    pairs = scoring.partnerships_by_id(entry.partnership_id for entry in loaded.entered)
    return {entry.number: pairs[entry.partnership_id].name for entry in loaded.entered}


def gone_of(draw: Draw, state: TournamentState) -> tuple[int, ...]:
    """Return who has a match to play in the draw, or its bye, and is away or no longer active."""
    drawn = {
        entry
        for pairing in draw.pairings
        for entry in (pairing.first, pairing.second)
        if entry not in pairing.given_away_by
    }
    away = {bye.entry for bye in draw.byes}
    return tuple(sorted(drawn.intersection(state.absent).difference(away)))
