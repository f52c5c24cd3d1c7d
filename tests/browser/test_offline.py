"""An evening without a network: twenty deals in three ways of entry, the browser closed and opened again in between."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.chromium import ARGUMENTS, chromium
from tests.browser.conftest import NARROW, PATIENCE, Complaints, Opens, Site
from tests.browser.entering import drafted, forgive_no_network, press, save, tap, way
from tests.browser.test_table import Table
from tests.browser.test_table import tap as tap_result

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TWENTY: Final = 20
TRICKS: Final = ("EW 7-2", "NS 7-2")
RANKS: Final = "AKQJT98765432"
COURT: Final = " ".join(f"{suit}{rank}" for rank in RANKS for suit in "SHDC")
"""A deal in which the caller has all spades, makes them trump, and takes every trick."""
FIRST_SEVEN: Final = COURT[: 7 * 12 - 1]


@contextmanager
def a_phone(
    browser: Browser, site: Site, folder: Path, heard: Complaints, *, offline: bool
) -> Iterator[Page]:
    """Start a browser of its own on what a phone keeps in the folder, and close it as if its battery ended."""
    context: BrowserContext = browser.browser_type.launch_persistent_context(
        folder,
        executable_path=chromium(),
        args=list(ARGUMENTS),
        base_url=site.address,
        viewport={"width": NARROW, "height": 640},
        offline=offline,
        reduced_motion="reduce",
        locale="en-GB",
    )
    context.set_default_timeout(PATIENCE)
    heard.listen(context)
    yield context.pages[0]
    context.close()


def by_results(page: Page, count: int) -> None:
    way(page, "Result")
    for lost in range(1, count + 1):
        tap_result(page, "NS" if lost % 2 else "EW", lost=lost)
        save(page)


def by_tricks(page: Page, count: int) -> None:
    way(page, "Tricks")
    for number in range(count):
        press(page, *[f"won-{seat}" for seat in ("NESNSNESN" if number % 2 else "EWENWEWSE")])
        save(page)


def by_cards(page: Page, count: int) -> None:
    way(page, "Cards")
    for _number in range(count):
        press(page, "known-nothing", "method-announced", "suit-S")
        tap(page, FIRST_SEVEN)
        press(page, "carries")
        tap(page, COURT[len(FIRST_SEVEN) + 1 :])
        save(page)


def until_the_battery_ends(page: Page, link: str) -> None:
    """Open the link with a network, and enter eleven deals and half of one without."""
    page.goto(link)
    expect(page.locator("[data-entry]")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(offline=True)
    by_results(page, 6)
    by_tricks(page, 4)
    by_cards(page, 1)
    press(page, "known-nothing", "method-announced", "suit-S")
    tap(page, FIRST_SEVEN)
    expect(page.get_by_role("group", name="Carry on for 52?")).to_be_visible()
    drafted(page)


def with_another_battery(page: Page) -> None:
    """Go on where it ended, still without a network."""
    page.goto("/table/")
    expect(page.locator("[data-event]")).to_contain_text("Deal 12 was half entered")
    expect(page.locator("[data-deals] .at__state--made")).to_have_count(11)
    press(page, "carries")
    tap(page, COURT[len(FIRST_SEVEN) + 1 :])
    save(page)
    by_cards(page, 1)
    by_tricks(page, 3)
    by_results(page, 4)
    expect(page.locator("[data-deals] .at__state--made")).to_have_count(TWENTY)


def test_twenty_deals_in_three_ways_outlive_the_browser_and_arrive_once_each(
    opens: Opens, site: Site, browser: Browser, complaints: Complaints, tmp_path: Path
) -> None:
    table = Table(opens, "Twenty offline")
    with a_phone(browser, site, tmp_path, complaints, offline=False) as page:
        until_the_battery_ends(page, table.link)
    with a_phone(browser, site, tmp_path, complaints, offline=True) as page:
        with_another_battery(page)
    with a_phone(browser, site, tmp_path, complaints, offline=False) as page:
        page.goto("/table/")
        expect(page.locator("[data-deals] .at__state--recorded")).to_have_count(TWENTY)
        expect(page.locator("[data-net]")).to_have_text("All deals are recorded.")
    forgive_no_network(complaints)

    results = table.recorded()
    assert results[:10] == ["NS 7-1", "EW 7-2", "NS 7-3", "EW 7-4", "NS 7-5", "EW 7-6", *TRICKS, *TRICKS]
    assert [result[3:] for result in results[10:13]] == ["13-0 bavney"] * 3
    assert results[13:] == [*TRICKS, "EW 7-2", "NS 7-1", "EW 7-2", "NS 7-3", "EW 7-4"]
