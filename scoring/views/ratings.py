"""The ratings of a club's partnerships and players."""

from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.views.decorators.http import require_GET

from courtpiece.accounts.permissions import actor_of
from scoring import queries
from scoring.queries import Rated
from scoring.views.sheets import number_asked


@require_GET
def club_ratings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the ratings of a club, those of the partnerships unless the players' are asked for."""
    rated = Rated.PLAYERS if request.GET.get("show") == Rated.PLAYERS.value else Rated.PARTNERSHIPS
    page = queries.club_ratings(
        slug, rated=rated, actor=actor_of(request), page=number_asked(request, "page", 1)
    )
    return TemplateResponse(request, "scoring/ratings.html", {"page": page})
