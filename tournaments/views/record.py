"""The page on which anybody records a game, which opens without a network. A game needs no tournament and no account."""

from typing import Final

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from tournaments.forms.regulations import RulesForm
from tournaments.views import table
from tournaments.views.shells import Shell, manifest_of, worker_of

OF_THE_TABLE: Final = frozenset({"js/table.js"})
"""What the page of a table has alone."""
OWN_FILES: Final = (
    "css/create.css",
    "css/record.css",
    "js/record.js",
    "js/record/begin.js",
    "js/record/files.js",
    "js/record/play.js",
    "js/record/send.js",
    "js/record/store.js",
)
FILES: Final = (*(name for name in table.FILES if name not in OF_THE_TABLE), *OWN_FILES)
SHELL: Final = Shell(
    name="tournaments:record_shell",
    template="tournaments/record.html",
    cache="courtpiece-record-",
    files=FILES,
    facts=lambda: {"form": RulesForm(initial=RulesForm.initial_of("court-piece"))},
)


@require_safe
def record_shell(request: HttpRequest) -> HttpResponse:
    """Show the page, which is the same for everybody: the games are on the phone."""
    return TemplateResponse(request, SHELL.template, {"version": SHELL.version, **SHELL.facts()})


@never_cache
@require_safe
def record_worker(_request: HttpRequest) -> HttpResponse:
    """Return the service worker."""
    return worker_of(SHELL)


@require_safe
def record_manifest(_request: HttpRequest) -> HttpResponse:
    """Return what a phone needs to know to install the page."""
    return manifest_of(SHELL, name=_("Courtpiece: record a game"), short_name=_("Court Piece"))


@never_cache
@require_safe
def record_account(request: HttpRequest) -> HttpResponse:
    """Say who is signed in, with the token without which nothing is taken from a page: the page that is kept has none."""
    name = request.user.display_name if request.user.is_authenticated else None
    return JsonResponse({"name": name, "csrf": get_token(request)})
