"""The clubs, as programs read them."""

from http import HTTPStatus
from typing import Any, ClassVar

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts import operations, queries
from courtpiece.accounts.api.base import ApiView, ListParams, ListView, Params, ordering
from courtpiece.accounts.api.documents import (
    BAD_PARAMETER,
    NOT_FOUND,
    REFUSED_CONDITION,
    REFUSED_WRITE,
    part_of,
)
from courtpiece.accounts.api.writes import KEY, MATCH, OperationInput, tag_asked
from courtpiece.accounts.permissions import Actor
from courtpiece.accounts.queries import ClubFilter


class Club(serializers.Serializer[Any]):
    """A club."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    city = serializers.CharField()
    country = serializers.CharField()
    timezone = serializers.CharField()


class ClubParams(ListParams):
    """Which clubs are wanted."""

    country = serializers.CharField(required=False, max_length=100)
    search = serializers.CharField(
        required=False, max_length=100, help_text=_("A part of the name or of the city.")
    )
    ordering = ordering(queries.CLUB_ORDERS)


class ClubFields(serializers.Serializer[Any]):
    """What a club says of itself."""

    name = serializers.CharField(max_length=80)
    timezone = serializers.CharField(max_length=64, help_text=_("As in `Asia/Karachi`."))
    city = serializers.CharField(max_length=80, required=False, allow_blank=True, default="")
    country = serializers.CharField(max_length=80, required=False, allow_blank=True, default="")


class ClubInput(OperationInput, ClubFields):
    """A club to be made."""

    slug = serializers.CharField(
        max_length=50, help_text=_("Its address: small letters, digits, single hyphens between.")
    )


class ClubChange(serializers.Serializer[Any]):
    """What of a club is to be changed; what is left out stays."""

    NAMES = ("name", "timezone", "city", "country")

    name = serializers.CharField(max_length=80, required=False)
    timezone = serializers.CharField(max_length=64, required=False)
    city = serializers.CharField(max_length=80, required=False, allow_blank=True)
    country = serializers.CharField(max_length=80, required=False, allow_blank=True)


class ClubList(ListView):
    """The clubs."""

    params: ClassVar[type[Params]] = ClubParams
    line = Club

    @extend_schema(
        operation_id="clubs",
        summary="Clubs, by name",
        parameters=[ClubParams],
        responses={200: part_of(Club), **BAD_PARAMETER},
    )
    def get(self, request: Request) -> Response:
        """List the clubs, by name."""
        asked, wanted = self.part_asked()
        return self.answer(queries.list_clubs(actor=self.actor, wanted=ClubFilter(**wanted), asked=asked))

    @extend_schema(
        operation_id="create_club",
        summary="Make a club",
        parameters=[KEY],
        request=ClubInput,
        responses={201: Club, **REFUSED_WRITE},
    )
    def post(self, request: Request) -> Response:
        """Make a club, which is yours then. Needs the scope `clubs:write`."""
        self.asked()
        sent, actor = ClubInput.of(request), self.actor
        slug = sent.validated_data["slug"]
        operations.create_club(actor=actor, at=timezone.now(), **sent.validated_data)
        headers = {"Location": reverse("api-club", args=[slug])}
        return _club_answer(slug, actor, status=HTTPStatus.CREATED, headers=headers)


class ClubDetail(ApiView):
    """A club."""

    @extend_schema(operation_id="club", summary="A club", responses={200: Club, **NOT_FOUND})
    def get(self, request: Request, slug: str) -> Response:
        """Show a club."""
        self.asked()
        return _club_answer(slug, self.actor)

    @extend_schema(
        operation_id="change_club",
        summary="Change what a club says of itself",
        parameters=[MATCH],
        request=ClubChange,
        responses={200: Club, **REFUSED_WRITE, **REFUSED_CONDITION},
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change a club. Needs the scope `clubs:write`, and the right of an owner. Its address stays."""
        self.asked()
        actor, made_on = self.actor, tag_asked(request)
        sent = ClubChange(data=request.data)
        sent.is_valid(raise_exception=True)
        club = queries.managed_club(slug, actor=actor)
        change: dict[str, Any] = {name: sent.validated_data.get(name) for name in ClubChange.NAMES}
        operations.change_club(actor=actor, club_id=club.id, made_on=made_on, at=timezone.now(), **change)
        return _club_answer(slug, actor)


def _club_answer(slug: str, actor: Actor, **more: Any) -> Response:
    club = queries.club_by_slug(slug, actor=actor)
    headers = {"ETag": f'"{queries.club_mark(club)}"', **more.pop("headers", {})}
    return Response(Club(club).data, headers=headers, **more)
