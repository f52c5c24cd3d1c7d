"""Impatient hands, the way back, and two directors: one effect, and nobody is left in the dark."""

import re
from http import HTTPStatus

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Complaints, Opens
from tests.browser.steps import WINS, a_swiss, draw, go, publish, tables_of, type_results

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_a_double_click_publishes_once(opens: Opens) -> None:
    page = opens()
    slug = a_swiss(page, name="Double click", pairs=4)
    draw(page, slug, 1)

    page.get_by_role("button", name="Publish: Round 1").dblclick()

    expect(page.get_by_text("The round is published.")).to_be_visible()
    assert tables_of(page, slug, 1) == 2
    page.goto(f"/tournaments/{slug}/")
    expect(page.locator("details.round")).to_have_count(1)


def test_what_is_sent_again_from_the_way_back_counts_once(opens: Opens, complaints: Complaints) -> None:
    page = opens()
    slug = a_swiss(page, name="Way back", pairs=4)
    draw(page, slug, 1)
    publish(page, 1)
    type_results(page, slug, 1, 1)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("ol.known > li")).to_have_count(len(WINS))

    page.go_back()
    go(page.get_by_role("button", name="Save", exact=True))
    page.reload()

    complaints.forgive(HTTPStatus.UNPROCESSABLE_ENTITY)
    expect(page.locator("ol.known > li")).to_have_count(len(WINS))


def test_who_publishes_second_is_shown_what_the_first_did(opens: Opens, complaints: Complaints) -> None:
    first, second = opens(), opens()
    slug = a_swiss(first, name="Two directors", pairs=4)
    draw(first, slug, 1)
    second.goto(f"/tournaments/{slug}/manage/draw/")
    publish(first, 1)

    second.get_by_role("button", name="Publish: Round 1").click()

    expect(second.get_by_role("alert")).to_have_text(re.compile("The last round published is round 1"))
    complaints.forgive(HTTPStatus.CONFLICT)
    assert tables_of(first, slug, 1) == 2


def test_a_clock_that_one_director_starts_can_be_paused_by_the_other(opens: Opens) -> None:
    first, second = opens(), opens()
    slug = a_swiss(first, name="Two clocks", pairs=4)
    draw(first, slug, 1)
    publish(first, 1)
    for page in (first, second):
        page.goto(f"/tournaments/{slug}/manage/")

    first.get_by_role("button", name="Start the clock").first.click()
    second.get_by_role("button", name="Pause").click()

    expect(first.get_by_role("button", name="Resume")).to_be_visible()
