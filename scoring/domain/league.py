"""A league: what its sessions are worth, and who stands where after them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from scoring.domain.ranking import Row, rank_entries
from scoring.domain.results import Bye, ByeKind, Entrant, Exact, MatchResult, Ranking, Scheme, TiebreakCode
from scoring.domain.tiebreaks import whole_if_possible
from scoring.domain.workings import SessionLine

_THERE: Final = (ByeKind.PAIRING, ByeKind.FORFEIT_WIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeagueScheme:
    """How a league turns sessions into points."""

    points_by_place: tuple[Exact, ...] = ()
    """For the first place of a session, the second and so on, nothing after the last; empty: what was made in the
    session's matches, match points or courts as ``session_ranking`` says."""
    best_of: int | None = None
    """How many sessions count, each entry's best; None: all."""
    session_ranking: Ranking = Ranking.MATCH_POINTS
    """What a session is ordered by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResults:
    """What was played in one session. Rounds are numbered through the league."""

    number: int
    """From 1."""
    matches: tuple[MatchResult, ...]
    byes: tuple[Bye, ...] = ()
    playing: frozenset[int] = frozenset()
    """Who has a match in it that is still open, for looking ahead: it will have been there, whatever comes of it."""


def points_of_places(ranks: Mapping[int, int], points_by_place: tuple[Exact, ...]) -> dict[int, Exact]:
    """Return each entry's points for its rank; who shares a rank shares the points of its places equally."""
    sharing: dict[int, int] = {}
    for rank in ranks.values():
        sharing[rank] = sharing.get(rank, 0) + 1
    shares = {
        rank: whole_if_possible(Fraction(sum(points_by_place[rank - 1 : rank - 1 + count])) / count)
        for rank, count in sharing.items()
    }
    return {entry: shares[rank] for entry, rank in ranks.items()}


def rank_league(
    entrants: Iterable[Entrant],
    sessions: Iterable[SessionResults],
    *,
    scheme: Scheme,
    league: LeagueScheme,
) -> tuple[Row, ...]:
    """Return the league's standings, best first, every row with its ``sessions``.

    A session is ordered as a tournament of its own of those who were there: by ``league.session_ranking`` and the
    scheme's tie-breaks but the lots, which would leave nobody sharing a place. Who was in no match, and was not left
    over by the draw or by who gave a match away, was not there. The league is ordered by the sum of the sessions that
    count, less the penalty, then by the scheme's tie-breaks over all of its matches. ``scheme.ranking`` is not asked.

    :raises ResultsError: as :func:`rank_entries` does.
    """
    entered = tuple(entrants)
    held = sorted(sessions, key=lambda session: session.number)
    lines: dict[int, list[SessionLine]] = {entrant.number: [] for entrant in entered}
    for session in held:
        for entry, line in _session_lines(entered, session, scheme, league).items():
            lines[entry].append(line)
    counted = {entry: _best(of_entry, league.best_of) for entry, of_entry in lines.items()}
    rows = rank_entries(
        entered,
        [match for session in held for match in session.matches],
        [bye for session in held for bye in session.byes],
        scheme=replace(scheme, ranking=Ranking.SESSION_POINTS),
        session_points={
            entry: sum((line.points for line in of_entry if line.counts), start=0)
            for entry, of_entry in counted.items()
        },
    )
    return tuple(replace(row, sessions=counted[row.tally.entry]) for row in rows)


def _session_lines(
    entrants: tuple[Entrant, ...], session: SessionResults, scheme: Scheme, league: LeagueScheme
) -> dict[int, SessionLine]:
    there = {side.entry for match in session.matches for side in match.sides}
    there |= {bye.entry for bye in session.byes if bye.kind in _THERE} | session.playing
    rows = rank_entries(
        [Entrant(number=entrant.number) for entrant in entrants if entrant.number in there],
        session.matches,
        [
            bye if bye.opponent in there else replace(bye, opponent=None)
            for bye in session.byes
            if bye.entry in there
        ],
        scheme=replace(
            scheme,
            ranking=league.session_ranking,
            tiebreaks=tuple(code for code in scheme.tiebreaks if code is not TiebreakCode.DRAW_OF_LOTS),
        ),
    )
    points = {row.tally.entry: row.tally.score for row in rows}
    if league.points_by_place:
        points = points_of_places({row.tally.entry: row.rank for row in rows}, league.points_by_place)
    return {
        row.tally.entry: SessionLine(
            session=session.number,
            rank=row.rank,
            tied=row.tied,
            score=row.tally.score,
            points=points[row.tally.entry],
        )
        for row in rows
    }


def _best(lines: list[SessionLine], best_of: int | None) -> tuple[SessionLine, ...]:
    """Return the lines with those marked that count: the best, of equals the earlier."""
    if best_of is None:
        return tuple(lines)
    best = sorted(lines, key=lambda line: (-line.points, line.session))[:best_of]
    return tuple(replace(line, counts=line in best) for line in lines)
