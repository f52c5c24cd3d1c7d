"""A phone at a table of any rules, with no network, and what it keeps.

The page and its scripts are the site's. The table alone is not: it is the example that the API's documentation gives,
under the rules of the test, so that no tournament has to be drawn for it.
"""

import copy
import json
from typing import Any, Final

from playwright.sync_api import Page, expect

from courtpiece import check
from tests.browser.conftest import NARROW, Complaints, Opens
from tests.browser.looking import Shape
from tournaments.api.examples import TABLE

PHONE: Final[tuple[Shape, ...]] = ((NARROW, 640, "light"), (NARROW, 640, "dark"))
SECRET: Final = "A" * 43
SMALL: Final = """[...document.querySelectorAll("[data-entry] button")].filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    return height && (height < 40 || width < 40);
}).map((one) => one.textContent)"""
"""What is smaller than a fingertip: forty pixels are nine millimetres on a cheap phone."""
PALE: Final = """() => {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const light = (colour) => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        const [r, g, b, a] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
        const part = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
        return { a, l: 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b) };
    };
    const behind = (one) => {
        for (let at = one; at; at = at.parentElement) {
            const found = light(getComputedStyle(at).backgroundColor);
            if (found.a === 1) return found.l;
        }
        return 1;
    };
    const main = ".whose strong, .tap:not(.is-dim, .is-gone) b, .won strong, .count b, .entry__event, .entry__says, "
        + ".choose > span:not(.seat)";
    return [...document.querySelectorAll(main)].filter((one) => one.getBoundingClientRect().height).filter((one) => {
        const [ink, paper] = [light(getComputedStyle(one).color).l, behind(one)];
        return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05) < 7;
    }).map((one) => one.className + one.textContent);
}"""
"""The main text of an entry that is hard to read in the sun."""


def a_table(rules: str, dealer: str) -> dict[str, Any]:
    """Return what the API says of a table at which no deal was entered."""
    table: dict[str, Any] = copy.deepcopy(dict(TABLE))
    table["tournament"]["confirmation"] = False
    (match,) = table["matches"]
    match.update(rules=rules, first_dealer=dealer, next_dealer=dealer, deals=[], agreed=None)
    for side in ("ns", "ew"):
        match[side].update(courts=0, run=0, deals_won=0)
    return table


def phone(
    opens: Opens,
    rules: str = "court-piece",
    *,
    dealer: str = "E",
    width: int = NARROW,
    agreed: int | None = None,
) -> Page:
    """Open the page of a table under the rules, then take the network away."""
    page = opens(is_director=False, width=width)
    table = a_table(rules, dealer)
    if agreed:
        table["matches"][0]["agreed"] = {"kind": "deals", "amount": agreed}
    body = json.dumps(table)
    page.route("**/api/v1/table?*", lambda route: route.fulfill(body=body, content_type="application/json"))
    page.goto(f"/table/#{SECRET}")
    expect(page.locator("[data-entry]")).to_be_visible()
    expect(page.locator("[data-net]")).to_have_text("No deals yet.")
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(offline=True)
    return page


def drafted(page: Page) -> None:
    """Wait until the deal that is half entered is on the phone's disk, as far as it is entered."""
    page.evaluate("import('/static/js/table/drafts.js').then(({ draftOf }) => draftOf('')).then(() => true)")


def forgive_no_network(complaints: Complaints) -> None:
    """Forget that the browser wrote down what it could not fetch while there was no network."""
    complaints.lines[:] = [line for line in complaints.lines if "net::ERR_INTERNET_DISCONNECTED" not in line]


def press(page: Page, *keys: str) -> None:
    """Press buttons of the entry, one after the other, by what they do."""
    for key in keys:
        page.locator(f"[data-entry] [data-key='{key}']").click()


def way(page: Page, name: str) -> None:
    """Choose a way of entry."""
    page.locator("[data-ways]").get_by_role("button", name=name, exact=True).click()


def tap(page: Page, cards: str) -> None:
    """Tap cards, one after the other, wherever on the page they are."""
    page.evaluate(
        """(cards) => cards.split(" ").forEach((card) => {
            const found = document.querySelector(`[data-card="${card}"]`);
            if (!found) throw new Error(`${card} is not shown`);
            found.click();
        })""",
        cards,
    )


HEARD: Final = """(one) => {
    const copy = one.cloneNode(true);
    copy.querySelectorAll("[aria-hidden]").forEach((silent) => silent.remove());
    return copy.textContent.replace(/\\s+/g, " ").trim();
}"""


def said(page: Page) -> str:
    """Return what is heard of what the deal comes to."""
    return str(page.locator("[data-says]").evaluate(HEARD))


def happened(page: Page) -> str:
    """Return what is heard of what has happened."""
    return str(page.locator("[data-event]").evaluate(HEARD))


def save(page: Page) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("[data-says]")).to_contain_text("is saved on this phone.")


def kept(page: Page) -> list[dict[str, Any]]:
    """Return what the engine finds in the deals that the phone keeps."""
    text = page.locator("[data-last-text]").input_value()
    return [dict(line) for line in check(text) if line["type"] == "deal"]


def text_of(page: Page) -> str:
    """Return the deals that the phone keeps, as text."""
    return page.locator("[data-last-text]").input_value()
