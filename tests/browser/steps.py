"""What a director does on the pages, step by step."""

import re
from typing import Final

from playwright.sync_api import Locator, Page, expect

from tournaments.operations.demonstration import SWISS_PAIRS

CLUB: Final = "gulmohar"
WINS: Final = (("n", 3), ("e", 0), ("n", 5))
"""The deals of a match, as they are typed: who won, and how many tricks the losers had."""


def go(to: Locator) -> None:
    """Press what leads to another page, and wait until that page is there."""
    with to.page.expect_navigation():
        to.click()


def begin(page: Page, *, preset: str, name: str) -> None:
    """Go from the club's page to the page that makes a tournament, and fill in its name."""
    page.goto(f"/clubs/{CLUB}/")
    page.get_by_role("link", name="New tournament").click()
    page.get_by_role("link", name=preset).click()
    page.get_by_label("Name", exact=True).fill(name)


def make(page: Page) -> str:
    """Press *Make* on the page that shows what was chosen, and return the tournament's slug."""
    page.get_by_role("button", name="Make the tournament").click()
    page.wait_for_url(re.compile(r"//[^/]+/tournaments/[^/]+/"))
    return page.url.split("/tournaments/")[1].split("/")[0]


def a_swiss(page: Page, *, name: str, pairs: int, rounds: int = 1) -> str:
    """Make a public Swiss of matches of two deals, its pairs entered, and return its slug."""
    begin(page, preset="Swiss, three rounds", name=name)
    page.get_by_label("Public: everybody").check()
    page.get_by_role("spinbutton", name="There are rounds.").fill(str(rounds))
    page.get_by_label("Pairs (optional)").fill("\n".join(map(" & ".join, SWISS_PAIRS[:pairs])))
    page.get_by_role("button", name="Look it over").last.click()
    return make(page)


def draw(page: Page, slug: str, number: int) -> None:
    """Draw a round: its draft is shown."""
    page.goto(f"/tournaments/{slug}/manage/draw/")
    page.get_by_role("button", name=f"Draw: Round {number}").click()
    expect(page.get_by_role("heading", name=f"Round {number} draft")).to_be_visible()


def publish(page: Page, number: int) -> None:
    """Publish the draft that is shown."""
    button = page.get_by_role("button", name=f"Publish: Round {number}")
    go(button)
    expect(button).to_have_count(0)


def type_results(page: Page, slug: str, number: int, table: int) -> None:
    """Open a table's slip in the room by its number, and type its deals by keyboard alone."""
    page.goto(f"/tournaments/{slug}/manage/room/?round={number}")
    page.get_by_label("Enter results: table number").fill(str(table))
    page.keyboard.press("Enter")
    expect(page.get_by_role("radio").first).to_be_focused()
    for winner, lost in WINS:
        page.keyboard.press(winner)
        page.keyboard.type(str(lost))
        page.keyboard.press("Enter")


def finish(page: Page) -> None:
    """Save the slip that was typed and finish its match."""
    page.get_by_role("button", name="Save and finish the match").click()
    page.wait_for_url(re.compile("/manage/room/"))


def tables_of(page: Page, slug: str, number: int) -> int:
    """Return how many matches the round has."""
    page.goto(f"/tournaments/{slug}/manage/room/?round={number}")
    return page.get_by_role("table").locator("tbody tr").count()
