"""The replay of a deal on the page: each step at once, and the one that is asked for shown."""

import pytest

from courtpiece.project.board import board_of
from courtpiece.project.styleguide import sample_replay


def test_before_the_first_card_nothing_lies_on_the_table() -> None:
    board = board_of(sample_replay(0))

    assert [trick.number for trick in board.tricks if trick.shown] == []
    assert [step.text for step in board.steps if step.shown] == ["Before the first card. North leads."]


def test_a_step_shows_the_trick_so_far_and_no_other() -> None:
    board = board_of(sample_replay(15))

    shown = [trick for trick in board.tricks if trick.shown]

    assert [trick.number for trick in shown] == [4]
    assert [play.card for play in shown[0].plays if play.shown] == ["C8", "C5", "C4"]


def test_cards_played_before_are_gone_and_the_one_played_now_is_marked() -> None:
    board = board_of(sample_replay(2))

    held = {card.card: card for place in board.places for _suit, cards in place.rows for card in cards}

    assert [name for name, card in held.items() if card.gone] == ["HT"]
    assert [name for name, card in held.items() if card.now] == ["H5"]


@pytest.mark.parametrize(("asked", "at"), [(-3, 0), (0, 0), (36, 36), (99, 36)])
def test_a_step_that_is_not_there_becomes_the_nearest(asked: int, at: int) -> None:
    assert board_of(sample_replay(asked)).at == at


def test_the_last_card_of_a_trick_says_who_takes_it() -> None:
    board = board_of(sample_replay(4))

    shown = next(step for step in board.steps if step.shown)

    assert shown.text.endswith("takes the trick.")
    assert (shown.ns, shown.ew) == (0, 1)


def test_a_card_taken_back_is_told() -> None:
    board = board_of(sample_replay(19))

    assert "Taken back before: Eight of Clubs." in next(step.text for step in board.steps if step.shown)


def test_every_seat_has_its_place_and_its_part() -> None:
    board = board_of(sample_replay(0))

    assert {place.seat: place.role for place in board.places} == {
        "N": "caller",
        "E": "dealer",
        "S": "",
        "W": "",
    }
