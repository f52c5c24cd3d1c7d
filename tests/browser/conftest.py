"""One site, one browser, and who looks at it."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from fcntl import LOCK_EX, flock
from http import HTTPStatus
from pathlib import Path
from shutil import copytree
from typing import Final

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, StorageState, expect, sync_playwright

from tests.browser.chromium import ARGUMENTS, chromium
from tests.browser.halls import Hall
from tests.processes import free_port, manage, process, wait_until_well

PATIENCE: Final = 45_000
"""Milliseconds until what a page should show is missed: the other core runs the other tests."""
WIDE: Final = 1280
NARROW: Final = 360
SAID: Final = "said"
"""The name of the file with what making the demonstration said: how its director signs in."""
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
def new_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a new site with the demonstration club, which one process makes for all."""
    own = tmp_path_factory.getbasetemp()
    folder = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "new-site"
    with folder.with_suffix(".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not folder.exists():
            made = tmp_path_factory.mktemp("made")
            manage("migrate", "--verbosity=0", variables=variables_in(made))
            (made / SAID).write_text(manage("demo", variables=variables_in(made)))
            made.rename(folder)
    return folder


def variables_in(folder: Path) -> dict[str, str]:
    """Return the variables of a site that keeps its data there."""
    return {"DATABASE_URL": f"sqlite:///{folder}/site.sqlite3", "LOG_LEVEL": "WARNING"}


@pytest.fixture(scope="package")
def site(tmp_path_factory: pytest.TempPathFactory, new_site: Path) -> Iterator[Site]:
    """Return a new site of this process alone, as `make run` serves it, with its worker."""
    folder, port = tmp_path_factory.mktemp("browser") / "site", free_port()
    copytree(new_site, folder)
    log = folder / "log"
    said = (folder / SAID).read_text()
    email, password = (re.findall(rf"{word} +(\S+)\n", said)[0] for word in ("director:", "the password"))
    variables = {**variables_in(folder), "PORT": str(port)}
    with process("manage.py", "serve", variables=variables, log=log) as served:
        wait_until_well(port, site=served, seconds=120, log=log)
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


@pytest.fixture(scope="package")
def hall(site: Site, browser: Browser, signed_in: StorageState) -> Iterator[Hall]:
    """Return tables with links, made by the director on the pages when one is asked for."""
    context = browser.new_context(
        base_url=site.address,
        storage_state=signed_in,
        viewport={"width": WIDE, "height": 800},
        locale="en-GB",
    )
    context.set_default_timeout(PATIENCE)
    yield Hall(context)
    context.close()


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
