"""A table and its deals, as the devices there read and send them."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from hashlib import sha256
from threading import local
from typing import Any, ClassVar, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiExample, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication, SessionAuthentication
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from courtpiece.accounts.api.authentication import TokenAuthentication
from courtpiece.accounts.api.base import ApiView, Params
from courtpiece.accounts.api.documents import (
    BAD_PARAMETER,
    PROBLEM_JSON,
    Answers,
    RecordProblemShape,
    problem,
)
from scoring.api.inputs import LARGEST_NUMBER, PcnField
from scoring.api.shapes import BECAME, SEATS, DealFields, OrNull, Seats, TextOrNull, Totals
from scoring.queries import Maker
from tournaments.api.authentication import (
    AtATable,
    LookThrottle,
    SyncThrottle,
    TableAuthentication,
    UserOrAtATable,
)
from tournaments.api.confirmations import HOLDERS, ConfirmationShape
from tournaments.api.examples import BATCH, OUTCOMES, TABLE
from tournaments.api.shapes import HostClub
from tournaments.domain.confirming import Holder
from tournaments.domain.plans import LengthKind
from tournaments.models import MatchState
from tournaments.operations import sync
from tournaments.operations.sync import MOST_ITEMS, DeviceCount, Outcome, SentDeal
from tournaments.queries import TableState

MOST_UNSENT: Final = 100_000
LONGEST_REASON: Final = 500
NOT_OF_THE_STATE: Final = frozenset({"server_time", "version"})
"""What is left out of a table's ``ETag``: the clock, and what changes with every other table."""

NO_LINK: Final[Answers] = {
    (401, PROBLEM_JSON): problem(
        "There is no such link. The type `urn:courtpiece:link-revoked` says that there was one, and it was revoked."
    ),
    (429, PROBLEM_JSON): problem("Too many requests; `Retry-After` says when to come again."),
}

REFUSED_BATCH: Final[Answers] = {
    (400, PROBLEM_JSON): problem("The body cannot be read, or has not the shape that it must have."),
    (403, PROBLEM_JSON): problem("The token lacks the scope that this needs."),
    (413, PROBLEM_JSON): problem("That is more than is taken at once."),
    **NO_LINK,
}


# -- a table


class TableParams(Params):
    """What a device says of itself when it looks."""

    device = serializers.UUIDField(required=False, help_text=gettext_lazy("What the device calls itself."))
    unsent = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_UNSENT,
        help_text=gettext_lazy("Deals on it of which it does not know that they are recorded."),
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Ask for both or neither.

        :raises ValidationError: if one stands alone.
        """
        if ("device" in attrs) != ("unsent" in attrs):
            missing = "unsent" if "device" in attrs else "device"
            raise ValidationError({missing: [_("Send “device” and “unsent” together.")]})
        return attrs


class TableTournament(serializers.Serializer[Any]):
    """The tournament that a table belongs to."""

    slug = serializers.SlugField()
    name = serializers.CharField()
    club = HostClub()
    confirmation = serializers.SerializerMethodField(
        help_text=gettext_lazy("Whether the other pair confirms each deal.")
    )

    def get_confirmation(self, _header: Any) -> bool:
        """Return whether it does."""
        return bool(self.context["asks"])


class TableSession(serializers.Serializer[Any]):
    """The session that a table belongs to."""

    number = serializers.IntegerField(source="session_number")
    place = TextOrNull()
    starts_at = serializers.DateTimeField(allow_null=True)


class TableRound(serializers.Serializer[Any]):
    """The round of a match."""

    number = serializers.IntegerField(source="round_number")
    name = TextOrNull(source="round_name", help_text=gettext_lazy("Null where it has only a number."))


class Agreed(serializers.Serializer[Any]):
    """The agreed length of a match (law 13.1)."""

    kind = serializers.ChoiceField([(kind.value, kind.value) for kind in LengthKind], source="kind.value")
    amount = serializers.IntegerField()


class SideOfMatch(Totals):
    """One side of a match: its number in the tournament, who it is, and what it has so far."""

    entry = serializers.IntegerField()


class TableDeal(DealFields):
    """A deal with its line in the ledger and its record as it is kept, which leaves out what is the match's."""

    pcn = serializers.CharField()
    made_by = serializers.ChoiceField(
        [(maker.value, maker.value) for maker in Maker],
        help_text=gettext_lazy("As what somebody wrote the revision that stands."),
    )
    confirmation = ConfirmationShape(
        allow_null=True, help_text=gettext_lazy("Null where nobody’s confirmation is asked.")
    )

    @cached_property
    def shape(self) -> ConfirmationShape:
        """The shape of what both sides say, made once."""
        return ConfirmationShape()

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Return the deal's own fields, its text, and what both sides say of it."""
        found = self.context["confirmations"].get(instance.line.uid)
        return {
            **self.line.to_representation(instance.line),
            "pcn": instance.pcn,
            "made_by": instance.made_by.value,
            "confirmation": None if found is None else self.shape.to_representation(found),
        }


class TableMatch(serializers.Serializer[Any]):
    """A match at a table with all its deals."""

    id = serializers.UUIDField(source="uid")
    round = TableRound(source="*")
    name = TextOrNull(help_text=gettext_lazy("What the format calls it: mostly nothing."))
    state = serializers.ChoiceField(
        MatchState.choices, help_text=gettext_lazy("Only an open one takes deals.")
    )
    version = serializers.IntegerField(help_text=gettext_lazy("Counts the changes to the match itself."))
    agreed = Agreed(allow_null=True)
    first_dealer = OrNull(SEATS, help_text=gettext_lazy("Null where none was drawn."))
    scoresheet = serializers.UUIDField(source="sheet.header.uid")
    scoresheet_version = serializers.IntegerField(
        source="sheet.header.version", help_text=gettext_lazy("Counts the writes to its deals.")
    )
    rules = serializers.CharField(source="sheet.header.rules", help_text=gettext_lazy("The canonical text."))
    seats = Seats(source="sheet.header")
    ns = serializers.SerializerMethodField()
    ew = serializers.SerializerMethodField()
    next_dealer = serializers.SerializerMethodField(
        help_text=gettext_lazy("By law 12; before the first deal the one that was drawn.")
    )
    deals = TableDeal(many=True, source="sheet.deals")

    @cached_property
    def totals(self) -> Totals:
        """The shape of a side's totals, made once."""
        return Totals()

    @extend_schema_field(SideOfMatch)
    def get_ns(self, match: Any) -> dict[str, Any]:
        """Return North-South."""
        return {**self.totals.to_representation(match.sheet.ns), "entry": match.ns_entry}

    @extend_schema_field(SideOfMatch)
    def get_ew(self, match: Any) -> dict[str, Any]:
        """Return East-West."""
        return {**self.totals.to_representation(match.sheet.ew), "entry": match.ew_entry}

    @extend_schema_field(OrNull(SEATS))
    def get_next_dealer(self, match: Any) -> str | None:
        """Return who deals next."""
        return match.sheet.next_dealer or match.first_dealer or None


class Table(serializers.Serializer[Any]):
    """A table of a session: everything that whoever scores there needs."""

    tournament = TableTournament(source="header")
    rules = serializers.CharField(source="header.rules", help_text=gettext_lazy("The canonical text."))
    session = TableSession(source="*")
    table = serializers.CharField()
    timezone = serializers.CharField(source="header.club.timezone")
    version = serializers.IntegerField(
        source="header.version", help_text=gettext_lazy("The tournament's, when this was made.")
    )
    server_time = serializers.SerializerMethodField()
    takes_deals = serializers.BooleanField(
        help_text=gettext_lazy("False when the link’s time is over: a director extends it.")
    )
    matches = TableMatch(many=True, help_text=gettext_lazy("In the order of the rounds."))

    @extend_schema_field(serializers.DateTimeField)
    def get_server_time(self, state: Any) -> str:
        """Return when this was made, by the server's clock."""
        return _moment(self.context["now"])


class TableView(ApiView):
    """A table."""

    params: ClassVar[type[Params]] = TableParams
    authentication_classes: Sequence[type[BaseAuthentication]] = [TableAuthentication]

    def get_permissions(self) -> Sequence[BasePermission]:
        """Return who may come in."""
        return [AtATable()]

    def get_throttles(self) -> list[BaseThrottle]:
        """Return what keeps a device from asking without end."""
        return [LookThrottle()]

    @extend_schema(
        operation_id="table",
        summary="The table of a link",
        parameters=[TableParams],
        responses={200: Table, **BAD_PARAMETER, **NO_LINK},
        examples=[OpenApiExample("A table before its second deal", value=TABLE, response_only=True)],
    )
    def get(self, request: Request) -> Response:
        """Show the table that the link in the header is of: its matches, who sits where, their deals.

        A device that says who it is and how much it has not sent is shown to the director. The `ETag` leaves out
        `version` and `server_time`: it is the same while nothing has changed at this table.
        """
        asked, now = self.asked(), timezone.now()
        state = sync.look_at_table(actor=self.actor, count=_count(asked), at=now)
        body = _shown(state, now)
        return Response(body, headers={"ETag": _etag(body)})


class _Kept(local):
    """The shape of a table, kept in each thread, which answers one request after the other.

    The framework copies all fields of a shape each time that it is made: that takes as long as all that is read.
    """

    def __init__(self) -> None:
        self.context: dict[str, Any] = {}
        self.shape = Table(context=self.context)


_KEPT: Final = _Kept()


def _shown(state: TableState, now: datetime) -> dict[str, Any]:
    """Return the table as it is sent."""
    _KEPT.context.update(now=now, asks=state.asks_confirmation, confirmations=state.confirmations)
    return _KEPT.shape.to_representation(state)


def _moment(now: datetime) -> str:
    """Return the moment to the millisecond: a device measures by it how wrong its own clock is."""
    return now.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _count(sent: Mapping[str, Any]) -> DeviceCount | None:
    return DeviceCount(device=sent["device"], unsent=sent["unsent"]) if "device" in sent else None


def _sent_deal(item: Mapping[str, Any]) -> SentDeal:
    side = item["side"]
    return SentDeal(**{**item, "side": None if side is None else Holder(side)})


def _etag(body: Mapping[str, Any]) -> str:
    """Return what an answer is known by: weak, since what it leaves out may differ."""
    state = {name: value for name, value in body.items() if name not in NOT_OF_THE_STATE}
    return f'W/"{sha256(json.dumps(state, sort_keys=True, default=str).encode()).hexdigest()[:32]}"'


# -- deals that are sent


class SentDealInput(serializers.Serializer[Any]):
    """A deal of a batch."""

    operation_id = serializers.UUIDField(
        help_text=gettext_lazy("Made by the device: the same again writes nothing and gives the same answer.")
    )
    scoresheet = serializers.UUIDField()
    base_revision = serializers.IntegerField(
        min_value=1,
        max_value=LARGEST_NUMBER,
        allow_null=True,
        default=None,
        help_text=gettext_lazy(
            "Null for a new deal; else the revision that it was made on, to replace what is recorded."
        ),
    )
    pcn = PcnField(help_text=gettext_lazy("The record of one deal."))
    side = serializers.ChoiceField(
        HOLDERS,
        allow_null=True,
        default=None,
        help_text=gettext_lazy(
            "Which pair held the device: “table” where it is the table’s one device. Asked where the tournament has "
            "the other pair confirm."
        ),
    )
    device = serializers.UUIDField(
        allow_null=True,
        default=None,
        help_text=gettext_lazy("The device that made the deal, where another one sends it."),
    )
    reason = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=LONGEST_REASON,
        help_text=gettext_lazy("Of a replacement; everyone who reads the deal can see it."),
    )


class SyncInput(serializers.Serializer[Any]):
    """A batch of deals that a device has not yet sent, the oldest first."""

    device = serializers.UUIDField(help_text=gettext_lazy("What the device calls itself."))
    unsent = serializers.IntegerField(
        min_value=0,
        max_value=MOST_UNSENT,
        help_text=gettext_lazy(
            "Deals on it of which it does not know that they are recorded, these included."
        ),
    )
    items = serializers.ListField(child=SentDealInput(), max_length=MOST_ITEMS)


class StandingText(serializers.Serializer[Any]):
    """What is recorded of a deal."""

    revision = serializers.IntegerField()
    pcn = serializers.CharField()


class OfferedText(serializers.Serializer[Any]):
    """What was sent of a deal."""

    pcn = serializers.CharField()


class SyncOutcome(serializers.Serializer[Any]):
    """What became of a deal that was sent."""

    operation_id = serializers.UUIDField()
    scoresheet = serializers.UUIDField()
    outcome = serializers.ChoiceField(BECAME)
    number = serializers.IntegerField(
        allow_null=True, help_text=gettext_lazy("The deal's; null of a rejected one.")
    )
    deal = serializers.UUIDField(allow_null=True, help_text=gettext_lazy("Its id; null of a rejected one."))
    revision = serializers.IntegerField(
        allow_null=True,
        help_text=gettext_lazy("The one that was written, or that stands; null of a rejected one."),
    )
    current = StandingText(allow_null=True, help_text=gettext_lazy("Of a conflict: what is recorded."))
    offered = OfferedText(allow_null=True, help_text=gettext_lazy("Of a conflict: what was sent."))
    problems = RecordProblemShape(
        many=True, help_text=gettext_lazy("Of a rejected one why; else what is doubtful in it.")
    )


class SyncAnswer(serializers.Serializer[Any]):
    """What became of a batch, in its order."""

    server_time = serializers.DateTimeField()
    outcomes = SyncOutcome(many=True)


class SyncView(ApiView):
    """Deals that were made at a table."""

    authentication_classes: Sequence[type[BaseAuthentication]] = [
        TokenAuthentication,
        TableAuthentication,
        SessionAuthentication,
    ]

    def get_permissions(self) -> Sequence[BasePermission]:
        """Return who may come in."""
        return [UserOrAtATable()]

    def get_throttles(self) -> list[BaseThrottle]:
        """Return what keeps a device from sending without end."""
        return [SyncThrottle()]

    @extend_schema(
        operation_id="sync",
        summary="Send deals made at a table",
        request=SyncInput,
        responses={200: SyncAnswer, **REFUSED_BATCH},
        examples=[
            OpenApiExample("Two deals", value=BATCH, request_only=True),
            OpenApiExample("One is written, one stands against another", value=OUTCOMES, response_only=True),
        ],
    )
    def post(self, request: Request) -> Response:
        """Take in a batch made with or without a network: each deal by itself, in the order given.

        By a table link the deals of its table are taken; by a token with the scope `deals:write`, or a signed-in
        page, those of the clubs that one scores for. A deal that cannot be taken stops no other. Send the same batch
        again when the answer was lost.
        """
        self.asked()
        sent = SyncInput(data=request.data)
        sent.is_valid(raise_exception=True)
        now = timezone.now()
        outcomes = sync.sync_deals(
            actor=self.actor,
            count=_count(sent.validated_data),
            deals=[_sent_deal(item) for item in sent.validated_data["items"]],
            at=now,
        )
        return Response({"server_time": _moment(now), "outcomes": [_outcome_json(one) for one in outcomes]})


def _outcome_json(outcome: Outcome) -> dict[str, Any]:
    conflict = outcome.conflict
    found = conflict or outcome.answer
    return {
        "operation_id": str(outcome.sent.operation_id),
        "scoresheet": str(outcome.sent.scoresheet),
        "outcome": outcome.became.value,
        "number": found.number if found else None,
        "deal": str(found.deal_uid) if found else None,
        "revision": found.revision if found else None,
        "current": {"revision": conflict.revision, "pcn": conflict.current} if conflict else None,
        "offered": {"pcn": conflict.offered} if conflict else None,
        "problems": list(outcome.problems),
    }
