"""Scoresheets and deals, as programs read and write them."""

from collections.abc import Sequence
from http import HTTPStatus
from typing import ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts.api.base import ApiView, ListView, Params
from courtpiece.accounts.api.documents import BAD_PARAMETER, NOT_FOUND, REFUSED_WRITE, part_of
from courtpiece.accounts.api.parsers import WellFormedJSONParser
from scoring import operations, queries
from scoring.api import shapes
from scoring.api.forms import PCN, PCN_PARSERS, PcnRenderer
from scoring.api.inputs import IDEMPOTENCY_KEY, CorrectionInput, DealParams, DealsInput, SheetParams
from scoring.operations import Became
from scoring.queries import lists
from scoring.queries.lists import DealFilter, SheetFilter

KEY = OpenApiParameter(
    IDEMPOTENCY_KEY,
    OpenApiTypes.UUID,
    OpenApiParameter.HEADER,
    description="The operation's id, made by you: the same again writes nothing and gives the same answer.",
)


class PcnOrJson(ApiView):
    """A view that answers in JSON, or in PCN who asks for that; to a write always in JSON."""

    def get_renderers(self) -> list[BaseRenderer]:
        """Return the forms of the answer."""
        return [JSONRenderer(), PcnRenderer()] if self.request.method in SAFE_METHODS else [JSONRenderer()]

    def wants_pcn(self) -> bool:
        """Return whether the answer is to be in PCN."""
        return self.request.accepted_renderer.format == PcnRenderer.format


class SheetList(ListView):
    """The scoresheets."""

    params: ClassVar[type[Params]] = SheetParams
    line = shapes.Scoresheet

    @extend_schema(
        operation_id="scoresheets",
        summary="Scoresheets, the newest first",
        parameters=[SheetParams],
        responses={200: part_of(shapes.Scoresheet), **BAD_PARAMETER},
    )
    def get(self, request: Request) -> Response:
        """List the scoresheets that you may see, the newest first."""
        return self.answer_of()

    def answer_of(self, collection_id: int | None = None) -> Response:
        """Return the scoresheets, of a collection that may be seen or of all."""
        asked, wanted = self.part_asked()
        filtered = SheetFilter(**wanted, collection_id=collection_id)
        return self.answer(lists.scoresheets(actor=self.actor, wanted=filtered, asked=asked))


class SheetDetail(ApiView):
    """A scoresheet."""

    @extend_schema(
        operation_id="scoresheet",
        summary="A scoresheet",
        responses={200: shapes.Scoresheet, **NOT_FOUND},
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """Show a scoresheet: who sat where, under which rules, and what it comes to."""
        self.asked()
        return Response(shapes.Scoresheet(lists.scoresheet(uid, actor=self.actor)).data)


class SheetDeals(PcnOrJson):
    """The deals of a scoresheet."""

    parser_classes: Sequence[type[BaseParser]] = [WellFormedJSONParser, *PCN_PARSERS]

    @extend_schema(
        operation_id="scoresheet_deals",
        summary="A scoresheet's deals with their records",
        responses={
            (200, "application/json"): shapes.SheetDeals,
            (200, PCN): OpenApiTypes.STR,
            **NOT_FOUND,
        },
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """Give all deals of a scoresheet by number, in JSON or as a file in PCN."""
        self.asked()
        if self.wants_pcn():
            return Response(queries.scoresheet_pcn(uid, actor=self.actor, now=timezone.now()))
        return Response(shapes.SheetDeals(lists.sheet_deals(uid, actor=self.actor, now=timezone.now())).data)

    @extend_schema(
        operation_id="record_deals",
        summary="Record deals in a scoresheet",
        parameters=[KEY],
        request={"application/json": DealsInput, PCN: OpenApiTypes.STR},
        responses={
            201: shapes.WrittenDeals,
            (200, "application/json"): shapes.WrittenDeals,
            **REFUSED_WRITE,
        },
    )
    def post(self, request: Request, uid: UUID) -> Response:
        """Record deals, all of them or none. Needs the scope `deals:write`, and a scorer's right in the club.

        201 where something was written; 200 where everything had been recorded before.
        """
        self.asked()
        sent = DealsInput.of(request)
        answer = operations.record_sheet(
            actor=self.actor,
            scoresheet_uid=uid,
            text=sent.text,
            operation_id=sent.operation,
            at=timezone.now(),
        )
        is_new = answer.became is Became.CREATED
        return Response(
            shapes.WrittenDeals(answer).data, status=HTTPStatus.CREATED if is_new else HTTPStatus.OK
        )


class DealList(ListView):
    """The deals."""

    params: ClassVar[type[Params]] = DealParams
    line = shapes.ListedDeal

    @extend_schema(
        operation_id="deals",
        summary="Deals, of the newest scoresheet first",
        parameters=[DealParams],
        responses={200: part_of(shapes.ListedDeal), **BAD_PARAMETER},
    )
    def get(self, request: Request) -> Response:
        """List the deals that you may see: of the newest scoresheet first, by number."""
        return self.answer_of()

    def answer_of(self, collection_id: int | None = None) -> Response:
        """Return the deals, of a collection that may be seen or of all."""
        asked, wanted = self.part_asked()
        filtered = DealFilter(**wanted, collection_id=collection_id)
        return self.answer(lists.deals(actor=self.actor, wanted=filtered, asked=asked, now=timezone.now()))


class DealDetail(PcnOrJson):
    """A deal."""

    @extend_schema(
        operation_id="deal",
        summary="A deal with its record and its revisions",
        responses={(200, "application/json"): shapes.Deal, (200, PCN): OpenApiTypes.STR, **NOT_FOUND},
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """Show a deal: its record, what the engine found and why, and how it came to say so; or its PCN."""
        self.asked()
        if self.wants_pcn():
            return Response(queries.deal_pcn(uid, actor=self.actor, now=timezone.now()))
        return Response(shapes.Deal(queries.deal_page(uid, actor=self.actor, now=timezone.now())).data)


class DealRevisions(ApiView):
    """The revisions of a deal."""

    @extend_schema(
        operation_id="deal_revisions",
        summary="A deal's revisions, the latest first",
        responses={200: shapes.Revision(many=True), **NOT_FOUND},
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """List everything that was ever written of a deal, the latest first."""
        self.asked()
        page = queries.deal_page(uid, actor=self.actor, now=timezone.now())
        return Response(shapes.Revision(page.revisions, many=True).data)

    @extend_schema(
        operation_id="correct_deal",
        summary="Correct a deal",
        parameters=[KEY],
        request=CorrectionInput,
        responses={201: shapes.WrittenDeal, **REFUSED_WRITE},
    )
    def post(self, request: Request, uid: UUID) -> Response:
        """Put another record in the place of the one that stands, which stays in the history.

        Needs the scope `deals:write`, and a director's right in the club. `base_revision` is the revision you
        corrected: if another came first, the answer is 409 with both texts, for a person to settle.
        """
        self.asked()
        sent = CorrectionInput.of(request)
        answer = operations.correct_deal(
            actor=self.actor,
            deal_uid=uid,
            base_revision=sent.validated_data["base_revision"],
            text=sent.text,
            reason=sent.validated_data["reason"],
            operation_id=sent.operation,
            at=timezone.now(),
        )
        return Response(shapes.WrittenDeal(answer).data, status=HTTPStatus.CREATED)
