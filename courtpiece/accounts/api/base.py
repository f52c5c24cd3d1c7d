"""What all views of the API are made from."""

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any, ClassVar, Final, TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import conditional_page
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.permissions import SAFE_METHODS, AllowAny, BasePermission, IsAuthenticated
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from courtpiece.accounts.api.parsers import WellFormedJSONParser
from courtpiece.accounts.api.throttles import WriteThrottle
from courtpiece.accounts.parts import LONGEST_PART, USUAL_PART, Asked, PartOf
from courtpiece.accounts.permissions import Actor, actor_of

T = TypeVar("T")

OPEN_TO_PAGES: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Content-Disposition",
}
"""Any page may read what everybody may read. Without credentials: browsers send none to a ``*``."""


class Params(serializers.Serializer[Any]):
    """The parameters of an address. A name that is none of them is an error, not a silence."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return the values.

        :raises ValidationError: if one is not as it must be, or is none of this address.
        """
        unknown = sorted(set(data) - set(self.fields) - {"format"})
        if unknown:
            known = ", ".join((*self.fields, "format"))
            message = _("There is no such parameter here. There are: %(known)s.") % {"known": known}
            raise ValidationError({name: [message] for name in unknown})
        values: dict[str, Any] = super().to_internal_value(data)
        return values


class ListParams(Params):
    """The parameters of a list."""

    cursor = serializers.CharField(
        required=False,
        max_length=2000,
        help_text=gettext_lazy("From where on to read: take `next` or `previous` of an answer."),
    )
    limit = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LONGEST_PART,
        default=USUAL_PART,
        help_text=gettext_lazy("How many lines at most."),
    )


class Negotiation(DefaultContentNegotiation):
    """The form of an answer, by ``Accept`` or ``?format=``; the latter wins."""

    def filter_renderers(self, renderers: Iterable[BaseRenderer], format: str) -> list[BaseRenderer]:  # noqa: A002 - the framework's name
        """Return the forms of that name.

        :raises ValidationError: if there is none.
        """
        renderers = list(renderers)
        found = [renderer for renderer in renderers if renderer.format == format]
        if found:
            return found
        known = ", ".join(str(renderer.format) for renderer in renderers)
        raise ValidationError({"format": [_("This has the formats %(known)s.") % {"known": known}]})


class ApiView(APIView):
    """A view of the API: open for reading, closed for writing to who has not said who they are.

    An answer has an ``ETag``, made from what it says, and is good only until it is asked for again.
    """

    params: ClassVar[type[Params]] = Params
    parser_classes: Sequence[type[BaseParser]] = [WellFormedJSONParser]
    content_negotiation_class = Negotiation

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view, which answers 304 to who has the answer already."""
        return conditional_page(super().as_view(**initkwargs))

    @property
    def actor(self) -> Actor:
        """Who asks. One query for a user."""
        return actor_of(self.request)

    def asked(self) -> dict[str, Any]:
        """Return the parameters of the address.

        :raises ValidationError: if one is not as it must be.
        """
        params = self.params(data=self.request.query_params.dict())
        params.is_valid(raise_exception=True)
        values: dict[str, Any] = params.validated_data
        return values

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Return the request, its address read as UTF-8 whatever its content claims to be."""
        request.encoding = "utf-8"
        return super().initialize_request(request, *args, **kwargs)

    def get_permissions(self) -> Sequence[BasePermission]:
        """Return who may come in; what they may do is decided by operations and queries."""
        return [IsAuthenticated() if self._writes() else AllowAny()]

    def get_throttles(self) -> list[BaseThrottle]:
        """Return what keeps a program from writing without end."""
        return [WriteThrottle()] if self._writes() else []

    def _writes(self) -> bool:
        return self.request.method not in SAFE_METHODS

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Return the answer with what caches and other sites' pages need to know."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        patch_vary_headers(answer, ["Accept", "Authorization", "Cookie"])
        is_anonymous = not request.META.get("HTTP_AUTHORIZATION") and not request.META.get("HTTP_COOKIE")
        patch_cache_control(answer, no_cache=True, **({} if is_anonymous else {"private": True}))
        if is_anonymous and request.method in SAFE_METHODS:
            for name, value in OPEN_TO_PAGES.items():
                answer[name] = value
        return answer

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Say what may be done here."""
        allowed = ", ".join(self.allowed_methods)
        headers = {"Allow": allowed, "Access-Control-Allow-Methods": "GET, HEAD"}
        headers["Access-Control-Allow-Headers"] = "Accept, If-None-Match"
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers=headers)


class ListView(ApiView):
    """A view of a list."""

    params: ClassVar[type[Params]] = ListParams
    line: ClassVar[type[serializers.BaseSerializer[Any]]]

    def part_asked(self) -> tuple[Asked, dict[str, Any]]:
        """Return which part is asked for, and the other parameters.

        :raises ValidationError: if one is not as it must be.
        """
        values = self.asked()
        return Asked(cursor=values.pop("cursor", ""), limit=values.pop("limit")), values

    def answer(self, part: PartOf[Any]) -> Response:
        """Return the part as an answer."""
        return Response(self.body(part))

    def body(self, part: PartOf[Any]) -> dict[str, Any]:
        """Return the part as it is answered, its neighbours by their addresses."""
        return {
            "next": self._address(part.next),
            "previous": self._address(part.previous),
            "results": self.line(part.items, many=True).data,
        }

    def _address(self, cursor: str | None) -> str | None:
        if cursor is None:
            return None
        query = self.request.query_params.copy()
        query["cursor"] = cursor
        return self.request.build_absolute_uri(f"{self.request.path}?{query.urlencode()}")
