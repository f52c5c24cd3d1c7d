"""A slip keyed by keyboard alone: few keys a deal, the echo at once, and the next slip."""

import re
from http import HTTPStatus
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Complaints, Opens
from tests.browser.looking import SHAPES, Shape, faults_of
from tests.browser.steps import a_swiss, draw, publish

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TWENTY: Final = (
    "n4",
    "e3",
    "n5",
    "ec",
    "n2",
    "n6",
    "e4",
    "nb",
    "e1",
    "-",
    "n3",
    "e7-3",
    "er5-2",
    *["n4"] * 7,
)
"""The lines of a slip; the last seven are a run. Its page begins with fourteen rows."""
BOTH: Final[tuple[Shape, ...]] = (*SHAPES, (1280, 800, "dark"), (360, 740, "light"))


class Keyboard:
    """A keyboard that counts its keys."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.pressed += 1

    def line(self, text: str) -> None:
        self.press(*text, "Enter")


def code_of(page: Page) -> str:
    """Return the check code of the first slip that is not in, small and without its hyphen."""
    return page.locator(".code__letters").first.inner_text().replace("-", "").lower()


def courts_of(page: Page, number: int) -> tuple[str, str]:
    """Return the courts of the match after a deal, as the page says them beside its keys."""
    total = page.locator(f"#says-{number} .line__total .score")
    expect(total).to_be_visible()
    ns, ew = total.inner_text().split("–")
    return ns, ew


def key_deals(page: Page, keyboard: Keyboard) -> int:
    """Key the twenty deals, and return how many keys that took."""
    before = keyboard.pressed
    for number, keys in enumerate(TWENTY, start=1):
        expect(page.get_by_label(f"Deal {number}", exact=True)).to_be_focused()
        keyboard.line(keys)
    return keyboard.pressed - before


def key_totals(keyboard: Keyboard, ns: str, ew: str) -> None:
    """Key the courts, leave the deals won empty, and save."""
    keyboard.line(ns)
    keyboard.line(ew)
    keyboard.press("Enter", "Enter")


def test_a_slip_of_twenty_deals_is_keyed_with_few_keys(opens: Opens, complaints: Complaints) -> None:
    page = opens()
    slug = a_swiss(page, name="Twenty deals", pairs=4)
    draw(page, slug, 1)
    publish(page, 1)
    page.goto(f"/tournaments/{slug}/manage/slips/")
    keyboard, code = Keyboard(page), code_of(page)
    expect(page.get_by_label("Check code of the slip")).to_be_focused()
    faults = faults_of(page, BOTH)

    keyboard.line(code)
    keys = key_deals(page, keyboard)
    ns, ew = courts_of(page, len(TWENTY))
    expect(page.locator("[data-said]")).not_to_be_empty()
    faults += faults_of(page, BOTH)
    keyboard.press("Enter")
    key_totals(keyboard, str(int(ns) + 1), ew)
    expect(page.get_by_text(re.compile("the slip says .*, the deals come to"))).to_be_visible()
    expect(page.get_by_label("Courts N–S")).to_be_focused()
    faults += faults_of(page, BOTH)
    key_totals(keyboard, ns, ew)

    expect(page.get_by_text("20 deals are saved, and the totals agree.")).to_be_visible()
    expect(page.get_by_label("Check code of the slip")).to_be_focused()
    assert keys < 4 * len(TWENTY)
    assert faults == []
    complaints.forgive(HTTPStatus.UNPROCESSABLE_ENTITY)
