"""The page of a table while its server is given another version: one whole version is shown, and no deal is lost."""

from collections.abc import Iterator
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, PATIENCE, Complaints, Opens, Site
from tests.browser.halls import Hall
from tests.browser.releases import Release, releases
from tests.browser.test_table import SETTLED, net, save, tap

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

NEWER: Final = "There is a newer version of this page."
SHOWN: Final = "[document.querySelector('[data-at]').dataset.version, ...(globalThis.ran ?? [])]"
"""The version of the page, and of which releases its scripts are."""
CACHES: Final = """async () => {
    const names = await caches.keys();
    return names.filter((name) => name.startsWith("courtpiece-table-")).join();
}"""
IS_KEPT: Final = """async () => {
    const one = await navigator.serviceWorker.getRegistration();
    const cache = await caches.open("courtpiece-table-0000000000000002");
    return one.installing === null && (await cache.match("/table/")) !== undefined;
}"""
"""Whether the second release's worker is there with its page."""
CONTROLLED: Final = "navigator.serviceWorker.controller !== null"
IDLE: Final = """async () => {
    const one = await navigator.serviceWorker.getRegistration();
    return one.installing === null && one.waiting === null;
}"""
FIVE_MINUTES: Final = 5 * 60_000 + 1000
"""After so long an open page looks whether there is a newer one."""


@pytest.fixture(params=[False, True], ids=["same addresses", "fingerprints"])
def release(site: Site, request: pytest.FixtureRequest) -> Iterator[Release]:
    """Return a server of the first release."""
    with releases(site.address, is_fingerprinted=request.param) as served:
        yield served


@pytest.fixture
def page(opens: Opens, hall: Hall, release: Release) -> Page:
    """Return the page of a table at which nothing was played, under the control of the first release's worker."""
    opened = opens(is_director=False, width=NARROW)
    opened.clock.install()
    secret = hall.next_link().split("#")[1]
    opened.goto(f"{release.address}/table/#{secret}")
    expect(opened.locator("[data-entry]")).to_be_visible()
    expect(net(opened)).to_have_text(SETTLED)
    until(opened, CONTROLLED, wanted=True)
    assert shown(opened) == whole(1)
    return opened


def whole(number: int) -> list[str]:
    """Return what is shown where everything is of one release."""
    return [f"{number:016x}", str(number)]


def shown(page: Page) -> list[str]:
    found: list[str] = page.evaluate(SHOWN)
    return found


def until(page: Page, script: str, *, wanted: object) -> None:
    """Wait until a script that takes its time returns what is wanted."""
    found = None
    for _ in range(PATIENCE // 50):
        if (found := page.evaluate(script)) == wanted:
            return
        page.wait_for_timeout(50)
    assert found == wanted


def has_taken_over(page: Page, number: int) -> None:
    """Wait until only what a release's worker keeps is there."""
    until(page, CACHES, wanted=f"courtpiece-table-{number:016x}")


def kept(page: Page, count: int) -> None:
    """Wait until so many deals are shown that are not known to be recorded."""
    expect(page.locator("[data-deals] .at__state:not(.at__state--recorded)")).to_have_count(count)


def recorded(page: Page, count: int) -> None:
    expect(page.locator("[data-deals] .at__state--recorded")).to_have_count(count)
    expect(net(page)).to_have_text(SETTLED)


def enter(page: Page, number: int) -> None:
    tap(page, "NS", lost=number)
    save(page, number)


@pytest.fixture(autouse=True)
def _network_is_lost(complaints: Complaints) -> Iterator[None]:
    """Forget that the browser wrote down what it could not fetch, once the page is closed."""
    yield
    complaints.lines[:] = [line for line in complaints.lines if "net::ERR_" not in line]


def test_an_open_page_is_told_and_loads_the_newer_one_with_its_deals(page: Page, release: Release) -> None:
    page.context.set_offline(offline=True)
    enter(page, 1)
    release.number = 2
    page.context.set_offline(offline=False)
    recorded(page, 1)
    release.cut = lambda path: path == "/api/v1/sync"
    enter(page, 2)
    page.clock.fast_forward(FIVE_MINUTES)
    expect(page.get_by_text(NEWER)).to_be_visible()
    has_taken_over(page, 2)
    before = shown(page)

    page.get_by_role("button", name="Load it").click()
    expect(page.get_by_text(NEWER)).to_be_hidden()
    kept(page, 1)
    after = shown(page)
    release.cut = lambda _path: False
    page.evaluate("dispatchEvent(new Event('online'))")
    recorded(page, 2)

    assert (before, after) == (whole(1), whole(2))


def test_what_was_installed_while_the_page_was_open_opens_without_a_network(
    page: Page, release: Release
) -> None:
    release.number = 2
    page.clock.fast_forward(FIVE_MINUTES)
    has_taken_over(page, 2)
    page.context.set_offline(offline=True)
    enter(page, 1)
    page.get_by_role("button", name="Load it").click()
    expect(page.get_by_text(NEWER)).to_be_hidden()
    kept(page, 1)
    without_network = shown(page)
    page.context.set_offline(offline=False)
    recorded(page, 1)

    assert without_network == whole(2)


def test_a_network_lost_while_a_worker_is_installed_leaves_the_old_one_whole(
    page: Page, release: Release
) -> None:
    release.number = 2
    release.cut = lambda path: path.endswith("/js/laws/deal.js")
    page.clock.fast_forward(FIVE_MINUTES)
    expect(page.get_by_text(NEWER)).to_be_visible()
    until(page, IDLE, wanted=True)
    page.context.set_offline(offline=True)
    enter(page, 1)
    page.reload()
    kept(page, 1)
    without_network = shown(page)

    release.cut = lambda _path: False
    page.context.set_offline(offline=False)
    recorded(page, 1)
    page.reload()
    recorded(page, 1)
    # The browser lets it take over at once, or when it is sure that the old one has nothing more to do: within minutes.
    until(page, IS_KEPT, wanted=True)

    assert (without_network, shown(page)) == (whole(1), whole(2))


def test_a_network_lost_between_a_newer_page_and_its_scripts_shows_the_old_whole(
    page: Page, release: Release
) -> None:
    release.cut = lambda path: path.startswith("/api/")
    enter(page, 1)
    release.number = 2
    release.cut = lambda path: path != "/table/"
    page.reload(wait_until="commit")
    kept(page, 1)
    lost = shown(page)
    enter(page, 2)

    release.cut = lambda _path: False
    page.reload()
    recorded(page, 2)

    assert (lost, shown(page)) == (whole(1), whole(2))


def test_a_file_that_a_newer_page_lacks_is_never_taken_from_the_old_one(page: Page, release: Release) -> None:
    """The style sheet of the print alone is lost: what is shown is whole, and what is shown next is the new one."""
    release.number = 2
    release.cut = lambda path: path.endswith("/css/print.css")
    page.reload(wait_until="commit")
    expect(page.locator("[data-entry]")).to_be_visible()
    enter(page, 1)
    lost = shown(page)

    release.cut = lambda _path: False
    page.reload()
    recorded(page, 1)

    assert lost in (whole(1), whole(2))
    assert shown(page) == whole(2)
