"""What is still to be played in a tournament, as far as it is known who meets whom."""

from typing import Final

from scoring.domain.limits import Remaining
from scoring.domain.needs import Need, what_they_need
from scoring.domain.ranking import Row
from tournaments.domain.drawing import schedule_left
from tournaments.domain.placing import tally_ahead
from tournaments.domain.plans import FormatPlan, RoundRobinPlan, SinglePlan, SwissPlan
from tournaments.domain.state import TournamentState

NEAR: Final = 6
"""How many ranks around a place are looked at."""


def remaining(plan: FormatPlan, state: TournamentState) -> Remaining | None:
    """Return what is still to be played; None for a format whose places are not made of match points alone.

    The matches of a round robin that are not drawn yet are those of its table.
    """
    pairs = tuple(match.entries for one in state.rounds for match in one.matches if match.is_open)
    if isinstance(plan, SwissPlan):
        return Remaining(pairs=pairs, rounds_not_drawn=max(plan.rounds - state.last_number, 0))
    if isinstance(plan, RoundRobinPlan | SinglePlan):
        left = tuple(
            (pairing.first, pairing.second)
            for draw in schedule_left(plan, state)
            for pairing in draw.pairings
            if not pairing.given_away_by
        )
        return Remaining(pairs=pairs + left)
    return None


def needs(plan: FormatPlan, state: TournamentState, rows: tuple[Row, ...], *, place: int) -> tuple[Need, ...]:
    """Return what each entry near the place (from 1) needs for it, in the order of the standings.

    Those near it stand within six ranks of it. Nobody in a format of which nothing can be said.
    """
    left = remaining(plan, state)
    if left is None or place < 1 or place >= len(state.entries):
        return ()
    tallies = tally_ahead(plan, state)
    near = [row for row in rows if not row.tally.withdrawn and abs(row.position - place) <= NEAR]
    return what_they_need(
        [row.tally.entry for row in near], place=place, tallies=tallies, remaining=left, scheme=state.scheme
    )
