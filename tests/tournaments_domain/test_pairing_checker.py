"""The checker of draws against draws that are wrong, one for each thing that can be."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.results import ByeKind, Exact
from tests.tournaments_domain.fields import contestant, field, newcomers, wish
from tournaments.domain.pairing import Against, Alternative, ByeGiven, Draw, Field, Float, Note, Pairing
from tournaments.domain.pairing_checker import (
    Code,
    Examination,
    Violation,
    can_be_drawn,
    check_draw,
    examine_draw,
)
from tournaments.domain.random_tournament import play_swiss, random_habits

SAME, FLOATED, AGAIN, REMATCH = Note.SAME_SCORE, Note.FLOATED, Note.FLOATED_AGAIN, Note.REMATCH
BYE = ByeKind.PAIRING


def pair(
    first: int,
    second: int,
    *notes: Note,
    scores: tuple[Exact, Exact] = (0, 0),
    reason: str = "",
    alternatives: tuple[Alternative, ...] = (),
) -> Pairing:
    return Pairing(
        first=first,
        second=second,
        notes=notes or (SAME,),
        scores=scores,
        reason=reason,
        alternatives=alternatives,
    )


def drawn(number: int, *pairings: Pairing, bye: int | None = None) -> Draw:
    byes = () if bye is None else (ByeGiven(entry=bye, kind=BYE),)
    return Draw(number=number, pairings=pairings, byes=byes)


SIX = field(1, *newcomers(6))
RIGHT = drawn(1, pair(1, 4), pair(2, 5), pair(3, 6))
THREE = field(1, *newcomers(3))
TWO_AND_TWO = field(2, contestant(1, 2), contestant(2, 2), contestant(3), contestant(4))
FLOATERS = field(
    2,
    contestant(1, 2, floats=(Float.NONE,)),
    contestant(2, 2, floats=(Float.NONE,)),
    contestant(3, 2, floats=(Float.DOWN,)),
    contestant(4, 0, floats=(Float.NONE,)),
)
MET = field(2, contestant(1, met=(2,)), contestant(2, met=(1,)), contestant(3), contestant(4))


@pytest.mark.parametrize(
    ("of", "draw"),
    [
        (SIX, RIGHT),
        (THREE, drawn(1, pair(1, 2), bye=3)),
        (TWO_AND_TWO, drawn(2, pair(1, 2, scores=(2, 2)), pair(3, 4))),
        (FLOATERS, drawn(2, pair(1, 3, scores=(2, 2)), pair(2, 4, FLOATED, scores=(2, 0)))),
        (field(2, contestant(1, met=(2,)), contestant(2, met=(1,))), drawn(2, pair(1, 2, SAME, REMATCH))),
        (field(1, *newcomers(14)), drawn(1, *(pair(number, number + 7) for number in range(1, 8)))),
    ],
)
def test_a_right_draw_has_nothing_wrong(of: Field, draw: Draw) -> None:
    assert examine_draw(of, draw) == Examination(violations=())


@pytest.mark.parametrize(
    ("of", "draw", "wrong"),
    [
        (SIX, replace(RIGHT, number=2), [Violation(Code.ROUND)]),
        (
            SIX,
            replace(RIGHT, pairings=(*RIGHT.pairings, pair(7, 8))),
            [Violation(Code.STRANGER, (7,)), Violation(Code.STRANGER, (8,))],
        ),
        (
            SIX,
            drawn(1, pair(1, 4), pair(2, 5)),
            [Violation(Code.LEFT_OUT, (3,)), Violation(Code.LEFT_OUT, (6,))],
        ),
        (SIX, drawn(1, *RIGHT.pairings, bye=6), [Violation(Code.TWICE, (6,))]),
        (
            replace(SIX, away=(ByeGiven(entry=7, kind=ByeKind.ABSENT),)),
            replace(RIGHT, byes=(ByeGiven(entry=7, kind=ByeKind.REQUESTED),)),
            [Violation(Code.AWAY, (7,))],
        ),
        (replace(SIX, forced=(wish(1, 2),)), RIGHT, [Violation(Code.FORCED_APART, (1, 2))]),
        (replace(SIX, forbidden=(wish(4, 1),)), RIGHT, [Violation(Code.FORBIDDEN_PAIR, (4, 1))]),
    ],
)
def test_who_is_in_the_draw_and_the_wishes_are_looked_up(
    of: Field, draw: Draw, wrong: list[Violation]
) -> None:
    assert list(check_draw(of, draw)) == wrong


@pytest.mark.parametrize(
    ("of", "draw", "entries"),
    [
        (
            field(1, *newcomers(4)),
            replace(
                drawn(1, pair(1, 3)),
                byes=(ByeGiven(entry=2, kind=BYE), ByeGiven(entry=4, kind=BYE)),
            ),
            (2, 4),
        ),
        (
            THREE,
            replace(drawn(1, pair(1, 2)), byes=(ByeGiven(entry=3, kind=ByeKind.REQUESTED),)),
            (3,),
        ),
    ],
)
def test_byes_are_one_at_the_most_and_of_the_kind_of_the_draw(
    of: Field, draw: Draw, entries: tuple[int, ...]
) -> None:
    assert check_draw(of, draw) == (Violation(Code.BYE_NOT_ALLOWED, entries),)


@pytest.mark.parametrize(
    ("of", "draw", "wrong"),
    [
        (
            field(2, *newcomers(2), contestant(3, byes={1: BYE})),
            drawn(2, pair(1, 2), bye=3),
            Violation(Code.BYE_UNFAIR, (3,)),
        ),
        (MET, drawn(2, pair(1, 2, SAME, REMATCH), pair(3, 4)), Violation(Code.REMATCH)),
        (
            field(
                3,
                contestant(1, met=(2, 3, 4, 2)),
                contestant(2, met=(1, 3, 4, 1)),
                contestant(3, met=(1, 2, 4)),
                contestant(4, met=(1, 2, 3)),
            ),
            drawn(3, pair(1, 2, SAME, REMATCH), pair(3, 4, SAME, REMATCH)),
            Violation(Code.REMATCH),
        ),
        (
            field(2, contestant(1, 2), contestant(2, 2), contestant(3)),
            drawn(2, pair(1, 3, FLOATED, scores=(2, 0)), bye=2),
            Violation(Code.BYE_TOO_HIGH, (2,)),
        ),
        (
            TWO_AND_TWO,
            drawn(2, pair(1, 3, FLOATED, scores=(2, 0)), pair(2, 4, FLOATED, scores=(2, 0))),
            Violation(Code.DIFFERENCES),
        ),
        (
            FLOATERS,
            drawn(2, pair(1, 2, scores=(2, 2)), pair(3, 4, FLOATED, AGAIN, scores=(2, 0))),
            Violation(Code.FLOATS),
        ),
        (SIX, drawn(1, pair(1, 5), pair(2, 4), pair(3, 6)), Violation(Code.PLACES)),
        (THREE, drawn(1, pair(1, 3), bye=2), Violation(Code.BYE_RANK, (2,))),
        (
            field(1, *newcomers(14)),
            drawn(1, pair(1, 9), pair(2, 8), *(pair(number, number + 7) for number in range(3, 8))),
            Violation(Code.PLACES, (1, 2, 8, 9)),
        ),
        (
            field(1, *newcomers(14)),
            drawn(
                1,
                pair(1, 9),
                pair(2, 10),
                pair(3, 8),
                *(pair(number, number + 7) for number in range(4, 8)),
            ),
            Violation(Code.PLACES, (1, 3, 8, 9)),
        ),
    ],
)
def test_a_better_draw_is_found(of: Field, draw: Draw, wrong: Violation) -> None:
    assert check_draw(of, draw) == (wrong,)


@pytest.mark.parametrize(
    ("pairings", "wrong"),
    [
        ((pair(1, 4, FLOATED), *RIGHT.pairings[1:]), Violation(Code.NOTES, (1, 4))),
        ((pair(1, 4, SAME, REMATCH), *RIGHT.pairings[1:]), Violation(Code.NOTES, (1, 4))),
        ((pair(1, 4, SAME, SAME), *RIGHT.pairings[1:]), Violation(Code.NOTES, (1, 4))),
        ((pair(1, 4, scores=(1, 0)), *RIGHT.pairings[1:]), Violation(Code.SCORES, (1, 4))),
        ((pair(4, 1), *RIGHT.pairings[1:]), Violation(Code.ORDER, (4, 1))),
        ((pair(2, 5), pair(1, 4), pair(3, 6)), Violation(Code.ORDER, (1, 4))),
        ((pair(1, 4, reason="so"), *RIGHT.pairings[1:]), Violation(Code.REASON, (1, 4))),
    ],
)
def test_what_a_pairing_says_of_itself_must_be_so(pairings: tuple[Pairing, ...], wrong: Violation) -> None:
    assert list(dict.fromkeys(check_draw(SIX, drawn(1, *pairings)))) == [wrong]


@pytest.mark.parametrize(
    "alternatives",
    [
        (Alternative(entry=4, against=Against.MET),),
        (Alternative(entry=2, against=Against.COSTS_MORE),),
        (Alternative(entry=3, against=Against.COSTS_MORE),),
        (Alternative(entry=3, against=Against.FORBIDDEN),),
        (Alternative(entry=3, against=Against.MET), Alternative(entry=3, against=Against.MET)),
        (Alternative(entry=9, against=Against.MET),),
    ],
)
def test_an_alternative_must_be_one_and_out_for_the_reason_that_it_says(
    alternatives: tuple[Alternative, ...],
) -> None:
    of = field(2, contestant(1, met=(3,)), contestant(2), contestant(3, met=(1,)), contestant(4))
    true = (Alternative(entry=3, against=Against.MET),)
    other = pair(2, 3, alternatives=(Alternative(entry=4, against=Against.COSTS_MORE),))

    assert check_draw(of, drawn(2, pair(1, 4, alternatives=true), other)) == ()
    assert check_draw(of, drawn(2, pair(1, 4, alternatives=alternatives), other)) == (
        Violation(Code.ALTERNATIVES, (1, 4)),
    )


@pytest.mark.parametrize(
    ("entry", "against", "is_so"),
    [
        (3, Against.HAD_BYE, True),
        (3, Against.COSTS_MORE, False),
        (1, Against.COSTS_MORE, False),
        (3, Against.FORCED_ELSEWHERE, False),
    ],
)
def test_a_bye_says_why_nobody_lower_has_it(entry: int, against: Against, is_so: bool) -> None:
    of = field(2, *newcomers(2), contestant(3, byes={1: BYE}))
    bye = ByeGiven(entry=2, kind=BYE, alternatives=(Alternative(entry=entry, against=against),))

    wrong = check_draw(of, replace(drawn(2, pair(1, 3)), byes=(bye,)))

    assert wrong == (() if is_so else (Violation(Code.ALTERNATIVES, (2,)),))


def test_what_takes_too_long_to_tell_is_named() -> None:
    draw = drawn(2, pair(1, 3, FLOATED, scores=(2, 0)), pair(2, 4, FLOATED, scores=(2, 0)))
    of = replace(TWO_AND_TWO, forced=(wish(1, 3), wish(2, 4)))
    forced = replace(
        draw,
        pairings=tuple(
            replace(one, notes=(FLOATED, Note.FORCED), reason="the director's reason")
            for one in draw.pairings
        ),
    )

    examined = examine_draw(of, forced, steps=0)

    assert examined == Examination(violations=(), unproven=(Code.DIFFERENCES,))


@pytest.mark.parametrize(
    ("of", "possible"),
    [
        (SIX, True),
        (THREE, True),
        (field(1, *newcomers(1)), False),
        (replace(SIX, forced=(wish(1, 2), wish(1, 3))), False),
        (replace(SIX, forced=(wish(1, 9),)), False),
        (replace(SIX, forced=(wish(1, 2),), forbidden=(wish(2, 1),)), False),
        (replace(SIX, forbidden=tuple(wish(1, other) for other in range(2, 7))), False),
        (replace(SIX, forbidden=tuple(wish(1, other) for other in range(2, 6))), True),
    ],
)
def test_whether_any_draw_keeps_the_wishes(of: Field, possible: bool) -> None:
    assert can_be_drawn(of) == possible


@given(st.integers(0, 2**32), st.randoms(use_true_random=False))
def test_two_pairs_exchanged_are_noticed_in_any_draw(seed: int, chance: Random) -> None:
    habits = replace(random_habits(Random(seed), most=24), rounds=3)
    *_, played = play_swiss(Random(seed), habits)
    draw = played.draw
    if len(draw.pairings) < 2:
        return
    one, other = chance.sample(range(len(draw.pairings)), k=2)
    pairings = list(draw.pairings)
    pairings[one] = replace(draw.pairings[one], second=draw.pairings[other].second)
    pairings[other] = replace(draw.pairings[other], second=draw.pairings[one].second)

    wrong = check_draw(played.field, replace(draw, pairings=tuple(pairings)))

    assert wrong
