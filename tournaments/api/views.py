"""Tournaments, their sessions, rounds and matches, as programs read them."""

from http import HTTPStatus
from typing import Any, ClassVar
from uuid import UUID

from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts.api.base import ApiView, ListParams, ListView, Params, ordering
from courtpiece.accounts.api.documents import (
    BAD_PARAMETER,
    BAD_SEARCH,
    NOT_FOUND,
    REFUSED_CONDITION,
    REFUSED_WRITE,
    part_of,
)
from courtpiece.accounts.api.writes import KEY, MATCH, tag_asked
from courtpiece.accounts.permissions import Action, Actor, unnarrowed
from scoring.api.inputs import DealParams, SheetParams
from scoring.api.sheets import DEALS_IN_FORMS, SHEETS_IN_FORMS, DealList, SheetLines
from tournaments import queries
from tournaments.api import shapes
from tournaments.api.inputs import MatchStateInput, RoundState, TournamentChange, TournamentInput
from tournaments.models import Format, MatchState, Status
from tournaments.operations.closing import close_round, reopen_round
from tournaments.operations.creating import create_tournament
from tournaments.operations.matches import set_match_state
from tournaments.operations.running import change_tournament
from tournaments.queries import listings
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
    ordering = ordering(listings.TOURNAMENT_ORDERS)


class SessionParams(ListParams):
    """Which sessions are wanted."""

    tournament = serializers.SlugField(required=False, max_length=100)
    ordering = ordering(listings.PLACE_ORDERS)


class RoundParams(SessionParams):
    """Which rounds are wanted."""

    session = serializers.UUIDField(required=False)


class MatchParams(RoundParams):
    """Which matches are wanted."""

    round = serializers.UUIDField(required=False)
    state = serializers.ChoiceField(MatchState.choices, required=False)
    partnership = serializers.UUIDField(required=False)
    ordering = ordering(listings.MATCH_ORDERS)


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

    @extend_schema(
        operation_id="create_tournament",
        summary="Make a tournament",
        parameters=[KEY],
        request=TournamentInput,
        responses={201: shapes.Tournament, **REFUSED_WRITE},
    )
    def post(self, request: Request) -> Response:
        """Make a tournament, with its pairs if you like. Needs the scope `tournaments:write`, and a director's right.

        A single match and a round robin have all their rounds at once, where their pairs are known.
        """
        self.asked()
        sent, actor = TournamentInput.of(request), self.actor
        club = queries.club_for(sent.validated_data["club"], actor=actor, action=Action.MANAGE_TOURNAMENT)
        made = create_tournament(
            actor=actor,
            club_id=club.id,
            new=sent.tournament,
            pairs=sent.named_pairs,
            act_id=sent.operation,
            at=timezone.now(),
        )
        headers = {"Location": reverse("api-tournament", args=[made.slug])}
        return tournament_answer(made.slug, unnarrowed(actor), status=HTTPStatus.CREATED, headers=headers)


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
        return tournament_answer(slug, self.actor)

    @extend_schema(
        operation_id="change_tournament",
        summary="Give a tournament another name, or show it to others",
        parameters=[MATCH],
        request=TournamentChange,
        responses={200: shapes.Tournament, **REFUSED_WRITE, **REFUSED_CONDITION},
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change a tournament. Needs the scope `tournaments:write`, and a director's right. Its address stays."""
        self.asked()
        actor, made_on = self.actor, tag_asked(request)
        sent = TournamentChange(data=request.data)
        sent.is_valid(raise_exception=True)
        change_tournament(actor=actor, slug=slug, made_on=made_on, at=timezone.now(), **sent.validated_data)
        return tournament_answer(slug, unnarrowed(actor))


def tournament_answer(slug: str, actor: Actor, **more: Any) -> Response:
    """Return what is said of a tournament, with its tag."""
    detail = listings.tournament_detail(slug, actor=actor)
    headers = {"ETag": f'"{listings.detail_mark(detail)}"', **more.pop("headers", {})}
    return Response(shapes.Tournament(detail).data, headers=headers, **more)


class TournamentSheets(SheetLines):
    """The scoresheets of a tournament."""

    @extend_schema(
        operation_id="tournament_scoresheets",
        summary="A tournament's scoresheets, the newest first",
        parameters=[SheetParams],
        responses={**SHEETS_IN_FORMS, **BAD_SEARCH, **NOT_FOUND},
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """List a tournament's scoresheets, the newest first.

        As lines of JSON or in CSV all of them come at once, however many.
        """
        return self.answer_of(listings.collection_of(slug, actor=self.actor))


class TournamentDeals(DealList):
    """The deals of a tournament."""

    @extend_schema(
        operation_id="tournament_deals",
        summary="A tournament's deals",
        parameters=[DealParams],
        responses={**DEALS_IN_FORMS, **BAD_SEARCH, **NOT_FOUND},
    )
    def get(self, request: Request, slug: str) -> HttpResponseBase:  # type: ignore[override]  # its address has one part more
        """List a tournament's deals: of the newest scoresheet first, by number.

        As lines of JSON, in PCN or in PBN all of them come at once with their records, in CSV without, however many.
        """
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

    @extend_schema(
        operation_id="set_round_state",
        summary="Close a round, or open it again",
        request=RoundState,
        responses={200: shapes.Round, **REFUSED_WRITE},
    )
    def put(self, request: Request, uid: UUID) -> Response:
        """Close a round all of whose matches are over, or open it again for a reason. Needs `tournaments:write`.

        The same again changes nothing.
        """
        self.asked()
        sent, actor = RoundState(data=request.data), self.actor
        sent.is_valid(raise_exception=True)
        slug, number = listings.slug_of_round(uid)
        if sent.validated_data["state"] == "closed":
            close_round(actor=actor, slug=slug, number=number, at=timezone.now())
        else:
            reason = sent.validated_data["reason"]
            reopen_round(actor=actor, slug=slug, number=number, reason=reason, at=timezone.now())
        return Response(shapes.Round(listings.round_(uid, actor=unnarrowed(actor))).data)


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

    @extend_schema(
        operation_id="set_match_state",
        summary="Finish a match, open it again, or make it void",
        request=MatchStateInput,
        responses={200: shapes.Match, **REFUSED_WRITE},
    )
    def put(self, request: Request, uid: UUID) -> Response:
        """Say how it is with a match: only finished ones count. Needs the scope that a scorer needs, `deals:write`.

        To make it void, and to take that back, needs `tournaments:write`. The same again changes nothing.
        """
        self.asked()
        sent, actor = MatchStateInput(data=request.data), self.actor
        sent.is_valid(raise_exception=True)
        set_match_state(actor=actor, uid=uid, state=sent.validated_data["state"], at=timezone.now())
        return Response(shapes.Match(listings.match(uid, actor=unnarrowed(actor))).data)
