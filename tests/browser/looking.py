"""What is wrong with a page as a browser shows it."""

from collections.abc import Sequence
from typing import Any, Final, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

Shape = tuple[int, int, Literal["light", "dark"]]
NARROW_AND_DARK: Final[Shape] = (360, 740, "dark")
SHAPES: Final[tuple[Shape, ...]] = ((1280, 800, "light"), NARROW_AND_DARK)
"""The contrast of both, the layout of both."""
OF_OTHERS: Final = ["#api-docs"]
"""What others wrote: Swagger's page of the API."""
COLOURS: Final = ["color-contrast", "link-in-text-block"]
"""The rules that ask for colours: by night nothing else of a page is other than by day (static/css/dark.css)."""
RUN: Final = """async ([exclude, rules]) => {
    const only = rules && { runOnly: { type: "rule", values: rules } };
    const found = await axe.run({ exclude }, { resultTypes: ["violations"], preload: false, ...only });
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


def faults_of(page: Page, shapes: Sequence[Shape] = SHAPES) -> list[str]:
    """Return what axe finds on the page in these shapes, and what is wider than its window.

    The page is left as wide as it was.
    """
    page.wait_for_load_state()
    before = page.viewport_size
    found: list[str] = []
    seen: tuple[int, int] | None = None
    for width, height, scheme in shapes:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=scheme)
        rules = COLOURS if (width, height) == seen else None
        found += [f"{scheme}, {width} px: {fault}" for fault in _violations(page, rules)]
        seen = width, height
        if beyond := page.evaluate(BEYOND):
            found.append(f"scrolls sideways at {width} px: {beyond}")
    page.emulate_media(color_scheme="null")
    if before:
        page.set_viewport_size(before)
    return found


def _violations(page: Page, rules: Sequence[str] | None) -> list[str]:
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE_SCRIPT)
    violations: list[Any] = page.evaluate(RUN, [OF_OTHERS, rules])
    return [f"{code}: {'; '.join(places[:3])} ({len(places)})" for code, places in violations]
