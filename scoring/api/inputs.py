"""The shapes of what is sent to scoring: names and forms, no rules."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from courtpiece.accounts.api.base import ListParams, Params, ordering
from courtpiece.accounts.api.writes import OperationInput
from courtpiece.engine.rules import NAMED
from scoring.api.forms import pcn_of
from scoring.api.shapes import RecordJson
from scoring.domain.cards_sought import Holder
from scoring.domain.periods import Period
from scoring.models import AwardCode, Level, SeatLetter, Side, SuitLetter
from scoring.names import LONGEST_NAME
from scoring.operations import GameFacts, NewGame
from scoring.queries import Order, lists
from scoring.queries.searching import Sought

LARGEST_NUMBER: Final = 2**31 - 1


# -- addresses


class FoundParams(ListParams):
    """What is said of a list that is had as a file too."""

    bom = serializers.BooleanField(
        required=False, help_text=gettext_lazy("CSV: with a byte-order mark, by which Excel knows UTF-8.")
    )


class PlayerParams(FoundParams):
    """Which players are wanted."""

    club = serializers.SlugField(required=False, max_length=100)
    search = serializers.CharField(
        required=False,
        max_length=100,
        help_text=gettext_lazy(
            "The beginnings of words of a name, in any order and any script: Latin, Urdu and Hindi spellings of a name "
            "find each other."
        ),
    )
    ordering = ordering(lists.PLAYER_ORDERS)


class PartnershipParams(PlayerParams):
    """Which partnerships are wanted."""

    player = serializers.UUIDField(required=False, help_text=gettext_lazy("One of the two."))
    partner = serializers.CharField(
        required=False, max_length=100, help_text=gettext_lazy("As `search`, of the other of the two.")
    )
    ordering = ordering(lists.PARTNERSHIP_ORDERS)


DATE_HELP: Final = gettext_lazy("2026.11.30, 2026-11-30, 2026.11 or 2026; included.")


class SoughtParams(FoundParams):
    """What matches are searched by: deals too."""

    name = serializers.CharField(
        required=False,
        max_length=100,
        help_text=gettext_lazy(
            "Somebody at the table: the beginnings of words of a name, in any script. At most 100 players."
        ),
    )
    partner = serializers.CharField(
        required=False, max_length=100, help_text=gettext_lazy("The same of the partner.")
    )
    date_from = serializers.CharField(required=False, max_length=10, help_text=DATE_HELP)
    date_to = serializers.CharField(required=False, max_length=10, help_text=DATE_HELP)
    game = serializers.ChoiceField(
        [(name, name) for name in NAMED],
        required=False,
        help_text=gettext_lazy("Rules by their name, whatever their options."),
    )


def wanted_of(values: dict[str, Any]) -> dict[str, Any]:
    """Return what was asked with what is sought put together."""
    sought = {name: values.pop(name) for name in SOUGHT if name in values}
    return {**values, "sought": Sought(**sought)}


SOUGHT: Final = tuple(field.name for field in fields(Sought))


class PeriodParams(Params):
    """Of what time figures are wanted: a year, or from a day to a day; nothing is all time."""

    def get_fields(self) -> dict[str, Any]:
        """Return the fields: the name of one is a word of Python's."""
        return {
            **super().get_fields(),
            "year": serializers.IntegerField(required=False, min_value=1, max_value=9999),
            "from": serializers.DateField(
                required=False, help_text=gettext_lazy("The first day: 2026-03-01.")
            ),
            "to": serializers.DateField(required=False, help_text=gettext_lazy("The last day.")),
        }

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the other values, and the ``period``.

        :raises ValidationError: if it ends before it begins, or is asked for in two ways.
        """
        year, first, last = (attrs.pop(name, None) for name in ("year", "from", "to"))
        if year is not None and (first is not None or last is not None):
            raise ValidationError({"year": [_("Say a year, or from and to.")]})
        if first is not None and last is not None and last < first:
            raise ValidationError({"to": [_("The period ends before it begins.")]})
        return {**attrs, "period": Period(first, last) if year is None else Period.of_year(year)}


class MetParams(PeriodParams):
    """Of what time figures are wanted, and against whom."""

    against = serializers.UUIDField(
        required=False,
        help_text=gettext_lazy(
            "A player, whoever the partners were, or a partnership: only matches in which they sat on the other side."
        ),
    )


class HistoryParams(MetParams, ListParams):
    """Which part of a history is wanted, of what time, and against whom."""


class PageParams(PeriodParams):
    """Which page is wanted, and of what time."""

    page = serializers.IntegerField(required=False, min_value=1, max_value=LARGEST_NUMBER, default=1)


class LeadersParams(PageParams):
    """How players are ranked."""

    order = serializers.ChoiceField(
        [order.value for order in Order], required=False, default=Order.MATCHES.value
    )


class SheetParams(SoughtParams):
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
    ordering = ordering(lists.SHEET_ORDERS)


class DealParams(SoughtParams):
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
    revoke_by = serializers.ChoiceField(
        [("any", "any"), *SeatLetter.choices, ("player", "player")],
        required=False,
        help_text=gettext_lazy(
            "Whose established revoke ended the deal: any, a seat, or the player named by `name`."
        ),
    )
    held = serializers.CharField(
        required=False,
        max_length=100,
        help_text=gettext_lazy(
            "Cards that were dealt to one hand: `AS KS`. Only of deals whose record tells the hands. A part of such a "
            "list looks through 25,000 deals: it may be empty and yet have a `next`."
        ),
    )
    held_by = serializers.ChoiceField(
        [(one.value, one.value) for one in Holder],
        required=False,
        help_text=gettext_lazy("Whose hand; `player` is named by `name`. Any one hand if you say nothing."),
    )
    ordering = ordering(lists.DEAL_ORDERS)


class PositionParams(Params):
    """Which position of a deal is wanted."""

    at = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST_NUMBER,
        help_text=gettext_lazy(
            "Of a picture: after how many cards; 0 is before the first. The last if you say nothing."
        ),
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


# -- people


class PlayerInput(serializers.Serializer[Any]):
    """A player, named."""

    club = serializers.SlugField(max_length=50)
    name = serializers.CharField(max_length=LONGEST_NAME)


class PartnershipInput(serializers.Serializer[Any]):
    """Two players, named."""

    club = serializers.SlugField(max_length=50)
    players = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_NAME), min_length=2, max_length=2
    )


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
