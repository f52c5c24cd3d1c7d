"""Two pairs at a table, each with its phone: what one enters the other agrees with, or disputes before the director."""

import re
from http import HTTPStatus

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, WIDE, Complaints, Opens
from tests.browser.looking import Shape, faults_of
from tests.browser.steps import go
from tests.browser.test_table import PHONE, Table, cut_off, forgive_no_network, net, save, tap

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

ROOM: tuple[Shape, ...] = ((WIDE, 900, "light"), (WIDE, 900, "dark"), (NARROW, 740, "light"))


def a_table_that_asks(opens: Opens, name: str) -> Table:
    table = Table(opens, name)
    table.director.goto(f"/tournaments/{table.slug}/manage/settings/")
    table.director.get_by_label("The other pair confirms each deal").check()
    go(table.director.locator("#tables").get_by_role("button", name="Save"))
    return table


def held_by(page: Page, holder: str) -> Page:
    page.locator(f"[data-holder-asks] .choose--{holder}").click()
    expect(page.locator("[data-holder-is]")).to_be_visible()
    return page


def look(page: Page) -> None:
    """Have the phone ask now what stands, as it does by itself every few seconds."""
    page.evaluate("dispatchEvent(new Event('online'))")


def test_one_pair_enters_and_the_other_agrees(opens: Opens) -> None:
    table = a_table_that_asks(opens, "Agreed")
    ns = table.phone()
    faults = faults_of(ns, PHONE)
    held_by(ns, "NS")
    ew = held_by(table.phone(), "EW")

    tap(ns, "EW", lost=2)
    save(ns, 1)
    expect(ns.locator("[data-deals]")).to_contain_text("Waiting for the other pair")
    look(ew)
    asked = ew.locator(".confirm--ask")
    ew.get_by_role("button", name="Deal 1 waits for your word: East–West 7–2").click()
    expect(asked.get_by_role("button", name="Agree")).to_be_focused()
    expect(asked).to_contain_text("North–South entered this deal. Was it so?")
    faults += faults_of(ew, PHONE)
    asked.get_by_role("button", name="Agree").click()
    expect(ew.locator("[data-deals]")).to_contain_text("Agreed by both pairs")
    look(ns)
    expect(ns.locator("[data-deals]")).to_contain_text("Agreed by both pairs")

    ns.reload()
    expect(ns.locator("[data-holder-is]")).to_contain_text("This phone: North–South.")
    assert faults == []


def dispute(page: Page) -> list[str]:
    """Say that a deal was not so, and how it was; return what is wrong with the page that asks for it."""
    page.get_by_role("button", name="Dispute").click()
    ours = page.get_by_role("button", name="Say what we have")
    expect(ours).to_be_visible()
    faults = faults_of(page, PHONE)
    ours.click()
    tap(page, "EW", lost=4)
    page.get_by_role("button", name="Save", exact=True).click()
    return faults


def let_it_stand(room: Page) -> None:
    room.get_by_label("Why it stands").fill("The cards were counted at the table.")
    go(room.get_by_role("button", name="What is recorded stands"))
    expect(room.locator(".dispute")).to_have_count(0)


def test_a_dispute_comes_to_the_room_with_where_the_two_part(opens: Opens) -> None:
    table = a_table_that_asks(opens, "Disputed")
    ns, ew = held_by(table.phone(), "NS"), held_by(table.phone(), "EW")
    room = table.director
    room.goto(f"/tournaments/{table.slug}/manage/room/")
    expect(room.locator("[data-live-state]")).to_have_text("Live")

    tap(ns, "EW", lost=2)
    save(ns, 1)
    expect(net(ns)).to_have_text("All deals are recorded.")
    look(ew)
    faults = dispute(ew)
    expect(ew.locator(".confirm--disputed")).to_contain_text(
        "Tricks: recorded is 7–2, the other side has 7–4."
    )
    faults += faults_of(ew, PHONE)

    shown = room.locator(".dispute")
    expect(shown).to_contain_text("Deal 1 is disputed")
    expect(shown).to_contain_text("Tricks: recorded is 7–2, the other side has 7–4.")
    faults += faults_of(room, ROOM)
    shown.get_by_role("link", name="Both versions").click()
    expect(room.get_by_role("heading", name="The table does not agree")).to_be_visible()
    faults += faults_of(room, ROOM)
    let_it_stand(room)
    look(ns)
    expect(ns.locator("[data-deals]")).to_contain_text("The director: what is recorded stands.")
    assert faults == []


def test_what_is_said_without_a_network_is_sent_later(opens: Opens, complaints: Complaints) -> None:
    table = a_table_that_asks(opens, "Agreed offline")
    ns, ew = held_by(table.phone(), "NS"), held_by(table.phone(), "EW")
    tap(ns, "NS", lost=3)
    save(ns, 1)
    expect(net(ns)).to_have_text("All deals are recorded.")
    look(ew)
    expect(ew.locator(".confirm--ask")).to_be_visible()

    cut_off(ew)
    ew.get_by_role("button", name="Agree").click()
    expect(ew.locator("[data-deals]")).to_contain_text("You agreed; not yet sent")
    ew.reload()
    expect(ew.locator("[data-deals]")).to_contain_text("You agreed; not yet sent")
    ew.context.set_offline(offline=False)
    expect(ew.locator("[data-deals]")).to_contain_text("Agreed by both pairs")
    forgive_no_network(complaints)


def test_a_confirmation_that_comes_too_late_says_what_stands(opens: Opens, complaints: Complaints) -> None:
    table = a_table_that_asks(opens, "Too late")
    ns, ew = held_by(table.phone(), "NS"), held_by(table.phone(), "EW")
    tap(ns, "NS", lost=3)
    save(ns, 1)
    expect(net(ns)).to_have_text("All deals are recorded.")
    look(ew)
    expect(ew.locator(".confirm--ask")).to_be_visible()
    ew.context.set_offline(offline=True)
    ns.get_by_role("button", name="Enter it again").click()
    tap(ns, "NS", lost=4)
    save(ns, 1)
    expect(ns.locator("[data-deals]")).to_contain_text("Recorded, revision 2")

    ew.get_by_role("button", name="Agree").click()
    expect(ew.locator("[data-deals]")).to_contain_text("You agreed; not yet sent")
    ew.context.set_offline(offline=False)

    expect(ew.locator("[data-deals]")).to_contain_text("Corrected at the table, revision 2")
    expect(ew.locator(".confirm--ask")).to_be_visible()
    complaints.forgive(HTTPStatus.CONFLICT)
    forgive_no_network(complaints)


def test_a_correction_of_the_director_is_told_as_such(opens: Opens) -> None:
    table = Table(opens, "Director corrects")
    page = table.phone()
    tap(page, "NS", lost=3)
    save(page, 1)
    expect(net(page)).to_have_text("All deals are recorded.")
    room = table.director
    room.goto(f"/tournaments/{table.slug}/manage/room/")
    go(room.get_by_role("row").filter(has_text="1").get_by_role("link", name="Scoresheet").first)
    go(room.get_by_role("link", name=re.compile("^(Deal )?1$")).first)
    go(room.get_by_role("link", name=re.compile("^Correct")).first)
    text = room.locator("textarea").first
    text.fill(text.input_value().replace("NS 7-3", "NS 7-4"))
    room.get_by_label("Reason").fill("The slip says four.")
    go(room.get_by_role("button", name="Show what would change"))
    go(room.get_by_role("button", name="Save the ruling"))

    look(page)

    expect(page.locator("[data-deals]")).to_contain_text("Corrected by the director, revision 2")
