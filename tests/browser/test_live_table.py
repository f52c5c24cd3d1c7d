"""A table as spectators follow it: each card as it is entered, read out, on every screen."""

from typing import Final
from uuid import uuid4

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opens
from tests.browser.entering import press, tap, way
from tests.browser.looking import Shape, faults_of
from tests.browser.steps import go
from tests.browser.test_table import Table

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SCREENS: Final[tuple[Shape, ...]] = (
    (360, 740, "light"),
    (360, 740, "dark"),
    (1920, 1080, "light"),
    (1920, 1080, "dark"),
)
HANDS: Final = "W:AKQ2.AKQ2.AK2.A3 S:JT93.JT93.J3.K42 E:8765.8765.QT.QJT N:4.4.987654.98765"
DEVICE: Final = str(uuid4())


class Scorer:
    """A phone at a table that enters a deal card by card."""

    def __init__(self, table: Table) -> None:
        self.page = table.opens(is_director=False)
        self.headers = {"Authorization": f"Table {table.link.split('#')[1]}"}
        match = self.page.request.get("/api/v1/table", headers=self.headers).json()["matches"][0]
        self.match = match
        self.sequence = 0

    def shows(self, *tricks: str) -> None:
        """Post the deal as far as it is played."""
        self.sequence += 1
        tags = (
            f'[Deal "1"]\n[Rules "{self.match["rules"]}"]\n[Dealer "N"]\n[Hands "{HANDS}"]\n[Trump "S"]\n\n'
        )
        lines = "".join(f"{number}. {cards}\n" for number, cards in enumerate(tricks, start=1))
        body = {
            "device": DEVICE,
            "scoresheet": self.match["scoresheet"],
            "deal": 1,
            "sequence": self.sequence,
        }
        answer = self.page.request.post(
            "/api/v1/table/live", headers=self.headers, data={**body, "pcn": f"{tags}{lines}*\n"}
        )
        assert answer.json() == {"kept": True}


def a_spectator(table: Table, number: int = 1) -> Page:
    page = table.opens(is_director=False)
    page.goto(f"/tournaments/{table.slug}/tables/{number}/")
    expect(page.locator("[data-watch-state]")).to_have_text("Live")
    return page


def test_each_card_is_shown_as_it_is_entered_and_read_out(opens: Opens) -> None:
    table = Table(opens, "Card by card")
    scorer, spectator = Scorer(table), a_spectator(table)
    expect(spectator.get_by_text("No card is shown now.")).to_be_visible()

    scorer.shows("HA")

    expect(spectator.get_by_role("img", name="Ace of Hearts")).to_be_visible()
    expect(spectator.get_by_role("status").filter(has_text="played the Ace of Hearts.")).to_be_attached()
    scorer.shows("HA HJ H8 H4", "CA")
    expect(spectator.get_by_role("img", name="Ace of Clubs")).to_be_visible()
    expect(spectator.get_by_text("Last trick")).to_be_visible()
    expect(spectator.locator(".place--S")).to_contain_text("to play")
    assert faults_of(spectator, SCREENS) == []


def test_without_a_connection_it_says_so_and_heals_with_the_next_one(opens: Opens) -> None:
    table = Table(opens, "Lost and found")
    scorer, spectator = Scorer(table), a_spectator(table)
    scorer.shows("HA")
    expect(spectator.get_by_role("img", name="Ace of Hearts")).to_be_visible()

    spectator.context.set_offline(offline=True)
    scorer.shows("HA HJ H8")
    spectator.context.set_offline(offline=False)
    spectator.evaluate("dispatchEvent(new Event('online'))")

    expect(spectator.get_by_role("img", name="Eight of Hearts")).to_be_visible()


def test_with_a_delay_the_page_says_how_late_it_is_and_shows_no_card_yet(opens: Opens) -> None:
    table = Table(opens, "Much later")
    table.director.goto(f"/tournaments/{table.slug}/manage/settings/")
    table.director.get_by_label("Minutes of delay").fill("5")
    go(table.director.locator("#live").get_by_role("button", name="Save"))
    expect(table.director.get_by_label("Minutes of delay")).to_have_value("5")
    scorer, spectator = Scorer(table), a_spectator(table)

    scorer.shows("HA")

    expect(spectator.get_by_text("5 minutes behind by the director’s choice.")).to_be_visible()
    spectator.reload()
    expect(spectator.get_by_text("No card is shown now.")).to_be_visible()
    expect(spectator.get_by_role("img", name="Ace of Hearts")).to_have_count(0)


def test_what_a_phone_enters_card_by_card_is_followed_until_the_deal_is_thrown_away(opens: Opens) -> None:
    table = Table(opens, "From the phone")
    spectator, scorer = a_spectator(table), table.phone()

    way(scorer, "Cards")
    press(scorer, "known-nothing", "method-announced", "suit-C")
    tap(scorer, "HT H5")

    expect(spectator.get_by_role("img", name="Ten of Hearts")).to_be_visible()
    expect(spectator.get_by_role("img", name="Five of Hearts")).to_be_visible()
    way(scorer, "Result")
    expect(spectator.get_by_text("No card is shown now.")).to_be_visible()
