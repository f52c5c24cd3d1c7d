"""500 tournaments in which anything may happen, every draw of them checked."""

from random import Random

import pytest

from tournaments.domain.pairing_checker import Violation, can_be_drawn, examine_draw
from tournaments.domain.random_tournament import play_swiss, random_habits

CHUNK = 25


@pytest.mark.parametrize("chunk", range(20))
def test_no_draw_of_a_random_tournament_could_be_better(chunk: int) -> None:
    wrong: list[tuple[int, int, Violation]] = []
    unproven: list[tuple[int, int]] = []
    refused_without_cause: list[tuple[int, int]] = []
    for seed in range(chunk * CHUNK, (chunk + 1) * CHUNK):
        rng = Random(seed)

        for played in play_swiss(rng, random_habits(rng)):
            examined = examine_draw(played.field, played.draw)

            wrong += [(seed, played.number, violation) for violation in examined.violations]
            unproven += [(seed, played.number) for _ in examined.unproven]
            if played.refused is not None and can_be_drawn(played.refused):
                refused_without_cause.append((seed, played.number))

    assert (wrong, unproven, refused_without_cause) == ([], [], [])
