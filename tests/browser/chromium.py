"""Where the browser of the tests is."""

import os
import shutil
from typing import Final

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""It asks nobody but the site, and runs as root in a container."""


def chromium() -> str | None:
    """Return the path of Chromium: the one that ``CHROMIUM`` names, else the machine's, if it has one."""
    return next(filter(None, map(shutil.which, (os.environ.get("CHROMIUM", ""), *NAMES))), None)
