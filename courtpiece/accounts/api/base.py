"""What all views of the API are made from."""

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any, ClassVar, Final, TypeVar

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.http import ConditionalGetMiddleware
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.decorators import decorator_from_middleware
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.permissions import SAFE_METHODS, AllowAny, BasePermission, IsAuthenticated
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from courtpiece.accounts.api.parsers import WellFormedJSONParser
from courtpiece.accounts.api.sparse import FIELDS, Wanted, only, read_fields
from courtpiece.accounts.api.throttles import RATE_LIMIT, Allowance, ReadThrottle, WriteThrottle
from courtpiece.accounts.parts import LONGEST_PART, USUAL_PART, Asked, PartOf
from courtpiece.accounts.permissions import Actor, actor_of

T = TypeVar("T")

OPEN_TO_PAGES: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": ", ".join(("ETag", "Content-Disposition", "Retry-After", *RATE_LIMIT)),
}
"""Any page may read what everybody may read. Without credentials: browsers send none to a ``*``."""


def open_to_pages(request: HttpRequest | Request, answer: HttpResponseBase) -> None:
    """Let other sites' pages read the answer, if nobody in particular asked."""
    if request.method in SAFE_METHODS and is_of_anybody(request):
        for name, value in OPEN_TO_PAGES.items():
            answer[name] = value


def is_of_anybody(request: HttpRequest | Request) -> bool:
    """Return whether the request does not say who sent it."""
    return not request.META.get("HTTP_AUTHORIZATION") and not request.META.get("HTTP_COOKIE")


class ConditionalAnswers(ConditionalGetMiddleware):
    """Django's own, whose 304 forgets what it does not know: who may read it, and how much may still be asked."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Return the answer, or a 304 to who has it already."""
        answer = super().process_response(request, response)
        for name in (*OPEN_TO_PAGES, *RATE_LIMIT):
            if name in response:
                answer[name] = response[name]
        return answer


conditional_answer = decorator_from_middleware(ConditionalAnswers)


OF_EVERY_ADDRESS: Final = ("format", FIELDS)
"""Parameters that are no parameters of the view: the form of the answer, and what of it is wanted."""


class Params(serializers.Serializer[Any]):
    """The parameters of an address. A name that is none of them is an error, not a silence."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        """Return the values.

        :raises ValidationError: if one is not as it must be, or is none of this address.
        """
        unknown = sorted(set(data) - set(self.fields) - set(OF_EVERY_ADDRESS))
        if unknown:
            known = ", ".join((*self.fields, *OF_EVERY_ADDRESS))
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


def ordering(orders: Iterable[str]) -> serializers.ChoiceField:
    """Return the parameter by which a list is asked for in another order, by one of these names."""
    names = [f"{sign}{name}" for name in orders for sign in ("", "-")]
    return serializers.ChoiceField(
        names,
        required=False,
        help_text=gettext_lazy("In which order; with `-` before it the other way round."),
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
    wanted: Wanted = {}
    """What of the answer is wanted; nothing: all of it."""
    allowance: Allowance | None = None
    parser_classes: Sequence[type[BaseParser]] = [WellFormedJSONParser]
    content_negotiation_class = Negotiation

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        """Return the view, which answers 304 to who has the answer already."""
        return conditional_answer(super().as_view(**initkwargs))

    @property
    def actor(self) -> Actor:
        """Who asks. One query for a user."""
        return actor_of(self.request)

    def asked(self) -> dict[str, Any]:
        """Return the parameters of the address.

        :raises ValidationError: if one is not as it must be.
        """
        query = self.request.query_params.dict()
        params = self.params(data=query)
        params.is_valid(raise_exception=True)
        self.wanted = self._fields_asked(query.get(FIELDS, ""))
        values: dict[str, Any] = params.validated_data
        return values

    def _fields_asked(self, text: str) -> Wanted:
        if not text:
            return {}
        if self._writes() or self.request.accepted_renderer.format != JSONRenderer.format:
            raise ValidationError({FIELDS: [_("Fields can be chosen of an answer in JSON only.")]})
        return read_fields(text)

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Return the request, its address read as UTF-8 whatever its content claims to be."""
        request.encoding = "utf-8"
        return super().initialize_request(request, *args, **kwargs)

    def get_permissions(self) -> Sequence[BasePermission]:
        """Return who may come in; what they may do is decided by operations and queries."""
        return [IsAuthenticated() if self._writes() else AllowAny()]

    def get_throttles(self) -> list[BaseThrottle]:
        """Return what keeps a program from asking without end."""
        return [WriteThrottle() if self._writes() else ReadThrottle()]

    def check_throttles(self, request: Request) -> None:
        """Count the request, and keep what is left for the answer.

        :raises Throttled: if there were too many.
        """
        for throttle in self.get_throttles():
            is_allowed = throttle.allow_request(request, self)
            self.allowance = getattr(throttle, "allowance", None)
            if not is_allowed:
                self.throttled(request, throttle.wait() or 1)

    def _writes(self) -> bool:
        return self.request.method not in SAFE_METHODS

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Return the answer with what caches and other sites' pages need to know."""
        answer = super().finalize_response(request, self._narrowed(response), *args, **kwargs)
        is_rendered = hasattr(answer, "add_post_render_callback")
        if is_rendered and answer.status_code == HTTPStatus.OK:
            answer.add_post_render_callback(_say_what_nothing_is)
        for name, value in (self.allowance.headers if self.allowance else {}).items():
            answer[name] = value
        patch_vary_headers(answer, ["Accept", "Authorization", "Cookie"])
        patch_cache_control(answer, no_cache=True, **({} if is_of_anybody(request) else {"private": True}))
        open_to_pages(request, answer)
        return answer

    def _narrowed(self, response: Any) -> Any:
        """Return the answer with the wanted fields only, or what is wrong with them."""
        if not self.wanted or not isinstance(response, Response) or response.status_code != HTTPStatus.OK:
            return response
        try:
            response.data = self.narrowed(response.data)
        except ValidationError as error:
            return self.handle_exception(error)
        # What it says now is another thing: its tag is made of it.
        response.headers.pop("ETag", None)
        return response

    def narrowed(self, data: Any) -> Any:
        """Return what is answered, with the wanted fields only.

        :raises ValidationError: if there is no field of a name.
        """
        return only(data, self.wanted)

    def not_changed(self, tag: str) -> HttpResponse | None:
        """Return the answer for who has what the tag stands for already; None for anybody else."""
        if self.wanted:
            return None
        answer = get_conditional_response(self.request._request, etag=tag)  # noqa: SLF001 - Django's own request
        if answer is None or answer.status_code != HTTPStatus.NOT_MODIFIED:
            return None
        answer["ETag"] = tag
        return answer

    def options(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Say what may be done here."""
        allowed = ", ".join(self.allowed_methods)
        headers = {"Allow": allowed, "Access-Control-Allow-Methods": "GET, HEAD"}
        headers["Access-Control-Allow-Headers"] = "Accept, If-None-Match"
        headers["Access-Control-Max-Age"] = "86400"
        return HttpResponse(status=HTTPStatus.NO_CONTENT, headers=headers)


def _say_what_nothing_is(answer: Response) -> None:
    """Give an answer without a line its type, which the framework takes from what is empty."""
    renderer = answer.accepted_renderer
    charset = f"; charset={renderer.charset}" if renderer.charset else ""
    answer.headers.setdefault("Content-Type", f"{answer.accepted_media_type}{charset}")


class ListView(ApiView):
    """A view of a list."""

    params: ClassVar[type[Params]] = ListParams
    line: ClassVar[type[serializers.BaseSerializer[Any]]]

    def part_asked(self) -> tuple[Asked, dict[str, Any]]:
        """Return which part is asked for, and the other parameters.

        :raises ValidationError: if one is not as it must be.
        """
        values = self.asked()
        asked = Asked(
            cursor=values.pop("cursor", ""), limit=values.pop("limit"), order=values.pop("ordering", "")
        )
        return asked, values

    def answer(self, part: PartOf[Any]) -> Response:
        """Return the part as an answer."""
        return Response(self.body(part))

    def narrowed(self, data: Any) -> Any:
        """Return the part, its lines with the wanted fields only.

        :raises ValidationError: if there is no field of a name.
        """
        return {**data, "results": only(data["results"], self.wanted)}

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
