"""A deal's replay in a browser: keys, buttons, fingers, by itself, without a script, and in another site's page."""

import re
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import NARROW, PATIENCE, Complaints, Opens, Site
from tests.browser.looking import faults_of
from tournaments.operations.demonstration import CHALLENGE

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SWIPE: Final = """(board, [dx, dy, fingers]) => {
    const touch = (id, x, y) => new Touch({ identifier: id, target: board, clientX: x, clientY: y });
    const at = (x, y) => Array.from({ length: fingers }, (_one, id) => touch(id, x + 20 * id, y));
    const send = (name, touches, changedTouches) =>
        board.dispatchEvent(new TouchEvent(name, { touches, changedTouches, bubbles: true }));
    send("touchstart", at(200, 200), at(200, 200));
    send("touchend", [], at(200 + dx, 200 + dy));
}"""


@pytest.fixture
def deal(opens: Opens) -> str:
    """Return the address of a deal whose trump card lies face down at first, with all its cards."""
    page = opens(is_director=False)
    listed = page.request.get(f"/api/v1/tournaments/{CHALLENGE}/deals?level=full&limit=50").json()["results"]
    played = ((one, page.request.get(f"/api/v1/deals/{one['id']}/replay").json()["replay"]) for one in listed)
    found = next(one for one, replay in played if replay["indicator"] and 4 < replay["revealed"] < 48)
    return f"/deals/{found['id']}/"


@pytest.fixture
def replay(opens: Opens, deal: str) -> Page:
    page = opens(is_director=False)
    page.goto(deal)
    return page


@pytest.fixture
def without_scripts(site: Site, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(base_url=site.address, java_script_enabled=False)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def frames_of(page: Page, deal: str) -> Any:
    return page.request.get(f"/api/v1{deal}replay").json()["replay"]


def expect_step(page: Page, at: int) -> None:
    expect(page.locator("[data-at-shown]")).to_have_text(str(at))
    expect(page.locator(".trick:not([hidden]) [data-index]:not([hidden])")).to_have_count(
        (at - 1) % 4 + 1 if at else 0
    )


def swipe(page: Page, dx: int, dy: int = 0, *, fingers: int = 1) -> None:
    page.locator("[data-board]").evaluate(SWIPE, [dx, dy, fingers])


def test_keys_and_buttons_turn_cards_and_tricks_and_the_address_goes_with_them(replay: Page) -> None:
    for key, at in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("Shift+ArrowRight", 4),
        ("Shift+ArrowRight", 8),
        ("ArrowLeft", 7),
        ("Shift+ArrowLeft", 4),
        ("Home", 0),
    ):
        replay.keyboard.press(key)
        expect_step(replay, at)
    replay.get_by_role("link", name="Next card").click()
    replay.get_by_role("navigation", name="Tricks").get_by_role("link", name="Trick 3").click()

    expect_step(replay, 12)
    assert replay.url.endswith("?at=12")
    assert replay.get_by_role("link", name="Picture (PNG)").get_attribute("href") == (
        f"{replay.url.removesuffix('?at=12')}image.png?at=12"
    )
    replay.reload()
    expect_step(replay, 12)


def test_a_finger_along_the_table_turns_a_card_two_a_trick_and_one_that_goes_up_nothing(replay: Page) -> None:
    replay.set_viewport_size({"width": NARROW, "height": 740})

    for dx, dy, fingers, at in (
        (-80, 4, 1, 1),
        (-80, 0, 2, 4),
        (80, 0, 1, 3),
        (-60, -90, 1, 3),
        (-10, 0, 1, 3),
    ):
        swipe(replay, dx, dy, fingers=fingers)
        expect_step(replay, at)


def test_it_plays_by_itself_as_fast_as_is_asked_and_stops(replay: Page) -> None:
    shown = replay.locator("[data-at-shown]")
    replay.get_by_label("Speed").select_option("4×")
    replay.get_by_role("button", name="Play by itself").click()

    expect(shown).to_have_text(re.compile(r"^([3-9]|\d\d)$"))
    replay.get_by_role("button", name="Stop").click()
    stopped = shown.inner_text()
    replay.wait_for_timeout(700)

    expect(shown).to_have_text(stopped)
    replay.reload()
    expect(replay.get_by_label("Speed")).to_have_value("4")


def test_the_space_bar_plays_from_the_start_again_once_it_is_over(replay: Page, deal: str) -> None:
    replay.goto(f"{deal}?at=51")
    shown = replay.locator("[data-at-shown]")
    replay.keyboard.press("Space")

    expect(shown).to_have_text("52")
    expect(replay.get_by_role("button", name="Play by itself")).to_be_visible()
    replay.keyboard.press("Space")

    expect(shown).to_have_text(re.compile(r"^\d$"))
    expect(replay.get_by_role("button", name="Stop")).to_be_visible()


def test_the_trump_card_lies_covered_until_it_is_turned_up(replay: Page, deal: str) -> None:
    frames = frames_of(replay, deal)
    covered = replay.get_by_text("trump, face down")
    said = replay.locator(".replay__trump > :not([hidden])")

    replay.goto(f"{deal}?at={frames['revealed'] - 1}")
    expect(covered).to_be_visible()
    expect(said).to_have_text("Trump lies face down.")
    replay.keyboard.press("ArrowRight")

    expect(covered).to_be_hidden()
    expect(said).to_contain_text("Trump:")
    replay.keyboard.press("ArrowLeft")
    expect(covered).to_be_visible()


def test_every_step_that_the_script_shows_is_the_one_that_the_server_shows(
    replay: Page, without_scripts: Page, deal: str
) -> None:
    for at in (1, 7, frames_of(replay, deal)["revealed"], 52):
        without_scripts.goto(f"{deal}?at={at}")
        replay.goto(deal)
        replay.evaluate(
            "(at) => { for (let one = 0; one < at; one += 1) "
            "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true })); }",
            at,
        )

        seen = [
            [
                " ".join(page.locator(part).inner_text().split())
                for part in (".board", ".replay__now", ".replay__trump")
            ]
            for page in (replay, without_scripts)
        ]
        assert seen[0] == seen[1]


def test_without_a_script_all_tricks_are_a_table_and_the_steps_are_links(
    without_scripts: Page, deal: str
) -> None:
    page = without_scripts
    page.goto(deal)

    expect(page.get_by_role("table").filter(has_text="Trick").locator("tbody th")).to_have_count(13)
    page.get_by_role("link", name="Next card").click()

    expect_step(page, 1)
    expect(page.get_by_role("button", name="Play by itself")).to_be_hidden()


@pytest.fixture
def elsewhere(tmp_path: Path, site: Site, deal: str) -> Iterator[str]:
    """Return the address of another site, whose page frames a deal's replay and the deal's own page."""
    frames = "".join(
        f'<iframe name="{name}" src="{site.address}{deal}{tail}" width="640" height="720"></iframe>'
        for name, tail in (("framed", "embed/?at=2"), ("refused", ""))
    )
    (tmp_path / "index.html").write_text(f'<!doctype html><link rel="icon" href="data:,">{frames}')
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def test_a_deal_is_played_in_the_page_of_another_site_and_nothing_else_is(
    opens: Opens, elsewhere: str, complaints: Complaints
) -> None:
    page = opens(is_director=False, width=700)
    page.goto(elsewhere)
    framed = page.frame_locator("[name=framed]")

    expect(framed.locator("[data-at-shown]")).to_have_text("2")
    framed.get_by_role("link", name="Next card").click()

    expect(framed.locator("[data-at-shown]")).to_have_text("3")
    assert page.frame_locator("[name=refused]").locator("[data-board]").count() == 0
    assert ["frame-ancestors" in line for line in complaints.lines] == [True]
    complaints.lines.clear()


def test_the_frame_and_the_page_are_sound(opens: Opens, deal: str) -> None:
    page = opens(is_director=False)
    found = {}
    for address in (f"{deal}?at=30", f"{deal}embed/?at=30"):
        page.goto(address)
        for summary in page.locator("main summary").all():
            summary.click()
        found[address] = faults_of(page)

    assert found == {f"{deal}?at=30": [], f"{deal}embed/?at=30": []}
