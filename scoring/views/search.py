"""The search: players, partnerships, matches and deals."""

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from courtpiece.accounts.parts import Asked, PartOf
from courtpiece.accounts.permissions import Actor, actor_of
from courtpiece.accounts.refusals import Refused
from scoring.forms import SearchForm
from scoring.queries import found, lists
from scoring.queries.lists import DealFilter, PeopleFilter, SheetFilter

DEALS: Final = "deals"
LINES: Final = 25
"""On a page."""


@never_cache
@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Show what is found, or the empty form."""
    what = request.GET.get("what", DEALS)
    if what not in FINDERS:
        what = DEALS
    is_asked = "what" in request.GET
    form = SearchForm(request.GET if is_asked else None)
    facts: dict[str, Any] = {"form": form, "what": what, "is_asked": is_asked, "whats": tuple(FINDERS)}
    status = HTTPStatus.OK
    if form.is_valid():
        asked = Asked(cursor=request.GET.get("cursor", ""), limit=LINES)
        try:
            facts["part"] = FINDERS[what](actor_of(request), form, asked)
            facts["files"] = _files(what, form)
        except Refused as refusal:
            form.show(refusal)
    if form.errors:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    return TemplateResponse(request, "scoring/search.html", facts, status=status)


def _files(what: str, form: SearchForm) -> Mapping[str, str]:
    """Return where the API gives all of what is found, by the names of the forms."""
    route, asked_as = FILES[what]
    asked = {asked_as[name]: value for name, value in form.given.items() if name in asked_as}
    forms = {"CSV": {"format": "csv", "bom": "1"}, "NDJSON": {"format": "ndjson"}}
    if what == DEALS:
        forms = {"PCN": {"format": "pcn"}, **forms}
    return {name: f"{reverse(route)}?{urlencode({**asked, **wanted})}" for name, wanted in forms.items()}


def _deals_of(form: SearchForm) -> DealFilter:
    given = form.given
    return DealFilter(
        club=given.get("club"), award=given.get("award"), trump=given.get("trump"), sought=form.sought
    )


def _deals(actor: Actor, form: SearchForm, asked: Asked) -> PartOf[Any]:
    return found.found_deals(actor=actor, wanted=_deals_of(form), asked=asked, now=timezone.now())


def _matches(actor: Actor, form: SearchForm, asked: Asked) -> PartOf[Any]:
    wanted = SheetFilter(club=form.given.get("club"), sought=form.sought)
    return lists.scoresheets(actor=actor, wanted=wanted, asked=asked)


def _people_of(form: SearchForm) -> PeopleFilter:
    given = form.given
    return PeopleFilter(club=given.get("club"), search=given.get("name"), partner=given.get("partner"))


def _players(actor: Actor, form: SearchForm, asked: Asked) -> PartOf[Any]:
    return lists.players(actor=actor, wanted=_people_of(form), asked=asked)


def _partnerships(actor: Actor, form: SearchForm, asked: Asked) -> PartOf[Any]:
    return lists.partnerships(actor=actor, wanted=_people_of(form), asked=asked)


FINDERS: Final[Mapping[str, Callable[[Actor, SearchForm, Asked], PartOf[Any]]]] = {
    DEALS: _deals,
    "matches": _matches,
    "players": _players,
    "partnerships": _partnerships,
}
"""What can be looked for, and what finds it."""

_NAMES: Final = {"name": "search", "club": "club"}
_OF_MATCHES: Final = ("name", "partner", "club", "date_from", "date_to", "game")
FILES: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    DEALS: ("api-deals", {name: name for name in SearchForm.base_fields}),
    "matches": ("api-scoresheets", {name: name for name in _OF_MATCHES}),
    "players": ("api-players", _NAMES),
    "partnerships": ("api-partnerships", {**_NAMES, "partner": "partner"}),
}
"""Where the API has all of it, and what it calls the fields that are asked by; a file is not asked by the others."""
