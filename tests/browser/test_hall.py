"""The big screen of the hall: it turns by itself, is held by a key, follows what falls, and can be read from afar."""

from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opens
from tests.browser.looking import Shape, faults_of
from tests.browser.steps import finish, type_results
from tests.browser.test_table import Table
from tournaments.operations.demonstration import EVENING, LEAGUE

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SCREENS: Final[tuple[Shape, ...]] = (
    (1920, 1080, "light"),
    (1920, 1080, "dark"),
    (1280, 720, "light"),
    (360, 740, "light"),
)
SMALL: Final = """[...document.querySelectorAll(".big__rows li > *")].filter((one) => one.checkVisibility() &&
    parseFloat(getComputedStyle(one).fontSize) < innerHeight * 0.0399).map((one) => one.className)"""
CUT_OFF: Final = """[...document.querySelectorAll(".big__name")].filter((one) => one.checkVisibility() &&
    one.scrollHeight > one.clientHeight + 2).map((one) => one.textContent)"""


def shown(page: Page) -> str:
    """Return which panel is on the screen; there is one."""
    (kind,) = page.locator("[data-panel]:visible").evaluate_all("all => all.map(one => one.dataset.panel)")
    return str(kind)


@pytest.mark.parametrize("panel", ["standings", "tables", "news", "next", "clock"])
def test_every_panel_can_be_read_by_everybody_and_from_afar(opens: Opens, panel: str) -> None:
    page = opens(is_director=False, width=1920)
    page.goto(f"/tournaments/{LEAGUE if panel in {'next', 'clock'} else EVENING}/hall/?panel={panel}")
    expect(page.locator("[data-live-state]")).to_have_text("Live")

    faults = faults_of(page, SCREENS)
    page.set_viewport_size({"width": 1920, "height": 1080})

    assert faults == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate(CUT_OFF) == []


def test_it_turns_by_itself_and_by_keys_and_is_held_by_the_space_bar(opens: Opens) -> None:
    page = opens(is_director=False)
    page.clock.install()
    page.goto(f"/tournaments/{EVENING}/hall/?panel=standings,news&seconds=10")
    expect(page.locator("[data-panel=standings]").first).to_be_visible()
    parts = page.locator("[data-panel]").count()

    for _part in range(parts - 1):
        page.clock.run_for(10_100)
    assert shown(page) == "news"
    page.keyboard.press("ArrowRight")
    assert shown(page) == "standings"
    page.keyboard.press("Space")
    page.clock.run_for(60_000)
    assert shown(page) == "standings"
    expect(page.get_by_role("button", name="Go on")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("ArrowLeft")
    assert shown(page) == "news"


def test_what_falls_at_a_table_stands_on_the_screen_without_a_reload(opens: Opens) -> None:
    table = Table(opens, "As they fall")
    screen = opens(is_director=False, width=1920)
    screen.goto(f"/tournaments/{table.slug}/hall/?panel=tables")
    expect(screen.locator("[data-live-state]")).to_have_text("Live")

    type_results(table.director, table.slug, 1, 1)
    finish(table.director)

    expect(screen.locator(".big__match").first).to_contain_text("finished")
    assert shown(screen) == "tables"
