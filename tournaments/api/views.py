"""Tournaments, their sessions, rounds and matches, as programs read them."""

from collections.abc import Sequence
from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts.api.base import ApiView, ListParams, ListView, Params
from courtpiece.accounts.api.documents import BAD_PARAMETER, NOT_FOUND, part_of
from scoring.api import shapes as scoring
from scoring.api.inputs import LARGEST_NUMBER, DealParams, SheetParams
from scoring.api.sheets import DealList, SheetLines
from tournaments import queries
from tournaments.api import shapes
from tournaments.api.tables import CsvRenderer, crosstable_json, etag_of, file_name, standings_csv
from tournaments.models import Format, MatchState, Status
from tournaments.operations import standings as operations
from tournaments.queries import StandingsAnswer, listings
from tournaments.queries.listings import PlaceFilter, TournamentFilter

# -- parameters


class TournamentParams(ListParams):
    """Which tournaments are wanted."""

    club = serializers.SlugField(required=False, max_length=100)
    # The answer's own form has the name `format`.
    kind = serializers.ChoiceField(Format.choices, required=False, help_text=_("The tournament's format."))
    status = serializers.ChoiceField(Status.choices, required=False)
    rules = serializers.CharField(required=False, max_length=200)
    search = serializers.CharField(required=False, max_length=100, help_text=_("A part of the name."))


class SessionParams(ListParams):
    """Which sessions are wanted."""

    tournament = serializers.SlugField(required=False, max_length=100)


class RoundParams(SessionParams):
    """Which rounds are wanted."""

    session = serializers.UUIDField(required=False)


class MatchParams(RoundParams):
    """Which matches are wanted."""

    round = serializers.UUIDField(required=False)
    state = serializers.ChoiceField(MatchState.choices, required=False)
    partnership = serializers.UUIDField(required=False)


class StandingsParams(Params):
    """Which standings are wanted, and how."""

    round = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_NUMBER,
        help_text=_("As they were after this round, by all that is known of it now."),
    )
    bom = serializers.BooleanField(
        required=False, help_text=_("CSV: with a byte-order mark, by which Excel knows UTF-8.")
    )


# -- tournaments


class TournamentList(ListView):
    """The tournaments."""

    params: ClassVar[type[Params]] = TournamentParams
    line = shapes.ListedTournament

    @extend_schema(
        operation_id="tournaments",
        summary="Tournaments, the newest first",
        parameters=[TournamentParams],
        responses={200: part_of(shapes.ListedTournament), **BAD_PARAMETER},
    )
    def get(self, request: Request) -> Response:
        """List the tournaments that you may find, the newest first."""
        asked, wanted = self.part_asked()
        kind = wanted.pop("kind", None)
        filtered = TournamentFilter(**wanted, format=kind)
        return self.answer(listings.list_tournaments(actor=self.actor, wanted=filtered, asked=asked))


class TournamentDetail(ApiView):
    """A tournament."""

    @extend_schema(
        operation_id="tournament",
        summary="A tournament with its entries",
        responses={200: shapes.Tournament, **NOT_FOUND},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Show a tournament: its entries, and how it counts."""
        self.asked()
        return Response(shapes.Tournament(listings.tournament_detail(slug, actor=self.actor)).data)


class Standings(ApiView):
    """The standings of a tournament."""

    params: ClassVar[type[Params]] = StandingsParams
    renderer_classes: Sequence[type[BaseRenderer]] = [JSONRenderer, CsvRenderer]

    @extend_schema(
        operation_id="standings",
        summary="A tournament's standings",
        parameters=[StandingsParams],
        responses={
            (200, "application/json"): shapes.Standings,
            (200, "text/csv"): OpenApiTypes.STR,
            **BAD_PARAMETER,
            **NOT_FOUND,
        },
    )
    def get(self, request: Request, slug: str) -> Response:
        """Give the standings at their version, in JSON or CSV; with `round`, as they were after it."""
        asked = self.asked()
        answer = self._standings(slug, asked.get("round"))
        if request.accepted_renderer.format != CsvRenderer.format:
            return Response(answer, headers={"ETag": etag_of(answer, "json")})
        bom = asked.get("bom", False)
        headers = {
            "ETag": etag_of(answer, "csv", bom),
            "Content-Disposition": f'attachment; filename="{file_name(answer)}"',
        }
        return Response(standings_csv(answer, byte_order_mark=bom), headers=headers)

    def _standings(self, slug: str, round_number: int | None) -> StandingsAnswer:
        if round_number is None:
            return queries.standings_answer(slug, actor=self.actor)
        return operations.standings_after(
            slug=slug, round_number=round_number, actor=self.actor, now=timezone.now()
        )


class Crosstable(ApiView):
    """The table of everybody against everybody."""

    @extend_schema(
        operation_id="crosstable",
        summary="Everybody against everybody",
        responses={200: shapes.Crosstable, **NOT_FOUND},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Give for each entry, best first, its matches round by round."""
        self.asked()
        return Response(crosstable_json(listings.crosstable(slug, actor=self.actor)))


class TournamentSheets(SheetLines):
    """The scoresheets of a tournament."""

    @extend_schema(
        operation_id="tournament_scoresheets",
        summary="A tournament's scoresheets, the newest first",
        parameters=[SheetParams],
        responses={200: part_of(scoring.Scoresheet), **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List a tournament's scoresheets, the newest first."""
        return self.answer_of(listings.collection_of(slug, actor=self.actor))


class TournamentDeals(DealList):
    """The deals of a tournament."""

    @extend_schema(
        operation_id="tournament_deals",
        summary="A tournament's deals",
        parameters=[DealParams],
        responses={200: part_of(scoring.ListedDeal), **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request, slug: str) -> Response:  # type: ignore[override]  # its address has one part more
        """List a tournament's deals: of the newest scoresheet first, by number."""
        return self.answer_of(listings.collection_of(slug, actor=self.actor))


# -- sessions, rounds, matches


class SessionList(ListView):
    """The sessions."""

    params: ClassVar[type[Params]] = SessionParams
    line = shapes.Session

    @extend_schema(
        operation_id="sessions",
        summary="Sessions, of the newest tournament first",
        parameters=[SessionParams],
        responses={200: part_of(shapes.Session), **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request) -> Response:
        """List the sessions of the tournaments that you may find, or of one."""
        asked, wanted = self.part_asked()
        return self.answer(
            listings.list_sessions(actor=self.actor, wanted=PlaceFilter(**wanted), asked=asked)
        )


class SessionDetail(ApiView):
    """A session."""

    @extend_schema(operation_id="session", summary="A session", responses={200: shapes.Session, **NOT_FOUND})
    def get(self, request: Request, uid: UUID) -> Response:
        """Show a session."""
        self.asked()
        return Response(shapes.Session(listings.session(uid, actor=self.actor)).data)


class RoundList(ListView):
    """The rounds."""

    params: ClassVar[type[Params]] = RoundParams
    line = shapes.Round

    @extend_schema(
        operation_id="rounds",
        summary="Rounds, of the newest tournament first",
        parameters=[RoundParams],
        responses={200: part_of(shapes.Round), **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request) -> Response:
        """List the rounds of the tournaments that you may find, or of one."""
        asked, wanted = self.part_asked()
        return self.answer(listings.list_rounds(actor=self.actor, wanted=PlaceFilter(**wanted), asked=asked))


class RoundDetail(ApiView):
    """A round."""

    @extend_schema(operation_id="round", summary="A round", responses={200: shapes.Round, **NOT_FOUND})
    def get(self, request: Request, uid: UUID) -> Response:
        """Show a round."""
        self.asked()
        return Response(shapes.Round(listings.round_(uid, actor=self.actor)).data)


class MatchList(ListView):
    """The matches."""

    params: ClassVar[type[Params]] = MatchParams
    line: ClassVar[type[serializers.BaseSerializer[Any]]] = shapes.Match

    @extend_schema(
        operation_id="matches",
        summary="Matches, of the newest tournament first",
        parameters=[MatchParams],
        responses={200: part_of(shapes.Match), **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request) -> Response:
        """List the matches of the tournaments that you may find, or of one."""
        asked, wanted = self.part_asked()
        return self.answer(listings.list_matches(actor=self.actor, wanted=PlaceFilter(**wanted), asked=asked))


class MatchDetail(ApiView):
    """A match."""

    @extend_schema(operation_id="match", summary="A match", responses={200: shapes.Match, **NOT_FOUND})
    def get(self, request: Request, uid: UUID) -> Response:
        """Show a match."""
        self.asked()
        return Response(shapes.Match(listings.match(uid, actor=self.actor)).data)
