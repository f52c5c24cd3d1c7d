"""The picture of a deal: it stands alone, shows what lies where, and says what there is where there are no cards."""

import re
from dataclasses import replace
from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest

from courtpiece.accounts.permissions import ANONYMOUS
from courtpiece.project.picture import HEIGHT, WIDTH, picture_of
from scoring import queries
from scoring.models import Scoresheet
from scoring.pictures import Picture
from scoring.queries import DealPosition
from tests.scoring.builders import AT, a_club, a_full_record, a_record, a_sheet_with, the_deal
from tests.scoring.test_replay_golden import golden

pytestmark = pytest.mark.django_db

SVG = "{http://www.w3.org/2000/svg}"


def a_position(text: str, at: int = 99) -> DealPosition:
    sheet = a_sheet_with(a_club(), [text])
    return queries.deal_position(the_deal(sheet, 1).uid, actor=ANONYMOUS, at=at)


def drawn(position: DealPosition) -> ET.Element:
    return ET.fromstring(picture_of(position))


def lying(picture: ET.Element) -> list[tuple[str | None, str | None]]:
    return [(one.get("data-seat"), one.get("data-card")) for one in picture.iter() if one.get("data-card")]


def words_of(picture: ET.Element) -> list[str]:
    return ["".join(text.itertext()) for text in picture.iter(f"{SVG}text")]


def test_the_last_trick_lies_in_the_centre_of_the_final_position() -> None:
    picture = drawn(a_position(a_full_record()))

    assert lying(picture) == [("W", "HA"), ("S", "H2"), ("E", "H8"), ("N", "H6")]
    assert picture.get("aria-label") == "Deal 1: Asif Khan & Bilal Shah – Chand Rao & Dev Patel, EW 7–2"
    assert words_of(picture)[:4] == ["Deal 1", "Tuesday Rang · round 1 · table 5", "EW 7–2", "Courtpiece"]


@pytest.mark.parametrize(("at", "cards"), [(0, []), (2, ["HT", "H5"]), (5, ["C9"])])
def test_a_picture_shows_the_step_that_is_asked_for(at: int, cards: list[str]) -> None:
    assert [card for _seat, card in lying(drawn(a_position(a_full_record(), at)))] == cards


def test_a_picture_fetches_nothing_and_needs_no_style_or_script() -> None:
    text = picture_of(a_position(a_full_record()))

    assert re.findall(r'(?:href|src)="(?!#)', text) == []
    assert re.findall(r"<style|<script|style=|<image|url\((?!#)", text) == []


def test_every_card_that_lies_there_is_drawn_in_the_picture_itself() -> None:
    picture = drawn(a_position(a_full_record()))
    drawings = {one.get("id") for one in picture.iter()}

    assert {f"#{name}" for name in drawings if name} >= {
        one.get("href") for one in picture.iter(f"{SVG}use") if one.get("href")
    }


def test_a_covered_trump_card_is_a_back_and_in_no_hand() -> None:
    replay = golden("000003", 1)
    position = a_position(a_full_record())

    covered, turned = (
        drawn(replace(position, replay=replace(replay, at=at)))
        for at in (replay.revealed - 1, replay.revealed)
    )

    backs = [
        [one for one in each.iter(f"{SVG}use") if one.get("href") == "#back"] for each in (covered, turned)
    ]
    assert [len(found) for found in backs] == [1, 0]
    assert "Trump lies face down." in words_of(covered)
    assert "Trump: Clubs" in words_of(turned)


def test_tricks_without_cards_are_told_by_who_won_them() -> None:
    picture = drawn(a_position(a_record(1, result="", more='[Tricks "E E E E E E E"]')))

    assert "Recorded trick by trick, without cards." in words_of(picture)
    assert lying(picture) == []


def test_a_result_alone_is_told_as_one() -> None:
    assert "Only the result was recorded." in words_of(drawn(a_position(a_record(1))))


def test_cards_that_are_held_back_are_told_with_their_time() -> None:
    sheet = a_sheet_with(a_club(), [a_full_record()])
    Scoresheet.objects.update(cards_delay=timedelta(minutes=5))

    position = queries.deal_position(the_deal(sheet, 1).uid, actor=ANONYMOUS, at=9, now=AT)

    assert position.replay is None
    assert [text for text in words_of(drawn(position)) if text.startswith("The cards are shown from")]
    assert "H" not in {one.get("data-card", "")[:1] for one in drawn(position).iter()}


@pytest.mark.parametrize(
    ("name", "font"),
    [
        ("عمران خان", "Noto Naskh Arabic"),
        ("राम सिंह", "Noto Sans Devanagari"),
        ("গৌরী", "Noto Sans Bengali"),
    ],
)
def test_a_name_is_set_with_a_font_that_has_its_letters(name: str, font: str) -> None:
    position = a_position(a_full_record())
    hands = position.replay.hands if position.replay is not None else ()
    named = tuple(replace(hand, name=name) for hand in hands)
    assert position.replay is not None

    picture = drawn(replace(position, replay=replace(position.replay, hands=named)))

    fonts = {span.get("font-family", "").partition(",")[0] for span in picture.iter(f"{SVG}tspan")}
    assert fonts == {font}
    assert words_of(picture).count(name) == 4


def test_a_name_that_looks_like_markup_stays_a_name() -> None:
    position = a_position(a_full_record())
    assert position.replay is not None
    hands = tuple(replace(hand, name='<a href="x">&') for hand in position.replay.hands)

    picture = drawn(replace(position, replay=replace(position.replay, hands=hands)))

    assert words_of(picture).count('<a href="x">&') == 4


def test_the_same_picture_is_had_in_pixels() -> None:
    png = Picture(picture_of(a_position(a_full_record()))).png()

    width, height = (int.from_bytes(png[at : at + 4]) for at in (16, 20))
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    assert (width, height) == (WIDTH, HEIGHT)
    assert len(png) > 15_000


def test_another_picture_is_never_given_for_the_one_before() -> None:
    position = a_position(a_full_record())
    assert position.replay is not None
    first, second = (
        Picture(picture_of(replace(position, replay=replace(position.replay, at=at)))) for at in (1, 2)
    )

    assert first.png() != second.png()
    assert first.png() == Picture(first.svg).png()
