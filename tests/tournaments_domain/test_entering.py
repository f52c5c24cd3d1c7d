"""The rules of a list of entries."""

import pytest

from tournaments.domain.entering import (
    MOST_ENTRIES,
    Column,
    Fault,
    ListedEntries,
    NewPair,
    PairFault,
    may_ask,
    pair_faults,
    player_faults,
    takes_late_entries,
)
from tournaments.domain.plans import FormatName

EMPTY = ListedEntries()


def a_pair(
    row: int, first: str = "Asif Khan", second: str = "Bilal Shah", *, seed: int | None = None
) -> NewPair:
    return NewPair(row=row, names=(first, second), seed=seed)


def test_pairs_of_different_players_have_no_fault() -> None:
    pairs = [a_pair(2), a_pair(3, "Chand Rao", "Dev Patel")]

    assert pair_faults(pairs, EMPTY) == ()


def test_a_player_in_two_rows_is_a_fault_of_the_later_one() -> None:
    pairs = [a_pair(2), a_pair(5, "Chand Rao", "Asif Khan")]

    assert pair_faults(pairs, EMPTY) == (
        PairFault(row=5, column=Column.SECOND, fault=Fault.PLAYER_TWICE, value="Asif Khan", other=2),
    )


def test_a_player_of_an_entry_cannot_enter_again() -> None:
    listed = ListedEntries(count=1, players={"Bilal Shah": 7})

    assert pair_faults([a_pair(2)], listed) == (
        PairFault(row=2, column=Column.SECOND, fault=Fault.PLAYER_ENTERED, value="Bilal Shah", other=7),
    )


def test_one_name_for_both_partners_is_a_fault() -> None:
    assert pair_faults([a_pair(2, "Asif Khan", "Asif Khan")], EMPTY) == (
        PairFault(row=2, column=Column.SECOND, fault=Fault.SAME_PLAYER, value="Asif Khan"),
    )


def test_a_seed_is_given_once_in_the_rows_and_in_the_list() -> None:
    pairs = [
        a_pair(2, seed=1),
        a_pair(3, "Chand Rao", "Dev Patel", seed=1),
        a_pair(4, "Erum", "Farah", seed=2),
    ]

    assert pair_faults(pairs, ListedEntries(count=1, seeds={2: 9})) == (
        PairFault(row=3, column=Column.SEED, fault=Fault.SEED_TWICE, value="1", other=2),
        PairFault(row=4, column=Column.SEED, fault=Fault.SEED_TAKEN, value="2", other=9),
    )


def test_the_first_pair_too_many_is_named() -> None:
    pairs = [a_pair(2), a_pair(3, "Chand Rao", "Dev Patel")]

    assert pair_faults(pairs, ListedEntries(count=MOST_ENTRIES - 1)) == (
        PairFault(row=3, column=Column.FIRST, fault=Fault.TOO_MANY, detail=str(MOST_ENTRIES)),
    )


def test_both_players_of_an_accepted_pair_are_looked_up() -> None:
    listed = ListedEntries(players={"Asif Khan": 1, "Bilal Shah": 2})

    faults = player_faults(["Asif Khan", "Bilal Shah"], listed)

    assert [(fault.column, fault.other) for fault in faults] == [(Column.FIRST, 1), (Column.SECOND, 2)]


@pytest.mark.parametrize(
    ("name", "late"),
    [
        (FormatName.SWISS, True),
        (FormatName.LEAGUE, True),
        (FormatName.WINNER_STAYS, True),
        (FormatName.SINGLE, False),
        (FormatName.ROUND_ROBIN, False),
        (FormatName.KNOCKOUT, False),
        (FormatName.GROUPS_KNOCKOUT, False),
    ],
)
def test_a_pair_can_come_late_where_each_round_is_drawn_of_who_is_there(name: FormatName, late: bool) -> None:
    assert takes_late_entries(name) is late


@pytest.mark.parametrize(
    ("allowed", "published", "over", "answer"),
    [(True, 0, False, True), (False, 0, False, False), (True, 1, False, False), (True, 0, True, False)],
)
def test_players_can_ask_until_the_first_round_is_published(
    allowed: bool, published: int, over: bool, answer: bool
) -> None:
    asked = may_ask(players_may_enter=allowed, published_rounds=published, is_over=over)

    assert asked is answer
