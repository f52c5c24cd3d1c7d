"""Deals that go from a phone without a network to another machine: by its codes, as text, and as a file."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, Complaints, Opens
from tests.browser.looking import faults_of
from tests.browser.qr_reader import text_of
from tests.browser.test_table import PHONE, SMALL, Table, cut_off, forgive_no_network, net, save, tap

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

TWELVE: Final = 12
RUN: Final = re.compile(r"M(\d+) (\d+)h(\d+)v1h-\d+z")
MARGIN: Final = 4


def enter(page: Page, *losts: int) -> None:
    """Enter deals that North-South win, each with so many tricks of the losers."""
    for number, lost in enumerate(losts, start=1):
        tap(page, "NS", lost=lost)
        save(page, number)


def hand_on(page: Page) -> None:
    page.get_by_text("Hand on the deals that are not recorded").click()
    expect(page.locator("[data-code] svg")).to_be_visible()


def addresses(page: Page) -> Iterator[str]:
    """Yield what the phone's codes say, one after the other."""
    says = page.locator("[data-code-says]")
    count = int(re.findall(r"of (\d+)", says.inner_text())[0])
    for place in range(1, count + 1):
        expect(says).to_contain_text(f"Code {place} of {count}")
        box = page.locator("[data-code] svg").get_attribute("viewBox") or ""
        size = int(box.split()[2])
        path = page.locator("[data-code] svg path").last.get_attribute("d") or ""
        rows = [["0"] * size for _row in range(size)]
        for column, row, length in (map(int, found) for found in RUN.findall(path)):
            rows[row][column : column + length] = ["1"] * length
        yield text_of(["".join(row[MARGIN : size - MARGIN]) for row in rows[MARGIN : size - MARGIN]])
        if count > 1:
            page.get_by_role("button", name="Next code").click()


def take_over(other: Page, code: str) -> list[str]:
    """Open what a code says on another phone and let it send the deals; return what is wrong with its page."""
    other.goto("about:blank")
    other.goto(code)
    offer = other.locator("[data-offer]")
    expect(offer).to_contain_text("This code brings deals of another phone at this table: ")
    faults = faults_of(other, PHONE)
    offer.get_by_role("button", name="Send them from here").click()
    expect(offer).to_contain_text("Taken over from the other phone: ")
    expect(net(other)).to_have_text("All deals are recorded.")
    return faults


def test_another_phone_scans_the_codes_and_sends_the_deals_once(opens: Opens, complaints: Complaints) -> None:
    table = Table(opens, "By codes")
    page = table.phone()
    cut_off(page)
    losts = [1 + number % 6 for number in range(TWELVE)]
    enter(page, *losts)
    hand_on(page)
    faults = faults_of(page, PHONE)
    small = page.evaluate(SMALL)
    codes = list(addresses(page))

    other = opens(is_director=False, width=NARROW)
    faults += [fault for code in codes for fault in take_over(other, code)]
    expect(other.locator("[data-deals] .at__state--recorded")).to_have_count(TWELVE)
    recorded = table.recorded()
    other.reload()
    expect(net(other)).to_have_text("All deals are recorded.")
    is_offered_again = other.locator("[data-offer]").is_visible()
    page.context.set_offline(offline=False)
    expect(page.locator("[data-deals] .at__state--recorded")).to_have_count(TWELVE)
    expect(net(page)).to_have_text("All deals are recorded.")
    forgive_no_network(complaints)

    assert len(codes) > 1
    assert all(code.startswith(f"{table.link.split('#')[0]}#") for code in codes)
    assert recorded == table.recorded() == [f"NS 7-{lost}" for lost in losts]
    assert (is_offered_again, faults, small) == (False, [], [])


def read_text(page: Page, text: str, says: str | re.Pattern[str]) -> None:
    """Let a phone read a text, and wait for what it says of it."""
    field = page.get_by_label("Or its text")
    if not field.is_visible():
        page.get_by_text("Read deals from a file or text").click()
    field.fill(text)
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page.locator("[data-take-says]")).to_have_text(says)


def test_the_text_is_read_on_another_phone_whatever_a_messenger_made_of_it(
    opens: Opens, complaints: Complaints
) -> None:
    table = Table(opens, "As text")
    page = table.phone()
    cut_off(page)
    enter(page, 2, 3)
    hand_on(page)
    text = page.locator("[data-last-text]").input_value()

    other = table.phone()
    read_text(other, "Hallo", re.compile(r"^Record 1 \(deal \?\) cannot be read"))
    read_text(
        other, text.replace("PhoneOperation", "Was"), re.compile(r"^Record 1 \(deal 1\) was not handed on")
    )
    faults = faults_of(other, PHONE)
    spoilt = text.replace("% PCN 1\n", "").replace("\n", "  \r\n")
    read_text(other, spoilt, "Taken over from the other phone: 2. They are kept here now and sent from here.")
    expect(net(other)).to_have_text("All deals are recorded.")
    read_text(other, text, "On this phone already: 2.")

    page.context.set_offline(offline=False)
    expect(net(page)).to_have_text("All deals are recorded.")
    forgive_no_network(complaints)
    assert table.recorded() == ["NS 7-2", "NS 7-3"]
    assert faults == []


def test_a_phone_without_a_network_takes_them_over_as_well_and_sends_them_later(
    opens: Opens, complaints: Complaints
) -> None:
    table = Table(opens, "Both without")
    page, other = table.phone(), table.phone()
    for one in (page, other):
        cut_off(one)
    enter(page, 2, 3)
    hand_on(page)
    (code,) = addresses(page)

    other.goto("about:blank")
    other.goto(code)
    other.get_by_role("button", name="Send them from here").click()
    expect(other.locator("[data-deals] .at__state--sent")).to_have_count(2)
    other.context.set_offline(offline=False)
    expect(net(other)).to_have_text("All deals are recorded.")
    forgive_no_network(complaints)

    assert table.recorded() == ["NS 7-2", "NS 7-3"]


def test_deals_of_another_table_are_not_taken_over(opens: Opens, complaints: Complaints) -> None:
    table = Table(opens, "Two tables")
    page = table.phone()
    cut_off(page)
    enter(page, 2)
    text = page.locator("[data-last-text]").input_value()

    table.link = table.links[1]
    other = table.phone()
    read_text(other, text, re.compile(r"^Of another table \(1\), not taken over: 1\."))
    expect(net(other)).to_have_text("No deals yet.")
    forgive_no_network(complaints)


def test_the_file_is_uploaded_by_the_director_and_the_phone_doubles_nothing(
    opens: Opens, complaints: Complaints, tmp_path: Path
) -> None:
    table = Table(opens, "As a file")
    page = table.phone()
    cut_off(page)
    enter(page, 2, 3, 4)
    hand_on(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a file").click()
    path = tmp_path / saved.value.suggested_filename
    saved.value.save_as(path)

    director = table.director
    director.goto(f"/tournaments/{table.slug}/upload/")
    director.get_by_label("Choose PCN files").set_input_files(path)
    director.get_by_role("button", name="Send").click()
    expect(director.get_by_role("main")).to_contain_text("3 deals were recorded.")
    faults = faults_of(director)
    director.get_by_label("Choose PCN files").set_input_files(path)
    director.get_by_role("button", name="Send").click()
    expect(director.get_by_role("main")).to_contain_text("All of this was recorded before")

    page.context.set_offline(offline=False)
    expect(net(page)).to_have_text("All deals are recorded.")
    forgive_no_network(complaints)
    assert path.name == "table-1.pcn"
    assert table.recorded() == ["NS 7-2", "NS 7-3", "NS 7-4"]
    assert faults == []
