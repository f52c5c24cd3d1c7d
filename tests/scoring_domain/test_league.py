"""A league: the points of sessions, the best of them, and the table that they make."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.league import LeagueScheme, SessionResults, points_of_places, rank_league
from scoring.domain.results import Bye, ByeKind, Entrant, MatchResult, Ranking, Scheme, TiebreakCode
from scoring.domain.workings import SessionLine
from tests.scoring_domain.builders import Tournament, bye, entries, match, swiss

TEN_SIX_THREE = LeagueScheme(points_by_place=(10, 6, 3))


def session(number: int, *played: MatchResult, byes: tuple[Bye, ...] = ()) -> SessionResults:
    return SessionResults(number=number, matches=played, byes=byes)


def test_places_are_worth_what_the_table_says_and_nothing_after_it() -> None:
    assert points_of_places({7: 1, 8: 2, 9: 3, 10: 4}, (10, 6, 3)) == {7: 10, 8: 6, 9: 3, 10: 0}


def test_who_shares_a_place_shares_the_points_exactly() -> None:
    """Second to fourth place: (6 + 3 + 0) / 3; first and second of another session (10 + 5) / 2."""
    assert points_of_places({7: 1, 8: 2, 9: 2, 10: 2}, (10, 6, 3)) == {7: 10, 8: 3, 9: 3, 10: 3}
    assert points_of_places({7: 1, 8: 1}, (10, 5)) == {7: Fraction(15, 2), 8: Fraction(15, 2)}


def test_the_league_is_ordered_by_the_sum_of_its_sessions() -> None:
    """1 is first, then third of three; 2 is second twice; 3 is third, then first."""
    held = [
        session(1, match(1, 1, (1, 0), 2), match(2, 2, (1, 0), 3), match(3, 1, (1, 0), 3)),
        session(2, match(4, 3, (1, 0), 2), match(5, 2, (1, 0), 1), match(6, 3, (1, 0), 1)),
    ]

    rows = rank_league(entries(1, 2, 3), held, scheme=Scheme(), league=TEN_SIX_THREE)

    assert [(row.rank, row.tally.entry, row.tally.score) for row in rows] == [
        (1, 1, 13),
        (1, 3, 13),
        (3, 2, 12),
    ]
    assert rows[0].sessions == (
        SessionLine(session=1, rank=1, tied=False, score=4, points=10),
        SessionLine(session=2, rank=3, tied=False, score=0, points=3),
    )


def test_without_a_table_a_session_is_worth_its_match_points() -> None:
    held = [session(1, match(1, 1, (1, 0), 2)), session(2, match(2, 1, (0, 0), 2))]

    rows = rank_league(entries(1, 2), held, scheme=Scheme(), league=LeagueScheme())

    assert [(row.tally.entry, row.tally.score) for row in rows] == [(1, 3), (2, 1)]


def test_a_session_may_be_ordered_by_courts() -> None:
    league = LeagueScheme(session_ranking=Ranking.COURTS)

    rows = rank_league(entries(1, 2), [session(1, match(1, 1, (5, 3), 2))], scheme=Scheme(), league=league)

    assert [(row.tally.entry, row.tally.score) for row in rows] == [(1, 5), (2, 3)]


def test_only_the_best_sessions_count_and_of_equals_the_earlier() -> None:
    held = [session(number, match(number, 1, (number % 2, 0), 2)) for number in (1, 2, 3, 4)]

    rows = rank_league(entries(1, 2), held, scheme=Scheme(), league=LeagueScheme(best_of=3))

    assert rows[0].tally.score == 5
    assert [(line.session, line.points, line.counts) for line in rows[0].sessions or ()] == [
        (1, 2, True),
        (2, 1, True),
        (3, 2, True),
        (4, 1, False),
    ]


def test_who_was_not_there_has_no_line_and_takes_no_place() -> None:
    byes = (bye(1, 3, ByeKind.ABSENT), bye(1, 4, ByeKind.REQUESTED))

    rows = rank_league(
        entries(1, 2, 3, 4),
        [session(1, match(1, 1, (1, 0), 2), byes=byes)],
        scheme=Scheme(),
        league=TEN_SIX_THREE,
    )

    assert {row.tally.entry: (row.tally.score, len(row.sessions or ())) for row in rows} == {
        1: (10, 1),
        2: (6, 1),
        3: (0, 0),
        4: (0, 0),
    }


def test_who_got_a_match_from_somebody_who_did_not_come_was_there() -> None:
    byes = (bye(1, 1, ByeKind.FORFEIT_WIN, 2), bye(1, 2, ByeKind.FORFEIT_LOSS, 1))

    rows = rank_league(entries(1, 2), [session(1, byes=byes)], scheme=Scheme(), league=TEN_SIX_THREE)

    assert [(row.tally.entry, row.tally.score, len(row.sessions or ())) for row in rows] == [
        (1, 10, 1),
        (2, 0, 0),
    ]


def test_a_penalty_is_taken_from_the_total() -> None:
    entrants = [Entrant(number=1, penalty=7), Entrant(number=2)]

    rows = rank_league(entrants, [session(1, match(1, 1, (1, 0), 2))], scheme=Scheme(), league=TEN_SIX_THREE)

    assert [(row.tally.entry, row.tally.score, row.tally.match_points) for row in rows] == [
        (2, 6, 0),
        (1, 3, 2),
    ]


def test_lots_part_nobody_in_a_session_but_do_in_the_league() -> None:
    scheme = Scheme(tiebreaks=(TiebreakCode.DRAW_OF_LOTS,), lot_seed=3)

    rows = rank_league(
        entries(1, 2), [session(1, match(1, 1, (1, 1), 2))], scheme=scheme, league=TEN_SIX_THREE
    )

    assert [(row.rank, row.tally.score, (row.sessions or ())[0].tied) for row in rows] == [
        (1, 8, True),
        (2, 8, True),
    ]


@given(swiss(), st.integers(1, 4), st.sampled_from([(), (5, 3, 1)]))
def test_the_score_is_the_sum_of_the_lines_that_count_and_no_other_choice_is_better(
    tournament: Tournament, best_of: int, places: tuple[int, ...]
) -> None:
    entrants, played, byes = tournament
    held = [
        session(
            number,
            *[one for one in played if one.round == number],
            byes=tuple(one for one in byes if one.round == number),
        )
        for number in range(1, 6)
    ]
    league = LeagueScheme(points_by_place=places, best_of=best_of)

    rows = rank_league(entrants, held, scheme=Scheme(), league=league)

    for row in rows:
        best = sorted((line.points for line in row.sessions or ()), reverse=True)[:best_of]
        counted = [line.points for line in row.sessions or () if line.counts]
        assert row.tally.score + row.tally.penalty == sum(counted) == sum(best)
        assert len(counted) == min(best_of, len(row.sessions or ()))


@given(st.lists(st.integers(1, 4), max_size=6), st.lists(st.integers(0, 20), max_size=8))
def test_sharing_places_gives_away_neither_more_nor_less(sizes: list[int], table: list[int]) -> None:
    ranks: dict[int, int] = {}
    for size in sizes:
        rank = len(ranks) + 1
        ranks |= {rank + entry: rank for entry in range(size)}

    shared = points_of_places(ranks, tuple(table))

    assert sum(shared.values()) == sum(table[: len(ranks)])


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_the_order_of_the_sessions_in_the_input_changes_nothing(order: tuple[int, int]) -> None:
    held = [session(1, match(1, 1, (1, 0), 2)), session(2, match(2, 2, (1, 0), 1))]
    league = replace(TEN_SIX_THREE, best_of=1)

    rows = rank_league(entries(1, 2), [held[at] for at in order], scheme=Scheme(), league=league)

    assert [line.counts for line in rows[0].sessions or ()] == [True, False]
