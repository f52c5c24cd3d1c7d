"""What an entry needs: for a person to read, and against playing out everything that can still happen."""

from collections import Counter
from collections.abc import Iterable
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.domain.limits import Remaining
from scoring.domain.needs import (
    Need,
    NeedStatus,
    OwnResults,
    Unknown,
    what_it_needs,
    what_they_need,
)
from scoring.domain.ranking import rank_entries
from scoring.domain.results import (
    Bye,
    Entrant,
    MatchEnd,
    MatchResult,
    Ranking,
    ResultsError,
    Scheme,
    tally_up,
)
from tests.scoring_domain.builders import POINTS, Tournament, entries, match, swiss

WIN, DRAW, LOSS = MatchEnd.WIN, MatchEnd.DRAW, MatchEnd.LOSS
COURTS = {WIN: (1, 0), DRAW: (0, 0), LOSS: (0, 1)}


def need(
    entry: int,
    place: int,
    played: Iterable[MatchResult],
    pairs: tuple[tuple[int, int], ...] = (),
    *,
    rounds_not_drawn: int = 0,
    entrants: Iterable[Entrant] = entries(1, 2, 3, 4),
    scheme: Scheme = Scheme(),  # noqa: B008 - a value that nothing changes
) -> Need:
    tallies = tally_up(entrants, played, (), scheme=scheme)
    remaining = Remaining(pairs=pairs, rounds_not_drawn=rounds_not_drawn)
    return what_it_needs(entry, place=place, tallies=tallies, remaining=remaining, scheme=scheme)


def test_before_a_last_round_each_own_result_says_what_it_leads_to() -> None:
    """1 and 2 have two points each and meet others: whoever does better is first; equals need a tie-break."""
    played = [match(1, 1, (1, 0), 3), match(1, 2, (1, 0), 4)]

    found = need(1, 1, played, ((1, 4), (2, 3)))

    assert found.by_own == (
        OwnResults((WIN,), reached=2, tied=1, missed=0),
        OwnResults((DRAW,), reached=1, tied=1, missed=1),
        OwnResults((LOSS,), reached=0, tied=1, missed=2),
    )
    assert found.status is NeedStatus.DEPENDS


def test_who_cannot_be_caught_is_safe() -> None:
    played = [match(1, 1, (1, 0), 2), match(2, 1, (1, 0), 3), match(3, 1, (1, 0), 4)]

    found = need(1, 1, played, ((2, 3),))

    assert (found.status, found.reached, found.tied, found.missed) == (NeedStatus.SAFE, 3, 0, 0)


def test_who_cannot_catch_up_is_out() -> None:
    played = [match(1, 1, (1, 0), 2), match(2, 1, (1, 0), 3), match(3, 1, (1, 0), 4)]

    found = need(2, 1, played, ((2, 3),))

    assert (found.status, found.missed) == (NeedStatus.OUT, 3)


def test_who_has_it_in_its_own_hands_is_told_which_results_suffice() -> None:
    """1 has 4 points, 2 and 3 have 2 and do not meet 1: a draw is enough for 1 to be first alone."""
    played = [match(1, 1, (1, 0), 4), match(2, 1, (1, 0), 4), match(1, 2, (1, 0), 4), match(2, 3, (1, 0), 4)]

    found = need(1, 1, played, ((1, 4), (2, 3)))

    assert found.status is NeedStatus.SAFE_IF
    assert found.suffices == ((WIN,), (DRAW,))


def test_sharing_the_last_place_there_is_room_for_is_left_to_the_tie_breaks() -> None:
    found = need(1, 2, [match(1, 1, (0, 0), 2), match(2, 3, (1, 0), 4)], ())

    assert (found.status, found.by_own) == (NeedStatus.DEPENDS, (OwnResults((), 0, 1, 0),))


def test_sharing_a_place_for_which_there_is_room_reaches_it() -> None:
    found = need(1, 3, [match(1, 1, (0, 0), 2), match(2, 3, (1, 0), 4)], ())

    assert found.status is NeedStatus.SAFE


def test_a_last_round_of_two_hundred_entries_is_counted_exactly() -> None:
    """All have nothing: 1 is in the first hundred if it wins, for 99 others can win too, and not 100."""
    pairs = tuple((first, first + 1) for first in range(1, 201, 2))

    found = need(1, 100, (), pairs, entrants=entries(*range(1, 201)))

    assert (found.status, found.suffices) == (NeedStatus.SAFE_IF, ((WIN,),))
    assert found.reached + found.tied + found.missed == 3**100


def test_too_many_connected_matches_are_not_counted_and_said_to_be_unknown() -> None:
    pairs = tuple((first, first + 1) for first in range(1, 12))

    found = need(1, 1, (), pairs, entrants=entries(*range(1, 13)))

    assert (found.status, found.unknown) == (NeedStatus.UNKNOWN, Unknown.TOO_MANY_OUTCOMES)


def test_what_holds_whatever_comes_is_said_even_where_it_is_not_counted() -> None:
    played = [match(number, 1, (1, 0), 13) for number in range(1, 4)]
    pairs = tuple((first, first + 1) for first in range(2, 12))

    found = need(1, 1, played, pairs, entrants=entries(*range(1, 14)))

    assert (found.status, found.by_own) == (NeedStatus.SAFE, ())


def test_rounds_that_are_not_drawn_leave_it_unknown_unless_it_holds_whatever_is_drawn() -> None:
    """After 1 won twice, one round is left: 2 and 3 can reach four points but not pass 1."""
    played = [match(1, 1, (1, 0), 4), match(2, 1, (1, 0), 4), match(1, 2, (1, 0), 4), match(2, 3, (1, 0), 4)]

    assert need(1, 3, played, rounds_not_drawn=1).status is NeedStatus.SAFE
    assert need(1, 1, played, rounds_not_drawn=1).suffices == ((WIN,), (DRAW,))
    assert need(4, 2, played, rounds_not_drawn=1).unknown is Unknown.PAIRINGS_UNKNOWN
    assert need(4, 1, played, rounds_not_drawn=1).status is NeedStatus.OUT


def test_who_has_left_wins_nothing_of_what_is_not_drawn() -> None:
    entrants = [Entrant(number=1), Entrant(number=2, withdrawn=True)]

    found = need(1, 1, [match(1, 1, (1, 0), 2)], rounds_not_drawn=5, entrants=entrants)

    assert found.status is NeedStatus.SAFE


def test_a_stage_stands_above_every_score() -> None:
    entrants = [Entrant(number=1), Entrant(number=2, stage=1), Entrant(number=3)]

    found = need(1, 1, [match(1, 1, (1, 0), 3)], ((1, 3),), entrants=entrants)

    assert found.status is NeedStatus.OUT


@pytest.mark.parametrize("ranking", [Ranking.COURTS, Ranking.SESSION_POINTS])
def test_what_is_not_made_of_wins_and_draws_is_unknown(ranking: Ranking) -> None:
    found = need(1, 1, (), scheme=Scheme(ranking=ranking))

    assert (found.status, found.unknown) == (NeedStatus.UNKNOWN, Unknown.NOT_BY_MATCH_POINTS)


def test_an_entry_that_is_not_there_is_refused() -> None:
    with pytest.raises(ResultsError) as caught:
        need(1, 1, (), ((1, 9),))

    assert caught.value.entry == 9


def play(pairs: tuple[tuple[int, int], ...], ends: Iterable[MatchEnd]) -> list[MatchResult]:
    return [match(99, first, COURTS[end], second) for (first, second), end in zip(pairs, ends, strict=True)]


def outcome(entry: int, place: int, tournament: Tournament, scheme: Scheme) -> str:
    """Return what a finished tournament without tie-breaks says of the place."""
    row = next(row for row in rank_entries(*tournament, scheme=scheme) if row.tally.entry == entry)
    if row.rank > place:
        return "missed"
    return "reached" if row.rank + len(row.level_with) <= place else "tied"


def played_out(
    entry: int, place: int, tournament: Tournament, pairs: tuple[tuple[int, int], ...], scheme: Scheme
) -> dict[tuple[MatchEnd, ...], Counter[str]]:
    """Return what every outcome of the remaining matches comes to, by the entry's own results."""
    entrants, played, byes = tournament
    mirrored = {WIN: LOSS, DRAW: DRAW, LOSS: WIN}
    by_own: dict[tuple[MatchEnd, ...], Counter[str]] = {}
    for ends in product(MatchEnd, repeat=len(pairs)):
        own = tuple(
            end if pair[0] == entry else mirrored[end]
            for pair, end in zip(pairs, ends, strict=True)
            if entry in pair
        )
        finished = (entrants, played + play(pairs, ends), byes)
        by_own.setdefault(own, Counter())[outcome(entry, place, finished, scheme)] += 1
    return by_own


@st.composite
def races(draw: st.DrawFn) -> tuple[Tournament, tuple[tuple[int, int], ...], int, int, Scheme]:
    """A tournament that is under way, up to four matches that remain, an entry and a place."""
    tournament = draw(swiss())
    numbers = [entrant.number for entrant in tournament[0]]
    pair = st.lists(st.sampled_from(numbers), min_size=2, max_size=2, unique=True)
    pairs = draw(st.lists(pair, max_size=4)) if len(numbers) > 1 else []
    scheme = Scheme(points=draw(st.sampled_from(POINTS)))
    entry = draw(st.sampled_from(numbers))
    place = draw(st.integers(1, len(numbers)))
    return tournament, tuple((first, second) for first, second in pairs), entry, place, scheme


@settings(max_examples=60)
@given(races())
def test_the_counts_are_those_of_playing_everything_out(
    race: tuple[Tournament, tuple[tuple[int, int], ...], int, int, Scheme],
) -> None:
    tournament, pairs, entry, place, scheme = race

    found = what_it_needs(
        entry,
        place=place,
        tallies=tally_up(*tournament, scheme=scheme),
        remaining=Remaining(pairs=pairs),
        scheme=scheme,
    )

    expected = played_out(entry, place, tournament, pairs, scheme)
    assert {one.own: (one.reached, one.tied, one.missed) for one in found.by_own} == {
        own: (counted["reached"], counted["tied"], counted["missed"]) for own, counted in expected.items()
    }
    assert found.status is status_of(list(expected.values()))


@settings(max_examples=40)
@given(races(), st.integers(0, 1))
def test_all_at_once_need_what_they_need_one_by_one(
    race: tuple[Tournament, tuple[tuple[int, int], ...], int, int, Scheme], rounds_not_drawn: int
) -> None:
    tournament, pairs, _, place, scheme = race
    tallies = tally_up(*tournament, scheme=scheme)
    remaining = Remaining(pairs=pairs, rounds_not_drawn=rounds_not_drawn)

    found = what_they_need(tallies, place=place, tallies=tallies, remaining=remaining, scheme=scheme)

    assert found == tuple(
        what_it_needs(entry, place=place, tallies=tallies, remaining=remaining, scheme=scheme)
        for entry in tallies
    )


def status_of(cases: list[Counter[str]]) -> NeedStatus:
    sure = [set(counted) == {"reached"} for counted in cases]
    if all(sure):
        return NeedStatus.SAFE
    if all(set(counted) == {"missed"} for counted in cases):
        return NeedStatus.OUT
    return NeedStatus.SAFE_IF if any(sure) else NeedStatus.DEPENDS


def drawings(numbers: list[int]) -> list[tuple[tuple[tuple[int, int], ...], tuple[int, ...]]]:
    """Return every way to pair the entries, with who is left over."""
    if len(numbers) < 2:
        return [((), tuple(numbers))]
    first, others = numbers[0], numbers[1:]
    found = [(pairs, (first, *left)) for pairs, left in drawings(others) if len(numbers) % 2 and not left]
    for other in others:
        rest = [one for one in others if one != other]
        found += [(((first, other), *pairs), left) for pairs, left in drawings(rest)]
    return found


@settings(max_examples=40, deadline=None)
@given(races())
def test_what_is_said_of_a_round_that_is_not_drawn_holds_however_it_is_drawn(
    race: tuple[Tournament, tuple[tuple[int, int], ...], int, int, Scheme],
) -> None:
    (entrants, played, byes), _, entry, place, scheme = race
    entrants, here = entrants[:5], {entrant.number for entrant in entrants[:5]}
    entry = min(entry, 5)
    played = [one for one in played if {side.entry for side in one.sides} <= here]
    byes = [one for one in byes if one.entry in here and one.opponent is None]
    playing = [entrant.number for entrant in entrants if not entrant.withdrawn]

    found = what_it_needs(
        entry,
        place=place,
        tallies=tally_up(entrants, played, byes, scheme=scheme),
        remaining=Remaining(rounds_not_drawn=1),
        scheme=scheme,
    )

    for pairs, left in drawings(playing):
        off = [*byes, *(Bye(round=99, entry=number) for number in left)]
        expected = played_out(entry, place, (entrants, played, off), pairs, scheme)
        for own, counted in expected.items():
            if found.status is NeedStatus.SAFE or own in found.suffices:
                assert set(counted) == {"reached"}
            if found.status is NeedStatus.OUT:
                assert set(counted) == {"missed"}
