"""Whose results count after somebody has left a round robin."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.ranking import rank_entries
from scoring.domain.results import ByeKind, Entrant, Scheme, TiebreakCode
from scoring.domain.withdrawals import counting_results
from tests.scoring_domain.builders import Tournament, bye, entries, match, swiss

LEFT = Entrant(number=4, withdrawn=True)
EVERYBODY_THREE = dict.fromkeys((1, 2, 3, 4), 3)


def test_who_left_with_under_half_of_its_matches_played_counts_for_nobody() -> None:
    against = match(1, 1, (2, 0), 4)
    between = match(1, 2, (1, 0), 3)

    counting = counting_results((*entries(1, 2, 3), LEFT), [against, between], scheduled=EVERYBODY_THREE)

    assert counting.matches == (between,)
    assert counting.removed == (4,)


def test_who_left_with_half_of_its_matches_played_counts() -> None:
    played = [match(1, 1, (2, 0), 4), match(2, 2, (1, 0), 4)]

    counting = counting_results((*entries(1, 2), LEFT), played, scheduled=dict.fromkeys((1, 2, 4), 4))

    assert counting.matches == tuple(played)
    assert counting.removed == ()


def test_who_did_not_leave_counts_however_few_it_played() -> None:
    counting = counting_results(entries(1, 2), [match(1, 1, (1, 0), 2)], scheduled={1: 9, 2: 9})

    assert counting.removed == ()


def test_what_was_given_away_by_who_left_counts_for_nobody_and_is_no_match_played() -> None:
    """4 played one of three; two that it would have met got the match, which they now lose again."""
    byes = [
        bye(2, 2, ByeKind.FORFEIT_WIN, 4),
        bye(2, 4, ByeKind.FORFEIT_LOSS, 2),
        bye(2, 3, ByeKind.PAIRING),
    ]

    counting = counting_results(
        (*entries(1, 2, 3), LEFT), [match(1, 1, (1, 0), 4)], byes, scheduled=EVERYBODY_THREE
    )

    assert (counting.matches, counting.byes) == ((), (byes[2],))


def test_a_format_that_removes_nothing_schedules_nothing() -> None:
    played = [match(1, 1, (2, 0), 4)]

    counting = counting_results((*entries(1), LEFT), played, scheduled={})

    assert (counting.entrants, counting.matches, counting.removed) == ((*entries(1), LEFT), tuple(played), ())


def test_who_was_removed_stands_behind_who_lost_everything() -> None:
    """3 lost both matches by far; 4, who has nothing, would stand before it by the difference of courts."""
    played = [match(1, 1, (9, 0), 3), match(2, 2, (9, 0), 3), match(3, 1, (1, 0), 4)]
    counting = counting_results((*entries(1, 2, 3), LEFT), played, scheduled=EVERYBODY_THREE)

    rows = rank_entries(
        counting.entrants,
        counting.matches,
        counting.byes,
        scheme=Scheme(tiebreaks=(TiebreakCode.COURTS_DIFFERENCE,)),
    )

    assert [(row.rank, row.tally.entry) for row in rows] == [(1, 1), (1, 2), (3, 3), (4, 4)]


def test_who_was_thrown_out_stands_behind_who_was_removed() -> None:
    thrown_out = Entrant(number=5, stage=-1_000, withdrawn=True)

    counting = counting_results((*entries(1), LEFT, thrown_out), [], scheduled={1: 2, 4: 2, 5: 2})

    assert [row.tally.entry for row in rank_entries(counting.entrants, (), scheme=Scheme())] == [1, 4, 5]


@pytest.mark.parametrize(("played", "removed"), [(0, True), (1, True), (2, False), (3, False)])
def test_half_is_counted_exactly(played: int, removed: bool) -> None:
    matches = [match(number, number, (0, 0), 4) for number in range(1, played + 1)]

    counting = counting_results((*entries(1, 2, 3), LEFT), matches, scheduled=EVERYBODY_THREE)

    assert (counting.removed == (4,)) == removed


@given(swiss(), st.integers(0, 6))
def test_results_count_or_name_somebody_who_was_removed(tournament: Tournament, scheduled: int) -> None:
    entrants, played, byes = tournament

    counting = counting_results(
        entrants, played, byes, scheduled={entrant.number: scheduled for entrant in entrants}
    )

    removed = set(counting.removed)
    assert [one for one in played if one not in counting.matches] == [
        one for one in played if removed & {side.entry for side in one.sides}
    ]
    assert [one for one in byes if one not in counting.byes] == [
        one for one in byes if removed & {one.entry, one.opponent}
    ]
    assert removed <= {entrant.number for entrant in entrants if entrant.withdrawn}
