"""Draws that are changed by hand, and what is remarkable about them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.results import Bye, ByeKind, MatchResult, Scheme, Side
from tournaments.domain.drawing import draw_round
from tournaments.domain.pairing import Draw, Pairing, Wish
from tournaments.domain.plans import (
    FormatPlan,
    GroupsKnockoutPlan,
    KnockoutPlan,
    LeaguePlan,
    RoundRobinPlan,
    SessionPairing,
    SinglePlan,
    SwissPlan,
    WinnerStaysPlan,
)
from tournaments.domain.seats import seat_at_numbers
from tournaments.domain.state import Participant, PlayedMatch, PlayedRound, TournamentState
from tournaments.domain.swapping import (
    Drafted,
    Remark,
    RemarkKind,
    Swap,
    SwapError,
    SwapFault,
    field_of,
    may_swap_entries,
    remarks,
    swap,
)

SWISS = SwissPlan(rounds=5)


def a_state(entries: int, *, rounds: int = 0) -> TournamentState:
    """Return a Swiss after so many rounds, each match won by the entry of the lower number."""
    state = TournamentState(
        entries=tuple(Participant(number=number, seed=number) for number in range(1, entries + 1)),
        scheme=Scheme(),
    )
    for _round in range(rounds):
        draw = draw_round(SWISS, state)
        matches = tuple(
            PlayedMatch(
                table=str(table),
                first=pairing.first,
                second=pairing.second,
                result=MatchResult(
                    round=draw.number,
                    sides=(
                        Side(entry=pairing.first, courts=int(pairing.first < pairing.second)),
                        Side(entry=pairing.second, courts=int(pairing.second < pairing.first)),
                    ),
                ),
            )
            for table, pairing in enumerate(draw.pairings, start=1)
        )
        byes = tuple(bye_of(draw))
        played = PlayedRound(number=draw.number, matches=matches, byes=byes)
        state = replace(state, rounds=(*state.rounds, played))
    return state


def bye_of(draw: Draw) -> list[Bye]:
    return [Bye(round=draw.number, entry=bye.entry, kind=bye.kind) for bye in draw.byes]


def a_draft(state: TournamentState, draw: Draw | None = None) -> Drafted:
    drawn = draw_round(SWISS, state)
    now = draw or drawn
    return Drafted(
        draw=now, drawn=drawn, seats=seat_at_numbers(now, seed=7), field=field_of(SWISS, state), free=True
    )


def everybody(draw: Draw) -> list[int]:
    seated = [entry for pairing in draw.pairings for entry in (pairing.first, pairing.second)]
    return sorted([*seated, *(bye.entry for bye in draw.byes)])


@given(
    entries=st.integers(4, 11),
    rounds=st.integers(0, 2),
    picks=st.tuples(st.integers(1, 11), st.integers(1, 11)),
    what=st.sampled_from(Swap),
)
def test_whatever_is_swapped_everybody_keeps_one_place(
    entries: int, rounds: int, picks: tuple[int, int], what: Swap
) -> None:
    state = a_state(entries, rounds=rounds)
    drafted = a_draft(state)
    try:
        after = swap(drafted, *picks, what=what, reason="because")
    except SwapError:
        after = drafted.draw

    assert everybody(after) == everybody(drafted.draw) == list(range(1, entries + 1))
    assert len(after.pairings) == len(drafted.draw.pairings)


@given(entries=st.integers(4, 11), rounds=st.integers(0, 2), data=st.data())
def test_two_who_change_places_twice_leave_the_draw_as_it_was(
    entries: int, rounds: int, data: st.DataObject
) -> None:
    state = a_state(entries, rounds=rounds)
    drafted = a_draft(state)
    together = {frozenset((one.first, one.second)) for one in drafted.draw.pairings}
    first, second = data.draw(
        st.lists(st.integers(1, entries), min_size=2, max_size=2, unique=True).filter(
            lambda two: frozenset(two) not in together
        )
    )

    once = swap(drafted, first, second, what=Swap.ENTRIES, reason="because")
    twice = swap(a_draft(state, once), first, second, what=Swap.ENTRIES, reason="because")

    assert twice == drafted.draw


def test_two_of_one_match_take_each_others_seats() -> None:
    drafted = a_draft(a_state(6))
    before = drafted.seats[0]

    after = swap(drafted, 1, 4, what=Swap.ENTRIES, reason="because")

    now = seat_at_numbers(after, seed=7)[0]
    assert (now.ns, now.ew) == (before.ew, before.ns)
    assert now.dealer == before.dealer


@pytest.mark.parametrize(
    ("plan", "label", "may"),
    [
        (SWISS, "", True),
        (KnockoutPlan(), "final", True),
        (GroupsKnockoutPlan(), "group-1", False),
        (GroupsKnockoutPlan(), "final", True),
        (LeaguePlan(), "", True),
        (LeaguePlan(pairing=SessionPairing.ROUND_ROBIN), "", False),
        (RoundRobinPlan(), "", False),
        (SinglePlan(), "", False),
        (WinnerStaysPlan(), "", False),
    ],
)
def test_only_where_a_draw_decides_who_meets_whom_that_can_be_changed(
    plan: FormatPlan, label: str, may: bool
) -> None:
    draw = Draw(number=1, pairings=(Pairing(first=1, second=2, label=label),))

    assert may_swap_entries(plan, draw) is may


@pytest.mark.parametrize(
    ("picks", "what", "fault"),
    [
        ((1, 1), Swap.ENTRIES, SwapFault.SAME),
        ((1, 4), Swap.TABLES, SwapFault.SAME),
        ((1, 99), Swap.ENTRIES, SwapFault.NOT_THERE),
        ((1, 7), Swap.TABLES, SwapFault.NO_TABLE),
    ],
)
def test_what_cannot_change_places_says_why(picks: tuple[int, int], what: Swap, fault: SwapFault) -> None:
    with pytest.raises(SwapError) as refused:
        swap(a_draft(a_state(7)), *picks, what=what, reason="because")

    assert refused.value.fault is fault


def test_rematches_differences_and_second_byes_are_remarkable() -> None:
    state = a_state(5, rounds=1)
    field = field_of(SWISS, state)
    draw = Draw(
        number=2,
        pairings=(Pairing(first=1, second=3), Pairing(first=2, second=4)),
        byes=(*draw_round(SWISS, a_state(5)).byes,),
    )

    found = remarks(draw, field)

    assert Remark(kind=RemarkKind.REMATCH, entries=(1, 3), rounds=(1,)) in found
    assert Remark(kind=RemarkKind.REMATCH, entries=(2, 4), rounds=(1,)) in found
    assert Remark(kind=RemarkKind.SECOND_BYE, entries=(5,), rounds=(1,)) in found
    assert Remark(kind=RemarkKind.DIFFERENCE, entries=(1, 3), amount=2) in found
    assert [bye.kind for bye in draw.byes] == [ByeKind.PAIRING]


def test_wishes_that_are_not_kept_come_first() -> None:
    state = replace(
        a_state(4),
        forbidden=(Wish(entries=(1, 3), reason="apart"),),
        forced=(Wish(entries=(1, 2), reason="together"),),
    )
    draw = Draw(number=1, pairings=(Pairing(first=1, second=3), Pairing(first=2, second=4)))

    found = remarks(draw, field_of(SWISS, state))

    assert [(one.kind, one.entries) for one in found] == [
        (RemarkKind.FORBIDDEN, (1, 3)),
        (RemarkKind.FORCED_APART, (1, 2)),
    ]
