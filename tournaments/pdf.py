"""PDF of a printed page, through WeasyPrint where it is installed: it is an optional extra, and needs Pango."""

import logging
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any, Final

from django.contrib.staticfiles import finders
from django.utils.translation import gettext as _

from tournaments.errors import PdfBusy, PdfMissing

SECONDS_TO_WAIT: Final = 15
_one_at_a_time: Final = Lock()
logging.getLogger("weasyprint.progress").setLevel(logging.WARNING)


def is_possible() -> bool:
    """Return whether WeasyPrint is installed; whether Pango is, only a try tells."""
    return find_spec("weasyprint") is not None


def to_pdf(html: str, *, stylesheets: Sequence[str]) -> bytes:
    """Return the page as PDF, with these files of ``static/``. Nothing else is fetched, from anywhere.

    One at a time is made in a process, since each takes a processor and much memory.

    :raises PdfMissing: if WeasyPrint or Pango is not installed.
    :raises PdfBusy: if another one takes too long.
    """
    weasyprint = _weasyprint()
    if not _one_at_a_time.acquire(timeout=SECONDS_TO_WAIT):
        raise PdfBusy(_("Another PDF is being made. Try again in a moment, or print this page."))
    try:
        css = [weasyprint.CSS(string=_read(name), url_fetcher=refuse) for name in stylesheets]
        page = weasyprint.HTML(string=html, base_url="courtpiece:", url_fetcher=refuse)
        made: bytes = page.write_pdf(stylesheets=css)
        return made
    finally:
        _one_at_a_time.release()


def _weasyprint() -> Any:
    try:
        import weasyprint  # noqa: PLC0415 - an optional extra
    except (ImportError, OSError) as error:
        raise PdfMissing(
            _(
                "PDF needs WeasyPrint and Pango: run `make env-print`, and install the package libpango-1.0-0, "
                "libpangoft2-1.0-0 and libharfbuzz-subset0 (pango with Homebrew). Printing this page works without."
            )
        ) from error
    return weasyprint


def _read(name: str) -> str:
    found = finders.find(name)
    assert isinstance(found, str)
    return Path(found).read_text(encoding="utf-8")


def refuse(url: str, *args: object, **kwargs: object) -> Any:
    """Fetch nothing.

    :raises ValueError: always.
    """
    raise ValueError(f"nothing is fetched for a PDF, but {url} was asked for")
