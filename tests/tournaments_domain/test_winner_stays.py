"""Winner stays: who sits down next, and that nobody is forgotten."""

from collections import Counter
from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments_domain.playing import start
from tournaments.domain.drawing import draw_round, what_next
from tournaments.domain.plans import WinnerStaysPlan
from tournaments.domain.state import Participant, PlayedMatch, PlayedRound
from tournaments.domain.steps import NextStep
from tournaments.domain.winner_stays import Sitting, TableMatch, next_sittings, waiting

ONE_TABLE = WinnerStaysPlan(tables=1)
TWO_TABLES = WinnerStaysPlan(tables=2)


def queue(entries: int) -> tuple[Participant, ...]:
    return start(entries).entries


def ended(matches: list[TableMatch], winner: int | None) -> list[TableMatch]:
    """Return the matches with the open one that the winner is in, or the last, ended."""
    place = max((match.ended or 0 for match in matches), default=0) + 1
    at = next(
        index
        for index, match in enumerate(matches)
        if match.ended is None and (winner is None or winner in match.entries)
    )
    return [*matches[:at], replace(matches[at], winner=winner, ended=place), *matches[at + 1 :]]


def seated(matches: list[TableMatch], sittings: tuple[Sitting, ...]) -> list[TableMatch]:
    return [*matches, *(TableMatch(table=one.table, ns=one.ns, ew=one.ew) for one in sittings)]


def test_five_pairs_at_one_table_take_the_losers_seats_one_after_the_other() -> None:
    matches: list[TableMatch] = []
    evening = []
    for winner in (1, 3, 3, 5, 2, 2):
        sittings = next_sittings(ONE_TABLE, queue(5), matches)
        evening.append([(one.ns, one.ew) for one in sittings])
        matches = ended(seated(matches, sittings), winner)

    assert evening == [[(1, 2)], [(1, 3)], [(4, 3)], [(5, 3)], [(5, 2)], [(1, 2)]]


def test_at_two_tables_the_first_four_sit_down_and_the_fifth_waits() -> None:
    sittings = next_sittings(TWO_TABLES, queue(5), [])

    assert sittings == (Sitting(table=1, ns=1, ew=2), Sitting(table=2, ns=3, ew=4))


def test_the_loser_joins_the_end_of_the_queue_behind_those_of_both_tables() -> None:
    matches = seated([], next_sittings(TWO_TABLES, queue(6), []))
    matches = ended(ended(matches, 4), 1)

    sittings = next_sittings(TWO_TABLES, queue(6), matches)

    assert sittings == (Sitting(table=1, ns=1, ew=6, holder=1), Sitting(table=2, ns=5, ew=4, holder=4))
    assert waiting(queue(6), seated(matches, sittings)).queue == (3, 2)


def test_where_nobody_won_both_leave_and_who_held_the_table_goes_first() -> None:
    matches = ended(seated([], next_sittings(ONE_TABLE, queue(5), [])), 2)
    matches = ended(seated(matches, next_sittings(ONE_TABLE, queue(5), matches)), None)

    sittings = next_sittings(ONE_TABLE, queue(5), matches)

    assert [(one.ns, one.ew, one.holder) for one in sittings] == [(4, 5, None)]
    assert waiting(queue(5), seated(matches, sittings)).queue == (1, 2, 3)


def test_a_pair_that_comes_late_joins_the_end_of_the_queue_as_it_was_then() -> None:
    matches = ended(seated([], next_sittings(ONE_TABLE, queue(3), [])), 1)
    late = Participant(number=4, seed=4, joined_round=2)

    assert waiting((*queue(3), late), matches).queue == (3, 2, 4)


def test_a_pair_that_leaves_is_called_no_more_even_if_it_held_the_table() -> None:
    matches = ended(seated([], next_sittings(ONE_TABLE, queue(4), [])), 1)
    entries = [replace(entry, active=entry.number not in {1, 3}) for entry in queue(4)]

    sittings = next_sittings(ONE_TABLE, entries, matches)

    assert sittings == (Sitting(table=1, ns=4, ew=2),)


def test_two_winners_for_whom_nobody_is_left_meet_where_the_longer_wait_was() -> None:
    matches = ended(ended(seated([], next_sittings(TWO_TABLES, queue(4), [])), 3), 1)
    entries = [replace(entry, active=entry.number in {1, 3}) for entry in queue(4)]

    sittings = next_sittings(TWO_TABLES, entries, matches)

    assert sittings == (Sitting(table=2, ns=3, ew=1, holder=3),)


def test_the_evening_is_over_when_its_time_is_and_the_last_match_has_ended() -> None:
    state = start(3)
    draw = draw_round(ONE_TABLE, state)
    match = PlayedMatch(table="1", first=1, second=2)
    playing = replace(state, rounds=(PlayedRound(number=1, matches=(match,)),), time_over=True)
    level = replace(playing, rounds=(PlayedRound(number=1, matches=(replace(match, given_away_by=(1, 2)),)),))

    assert [(one.first, one.second, one.table, one.fixed_seats) for one in draw.pairings] == [(1, 2, 1, True)]
    assert what_next(ONE_TABLE, playing).step is NextStep.WAIT
    assert what_next(ONE_TABLE, level).step is NextStep.OVER


@given(st.integers(2, 12), st.integers(1, 4), st.integers(1, 60), st.randoms(use_true_random=False))
def test_nobody_sits_twice_and_nobody_is_forgotten(
    entries: int, tables: int, steps: int, rng: Random
) -> None:
    plan = WinnerStaysPlan(tables=tables)
    everybody = list(queue(entries))
    matches: list[TableMatch] = []
    played: Counter[int] = Counter()
    for _ in range(steps):
        sittings = next_sittings(plan, everybody, matches)
        matches = seated(matches, sittings)
        now = waiting(everybody, matches)
        playing = [entry for match in matches if match.ended is None for entry in match.entries]
        standing = [*now.queue, *(entry for _, entry in now.holders)]
        active = {entry.number for entry in everybody if entry.active}
        assert len(playing) == len(set(playing))
        assert len(standing) == len(set(standing))
        assert active <= set(playing) | set(standing)
        assert not next_sittings(plan, everybody, matches)
        running = [match for match in matches if match.ended is None]
        if not running:
            assert len(active) < 2
            return
        assert len(running) == len({match.table for match in running}) <= tables
        match = rng.choice(running)
        played.update(match.entries)
        matches = ended(matches, rng.choice(match.entries))
        if rng.random() < 0.05:
            leaving = rng.randrange(len(everybody))
            everybody[leaving] = replace(everybody[leaving], active=False)


@given(st.integers(3, 9), st.randoms(use_true_random=False))
def test_everybody_has_sat_down_once_all_before_have_lost(entries: int, rng: Random) -> None:
    matches: list[TableMatch] = []
    for _ in range(entries - 1):
        matches = seated(matches, next_sittings(ONE_TABLE, queue(entries), matches))
        matches = ended(matches, rng.choice(matches[-1].entries))

    assert {entry for match in matches for entry in match.entries} == set(range(1, entries + 1))
