"""The pages of no app: the front page, the style guide, and what is shown when something goes wrong."""

import re
from http import HTTPStatus
from pathlib import Path

import pytest
from django.test import Client, RequestFactory
from pytest_django import DjangoAssertNumQueries

from courtpiece.project.styleguide import styleguide
from tests.accounts.builders import a_club
from tests.tournaments.builders import a_scheduled_tournament

TEMPLATES = Path(__file__).resolve().parents[2] / "templates"


@pytest.mark.django_db
def test_the_front_page_says_what_the_site_is(client: Client) -> None:
    answer = client.get("/")

    assert answer.status_code == HTTPStatus.OK
    assert "<h1>Every deal, every court, and the reason for each.</h1>" in answer.content.decode()


@pytest.mark.django_db
def test_a_page_in_urdu_runs_from_right_to_left(client: Client) -> None:
    answer = client.get("/", headers={"accept-language": "ur"})

    assert '<html lang="ur" dir="rtl">' in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("count", [1, 3])
def test_the_front_page_shows_clubs_and_tournaments_in_four_queries(
    count: int, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(count):
        club = a_club(slug=f"club-{number}")
        a_scheduled_tournament("A A & B B", "C C & D D", club_id=club.pk, slug=f"rang-{number}")

    with django_assert_num_queries(4):
        page = client.get("/").content.decode()

    assert [f"/tournaments/rang-{number}/" in page for number in range(count)] == [True] * count
    assert [f"/clubs/club-{number}/" in page for number in range(count)] == [True] * count


def test_the_style_guide_shows_every_component(rf: RequestFactory) -> None:
    answer = styleguide(rf.get("/styleguide/?at=18")).render()

    assert answer.status_code == HTTPStatus.OK
    assert answer.content.decode().count("<h2>") >= 10


@pytest.mark.django_db
def test_an_address_at_which_there_is_nothing_has_a_page(client: Client) -> None:
    answer = client.get("/no/such/page/")

    assert answer.status_code == HTTPStatus.NOT_FOUND
    assert "<h1>Not found" in answer.content.decode()


SOURCES = sorted(TEMPLATES.rglob("*.html"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(TEMPLATES)))
def test_no_template_needs_what_the_content_security_policy_refuses(path: Path) -> None:
    source = re.sub(r"{%.*?%}", "", path.read_text(encoding="utf-8"))
    refused = (
        r"<style|\sstyle=|\son[a-z]+=\"|<script(?![^>]*\s(src|type=\"application/json\"))|javascript:|hx-on"
    )

    assert re.findall(refused, source) == []


def _rules(path: Path) -> str:
    return re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)


STYLES = sorted((TEMPLATES.parent / "static" / "css").glob("*.css"))


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.name)
def test_style_sheets_name_no_left_or_right(path: Path) -> None:
    physical = (
        r"(?:margin|padding|border|inset)-(?:left|right|top|bottom)|(?<![-\w])(?:left|right|top|bottom)\s*:"
    )

    assert re.findall(physical, _rules(path)) == []
