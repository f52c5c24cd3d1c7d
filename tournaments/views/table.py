"""The page of a table, which opens without a network: the page, its service worker, and what a phone installs it by."""

import json
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

WORKER: Final = "js/table-sw.js"
SHELL: Final = "tournaments/table.html"
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
    "table",
)
SCRIPTS: Final = (
    "theme",
    "table",
    "table-store",
    "table/deals-list",
    "table/entry",
    "table/entry-result",
    "table/hooks",
    "table/last",
    "table/live-post",
    "table/network",
    "table/page",
    "table/standing",
    "table/words",
    "laws",
    "laws/rules",
    "laws/deal",
    "laws/record",
)
IMAGES: Final = ("mark", "icons", "border")
FILES: Final = (
    *(f"css/{name}.css" for name in STYLES),
    *(f"js/{name}.js" for name in SCRIPTS),
    *(f"img/{name}.svg" for name in IMAGES),
)
"""The static files without which the page does not work."""


@require_safe
def table_shell(request: HttpRequest) -> HttpResponse:
    """Show the page of a table, whichever it is: what stands behind the ``#`` never comes here."""
    return TemplateResponse(request, SHELL)


@never_cache
@require_safe
def table_worker(_request: HttpRequest) -> HttpResponse:
    """Return the service worker, which is another one whenever a file of the page is."""
    begin = f"const VERSION = {json.dumps(_version())};\nconst FILES = {json.dumps([*map(static, FILES)])};\n"
    return HttpResponse(begin + _source(WORKER).decode(), content_type="text/javascript; charset=utf-8")


@require_safe
def table_manifest(_request: HttpRequest) -> HttpResponse:
    """Return what a phone needs to know to install the page."""
    address = reverse("tournaments:table_shell")
    facts = {
        "id": address,
        "name": _("Courtpiece: the table"),
        "short_name": _("Table"),
        "start_url": address,
        "scope": address,
        "display": "standalone",
        "background_color": "#f6f2e8",
        "theme_color": "#0f4034",
        "icons": [{"src": static("img/mark.svg"), "sizes": "any", "type": "image/svg+xml"}],
    }
    return JsonResponse(facts, content_type="application/manifest+json")


@cache
def _version() -> str:
    """Return what the page's files are known by, with the page itself."""
    digest = sha256()
    for name in (WORKER, *FILES):
        digest.update(_source(name))
    with override("en"):
        digest.update(render_to_string(SHELL).encode())
    return digest.hexdigest()[:16]


def _source(name: str) -> bytes:
    return Path(str(finders.find(name))).read_bytes()
