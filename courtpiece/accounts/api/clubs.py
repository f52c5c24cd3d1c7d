"""The clubs, as programs read them."""

from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts import queries
from courtpiece.accounts.api.base import ApiView, ListParams, ListView, Params
from courtpiece.accounts.api.documents import BAD_PARAMETER, NOT_FOUND, part_of
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


class ClubDetail(ApiView):
    """A club."""

    @extend_schema(operation_id="club", summary="A club", responses={200: Club, **NOT_FOUND})
    def get(self, request: Request, slug: str) -> Response:
        """Show a club."""
        self.asked()
        return Response(Club(queries.club_by_slug(slug, actor=self.actor)).data)
