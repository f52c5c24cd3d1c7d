"""Pages that open without a network: their service workers, and what a phone installs them by."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.contrib.staticfiles import finders
from django.http import HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import override

WORKER: Final = "js/table-sw.js"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """A page that is kept on phones."""

    name: str
    """Of its route; what its address begins with is its worker's alone."""
    template: str
    cache: str
    """What the names of its caches begin with, and no other's do."""
    files: tuple[str, ...]
    """The static files without which it does not work."""
    facts: Callable[[], dict[str, Any]] = dict
    """Returns what its template is given; the same for everybody."""

    @property
    def version(self) -> str:
        """What the page's files are known by, with the page itself."""
        return _version_now(self) if settings.DEBUG else _version(self)


def worker_of(shell: Shell) -> HttpResponse:
    """Return the page's service worker, which is another one whenever a file of the page is."""
    constants = {
        "VERSION": shell.version,
        "FILES": [*map(static, shell.files)],
        "SHELL": reverse(shell.name),
        "PREFIX": shell.cache,
    }
    begin = "".join(f"const {name} = {json.dumps(value)};\n" for name, value in constants.items())
    return HttpResponse(begin + _source(WORKER).decode(), content_type="text/javascript; charset=utf-8")


def manifest_of(shell: Shell, *, name: str, short_name: str) -> JsonResponse:
    """Return what a phone needs to know to install the page."""
    address = reverse(shell.name)
    facts = {
        "id": address,
        "name": name,
        "short_name": short_name,
        "start_url": address,
        "scope": address,
        "display": "standalone",
        "background_color": "#f6f2e8",
        "theme_color": "#0f4034",
        "icons": [{"src": static("img/mark.svg"), "sizes": "any", "type": "image/svg+xml"}],
    }
    return JsonResponse(facts, content_type="application/manifest+json")


@cache
def _version(shell: Shell) -> str:
    return _version_now(shell)


def _version_now(shell: Shell) -> str:
    digest = sha256()
    for name in (WORKER, *shell.files):
        digest.update(_source(name))
    with override("en"):
        digest.update(render_to_string(shell.template, shell.facts()).encode())
    return digest.hexdigest()[:16]


def _source(name: str) -> bytes:
    return Path(str(finders.find(name))).read_bytes()
