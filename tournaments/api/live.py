"""What a table shows of the deal that goes on there, as its device says it."""

from collections.abc import Sequence
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from courtpiece.accounts.api.base import ApiView
from courtpiece.accounts.api.documents import PROBLEM_JSON, Answers, problem
from scoring.api.inputs import LARGEST_NUMBER
from tournaments.api.authentication import AtATable, TableAuthentication, TableThrottle
from tournaments.api.table import NO_LINK
from tournaments.operations import live
from tournaments.operations.live import SentState

LONGEST_TEXT: Final = 8000
"""Of a record that goes on, in characters: thirteen tricks with every card taken back are shorter."""

EXAMPLE: Final = {
    "device": "7d8f0c3e-4b1a-4e0e-9a57-3a1f3f6f2f10",
    "scoresheet": "0b9c1f52-8a55-4b0e-9a2a-6f3b7f0b1d11",
    "deal": 4,
    "sequence": 57,
    "pcn": '[Deal "4"]\n[Rules "court-piece"]\n[Dealer "N"]\n[Trump "S"]\n\n1. HA H2 H9 H4\n2. CK C5\n*\n',
}

REFUSED: Final[Answers] = {
    (400, PROBLEM_JSON): problem("The body cannot be read, or has not the shape that it must have."),
    (404, PROBLEM_JSON): problem("The link's table has no such scoresheet."),
    (422, PROBLEM_JSON): problem(
        "The engine refuses what is told so far: `problems` says why. Nothing is kept."
    ),
    **NO_LINK,
}


class LiveThrottle(TableThrottle):
    """Enough for two devices that show every card at once."""

    scope = "live"
    rate = "150/min"


class LiveInput(serializers.Serializer[Any]):
    """The deal that goes on, as far as it is told."""

    device = serializers.UUIDField(help_text=gettext_lazy("What the device calls itself."))
    scoresheet = serializers.UUIDField()
    deal = serializers.IntegerField(min_value=1, max_value=LARGEST_NUMBER)
    sequence = serializers.IntegerField(
        min_value=0,
        max_value=2**53,
        help_text=gettext_lazy("The device's own count, which grows: what comes late is passed over."),
    )
    pcn = serializers.CharField(
        allow_null=True,
        max_length=LONGEST_TEXT,
        trim_whitespace=False,
        help_text=gettext_lazy("The record so far, without its result; null: no deal is being entered."),
    )


class LiveAnswer(serializers.Serializer[Any]):
    """What became of it."""

    kept = serializers.BooleanField(
        help_text=gettext_lazy("False: something newer came before, or the match is over.")
    )


class LiveView(ApiView):
    """The deal that goes on at a table."""

    authentication_classes: Sequence[type[BaseAuthentication]] = [TableAuthentication]

    def get_permissions(self) -> Sequence[BasePermission]:
        """Return who may come in."""
        return [AtATable()]

    def get_throttles(self) -> list[BaseThrottle]:
        """Return what keeps a device from sending without end."""
        return [LiveThrottle()]

    @extend_schema(
        operation_id="live",
        summary="Show the deal that goes on at a table",
        request=LiveInput,
        responses={200: LiveAnswer, **REFUSED},
        examples=[OpenApiExample("Two cards of the second trick", value=EXAMPLE, request_only=True)],
    )
    def post(self, request: Request) -> Response:
        """Show spectators a deal that is being entered card by card, or trick by trick.

        It is no part of the record, and kept only for as long as the tournament's delay needs it. Send the newest
        and no more than one a second; what is lost need not be sent again.
        """
        self.asked()
        sent = LiveInput(data=request.data)
        sent.is_valid(raise_exception=True)
        kept = live.post_live_state(
            actor=self.actor,
            sent=SentState(**{**sent.validated_data, "pcn": sent.validated_data["pcn"] or ""}),
            at=timezone.now(),
        )
        return Response({"kept": kept})
