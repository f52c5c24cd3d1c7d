"""Tables with links, for tests that need one at which nothing was played."""

import re
from typing import Final

from playwright.sync_api import BrowserContext

from tests.browser.steps import a_swiss, draw, go, publish

PAIRS: Final = 12


class Hall:
    """Tables with links, of one tournament after the other, and the director's page of it."""

    def __init__(self, context: BrowserContext) -> None:
        self.page = context.new_page()
        self.slug = ""
        self._links: list[str] = []
        self._made = 0

    def next_link(self) -> str:
        """Return the link of a table at which nothing was played."""
        if not self._links:
            self._made += 1
            self.slug = a_swiss(self.page, name=f"Hall {self._made}", pairs=PAIRS)
            draw(self.page, self.slug, 1)
            publish(self.page, 1)
            self.page.goto(f"/tournaments/{self.slug}/manage/links/")
            go(self.page.get_by_role("button", name=re.compile("^Make the links")))
            links = self.page.locator("a[href*='/table/#']")
            self._links = [address for one in links.all() if (address := one.get_attribute("href"))]
        return self._links.pop(0)

    def press(self, table: str, button: str) -> None:
        """Press a button beside a table in the room, and wait until that is done."""
        self.page.goto(f"/tournaments/{self.slug}/manage/room/")
        row = self.page.get_by_role("row").filter(
            has=self.page.get_by_role("rowheader", name=table, exact=True)
        )
        go(row.get_by_role("button", name=button))
