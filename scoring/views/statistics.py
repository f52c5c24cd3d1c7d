"""Players, partnerships, and what was done in a club or everywhere: the pages of statistics."""

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_safe

from courtpiece.accounts.permissions import actor_of
from courtpiece.accounts.queries import NotFound
from scoring import queries
from scoring.forms import PeriodForm
from scoring.queries import Order
from scoring.queries.persons import own_player_in
from scoring.views.sheets import number_asked


@require_GET
def player(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show a player."""
    form, actor = PeriodForm(request.GET), actor_of(request)
    page = queries.player_page(uid, actor=actor, **_asked(request, form))
    if page.uid != uid:
        asked = f"?{request.GET.urlencode()}" if request.GET else ""
        return redirect(f"{reverse('scoring:player', args=[page.uid])}{asked}")
    own = own_player_in(page.club_slug, actor=actor)
    # A rating is of all matches, so it is not among what was played against somebody.
    rating = None if page.against else queries.rating_story(uid, rated=queries.Rated.PLAYERS)
    context = {"page": page, "form": form, "own": own, "rating": rating}
    return TemplateResponse(request, "scoring/player.html", context)


@require_GET
def partnership(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show a partnership."""
    form = PeriodForm(request.GET)
    page = queries.partnership_page(uid, actor=actor_of(request), **_asked(request, form))
    rating = None if page.against else queries.rating_story(uid, rated=queries.Rated.PARTNERSHIPS)
    context = {"page": page, "form": form, "rating": rating}
    return TemplateResponse(request, "scoring/partnership.html", context)


def _asked(request: HttpRequest, form: PeriodForm) -> dict[str, Any]:
    return {
        "page": number_asked(request, "page", 1),
        "show": request.GET.get("show", "matches"),
        "period": form.period,
        "against": _uid(request.GET.get("against", "")),
        "now": timezone.now(),
    }


def _uid(text: str) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        raise NotFound from None


@require_safe
def figures(request: HttpRequest, slug: str | None = None) -> HttpResponse:
    """Show the figures of a club, or of all of them."""
    form = PeriodForm(request.GET)
    page = queries.figures_page(actor=actor_of(request), slug=slug, period=form.period, now=timezone.now())
    return TemplateResponse(
        request, "scoring/statistics.html", {"page": page, "club": page.club, "form": form}
    )


@require_safe
def players(request: HttpRequest, slug: str | None = None) -> HttpResponse:
    """Show the table of the players of a club, or of all."""
    form = PeriodForm(request.GET)
    page = queries.leaders_page(
        actor=actor_of(request),
        slug=slug,
        period=form.period,
        order=_order(request.GET.get("order", "")),
        page=number_asked(request, "page", 1),
    )
    return TemplateResponse(request, "scoring/leaders.html", {"page": page, "club": page.club, "form": form})


def _order(text: str) -> Order:
    return Order(text) if text in {order.value for order in Order} else Order.MATCHES


@require_safe
def hall(request: HttpRequest, slug: str | None = None) -> HttpResponse:
    """Show the hall of fame of a club, or of all."""
    form = PeriodForm(request.GET)
    page = queries.hall_of_fame(
        actor=actor_of(request), slug=slug, period=form.period, page=number_asked(request, "page", 1)
    )
    return TemplateResponse(
        request, "scoring/hall_of_fame.html", {"page": page, "club": page.club, "form": form}
    )
