"""Scoresheets and deals, as programs read and write them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, ClassVar, Final
from uuid import UUID

from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import BaseParser
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts.api.base import ApiView, Params
from courtpiece.accounts.api.documents import (
    BAD_PARAMETER,
    BAD_SEARCH,
    NOT_FOUND,
    REFUSED_WRITE,
    Answers,
    part_of,
)
from courtpiece.accounts.api.parsers import WellFormedJSONParser
from courtpiece.accounts.api.writes import KEY
from courtpiece.notation.writer import HEADER
from scoring import exports, operations, queries
from scoring.api import shapes
from scoring.api.forms import (
    PBN,
    PCN,
    PCN_PARSERS,
    PNG,
    SVG,
    NdjsonRenderer,
    PbnRenderer,
    PcnRenderer,
    PngRenderer,
    SvgRenderer,
)
from scoring.api.found import Form, FoundList, found_in_forms, json_lines
from scoring.api.inputs import (
    LARGEST_NUMBER,
    CorrectionInput,
    DealParams,
    DealsInput,
    GameFactsInput,
    GameInput,
    OfferInput,
    PositionParams,
    SheetParams,
    wanted_of,
)
from scoring.link_secrets import secret_of
from scoring.models import OfferState
from scoring.operations import Became
from scoring.pictures import picture_of
from scoring.queries import lists, whole
from scoring.queries.lists import DealFilter, SheetFilter
from scoring.queries.whole import StreamedDeal

SHEETS_IN_FORMS: Final[Answers] = found_in_forms(part_of(shapes.Scoresheet))
DEALS_IN_FORMS: Final[Answers] = {
    **found_in_forms(part_of(shapes.ListedDeal)),
    (200, PCN): OpenApiTypes.STR,
    (200, PBN): OpenApiTypes.STR,
}


class PcnOrJson(ApiView):
    """A view that answers in JSON, or in PCN or PBN who asks for that; to a write always in JSON."""

    def get_renderers(self) -> list[BaseRenderer]:
        """Return the forms of the answer."""
        is_read = self.request.method in SAFE_METHODS
        return [JSONRenderer(), PcnRenderer(), PbnRenderer()] if is_read else [JSONRenderer()]

    def text_of(self, pcn: Callable[[], str]) -> Response | None:
        """Return the records as the file that is asked for; None where JSON is."""
        form = self.request.accepted_renderer.format
        if form == PcnRenderer.format:
            return Response(pcn())
        return Response(queries.pbn_of(pcn())) if form == PbnRenderer.format else None


class SheetLines(FoundList):
    """Scoresheets of one place or another."""

    params: ClassVar[type[Params]] = SheetParams
    line = shapes.Scoresheet
    table = exports.SCORESHEETS
    name = "scoresheets"
    particulars = ("club", "player", "partnership", "own")

    def answer_of(self, collection_id: int | None = None) -> HttpResponseBase:
        """Return the scoresheets, of a collection that may be seen or of all.

        :raises ValidationError: if all of them at once are asked for, and only a part of them.
        """
        asked, wanted = self.part_asked()
        actor, filtered = self.actor, SheetFilter(**wanted_of(wanted), collection_id=collection_id)
        return self.found(
            wanted,
            part=lambda: lists.scoresheets(actor=actor, wanted=filtered, asked=asked),
            whole=lambda: whole.stream_scoresheets(actor=actor, wanted=filtered, order=asked.order),
            is_of_one=collection_id is not None,
        )


class SheetList(SheetLines):
    """The scoresheets."""

    @extend_schema(
        operation_id="scoresheets",
        summary="Scoresheets, the newest first",
        parameters=[SheetParams],
        responses={**SHEETS_IN_FORMS, **BAD_SEARCH},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """List the scoresheets that you may see, the newest first.

        As lines of JSON or in CSV all of them come at once: however many of one `club`, `player` or `partnership`, or
        of your `own`, else the first 50,000. Ask without `limit` and `cursor`.
        """
        return self.answer_of()

    @extend_schema(
        operation_id="record_game",
        summary="Keep a game that was played without a tournament",
        request=GameInput,
        responses={201: shapes.Scoresheet, (200, "application/json"): shapes.Scoresheet, **REFUSED_WRITE},
    )
    def post(self, request: Request) -> Response:
        """Keep a game as your own: nobody else sees it. Needs the scope `deals:write`.

        Its deals are then sent to `sync`, or to the scoresheet. The same `id` again makes nothing: 200 instead of 201.
        """
        self.asked()
        sent = GameInput(data=request.data)
        sent.is_valid(raise_exception=True)
        answer = operations.record_game(actor=self.actor, game=sent.game, at=timezone.now())
        line = lists.written_game(answer.uid, actor=self.actor)
        status = HTTPStatus.CREATED if answer.is_new else HTTPStatus.OK
        return Response(shapes.Scoresheet(line).data, status=status)


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


class GameFacts(ApiView):
    """What the owner of a game says of it."""

    @extend_schema(
        operation_id="describe_game",
        summary="Give the players of your game other names, say when and where it was",
        request=GameFactsInput,
        responses={200: shapes.Scoresheet, **REFUSED_WRITE},
    )
    def put(self, request: Request, uid: UUID) -> Response:
        """Describe a game of your own anew. Needs the scope `deals:write`."""
        self.asked()
        sent = GameFactsInput(data=request.data)
        sent.is_valid(raise_exception=True)
        operations.describe_game(actor=self.actor, uid=uid, facts=sent.facts, at=timezone.now())
        return Response(shapes.Scoresheet(lists.written_game(uid, actor=self.actor)).data)


class GameLink(ApiView):
    """The link of a game."""

    @extend_schema(
        operation_id="share_game",
        summary="Share your game by a link",
        request=None,
        responses={200: shapes.GameLink, **REFUSED_WRITE},
    )
    def put(self, request: Request, uid: UUID) -> Response:
        """Give a game of your own a link by which whoever has it reads it; it keeps the one it has."""
        self.asked()
        link = operations.share_game(actor=self.actor, uid=uid, at=timezone.now())
        address = reverse("scoring:shared", args=[secret_of(link)])
        return Response({"url": request.build_absolute_uri(address)})

    @extend_schema(
        operation_id="unshare_game",
        summary="Take the link of your game back",
        request=None,
        responses={204: None, **REFUSED_WRITE},
    )
    def delete(self, request: Request, uid: UUID) -> Response:
        """Take the link back: it opens nothing any more."""
        self.asked()
        operations.unshare_game(actor=self.actor, uid=uid, at=timezone.now())
        return Response(status=HTTPStatus.NO_CONTENT)


class GameOffer(ApiView):
    """The offer of a game to a club."""

    @extend_schema(
        operation_id="offer_game",
        summary="Offer your game to a club",
        request=OfferInput,
        responses={200: shapes.GameOffer, **REFUSED_WRITE},
    )
    def put(self, request: Request, uid: UUID) -> Response:
        """Offer a game of your own to a club, where a director takes it or declines. The same again is the same."""
        self.asked()
        sent = OfferInput(data=request.data)
        sent.is_valid(raise_exception=True)
        club = sent.validated_data["club"]
        operations.offer_game(actor=self.actor, uid=uid, club=club, at=timezone.now())
        return Response({"club": club, "state": OfferState.OPEN.value})

    @extend_schema(
        operation_id="take_offer_back",
        summary="Take the offer of your game back",
        request=None,
        responses={204: None, **REFUSED_WRITE},
    )
    def delete(self, request: Request, uid: UUID) -> Response:
        """Take back an offer that waits for an answer."""
        self.asked()
        operations.take_offer_back(actor=self.actor, uid=uid, at=timezone.now())
        return Response(status=HTTPStatus.NO_CONTENT)


class SheetDeals(PcnOrJson):
    """The deals of a scoresheet."""

    parser_classes: Sequence[type[BaseParser]] = [WellFormedJSONParser, *PCN_PARSERS]

    @extend_schema(
        operation_id="scoresheet_deals",
        summary="A scoresheet's deals with their records",
        responses={
            (200, "application/json"): shapes.SheetDeals,
            (200, PCN): OpenApiTypes.STR,
            (200, PBN): OpenApiTypes.STR,
            **NOT_FOUND,
        },
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """Give all deals of a scoresheet by number, in JSON or as a file in PCN or PBN."""
        self.asked()
        now = timezone.now()
        file = self.text_of(lambda: queries.scoresheet_pcn(uid, actor=self.actor, now=now))
        if file is not None:
            return file
        return Response(shapes.SheetDeals(lists.sheet_deals(uid, actor=self.actor, now=now)).data)

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


def _with_records(deals: Iterable[StreamedDeal]) -> Iterator[str]:
    shape = shapes.DealFields()

    def told(deal: StreamedDeal) -> dict[str, Any]:
        fields = shape.to_representation(deal.line)
        return {**fields, "scoresheet": str(deal.scoresheet_uid), "record": shapes.record_json(deal.pcn)}

    return json_lines(map(told, deals))


def _one_file(deals: Iterable[StreamedDeal]) -> Iterator[str]:
    yield HEADER
    for deal in deals:
        yield deal.pcn.removeprefix(HEADER)


def _games(deals: Iterable[StreamedDeal]) -> Iterator[str]:
    for deal in deals:
        yield queries.pbn_of(deal.pcn)


class DealList(FoundList):
    """The deals: part by part in JSON, or all of them at once as a file with their records."""

    params: ClassVar[type[Params]] = DealParams
    line = shapes.ListedDeal
    renderer_classes: Sequence[type[BaseRenderer]] = [
        *FoundList.renderer_classes,
        PcnRenderer,
        PbnRenderer,
    ]
    table = exports.DEALS
    name = "deals"
    particulars = ("scoresheet", "club", "player", "partnership")
    forms: ClassVar[Mapping[str, Form]] = {
        NdjsonRenderer.format: _with_records,
        PcnRenderer.format: _one_file,
        PbnRenderer.format: _games,
    }

    @extend_schema(
        operation_id="deals",
        summary="Deals, of the newest scoresheet first",
        parameters=[DealParams],
        responses={**DEALS_IN_FORMS, **BAD_SEARCH},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """List the deals that you may see: of the newest scoresheet first, by number.

        As lines of JSON, in PCN or in PBN all of them come at once with their records, in CSV without: however many of
        one `scoresheet`, `club`, `player` or `partnership`, else the first 50,000. Ask without `limit` and `cursor`.
        """
        return self.answer_of()

    def answer_of(self, collection_id: int | None = None) -> HttpResponseBase:
        """Return the deals, of a collection that may be seen or of all.

        :raises ValidationError: if all of them at once are asked for, and only a part of them.
        """
        asked, wanted = self.part_asked()
        actor, filtered = self.actor, DealFilter(**wanted_of(wanted), collection_id=collection_id)
        now = timezone.now()
        return self.found(
            wanted,
            part=lambda: lists.deals(actor=actor, wanted=filtered, asked=asked, now=now),
            whole=lambda: whole.stream_deals(actor=actor, wanted=filtered, order=asked.order, now=now),
            is_of_one=collection_id is not None,
        )


class DealDetail(PcnOrJson):
    """A deal."""

    @extend_schema(
        operation_id="deal",
        summary="A deal with its record and its revisions",
        responses={
            (200, "application/json"): shapes.Deal,
            (200, PCN): OpenApiTypes.STR,
            (200, PBN): OpenApiTypes.STR,
            **NOT_FOUND,
        },
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """Show a deal: its record, what the engine found and why, and how it came to say so; or its PCN or PBN."""
        self.asked()
        now = timezone.now()
        file = self.text_of(lambda: queries.deal_pcn(uid, actor=self.actor, now=now))
        if file is not None:
            return file
        return Response(shapes.Deal(queries.deal_page(uid, actor=self.actor, now=now)).data)


class DealReplay(ApiView):
    """A deal turn by turn."""

    params: ClassVar[type[Params]] = PositionParams
    renderer_classes: Sequence[type[BaseRenderer]] = [JSONRenderer, SvgRenderer, PngRenderer]

    @extend_schema(
        operation_id="deal_replay",
        summary="A deal turn by turn, or a picture of a position",
        parameters=[PositionParams],
        responses={
            (200, "application/json"): shapes.DealReplay,
            (200, SVG): OpenApiTypes.STR,
            (200, PNG): OpenApiTypes.BINARY,
            **BAD_PARAMETER,
            **NOT_FOUND,
        },
    )
    def get(self, request: Request, uid: UUID) -> Response:
        """Show what lies where after each card, as the engine replays it; or draw it, in SVG or PNG, after `at` cards.

        `replay` is null where the record has no cards, or they are held back until `cards_from`; the picture then says
        what there is.
        """
        at = self.asked().get("at", LARGEST_NUMBER)
        position = queries.deal_position(uid, actor=self.actor, at=at, now=timezone.now())
        form = request.accepted_renderer.format
        if form == SvgRenderer.format:
            return Response(picture_of(position).svg)
        if form == PngRenderer.format:
            return Response(picture_of(position).png())
        return Response(shapes.DealReplay(position).data)


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
