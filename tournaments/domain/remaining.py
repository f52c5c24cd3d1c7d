"""What is still to be played in a tournament, as far as it is known who meets whom."""

from dataclasses import replace
from typing import Final

from scoring.domain.limits import Remaining
from scoring.domain.needs import Need, what_they_need
from scoring.domain.ranking import Row
from scoring.domain.results import Bye
from tournaments.domain.berger import ScheduleError
from tournaments.domain.drawing import schedule_left
from tournaments.domain.pairing import Draw
from tournaments.domain.placing import removed, tally_ahead
from tournaments.domain.plans import FormatPlan, RoundRobinPlan, SinglePlan, SwissPlan
from tournaments.domain.state import PlayedMatch, PlayedRound, TournamentState

NEAR: Final = 6
"""How many ranks around a place are looked at."""


def remaining(plan: FormatPlan, state: TournamentState) -> Remaining | None:
    """Return what is still to be played and will count; None for a format of which nothing can be said ahead."""
    if isinstance(plan, SwissPlan):
        return Remaining(
            pairs=_open_pairs(plan, state), rounds_not_drawn=max(plan.rounds - state.last_number, 0)
        )
    if isinstance(plan, RoundRobinPlan | SinglePlan):
        return Remaining(pairs=_open_pairs(plan, state))
    return None


def as_if_drawn(plan: FormatPlan, state: TournamentState) -> TournamentState:
    """Return the state with every round drawn that a schedule still has: their byes and walkovers are known too."""
    try:
        left = schedule_left(plan, state)
    except ScheduleError:
        return state
    return replace(state, rounds=(*state.rounds, *(_open_round(draw) for draw in left)))


def _open_pairs(plan: FormatPlan, state: TournamentState) -> tuple[tuple[int, int], ...]:
    """Return who meets whom in the matches that are open, without those against an entry that counts for nobody."""
    gone = removed(plan, state)
    return tuple(
        match.entries
        for one in as_if_drawn(plan, state).rounds
        for match in one.matches
        if match.is_open and gone.isdisjoint(match.entries)
    )


def _open_round(draw: Draw) -> PlayedRound:
    return PlayedRound(
        number=draw.number,
        matches=tuple(
            PlayedMatch(
                table="", first=pairing.first, second=pairing.second, given_away_by=pairing.given_away_by
            )
            for pairing in draw.pairings
        ),
        byes=tuple(Bye(round=draw.number, entry=bye.entry, kind=bye.kind) for bye in draw.byes),
    )


def needs(plan: FormatPlan, state: TournamentState, rows: tuple[Row, ...], *, place: int) -> tuple[Need, ...]:
    """Return what each entry near the place (from 1) needs for it, in the order of the standings.

    Those near it stand within six ranks of it. Nobody in a format of which nothing can be said.
    """
    left = remaining(plan, state)
    if left is None or place < 1 or place >= len(state.entries):
        return ()
    tallies = tally_ahead(plan, as_if_drawn(plan, state))
    near = [row for row in rows if not row.tally.withdrawn and abs(row.position - place) <= NEAR]
    return what_they_need(
        [row.tally.entry for row in near], place=place, tallies=tallies, remaining=left, scheme=state.scheme
    )
