"""What is still to be played in a tournament, and what entries near a place that matters need of it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from scoring.domain.limits import Remaining
from scoring.domain.needs import Need, Unknown, what_they_need, what_they_reached
from scoring.domain.ranking import Row
from scoring.domain.results import Bye, Ranking, Tally
from tournaments.domain.berger import ScheduleError
from tournaments.domain.brackets import group_schedule
from tournaments.domain.drawing import schedule_left, session_left, what_next
from tournaments.domain.groups import groups_of, rank_group
from tournaments.domain.pairing import Draw
from tournaments.domain.placing import place_entries, removed, tally_ahead
from tournaments.domain.plans import (
    FormatPlan,
    GroupsKnockoutPlan,
    LeaguePlan,
    RoundRobinPlan,
    SessionPairing,
    SessionPoints,
    SinglePlan,
    SwissPlan,
)
from tournaments.domain.sessions import of_matches
from tournaments.domain.state import PlayedMatch, PlayedRound, TournamentState, on_time, took_part
from tournaments.domain.steps import NextStep

NEAR: Final = 6
"""How many ranks around a place are looked at."""
_GONE: Final = -1_000
"""The stage of who has left its group: whoever is still there goes on before it."""


class Ground(Enum):
    """What rests under what is said of the places."""

    DECIDED = "decided"
    """Nothing is left to play: it is the final standings that say it."""
    COUNTED = "counted"
    """Every way in which what is left can end was looked at."""
    BOUNDS = "bounds"
    """There are too many ways: only what holds whatever comes is said."""
    NOT_DRAWN = "not-drawn"
    """Rounds are not drawn yet: only what holds whoever meets is said."""
    UNKNOWN = "unknown"
    """Nothing can be said of anybody, for one reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceOutlook:
    """A place that matters, and what those near it need for it."""

    place: int
    group: int | None = None
    """From 1, where the place is one of a group's that go on; None: it is one of the whole tournament."""
    ranks: Mapping[int, int]
    """Of those who compete for it, as they stand."""
    needs: tuple[Need, ...]
    """In the order of the standings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What can be said of the places that matter."""

    ground: Ground
    remaining: Remaining
    places: tuple[PlaceOutlook, ...] = ()
    unknown: Unknown | None = None
    """Why nothing can be said; None where something can."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Contest:
    """Those who compete with one another for places: all entries, or those of a group."""

    group: int | None = None
    places: tuple[int, ...]
    rows: tuple[Row, ...]
    """Of those who are still there, as they stand."""
    tallies: Mapping[int, Tally]
    remaining: Remaining

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to play in it."""
        return not self.remaining.pairs and not self.remaining.rounds_not_drawn

    def near(self, place: int) -> list[int]:
        """Return who stands within six ranks of the place, in the order of the standings."""
        near = [row for row in self.rows if abs(row.position - place) <= NEAR]
        return [row.tally.entry for row in near if not row.tally.withdrawn]


def outlook(plan: FormatPlan, state: TournamentState, *, closed: bool = False) -> Outlook | None:
    """Return what everybody near a place that matters needs for it, as far as that can honestly be said.

    Looked at are, while they are played: a round robin, a Swiss, the groups of a tournament, each for the places that
    go on, and a league in which all match points of all sessions are added. Of others None, until their end. When all
    is played, or the results are ``closed``, the standings say who has a place, in every format.
    """
    if closed or what_next(plan, state).step is NextStep.OVER:
        contest = _of_everybody(plan, state, Remaining(), {})
        return Outlook(ground=Ground.DECIDED, remaining=Remaining(), places=_outlooks([contest], state))
    left = remaining(plan, state)
    if left is None:
        return None
    unknown = _why_unknown(plan, state)
    if unknown is not None:
        return Outlook(ground=Ground.UNKNOWN, remaining=left, unknown=unknown)
    if isinstance(plan, GroupsKnockoutPlan):
        contests = _of_groups(plan, state, left)
    else:
        contests = [_of_everybody(plan, state, left, tally_ahead(plan, as_if_drawn(plan, state)))]
    places = _outlooks(contests, state)
    return Outlook(ground=_ground(left, places), remaining=left, places=places)


def remaining(plan: FormatPlan, state: TournamentState) -> Remaining | None:
    """Return what is still to be played and will count; None where nothing can be said of it ahead.

    Before the knockout of groups is drawn, that is what the groups still play; a league's is that of all its sessions.
    """
    match plan:
        case SinglePlan() | RoundRobinPlan():
            return Remaining(pairs=_open_pairs(plan, state))
        case SwissPlan():
            rounds = max(plan.rounds - state.last_number, 0)
            return Remaining(pairs=_open_pairs(plan, state), rounds_not_drawn=rounds)
        case GroupsKnockoutPlan():
            in_groups = _is_in_groups(plan, state)
            return Remaining(pairs=_open_pairs(plan, state)) if in_groups else None
        case LeaguePlan():
            return Remaining(
                pairs=_open_pairs(plan, state),
                rounds_not_drawn=_rounds_of_sessions(plan, state),
                may_bring_nothing=True,
            )
        case _:
            return None


def as_if_drawn(plan: FormatPlan, state: TournamentState) -> TournamentState:
    """Return the state with every round drawn of which it is known who meets whom: byes and walkovers are known too."""
    try:
        left = session_left(plan, state) if isinstance(plan, LeaguePlan) else schedule_left(plan, state)
    except ScheduleError:
        return state
    coming = (_open_round(draw, session=state.session) for draw in left)
    return replace(state, rounds=(*state.rounds, *coming))


def _open_pairs(plan: FormatPlan, state: TournamentState) -> tuple[tuple[int, int], ...]:
    """Return who meets whom in the matches that are open, without those against an entry that counts for nobody."""
    gone = removed(plan, state)
    return tuple(
        match.entries
        for one in as_if_drawn(plan, state).rounds
        for match in one.matches
        if match.is_open and gone.isdisjoint(match.entries)
    )


def _open_round(draw: Draw, *, session: int) -> PlayedRound:
    return PlayedRound(
        number=draw.number,
        matches=tuple(
            PlayedMatch(
                table="", first=pairing.first, second=pairing.second, given_away_by=pairing.given_away_by
            )
            for pairing in draw.pairings
        ),
        byes=tuple(Bye(round=draw.number, entry=bye.entry, kind=bye.kind) for bye in draw.byes),
        session=session,
    )


def _is_in_groups(plan: GroupsKnockoutPlan, state: TournamentState) -> bool:
    """Return whether the knockout is not drawn yet."""
    try:
        return len(state.rounds) <= len(group_schedule(plan, state))
    except ScheduleError:
        return True


def _rounds_of_sessions(plan: LeaguePlan, state: TournamentState) -> int:
    """Return how many rounds of a league are neither drawn nor in the table of the session that is played."""
    begun = sum(one.session == state.session for one in state.rounds)
    is_known = plan.pairing is SessionPairing.ROUND_ROBIN and begun > 0
    of_this = 0 if is_known else max(plan.rounds - begun, 0)
    return of_this + max(plan.sessions - state.session, 0) * plan.rounds


def _why_unknown(plan: FormatPlan, state: TournamentState) -> Unknown | None:
    """Return why nothing can be said of anybody's place; None: something may be."""
    if isinstance(plan, LeaguePlan) and plan.points is SessionPoints.PLACES:
        return Unknown.PLACES_OF_SESSIONS
    if state.scheme.ranking is Ranking.COURTS:
        return Unknown.NOT_BY_MATCH_POINTS
    if isinstance(plan, LeaguePlan) and 0 < plan.best_of < plan.sessions:
        return Unknown.BEST_SESSIONS
    return None


def _of_everybody(
    plan: FormatPlan, state: TournamentState, left: Remaining, tallies: Mapping[int, Tally]
) -> _Contest:
    places = tuple(place for place in sorted({1, plan.prizes, plan.cut}) if 0 < place < len(state.entries))
    return _Contest(places=places, rows=place_entries(plan, state), tallies=tallies, remaining=left)


def _of_groups(plan: GroupsKnockoutPlan, state: TournamentState, left: Remaining) -> list[_Contest]:
    groups = groups_of(on_time(took_part(state)), plan.groups)
    return [
        _of_group(plan, state, left, number, group)
        for number, group in enumerate(groups, start=1)
        if len(group) > plan.qualifiers
    ]


def _of_group(
    plan: GroupsKnockoutPlan, state: TournamentState, left: Remaining, number: int, group: tuple[int, ...]
) -> _Contest:
    """Return a group's: who has left does not go on, and of those who share a rank the better seed does."""
    by_number = {entry.number: entry for entry in state.entries}
    members = [by_number[entry] for entry in group]
    there = {entry.number for entry in members if entry.active}
    now, ahead = (
        rank_group(members, one.rounds, scheme=state.scheme, cycles=plan.cycles)
        for one in (state, as_if_drawn(plan, state))
    )
    pairs = tuple(pair for pair in left.pairs if set(pair) <= set(group))
    rows = [row for row in now if row.tally.entry in there]
    if not pairs:
        rows = _all_parted(sorted(rows, key=lambda row: (row.rank, group.index(row.tally.entry))))
    return _Contest(
        group=number,
        places=(plan.qualifiers,),
        rows=tuple(rows),
        tallies={
            row.tally.entry: row.tally if row.tally.entry in there else replace(row.tally, stage=_GONE)
            for row in ahead
        },
        remaining=Remaining(pairs=pairs),
    )


def _all_parted(rows: Iterable[Row]) -> list[Row]:
    return [replace(row, position=place, rank=place, tied=False) for place, row in enumerate(rows, start=1)]


def _outlooks(contests: Iterable[_Contest], state: TournamentState) -> tuple[PlaceOutlook, ...]:
    return tuple(
        PlaceOutlook(
            place=place,
            group=contest.group,
            ranks={row.tally.entry: row.rank for row in contest.rows},
            needs=_needs(contest, state, place),
        )
        for contest in contests
        for place in contest.places
    )


def _needs(contest: _Contest, state: TournamentState, place: int) -> tuple[Need, ...]:
    near = contest.near(place)
    if contest.is_over:
        return what_they_reached(near, place=place, rows=contest.rows)
    return what_they_need(
        near,
        place=place,
        tallies=contest.tallies,
        remaining=contest.remaining,
        scheme=of_matches(state.scheme),
    )


def _ground(left: Remaining, places: Iterable[PlaceOutlook]) -> Ground:
    if left.rounds_not_drawn:
        return Ground.NOT_DRAWN
    if not left.pairs:
        return Ground.DECIDED
    counted = all(need.by_own for one in places for need in one.needs)
    return Ground.COUNTED if counted else Ground.BOUNDS
