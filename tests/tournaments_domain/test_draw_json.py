"""Draws that are kept are the draws that were made."""

import json
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.results import ByeKind
from tournaments.domain.draw_json import (
    bye_why_from_json,
    bye_why_to_json,
    draw_from_json,
    draw_to_json,
    why_from_json,
    why_to_json,
)
from tournaments.domain.pairing import Against, Alternative, ByeGiven, Draw, Note, Pairing

numbers = st.integers(1, 500)
halves = st.integers(-20, 200).map(lambda number: Fraction(2 * number + 1, 2))
scores = st.one_of(st.integers(-20, 200), halves)
alternatives = st.lists(
    st.builds(
        Alternative,
        entry=numbers,
        against=st.sampled_from(Against),
        rounds=st.lists(st.integers(1, 99), max_size=3).map(tuple),
    ),
    max_size=3,
).map(tuple)
pairings = st.builds(
    Pairing,
    first=numbers,
    second=numbers,
    notes=st.lists(st.sampled_from(Note), max_size=3).map(tuple),
    scores=st.tuples(scores, scores),
    alternatives=alternatives,
    reason=st.text(max_size=20),
    label=st.sampled_from(["", "final", "group-2"]),
    table=st.none() | st.integers(1, 100),
    fixed_seats=st.booleans(),
    given_away_by=st.lists(numbers, max_size=2).map(tuple),
)
byes = st.builds(
    ByeGiven,
    entry=numbers,
    kind=st.sampled_from(ByeKind),
    alternatives=alternatives,
    reason=st.text(max_size=9),
)
draws = st.builds(
    Draw,
    number=st.integers(1, 99),
    pairings=st.lists(pairings, max_size=4).map(tuple),
    byes=st.lists(byes, max_size=3).map(tuple),
    label=st.sampled_from(["", "semi-finals"]),
)


@given(draw=draws)
def test_reading_what_was_kept_gives_the_same_draw(draw: Draw) -> None:
    kept = json.dumps(draw_to_json(draw))

    assert draw_from_json(json.loads(kept)) == draw


@given(pairing=pairings)
def test_why_two_meet_stays_with_their_match(pairing: Pairing) -> None:
    kept = json.loads(json.dumps(why_to_json(pairing)))

    again = why_from_json(kept, first=pairing.first, second=pairing.second)

    assert (again.notes, again.scores) == (pairing.notes, pairing.scores)
    assert (again.alternatives, again.reason) == (pairing.alternatives, pairing.reason)


@given(bye=byes)
def test_why_an_entry_has_no_opponent_stays_with_its_bye(bye: ByeGiven) -> None:
    kept = json.loads(json.dumps(bye_why_to_json(bye)))

    assert bye_why_from_json(kept, entry=bye.entry, kind=bye.kind) == bye


def test_scores_are_kept_exactly() -> None:
    pairing = Pairing(first=1, second=2, scores=(Fraction(5, 2), 2))

    assert why_to_json(pairing) == {"notes": [], "scores": ["5/2", 2]}
