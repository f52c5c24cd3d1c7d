"""What comes next in a tournament."""

from dataclasses import replace
from datetime import datetime

from scoring import queries as scoring
from tournaments.domain.draw_json import DrawJson, draw_from_json
from tournaments.domain.drawing import what_next
from tournaments.domain.pairing import Draw
from tournaments.domain.plans import FormatPlan, LeaguePlan
from tournaments.domain.seats import count_ns, seat_at_numbers
from tournaments.domain.state import TournamentState
from tournaments.domain.steps import Next, NextStep
from tournaments.domain.swapping import Drafted, field_of, may_swap_entries
from tournaments.models import Draft, Format, RoundClock, Tournament
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

    One query in that format, none in others.
    """
    if tournament.format != Format.WINNER_STAYS:
        return False
    row = RoundClock.objects.filter(round__tournament=tournament, round__number=1).first()
    return row is not None and as_clock(row).is_over(at)


def names_of(loaded: LoadedState) -> dict[int, str]:
    """Return the names of the partnerships by the numbers of their entries. One query."""
    names = scoring.pair_names(entry.partnership_id for entry in loaded.entered)
    return {entry.number: names[entry.partnership_id] for entry in loaded.entered}


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


def draw_of(draft: Draft) -> Draw:
    """Return the draft's draw as it stands."""
    return draw_from_json(draft.draw)


def session_of(draft: Draft) -> int | None:
    """Return the number of the session that the draft was drawn for; None where none was asked."""
    stored: DrawJson = draft.draw
    return stored.get("session")


def drafted_of(draft: Draft, loaded: LoadedState) -> Drafted:
    """Return the draft as what can be changed by hand."""
    state, _ahead = ahead_of(loaded, session=session_of(draft))
    draw = draw_of(draft)
    return Drafted(
        draw=draw,
        drawn=draw_from_json(draft.drawn),
        seats=seat_at_numbers(draw, seed=draft.seed, times_ns=times_ns(state)),
        field=field_of(loaded.plan, state),
        free=may_swap_entries(loaded.plan, draw),
    )


def times_ns(state: TournamentState) -> dict[int, int]:
    """Return how often each entry sat North-South so far."""
    return count_ns(match.first for one in state.rounds for match in one.matches)
