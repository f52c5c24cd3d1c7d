"""500 tournaments in which anything may happen, every draw of them checked."""

import pytest

from tournaments.domain.random_checks import check_tournament

CHUNK = 25


@pytest.mark.parametrize("chunk", range(20))
def test_no_draw_of_a_random_tournament_could_be_better(chunk: int) -> None:
    seeds = range(chunk * CHUNK, (chunk + 1) * CHUNK)

    rounds = [one for seed in seeds for one in check_tournament(seed)]

    assert [one for one in rounds if not one.is_right or one.unproven] == []
