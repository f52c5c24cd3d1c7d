"""What happened in a tournament, for programs that ask again and again."""

from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts.api.base import ApiView, Params
from courtpiece.accounts.api.documents import BAD_PARAMETER, NOT_FOUND
from courtpiece.accounts.parts import LONGEST_PART, USUAL_PART
from scoring.api.inputs import LARGEST_NUMBER
from scoring.stream import DEAL_CORRECTED, DEAL_RECORDED
from tournaments.events import Happening
from tournaments.queries.events import EventsPart, events_part


class EventParams(Params):
    """Which events are wanted."""

    after = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST_NUMBER,
        default=0,
        help_text=_("The number of the last event that you have; 0, or nothing: from the first."),
    )
    limit = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LONGEST_PART,
        default=USUAL_PART,
        help_text=_("How many lines at most."),
    )


class EventTournament(serializers.Serializer[Any]):
    """Which tournament it is."""

    slug = serializers.SlugField()
    url = serializers.CharField()


class Event(serializers.Serializer[Any]):
    """Something that happened in a tournament."""

    number = serializers.IntegerField(help_text=_("From 1, without gaps, in the order in which it happened."))
    type = serializers.ChoiceField([DEAL_RECORDED, DEAL_CORRECTED, *(one.value for one in Happening)])
    timestamp = serializers.DateTimeField()
    version = serializers.IntegerField(help_text=_("The tournament's, when it was written down."))
    tournament = EventTournament()
    data = serializers.DictField(  # type: ignore[assignment]  # a field, not the attribute
        help_text=_("What it is about: ids, numbers, codes and addresses.")
    )


class Events(serializers.Serializer[Any]):
    """Events of a tournament, in their order."""

    last = serializers.IntegerField(help_text=_("The number of the newest event there is; 0: none yet."))
    next = serializers.URLField(allow_null=True)
    results = Event(many=True)


class TournamentEvents(ApiView):
    """The events of a tournament."""

    params: ClassVar[type[Params]] = EventParams

    @extend_schema(
        operation_id="tournament_events",
        summary="What happened in a tournament, in order",
        parameters=[EventParams],
        responses={200: Events, **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request, slug: str) -> Response:
        """Give the events after the one that you name, the oldest first. The socket tells them as they happen."""
        asked = self.asked()
        part = events_part(
            slug,
            actor=self.actor,
            after=asked["after"],
            limit=asked["limit"],
            origin=request.build_absolute_uri("/").rstrip("/"),
        )
        return Response({"last": part.last, "next": self._next(part), "results": part.events})

    def _next(self, part: EventsPart) -> str | None:
        if not part.has_more:
            return None
        query = self.request.query_params.copy()
        query["after"] = str(part.until)
        return self.request.build_absolute_uri(f"{self.request.path}?{query.urlencode()}")
