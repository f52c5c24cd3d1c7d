"""Players and partnerships, as programs read them."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts.api.base import ApiView, ListParams, ListView, Params
from courtpiece.accounts.api.documents import BAD_PARAMETER, NOT_FOUND, part_of, part_with
from scoring import queries
from scoring.api import shapes
from scoring.api.inputs import PartnershipParams, PlayerParams
from scoring.queries import lists
from scoring.queries.lists import PeopleFilter


class PlayerList(ListView):
    """The players."""

    params: ClassVar[type[Params]] = PlayerParams
    line = shapes.Player

    @extend_schema(
        operation_id="players",
        summary="Players, by name",
        parameters=[PlayerParams],
        responses={200: part_of(shapes.Player), **BAD_PARAMETER},
    )
    def get(self, request: Request) -> Response:
        """List the players of whom you may see a deal, by name."""
        asked, wanted = self.part_asked()
        return self.answer(lists.players(actor=self.actor, wanted=PeopleFilter(**wanted), asked=asked))


class PlayerDetail(ApiView):
    """A player."""

    @extend_schema(operation_id="player", summary="A player", responses={200: shapes.Player, **NOT_FOUND})
    def get(self, request: Request, uid: UUID) -> Response:
        """Show a player."""
        self.asked()
        return Response(shapes.Player(lists.player(uid, actor=self.actor)).data)


HISTORY: dict[str, Any] = {
    "player": shapes.Person(),
    "record": shapes.Tally(),
    "partners": shapes.PairTally(many=True),
    "opponents": shapes.PairTally(many=True),
}


class PlayerHistory(ListView):
    """What a player played."""

    line = shapes.PlayedMatch

    @extend_schema(
        operation_id="player_history",
        summary="A player's matches, the latest first",
        parameters=[ListParams],
        responses={200: part_with(shapes.PlayedMatch, **HISTORY), **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """List a player's matches, the latest first, and say how they went with whom and against whom."""
        asked, _rest = self.part_asked()
        history = queries.player_history(uid, actor=self.actor, asked=asked)
        heading = {
            "player": shapes.Person(history.player).data,
            "record": shapes.Tally(history.tally).data,
            "partners": shapes.PairTally(history.partners, many=True).data,
            "opponents": shapes.PairTally(history.opponents, many=True).data,
        }
        return Response({**heading, **self.body(history.matches)})


class PartnershipList(ListView):
    """The partnerships."""

    params: ClassVar[type[Params]] = PartnershipParams
    line: ClassVar[type[serializers.BaseSerializer[Any]]] = shapes.Partnership

    @extend_schema(
        operation_id="partnerships",
        summary="Partnerships",
        parameters=[PartnershipParams],
        responses={200: part_of(shapes.Partnership), **BAD_PARAMETER},
    )
    def get(self, request: Request) -> Response:
        """List the partnerships of whom you may see a deal, in the order they were first named."""
        asked, wanted = self.part_asked()
        return self.answer(lists.partnerships(actor=self.actor, wanted=PeopleFilter(**wanted), asked=asked))


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

    @extend_schema(
        operation_id="partnership_record",
        summary="What a partnership did, and against whom",
        responses={200: shapes.PartnershipRecord, **NOT_FOUND},
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """Say how a partnership's matches went, all together and against each other one."""
        self.asked()
        return Response(shapes.PartnershipRecord(queries.partnership_page(uid, actor=self.actor)).data)
