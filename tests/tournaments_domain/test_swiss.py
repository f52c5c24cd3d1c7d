"""Swiss draws for a person to read: who meets whom, and why."""

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.results import ByeKind
from tests.tournaments_domain.fields import contestant, field, newcomers, pairs, wish
from tournaments.domain.pairing import (
    Against,
    Alternative,
    ByeGiven,
    Contestant,
    Draw,
    Field,
    Float,
    Note,
    Pairing,
    PairingError,
)
from tournaments.domain.random_tournament import play_swiss, random_habits
from tournaments.domain.swiss import draw_swiss

DOWN, UP, NONE = Float.DOWN, Float.UP, Float.NONE


def test_in_the_first_round_the_top_half_meets_the_bottom_half_by_seed() -> None:
    draw = draw_swiss(field(1, *newcomers(6)))

    assert draw == Draw(
        number=1,
        pairings=(
            Pairing(first=1, second=4, notes=(Note.SAME_SCORE,)),
            Pairing(first=2, second=5, notes=(Note.SAME_SCORE,)),
            Pairing(first=3, second=6, notes=(Note.SAME_SCORE,)),
        ),
    )


def test_in_the_first_round_of_seven_the_last_has_the_bye() -> None:
    draw = draw_swiss(field(1, *newcomers(7)))

    assert pairs(draw) == [(1, 4), (2, 5), (3, 6)]
    assert draw.byes == (ByeGiven(entry=7, kind=ByeKind.PAIRING),)


def test_equal_scores_meet_and_say_so() -> None:
    draw = draw_swiss(
        field(
            2,
            contestant(1, 2, met=(3,)),
            contestant(2, 2, met=(4,)),
            contestant(3, 0, met=(1,)),
            contestant(4, 0, met=(2,)),
        )
    )

    assert [(pairing.scores, pairing.notes) for pairing in draw.pairings] == [
        ((2, 2), (Note.SAME_SCORE,)),
        ((0, 0), (Note.SAME_SCORE,)),
    ]


def test_who_has_met_does_not_meet_again_and_the_pairing_says_whom_it_would_rather_have_been() -> None:
    draw = draw_swiss(
        field(
            3,
            contestant(1, 4, met=(9, 3)),
            contestant(2, 4),
            contestant(3, 4, met=(9, 1)),
            contestant(4, 4),
        )
    )

    assert draw.pairings[0] == Pairing(
        first=1,
        second=4,
        notes=(Note.SAME_SCORE,),
        scores=(4, 4),
        alternatives=(Alternative(entry=3, against=Against.MET, rounds=(2,)),),
    )


def test_an_odd_group_floats_its_last_down_to_the_first_of_the_next() -> None:
    draw = draw_swiss(
        field(
            2, *(contestant(number, 2) for number in (1, 2, 3)), *(contestant(number) for number in (4, 5, 6))
        )
    )

    assert pairs(draw) == [(1, 2), (3, 4), (5, 6)]
    assert [pairing.notes for pairing in draw.pairings] == [
        (Note.SAME_SCORE,),
        (Note.FLOATED,),
        (Note.SAME_SCORE,),
    ]


def test_a_group_that_has_met_within_itself_floats_as_a_whole_and_its_higher_meets_the_higher() -> None:
    draw = draw_swiss(
        field(
            3,
            contestant(1, 4, met=(2,)),
            contestant(2, 4, met=(1,)),
            contestant(3, 2),
            contestant(4, 2),
        )
    )

    assert pairs(draw) == [(1, 3), (2, 4)]
    assert [pairing.notes for pairing in draw.pairings] == [(Note.FLOATED,)] * 2
    assert draw.pairings[0].alternatives[0] == Alternative(entry=2, against=Against.MET, rounds=(1,))


def test_a_smaller_difference_at_the_top_is_worth_a_greater_one_below() -> None:
    draw = draw_swiss(
        field(
            4,
            contestant(1, 6),
            contestant(2, 5, met=(3,)),
            contestant(3, 4, met=(2,)),
            contestant(4, 0),
        )
    )

    assert pairs(draw) == [(1, 2), (3, 4)]


def test_the_top_gives_way_where_those_below_could_not_be_paired_without_a_rematch() -> None:
    draw = draw_swiss(
        field(
            4,
            contestant(1, 6),
            contestant(2, 5),
            contestant(3, 4, met=(4,)),
            contestant(4, 0, met=(3,)),
        )
    )

    assert pairs(draw) == [(1, 3), (2, 4)]
    assert draw.pairings[0].alternatives == (Alternative(entry=2, against=Against.COSTS_MORE),)


def test_in_the_fourth_round_of_four_a_rematch_cannot_be_avoided_and_is_noted() -> None:
    draw = draw_swiss(
        field(
            4,
            contestant(1, 6, met=(2, 3, 4)),
            contestant(2, 4, met=(1, 4, 3)),
            contestant(3, 2, met=(4, 1, 2)),
            contestant(4, 0, met=(3, 2, 1)),
        )
    )

    assert pairs(draw) == [(1, 2), (3, 4)]
    assert [pairing.notes for pairing in draw.pairings] == [(Note.FLOATED, Note.REMATCH)] * 2


def test_where_some_must_meet_again_it_is_as_few_as_can_be() -> None:
    everybody = {1, 2, 3, 4, 5, 6}
    met = {number: everybody - {number} for number in everybody}
    for first, second in ((1, 4), (2, 6)):
        met[first] -= {second}
        met[second] -= {first}

    draw = draw_swiss(field(6, *(contestant(number, met=tuple(met[number])) for number in everybody)))

    assert [pair.second for pair in draw.pairings if Note.REMATCH not in pair.notes] == [4, 6]


def test_a_second_match_is_drawn_before_a_third() -> None:
    draw = draw_swiss(
        field(
            5,
            contestant(1, 6, met=(2, 3, 4, 2)),
            contestant(2, 4, met=(1, 4, 3, 1)),
            contestant(3, 2, met=(4, 1, 2, 4)),
            contestant(4, 0, met=(3, 2, 1, 3)),
        )
    )

    assert pairs(draw) == [(1, 3), (2, 4)]


def test_the_bye_goes_round_until_everybody_had_one() -> None:
    habits = replace(random_habits(Random(1)), entries=5, rounds=5, late=0.0, withdrawals=0.0)
    habits = replace(habits, requested=0.0, absences=0.0, forfeits=0.0, forced=0.0, forbidden=0)

    byes = [bye.entry for played in play_swiss(Random(1), habits) for bye in played.draw.byes]

    assert sorted(byes) == [1, 2, 3, 4, 5]


def test_the_bye_goes_to_the_last_who_had_none_and_says_why_not_lower() -> None:
    had = {1: ByeKind.PAIRING}
    given_away = {2: ByeKind.FORFEIT_WIN}

    draw = draw_swiss(field(3, *newcomers(3), contestant(4, byes=given_away), contestant(5, byes=had)))

    assert draw.byes == (
        ByeGiven(
            entry=3,
            kind=ByeKind.PAIRING,
            alternatives=(
                Alternative(entry=5, against=Against.HAD_BYE),
                Alternative(entry=4, against=Against.HAD_BYE),
            ),
        ),
    )


@pytest.mark.parametrize("kind", [ByeKind.REQUESTED, ByeKind.ABSENT, ByeKind.LATE, ByeKind.FORFEIT_LOSS])
def test_a_round_off_that_was_no_win_does_not_count_as_a_bye(kind: ByeKind) -> None:
    draw = draw_swiss(field(2, *newcomers(2), contestant(3, byes={1: kind})))

    assert [bye.entry for bye in draw.byes] == [3]


def test_a_rematch_is_drawn_rather_than_a_second_bye_before_all_had_one() -> None:
    had = {1: ByeKind.PAIRING}

    draw = draw_swiss(
        field(3, contestant(1, 4), contestant(2, 4, met=(3,), byes=had), contestant(3, 2, met=(2,), byes=had))
    )

    assert [bye.entry for bye in draw.byes] == [1]
    assert draw.pairings[0].notes == (Note.FLOATED, Note.REMATCH)


def test_forbidden_pairs_never_meet_even_if_others_must_meet_again() -> None:
    draw = draw_swiss(
        field(
            4,
            contestant(1, 6, met=(3, 4)),
            contestant(2, 4, met=(3, 4)),
            contestant(3, 2, met=(1, 2)),
            contestant(4, 0, met=(1, 2)),
            forbidden=(wish(2, 1),),
        )
    )

    assert pairs(draw) == [(1, 3), (2, 4)]
    assert draw.pairings[0].alternatives == (Alternative(entry=2, against=Against.FORBIDDEN),)


def test_forced_pairs_meet_with_the_reason_and_others_see_them_taken() -> None:
    draw = draw_swiss(field(1, *newcomers(6), forced=(wish(5, 1, "for the guests"),)))

    assert draw.pairings[0] == Pairing(
        first=1, second=5, notes=(Note.SAME_SCORE, Note.FORCED), reason="for the guests"
    )
    assert draw.pairings[1].alternatives == (Alternative(entry=5, against=Against.FORCED_ELSEWHERE),)


def test_a_forced_pair_may_be_a_rematch_and_has_no_bye() -> None:
    draw = draw_swiss(
        field(2, contestant(1), contestant(2, met=(3,)), contestant(3, met=(2,)), forced=(wish(2, 3),))
    )

    assert draw.pairings[0].notes == (Note.SAME_SCORE, Note.FORCED, Note.REMATCH)
    assert draw.byes[0].alternatives == (
        Alternative(entry=3, against=Against.FORCED_ELSEWHERE),
        Alternative(entry=2, against=Against.FORCED_ELSEWHERE),
    )


def test_nobody_floats_the_same_way_twice_where_another_can() -> None:
    draw = draw_swiss(
        field(
            3,
            contestant(1, 4, floats=(NONE, NONE)),
            contestant(2, 4, floats=(NONE, NONE)),
            contestant(3, 4, floats=(NONE, DOWN)),
            contestant(4, 2, floats=(NONE, UP)),
            contestant(5, 2, floats=(NONE, NONE)),
            contestant(6, 2, floats=(NONE, NONE)),
        )
    )

    assert pairs(draw) == [(1, 3), (2, 5), (4, 6)]


def test_a_float_that_cannot_be_helped_is_noted_and_one_of_an_earlier_round_is_forgotten() -> None:
    again = draw_swiss(field(3, contestant(1, 4, floats=(NONE, DOWN)), contestant(2, 2)))
    long_ago = draw_swiss(field(3, contestant(1, 4, floats=(DOWN, NONE)), contestant(2, 2, floats=(UP,))))

    assert again.pairings[0].notes == (Note.FLOATED, Note.FLOATED_AGAIN)
    assert long_ago.pairings[0].notes == (Note.FLOATED,)


def test_scores_may_be_fractions_and_negative() -> None:
    draw = draw_swiss(
        field(
            2,
            contestant(1, Fraction(5, 2)),
            contestant(2, Fraction(7, 3)),
            contestant(3, Fraction(1, 2)),
            contestant(4, -1),
        )
    )

    assert [pairing.scores for pairing in draw.pairings] == [
        (Fraction(5, 2), Fraction(7, 3)),
        (Fraction(1, 2), -1),
    ]


def test_who_is_away_is_passed_on() -> None:
    away = (ByeGiven(entry=9, kind=ByeKind.ABSENT), ByeGiven(entry=8, kind=ByeKind.REQUESTED))

    draw = draw_swiss(replace(field(1, *newcomers(2)), away=away))

    assert draw.byes == (away[1], away[0])


@pytest.mark.parametrize(
    ("broken", "entries"),
    [
        (field(1), ()),
        (field(1, *newcomers(1)), (1,)),
        (field(1, *newcomers(2), contestant(1)), (1,)),
        (field(1, contestant(1), replace(contestant(2), rank=1)), (1, 2)),
        (replace(field(1, *newcomers(2)), away=(ByeGiven(entry=2, kind=ByeKind.LATE),)), (2,)),
        (field(1, *newcomers(2), forced=(wish(1, 3),)), (3,)),
        (field(1, *newcomers(2), forced=(wish(1, 1),)), (1,)),
        (field(1, *newcomers(4), forced=(wish(1, 2), wish(3, 1))), (1,)),
        (field(1, *newcomers(4), forced=(wish(1, 2),), forbidden=(wish(2, 1),)), (1, 2)),
        (field(1, *newcomers(4), forbidden=(wish(1, 2), wish(1, 3), wish(1, 4))), (1,)),
        (field(1, *newcomers(2), forbidden=(wish(1, 2),)), (1, 2)),
        (field(1, *newcomers(4), forbidden=(wish(1, 2), wish(1, 3), wish(2, 3))), (1, 2, 3)),
    ],
)
def test_what_cannot_be_drawn_names_who_is_at_fault(broken: Field, entries: tuple[int, ...]) -> None:
    with pytest.raises(PairingError) as refused:
        draw_swiss(broken)

    assert refused.value.entries == entries


def test_three_that_only_one_other_may_meet_are_named() -> None:
    apart = (wish(1, 2), wish(1, 3), wish(2, 3), wish(1, 5), wish(2, 5), wish(3, 5), wish(6, 5))

    with pytest.raises(PairingError) as refused:
        draw_swiss(
            field(1, *newcomers(5), contestant(6), forbidden=(*apart, wish(1, 6), wish(2, 6), wish(3, 6)))
        )

    assert refused.value.entries == (1, 2, 3, 5, 6)


def test_wishes_about_those_who_are_not_there_keep_nobody_apart() -> None:
    draw = draw_swiss(field(1, *newcomers(2), forbidden=(wish(1, 7), wish(8, 9))))

    assert pairs(draw) == [(1, 2)]


@given(st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_the_same_field_gives_the_same_draw_whatever_the_order_of_its_parts(
    seed: int, chance: Random
) -> None:
    habits = replace(random_habits(Random(seed), most=20), rounds=3)
    *_, played = play_swiss(Random(seed), habits)
    shuffled = replace(
        played.field,
        contestants=mixed(played.field.contestants, chance),
        forbidden=tuple(chance.sample(played.field.forbidden, k=len(played.field.forbidden))),
        away=tuple(chance.sample(played.field.away, k=len(played.field.away))),
    )

    assert draw_swiss(shuffled) == played.draw


def mixed(contestants: tuple[Contestant, ...], chance: Random) -> tuple[Contestant, ...]:
    return tuple(chance.sample(contestants, k=len(contestants)))
