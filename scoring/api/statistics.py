"""Statistics and the hall of fame, as programs read them."""

from typing import Any, ClassVar

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts.api.base import ApiView, Params
from courtpiece.accounts.api.documents import BAD_PARAMETER, NOT_FOUND
from scoring import queries
from scoring.api import figures
from scoring.api.inputs import LeadersParams, PageParams, PeriodParams
from scoring.queries import Order


class Statistics(ApiView):
    """The figures of everything that everybody may see."""

    params: ClassVar[type[Params]] = PeriodParams

    @extend_schema(
        operation_id="statistics",
        summary="The figures of all clubs",
        parameters=[PeriodParams],
        responses={200: figures.Statistics, **BAD_PARAMETER},
    )
    def get(self, request: Request) -> Response:
        """Say what was played, of what everybody may see."""
        return self._answer()

    def _answer(self, slug: str | None = None) -> Response:
        page = queries.figures_page(actor=self.actor, slug=slug, now=timezone.now(), **self.asked())
        return Response(figures.Statistics(page).data)


class ClubStatistics(Statistics):
    """The figures of a club."""

    @extend_schema(
        operation_id="club_statistics",
        summary="The figures of a club",
        parameters=[PeriodParams],
        responses={200: figures.Statistics, **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request, slug: str) -> Response:  # type: ignore[override]  # of one club
        """Say what was played in a club, of what you may see."""
        return self._answer(slug)


class Players(ApiView):
    """The table of the players of all clubs."""

    params: ClassVar[type[Params]] = LeadersParams

    @extend_schema(
        operation_id="statistics_players",
        summary="All players, ranked",
        parameters=[LeadersParams],
        responses={200: figures.Leaders, **BAD_PARAMETER},
    )
    def get(self, request: Request) -> Response:
        """List the players of what everybody may see, the best first."""
        return self._answer()

    def _answer(self, slug: str | None = None) -> Response:
        asked: dict[str, Any] = self.asked()
        order = Order(asked.pop("order"))
        page = queries.leaders_page(actor=self.actor, slug=slug, order=order, **asked)
        return Response(figures.Leaders(page).data)


class ClubPlayers(Players):
    """The table of the players of a club."""

    @extend_schema(
        operation_id="club_statistics_players",
        summary="The players of a club, ranked",
        parameters=[LeadersParams],
        responses={200: figures.Leaders, **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request, slug: str) -> Response:  # type: ignore[override]  # of one club
        """List the players of a club, the best first, by what you may see."""
        return self._answer(slug)


class Hall(ApiView):
    """The hall of fame of all clubs."""

    params: ClassVar[type[Params]] = PageParams

    @extend_schema(
        operation_id="statistics_hall_of_fame",
        summary="The hall of fame of all clubs",
        parameters=[PageParams],
        responses={200: figures.HallOfFame, **BAD_PARAMETER},
    )
    def get(self, request: Request) -> Response:
        """List the bavneys, the longest runs and the most courts in a match, of what everybody may see."""
        return self._answer()

    def _answer(self, slug: str | None = None) -> Response:
        page = queries.hall_of_fame(actor=self.actor, slug=slug, **self.asked())
        return Response(figures.HallOfFame(page).data)


class ClubHall(Hall):
    """The hall of fame of a club."""

    @extend_schema(
        operation_id="club_statistics_hall_of_fame",
        summary="The hall of fame of a club",
        parameters=[PageParams],
        responses={200: figures.HallOfFame, **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request, slug: str) -> Response:  # type: ignore[override]  # of one club
        """List the bavneys, the longest runs and the most courts in a match of a club, of what you may see."""
        return self._answer(slug)
