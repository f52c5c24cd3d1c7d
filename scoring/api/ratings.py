"""Ratings, as programs read them."""

from typing import Any, ClassVar, Final
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts.api.base import ListParams, ListView, Params
from courtpiece.accounts.api.documents import BAD_PARAMETER, NOT_FOUND, part_of, part_with
from scoring import queries
from scoring.api.shapes import Counted, Pair, Person, TextOrNull
from scoring.domain.ratings import UNIT
from scoring.queries import Rated, lists


class RatingParams(ListParams):
    """Which ratings are wanted."""

    of = serializers.ChoiceField(
        [one.value for one in Rated],
        required=False,
        default=Rated.PARTNERSHIPS.value,
        help_text=_("Whose ratings."),
    )
    provisional = serializers.BooleanField(
        required=False, help_text=_("Only those of fewer than ten matches, or only the others.")
    )


@extend_schema_field(OpenApiTypes.DOUBLE)
class Points(serializers.Field[Any, Any, Any, Any]):
    """A number with three decimals, from the thousandths that are kept."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: int) -> float:
        """Return the number."""
        return value / UNIT


class RatingNow(serializers.Serializer[Any]):
    """What somebody is rated, in whole points."""

    value = serializers.IntegerField()
    spread = serializers.IntegerField(help_text=_("The strength is within so much in two cases of three."))
    matches = serializers.IntegerField()
    provisional = serializers.BooleanField(source="is_provisional")


class RatingLine(serializers.Serializer[Any]):
    """A rating, of a partnership or of a player: the other is null."""

    partnership = Pair(source="pair", allow_null=True)
    player = Person(allow_null=True)
    rating = RatingNow()


class RatingChange(serializers.Serializer[Any]):
    """What one match did to a rating. All but `number` and `result` have three decimals, as they are kept."""

    number = serializers.IntegerField(help_text=_("The rated matches up to this one."))
    day = serializers.DateField()
    scoresheet = serializers.UUIDField(source="scoresheet_uid")
    collection = Counted(allow_null=True)
    round = TextOrNull()
    partnership = Pair(source="mine")
    opponents = Pair(source="theirs")
    before = Points()
    spread_before = Points()
    expected = Points(help_text=_("The part of the match; a draw is half of it."))
    result = serializers.ChoiceField(["won", "drawn", "lost"])
    after = Points()
    spread_after = Points()


class ClubRatings(ListView):
    """The ratings of a club."""

    params: ClassVar[type[Params]] = RatingParams
    line = RatingLine

    @extend_schema(
        operation_id="club_ratings",
        summary="Ratings of a club's partnerships or players, the best first",
        parameters=[RatingParams],
        responses={200: part_of(RatingLine), **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request, slug: str) -> Response:
        """List the ratings that the club's public, finished matches have come to, the best first."""
        asked, wanted = self.part_asked()
        part = queries.rating_list(
            slug,
            rated=Rated(wanted["of"]),
            actor=self.actor,
            provisional=wanted.get("provisional"),
            asked=asked,
        )
        return self.answer(part)


CHANGES: Final = part_with(RatingChange, rating=RatingNow(allow_null=True))
"""One shape, of which the schema has one name."""


class _History(ListView):
    """What each match did to somebody's rating."""

    line = RatingChange
    rated: ClassVar[Rated]

    def answer_of(self, uid: UUID) -> Response:
        """Return the rating and a part of its changes; that they may be seen, the caller has decided."""
        asked, _rest = self.part_asked()
        now, part = queries.rating_changes(uid, rated=self.rated, asked=asked)
        return Response({"rating": None if now is None else RatingNow(now).data, **self.body(part)})


class PlayerRating(_History):
    """What each match did to a player's rating."""

    rated = Rated.PLAYERS

    @extend_schema(
        operation_id="player_rating",
        summary="A player's rating, and what each match did to it, the latest first",
        parameters=[ListParams],
        responses={200: CHANGES, **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """Say what a player is rated (null: no rated match yet), and list what each match did to it."""
        lists.player(uid, actor=self.actor)
        return self.answer_of(uid)


class PartnershipRating(_History):
    """What each match did to a partnership's rating."""

    rated = Rated.PARTNERSHIPS

    @extend_schema(
        operation_id="partnership_rating",
        summary="A partnership's rating, and what each match did to it, the latest first",
        parameters=[ListParams],
        responses={200: CHANGES, **BAD_PARAMETER, **NOT_FOUND},
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """Say what a partnership is rated (null: no rated match yet), and list what each match did to it."""
        lists.partnership(uid, actor=self.actor)
        return self.answer_of(uid)
