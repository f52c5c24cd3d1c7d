"""The replay of a deal on the page: each step at once, and the one that is asked for shown."""

import re
from dataclasses import replace

import pytest
from django.template import RequestContext, Template
from django.test import RequestFactory

from courtpiece.notation import read
from courtpiece.project.board import Board, board_of
from courtpiece.project.styleguide import sample_replay
from scoring.replays import replay_of
from tests.scoring.test_replay_golden import golden


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

    held = {card.card: card for place in board.places for row in place.rows for card in row.cards}

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


def board_at(case: str, number: int, at: int) -> Board:
    """Return the board of a golden deal at a step."""
    return board_of(replace(golden(case, number), at=at))


def page_at(case: str, number: int, at: int, template: str = "{% load cp %}{% board replay %}") -> str:
    return Template(template).render(
        RequestContext(RequestFactory().get("/"), {"replay": replace(golden(case, number), at=at)})
    )


def hidden_parts(page: str, tag: str) -> list[str]:
    return re.findall(rf"<{tag}[^>]* data-(?:from|until)[^>]* hidden[^>]*>", page)


def test_trump_is_told_from_the_step_at_which_everybody_knows_it() -> None:
    replay = golden("000003", 1)

    spells = board_of(replay).spells

    assert [(one.first, one.after, one.suit, one.covered) for one in spells] == [
        (0, replay.revealed, "", True),
        (replay.revealed, len(replay.plays) + 1, replay.indicator[0], False),
    ]
    assert [one.shown for one in spells] == [True, False]


def test_a_trump_that_is_known_from_the_start_is_told_once() -> None:
    assert [(one.first, one.suit) for one in board_at("000007", 2, 0).spells] == [(0, "D")]


def test_a_covered_card_is_out_of_its_hand_until_it_is_turned_up() -> None:
    replay = golden("000003", 1)
    before, after = (page_at("000003", 1, at) for at in (replay.revealed - 1, replay.revealed))

    assert len(hidden_parts(before, "span")) == 1
    assert hidden_parts(before, "p") == []
    assert hidden_parts(after, "span") == []
    assert len(hidden_parts(after, "p")) == 1


def test_a_suit_whose_only_card_lies_face_down_looks_like_one_that_is_not_held() -> None:
    text = (
        '[Deal "1"]\n[Rules "hidden-trump"]\n[Dealer "E"]\n'
        '[Hands "N:KQJT98765432.A.. W:.KQJT98765432.A. S:..KQJT98765432.A E:A...KQJT98765432"]\n'
        '[Trump "H hidden HA"]\n[Result "void"]\n\n1. SK ^H2\n*\n'
    )
    record = next(read(text)).record
    assert record is not None

    place = next(
        place
        for place in board_of(replay_of(record, record.finding(), names={}, at=0)).places
        if place.seat == "N"
    )

    assert [(row.suit, row.is_void) for row in place.rows] == [
        ("S", False),
        ("H", True),
        ("D", True),
        ("C", True),
    ]


def test_all_tricks_stand_in_a_table_with_the_seats_in_their_turn() -> None:
    page = page_at("000003", 1, 0, "{% load cp %}{% trick_table replay %}")

    rows = re.findall(r"<tr[^>]*>(.+?)</tr>", page, re.DOTALL)
    heads = re.findall(r'<abbr class="seat[^>]*>([NESW])</abbr>', rows[0])

    assert heads == ["N", "W", "S", "E"]
    assert len([row for row in rows if 'scope="row"' in row]) == 8
    assert "S revoked with S6: the revoke is established." in page
    assert page.count('class="bad"') == 1


def test_a_pile_has_its_place_only_where_tricks_are_gathered() -> None:
    assert 'data-count="pile">6<' in page_at("000007", 2, 24)
    assert 'data-count="pile"' not in page_at("000002", 1, 4)
