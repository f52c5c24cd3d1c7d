"""Rounds without a match for a person to read: what they are worth, and what they do to who was met."""

from fractions import Fraction

import pytest

from scoring.domain.ranking import Row, rank_entries
from scoring.domain.results import (
    Bye,
    ByeKind,
    DummyOpponent,
    Entrant,
    MatchPoints,
    MatchResult,
    Ranking,
    ResultsError,
    Scheme,
    TiebreakCode,
)
from scoring.domain.workings import Cut, Working, WorkingLine
from tests.scoring_domain.builders import bye, entries, match

BUCHHOLZ = Scheme(tiebreaks=(TiebreakCode.BUCHHOLZ,), dummy=DummyOpponent.OWN_SCORE)
MEDIAN = Scheme(tiebreaks=(TiebreakCode.MEDIAN_BUCHHOLZ,), dummy=DummyOpponent.OWN_SCORE)
SONNEBORN_BERGER = Scheme(tiebreaks=(TiebreakCode.SONNEBORN_BERGER,), dummy=DummyOpponent.OWN_SCORE)


def working(
    entry: int,
    scheme: Scheme,
    played: list[MatchResult],
    byes: tuple[Bye, ...] = (),
    entrants: tuple[Entrant, ...] = entries(1, 2, 3, 4),
) -> Working:
    rows = rank_entries(entrants, played, byes, scheme=scheme)
    return next(row.workings[0] for row in rows if row.tally.entry == entry)


def row_of(rows: tuple[Row, ...], entry: int) -> Row:
    return next(row for row in rows if row.tally.entry == entry)


@pytest.mark.parametrize(
    ("kind", "points"),
    [
        (ByeKind.PAIRING, 2),
        (ByeKind.REQUESTED, 1),
        (ByeKind.ABSENT, 0),
        (ByeKind.LATE, 0),
        (ByeKind.FORFEIT_WIN, 2),
        (ByeKind.FORFEIT_LOSS, 0),
    ],
)
def test_a_round_without_a_match_is_worth_what_its_kind_says_and_is_no_win(
    kind: ByeKind, points: int
) -> None:
    rows = rank_entries(entries(1), [], [bye(1, 1, kind)], scheme=Scheme())

    tally = rows[0].tally
    assert (tally.match_points, tally.won, tally.drawn, tally.lost, tally.courts_for) == (points, 0, 0, 0, 0)


def test_byes_are_those_of_the_draw_and_those_asked_for() -> None:
    byes = [bye(number, 1, kind) for number, kind in enumerate(ByeKind, start=1)]

    (row,) = rank_entries(entries(1), [], byes, scheme=Scheme())

    assert row.tally.byes == (1, 2)
    assert [one.kind for one in row.tally.unplayed] == list(ByeKind)


def test_a_bye_asked_for_and_a_match_given_away_may_be_worth_something_else() -> None:
    points = MatchPoints(win=3, draw=1, bye=3, requested=0, forfeit=Fraction(3, 2))
    byes = [bye(1, 1, ByeKind.REQUESTED), bye(1, 2, ByeKind.FORFEIT_WIN)]

    rows = rank_entries(entries(1, 2), [], byes, scheme=Scheme(points=points))

    assert {row.tally.entry: row.tally.match_points for row in rows} == {1: 0, 2: Fraction(3, 2)}


def test_an_opponent_who_gave_a_match_away_has_to_be_there() -> None:
    with pytest.raises(ResultsError) as caught:
        rank_entries(entries(1), [], [bye(1, 1, ByeKind.FORFEIT_WIN, 2)], scheme=Scheme())

    assert caught.value.entry == 2


def test_buchholz_is_the_sum_of_the_opponents_scores() -> None:
    """2 made 2 points of its two matches, 3 made 3."""
    played = [
        match(1, 1, (3, 0), 2),
        match(1, 3, (2, 0), 4),
        match(2, 1, (1, 1), 3),
        match(2, 2, (1, 0), 4),
    ]

    assert working(1, BUCHHOLZ, played) == Working(5, (WorkingLine(2, (1,), 2), WorkingLine(3, (2,), 3)))


def test_sonneborn_berger_is_each_opponents_score_times_what_was_made_of_it() -> None:
    """Two points of 2, who made 2, and one of 3, who made 3."""
    played = [
        match(1, 1, (3, 0), 2),
        match(1, 3, (2, 0), 4),
        match(2, 1, (1, 1), 3),
        match(2, 2, (1, 0), 4),
    ]

    assert working(1, SONNEBORN_BERGER, played) == Working(
        7, (WorkingLine(2, (1,), 4, 2, 2), WorkingLine(3, (2,), 3, 1, 3))
    )


def test_the_median_leaves_out_the_lowest_and_the_highest_opponent() -> None:
    played = [
        match(1, 1, (1, 0), 2),
        match(1, 3, (1, 0), 4),
        match(2, 1, (1, 0), 3),
        match(2, 2, (1, 0), 4),
        match(3, 1, (1, 0), 4),
        match(3, 2, (1, 0), 3),
    ]

    assert working(1, MEDIAN, played) == Working(
        2,
        (
            WorkingLine(2, (1,), 4, cut=Cut.HIGHEST),
            WorkingLine(3, (2,), 2),
            WorkingLine(4, (3,), 0, cut=Cut.LOWEST),
        ),
    )


def test_the_median_of_one_opponent_is_nothing() -> None:
    assert working(1, MEDIAN, [match(1, 1, (1, 0), 2)]) == Working(
        0, (WorkingLine(2, (1,), 0, cut=Cut.LOWEST),)
    )


def test_a_penalty_is_not_passed_on_to_the_opponents() -> None:
    entrants = (Entrant(number=1), Entrant(number=2, penalty=1))

    found = working(1, BUCHHOLZ, [match(1, 1, (0, 1), 2)], entrants=entrants)

    assert found.value == 2


def test_ranked_by_courts_the_opponents_scores_are_match_points_all_the_same() -> None:
    scheme = Scheme(ranking=Ranking.COURTS, tiebreaks=(TiebreakCode.BUCHHOLZ,))

    assert working(1, scheme, [match(1, 1, (0, 9), 2)]).value == 2


def test_an_own_bye_counts_as_a_match_against_a_dummy_of_the_own_score() -> None:
    """1 has 2 points of round 1 and 2 of the bye: the dummy has 4 (FIDE C.07, 16.4)."""
    played = [match(1, 1, (1, 0), 2)]

    found = working(1, BUCHHOLZ, played, (bye(2, 1, ByeKind.PAIRING),))

    assert found == Working(
        4, (WorkingLine(2, (1,), 0), WorkingLine(None, (2,), 4, bye=ByeKind.PAIRING, dummy=True))
    )


def test_in_sonneborn_berger_the_dummy_was_met_with_the_points_of_the_bye() -> None:
    """1 has 2 points and 1 of the bye that it asked for: one point of a dummy of 3."""
    played = [match(1, 1, (1, 0), 2)]

    found = working(1, SONNEBORN_BERGER, played, (bye(2, 1, ByeKind.REQUESTED),))

    assert found.lines[1] == WorkingLine(None, (2,), 3, 1, 3, bye=ByeKind.REQUESTED, dummy=True)


def test_by_the_text_of_2026_a_dummy_has_no_more_than_a_draw_in_every_round() -> None:
    """1 has 4 points after two rounds, but two draws are 2 (16.4.2)."""
    scheme = Scheme(tiebreaks=(TiebreakCode.BUCHHOLZ,), dummy=DummyOpponent.OWN_SCORE_CAPPED)

    found = working(1, scheme, [match(1, 1, (1, 0), 2)], (bye(2, 1, ByeKind.PAIRING),))

    assert found.lines[1] == WorkingLine(None, (2,), 2, bye=ByeKind.PAIRING, dummy=True, before=4)


def test_by_the_text_of_2026_a_dummy_is_no_better_than_who_gave_the_match_away() -> None:
    """1 has 4 points, 3 has none (16.4.1)."""
    scheme = Scheme(tiebreaks=(TiebreakCode.BUCHHOLZ,), dummy=DummyOpponent.OWN_SCORE_CAPPED)
    byes = (bye(2, 1, ByeKind.FORFEIT_WIN, 3), bye(2, 3, ByeKind.FORFEIT_LOSS, 1))

    found = working(1, scheme, [match(1, 1, (1, 0), 2)], byes)

    assert found.lines[1] == WorkingLine(3, (2,), 0, bye=ByeKind.FORFEIT_WIN, dummy=True, before=4)


def test_an_opponent_who_was_away_at_the_end_counts_as_if_it_had_drawn() -> None:
    """2 lost round 1 and was not there for the two others: two draws are 2 points (16.2.5, 16.3.2)."""
    byes = (bye(2, 2, ByeKind.ABSENT), bye(3, 2, ByeKind.ABSENT))

    found = working(1, BUCHHOLZ, [match(1, 1, (1, 0), 2)], byes)

    assert found.lines == (WorkingLine(2, (1,), 2, before=0),)


def test_an_opponent_who_was_away_and_came_back_counts_with_what_it_got() -> None:
    """2 was not there for round 2 and drew round 3: it has 1 point (16.2.3, 16.3.1)."""
    played = [match(1, 1, (1, 0), 2), match(3, 2, (1, 1), 3)]

    found = working(1, BUCHHOLZ, played, (bye(2, 2, ByeKind.ABSENT),))

    assert found.lines == (WorkingLine(2, (1,), 1),)


def test_an_opponent_who_gave_its_last_match_away_counts_without_it() -> None:
    """A match given away stays lost (16.2.4), but the bye before it is followed by nothing else (16.2.5)."""
    byes = (bye(2, 2, ByeKind.REQUESTED), bye(3, 2, ByeKind.FORFEIT_LOSS, 3), bye(4, 2, ByeKind.ABSENT))

    found = working(1, BUCHHOLZ, [match(1, 1, (1, 0), 2)], byes)

    assert found.lines == (WorkingLine(2, (1,), 2, before=1),)


def test_an_opponent_with_a_bye_of_the_draw_in_the_last_round_counts_with_its_points() -> None:
    found = working(1, BUCHHOLZ, [match(1, 1, (1, 0), 2)], (bye(2, 2, ByeKind.PAIRING),))

    assert found.lines == (WorkingLine(2, (1,), 2),)


def test_the_rounds_after_a_withdrawal_count_as_if_they_were_written_down() -> None:
    """2 left after round 1; there were two more: two draws for 1, two dummies of no points for 2 itself."""
    entrants = (Entrant(number=1), Entrant(number=2, withdrawn=True), *entries(3))
    played = [match(1, 1, (1, 0), 2), match(2, 1, (1, 0), 3), match(3, 1, (1, 0), 3)]

    rows = rank_entries(entrants, played, scheme=BUCHHOLZ)

    assert row_of(rows, 1).workings[0].lines[0] == WorkingLine(2, (1,), 2, before=0)
    assert row_of(rows, 2).workings[0] == Working(
        6,
        (
            WorkingLine(1, (1,), 6),
            WorkingLine(None, (2,), 0, bye=ByeKind.ABSENT, dummy=True),
            WorkingLine(None, (3,), 0, bye=ByeKind.ABSENT, dummy=True),
        ),
    )


def test_of_the_opponents_a_round_missed_by_choice_is_cut_first() -> None:
    """1 has 5 points, so that its dummy is not the lowest; but it asked for the bye (16.5)."""
    played = [match(1, 1, (1, 0), 2), match(2, 1, (1, 0), 3)]

    found = working(1, MEDIAN, played, (bye(3, 1, ByeKind.REQUESTED),))

    assert [(line.amount, line.cut) for line in found.lines] == [
        (0, Cut.HIGHEST),
        (0, None),
        (5, Cut.LOWEST),
    ]


def test_a_bye_of_the_draw_is_not_cut_first() -> None:
    played = [match(1, 1, (1, 0), 2), match(2, 1, (1, 0), 3)]

    found = working(1, MEDIAN, played, (bye(3, 1, ByeKind.PAIRING),))

    assert [(line.amount, line.cut) for line in found.lines] == [
        (0, Cut.LOWEST),
        (0, None),
        (6, Cut.HIGHEST),
    ]


@pytest.mark.parametrize("code", [TiebreakCode.BUCHHOLZ, TiebreakCode.MEDIAN_BUCHHOLZ])
def test_there_is_no_buchholz_where_everybody_meets_everybody(code: TiebreakCode) -> None:
    scheme = Scheme(tiebreaks=(code,), predetermined=True)

    assert working(1, scheme, [match(1, 1, (1, 0), 2)]) == Working(None)


def test_where_everybody_meets_everybody_a_match_given_away_is_one_like_the_others() -> None:
    """3 gave its match to 1 away and beat 2: two points of an opponent of 2 (15.2)."""
    scheme = Scheme(tiebreaks=(TiebreakCode.SONNEBORN_BERGER,), predetermined=True)
    byes = (bye(1, 1, ByeKind.FORFEIT_WIN, 3), bye(1, 3, ByeKind.FORFEIT_LOSS, 1), bye(2, 1, ByeKind.PAIRING))

    found = working(1, scheme, [match(2, 2, (0, 1), 3)], byes)

    assert found == Working(
        4,
        (
            WorkingLine(3, (1,), 4, 2, 2, bye=ByeKind.FORFEIT_WIN),
            WorkingLine(None, (2,), 0, 2, 0, bye=ByeKind.PAIRING),
        ),
    )


@pytest.mark.parametrize(("predetermined", "value"), [(True, 2), (False, None)])
def test_head_to_head_takes_a_match_given_away_where_everybody_meets_everybody(
    predetermined: bool, value: int | None
) -> None:
    scheme = Scheme(tiebreaks=(TiebreakCode.HEAD_TO_HEAD,), predetermined=predetermined)
    byes = [bye(1, 1, ByeKind.FORFEIT_WIN, 2), bye(1, 2, ByeKind.FORFEIT_LOSS, 1)]

    rows = rank_entries(entries(1, 2, 3), [match(2, 2, (1, 0), 3)], byes, scheme=scheme)

    assert row_of(rows, 1).workings[0].value == value


def test_in_a_tie_break_over_own_matches_a_match_given_away_is_nothing_and_says_what_it_was() -> None:
    scheme = Scheme(tiebreaks=(TiebreakCode.WINS,))
    byes = (bye(1, 1, ByeKind.FORFEIT_WIN, 2), bye(1, 2, ByeKind.FORFEIT_LOSS, 1))

    found = working(1, scheme, [], byes)

    assert found == Working(0, (WorkingLine(2, (1,), 0, bye=ByeKind.FORFEIT_WIN),))


def test_the_longest_stay_is_the_longest_run_of_wins_at_a_table() -> None:
    """At table 1: 1 wins two, 3 one, 1 three; the match at table 2 is another stay."""
    winners = [(1, 2), (1, 3), (3, 1), (1, 2), (1, 3), (1, 2)]
    played = [match(number, one, (1, 0), other, table=1) for number, (one, other) in enumerate(winners, 1)]
    played.append(match(7, 1, (1, 0), 4, table=2))
    scheme = Scheme(ranking=Ranking.COURTS, tiebreaks=(TiebreakCode.LONGEST_STAY,))

    found = working(1, scheme, played)

    assert found == Working(3, (WorkingLine(2, (4,), 1), WorkingLine(3, (5,), 1), WorkingLine(2, (6,), 1)))


def test_a_draw_ends_a_stay() -> None:
    played = [match(1, 1, (1, 0), 2), match(2, 1, (0, 0), 3), match(3, 1, (1, 0), 2)]

    assert working(1, Scheme(tiebreaks=(TiebreakCode.LONGEST_STAY,)), played).value == 1


def test_several_matches_of_a_round_at_a_table_are_taken_in_the_order_of_play() -> None:
    scheme = Scheme(tiebreaks=(TiebreakCode.LONGEST_STAY,))
    sides = [match(1, 1, (1, 0), 2).sides, match(1, 3, (1, 0), 1).sides, match(1, 1, (1, 0), 2).sides]
    played = [
        MatchResult(round=1, sides=pair, table=1, order=order)
        for pair, order in zip(sides, (1, 3, 2), strict=True)
    ]

    assert working(1, scheme, played).value == 2


def test_a_higher_stage_stands_first_whatever_the_score_and_decides_no_tie() -> None:
    """In a knockout: the final's winner and loser, third place, and who lost that."""
    entrants = [Entrant(number=number, stage=stage) for number, stage in ((1, 1), (2, 4), (3, 2), (4, 3))]
    played = [match(1, 1, (3, 0), 3), match(2, 2, (1, 0), 4)]

    rows = rank_entries(entrants, played, scheme=Scheme(tiebreaks=(TiebreakCode.WINS,)))

    assert [(row.rank, row.tally.entry, row.tied, row.decided_by, row.level_with) for row in rows] == [
        (1, 2, False, None, ()),
        (2, 4, False, None, ()),
        (3, 3, False, None, ()),
        (4, 1, False, None, ()),
    ]


def test_within_a_stage_the_score_and_the_tie_breaks_rank() -> None:
    entrants = [Entrant(number=number, stage=1) for number in (1, 2, 3)] + [Entrant(number=4)]
    played = [match(1, 1, (1, 0), 4), match(1, 2, (3, 0), 3)]

    rows = rank_entries(entrants, played, scheme=Scheme(tiebreaks=(TiebreakCode.COURTS_DIFFERENCE,)))

    assert [(row.rank, row.tally.entry, row.level_with) for row in rows] == [
        (1, 2, (1,)),
        (2, 1, (2,)),
        (3, 3, ()),
        (4, 4, ()),
    ]
