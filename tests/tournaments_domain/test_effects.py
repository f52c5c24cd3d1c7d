"""What of the standings reads otherwise after a ruling."""

from scoring.domain.league import LeagueScheme, SessionResults, rank_league
from scoring.domain.ranking import rank_entries
from scoring.domain.results import MatchResult, Scheme
from tests.tournaments_domain.test_standings_json import ENTRANTS, match, table_of
from tournaments.domain.effects import rank_moves
from tournaments.domain.standings import RowJson


def rows_of_league(*sessions: MatchResult) -> list[RowJson]:
    """Return the lines of a league with one match a session, 10 points for the first place and 4 for the second."""
    held = [SessionResults(number=played.round, matches=(played,)) for played in sessions]
    league = LeagueScheme(points_by_place=(10, 4))
    return table_of(Scheme(), rank_league(ENTRANTS, held, scheme=Scheme(), league=league))["rows"]


def test_a_league_is_compared_by_the_points_of_its_sessions_beside_those_of_its_matches() -> None:
    before = rows_of_league(match(1, 1, (1, 0), 2))
    after = rows_of_league(match(1, 1, (0, 0), 2))

    moves = {move.entry: move for move in rank_moves(before, after)}

    assert [(one.before_points, one.after_points) for one in (moves[1], moves[2])] == [(10, 7), (4, 7)]
    assert [(one.before_match_points, one.after_match_points) for one in (moves[1], moves[2])] == [
        (2, 1),
        (0, 1),
    ]


def test_a_line_whose_match_points_alone_moved_reads_otherwise_in_a_league() -> None:
    """Courts and places stay: only the worth of a draw is another."""
    before = rows_of_league(match(1, 1, (0, 0), 2))
    after = [{**row, "match_points": 3} if row["entry"] == 1 else row for row in before]

    assert [move.entry for move in rank_moves(before, after)] == [1]  # type: ignore[arg-type] # a row with one change


def test_elsewhere_match_points_are_what_ranks_and_stand_once() -> None:
    before, after = (
        table_of(Scheme(), rank_entries(ENTRANTS, [match(1, 1, courts, 2)], scheme=Scheme()))["rows"]
        for courts in ((1, 0), (0, 0))
    )

    moves = rank_moves(before, after)

    assert {move.entry: (move.before_points, move.after_points) for move in moves}[1] == (2, 1)
    assert {move.before_match_points for move in moves} == {None}
