"""Everything that seats the next pairs where the winner stays.

Each time that a table is free is a round of its own: one query finds who sat where and when, and nobody's place
in the queue is stored.
"""

from datetime import datetime

from courtpiece.accounts.permissions import Actor
from tournaments import queries
from tournaments.domain.drawing import draw_round
from tournaments.domain.steps import NextStep
from tournaments.events import Event
from tournaments.models import Draft, Format, Round, Tournament
from tournaments.operations.log import write_down
from tournaments.operations.publishing_rounds import DrawnRound, entered_pairs, make_rounds


def seat_next(*, actor: Actor, tournament: Tournament, at: datetime) -> int | None:
    """Seat whoever is next at the tables that are free, and return the number of the round that this is.

    Runs in the caller's transaction, with the tournament's row locked, when a match has ended. Nobody sits down
    (None) in other formats, before the first round was published, when nobody is left, and once the evening's
    clock is out (law 13.3). Asked again it finds the tables taken. A draft of what is now seated is thrown away.

    :raises SamePlayerTwice: if a player would sit at a table twice.
    """
    if tournament.format != Format.WINNER_STAYS:
        return None
    last = Round.objects.filter(tournament=tournament).select_related("session").order_by("-number").first()
    if last is None:
        return None
    loaded = queries.load_state(tournament)
    state, ahead = queries.ahead_of(loaded, time_over=queries.is_evening_over(tournament, at))
    if ahead.step is not NextStep.DRAW:
        return None
    Draft.objects.filter(tournament=tournament).delete()
    draw = draw_round(loaded.plan, state)
    make_rounds(
        actor=actor,
        tournament=tournament,
        plan=loaded.plan,
        rounds=[DrawnRound(draw=draw, session=last.session, seed=last.seed)],
        pairs=entered_pairs(tournament.pk),
        times_ns=queries.times_ns(loaded.state),
        at=at,
    )
    write_down(tournament, actor, Event.ROUND_PUBLISHED, at, {"round": draw.number, "seed": last.seed})
    return draw.number
