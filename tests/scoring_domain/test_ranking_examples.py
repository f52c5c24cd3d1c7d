"""Standings for a person to read: who stands where, and why."""

from fractions import Fraction

import pytest

from scoring.domain.ranking import Row, rank_entries
from scoring.domain.results import (
    Bye,
    ByeKind,
    Entrant,
    MatchPoints,
    MatchResult,
    Ranking,
    ResultsError,
    Scheme,
    TiebreakCode,
)
from scoring.domain.workings import WorkingLine
from tests.scoring_domain.builders import entries, match

DIFFERENCE = TiebreakCode.COURTS_DIFFERENCE
FOR = TiebreakCode.COURTS_FOR
HEAD_TO_HEAD = TiebreakCode.HEAD_TO_HEAD
LOTS = TiebreakCode.DRAW_OF_LOTS


def ranks(rows: tuple[Row, ...]) -> list[tuple[int, int]]:
    return [(row.rank, row.tally.entry) for row in rows]


def reasons(rows: tuple[Row, ...]) -> dict[int, TiebreakCode | None]:
    return {row.tally.entry: row.decided_by for row in rows}


def values(rows: tuple[Row, ...], place: int = 0) -> dict[int, object]:
    return {row.tally.entry: row.workings[place].value for row in rows}


def test_more_courts_win_a_match_and_a_win_is_two_points() -> None:
    rows = rank_entries(entries(1, 2), [match(1, 1, (0, 3), 2)], scheme=Scheme())

    assert ranks(rows) == [(1, 2), (2, 1)]
    assert [(row.tally.match_points, row.tally.won, row.tally.lost) for row in rows] == [(2, 1, 0), (0, 0, 1)]


def test_equal_courts_are_a_draw_even_when_nobody_made_one() -> None:
    rows = rank_entries(entries(1, 2), [match(1, 1, (0, 0), 2)], scheme=Scheme())

    assert [(row.rank, row.tied, row.tally.match_points, row.tally.drawn) for row in rows] == [
        (1, True, 1, 1),
        (1, True, 1, 1),
    ]


def test_equals_share_a_rank_and_the_next_is_skipped() -> None:
    played = [match(1, 1, (2, 0), 4), match(1, 2, (1, 1), 3)]

    rows = rank_entries(entries(1, 2, 3, 4), played, scheme=Scheme(tiebreaks=(DIFFERENCE,)))

    assert [(row.position, row.rank, row.tied, row.tally.entry) for row in rows] == [
        (1, 1, False, 1),
        (2, 2, True, 2),
        (3, 2, True, 3),
        (4, 4, False, 4),
    ]


def test_a_bye_is_worth_a_win_but_is_none_and_brings_no_courts() -> None:
    rows = rank_entries(
        entries(1), [], [Bye(round=1, entry=1)], scheme=Scheme(tiebreaks=(TiebreakCode.WINS,))
    )

    (row,) = rows
    assert (row.tally.match_points, row.tally.won, row.tally.byes, row.tally.courts_for) == (2, 0, (1,), 0)
    assert row.workings[0].value == 0
    assert row.workings[0].lines == (WorkingLine(None, (1,), 0, bye=ByeKind.PAIRING),)


def test_the_points_of_a_tournament_may_be_other_ones() -> None:
    points = MatchPoints(win=3, draw=Fraction(3, 2), loss=0, bye=Fraction(3, 2))
    played = [match(1, 1, (1, 1), 2), match(2, 1, (4, 0), 2)]

    rows = rank_entries(entries(1, 2, 3), played, [Bye(round=1, entry=3)], scheme=Scheme(points=points))

    assert {row.tally.entry: row.tally.match_points for row in rows} == {
        1: Fraction(9, 2),
        2: Fraction(3, 2),
        3: Fraction(3, 2),
    }


def test_ranking_by_courts_counts_courts_and_not_matches() -> None:
    played = [match(1, 1, (1, 0), 2), match(2, 1, (1, 0), 3), match(3, 2, (9, 0), 3)]

    rows = rank_entries(entries(1, 2, 3), played, scheme=Scheme(ranking=Ranking.COURTS))

    assert ranks(rows) == [(1, 2), (2, 1), (3, 3)]


@pytest.mark.parametrize(("ranking", "score"), [(Ranking.MATCH_POINTS, 1), (Ranking.COURTS, 2)])
def test_a_penalty_is_taken_from_what_ranks(ranking: Ranking, score: int) -> None:
    entrants = [Entrant(number=1, penalty=1), Entrant(number=2)]

    rows = rank_entries(entrants, [match(1, 1, (3, 1), 2)], scheme=Scheme(ranking=ranking))

    punished = next(row for row in rows if row.tally.entry == 1)
    assert (punished.tally.score, punished.tally.penalty, punished.tally.courts_for) == (score, 1, 3)


def test_courts_difference_comes_before_courts_for_and_each_says_what_it_decided() -> None:
    played = [match(1, 1, (5, 2), 4), match(1, 2, (4, 1), 5), match(1, 3, (3, 1), 6)]

    rows = rank_entries(entries(1, 2, 3, 4, 5, 6), played, scheme=Scheme(tiebreaks=(DIFFERENCE, FOR)))

    assert ranks(rows)[:3] == [(1, 1), (2, 2), (3, 3)]
    assert {entry: reason for entry, reason in reasons(rows).items() if entry <= 3} == {
        1: FOR,
        2: FOR,
        3: DIFFERENCE,
    }


def test_the_working_of_a_tie_break_names_every_opponent_and_the_bye() -> None:
    played = [match(1, 1, (5, 2), 4), match(3, 2, (4, 1), 1)]

    rows = rank_entries(
        entries(1, 2, 4), played, [Bye(round=2, entry=1)], scheme=Scheme(tiebreaks=(DIFFERENCE,))
    )

    working = next(row.workings[0] for row in rows if row.tally.entry == 1)
    assert working.value == 0
    assert working.lines == (
        WorkingLine(4, (1,), 3, 5, 2),
        WorkingLine(None, (2,), 0, bye=ByeKind.PAIRING),
        WorkingLine(2, (3,), -3, 1, 4),
    )


def test_nobody_decided_where_nobody_was_level() -> None:
    rows = rank_entries(
        entries(1, 2), [match(1, 1, (1, 0), 2)], scheme=Scheme(tiebreaks=(DIFFERENCE, HEAD_TO_HEAD))
    )

    assert reasons(rows) == {1: None, 2: None}
    assert [row.level_with for row in rows] == [(), ()]


def test_head_to_head_puts_the_winner_of_the_match_between_two_first() -> None:
    played = [
        match(1, 1, (1, 0), 3),
        match(1, 2, (4, 0), 4),
        match(2, 2, (0, 1), 3),
        match(2, 1, (2, 0), 4),
        match(3, 1, (0, 1), 2),
        match(3, 3, (0, 1), 4),
    ]

    rows = rank_entries(entries(1, 2, 3, 4), played, scheme=Scheme(tiebreaks=(HEAD_TO_HEAD,)))

    assert ranks(rows) == [(1, 2), (2, 1), (3, 4), (4, 3)]
    assert values(rows) == {1: 0, 2: 2, 3: 0, 4: 2}


def test_head_to_head_separates_nobody_where_three_beat_each_other_in_a_ring() -> None:
    ring = [match(1, 1, (1, 0), 2), match(2, 2, (1, 0), 3), match(3, 3, (5, 0), 1)]

    rows = rank_entries(entries(1, 2, 3), ring, scheme=Scheme(tiebreaks=(HEAD_TO_HEAD, DIFFERENCE)))

    assert values(rows) == {1: 2, 2: 2, 3: 2}
    assert ranks(rows) == [(1, 3), (2, 2), (3, 1)]
    assert reasons(rows) == {1: DIFFERENCE, 2: DIFFERENCE, 3: DIFFERENCE}


def test_head_to_head_is_over_the_whole_tied_set_and_not_pair_by_pair() -> None:
    """1 beat 2, who is level with 1 and 3; but over the three, 3 made the most."""
    played = [
        match(1, 1, (1, 0), 2),
        match(2, 3, (1, 0), 1),
        match(3, 3, (1, 0), 2),
        match(4, 1, (1, 0), 4),
        match(5, 2, (1, 0), 4),
        match(6, 2, (1, 0), 5),
    ]

    rows = rank_entries(entries(1, 2, 3, 4, 5), played, scheme=Scheme(tiebreaks=(HEAD_TO_HEAD,)))

    assert ranks(rows)[:3] == [(1, 3), (2, 1), (3, 2)]
    assert [row.workings[0].value for row in rows[:3]] == [4, 2, 0]


def test_head_to_head_compares_those_still_equal_again_among_themselves() -> None:
    """Among four, 1 and 2 make four, 3 and 4 two; of those pairs 2 beat 1, and 3 beat 4 (FIDE C.07, 6.3)."""
    played = [
        match(1, 1, (1, 0), 3),
        match(2, 1, (1, 0), 4),
        match(3, 2, (1, 0), 1),
        match(4, 2, (1, 0), 3),
        match(5, 4, (1, 0), 2),
        match(6, 3, (1, 0), 4),
    ]
    outside = [match(7, 3, (1, 0), 5), match(8, 4, (1, 0), 6)]

    rows = rank_entries(entries(1, 2, 3, 4, 5, 6), played + outside, scheme=Scheme(tiebreaks=(HEAD_TO_HEAD,)))

    assert ranks(rows)[:4] == [(1, 2), (2, 1), (3, 3), (4, 4)]
    assert [row.workings[0].value for row in rows[:4]] == [4, 4, 2, 2]
    assert [line.again for line in rows[0].workings[0].lines] == [0, 0, 0, 1]


def test_two_who_met_twice_are_compared_by_the_average() -> None:
    """1 and 2 met twice, so that 1 makes (2 + 1) / 2 of it, as against 2 of one match each elsewhere."""
    played = [
        match(1, 1, (1, 0), 2),
        match(2, 1, (1, 1), 2),
        match(3, 3, (1, 0), 1),
        match(4, 2, (1, 0), 3),
        match(5, 4, (0, 0), 3),
    ]

    rows = rank_entries(entries(1, 2, 3, 4), played, scheme=Scheme(tiebreaks=(HEAD_TO_HEAD,)))

    assert values(rows) == {1: Fraction(3, 2), 2: Fraction(5, 2), 3: 2, 4: None}
    assert ranks(rows) == [(1, 2), (2, 3), (3, 1), (4, 4)]


def test_head_to_head_has_no_value_where_the_tied_have_not_all_met() -> None:
    played = [match(1, 1, (1, 0), 3), match(1, 2, (1, 0), 4)]

    rows = rank_entries(entries(1, 2, 3, 4), played, scheme=Scheme(tiebreaks=(HEAD_TO_HEAD,)))

    assert values(rows) == {1: None, 2: None, 3: None, 4: None}
    assert [row.rank for row in rows] == [1, 1, 3, 3]


def test_head_to_head_places_one_who_is_first_whatever_the_missing_match_brings() -> None:
    """1 beat 2 and 3, who have not met: the winner of that match could make two, less than 1's four (6.2)."""
    played = [
        match(1, 1, (1, 0), 2),
        match(2, 1, (1, 0), 3),
        match(3, 2, (1, 0), 4),
        match(4, 2, (1, 0), 5),
        match(5, 3, (1, 0), 4),
        match(6, 3, (1, 0), 5),
    ]

    rows = rank_entries(entries(1, 2, 3, 4, 5), played, scheme=Scheme(tiebreaks=(HEAD_TO_HEAD,)))

    assert [(row.rank, row.tally.entry, row.workings[0].value) for row in rows[:3]] == [
        (1, 1, 4),
        (2, 2, None),
        (2, 3, None),
    ]


def test_ranked_by_courts_head_to_head_counts_courts() -> None:
    played = [match(1, 1, (2, 1), 2), match(2, 2, (3, 0), 3), match(3, 1, (2, 0), 3)]

    rows = rank_entries(
        entries(1, 2, 3), played, scheme=Scheme(ranking=Ranking.COURTS, tiebreaks=(HEAD_TO_HEAD,))
    )

    assert ranks(rows) == [(1, 1), (2, 2), (3, 3)]
    assert values(rows) == {1: 2, 2: 1, 3: None}


def test_lots_are_drawn_from_the_seed_and_are_the_same_again() -> None:
    scheme = Scheme(tiebreaks=(LOTS,), lot_seed=8)

    rows = rank_entries(entries(1, 2, 3, 4), [], scheme=scheme)

    assert ranks(rows) == [(1, 1), (2, 3), (3, 4), (4, 2)]
    assert [row.workings[0].value for row in rows] == [4, 3, 2, 1]
    assert {row.decided_by for row in rows} == {LOTS}


def test_without_a_seed_no_lot_was_drawn_and_all_stay_equal() -> None:
    rows = rank_entries(entries(2, 1), [], scheme=Scheme(tiebreaks=(LOTS,)))

    assert ranks(rows) == [(1, 1), (1, 2)]
    assert values(rows) == {1: None, 2: None}


def test_an_entry_that_comes_late_changes_no_order_between_two_others() -> None:
    scheme = Scheme(tiebreaks=(LOTS,), lot_seed=11)
    before = [entry for _, entry in ranks(rank_entries(entries(*range(1, 9)), [], scheme=scheme))]

    after = [entry for _, entry in ranks(rank_entries(entries(*range(1, 12)), [], scheme=scheme))]

    assert [entry for entry in after if entry <= 8] == before


@pytest.mark.parametrize(
    ("entrants", "played", "byes", "at_fault"),
    [
        (entries(1, 1), [], [], 1),
        (entries(1), [match(1, 1, (0, 0), 2)], [], 2),
        (entries(1), [match(1, 1, (0, 0), 1)], [], 1),
        (entries(1), [], [Bye(round=1, entry=3)], 3),
    ],
)
def test_results_that_do_not_belong_together_are_refused(
    entrants: tuple[Entrant, ...], played: list[MatchResult], byes: list[Bye], at_fault: int
) -> None:
    with pytest.raises(ResultsError) as caught:
        rank_entries(entrants, played, byes, scheme=Scheme())

    assert caught.value.entry == at_fault


def test_no_entries_make_no_rows() -> None:
    assert rank_entries([], [], scheme=Scheme()) == ()
