"""One site, one browser, and who looks at it."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect, sync_playwright

from tests.browser.chromium import ARGUMENTS, chromium
from tests.processes import free_port, process, wait_until_well

PATIENCE: Final = 15_000
"""Milliseconds until what a page should show is missed: the other core runs the other tests."""
WIDE: Final = 1280
NARROW: Final = 360
expect.set_options(timeout=PATIENCE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A site of its own, with the demonstration club."""

    address: str
    email: str
    password: str
    log: Path


@dataclass(frozen=True, slots=True)
class Complaints:
    """What browsers said of the pages that they were shown: mistakes of scripts, broken policies, missing files."""

    lines: list[str] = field(default_factory=list)

    def listen(self, context: BrowserContext) -> None:
        """Hear what pages of this context complain of."""
        context.on("weberror", lambda error: self.lines.append(f"{error.error}"))
        context.on(
            "console",
            lambda said: (
                self.lines.append(f"{said.page.url if said.page else ''}: {said.text}")
                if said.type in {"error", "warning"}
                else None
            ),
        )

    def forgive(self, status: HTTPStatus) -> None:
        """Forget that a form was answered so, which the browser writes down as a file that is missing."""
        self.lines[:] = [
            line for line in self.lines if f"the server responded with a status of {status} " not in line
        ]


Opens = Callable[..., Page]


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Return a new site as `make run` serves it, with its worker."""
    folder, port = tmp_path_factory.mktemp("browser"), free_port()
    log = folder / "log"
    variables = {
        "PORT": str(port),
        "DATABASE_URL": f"sqlite:///{folder}/site.sqlite3",
        "LOG_LEVEL": "WARNING",
    }
    with process("manage.py", "serve", variables=variables, log=log) as served:
        wait_until_well(port, site=served, seconds=120, log=log)
        said = log.read_text()
        email, password = (re.findall(rf"{word} +(\S+)\n", said)[0] for word in ("director:", "the password"))
        yield Site(address=f"http://127.0.0.1:{port}", email=email, password=password, log=log)
    assert "Traceback" not in log.read_text(), log.read_text()


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Return the browser; it is closed with the last of these tests, since no other could use asyncio meanwhile."""
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium(), args=list(ARGUMENTS))
        yield opened
        opened.close()


@pytest.fixture(scope="package")
def signed_in(site: Site, browser: Browser) -> StorageState:
    """Return the cookies of the club's director, who signed in by the page."""
    context = browser.new_context(base_url=site.address)
    page = context.new_page()
    page.goto("/accounts/login/")
    page.get_by_label("E-mail").fill(site.email)
    page.get_by_label("Password").fill(site.password)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{site.address}/")
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """Return what the pages of a test complain of; there must be nothing at its end."""
    heard = Complaints()
    yield heard
    assert heard.lines == []


@pytest.fixture
def opens(site: Site, browser: Browser, signed_in: StorageState, complaints: Complaints) -> Iterator[Opens]:
    """Return what opens a browser's page, of a director or of a visitor; each has cookies of its own."""
    with ExitStack() as stack:

        def open_page(*, is_director: bool = True, width: int = WIDE) -> Page:
            context = browser.new_context(
                base_url=site.address,
                storage_state=signed_in if is_director else None,
                viewport={"width": width, "height": 800},
                reduced_motion="reduce",
                locale="en-GB",
            )
            stack.callback(context.close)
            context.set_default_timeout(PATIENCE)
            complaints.listen(context)
            return context.new_page()

        yield open_page
