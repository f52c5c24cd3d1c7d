"""What holds of every standings, and a second, naive computation of the same."""

from dataclasses import replace
from itertools import pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.ranking import Row, rank_entries
from scoring.domain.results import MatchResult, Scheme, TiebreakCode
from tests.scoring_domain.builders import Tournament, schemes, swiss, tournaments
from tests.scoring_domain.naive import naive_ranks, naive_value


@given(tournaments(), schemes(), st.randoms(use_true_random=False))
def test_the_order_of_the_input_changes_nothing(
    tournament: Tournament, scheme: Scheme, chance: Random
) -> None:
    entrants, played, byes = tournament
    turned = [replace(one, sides=(one.sides[1], one.sides[0])) for one in played]

    shuffled = rank_entries(
        chance.sample(entrants, k=len(entrants)),
        chance.sample(turned, k=len(turned)),
        chance.sample(byes, k=len(byes)),
        scheme=scheme,
    )

    assert shuffled == rank_entries(entrants, played, byes, scheme=scheme)


@given(tournaments(), schemes())
def test_positions_are_unique_and_ranks_count_who_is_ahead(tournament: Tournament, scheme: Scheme) -> None:
    entrants, played, byes = tournament

    rows = rank_entries(entrants, played, byes, scheme=scheme)

    assert [row.position for row in rows] == list(range(1, len(entrants) + 1))
    assert sorted(row.tally.entry for row in rows) == [entrant.number for entrant in entrants]
    for row in rows:
        sharing = [other for other in rows if other.rank == row.rank]
        assert row.rank == min(other.position for other in sharing)
        assert row.tied == (len(sharing) > 1)


@given(tournaments(), schemes())
def test_the_score_falls_and_within_it_the_first_value_that_differs_decides(
    tournament: Tournament, scheme: Scheme
) -> None:
    entrants, played, byes = tournament

    rows = rank_entries(entrants, played, byes, scheme=scheme)

    for better, worse in pairwise(rows):
        assert (better.tally.stage, better.tally.score) >= (worse.tally.stage, worse.tally.score)
        if (better.tally.stage, better.tally.score) > (
            worse.tally.stage,
            worse.tally.score,
        ) or TiebreakCode.HEAD_TO_HEAD in scheme.tiebreaks:
            continue
        assert keys(better) >= keys(worse)
        assert (keys(better) == keys(worse)) == (better.rank == worse.rank)


def keys(row: Row) -> list[tuple[bool, object]]:
    return [(working.value is not None, working.value or 0) for working in row.workings]


@given(tournaments(), schemes())
def test_lines_add_up_to_the_value_and_decided_by_is_one_of_the_scheme(
    tournament: Tournament, scheme: Scheme
) -> None:
    entrants, played, byes = tournament

    rows = rank_entries(entrants, played, byes, scheme=scheme)

    for row in rows:
        assert row.decided_by is None or row.decided_by in scheme.tiebreaks
        assert row.decided_by is None or row.level_with
        for working in row.workings:
            first = [line.amount for line in working.lines if not line.again and line.cut is None]
            assert working.value is None or not working.lines or sum(first) == working.value


@given(tournaments(), schemes())
def test_a_second_naive_computation_gives_the_same_ranks(tournament: Tournament, scheme: Scheme) -> None:
    entrants, played, byes = tournament

    rows = rank_entries(entrants, played, byes, scheme=scheme)

    assert {row.tally.entry: row.rank for row in rows} == naive_ranks(tournament, scheme)


@given(tournaments(), schemes())
def test_a_second_naive_computation_gives_the_same_value_of_every_tie_break(
    tournament: Tournament, scheme: Scheme
) -> None:
    entrants, played, byes = tournament
    codes = tuple(code for code in TiebreakCode if code is not TiebreakCode.HEAD_TO_HEAD)

    rows = rank_entries(entrants, played, byes, scheme=replace(scheme, tiebreaks=codes))

    for row in rows:
        values = {code: working.value for code, working in zip(codes, row.workings, strict=True)}
        assert values == {code: naive_value(code, row.tally.entry, tournament, scheme) for code in codes}


@given(tournaments(), schemes(), st.integers(1, 50))
def test_other_entry_numbers_in_the_same_order_give_the_same_standings(
    tournament: Tournament, scheme: Scheme, step: int
) -> None:
    entrants, played, byes = tournament
    scheme = replace(scheme, lot_seed=None)
    renamed = {entrant.number: entrant.number * step + 7 for entrant in entrants}

    rows = rank_entries(*renumbered(tournament, renamed), scheme=scheme)

    before = rank_entries(entrants, played, byes, scheme=scheme)
    assert [outline(row) for row in rows] == [(renamed[row.tally.entry], *outline(row)[1:]) for row in before]


def renumbered(tournament: Tournament, renamed: dict[int, int]) -> Tournament:
    entrants, played, byes = tournament
    return (
        [replace(entrant, number=renamed[entrant.number]) for entrant in entrants],
        [with_numbers(one, renamed) for one in played],
        [
            replace(one, entry=renamed[one.entry], opponent=renamed[one.opponent] if one.opponent else None)
            for one in byes
        ],
    )


def with_numbers(one: MatchResult, renamed: dict[int, int]) -> MatchResult:
    first, second = one.sides
    return replace(
        one, sides=(replace(first, entry=renamed[first.entry]), replace(second, entry=renamed[second.entry]))
    )


def outline(row: Row) -> tuple[object, ...]:
    values = [working.value for working in row.workings]
    return (row.tally.entry, row.position, row.rank, row.tied, row.tally.score, values, row.decided_by)


@given(swiss(), schemes(), st.data())
def test_a_penalty_that_is_taken_back_leaves_nothing_behind(
    tournament: Tournament, scheme: Scheme, data: st.DataObject
) -> None:
    entrants, played, byes = tournament
    punished = data.draw(st.sampled_from(entrants))
    applied = [replace(one, penalty=one.penalty + 3) if one is punished else one for one in entrants]
    taken_back = [
        replace(one, penalty=one.penalty - 3) if one.number == punished.number else one for one in applied
    ]

    rows = rank_entries(taken_back, played, byes, scheme=scheme)

    assert rows == rank_entries(entrants, played, byes, scheme=scheme)


@given(swiss(), schemes(), st.data())
def test_a_penalty_changes_no_tie_break_of_anybody(
    tournament: Tournament, scheme: Scheme, data: st.DataObject
) -> None:
    """But head-to-head, which is about who is level."""
    entrants, played, byes = tournament
    scheme = replace(
        scheme, tiebreaks=tuple(code for code in scheme.tiebreaks if code is not TiebreakCode.HEAD_TO_HEAD)
    )
    punished = data.draw(st.sampled_from(entrants))
    applied = [replace(one, penalty=one.penalty + 3) if one is punished else one for one in entrants]

    rows = rank_entries(applied, played, byes, scheme=scheme)

    before = {row.tally.entry: row.workings for row in rank_entries(entrants, played, byes, scheme=scheme)}
    assert {row.tally.entry: row.workings for row in rows} == before
