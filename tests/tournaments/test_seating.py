"""Which match records are of, and what is assumed where they do not say."""

import pytest

from tournaments.seating import Asked, Board, Seating, SeatingCode, SeatingRefused

NAMES = {1: "Asif & Bilal", 2: "Chand & Dev", 3: "Erum & Farah", 4: "Gita & Hema"}


def a_board(*seatings: Seating, is_single: bool = False) -> Board:
    return Board(labels={}, seatings=seatings, names=NAMES, is_single=is_single)


def a_seating(round_number: int, table: str, ns: int, ew: int, *, has_deals: bool = False) -> Seating:
    return Seating(
        round=round_number, table=table, ns=ns, ew=ew, match_id=7, has_deals=has_deals, is_settled=has_deals
    )


def asked(round_text: str | None, table: str | None, ns: int | None = 1, ew: int | None = 2) -> Asked:
    return Asked(round=round_text, table=table, ns=ns, ew=ew)


def refusal(board: Board, wanted: Asked) -> tuple[SeatingCode, str]:
    with pytest.raises(SeatingRefused) as caught:
        board.seat(wanted)
    return caught.value.code, str(caught.value)


def test_records_that_say_all_make_their_match() -> None:
    board = a_board()

    seated = board.seat(asked("2", "5"))

    assert (seated.seating.round, seated.seating.table, seated.notes) == (2, "5", [])
    assert board.made == [seated.seating]


def test_the_same_round_table_and_pairs_are_the_same_match() -> None:
    board = a_board(a_seating(2, "5", 1, 2))

    seated = board.seat(asked("2", "5"))

    assert seated.seating.match_id == 7
    assert board.made == []


def test_pairs_who_sat_the_other_way_round_than_scheduled_turn_the_match() -> None:
    board = a_board(a_seating(2, "5", 1, 2))

    seated = board.seat(asked("2", "5", ns=2, ew=1))

    assert (seated.seating.ns, seated.seating.ew, seated.seating.is_turned) == (2, 1, True)


def test_pairs_do_not_change_places_in_a_match_with_deals() -> None:
    board = a_board(a_seating(2, "5", 1, 2, has_deals=True))

    assert refusal(board, asked("2", "5", ns=2, ew=1)) == (
        SeatingCode.SEATS_DIFFER,
        "In this match Asif & Bilal sit North–South.",
    )


def test_nor_between_two_records_of_one_upload() -> None:
    board = a_board()
    board.seat(asked("2", "5"))

    assert refusal(board, asked("2", "5", ns=2, ew=1))[0] is SeatingCode.SEATS_DIFFER


def test_another_table_than_the_match_stands_at_is_noted() -> None:
    board = a_board(a_seating(2, "5", 1, 2))

    seated = board.seat(asked("2", "3"))

    assert seated.seating.table == "5"
    assert seated.notes == ["At table 3, though the match stands at table 5."]


def test_without_a_round_the_one_match_of_the_pairs_is_meant() -> None:
    board = a_board(a_seating(3, "1", 1, 2), a_seating(1, "1", 1, 3))

    seated = board.seat(asked(None, "1"))

    assert seated.seating.round == 3
    assert seated.notes == ["Without a round: taken as round 3, where these pairs meet."]


def test_without_a_round_and_a_match_the_first_round_in_which_both_are_free_is_taken() -> None:
    board = a_board(a_seating(1, "1", 1, 3), a_seating(2, "1", 2, 4))

    seated = board.seat(asked(None, "1"))

    assert seated.seating.round == 3
    assert seated.notes == ["Without a round: taken as round 3."]


def test_without_a_table_the_next_free_one_is_taken() -> None:
    board = a_board(a_seating(1, "1", 3, 4))

    seated = board.seat(asked("1", None))

    assert seated.seating.table == "2"
    assert seated.notes == ["Without a table: taken as table 2."]


def test_pairs_who_meet_twice_must_say_in_which_round() -> None:
    board = a_board(a_seating(1, "1", 1, 2), a_seating(4, "1", 2, 1))

    assert refusal(board, asked(None, "1"))[0] is SeatingCode.ROUND_NEEDED


def test_a_table_at_which_others_play_is_taken() -> None:
    board = a_board(a_seating(2, "5", 3, 4))

    assert refusal(board, asked("2", "5")) == (
        SeatingCode.TABLE_TAKEN,
        "At table 5 of round 2 play Erum & Farah and Gita & Hema.",
    )


def test_a_pair_plays_once_a_round() -> None:
    board = a_board(a_seating(2, "5", 2, 4))

    assert refusal(board, asked("2", "6")) == (
        SeatingCode.PAIR_ELSEWHERE,
        "Chand & Dev play at table 5 in round 2.",
    )


def test_records_without_names_are_of_the_match_at_their_table() -> None:
    board = a_board(a_seating(2, "5", 1, 2))

    seated = board.seat(asked("2", "5", ns=None, ew=None))

    assert seated.seating.match_id == 7
    assert seated.notes == ["Without names: taken as the match of Asif & Bilal and Chand & Dev."]


@pytest.mark.parametrize(("ns", "ew"), [(None, None), (1, None), (None, 2)])
def test_records_without_names_and_without_a_match_are_refused(ns: int | None, ew: int | None) -> None:
    assert refusal(a_board(), asked("1", "1", ns=ns, ew=ew))[0] is SeatingCode.NAMES_MISSING


def test_a_half_named_match_must_be_the_one_at_the_table() -> None:
    board = a_board(a_seating(2, "5", 1, 2))

    assert refusal(board, asked("2", "5", ns=3, ew=None))[0] is SeatingCode.NAMES_MISSING


def test_rounds_with_a_name_come_after_those_with_a_number() -> None:
    board = a_board(a_seating(1, "1", 3, 4))
    board.name_rounds(["Final", "2", None, "Final"])

    seated = board.seat(asked("Final", "1"))

    assert seated.seating.round == 3
    assert dict(board.labels) == {"Final": 3}


def test_a_tournament_of_one_match_has_no_other() -> None:
    board = a_board(a_seating(1, "1", 1, 2), is_single=True)

    assert refusal(board, asked("1", "2", ns=3, ew=4))[0] is SeatingCode.NOT_ENTERED


@pytest.mark.parametrize(("round_text", "table"), [("R" * 41, "1"), ("1", "T" * 41)])
def test_a_round_or_table_with_too_long_a_name_is_refused(round_text: str, table: str) -> None:
    board = a_board()
    board.name_rounds([round_text])

    assert refusal(board, asked(round_text, table))[0] is SeatingCode.LABEL_TOO_LONG


@pytest.mark.parametrize("text", ["0", "000", "99999", "²"])
def test_what_is_no_number_of_a_round_is_its_name(text: str) -> None:
    board = a_board()
    board.name_rounds([text])

    assert board.seat(asked(text, "1")).seating.round == 1
    assert dict(board.labels) == {text: 1}
