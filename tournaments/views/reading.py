"""The pages that everybody reads who may see a tournament."""

from dataclasses import replace
from hashlib import sha256
from typing import Final

from django.core.cache import cache
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from courtpiece.accounts.permissions import actor_of
from tournaments import queries
from tournaments.operations import standings as operations
from tournaments.queries import TournamentFront
from tournaments.views.wall import page_with_clock

KEPT: Final = 86_400
"""Seconds for which what was made of one version is kept; a new version is made anew."""
MOST_DIGITS: Final = 4
"""Of the number of a round in an address."""


@require_safe
def index(request: HttpRequest) -> TemplateResponse:
    """List the tournaments that the reader may find."""
    lines = queries.newest_tournaments(actor=actor_of(request), limit=200)
    return TemplateResponse(request, "tournaments/index.html", {"tournaments": lines})


@require_safe
def club(request: HttpRequest, slug: str) -> TemplateResponse:
    """Show a club with its tournaments."""
    page = queries.club_tournaments(slug, actor=actor_of(request))
    return TemplateResponse(request, "tournaments/club.html", {"page": page, "club": page.page.club})


@require_safe
def tournament(request: HttpRequest, slug: str) -> TemplateResponse:
    """Show a tournament: its standings, its rounds, what was special."""
    number = _round_asked(request)
    page = queries.tournament_front(slug, actor=actor_of(request), round_number=number, now=timezone.now())
    facts = {"page": page, "header": page.header, "body": _body(page)}
    return TemplateResponse(request, "tournaments/tournament.html", facts)


def _body(front: TournamentFront) -> SafeString:
    """Return the rest of the page as it was made of the same version and front, or make it."""
    made_of = (replace(front, clock=None), get_language())
    key = f"tournament-body:{sha256(repr(made_of).encode()).hexdigest()}"
    kept: SafeString | None = cache.get(key)
    if kept is None:
        facts = {"page": queries.tournament_body(front), "header": front.header}
        kept = render_to_string("tournaments/tournament_body.html", facts)
        cache.set(key, kept, KEPT)
    return kept


@require_safe
def ranks(request: HttpRequest, slug: str) -> TemplateResponse:
    """Show the ranks after each round."""
    page = queries.ranks_page(slug, actor=actor_of(request))
    return page_with_clock(request, "tournaments/ranks.html", {"page": page, "header": page.header})


@require_safe
def needs(request: HttpRequest, slug: str) -> TemplateResponse:
    """Show what everybody near a place that matters needs for it."""
    page = queries.needs_page(slug, actor=actor_of(request))
    return page_with_clock(request, "tournaments/needs.html", {"page": page, "header": page.header})


@require_safe
def standings(request: HttpRequest, slug: str) -> TemplateResponse:
    """Show a tournament's standings alone, now or as they were after a round."""
    actor, number = actor_of(request), _round_asked(request)
    page = (
        queries.standings_page(slug, actor=actor)
        if number is None
        else operations.standings_page_after(slug=slug, round_number=number, actor=actor, now=timezone.now())
    )
    return page_with_clock(request, "tournaments/standings_page.html", {"page": page, "header": page.header})


@require_safe
def entry(request: HttpRequest, slug: str, number: int) -> TemplateResponse:
    """Show why an entry stands where it does, opponent by opponent."""
    page = queries.entry_page(slug, number, actor=actor_of(request))
    facts = {
        "page": page,
        "header": page.header,
        "line": page.line,
        "standings": page.standings.answer,
    }
    return page_with_clock(request, "tournaments/entry.html", facts)


@never_cache
@require_safe
def standings_fragment(request: HttpRequest, slug: str) -> TemplateResponse:
    """Show the part of a page that follows the standings."""
    page = queries.standings_page(slug, actor=actor_of(request))
    return TemplateResponse(request, "tournaments/standings.html", {"page": page, "header": page.header})


def _round_asked(request: HttpRequest) -> int | None:
    """Return the number of the round that the address names; None where it names none."""
    asked = request.GET.get("round", "")
    return int(asked) if asked.isascii() and asked.isdecimal() and len(asked) <= MOST_DIGITS else None
