"""Players and partnerships, as programs read them."""

from http import HTTPStatus
from typing import Any, ClassVar
from uuid import UUID

from django.http.response import HttpResponseBase
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts.api.base import ApiView, ListView, Params
from courtpiece.accounts.api.documents import BAD_PARAMETER, NOT_FOUND, REFUSED_WRITE, part_of, part_with
from scoring import exports, queries
from scoring.api import figures, shapes
from scoring.api.found import FoundList, found_in_forms
from scoring.api.inputs import (
    HistoryParams,
    MetParams,
    PartnershipInput,
    PartnershipParams,
    PlayerInput,
    PlayerParams,
)
from scoring.operations import name_partnership, name_player
from scoring.queries import lists, whole
from scoring.queries.lists import PeopleFilter


class PlayerList(FoundList):
    """The players."""

    params: ClassVar[type[Params]] = PlayerParams
    line = shapes.Player
    table = exports.PLAYERS
    name = "players"
    particulars = ("club",)

    @extend_schema(
        operation_id="players",
        summary="Players, by name",
        parameters=[PlayerParams],
        responses={**found_in_forms(part_of(shapes.Player)), **BAD_PARAMETER},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """List the players of whom you may see a deal, by name.

        As lines of JSON or in CSV all of them come at once: however many of one `club`, else the first 50,000. Ask
        without `limit` and `cursor`.
        """
        asked, wanted = self.part_asked()
        actor, filtered = self.actor, PeopleFilter(**wanted)
        return self.found(
            wanted,
            part=lambda: lists.players(actor=actor, wanted=filtered, asked=asked),
            whole=lambda: whole.stream_players(actor=actor, wanted=filtered, order=asked.order),
        )

    @extend_schema(
        operation_id="name_player",
        summary="Name a player of a club",
        request=PlayerInput,
        responses={201: shapes.Player, **REFUSED_WRITE},
    )
    def post(self, request: Request) -> Response:
        """Find the club's player of that name, or make one. Needs the scope `deals:write`, and a scorer's right.

        The same name again is the same player.
        """
        self.asked()
        sent, actor = PlayerInput(data=request.data), self.actor
        sent.is_valid(raise_exception=True)
        uid = name_player(actor=actor, at=timezone.now(), **sent.validated_data)
        return Response(shapes.Player(lists.named_player(uid)).data, status=HTTPStatus.CREATED)


class PlayerDetail(ApiView):
    """A player."""

    @extend_schema(operation_id="player", summary="A player", responses={200: shapes.Player, **NOT_FOUND})
    def get(self, request: Request, uid: UUID) -> Response:
        """Show a player."""
        self.asked()
        return Response(shapes.Player(lists.player(uid, actor=self.actor)).data)


HISTORY: dict[str, Any] = {
    "player": shapes.Person(),
    "against": shapes.Against(allow_null=True),
    "record": shapes.Tally(),
    "partners": shapes.PairTally(many=True),
    "opponents": shapes.PairTally(many=True),
    "opposing_players": shapes.PlayerTally(many=True),
    "figures": figures.FigureSet(),
    "longest_runs": figures.Run(many=True),
}


class PlayerHistory(ListView):
    """What a player played."""

    params: ClassVar[type[Params]] = HistoryParams
    line = shapes.PlayedMatch

    @extend_schema(
        operation_id="player_history",
        summary="A player's matches, the latest first",
        parameters=[HistoryParams],
        responses={200: part_with(shapes.PlayedMatch, **HISTORY), **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """List a player's matches, the latest first, and say how they went with whom and against whom.

        With `against` all of it is of the matches in which that player or partnership sat on the other side: head to
        head. It is 404 where the two did not meet, as far as you may see.
        """
        asked, rest = self.part_asked()
        history = queries.player_history(uid, actor=self.actor, asked=asked, now=timezone.now(), **rest)
        heading = {
            "player": shapes.Person(history.player).data,
            "against": None if history.against is None else shapes.Against(history.against).data,
            "record": shapes.Tally(history.tally).data,
            "partners": shapes.PairTally(history.partners, many=True).data,
            "opponents": shapes.PairTally(history.opponents, many=True).data,
            "opposing_players": shapes.PlayerTally(history.opposing_players, many=True).data,
            "figures": figures.FigureSet(history.figures).data,
            "longest_runs": figures.Run(history.longest, many=True).data,
        }
        return Response({**heading, **self.body(history.matches)})


class PartnershipList(FoundList):
    """The partnerships."""

    params: ClassVar[type[Params]] = PartnershipParams
    line: ClassVar[type[serializers.BaseSerializer[Any]]] = shapes.Partnership
    table = exports.PARTNERSHIPS
    name = "partnerships"
    particulars = ("club", "player")

    @extend_schema(
        operation_id="partnerships",
        summary="Partnerships",
        parameters=[PartnershipParams],
        responses={**found_in_forms(part_of(shapes.Partnership)), **BAD_PARAMETER},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """List the partnerships of whom you may see a deal, in the order they were first named.

        As lines of JSON or in CSV all of them come at once: however many of one `club` or `player`, else the first
        50,000. Ask without `limit` and `cursor`.
        """
        asked, wanted = self.part_asked()
        actor, filtered = self.actor, PeopleFilter(**wanted)
        return self.found(
            wanted,
            part=lambda: lists.partnerships(actor=actor, wanted=filtered, asked=asked),
            whole=lambda: whole.stream_partnerships(actor=actor, wanted=filtered, order=asked.order),
        )

    @extend_schema(
        operation_id="name_partnership",
        summary="Name a partnership of a club",
        request=PartnershipInput,
        responses={201: shapes.Partnership, **REFUSED_WRITE},
    )
    def post(self, request: Request) -> Response:
        """Find the partnership of two players, or make it. Needs the scope `deals:write`, and a scorer's right.

        The same two are the same partnership, in either order.
        """
        self.asked()
        sent, actor = PartnershipInput(data=request.data), self.actor
        sent.is_valid(raise_exception=True)
        club, players = sent.validated_data["club"], sent.validated_data["players"]
        uid = name_partnership(actor=actor, club=club, names=(players[0], players[1]), at=timezone.now())
        return Response(shapes.Partnership(lists.named_partnership(uid)).data, status=HTTPStatus.CREATED)


class PartnershipDetail(ApiView):
    """A partnership."""

    @extend_schema(
        operation_id="partnership",
        summary="A partnership",
        responses={200: shapes.Partnership, **NOT_FOUND},
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """Show a partnership."""
        self.asked()
        return Response(shapes.Partnership(lists.partnership(uid, actor=self.actor)).data)


class PartnershipRecord(ApiView):
    """What a partnership did."""

    params: ClassVar[type[Params]] = MetParams

    @extend_schema(
        operation_id="partnership_record",
        summary="What a partnership did, and against whom",
        parameters=[MetParams],
        responses={200: figures.PartnershipRecord, **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """Say how a partnership's matches went, all together and against each other one.

        With `against` all of it is of the matches against that player or partnership.
        """
        page = queries.partnership_page(uid, actor=self.actor, now=timezone.now(), **self.asked())
        return Response(figures.PartnershipRecord(page).data)
