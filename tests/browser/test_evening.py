"""A director's evening in a browser: a tournament is made, drawn, played, ruled on, corrected and closed."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, Opens
from tests.browser.looking import faults_of
from tests.browser.steps import begin, draw, finish, go, make, publish, tables_of, type_results
from tournaments.operations.demonstration import SWISS_PAIRS

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

FILE: Final = "player 1,player 2,seed\n" + "".join(
    f"{first},{second},{seed}\n" for seed, (first, second) in enumerate(SWISS_PAIRS, start=1)
)
ROUNDS: Final = 3


def names_in_order(page: Page) -> list[str]:
    return (
        page.get_by_role("list", name="Tie-breaks, in their order")
        .locator("[data-order-name]")
        .all_inner_texts()
    )


def time_left(page: Page) -> int:
    minutes, seconds = page.locator("[data-clock-time]").first.inner_text().split(":")
    return 60 * int(minutes) + int(seconds)


def test_a_tournament_is_made_in_the_guided_page(opens: Opens) -> None:
    page = opens()
    begin(page, preset="Swiss, three rounds", name="Guided Cup")
    usual = names_in_order(page)

    page.get_by_role("button", name="Move Buchholz").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.get_by_role("button", name="Head to head: leave out").focus()
    page.keyboard.press("Enter")
    said = page.locator("[data-order-status]").inner_text()
    chosen = names_in_order(page)
    page.get_by_role("button", name="Look it over").last.click()
    page.get_by_role("button", name="Make the tournament").wait_for()
    review = page.get_by_role("main").inner_text()
    faults = faults_of(page)
    slug = make(page)

    assert usual == ["Buchholz", "Courts difference", "Courts for", "Head to head"]
    assert chosen == ["Courts difference", "Courts for", "Buchholz"]
    assert said == "Head to head is left out."
    assert review.index("Courts difference") < review.index("Courts for") < review.index("Buchholz")
    assert (faults, slug) == ([], "guided-cup")


def test_nothing_typed_is_lost_on_the_way_back_from_the_review(opens: Opens) -> None:
    page = opens()
    begin(page, preset="Swiss, three rounds", name="Back Cup")
    page.get_by_role("button", name="Move Buchholz").press("ArrowDown")
    page.get_by_role("button", name="One more session").click()
    page.get_by_role("button", name="Look it over").last.click()
    page.get_by_role("button", name="Make the tournament").wait_for()

    page.go_back()

    expect(page.get_by_label("Name", exact=True)).to_have_value("Back Cup")
    expect(page.get_by_role("group", name=re.compile("^Session "))).to_have_count(2)
    assert names_in_order(page)[:2] == ["Courts difference", "Buchholz"]


@pytest.fixture
def cup(opens: Opens) -> tuple[str, Page]:
    """Return a public Swiss of three rounds without pairs, and its director's page."""
    page = opens()
    begin(page, preset="Swiss, three rounds", name="Evening Cup")
    page.get_by_label("Public: everybody").check()
    page.get_by_label("Minutes for an appeal").fill("0")
    page.get_by_role("button", name="Look it over").last.click()
    return make(page), page


def test_a_swiss_of_twelve_pairs_goes_from_the_first_entry_to_the_final_table(
    cup: tuple[str, Page], opens: Opens
) -> None:
    slug, director = cup
    visitor = opens(is_director=False, width=NARROW)

    enter_by_file(director, slug)
    check_in(director, slug)
    swap_before_publishing(director, slug)
    visitor.goto(f"/tournaments/{slug}/")
    follow_the_clock(director, visitor, slug)
    watch_a_match_being_typed(director, visitor, slug)
    rule_with_preview(director, visitor, slug)
    correct_with_preview(director, slug)
    play_the_rest(director, slug)
    close(director, slug)

    visitor.goto(f"/tournaments/{slug}/standings/")
    expect(visitor.locator(".status--final, .badge--final").first).to_be_visible()
    expect(visitor.locator("[data-entry-row]")).to_have_count(12)


def enter_by_file(page: Page, slug: str) -> None:
    page.goto(f"/tournaments/{slug}/manage/entries/file/")
    page.get_by_label("File", exact=True).set_input_files(
        {"name": "pairs.csv", "mimeType": "text/csv", "buffer": FILE.encode()}
    )
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_role("heading", name="12 pairs would enter")).to_be_visible()
    assert faults_of(page) == []
    page.get_by_role("button", name="Enter all 12 pairs").click()
    expect(page.get_by_role("listitem").filter(has_text="12 pairs play")).to_be_visible()


def check_in(page: Page, slug: str) -> None:
    page.goto(f"/tournaments/{slug}/manage/entries/check-in/")
    for number in range(1, 13):
        page.locator(f"#here-{number}").click()
        expect(page.get_by_role("status").filter(has_text="checked in")).to_have_text(
            f"{number} of 12 checked in"
        )


def swap_before_publishing(page: Page, slug: str) -> None:
    draw(page, slug, 1)
    cards = (
        page.get_by_role("list", name="The matches, by table")
        .get_by_role("listitem")
        .filter(has=page.get_by_role("checkbox"))
    )
    expect(cards).to_have_count(6)
    cards.nth(0).get_by_role("checkbox").last.check()
    cards.nth(1).get_by_role("checkbox").last.check()
    page.get_by_role("button", name="See what a swap would change").click()
    expect(page.get_by_role("heading", name="What the swap would change")).to_be_visible()
    assert faults_of(page) == []
    page.get_by_role("button", name="Swap them").click()
    expect(page.get_by_text("changed by hand").first).to_be_visible()
    publish(page, 1)


def follow_the_clock(director: Page, visitor: Page, slug: str) -> None:
    director.goto(f"/tournaments/{slug}/manage/")
    director.get_by_label("Minutes").fill("40")
    director.get_by_role("button", name="Start the clock").first.click()
    director.get_by_role("button", name="Pause").wait_for()

    expect(visitor.locator("[data-clock-phase]")).to_have_text("running")
    for page in (director, visitor):
        expect(page.locator("[data-clock-time]").first).to_have_text(re.compile("^39:"))

    before, of_director, after = time_left(visitor), time_left(director), time_left(visitor)
    assert before + 1 >= of_director >= after - 1
    director.get_by_role("button", name="Pause").click()
    expect(visitor.locator("[data-clock-phase]")).to_have_text("paused")
    director.get_by_role("button", name="Resume").wait_for()
    assert time_left(director) == time_left(visitor)


def watch_a_match_being_typed(director: Page, visitor: Page, slug: str) -> None:
    expect(visitor.get_by_text("0 of 6 matches finished")).to_be_visible()
    type_results(director, slug, 1, 1)
    expect(director.locator("[data-line].is-read")).to_have_count(3)
    assert faults_of(director) == []

    finish(director)

    expect(visitor.get_by_text("1 of 6 matches finished")).to_be_visible()
    expect(visitor.locator("[data-entry-row]").first).to_contain_text("1–0–0")


def rule_with_preview(director: Page, visitor: Page, slug: str) -> None:
    director.goto(f"/tournaments/{slug}/manage/rulings/new/")
    go(director.get_by_role("link", name=re.compile("Table 1 ")))
    go(director.get_by_role("link", name=re.compile("^Deal 2")))
    go(director.get_by_role("navigation", name="Kinds of ruling").get_by_role("link", name="Void the deal"))
    director.get_by_label("Reason").fill("Two hands had fourteen cards.")
    director.get_by_role("button", name="Show what would change").click()
    expect(director.get_by_role("heading", name="What would change")).to_be_visible()
    expect(director.get_by_role("table").first).to_contain_text("Void")
    assert faults_of(director) == []
    director.get_by_role("button", name="Save the ruling").click()
    expect(director.locator("#ruling-1")).to_contain_text("Two hands had fourteen cards.")

    expect(visitor.get_by_role("link", name="1 ruling")).to_be_visible()
    visitor.goto(f"/tournaments/{slug}/rulings/")
    expect(visitor.get_by_text("Two hands had fourteen cards.").first).to_be_visible()


def correct_with_preview(director: Page, slug: str) -> None:
    director.goto(f"/tournaments/{slug}/manage/rulings/new/")
    go(director.get_by_role("link", name=re.compile("Table 1 ")))
    go(director.get_by_role("link", name=re.compile("^Deal 3")))
    go(director.get_by_role("link", name="Correct the record"))
    record = director.get_by_label("Record", exact=True)
    record.fill(record.input_value().replace("NS 7-5", "EW 7-5"))
    director.get_by_label("Reason").fill("The slip was read the wrong way round.")
    director.get_by_role("button", name="Show what would change").click()
    expect(director.get_by_role("table").first).to_contain_text("7–5")
    assert faults_of(director) == []
    director.get_by_role("button", name="Save the ruling").click()
    expect(director.locator("#ruling-2")).to_contain_text("The slip was read the wrong way round.")


def play_the_rest(page: Page, slug: str) -> None:
    for number in range(1, ROUNDS + 1):
        if number > 1:
            draw(page, slug, number)
            publish(page, number)
        for table in range(2 if number == 1 else 1, tables_of(page, slug, number) + 1):
            type_results(page, slug, number, table)
            finish(page)


def close(page: Page, slug: str) -> None:
    page.goto(f"/tournaments/{slug}/manage/close/")
    assert faults_of(page) == []
    for name in ("Close for results", "Make them official", "Make them final"):
        if name == "Make them final":
            page.get_by_label("Lock them.").check()
        page.get_by_role("button", name=name).click()
    expect(page.get_by_text("Nothing of the tournament can be changed any more")).to_be_visible()
