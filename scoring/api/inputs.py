"""The shapes of what is sent to scoring: names and forms, no rules."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final, Self
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from courtpiece.accounts.api.base import ListParams, Params
from scoring.api.forms import pcn_of
from scoring.api.shapes import RecordJson
from scoring.models import AwardCode, Level, SeatLetter, Side, SuitLetter
from scoring.names import LONGEST_NAME
from scoring.operations import GameFacts, NewGame

LARGEST_NUMBER: Final = 2**31 - 1
IDEMPOTENCY_KEY: Final = "Idempotency-Key"


# -- addresses


class PlayerParams(ListParams):
    """Which players are wanted."""

    club = serializers.SlugField(required=False, max_length=100)
    search = serializers.CharField(
        required=False,
        max_length=100,
        help_text=gettext_lazy(
            "A part of a name; accents, case and spelling of Arabic letters do not matter."
        ),
    )


class PartnershipParams(PlayerParams):
    """Which partnerships are wanted."""

    player = serializers.UUIDField(required=False, help_text=gettext_lazy("One of the two."))


class SheetParams(ListParams):
    """Which scoresheets are wanted."""

    club = serializers.SlugField(required=False, max_length=100)
    player = serializers.UUIDField(required=False, help_text=gettext_lazy("Sat at the table."))
    partnership = serializers.UUIDField(required=False)
    event = serializers.CharField(required=False, max_length=200)
    date = serializers.RegexField(
        r"^\d{4}(\.(\d\d|\?\?)(\.(\d\d|\?\?))?)?$",
        required=False,
        help_text=gettext_lazy("A year, a month or a day: 2026.11."),
    )
    round = serializers.CharField(required=False, max_length=40)
    table = serializers.CharField(required=False, max_length=40)
    rules = serializers.CharField(required=False, max_length=255)
    own = serializers.BooleanField(
        required=False, help_text=gettext_lazy("Only the games that you recorded at home.")
    )


class DealParams(ListParams):
    """Which deals are wanted."""

    scoresheet = serializers.UUIDField(required=False)
    club = serializers.SlugField(required=False, max_length=100)
    player = serializers.UUIDField(required=False, help_text=gettext_lazy("Sat at the table."))
    partnership = serializers.UUIDField(required=False)
    number = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_NUMBER)
    dealer = serializers.ChoiceField(SeatLetter.choices, required=False)
    trump = serializers.ChoiceField(SuitLetter.choices, required=False)
    level = serializers.ChoiceField(Level.choices, required=False)
    winner = serializers.ChoiceField(Side.choices, required=False)
    award = serializers.ChoiceField(AwardCode.choices, required=False)
    ruled = serializers.BooleanField(required=False)
    corrected = serializers.BooleanField(required=False)
    has_problems = serializers.BooleanField(
        required=False, help_text=gettext_lazy("A problem stands, warnings included.")
    )


class CheckParams(Params):
    """What the checker is told beside the records."""

    file = serializers.CharField(
        required=False, max_length=255, help_text=gettext_lazy("What the lines of the answer call the file.")
    )


# -- bodies


class RawField(serializers.Field[Any, Any, Any, Any]):
    """A value as it came: who reads it is the notation."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the value."""
        return data

    def to_representation(self, value: Any) -> Any:
        """Return the value."""
        return value


@extend_schema_field(OpenApiTypes.STR)
class PcnField(RawField):
    """A file in PCN: a text in JSON, or a body as it came."""

    default_error_messages: ClassVar[dict[str, Any]] = {"no-text": gettext_lazy("Expected a text.")}

    def to_internal_value(self, data: Any) -> str | bytes:
        """Return the text.

        :raises ValidationError: if it is none.
        """
        if not isinstance(data, str | bytes):
            self.fail("no-text")
        return data


@extend_schema_field(RecordJson)
class RecordField(RawField):
    """A record in JSON."""


@extend_schema_field(RecordJson(many=True))
class RecordsField(RawField):
    """Records in JSON."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "no-list": gettext_lazy("Expected a list of records.")
    }

    def to_internal_value(self, data: Any) -> list[Any]:
        """Return the list.

        :raises ValidationError: if it is none.
        """
        if not isinstance(data, list):
            self.fail("no-list")
        return data


class OperationInput(serializers.Serializer[Any]):
    """What every write has: an id that its client made, so that sending it again writes nothing."""

    operation_id = serializers.UUIDField(help_text=gettext_lazy("Or in the header Idempotency-Key."))

    @classmethod
    def of(cls, request: Request) -> Self:
        """Return what was sent, checked.

        :raises ValidationError: if it lacks something, or something is not as it must be.
        """
        body = request.data
        key = request.headers.get(IDEMPOTENCY_KEY)
        if key is not None and isinstance(body, Mapping):
            body = {**body, "operation_id": _one_id(key.strip('"'), body.get("operation_id"))}
        sent = cls(data=body)
        sent.is_valid(raise_exception=True)
        return sent

    @property
    def operation(self) -> UUID:
        """The operation's id."""
        operation_id: UUID = self.validated_data["operation_id"]
        return operation_id


def _one_id(of_the_header: str, of_the_body: Any) -> str:
    if of_the_body not in (None, of_the_header):
        raise ValidationError({"operation_id": [_("The body and the header name two different operations.")]})
    return of_the_header


class DealsInput(OperationInput):
    """Deals for a scoresheet: a file in PCN, or records in JSON."""

    pcn = PcnField(required=False)
    deals = RecordsField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Ask for one form of the records.

        :raises ValidationError: if there is none, or both.
        """
        _check_one_of(attrs, "pcn", "deals")
        return attrs

    @property
    def text(self) -> str | bytes:
        """The records as a file.

        :raises BadJsonRecordError: if a record in JSON is none.
        """
        text: str | bytes | None = self.validated_data.get("pcn")
        return pcn_of(self.validated_data.get("deals", ())) if text is None else text


class CorrectionInput(OperationInput):
    """A correction of a deal, made on one of its revisions."""

    base_revision = serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER)
    reason = serializers.CharField(
        max_length=500, help_text=gettext_lazy("Everyone who reads the deal can see it.")
    )
    pcn = PcnField(required=False)
    record = RecordField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Ask for one form of the record.

        :raises ValidationError: if there is none, or both.
        """
        _check_one_of(attrs, "pcn", "record")
        return attrs

    @property
    def text(self) -> str:
        """The record as a file.

        :raises BadJsonRecordError: if a record in JSON is none.
        """
        text: str | None = self.validated_data.get("pcn")
        return pcn_of([self.validated_data.get("record")]) if text is None else text


def _check_one_of(values: Mapping[str, Any], one: str, other: str) -> None:
    if (one in values) == (other in values):
        message = _("Send either “%(one)s” or “%(other)s”.") % {"one": one, "other": other}
        raise ValidationError({one: [message]})


# -- games that were recorded at home


class SeatNames(serializers.Serializer[Any]):
    """Who sat where, by name."""

    N = serializers.CharField(max_length=LONGEST_NAME)
    E = serializers.CharField(max_length=LONGEST_NAME)
    S = serializers.CharField(max_length=LONGEST_NAME)
    W = serializers.CharField(max_length=LONGEST_NAME)


class GameFactsInput(serializers.Serializer[Any]):
    """What its owner says of a game."""

    seats = SeatNames()
    event = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    site = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    date = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=10,
        help_text=gettext_lazy("As a record has it: 2026.11.30, or 2026.11.?? where the day is not known."),
    )

    @property
    def facts(self) -> GameFacts:
        """What was sent, as the operations take it."""
        data = self.validated_data
        return GameFacts(names=dict(data["seats"]), event=data["event"], site=data["site"], date=data["date"])


class GameInput(GameFactsInput):
    """A game to be kept as one's own."""

    id = serializers.UUIDField(
        help_text=gettext_lazy("Made by you: the same again makes nothing and gives the same answer.")
    )
    rules = serializers.CharField(
        max_length=255, help_text=gettext_lazy("A named rule, perhaps with options: double-sir goon=3.")
    )

    @property
    def game(self) -> NewGame:
        """What was sent, as the operation takes it."""
        data = self.validated_data
        return NewGame(uid=data["id"], rules=data["rules"], facts=self.facts)


class OfferInput(serializers.Serializer[Any]):
    """The club that a game is offered to."""

    club = serializers.SlugField(max_length=100)
