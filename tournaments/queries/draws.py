"""What comes next in a tournament."""

from dataclasses import replace

from scoring import queries as scoring
from tournaments.domain.drawing import what_next
from tournaments.domain.pairing import Draw
from tournaments.domain.plans import FormatPlan, LeaguePlan
from tournaments.domain.state import TournamentState
from tournaments.domain.steps import Next, NextStep
from tournaments.queries.state import LoadedState


def has_sessions(plan: FormatPlan) -> bool:
    """Return whether it matters for the draw in which session a round is played: it does in a league."""
    return isinstance(plan, LeaguePlan)


def ahead_of(loaded: LoadedState, *, session: int | None = None) -> tuple[TournamentState, Next]:
    """Return the state that the next round is drawn from, and what comes next.

    ``session`` is the number of the one in which it is played; None: the one that goes on, or in a league the
    next where that has had its rounds.
    """
    state = loaded.state if session is None else replace(loaded.state, session=session)
    ahead = what_next(loaded.plan, state)
    if session is None and ahead.step is NextStep.NEXT_SESSION:
        state = replace(state, session=state.session + 1)
        ahead = what_next(loaded.plan, state)
    return state, ahead


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
