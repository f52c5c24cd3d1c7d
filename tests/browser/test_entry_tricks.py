"""A deal entered by tapping who won each trick."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Complaints, Opens
from tests.browser.entering import (
    PALE,
    PHONE,
    SMALL,
    drafted,
    forgive_no_network,
    happened,
    kept,
    phone,
    press,
    said,
    save,
    way,
)
from tests.browser.looking import faults_of

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture(autouse=True)
def _without_a_network(complaints: Complaints) -> Iterator[None]:
    yield
    forgive_no_network(complaints)


def won(seats: str) -> list[str]:
    """Return the buttons to press where these seats win tricks."""
    return [f"won-{seat}" for seat in seats]


def test_a_court_announces_itself_and_is_carried_on_to_a_bavney(opens: Opens) -> None:
    page = phone(opens)
    way(page, "Tricks")
    press(page, *won("NSN"))
    faults, small = faults_of(page, PHONE), page.evaluate(SMALL)
    pale = page.evaluate(PALE)

    press(page, *won("SNSN"))
    court = page.get_by_role("group", name="Carry on for 52?")
    expect(court).to_contain_text("Court! North–South took the first seven.")
    announced = happened(page)
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_hidden()
    faults += faults_of(page, PHONE)
    press(page, "carries", *won("NNNNNN"))
    sentences = said(page)
    save(page)

    assert announced == "North takes trick 7. Court!"
    assert sentences.startswith("North–South win 13–0. Bavney: 52 courts for North–South.")
    assert [(one["winner"], one["award"], one["trick_winners"]) for one in kept(page)] == [
        ("NS", "bavney", "NSNSNSNNNNNNN")
    ]
    assert (faults, small, pale) == ([], [], [])


def test_a_court_can_end_there_and_a_tap_too_many_be_undone(opens: Opens) -> None:
    page = phone(opens, agreed=1)
    way(page, "Tricks")
    press(page, *won("WWW"), "undo-trick", *won("EWEW"), "undo-trick", *won("WE"))
    expect(page.locator(".strip li")).to_have_count(7)
    press(page, "ends")
    sentences = said(page)
    save(page)
    expect(page.locator("[data-turn]")).to_contain_text("All 1 agreed deals are in: you are done.")

    assert sentences == "East–West win 7–0. Goon court: 1 for East–West. North–South deal: North."
    assert [one["trick_winners"] for one in kept(page)] == ["WWEWEWE"]


def test_what_gathers_a_pile_is_counted_as_the_laws_say(opens: Opens) -> None:
    page = phone(opens, "double-sir")
    way(page, "Tricks")
    press(page, *won("NEN"))
    waiting = page.locator(".counts__pile").inner_text()
    press(page, *won("N"))
    gathered, left = happened(page), page.locator(".counts__pile").inner_text()
    press(page, *won("EEEWW"))
    sentences = said(page)
    press(page, *won("WNN"))
    expect(page.locator(".decided")).to_have_text("The deal is decided.")
    expect(page.locator(".counts__trick")).to_have_count(0)
    faults = faults_of(page, PHONE)
    save(page)

    assert (waiting, gathered) == ("In the centre: 3", "North takes trick 4. North–South gather 4.")
    assert (left, sentences) == ("In the centre: 0", "")
    assert [(one["winner"], one["tricks"]) for one in kept(page)] == [("NS", {"NS": 7, "EW": 5})]
    assert faults == []


def test_where_the_winners_do_not_tell_who_gathered_the_result_is_asked_as_well(opens: Opens) -> None:
    page = phone(opens, "hidden-rung")
    way(page, "Tricks")
    press(page, *won("NNENNNNWW"))
    expect(page.get_by_role("button", name="Save", exact=True)).to_be_hidden()
    page.get_by_role("group", name="Who won?").get_by_role("button", name="North–South").click()
    page.get_by_role("group", name="What was it?").get_by_role("button", name="Win").click()
    page.get_by_role("group", name="Tricks of the losers").get_by_role("button", name="2", exact=True).click()
    page.get_by_role("group", name="Tricks of the winners").get_by_role(
        "button", name="7", exact=True
    ).click()
    faults = faults_of(page, PHONE)
    save(page)

    assert [(one["winner"], one["tricks"], one["trick_winners"]) for one in kept(page)] == [
        ("NS", {"NS": 7, "EW": 2}, "NNENNNNWW")
    ]
    assert faults == []


def test_a_stated_revoke_ends_the_deal(opens: Opens) -> None:
    page = phone(opens)
    way(page, "Tricks")
    press(page, *won("NEW"), "revoke", "revoker-W", "revoked-3")
    faults = faults_of(page, PHONE)
    press(page, "revoke-ends")
    sentences = said(page)
    save(page)

    assert sentences.startswith("West revoked in trick 3. North–South win 1–1. Revoke: 1 for North–South.")
    assert [(one["award"], one["trick_winners"], one["revokes"][0]["seat"]) for one in kept(page)] == [
        ("revoke", "NE", "W")
    ]
    assert faults == []


def test_a_revoke_while_a_side_carries_on_scores_for_the_other_and_both_are_said(opens: Opens) -> None:
    page = phone(opens)
    way(page, "Tricks")
    press(page, *won("NSNSNSN"), "carries", "revoke", "revoker-N", "revoked-8", "revoke-ends")
    sentences = said(page)
    save(page)

    assert sentences.startswith(
        "North revoked in trick 8. North–South win 7–0. Court: 1 for North–South. Revoke: 1 for East–West. "
    )
    assert [(one["award"], one["courts"], one["problems"]) for one in kept(page)] == [
        ("court", {"NS": 1, "EW": 1}, [])
    ]


def test_a_deal_half_entered_is_there_again_and_another_way_goes_on_from_it(opens: Opens) -> None:
    page = phone(opens)
    context = page.context
    way(page, "Tricks")
    press(page, *won("NSNEWSNN"))
    page.locator("[data-other-hand]").click()
    drafted(page)
    page.close()

    again = context.new_page()
    again.goto("/table/")
    expect(again.locator("[data-event]")).to_have_text(
        "Deal 1 was half entered when the page was closed. Here it is."
    )
    expect(again.locator(".strip li")).to_have_count(8)
    hand = again.locator("[data-entry]").get_attribute("data-hand")
    press(again, *won("N"))
    before = said(again)
    way(again, "Result")
    by_result = said(again)
    way(again, "Tricks")

    assert before.startswith("North–South win 7–2. No court.")
    assert (by_result, said(again), hand) == (before, before, "left")
