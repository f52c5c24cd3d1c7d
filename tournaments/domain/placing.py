"""Who stands where in a tournament of any format."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from scoring.domain.league import LeagueScheme, SessionResults, rank_league
from scoring.domain.ranking import Row, rank_entries
from scoring.domain.results import Bye, Entrant, MatchResult, Ranking, Tally, tally_up
from scoring.domain.withdrawals import CountingResults, counting_results
from tournaments.domain.brackets import stages
from tournaments.domain.groups import groups_of
from tournaments.domain.plans import FormatPlan, GroupsKnockoutPlan, LeaguePlan, RoundRobinPlan, SessionPoints
from tournaments.domain.state import PlayedRound, TournamentState, on_time, took_part

DISQUALIFIED_STAGE = -1_000
"""Below everybody else, whatever a format's own stages are."""


def place_entries(plan: FormatPlan, state: TournamentState) -> tuple[Row, ...]:
    """Return the standings, best first, by the plan's format and the state's scheme.

    A knockout, and groups that lead to one, place by how far an entry came; a league by its sessions; a round
    robin, and a group, leaves out who left it before half of its matches (design 8). A disqualified entry stands
    last, and what the others made of it stays. Byes count from the first finished match of their round.
    """
    counting = _counting(plan, state)
    if isinstance(plan, LeaguePlan):
        return rank_league(
            counting.entrants,
            _sessions(state.rounds, counting),
            scheme=state.scheme,
            league=league_scheme(plan, state),
        )
    return rank_entries(counting.entrants, counting.matches, counting.byes, scheme=state.scheme)


def tally_ahead(plan: FormatPlan, state: TournamentState) -> dict[int, Tally]:
    """Return what every entry has so far, by its number, with the byes of rounds that are drawn and not begun.

    For looking ahead: those byes will count whatever is played, and who has an open match in a session of a league
    will have been there.
    """
    counting = counting_results(
        _entrants(plan, state),
        [result for one in state.rounds for result in one.results],
        [bye for one in state.rounds for bye in one.unplayed],
        scheduled=_scheduled(plan, state),
    )
    if isinstance(plan, LeaguePlan):
        rows = rank_league(
            counting.entrants,
            _sessions(state.rounds, counting, ahead=True),
            scheme=state.scheme,
            league=league_scheme(plan, state),
        )
        return {row.tally.entry: row.tally for row in rows}
    return tally_up(counting.entrants, counting.matches, counting.byes, scheme=state.scheme)


def removed(plan: FormatPlan, state: TournamentState) -> frozenset[int]:
    """Return whose results do not count, theirs and those of the others against them (design 8)."""
    return frozenset(_counting(plan, state).removed)


def league_scheme(plan: LeaguePlan, state: TournamentState) -> LeagueScheme:
    """Return how the plan's sessions become points; they are ordered by courts only where courts rank."""
    by_places = plan.points is SessionPoints.PLACES
    by_courts = state.scheme.ranking is Ranking.COURTS
    return LeagueScheme(
        points_by_place=plan.place_points if by_places else (),
        best_of=plan.best_of or None,
        session_ranking=Ranking.COURTS if by_courts else Ranking.MATCH_POINTS,
    )


def _counting(plan: FormatPlan, state: TournamentState) -> CountingResults:
    entrants = _entrants(plan, state)
    matches = [result for one in state.rounds for result in one.results]
    byes = [bye for one in state.rounds if _has_begun(one) for bye in one.unplayed]
    return counting_results(entrants, matches, byes, scheduled=_scheduled(plan, state))


def _entrants(plan: FormatPlan, state: TournamentState) -> list[Entrant]:
    reached = stages(plan, state)
    return [
        Entrant(
            number=entry.number,
            penalty=entry.penalty,
            stage=DISQUALIFIED_STAGE if entry.disqualified else reached.get(entry.number, 0),
            withdrawn=not entry.active,
        )
        for entry in state.entries
    ]


def _has_begun(played: PlayedRound) -> bool:
    """Return whether anything of the round counts, or all that it has are byes."""
    return bool(played.results) or any(match.given_away_by for match in played.matches) or not played.matches


def _scheduled(plan: FormatPlan, state: TournamentState) -> Mapping[int, int]:
    """Return how many matches a round robin, or a group's, has for each entry; other formats remove no results.

    Who left before the first round has none to play, and is scheduled for one so that it counts as gone.
    """
    if not isinstance(plan, RoundRobinPlan | GroupsKnockoutPlan):
        return {}
    there = took_part(state)
    if isinstance(plan, GroupsKnockoutPlan):
        groups = groups_of(on_time(there), plan.groups)
    else:
        groups = (tuple(entry.number for entry in there),)
    scheduled = {entry.number: 1 for entry in state.entries}
    for group in groups:
        scheduled |= dict.fromkeys(group, plan.cycles * (len(group) - 1))
    return scheduled


def _sessions(
    rounds: Sequence[PlayedRound], counting: CountingResults, *, ahead: bool = False
) -> list[SessionResults]:
    session_of = {one.number: one.session for one in rounds}
    matches: defaultdict[int, list[MatchResult]] = defaultdict(list)
    byes: defaultdict[int, list[Bye]] = defaultdict(list)
    for match in counting.matches:
        matches[session_of[match.round]].append(match)
    for bye in counting.byes:
        byes[session_of[bye.round]].append(bye)
    playing: defaultdict[int, set[int]] = defaultdict(set)
    for one in rounds:
        playing[one.session].update(
            entry for match in one.matches if match.is_open for entry in match.entries
        )
    return [
        SessionResults(
            number=number,
            matches=tuple(matches[number]),
            byes=tuple(byes[number]),
            playing=frozenset(playing[number]) if ahead else frozenset(),
        )
        for number in sorted({*matches, *byes})
    ]
