"""The drawings: what is in ``static/img`` is what the module draws."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from courtpiece.project import artwork

IMAGES = Path(artwork.__file__).resolve().parents[2] / "static" / "img"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("name", artwork.DRAWINGS)
def test_the_drawing_in_the_repository_is_the_one_that_is_drawn(name: str) -> None:
    assert (IMAGES / name).read_text(encoding="utf-8") == artwork.DRAWINGS[name]()


def test_every_card_of_the_pack_has_a_face_in_two_sizes() -> None:
    sheet = ET.fromstring(artwork.card_sheet())
    names = {symbol.get("id") for symbol in sheet.iter(f"{SVG}symbol")}
    pack = {suit + rank for suit in "SHDC" for rank in "AKQJT98765432"}

    assert names == pack | {f"s{card}" for card in pack} | {f"suit-{suit}" for suit in "SHDC"} | {"back"}


@pytest.mark.parametrize(("rank", "count"), [(str(n), n) for n in range(2, 10)] + [("T", 10)])
def test_a_spot_card_has_as_many_pips_as_its_rank(rank: str, count: int) -> None:
    places = artwork.pips_of(rank)

    assert len(set(places)) == count


@pytest.mark.parametrize("name", ["icons.svg", "mark.svg"])
def test_the_other_drawings_are_well_formed(name: str) -> None:
    assert ET.parse(IMAGES / name).getroot().tag == f"{SVG}svg"
