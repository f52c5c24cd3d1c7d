"""500 tournaments in which anything may happen, and large ones, every draw of them checked."""

from random import Random

import pytest

from scoring.domain.results import Ranking, Scheme
from tournaments.domain.pairing_checker import Examination, examine_draw
from tournaments.domain.random_checks import check_tournament
from tournaments.domain.random_tournament import TournamentHabits, play_swiss

CHUNK = 25


@pytest.mark.parametrize("chunk", range(20))
def test_no_draw_of_a_random_tournament_could_be_better(chunk: int) -> None:
    seeds = range(chunk * CHUNK, (chunk + 1) * CHUNK)

    rounds = [one for seed in seeds for one in check_tournament(seed)]

    assert [one for one in rounds if not one.is_right or one.unproven] == []


def test_a_draw_whose_floats_were_once_traded_for_each_other_without_end_is_right() -> None:
    rounds = check_tournament(3972)

    assert [one for one in rounds if not one.is_right] == []


@pytest.mark.parametrize("ranking", [Ranking.MATCH_POINTS, Ranking.COURTS])
def test_no_draw_of_a_large_field_could_be_better_in_what_the_checker_proves(ranking: Ranking) -> None:
    habits = TournamentHabits(
        entries=121, rounds=4, draws=0.2, absences=0.02, withdrawals=0.01, scheme=Scheme(ranking=ranking)
    )

    examined = [examine_draw(played.field, played.draw) for played in play_swiss(Random(1), habits)]

    assert examined == [Examination(violations=())] * 4
