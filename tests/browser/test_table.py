"""The page of a table on a phone: deals by three taps, without a network, and never lost."""

import json
import re
from http import HTTPStatus
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import NARROW, Complaints, Opens
from tests.browser.looking import Shape, faults_of
from tests.browser.steps import a_swiss, draw, go, publish

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

PHONE: Final[tuple[Shape, ...]] = ((NARROW, 740, "light"), (NARROW, 740, "dark"))
SMALL: Final = """[...document.querySelectorAll("[data-at] :is(button, summary)")].filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    return height && (height < 48 || width < 48);
}).map((one) => one.textContent)"""
TWELVE: Final = 12
SETTLED: Final = re.compile(r"^(All deals are recorded|No deals yet)\.$")


class Table:
    """A table with its link, made by the director on the pages."""

    def __init__(self, opens: Opens, name: str) -> None:
        self.opens = opens
        self.director = opens()
        self.slug = a_swiss(self.director, name=name, pairs=4)
        draw(self.director, self.slug, 1)
        publish(self.director, 1)
        self.director.goto(f"/tournaments/{self.slug}/manage/links/")
        go(self.director.get_by_role("button", name=re.compile("^Make the link")))
        self.link = self.links[0]

    @property
    def links(self) -> list[str]:
        found = self.director.locator("a[href*='/table/#']").all()
        return [address for one in found if (address := one.get_attribute("href"))]

    def change(self, what: str) -> None:
        """Press the button at the first table, and wait until that is done."""
        self.director.goto(f"/tournaments/{self.slug}/manage/links/")
        go(self.director.get_by_role("button", name=what, exact=True).first)

    def phone(self) -> Page:
        """Open the link on a phone without an account."""
        page = self.opens(is_director=False, width=NARROW)
        page.goto(self.link)
        expect(page.locator("[data-entry]")).to_be_visible()
        expect(net(page)).to_have_text(SETTLED)
        return page

    def recorded(self) -> list[str]:
        """Return the results on the public scoresheet, deal by deal."""
        visitor = self.opens(is_director=False)
        secret = self.link.split("#")[1]
        answer = visitor.request.get("/api/v1/table", headers={"Authorization": f"Table {secret}"})
        sheet = answer.json()["matches"][0]["scoresheet"]
        shown = visitor.request.get(f"/api/v1/scoresheets/{sheet}/deals")
        visitor.goto(f"/scoresheets/{sheet}/")
        deals = shown.json()["deals"]
        lines = visitor.locator(".table--ledger tbody th")
        expect(lines).to_have_text([re.compile(rf"\b{deal['number']}\b") for deal in deals])
        return [deal["record"]["tags"]["Result"] for deal in deals]


def net(page: Page) -> Locator:
    return page.locator("[data-net]")


def tap(page: Page, winner: str, award: str = "Win", lost: int | None = None) -> None:
    """Choose what became of a deal."""
    page.locator(f".choose--{winner}").click()
    if winner != "void":
        page.get_by_role("group", name="What was it?").get_by_role(
            "button", name=re.compile(f"^{award}")
        ).click()
    if lost is not None:
        tricks = page.get_by_role("group", name="Tricks of the losers")
        tricks.get_by_role("button", name=str(lost), exact=True).click()


def save(page: Page, number: int) -> None:
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("[data-says]")).to_have_text(f"Deal {number} is saved on this phone.")


ABOVE_THE_FOOT: Final = """() => {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    const foot = box(".entry__foot").top;
    const shown = ["[data-turn]", "[data-entry-title]", "[data-step=winner] button"].map(box);
    return shown.every(({ top, bottom }) => top >= 0 && bottom <= foot);
}"""
"""Whether it is seen which deal is next, whose it is, and the first choice."""


def states(page: Page) -> list[str]:
    """Return what is said of the deals, the newest first."""
    return page.locator("[data-deals] .at__state").all_inner_texts()


def forgive_no_network(complaints: Complaints) -> None:
    """Forget that the browser wrote down what it could not fetch while there was no network."""
    complaints.lines[:] = [line for line in complaints.lines if "net::ERR_INTERNET_DISCONNECTED" not in line]


def cut_off(page: Page) -> None:
    """Take the network from a phone that has the page, and from its service worker."""
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(offline=True)
    (worker,) = page.context.service_workers
    assert worker.evaluate("fetch('/healthz', { cache: 'no-store' }).then(() => false, () => true)")


def test_three_deals_are_entered_by_three_taps_each(opens: Opens) -> None:
    table = Table(opens, "Three taps")
    page = table.phone()
    expect(net(page)).to_have_text("No deals yet.")
    first = page.locator("[data-turn]").inner_text()
    dealer = re.findall(r"Deal 1: (\w+)", first)[0]
    dealers, callers = ("NS", "EW") if dealer in {"North", "South"} else ("EW", "NS")

    faults = faults_of(page, PHONE)
    tap(page, callers, lost=2)
    says = page.locator("[data-says]").inner_text()
    faults += faults_of(page, PHONE)
    small = page.evaluate(SMALL)
    page.set_viewport_size({"width": NARROW, "height": 640})
    save(page, 1)
    page.wait_for_function(ABOVE_THE_FOOT)
    tap(page, dealers, "Goon court")
    goon = page.locator("[data-says]").inner_text()
    save(page, 2)
    tap(page, "void")
    save(page, 3)
    expect(net(page)).to_have_text("All deals are recorded.")

    assert re.fullmatch(rf"\w+–\w+ win 7–2\. No court\. \w+–\w+ deal again: {dealer}\.", says)
    assert re.match(r"\w+–\w+ win 7–0\. Goon court: 1 for \w+–\w+\. \w+–\w+ deal: \w+\.", goon)
    assert table.recorded() == [f"{callers} 7-2", f"{dealers} 7-0 goon-court", "void"]
    assert states(page) == ["Recorded, revision 1"] * 3
    assert (faults + faults_of(page, PHONE), small) == ([], [])


def test_the_last_deal_is_entered_again(opens: Opens) -> None:
    table = Table(opens, "Entered again")
    page = table.phone()
    tap(page, "NS", lost=2)
    save(page, 1)
    expect(net(page)).to_have_text("All deals are recorded.")

    page.get_by_role("button", name="Enter it again").click()
    tap(page, "NS", lost=4)
    save(page, 1)
    expect(page.locator("[data-deals]")).to_contain_text("Recorded, revision 2")
    other = table.phone()
    expect(other.locator("[data-deals]")).to_contain_text("Corrected at the table, revision 2")

    assert table.recorded() == ["NS 7-4"]


def test_deals_without_a_network_outlive_the_page_and_arrive_once_each(
    opens: Opens, complaints: Complaints
) -> None:
    table = Table(opens, "Twelve offline")
    page = table.phone()
    context = page.context
    cut_off(page)
    for number in range(1, TWELVE + 1):
        tap(page, "NS" if number % 3 else "EW", lost=1 + number % 6)
        save(page, number)
    before = states(page)
    faults = faults_of(page, PHONE)
    text = page.locator("[data-last-text]").input_value()
    page.close()

    again = context.new_page()
    again.goto(table.link)
    expect(again.locator("[data-deals] .at__state--made")).to_have_count(TWELVE)
    before += states(again)
    tap(again, "NS", lost=1)
    save(again, TWELVE + 1)
    context.set_offline(offline=False)
    expect(again.locator("[data-deals] .at__state--recorded")).to_have_count(TWELVE + 1)
    forgive_no_network(complaints)

    assert before == ["On this phone only"] * TWELVE * 2
    assert text.count("[Result ") == TWELVE
    assert table.recorded() == [
        f"{'NS' if number % 3 else 'EW'} 7-{1 + number % 6}" for number in range(1, TWELVE + 1)
    ] + ["NS 7-1"]
    assert faults == []


def test_a_lost_answer_is_asked_for_again_with_the_same_id(opens: Opens, complaints: Complaints) -> None:
    table = Table(opens, "Lost answers")
    page = table.phone()
    sent: list[str] = []

    def lose(route: Route) -> None:
        body = json.loads(route.request.post_data or "")
        sent.append(body["items"][0]["operation_id"])
        if len(sent) > 1:
            route.continue_()
            return
        route.fetch()
        route.abort()

    page.route("**/api/v1/sync", lose)
    tap(page, "EW", lost=3)
    save(page, 1)
    expect(page.locator("[data-deals]")).to_contain_text("Sent, no answer yet")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("[data-deals]")).to_contain_text("Recorded, revision 1")
    complaints.lines[:] = [line for line in complaints.lines if "net::ERR_FAILED" not in line]

    assert len(sent) > 1
    assert len(set(sent)) == 1
    assert table.recorded() == ["EW 7-3"]


def test_two_phones_that_say_different_things_are_shown_both(opens: Opens, complaints: Complaints) -> None:
    table = Table(opens, "Two phones")
    one, other = table.phone(), table.phone()
    other.context.set_offline(offline=True)
    tap(other, "NS", lost=5)
    save(other, 1)
    tap(one, "NS", lost=4)
    save(one, 1)
    expect(net(one)).to_have_text("All deals are recorded.")

    other.context.set_offline(offline=False)
    issue = other.locator(".at__issue")
    expect(issue).to_contain_text("Recorded: North–South 7–4 (revision 1)")
    expect(issue).to_contain_text("On this phone: North–South 7–5")
    faults = faults_of(other, PHONE)
    stood = table.recorded()
    other.get_by_role("button", name="This phone is right").click()
    expect(other.locator("[data-deals]")).to_contain_text("revision 2")
    forgive_no_network(complaints)

    assert stood == ["NS 7-4"]
    assert table.recorded() == ["NS 7-5"]
    assert faults == []


def test_a_revoked_link_keeps_the_deals_for_the_next_one(opens: Opens, complaints: Complaints) -> None:
    table = Table(opens, "Revoked")
    page = table.phone()
    table.change("Revoke")
    tap(page, "NS", lost=6)
    save(page, 1)
    expect(page.get_by_role("alert")).to_contain_text("This link was revoked")
    complaints.forgive(HTTPStatus.UNAUTHORIZED)
    kept = states(page)
    faults = faults_of(page, PHONE)

    table.change("Make a link")
    table.link = table.links[0]
    page.goto(table.link)
    expect(page.locator("[data-deals]")).to_contain_text("Recorded, revision 1")
    complaints.forgive(HTTPStatus.UNAUTHORIZED)

    assert len(kept) == 1
    assert "Recorded" not in kept[0]
    assert table.recorded() == ["NS 7-6"]
    assert faults == []
