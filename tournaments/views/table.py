"""The page of a table, which opens without a network: the page, its service worker, and what a phone installs it by."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.views.shells import Shell, manifest_of, worker_of

STYLES: Final = (
    "tokens",
    "dark",
    "base",
    "layout",
    "components",
    "cards",
    "tables",
    "pages",
    "print",
    "entry",
    "table",
    "confirm",
)
ENTRY_SCRIPTS: Final = (
    "table/cards",
    "table/cards-deal",
    "table/cards-play",
    "table/cards-setup",
    "table/drafts",
    "table/entry",
    "table/entry-cards",
    "table/entry-result",
    "table/entry-tricks",
    "table/hands-grid",
    "table/hooks",
    "table/paste",
    "table/preferences",
    "table/read-text",
    "table/standing",
    "table/ways",
    "table/words",
)
"""The scripts by which a deal is entered, on any page."""
SCRIPTS: Final = (
    *ENTRY_SCRIPTS,
    "theme",
    "table",
    "table-store",
    "indexed-db",
    "table/confirm",
    "table/deals-list",
    "table/handing",
    "table/last",
    "table/live-post",
    "table/network",
    "table/page",
    "table/taking",
    "table/upkeep",
    "qr",
    "worker",
    "laws",
    "laws/rules",
    "laws/deal",
    "laws/record",
)
IMAGES: Final = ("mark", "icons", "border", "cards")
FILES: Final = (
    *(f"css/{name}.css" for name in STYLES),
    *(f"js/{name}.js" for name in SCRIPTS),
    *(f"img/{name}.svg" for name in IMAGES),
)
"""The static files without which the page does not work."""
SHELL: Final = Shell(
    name="tournaments:table_shell", template="tournaments/table.html", cache="courtpiece-table-", files=FILES
)


@require_safe
def table_shell(request: HttpRequest) -> HttpResponse:
    """Show the page of a table, whichever it is: what stands behind the ``#`` never comes here."""
    return TemplateResponse(request, SHELL.template, {"version": SHELL.version})


@never_cache
@require_safe
def table_worker(_request: HttpRequest) -> HttpResponse:
    """Return the service worker."""
    return worker_of(SHELL)


@require_safe
def table_manifest(_request: HttpRequest) -> HttpResponse:
    """Return what a phone needs to know to install the page."""
    return manifest_of(SHELL, name=_("Courtpiece: the table"), short_name=_("Table"))
