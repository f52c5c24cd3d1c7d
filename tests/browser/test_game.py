"""A game at home on a phone: begun with no network and no account, kept, sent, shared, and taken by a club."""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NARROW, Complaints, Opens, Site
from tests.browser.looking import Shape, faults_of
from tests.browser.steps import CLUB, go
from tests.browser.test_table import cut_off, forgive_no_network, net, states, tap

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SHAPES: Final[tuple[Shape, ...]] = ((NARROW, 740, "light"), (NARROW, 740, "dark"), (1280, 800, "light"))
NAMES: Final = {"N": "Asif", "S": "Bilal", "E": "Chand", "W": "Dev"}
OWN_TITLE: Final = "Asif & Bilal – Chand & Dev"


def named(page: Page, names: Mapping[str, str]) -> None:
    """Say who sits where."""
    for seat, name in names.items():
        page.locator(f"#name-{seat}").fill(name)


def begin(page: Page, *, rules: str = "Court Piece: trump is called") -> None:
    """Begin a game from the list of the games of this phone."""
    page.get_by_role("link", name="New game").click()
    named(page, NAMES)
    page.get_by_label(rules).check()
    page.locator("[data-first]").get_by_role("button", name="Chand").click()
    page.get_by_role("button", name="Start").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(OWN_TITLE)


def save(page: Page, number: int) -> None:
    page.locator("[data-entry]").get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("[data-says]")).to_have_text(f"Deal {number} is saved on this phone.")


def enter(page: Page, number: int, winner: str, award: str, lost: int | None = None) -> None:
    """Enter a deal by its result."""
    tap(page, winner, award, lost)
    save(page, number)


def closed_and_opened(page: Page) -> Page:
    """Close the browser's page and open it again: what it keeps is what its context keeps."""
    context = page.context
    page.close()
    again = context.new_page()
    again.goto("/record/")
    again.locator("[data-games] a").first.click()
    return again


def score(page: Page) -> list[str]:
    """Return the courts of both sides."""
    return page.locator("[data-sides] td:nth-of-type(1)").all_inner_texts()


def test_a_game_without_network_or_account_is_kept_sent_shared_and_taken(
    opens: Opens, site: Site, complaints: Complaints
) -> None:
    phone = begun_offline(opens(is_director=False, width=NARROW), complaints)

    phone.context.set_offline(offline=False)
    expect(net(phone)).to_have_text("Sign in, and it goes to the site. Not yet sent: 4.")
    phone.locator("[data-keep-buttons]").get_by_role("link", name="Sign in").click()
    phone.get_by_label("E-mail").fill(site.email)
    phone.get_by_label("Password").fill(site.password)
    phone.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(net(phone)).to_have_text("Everything is on the site.")
    assert states(phone) == ["Recorded, revision 1"] * 4

    go(phone.get_by_role("link", name="Share it or give it to a club"))
    stranger = opens(is_director=False, width=NARROW)
    sheet = phone.url.replace("/games/", "/scoresheets/")
    assert stranger.request.get(sheet).status == HTTPStatus.NOT_FOUND
    link = shared(phone)
    read_by_link(stranger, link)
    phone.get_by_label("Club", exact=True).select_option(CLUB)
    phone.get_by_role("button", name="Offer it").click()
    expect(phone.get_by_role("button", name="Take the offer back")).to_be_visible()

    take(opens(), north="Asif of the terrace")
    stranger.goto(sheet)
    expect(stranger.get_by_role("heading", level=1)).to_contain_text("Asif of the terrace & Bilal")
    go(stranger.get_by_role("link", name="Asif of the terrace", exact=True))
    expect(stranger.get_by_role("heading", level=1)).to_contain_text("Asif of the terrace")
    assert stranger.request.get(link).status == HTTPStatus.NOT_FOUND


def begun_offline(phone: Page, complaints: Complaints) -> Page:
    """Play four deals without a network, the browser closed and opened after the third, and ask for the site."""
    phone.goto("/record/")
    expect(phone.get_by_role("heading", name="Record a game")).to_be_visible()
    assert faults_of(phone, SHAPES) == []
    cut_off(phone)
    begin(phone)
    enter(phone, 1, "NS", "Win", 3)
    enter(phone, 2, "NS", "Court")
    enter(phone, 3, "EW", "Win", 5)
    assert faults_of(phone, SHAPES) == []
    again = closed_and_opened(phone)
    expect(net(again)).to_have_text("This game is on this phone. Nobody else sees it.")
    assert score(again) == ["1", "0"]
    enter(again, 4, "void", "")
    again.get_by_role("button", name="Keep it on the site").click()
    expect(net(again)).to_contain_text("No network.")
    forgive_no_network(complaints)
    return again


def shared(phone: Page) -> str:
    """Share the game whose page is shown, and return the link."""
    phone.get_by_role("button", name="Share by a link").click()
    expect(phone.get_by_role("button", name="Revoke the link")).to_be_visible()
    assert faults_of(phone, SHAPES) == []
    return phone.locator("#link").inner_text()


def read_by_link(page: Page, link: str) -> None:
    """Read the game and a deal of it."""
    page.goto(link)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Asif & Bilal")
    page.get_by_role("link", name="Deal 2", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Deal 2")
    assert faults_of(page, SHAPES) == []


def take(director: Page, *, north: str) -> None:
    """Take the game that the club is offered, North being that player."""
    director.goto(f"/clubs/{CLUB}/")
    go(director.get_by_role("link", name="Games offered"))
    assert faults_of(director, SHAPES) == []
    director.get_by_label("North").fill(north)
    director.get_by_role("button", name="Take it").click()
    expect(director.get_by_text("The game is the club’s now.")).to_be_visible()


def test_a_game_goes_to_another_phone_as_text_and_is_sent_by_both_once(opens: Opens) -> None:
    one, other = (opens(width=NARROW) for _ in range(2))
    one.goto("/record/")
    begin(one)
    enter(one, 1, "NS", "Win", 3)
    enter(one, 2, "EW", "Bavney")
    with one.expect_download() as saving:
        one.get_by_role("button", name="Save as a file").click()
    text = saving.value.path().read_text(encoding="utf-8")
    assert '[NS "Asif & Bilal"]' in text

    other.goto("/record/")
    other.locator("[data-open-file]").set_input_files(saving.value.path())
    expect(other.get_by_role("heading", level=1)).to_have_text(OWN_TITLE)
    assert score(other) == ["0", "52"]
    for phone in (one, other):
        phone.get_by_role("button", name="Keep it on the site").click()
        expect(net(phone)).to_have_text("Everything is on the site.")
    assert states(other) == ["Recorded, revision 1"] * 2

    other.locator("[data-number='1']").get_by_role("button", name="Enter it again").click()
    tap(other, "EW", "Win", 4)
    save(other, 1)
    expect(other.locator("[data-number='1'] .at__state")).to_have_text("Recorded, revision 2")
    go(other.get_by_role("link", name="See it on the site"))
    expect(other.get_by_role("table").first).to_contain_text("52")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Asif won.", "This is no file that a phone can read"),
        ("% PCN 1\n", "There is no deal in it."),
        (
            '% PCN 1\n\n[Deal "1"]\n[Rules "court-piece"]\n[Dealer "E"]\n[Result "NS 7-3"]\n',
            "It does not say who played",
        ),
    ],
)
def test_what_is_no_game_is_not_opened_and_is_said(opens: Opens, text: str, told: str) -> None:
    phone = opens(is_director=False, width=NARROW)
    phone.goto("/record/")
    phone.get_by_text("Or paste its text").click()

    phone.get_by_label("Text", exact=True).fill(text)
    phone.get_by_role("button", name="Open it").click()

    expect(phone.locator("[data-open-says]")).to_contain_text(told)
    expect(phone.locator("[data-games] > li")).to_have_count(0)


def test_rules_are_chosen_by_name_and_every_option_is_reached(opens: Opens) -> None:
    phone = opens(is_director=False, width=NARROW)
    phone.goto("/record/#new")
    named(phone, NAMES | {"W": "Asif"})
    phone.get_by_label("Double Sir with Ace").check()
    phone.get_by_text("What counts how much").click()
    expect(phone.locator("[name=rule-last-claim]")).to_have_value("12")
    phone.locator("[name=rule-goon]").fill("3")
    phone.locator("[name=rule-first-claim]").fill("13")
    start = phone.get_by_role("button", name="Start")
    wrong = phone.locator("[data-view=new] [data-wrong]")

    start.click()
    expect(wrong).to_have_text("“Asif” stands there twice; a table has four different players.")
    phone.locator("#name-W").fill("Dev")
    start.click()
    expect(wrong).to_have_text("These options do not go together (law 14): first-claim=13")
    phone.locator("[name=rule-first-claim]").fill("3")
    start.click()
    expect(wrong).to_have_text("Say who deals first, or draw it.")
    assert faults_of(phone, SHAPES) == []
    phone.get_by_role("button", name="Draw it").click()
    expect(phone.locator("[data-drawn]")).to_have_text(re.compile(r"^Drawn: \w+ \(\w+\) deals first\.$"))
    start.click()

    expect(phone.locator("[data-where]")).to_contain_text("Double Sir with Ace · goon=3 · first-claim=3")


def test_a_game_is_described_anew_and_put_away(opens: Opens) -> None:
    phone = opens(is_director=False, width=NARROW)
    phone.goto("/record/")
    begin(phone)

    phone.get_by_text("Names, when and where").click()
    phone.locator("#fact-event").fill("Sunday at Asif’s")
    phone.locator("[data-facts-form]").get_by_role("button", name="Save").click()
    expect(phone.get_by_role("heading", level=1)).to_have_text("Sunday at Asif’s")
    phone.get_by_role("button", name="Put the game away").click()
    expect(phone.get_by_role("button", name="Take the game out again")).to_be_visible()
    phone.get_by_role("link", name="All games on this phone").click()

    expect(phone.locator("[data-games] > li")).to_have_count(0)
    phone.get_by_role("button", name="Show what is put away: 1").click()
    expect(phone.locator("[data-games] > li")).to_have_count(1)
