"""Every page of the site with the demonstration's data: axe finds nothing, no script fails, none scrolls sideways."""

from collections import deque
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit
from uuid import UUID

import pytest
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve, reverse
from playwright.sync_api import Page, expect

from tests.browser.conftest import Opens
from tests.browser.looking import NARROW_AND_DARK, SHAPES, faults_of
from tournaments.operations.demonstration import CHALLENGE, EVENING, LEAGUE, SWISS
from tournaments.views.prints import OF_ROUNDS, OF_STANDINGS

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LINKS: Final = """[...document.querySelectorAll("a[href]:not([download])")].map(
    (one) => new URL(one.getAttribute("href"), location).href)"""
RUN: Final = ("", "settings/", "room/", "draw/", "close/", "rulings/", "results/", "slips/")
OF_A_DIRECTOR: Final = (
    *(f"/tournaments/{slug}/manage/{page}" for slug in (SWISS, LEAGUE, CHALLENGE) for page in RUN),
    *(f"/tournaments/{LEAGUE}/manage/print/{kind}/" for kind in (*OF_ROUNDS, *OF_STANDINGS)),
    f"/tournaments/{LEAGUE}/manage/entries/1/",
    "/accounts/clubs/new/",
    "/games/",
    "/accounts/password/change/",
)
"""With what they lead to: a page of every kind, and of the tournaments' states."""
FOR_EVERYBODY: Final = (
    "/",
    "/record/",
    "/table/",
    *(f"/tournaments/{slug}/" for slug in (EVENING, LEAGUE, CHALLENGE, SWISS)),
    f"/tournaments/{LEAGUE}/entries/1/",
    f"/tournaments/{SWISS}/hall/",
    f"/tournaments/{LEAGUE}/tables/1/",
)
NO_PAGES: Final = {
    "scoring:deal_pbn",
    "scoring:deal_pcn",
    "scoring:deal_png",
    "scoring:deal_svg",
    "scoring:scoresheet_pcn",
    "scoring:shared_deal_pbn",
    "scoring:shared_deal_pcn",
    "scoring:shared_deal_png",
    "scoring:shared_deal_svg",
    "scoring:shared_pcn",
    "tournaments:clock_now",
    "tournaments:entries_csv",
    "tournaments:entries_search",
    "tournaments:entries_xlsx",
    "tournaments:find_match",
    "tournaments:record_account",
    "tournaments:record_manifest",
    "tournaments:record_worker",
    "tournaments:results_csv",
    "tournaments:results_empty_csv",
    "tournaments:results_empty_xlsx",
    "tournaments:results_xlsx",
    "tournaments:standings_fragment",
    "tournaments:table_manifest",
    "tournaments:table_worker",
}
"""Files, and parts of pages."""
OF_NO_DEMONSTRATION: Final = {
    "scoring:deal_embed",
    "scoring:game",
    "scoring:shared",
    "scoring:shared_deal",
    "tournaments:dispute",
    "tournaments:entries_ask",
    "tournaments:ruling_back",
}
"""What the demonstration has none of; another test may have made some of it on the same site before."""
ANY: Final = {"int": 1, "uuid": UUID(int=0), "slug": LEAGUE, "path": "1", "string": "1"}
"""What stands in an address, by the name of its converter."""


def kind_of(path: str) -> str | None:
    """Return which kind of page is at ``path``; ``None`` for what is no page of ours."""
    try:
        found = resolve(path)
    except Resolver404:
        return None
    if "admin" in found.namespaces or found.view_name in {"api-docs", "api-schema", "healthz", *NO_PAGES}:
        return None
    words = (str(value) for name, value in sorted(found.kwargs.items()) if name in {"what", "kind"})
    return " ".join([found.view_name, *words])


def links_of(page: Page) -> Iterator[str]:
    """Yield the pages of the site to which this one leads."""
    here = urlsplit(page.url)
    for address in page.evaluate(LINKS):
        there = urlsplit(address)
        if (there.scheme, there.netloc) == (here.scheme, here.netloc):
            yield there._replace(scheme="", netloc="", fragment="").geturl()


def look_around(page: Page, paths: Sequence[str]) -> tuple[set[str], dict[str, list[str]]]:
    """Look at the pages of ``paths`` and at one of each kind to which links lead.

    Returns which kinds were seen, and what is wrong with which page.
    """
    queue, known, seen = deque(paths), set(paths), set[str]()
    faults: dict[str, list[str]] = {}
    while queue:
        path = queue.popleft()
        kind = kind_of(urlsplit(path).path)
        if kind is None or (kind in seen and path not in paths):
            continue
        answer = page.goto(path)
        found = faults_of(page, (NARROW_AND_DARK,) if kind in seen else SHAPES)
        if answer is None or not answer.ok:
            found.append("it is not shown")
        if found:
            faults[path] = found
        seen.add(kind)
        fresh = [link for link in dict.fromkeys(links_of(page)) if link not in known]
        known.update(fresh)
        queue.extend(fresh)
    return seen, faults


def unseen_by(page: Page, seen: set[str]) -> set[str]:
    """Return the routes that are no page's of ``seen``, but for those that only take forms."""
    names = {kind.split()[0] for kind in seen}
    return {
        name
        for name, path in routes()
        if name not in names and page.request.get(path).status != HTTPStatus.METHOD_NOT_ALLOWED
    }


def routes() -> Iterator[tuple[str, str]]:
    """Yield the names of our routes, each with an address."""
    for resolver in get_resolver().url_patterns:
        if isinstance(resolver, URLResolver) and resolver.namespace in {"accounts", "scoring", "tournaments"}:
            for one in resolver.url_patterns:
                assert isinstance(one, URLPattern)
                name = f"{resolver.namespace}:{one.name}"
                values = {key: ANY[kind_of_value(value)] for key, value in one.pattern.converters.items()}
                yield name, reverse(name, kwargs={**values, **one.default_args})


def kind_of_value(converter: object) -> str:
    return type(converter).__name__.removesuffix("Converter").lower()


def test_every_page_that_a_director_sees_is_sound(opens: Opens) -> None:
    page = opens()

    seen, faults = look_around(page, (*FOR_EVERYBODY, *OF_A_DIRECTOR))

    assert faults == {}
    assert unseen_by(page, seen) | OF_NO_DEMONSTRATION == NO_PAGES | OF_NO_DEMONSTRATION


def test_every_page_that_a_visitor_sees_is_sound(opens: Opens) -> None:
    _seen, faults = look_around(
        opens(is_director=False), (*FOR_EVERYBODY, "/accounts/login/", "/accounts/signup/")
    )

    assert faults == {}


def test_the_page_of_the_api_is_sound_around_what_others_wrote(opens: Opens) -> None:
    page = opens(is_director=False)

    page.goto("/api/v1/docs")

    expect(page.locator("#api-docs .opblock").first).to_be_visible()
    expect(page.get_by_role("main")).to_have_count(1)
    assert faults_of(page) == []
