"""The double-dummy analysis of a deal, as programs read it and ask for it."""

from http import HTTPStatus
from typing import Any, Final
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts.api.base import ApiView
from courtpiece.accounts.api.documents import NOT_FOUND, REFUSED_WRITE
from scoring import operations
from scoring.queries import DealAnalysisPart

COME_AGAIN_AFTER: Final = 5
"""Seconds."""


class FiveCards(serializers.Serializer[Any]):
    """What the caller's first five cards alone say of the trump, by deals drawn around them."""

    cards = serializers.ListField(child=serializers.CharField())
    samples = serializers.IntegerField(help_text=_("How many deals were drawn."))
    seed = serializers.IntegerField(help_text=_("What they were drawn from."))
    sums = serializers.DictField(
        child=serializers.IntegerField(), help_text=_("By suit, the tricks in all the samples together.")
    )
    best = serializers.ListField(child=serializers.CharField())


class AnalysedPlay(serializers.Serializer[Any]):
    """A card, with the tricks of the caller's side before and after it, those already won included."""

    trick = serializers.IntegerField()
    seat = serializers.CharField()
    card = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()
    lost = serializers.IntegerField(help_text=_("Tricks that it gave to the other side."))


class DealAnalysis(serializers.Serializer[Any]):
    """What is found of a deal, double dummy. Tricks are those of the caller's side, of thirteen."""

    caller = serializers.CharField()
    trump = serializers.CharField()
    chosen = serializers.BooleanField(help_text=_("The caller chose it from the first five cards."))
    tricks = serializers.DictField(child=serializers.IntegerField(), help_text=_("By suit, as trump."))
    best = serializers.ListField(child=serializers.CharField())
    five = FiveCards(allow_null=True)
    plays = AnalysedPlay(many=True)
    stopped = serializers.BooleanField(help_text=_("A revoke ended the plays before its trick."))


class AnalysisAnswer(serializers.Serializer[Any]):
    """The analysis of a deal: null while it is waited for."""

    deal = serializers.UUIDField(source="deal_uid")
    waiting = serializers.BooleanField(source="is_waiting")
    found_at = serializers.DateTimeField(allow_null=True)
    analysis = DealAnalysis(source="found", allow_null=True)


class DealAnalysisView(ApiView):
    """The analysis of a deal."""

    @extend_schema(
        operation_id="deal_analysis",
        summary="A deal's double-dummy analysis",
        responses={200: AnalysisAnswer, 202: AnalysisAnswer, **NOT_FOUND},
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """Show the analysis of a deal.

        202 while it is waited for. 404 where there is none: `reason` then says why, unless there is no such deal.
        """
        self.asked()
        return _answer(operations.known_analysis(actor=self.actor, deal_uid=uid, now=timezone.now()))

    @extend_schema(
        operation_id="ask_deal_analysis",
        summary="Have a deal analysed",
        request=None,
        responses={200: AnalysisAnswer, 202: AnalysisAnswer, **REFUSED_WRITE},
    )
    def post(self, request: Request, uid: UUID) -> Response:
        """Have a deal analysed whose cards you may see; asking again changes nothing."""
        self.asked()
        return _answer(operations.ask_analysis(actor=self.actor, deal_uid=uid, at=timezone.now()))


def _answer(part: DealAnalysisPart) -> Response:
    body = AnalysisAnswer(part).data
    if part.is_waiting:
        return Response(body, status=HTTPStatus.ACCEPTED, headers={"Retry-After": str(COME_AGAIN_AFTER)})
    return Response(body)
