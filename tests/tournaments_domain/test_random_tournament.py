"""Tournaments that nobody played: repeatable, and with everything in them that may happen."""

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from scoring.domain.ranking import rank_entries
from scoring.domain.results import ByeKind, Entrant
from tournaments.domain.pairing import Draw, Field, PairingError
from tournaments.domain.random_tournament import PlayedRound, TournamentHabits, play_swiss, random_habits

PLAIN = TournamentHabits(entries=8, rounds=4)
BUSY = TournamentHabits(
    entries=30,
    rounds=6,
    late=0.2,
    withdrawals=0.05,
    requested=0.05,
    absences=0.05,
    forfeits=0.1,
    corrections=0.9,
    forbidden=3,
    forced=0.5,
)


def played(habits: TournamentHabits, seed: int = 1) -> tuple[PlayedRound, ...]:
    return tuple(play_swiss(Random(seed), habits))


def test_the_same_seed_gives_the_same_tournament() -> None:
    assert played(BUSY) == played(BUSY)
    assert played(BUSY) != played(BUSY, seed=2)


def test_in_a_plain_one_everybody_plays_every_round() -> None:
    rounds = played(PLAIN)

    assert [one.number for one in rounds] == [1, 2, 3, 4]
    for one in rounds:
        seats = [side.entry for match in one.matches for side in match.sides]
        assert sorted(seats) == list(range(1, 9))
        assert (one.byes, one.corrected, one.refused) == ((), (), None)
        assert all(sum(side.deals_won for side in match.sides) == PLAIN.deals for match in one.matches)


def test_in_a_busy_one_everything_happens() -> None:
    rounds = played(BUSY)

    kinds = Counter(bye.kind for one in rounds for bye in one.byes)
    assert set(kinds) == set(ByeKind)
    assert kinds[ByeKind.FORFEIT_WIN] == kinds[ByeKind.FORFEIT_LOSS]
    assert any(one.corrected for one in rounds)
    assert any(one.field.forced for one in rounds)
    assert len(rounds[0].field.forbidden) == 3
    assert any(row.tally.withdrawn for row in rounds[-1].rows)


def test_the_standings_before_a_round_are_of_the_results_as_they_were_corrected() -> None:
    *before, last = played(BUSY)
    results = {
        (match.round, match.sides[0].entry): match
        for one in before
        for match in (*one.matches, *one.corrected)
    }
    late = [bye for bye in last.byes if bye.kind is ByeKind.LATE]
    byes = [*(bye for one in before for bye in one.byes), *late]
    entrants = [Entrant(number=row.tally.entry, withdrawn=row.tally.withdrawn) for row in last.rows]

    assert last.rows == rank_entries(entrants, results.values(), byes, scheme=BUSY.scheme)


def test_the_stronger_win_more_often_the_wider_the_spread() -> None:
    even = [row.tally.deals_won for row in played(replace(PLAIN, spread=0.0, draws=0.0))[-1].rows]
    wide = [row.tally.deals_won for row in played(replace(PLAIN, spread=1.0, draws=0.0))[-1].rows]

    assert max(even) - min(even) < max(wide) - min(wide)


def test_wishes_that_leave_no_draw_are_dropped_and_the_refused_field_kept() -> None:
    rounds = played(TournamentHabits(entries=2, rounds=1, forbidden=1))

    assert rounds[0].field.forbidden == ()
    assert rounds[0].refused is not None
    assert len(rounds[0].draw.pairings) == 1


def test_what_cannot_be_drawn_without_any_wish_is_not_hidden() -> None:
    def never(field: Field) -> Draw:
        raise PairingError("never")

    with pytest.raises(PairingError):
        next(play_swiss(Random(1), PLAIN, draw=never))


def test_it_ends_when_too_few_are_left() -> None:
    assert played(replace(PLAIN, withdrawals=1.0))[-1].number == 1
    assert played(TournamentHabits(entries=1)) == ()


def test_random_habits_keep_to_the_size_asked_for() -> None:
    sizes = {random_habits(Random(seed), fewest=4, most=6).entries for seed in range(50)}

    assert sizes == {4, 5, 6}
