"""What goes wrong around a phone at a table, and what becomes of its deals: nothing is lost and nothing doubled."""

import json
import re
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import NARROW, Complaints, Opens
from tests.browser.halls import Hall
from tests.browser.looking import faults_of
from tests.browser.test_table import PHONE, SETTLED, cut_off, forgive_no_network, net, save, states, tap

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SYNC: Final = "**/api/v1/sync"
YEAR: Final = timedelta(days=365)
NO_ROOM: Final = """
    const { add, put } = IDBObjectStore.prototype;
    const full = () => { throw new DOMException("there is no room", "QuotaExceededError"); };
    Object.assign(IDBObjectStore.prototype, { add: full, put: full });
    globalThis.freeRoom = () => Object.assign(IDBObjectStore.prototype, { add, put });
    true;
"""
LOOK: Final = "dispatchEvent(new Event('online'))"
"""Makes a page exchange with the server now, and not in some seconds."""


class Phone:
    """A phone at a table of its own."""

    def __init__(self, opens: Opens, link: str, *, script: str = "") -> None:
        self.page: Page = opens(is_director=False, width=NARROW)
        self.link = link
        if script:
            self.page.add_init_script(script)
        self.open()

    def open(self) -> None:
        self.page.goto(self.link)
        expect(self.page.locator("[data-entry]")).to_be_visible()
        self.is_done()

    def enter(self, *losts: int, first: int = 1) -> None:
        """Enter deals that North-South win, each with so many tricks of the losers."""
        for number, lost in enumerate(losts, start=first):
            tap(self.page, "NS", lost=lost)
            save(self.page, number)

    def is_done(self) -> None:
        """Wait until everything is recorded."""
        expect(net(self.page)).to_have_text(SETTLED)

    def recorded(self) -> list[str]:
        """Return the results that the server has, deal by deal, each with its revision where that is not the first."""
        secret = self.link.split("#")[1]
        answer = self.page.request.get("/api/v1/table", headers={"Authorization": f"Table {secret}"})
        deals = answer.json()["matches"][0]["deals"]
        return [
            re.findall(r'\[Result "(.*)"\]', deal["pcn"])[0] + ("" if deal["revision"] == 1 else " again")
            for deal in deals
        ]


@pytest.fixture
def phone(opens: Opens, hall: Hall) -> Phone:
    return Phone(opens, hall.next_link())


def forgive(complaints: Complaints, *parts: str) -> None:
    complaints.lines[:] = [line for line in complaints.lines if not any(part in line for part in parts)]


# -- the phone itself


def test_a_full_disk_without_a_network_keeps_the_deal_on_the_page_and_hands_it_on(
    phone: Phone, complaints: Complaints
) -> None:
    page = phone.page
    cut_off(page)
    phone.enter(2)
    page.evaluate(NO_ROOM)
    tap(page, "NS", lost=3)
    page.get_by_role("button", name="Save", exact=True).click()
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("There is no room on this phone to keep these deals: 2.")
    expect(page.locator("[data-code] svg")).to_be_visible()
    text = page.locator("[data-last-text]").input_value()
    shown = states(page)
    faults = faults_of(page, PHONE)

    page.evaluate("freeRoom()")
    page.evaluate(LOOK)
    expect(alert).to_be_hidden()
    page.reload()
    expect(page.locator("[data-deals] .at__state--made")).to_have_count(2)
    page.context.set_offline(offline=False)
    phone.is_done()
    forgive_no_network(complaints)

    assert re.findall(r'\[Result "(.*)"\]', text) == ["NS 7-2", "NS 7-3"]
    assert shown == ["On this phone only"] * 2
    assert phone.recorded() == ["NS 7-2", "NS 7-3"]
    assert faults == []


def test_with_a_network_a_full_disk_does_not_matter(phone: Phone) -> None:
    page = phone.page
    page.evaluate(NO_ROOM)
    for count, lost in enumerate((2, 3), start=1):
        tap(page, "NS", lost=lost)
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.locator("[data-deals] .at__state--recorded")).to_have_count(count)

    expect(page.get_by_role("alert")).to_be_hidden()
    assert phone.recorded() == ["NS 7-2", "NS 7-3"]


def test_storage_that_is_cleared_under_the_page_is_filled_again(phone: Phone, complaints: Complaints) -> None:
    page = phone.page
    cut_off(page)
    phone.enter(2, 3)
    page.evaluate(
        "new Promise((done) => (indexedDB.deleteDatabase('courtpiece-table').onsuccess = () => done(true)))"
    )
    phone.enter(4, first=3)
    page.reload()
    expect(page.locator("[data-deals] .at__state--made")).to_have_count(3)
    page.context.set_offline(offline=False)
    phone.is_done()
    forgive_no_network(complaints)

    assert phone.recorded() == ["NS 7-2", "NS 7-3", "NS 7-4"]


def test_a_window_that_keeps_nothing_takes_no_deal(opens: Opens, hall: Hall) -> None:
    page = opens(is_director=False, width=NARROW)
    page.add_init_script(
        "IDBFactory.prototype.open = () => { throw new DOMException('private', 'InvalidStateError'); }"
    )
    page.goto(hall.next_link())

    expect(page.get_by_role("alert")).to_contain_text("This browser keeps nothing (is it a private window?)")
    expect(page.locator("[data-entry]")).to_be_hidden()
    assert faults_of(page, PHONE) == []


@pytest.mark.parametrize("wrong", [YEAR, -YEAR], ids=["fast", "slow"])
def test_a_clock_that_is_wrong_by_a_year_changes_nothing(
    phone: Phone, complaints: Complaints, wrong: timedelta
) -> None:
    page = phone.page
    page.clock.set_fixed_time(datetime.now(UTC) + wrong)
    cut_off(page)
    phone.enter(2)
    page.clock.set_fixed_time(datetime.now(UTC))
    phone.enter(3, first=2)
    page.clock.set_fixed_time(datetime.now(UTC) - wrong)
    phone.enter(4, first=3)
    page.context.set_offline(offline=False)
    phone.is_done()
    page.goto(page.url.split("#")[0])
    phone.is_done()
    forgive_no_network(complaints)

    assert phone.recorded() == ["NS 7-2", "NS 7-3", "NS 7-4"]


@pytest.mark.parametrize("promises", [True, False])
def test_the_browser_is_asked_to_keep_the_deals_and_the_page_says_if_it_will_not(
    opens: Opens, hall: Hall, complaints: Complaints, *, promises: bool
) -> None:
    script = f"""navigator.storage.persist = async () => {{
        globalThis.asked = true;
        return {json.dumps(promises)};
    }};"""
    phone = Phone(opens, hall.next_link(), script=script)
    page = phone.page
    note = page.get_by_text("This browser may clear the deals on this phone")
    expect(note).to_be_hidden()
    cut_off(page)
    phone.enter(2)

    expect(note).to_be_visible(visible=not promises)
    assert page.evaluate("asked") is True
    forgive_no_network(complaints)


def test_two_tabs_of_a_phone_show_the_same_and_send_each_deal_once(phone: Phone) -> None:
    page = phone.page
    sent: list[str] = []

    def count(route: Route) -> None:
        sent.extend(item["operation_id"] for item in json.loads(route.request.post_data or "")["items"])
        route.continue_()

    page.context.route(SYNC, count)
    other = page.context.new_page()
    other.goto(phone.link)
    expect(net(other)).to_have_text("No deals yet.")
    phone.enter(2, 3)
    expect(other.locator("[data-deals] .at__state--recorded")).to_have_count(2)
    tap(other, "NS", lost=4)
    save(other, 3)
    expect(page.locator("[data-deals] .at__state--recorded")).to_have_count(3)
    phone.is_done()

    assert len(sent) == len(set(sent)) == 3
    assert phone.recorded() == ["NS 7-2", "NS 7-3", "NS 7-4"]


def test_a_tab_that_is_closed_between_saving_and_sending_loses_nothing(
    phone: Phone, complaints: Complaints
) -> None:
    page, context = phone.page, phone.page.context
    page.route(SYNC, lambda _route: None)
    phone.enter(2)
    page.close(run_before_unload=False)

    phone.page = context.new_page()
    phone.open()
    forgive(complaints, "net::ERR_")

    assert phone.recorded() == ["NS 7-2"]


# -- what answers


@pytest.mark.parametrize("status", [500, 502, 503, 429])
def test_a_server_that_cannot_now_is_asked_again_no_sooner_than_it_says(
    phone: Phone, complaints: Complaints, status: int
) -> None:
    page = phone.page
    asked: list[str] = []

    def refuse(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(status=status, headers={"Retry-After": "2"}, body="<html>no</html>")

    page.route(SYNC, refuse)
    phone.enter(2)
    expect(net(page)).to_contain_text("The server does not answer as it should.")
    page.evaluate(LOOK)
    page.wait_for_timeout(300)
    early = len(asked)
    page.unroute(SYNC)
    page.wait_for_timeout(2000)
    page.evaluate(LOOK)
    phone.is_done()
    forgive(complaints, f"status of {status} ")

    assert early == 1
    assert phone.recorded() == ["NS 7-2"]


STRAY: Final[dict[str, dict[str, Any]]] = {
    "html": {"status": 200, "content_type": "text/html", "body": "<html>Sign in to the Wi-Fi</html>"},
    "redirect": {"status": 302, "headers": {"Location": "/accounts/login/"}},
    "json": {"status": 200, "content_type": "application/json", "body": '{"portal": true}'},
    "list": {"status": 200, "content_type": "application/json", "body": '{"outcomes": []}'},
    "login": {"status": 401, "content_type": "text/html", "body": "<html>Sign in</html>"},
}


@pytest.mark.parametrize("kind", STRAY)
def test_what_is_not_the_sites_answer_is_none(phone: Phone, complaints: Complaints, kind: str) -> None:
    page = phone.page
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        route.fulfill(**STRAY[kind])

    page.route("**/api/v1/**", answer)
    phone.enter(2)
    expect(net(page)).to_contain_text("Something else answered than the site")
    page.wait_for_timeout(500)
    often = len(asked)
    page.unroute("**/api/v1/**")
    page.evaluate(LOOK)
    phone.is_done()
    forgive(complaints, "status of 401 ")

    assert often <= 2
    assert phone.recorded() == ["NS 7-2"]


def test_one_deal_that_spoils_its_batch_stands_in_no_others_way(phone: Phone, complaints: Complaints) -> None:
    page = phone.page
    cut_off(page)
    phone.enter(2, 3, 4)
    page.evaluate(
        """new Promise((done) => {
            indexedDB.open("courtpiece-table").onsuccess = ({ target: { result } }) => {
                const deals = result.transaction("deals", "readwrite").objectStore("deals");
                deals.index("place").get(2).onsuccess = ({ target }) => {
                    deals.put({ ...target.result, reason: "x".repeat(501) }).onsuccess = () => done(result.close());
                };
            };
        })"""
    )
    page.context.set_offline(offline=False)
    expect(page.locator("[data-deals]")).to_contain_text("Not taken; kept on this phone")
    expect(page.locator("[data-deals] .at__state--recorded")).to_have_count(2)
    forgive_no_network(complaints)
    complaints.forgive(HTTPStatus.BAD_REQUEST)

    assert phone.recorded() == ["NS 7-2", "NS 7-4"]


# -- what the server says of a deal


def test_a_rejected_deal_keeps_its_text_says_why_and_is_sent_or_entered_again(
    phone: Phone, hall: Hall, complaints: Complaints
) -> None:
    page = phone.page
    table = page.locator("[data-title]").inner_text().removeprefix("Table ")
    phone.enter(2)
    phone.is_done()
    cut_off(page)
    phone.enter(3, 4, first=2)
    hall.press(table, "Finish")
    page.context.set_offline(offline=False)
    issues = page.locator(".at__issue")
    expect(issues).to_have_count(2)
    expect(issues.first).to_contain_text("The match is over.")
    text = page.locator("[data-last-text]").input_value()
    faults = faults_of(page, PHONE)

    hall.press(table, "Open again")
    page.evaluate(LOOK)
    issues.last.get_by_role("button", name="Enter it again").click()
    tap(page, "NS", lost=5)
    save(page, 2)
    issues.get_by_role("button", name="Send it again").click()
    phone.is_done()
    forgive_no_network(complaints)

    assert re.findall(r'\[Result "(.*)"\]', text) == ["NS 7-3", "NS 7-4"]
    assert phone.recorded() == ["NS 7-2", "NS 7-5", "NS 7-4"]
    assert faults == []


# -- a newer page


def test_a_page_that_is_older_than_the_server_says_so_and_keeps_its_deals(
    phone: Phone, complaints: Complaints
) -> None:
    page = phone.page
    page.route(SYNC, lambda route: route.abort())
    phone.enter(2)
    page.route(
        "**/table/sw.js",
        lambda route: route.fulfill(
            content_type="text/javascript", body='const VERSION = "0123456789abcdef";'
        ),
    )
    page.goto("about:blank")
    page.goto(phone.link)
    note = page.get_by_text("There is a newer version of this page.")
    expect(note).to_be_visible()
    faults = faults_of(page, PHONE)
    page.unroute("**/table/sw.js")
    page.unroute(SYNC)
    page.get_by_role("button", name="Load it").click()

    expect(note).to_be_hidden()
    phone.is_done()
    forgive(complaints, "net::ERR_FAILED")
    assert phone.recorded() == ["NS 7-2"]
    assert faults == []
