"""Tournaments played by a plan, with results that a test says."""

from collections.abc import Callable
from dataclasses import replace

from scoring.domain.results import Bye, MatchResult, Scheme, Side
from tournaments.domain.drawing import draw_round, what_next
from tournaments.domain.pairing import Draw, Pairing
from tournaments.domain.plans import FormatPlan
from tournaments.domain.state import Participant, PlayedMatch, PlayedRound, TournamentState
from tournaments.domain.steps import NextStep


def start(entries: int) -> TournamentState:
    """Return a tournament of so many entries before its first round; number 1 is the best seed."""
    return TournamentState(
        entries=tuple(Participant(number=number, seed=number) for number in range(1, entries + 1)),
        scheme=Scheme(),
    )


def better_seed(pairing: Pairing) -> int:
    return min(pairing.first, pairing.second)


def worse_seed(pairing: Pairing) -> int:
    return max(pairing.first, pairing.second)


def result(number: int, pairing: Pairing, winner: int | None) -> MatchResult:
    """Return the match won by one court to none, or level where nobody wins."""
    return MatchResult(
        round=number,
        sides=(
            Side(entry=pairing.first, courts=int(winner == pairing.first)),
            Side(entry=pairing.second, courts=int(winner == pairing.second)),
        ),
    )


def open_round(draw: Draw, *, session: int = 1) -> PlayedRound:
    """Return the drawn round before anything of it is played."""
    return PlayedRound(
        number=draw.number,
        matches=tuple(
            PlayedMatch(
                table=str(pairing.table or place),
                first=pairing.first,
                second=pairing.second,
                label=pairing.label,
                given_away_by=pairing.given_away_by,
            )
            for place, pairing in enumerate(draw.pairings, start=1)
        ),
        byes=tuple(Bye(round=draw.number, entry=bye.entry, kind=bye.kind) for bye in draw.byes),
        session=session,
    )


def played_round(
    draw: Draw, winner_of: Callable[[Pairing], int | None] = better_seed, *, session: int = 1
) -> PlayedRound:
    """Return the drawn round with a result for every match that was not given away."""
    drawn = open_round(draw, session=session)
    matches = tuple(
        match
        if match.given_away_by
        else replace(match, result=result(draw.number, pairing, winner_of(pairing)))
        for match, pairing in zip(drawn.matches, draw.pairings, strict=True)
    )
    return replace(drawn, matches=matches)


def play_round(
    plan: FormatPlan, state: TournamentState, winner_of: Callable[[Pairing], int | None] = better_seed
) -> TournamentState:
    """Return the tournament after its next round."""
    played = played_round(draw_round(plan, state), winner_of, session=state.session)
    return replace(state, rounds=(*state.rounds, played), rows=None)


def play_out(
    plan: FormatPlan, state: TournamentState, winner_of: Callable[[Pairing], int | None] = better_seed
) -> TournamentState:
    """Return the tournament when no round is left to draw."""
    while what_next(plan, state).step is NextStep.DRAW:
        state = play_round(plan, state, winner_of)
    return state


def leave(state: TournamentState, *gone: int) -> TournamentState:
    """Return the tournament after these entries have withdrawn."""
    entries = tuple(
        replace(entry, active=entry.active and entry.number not in gone) for entry in state.entries
    )
    return replace(state, entries=entries)


def met(one: Draw | PlayedRound) -> list[tuple[int, int]]:
    """Return who meets whom, table by table."""
    if isinstance(one, Draw):
        return [(pairing.first, pairing.second) for pairing in one.pairings]
    return [match.entries for match in one.matches]
