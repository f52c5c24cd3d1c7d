"""What results come to for the next draw."""

import pytest

from scoring.domain.ranking import rank_entries
from scoring.domain.results import Bye, ByeKind, Entrant, MatchResult, Ranking, Scheme, Side, TiebreakCode
from tournaments.domain.pairing import Contestant, Float, PairingError
from tournaments.domain.swiss import contestants

DOWN, UP, NONE = Float.DOWN, Float.UP, Float.NONE


def match(number: int, first: int, courts: tuple[int, int], second: int) -> MatchResult:
    return MatchResult(
        round=number, sides=(Side(entry=first, courts=courts[0]), Side(entry=second, courts=courts[1]))
    )


def before_round(
    number: int,
    entries: int,
    matches: list[MatchResult],
    byes: list[Bye] | None = None,
    *,
    scheme: Scheme | None = None,
    seeds: dict[int, int] | None = None,
    penalties: dict[int, int] | None = None,
) -> tuple[Contestant, ...]:
    entrants = [
        Entrant(number=entry, penalty=(penalties or {}).get(entry, 0)) for entry in range(1, entries + 1)
    ]
    scheme = scheme or Scheme()
    rows = rank_entries(entrants, matches, byes or [], scheme=scheme)
    by_number = {entry: entry for entry in range(1, entries + 1)}
    return contestants(rows, seeds=seeds or by_number, number=number, scheme=scheme)


def test_before_the_first_round_the_seeds_make_the_ranks_and_no_lot() -> None:
    lots = Scheme(tiebreaks=(TiebreakCode.DRAW_OF_LOTS,), lot_seed=7)

    field = before_round(1, 3, [], scheme=lots, seeds={1: 3, 2: 1, 3: 2})

    assert field == (
        Contestant(number=2, rank=1, byes={}),
        Contestant(number=3, rank=2, byes={}),
        Contestant(number=1, rank=3, byes={}),
    )


def test_later_the_standings_make_the_ranks_and_seeds_part_those_who_share_one() -> None:
    played = [match(1, 1, (0, 1), 4), match(1, 2, (0, 1), 3)]

    field = before_round(2, 4, played, seeds={1: 2, 2: 1, 3: 4, 4: 3})

    assert field == (
        Contestant(number=4, rank=1, score=2, opponents=(1,), rounds=(1,), byes={}, floats=(NONE,)),
        Contestant(number=3, rank=2, score=2, opponents=(2,), rounds=(1,), byes={}, floats=(NONE,)),
        Contestant(number=2, rank=3, score=0, opponents=(3,), rounds=(1,), byes={}, floats=(NONE,)),
        Contestant(number=1, rank=4, score=0, opponents=(4,), rounds=(1,), byes={}, floats=(NONE,)),
    )


def test_who_does_not_play_keeps_its_rank_and_stays_out() -> None:
    played = [match(1, 1, (1, 0), 2), match(1, 3, (0, 0), 4)]

    field = before_round(2, 4, played, seeds={2: 2, 4: 4, 1: 1})

    assert [(one.number, one.rank, one.opponents) for one in field] == [
        (1, 1, (2,)),
        (4, 3, (3,)),
        (2, 4, (1,)),
    ]


def test_the_higher_floats_down_and_the_lower_up_by_the_scores_before_the_round() -> None:
    played = [match(1, 1, (1, 0), 2), match(1, 3, (1, 0), 4), match(2, 1, (0, 1), 4), match(2, 3, (0, 1), 2)]

    field = before_round(3, 4, played)

    assert {one.number: one.floats for one in field} == {
        1: (NONE, DOWN),
        2: (NONE, UP),
        3: (NONE, DOWN),
        4: (NONE, UP),
    }


def test_by_courts_floats_go_by_courts_and_penalties_count_from_the_start() -> None:
    played = [match(1, 1, (3, 0), 2), match(1, 3, (3, 0), 4), match(2, 1, (0, 1), 3)]

    field = before_round(3, 4, played, scheme=Scheme(ranking=Ranking.COURTS), penalties={3: 1})

    assert {one.number: (one.score, one.floats) for one in field} == {
        1: (3, (NONE, DOWN)),
        2: (0, (NONE, NONE)),
        3: (3, (UP, UP)),
        4: (0, (DOWN, NONE)),
    }


@pytest.mark.parametrize(
    ("kind", "floated"),
    [
        (ByeKind.PAIRING, DOWN),
        (ByeKind.FORFEIT_WIN, DOWN),
        (ByeKind.REQUESTED, DOWN),
        (ByeKind.ABSENT, NONE),
        (ByeKind.LATE, NONE),
        (ByeKind.FORFEIT_LOSS, NONE),
    ],
)
def test_a_round_off_worth_more_than_a_loss_is_a_float_down(kind: ByeKind, floated: Float) -> None:
    field = before_round(2, 3, [match(1, 1, (1, 0), 2)], [Bye(round=1, entry=3, kind=kind)])

    third = next(one for one in field if one.number == 3)
    assert (third.byes, third.floats, third.opponents) == ({1: kind}, (floated,), ())


def test_a_match_given_away_does_not_count_as_met() -> None:
    byes = [
        Bye(round=1, entry=1, kind=ByeKind.FORFEIT_WIN, opponent=2),
        Bye(round=1, entry=2, kind=ByeKind.FORFEIT_LOSS, opponent=1),
    ]

    field = before_round(2, 2, [], byes)

    assert [(one.number, one.score, one.opponents) for one in field] == [(1, 2, ()), (2, 0, ())]


def test_a_late_entry_ranks_by_its_score() -> None:
    played = [match(1, 1, (1, 0), 2), match(2, 1, (0, 0), 2)]
    late = [Bye(round=number, entry=3, kind=ByeKind.LATE) for number in (1, 2)]

    field = before_round(3, 3, played, late)

    assert [(one.number, one.score) for one in field] == [(1, 3), (2, 1), (3, 0)]


def test_who_met_twice_is_there_twice_with_the_rounds() -> None:
    field = before_round(4, 2, [match(1, 1, (1, 0), 2), match(3, 2, (1, 0), 1)])

    assert (field[0].opponents, field[0].rounds, len(field[0].floats)) == ((2, 2), (1, 3), 3)


def test_an_entry_that_is_not_in_the_standings_is_named() -> None:
    with pytest.raises(PairingError) as refused:
        before_round(1, 2, [], seeds={1: 1, 3: 2})

    assert refused.value.entries == (3,)
