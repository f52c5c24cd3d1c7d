"""A session of a league, as a tournament of its own."""

from dataclasses import replace

from scoring.domain.results import Ranking, Scheme
from tournaments.domain.berger import berger
from tournaments.domain.pairing import Draw
from tournaments.domain.plans import LeaguePlan
from tournaments.domain.state import Participant, PlayedRound, TournamentState, by_seed


def session_alone(state: TournamentState) -> TournamentState:
    """Return the state of the session that is played, its rounds numbered from 1: everybody begins it level."""
    rounds = [one for one in state.rounds if one.session == state.session]
    before = rounds[0].number - 1 if rounds else state.last_number
    return replace(
        state,
        entries=tuple(_in_session(entry, before) for entry in state.entries),
        scheme=of_matches(state.scheme),
        rounds=tuple(_renumbered(one, one.number - before) for one in rounds),
        rows=None,
    )


def session_schedule(
    plan: LeaguePlan, session: TournamentState, *, played_before: int = 0
) -> tuple[Draw, ...]:
    """Return a session's round robin among those who are there: once it began, those of its first round.

    It goes on in the table where the sessions before it, of so many rounds, left off, and begins anew after its end:
    so the same entries meet all others, and have their byes, before anything is repeated.

    :raises ScheduleError: if they are fewer than two.
    """
    playing = frozenset(entry.number for entry in session.playing)
    there = session.rounds[0].entries if session.rounds else playing
    table = berger(by_seed(entry for entry in session.entries if entry.number in there))
    first = played_before % len(table)
    rounds = (table[first:] + table[:first])[: plan.rounds]
    return tuple(replace(draw, number=number) for number, draw in enumerate(rounds, start=1))


def _in_session(entry: Participant, before: int) -> Participant:
    return replace(entry, joined_round=max(entry.joined_round - before, 1), penalty=0)


def of_matches(scheme: Scheme) -> Scheme:
    """Return the scheme by which matches rank: what a league's sessions bring says nothing about them."""
    by_sessions = scheme.ranking is Ranking.SESSION_POINTS
    return replace(scheme, ranking=Ranking.MATCH_POINTS) if by_sessions else scheme


def _renumbered(one: PlayedRound, number: int) -> PlayedRound:
    matches = tuple(
        match if match.result is None else replace(match, result=replace(match.result, round=number))
        for match in one.matches
    )
    byes = tuple(replace(bye, round=number) for bye in one.byes)
    return replace(one, number=number, matches=matches, byes=byes)
