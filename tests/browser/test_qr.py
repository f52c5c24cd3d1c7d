"""QR codes that a page makes (static/js/qr.js): another maker's, module for module, and read back by the standard."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

import pytest
import segno
from playwright.sync_api import Browser
from segno import consts
from segno.encoder import evaluate_mask

from tests.browser.conftest import Complaints, Site
from tests.browser.qr_reader import Unreadable, text_of

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

URDU: Final = "بازی نمبر ۳: شمال۔جنوب نے سات ہاتھ جیتے ♠ रंग"
LETTERS: Final = f'abcXYZ019/#.-_ \n[]"♠♥♦♣🂡é{URDU}'
LEVELS: Final = {"L": consts.ERROR_LEVEL_L, "M": consts.ERROR_LEVEL_M}
VERSIONS: Final = range(1, 41)
MASKS: Final = range(8)
CAPACITY: Final[Any] = consts.SYMBOL_CAPACITY
PENALTY: Final[Any] = evaluate_mask
MOST_BYTES: Final = 2953
Makes = Callable[[list[dict[str, Any]]], list[Any]]
"""Makes codes, each as what is asked says: a text, and perhaps version, level and mask."""


@pytest.fixture(scope="module")
def makes(site: Site, browser: Browser) -> Iterator[Makes]:
    complaints = Complaints()
    context = browser.new_context(base_url=site.address)
    complaints.listen(context)
    page = context.new_page()
    page.goto("/accounts/login/")

    def make(asked: list[dict[str, Any]]) -> list[Any]:
        said = page.evaluate(
            """async (asked) => {
                const { qr } = await import("/static/js/qr.js");
                const rows = ({ modules }) => modules.map((row) => row.map((one) => (one ? "1" : "0")).join(""));
                return JSON.stringify(JSON.parse(asked).map(({ text, ...how }) => {
                    const code = qr(text, how);
                    return code && { ...code, modules: rows(code) };
                }));
            }""",
            json.dumps(asked),
        )
        found: list[Any] = json.loads(said)
        return found

    yield make
    context.close()
    assert complaints.lines == []


def bytes_in(version: int, level: str) -> int:
    """Return how many bytes a version holds: what is left of its bits after the mode and the count."""
    bits: int = CAPACITY[version][LEVELS[level]]
    return (bits - 4 - (8 if version <= 9 else 16)) // 8


def a_text(rng: Random, length: int) -> str:
    """Return a text of just so many bytes, in several scripts."""
    text = ""
    while left := length - len(text.encode()):
        letter = rng.choice(LETTERS)
        text += letter if len(letter.encode()) <= left else "x"
    return text


def as_rows(code: segno.QRCode) -> list[str]:
    return ["".join(map(str, row)) for row in code.matrix]


def test_every_version_level_and_mask_is_that_of_another_maker(makes: Makes) -> None:
    """The texts fill their codes: after a shorter one segno puts a byte too many before the padding."""
    rng = Random(18004)
    asked: list[dict[str, Any]] = [
        {"text": a_text(rng, bytes_in(version, level)), "version": version, "level": level, "mask": mask}
        for version in VERSIONS
        for level in LEVELS
        for mask in (MASKS if version <= 8 else [rng.randrange(8)])
    ]

    wanted = [
        as_rows(
            segno.make(
                one["text"],
                encoding="utf-8",
                mode="byte",
                version=one["version"],
                error=one["level"],
                mask=one["mask"],
                boost_error=False,
                micro=False,
            )
        )
        for one in asked
    ]

    assert [code["modules"] for code in makes(asked)] == wanted


def test_texts_of_any_length_are_read_back(makes: Makes) -> None:
    rng = Random(2015)
    lengths = [0, 1, 17, 18, *(rng.randrange(1, 900) for _text in range(40)), MOST_BYTES]
    texts = [*(a_text(rng, length) for length in lengths), URDU]

    codes = makes([{"text": text} for text in texts])

    assert [text_of(code["modules"]) for code in codes] == texts


def test_the_smallest_version_is_taken_and_the_better_level_where_it_fits(makes: Makes) -> None:
    found = makes([{"text": "x" * length} for length in (14, 15, 17, 18, 26, 27, MOST_BYTES)])

    assert [(code["version"], code["level"]) for code in found] == [
        (1, "M"), (1, "L"), (1, "L"), (2, "M"), (2, "M"), (2, "L"), (40, "L"),
    ]  # fmt: skip


def test_a_text_that_no_code_holds_gives_none(makes: Makes) -> None:
    asked: list[dict[str, Any]] = [
        {"text": "x" * (MOST_BYTES + 1)},
        {"text": "x" * 18, "version": 1},
        {"text": "é" * 60, "most": 5},
    ]

    assert makes(asked) == [None, None, None]


def test_the_mask_with_the_least_penalty_is_taken(makes: Makes) -> None:
    rng = Random(40)
    texts = [a_text(rng, rng.randrange(1, 300)) for _text in range(20)]

    chosen = makes([{"text": text} for text in texts])
    every = [makes([{"text": text, "mask": mask} for mask in MASKS]) for text in texts]
    least = [min(_penalty(code["modules"]) for code in codes) for codes in every]

    assert [_penalty(code["modules"]) for code in chosen] == least
    assert [code["modules"] for code in chosen] == [
        codes[code["mask"]]["modules"] for code, codes in zip(chosen, every, strict=True)
    ]


def _penalty(rows: list[str]) -> int:
    matrix = [bytearray(map(int, row)) for row in rows]
    penalty: int = PENALTY(matrix, len(rows), len(rows))
    return penalty


@pytest.mark.parametrize("place", [(8, 2), (12, 12), (24, 24)])
def test_the_reader_of_this_test_sees_a_module_that_is_wrong(makes: Makes, place: tuple[int, int]) -> None:
    (code,) = makes([{"text": "Rang", "version": 2}])
    row, column = place
    rows = [list(line) for line in code["modules"]]
    rows[row][column] = "0" if rows[row][column] == "1" else "1"

    with pytest.raises(Unreadable):
        text_of(["".join(line) for line in rows])
