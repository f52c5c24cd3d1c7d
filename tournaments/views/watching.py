"""The pages for who looks on: a table, and the hall."""

from typing import Final

from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from courtpiece.accounts.permissions import actor_of
from tournaments.queries.hall import hall_page
from tournaments.queries.live import table_page
from tournaments.views.wall import page_with_clock

PANELS: Final = ("clock", "tables", "standings", "news", "next")
"""In the order in which they follow each other."""
USUAL_SECONDS: Final = 12
LEAST_SECONDS: Final = 4
MOST_SECONDS: Final = 300
MOST_DIGITS: Final = 4


@never_cache
@require_safe
def table(request: HttpRequest, slug: str, table: str) -> TemplateResponse:
    """Show a table card by card, as late as the tournament wants it."""
    page = table_page(slug, table, actor=actor_of(request), now=timezone.now())
    facts = {"header": page.header, "watched": page.watched, "tables": page.tables}
    return page_with_clock(request, "tournaments/watch.html", facts)


@never_cache
@require_safe
def hall(request: HttpRequest, slug: str) -> TemplateResponse:
    """Show the big screen of the hall, whose panels the page turns by itself.

    ``?panel=`` names the panels that are wanted, ``?seconds=`` how long each part stays.
    """
    page = hall_page(slug, actor=actor_of(request), now=timezone.now())
    facts = {
        "page": page,
        "header": page.header,
        "standings": page.standings.answer,
        "panels": _panels_asked(request),
        "seconds": _seconds_asked(request),
    }
    return TemplateResponse(request, "tournaments/hall.html", facts)


def _panels_asked(request: HttpRequest) -> tuple[str, ...]:
    asked = {name for value in request.GET.getlist("panel") for name in value.split(",")}
    return tuple(name for name in PANELS if name in asked) or PANELS


def _seconds_asked(request: HttpRequest) -> int:
    asked = request.GET.get("seconds", "")
    if not (asked.isascii() and asked.isdecimal() and len(asked) <= MOST_DIGITS):
        return USUAL_SECONDS
    return min(max(int(asked), LEAST_SECONDS), MOST_SECONDS)
