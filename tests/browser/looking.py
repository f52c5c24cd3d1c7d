"""What is wrong with a page as a browser shows it."""

from typing import Any, Final

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

SHAPES: Final = ((1280, 800, "light"), (360, 740, "dark"))
"""Wide and light, narrow and dark: the contrast of both, the layout of both."""
NARROW: Final = 360
RUN: Final = """async () => {
    const found = await axe.run(document, { resultTypes: ["violations"] });
    return found.violations.map(({ id, nodes }) => [id, nodes.map(({ target, failureSummary }) =>
        target.join(" ") + " " + failureSummary.split("\\n").slice(1, 2).join(" ").trim())]);
}"""
BEYOND: Final = """() => {
    const { scrollWidth } = document.scrollingElement;
    if (scrollWidth <= innerWidth) return null;
    const wide = [...document.querySelectorAll("body *")].filter((one) => {
        const { left, right } = one.getBoundingClientRect();
        return (right > innerWidth + 1 || left < -1) && !one.closest(".scroll, .sr");
    });
    return `${scrollWidth} px: ` + wide.slice(0, 4).map((one) => `${one.localName}.${one.className}`).join(" ");
}"""


def faults_of(page: Page) -> list[str]:
    """Return what axe finds on the page, wide and light and then narrow and dark, and what is wider than a phone.

    The page is left as wide as it was.
    """
    before = page.viewport_size
    found: list[str] = []
    for width, height, scheme in SHAPES:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        found += [f"{scheme}, {width} px: {fault}" for fault in _violations(page)]
        if width == NARROW and (beyond := page.evaluate(BEYOND)):
            found.append(f"scrolls sideways: {beyond}")
    page.emulate_media(color_scheme="null")
    if before:
        page.set_viewport_size(before)
    return found


def _violations(page: Page) -> list[str]:
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE_SCRIPT)
    violations: list[Any] = page.evaluate(RUN)
    return [f"{code}: {'; '.join(places[:3])} ({len(places)})" for code, places in violations]
