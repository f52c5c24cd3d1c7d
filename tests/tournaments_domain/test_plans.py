"""What a director chooses of a format: kept and read back, and refused with the field and a remedy."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.entry_counts import advised_rounds, check_entries, most_rounds
from tournaments.domain.plans import (
    OPTIONS,
    PLANS,
    FormatName,
    FormatPlan,
    GroupsKnockoutPlan,
    KnockoutPlan,
    LeaguePlan,
    LengthKind,
    MatchLength,
    PlanError,
    PlanFault,
    RoundRobinPlan,
    SessionPairing,
    SessionPoints,
    SinglePlan,
    SwissPlan,
    WinnerStaysPlan,
    plan_from_json,
    plan_to_json,
)

LENGTHS = st.builds(MatchLength, st.sampled_from(LengthKind), st.integers(1, 99))
PLACES = st.integers(0, 500)
A_PLAN: st.SearchStrategy[FormatPlan] = st.one_of(
    st.builds(SinglePlan, match=LENGTHS, prizes=PLACES, cut=PLACES),
    st.builds(WinnerStaysPlan, tables=st.integers(1, 100), minutes=st.integers(1, 1440)),
    st.builds(RoundRobinPlan, match=LENGTHS, cycles=st.integers(1, 2)),
    st.builds(SwissPlan, match=LENGTHS, rounds=st.integers(1, 99), cut=PLACES),
    st.builds(KnockoutPlan, match=LENGTHS, third_place=st.booleans()),
    st.builds(GroupsKnockoutPlan, groups=st.integers(2, 64), qualifiers=st.integers(1, 32)),
    st.builds(
        LeaguePlan,
        sessions=st.integers(20, 200),
        pairing=st.sampled_from(SessionPairing),
        points=st.sampled_from(SessionPoints),
        place_points=st.lists(st.integers(0, 9999), max_size=9).map(tuple),
        best_of=st.integers(0, 20),
    ),
)


@given(A_PLAN)
def test_a_plan_that_was_kept_is_read_back_as_it_was(plan: FormatPlan) -> None:
    kept = json.dumps(plan_to_json(plan))

    assert plan_from_json(json.loads(kept)) == plan


def test_a_plan_is_kept_with_its_format_and_every_option() -> None:
    plan = KnockoutPlan(match=MatchLength(LengthKind.DEALS, 16), third_place=True)

    assert plan_to_json(plan) == {
        "format": "knockout",
        "third_place": True,
        "level_match": "further-deals",
        "match": {"deals": 16},
        "prizes": 3,
        "cut": 0,
    }


@pytest.mark.parametrize("name", FormatName)
def test_what_is_not_there_is_as_usual(name: FormatName) -> None:
    assert plan_from_json({"format": name.value}) == PLANS[name]()


def test_every_format_says_how_long_a_match_is_with_the_law() -> None:
    sources = {name: [one.source for one in OPTIONS[name] if one.name == "match"] for name in FormatName}

    assert sources == {name: ["law 13.1"] for name in FormatName}


@pytest.mark.parametrize(
    ("stored", "field", "fault"),
    [
        ({}, "format", PlanFault.UNKNOWN_FORMAT),
        ({"format": "ladder"}, "format", PlanFault.UNKNOWN_FORMAT),
        ({"format": ["swiss"]}, "format", PlanFault.UNKNOWN_FORMAT),
        ({"format": "swiss", "cycles": 2}, "cycles", PlanFault.UNKNOWN_OPTION),
        ({"format": "swiss", "rounds": 0}, "rounds", PlanFault.OUT_OF_RANGE),
        ({"format": "swiss", "rounds": "5"}, "rounds", PlanFault.WRONG_KIND),
        ({"format": "swiss", "rounds": True}, "rounds", PlanFault.WRONG_KIND),
        ({"format": "swiss", "match": 30}, "match", PlanFault.WRONG_KIND),
        ({"format": "swiss", "match": {"minutes": 30, "deals": 16}}, "match", PlanFault.WRONG_KIND),
        ({"format": "swiss", "match": {"hours": 1}}, "match", PlanFault.NOT_A_CHOICE),
        ({"format": "swiss", "match": {"minutes": 601}}, "match", PlanFault.OUT_OF_RANGE),
        ({"format": "winner-stays", "match": {"minutes": 30}}, "match", PlanFault.NOT_A_CHOICE),
        ({"format": "knockout", "third_place": 1}, "third_place", PlanFault.WRONG_KIND),
        ({"format": "knockout", "level_match": "lots"}, "level_match", PlanFault.NOT_A_CHOICE),
        ({"format": "league", "place_points": 10}, "place_points", PlanFault.WRONG_KIND),
        ({"format": "league", "place_points": [10, -1]}, "place_points", PlanFault.OUT_OF_RANGE),
        ({"format": "league", "sessions": 4, "best_of": 5}, "best_of", PlanFault.TOO_FEW_SESSIONS),
        (
            {"format": "groups-knockout", "groups": 1, "qualifiers": 1},
            "qualifiers",
            PlanFault.TOO_FEW_QUALIFIERS,
        ),
    ],
)
def test_a_wrong_plan_is_refused_with_the_field_and_what_would_do(
    stored: dict[str, object], field: str, fault: PlanFault
) -> None:
    with pytest.raises(PlanError) as refused:
        plan_from_json(stored)

    assert (refused.value.field, refused.value.fault) == (field, fault)
    assert refused.value.remedy.startswith(("Choose ", "Give "))


@pytest.mark.parametrize(
    ("plan", "entries", "fault"),
    [
        (SwissPlan(rounds=1), 1, PlanFault.TOO_FEW_ENTRIES),
        (SinglePlan(), 3, PlanFault.TOO_MANY_ENTRIES),
        (SwissPlan(rounds=6), 6, PlanFault.TOO_MANY_ROUNDS),
        (GroupsKnockoutPlan(groups=3), 5, PlanFault.TOO_FEW_ENTRIES),
        (GroupsKnockoutPlan(groups=2, qualifiers=4), 7, PlanFault.TOO_MANY_QUALIFIERS),
    ],
)
def test_a_plan_that_does_not_suit_the_entries_is_refused(
    plan: FormatPlan, entries: int, fault: PlanFault
) -> None:
    with pytest.raises(PlanError) as refused:
        check_entries(plan, entries)

    assert refused.value.fault == fault


def test_a_plan_that_suits_the_entries_is_taken() -> None:
    check_entries(SwissPlan(rounds=7), 7)
    check_entries(GroupsKnockoutPlan(groups=2, qualifiers=3), 7)


@pytest.mark.parametrize(
    ("entries", "places", "rounds"),
    [(0, 1, 1), (2, 1, 1), (3, 1, 2), (12, 1, 4), (12, 3, 6), (16, 1, 4), (17, 1, 5), (200, 1, 8), (4, 4, 3)],
)
def test_so_many_rounds_are_advised_that_one_at_most_has_won_them_all(
    entries: int, places: int, rounds: int
) -> None:
    assert advised_rounds(entries, places=places) == rounds


@given(st.integers(2, 500), st.integers(1, 50))
def test_no_more_rounds_are_advised_than_can_be_played(entries: int, places: int) -> None:
    assert 1 <= advised_rounds(entries, places=places) <= most_rounds(entries)
