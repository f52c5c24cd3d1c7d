"""Which rounds would be paired otherwise, had something else been known when they were drawn.

What a round depends on is its kind's. A schedule depends on no result: a round robin, the rounds of groups, a league's
session that is a round robin. A Swiss round depends on every entry's score and rank before it, in a league on those of
its session; a round of a knockout on who has got into it; and where the winner stays, a table depends on who has won.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import TypeAlias

from scoring.domain.results import Exact
from tournaments.domain.berger import ScheduleError
from tournaments.domain.brackets import bracket_order_of, group_schedule
from tournaments.domain.knockout import coming_ties
from tournaments.domain.placing import place_entries
from tournaments.domain.plans import (
    FormatPlan,
    GroupsKnockoutPlan,
    KnockoutPlan,
    LeaguePlan,
    RoundRobinPlan,
    SessionPairing,
    SinglePlan,
    SwissPlan,
    WinnerStaysPlan,
)
from tournaments.domain.sessions import session_alone
from tournaments.domain.state import PlayedMatch, TournamentState

_Place: TypeAlias = tuple[Exact, int]
"""A score and a rank."""


def paired_otherwise(
    plan: FormatPlan, before: TournamentState, after: TournamentState, rounds: Collection[int]
) -> tuple[tuple[int, PlayedMatch], ...]:
    """Return the matches of these rounds, each with its round, that were paired by what is no longer so.

    They are those with an entry by which the round would be paired otherwise. ``before`` and ``after`` are the same
    tournament before and after a change of its results or of penalties; that an entry no longer plays says nothing of
    the rounds in which it still did.
    """
    still = _as_active_as(before, after)
    found: list[tuple[int, PlayedMatch]] = []
    for one in before.rounds:
        moved = depends_on(plan, before, still, one.number) if one.number in rounds else frozenset()
        found += [(one.number, match) for match in one.matches if not moved.isdisjoint(match.entries)]
    return tuple(found)


def depends_on(
    plan: FormatPlan, before: TournamentState, after: TournamentState, number: int
) -> frozenset[int]:
    """Return the entries by which the round of this number, drawn or to be drawn next, would be paired otherwise."""
    was, now = _until(before, number), _until(after, number)
    if was == now:
        return frozenset()
    match plan:
        case SinglePlan() | RoundRobinPlan():
            return frozenset()
        case SwissPlan():
            return _moved(_places(was), _places(now))
        case KnockoutPlan() | GroupsKnockoutPlan():
            return frozenset().union(*(_ties(plan, was) ^ _ties(plan, now)))
        case LeaguePlan():
            if plan.pairing is SessionPairing.ROUND_ROBIN:
                return frozenset()
            return _moved(_places(session_alone(was)), _places(session_alone(now)))
        case WinnerStaysPlan():
            return frozenset(_of_other_winners(was, now))


def _as_active_as(before: TournamentState, after: TournamentState) -> TournamentState:
    known = {entry.number: entry for entry in before.entries}
    entries = tuple(
        replace(entry, active=known[entry.number].active, disqualified=known[entry.number].disqualified)
        if entry.number in known
        else entry
        for entry in after.entries
    )
    return replace(after, entries=entries)


def _until(state: TournamentState, number: int) -> TournamentState:
    """Return what was played when the round was drawn, in the session in which it was."""
    session = next((one.session for one in state.rounds if one.number == number), state.session)
    rounds = tuple(one for one in state.rounds if one.number < number)
    return replace(state, rounds=rounds, rows=None, session=session)


def _places(state: TournamentState) -> dict[int, _Place]:
    return {row.tally.entry: (row.tally.score, row.rank) for row in place_entries(SwissPlan(), state)}


def _moved(was: dict[int, _Place], now: dict[int, _Place]) -> frozenset[int]:
    return frozenset(entry for entry, place in was.items() if now.get(entry) != place)


def _ties(plan: KnockoutPlan | GroupsKnockoutPlan, state: TournamentState) -> set[frozenset[int]]:
    """Return who was to meet whom in the bracket's next round; nobody while groups are played."""
    try:
        first = len(group_schedule(plan, state)) if isinstance(plan, GroupsKnockoutPlan) else 0
    except ScheduleError:
        return set()
    if len(state.rounds) < first:
        return set()
    ties = coming_ties(bracket_order_of(plan, state), state.rounds[first:], third_place=plan.third_place)
    return {frozenset(tie.entries) for tie in ties}


def _of_other_winners(was: TournamentState, now: TournamentState) -> Iterator[int]:
    """Yield the entries of the matches that somebody else has won, or nobody any more."""
    for earlier, later in zip(was.rounds, now.rounds, strict=True):
        for one, other in zip(earlier.matches, later.matches, strict=True):
            if one.winner != other.winner:
                yield from one.entries
