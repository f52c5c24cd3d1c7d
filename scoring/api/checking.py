"""The checker, for everybody: records in, what is wrong with them out, nothing stored."""

import time
from collections.abc import Iterator, Sequence
from http import HTTPStatus
from itertools import islice
from typing import ClassVar, Final

from django.core.exceptions import RequestDataTooBig
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.parsers import BaseParser, MultiPartParser
from rest_framework.permissions import AllowAny, BasePermission
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle

from courtpiece.accounts.api.base import ApiView, Params
from courtpiece.accounts.api.documents import PROBLEM_JSON, problem
from courtpiece.accounts.api.parsers import read_body
from courtpiece.accounts.api.throttles import CheckThrottle
from courtpiece.notation import check
from courtpiece.notation.checker import JsonObject
from scoring.api.forms import NDJSON, PCN, PCN_PARSERS, BareBodyParser, NdjsonRenderer
from scoring.api.inputs import CheckParams

MOST_LINES: Final = 20_000
MOST_SECONDS: Final = 10.0


class Check(ApiView):
    """The checker."""

    params: ClassVar[type[Params]] = CheckParams
    renderer_classes: Sequence[type[BaseRenderer]] = [NdjsonRenderer, JSONRenderer]
    parser_classes: Sequence[type[BaseParser]] = [*PCN_PARSERS, MultiPartParser, BareBodyParser]

    def get_permissions(self) -> Sequence[BasePermission]:
        """Return who may ask: everybody."""
        return [AllowAny()]

    def get_throttles(self) -> list[BaseThrottle]:
        """Return what keeps everybody from asking without end."""
        return [CheckThrottle()]

    @extend_schema(
        operation_id="check",
        summary="Check records",
        parameters=[CheckParams],
        request={
            PCN: OpenApiTypes.STR,
            "multipart/form-data": inline_serializer("RecordsFile", {"file": serializers.FileField()}),
        },
        responses={
            (200, NDJSON): OpenApiTypes.STR,
            (200, "application/json"): inline_serializer(
                "CheckedLine",
                {
                    "type": serializers.ChoiceField(["deal", "match"]),
                    "file": serializers.CharField(allow_null=True),
                },
                many=True,
            ),
            (400, PROBLEM_JSON): problem("A parameter is not as it must be, or there is no file."),
            (413, PROBLEM_JSON): problem("That is more than is checked at once."),
            (415, PROBLEM_JSON): problem("The body is of a type that is not read here."),
            (429, PROBLEM_JSON): problem("Too many requests; `Retry-After` says when to come again."),
        },
    )
    def post(self, request: Request) -> Response:
        """Judge records in PCN as `python -m courtpiece check` does: a line for each deal, then each match.

        Lines of JSON, or a list by `Accept: application/json`. At most 2 MiB. Nothing is stored.
        """
        name = self.asked().get("file")
        source, file = _sent(request)
        lines = _in_time(check(source, file=name or file), until=time.monotonic() + MOST_SECONDS)
        return Response(list(lines), status=HTTPStatus.OK)


def _sent(request: Request) -> tuple[bytes, str | None]:
    """Return the records that were sent, and the name of their file where they came in one.

    :raises ValidationError: if it is a form without a file.
    :raises RequestDataTooBig: if they are too many.
    """
    for upload in request.FILES.values():
        return read_body(upload), upload.name
    if (request.content_type or "").startswith("multipart/"):
        raise ValidationError({"file": [_("Send records in PCN, as the body or as a file of a form.")]})
    body: bytes = request.data.get("pcn", b"")  # type: ignore[union-attr]  # the parsers return an object
    return body, None


def _in_time(lines: Iterator[JsonObject], *, until: float) -> Iterator[JsonObject]:
    """Yield the lines.

    :raises RequestDataTooBig: if there are too many, or it takes too long.
    """
    for line in islice(lines, MOST_LINES):
        if time.monotonic() > until:
            raise RequestDataTooBig
        yield line
    if next(lines, None) is not None:
        raise RequestDataTooBig
