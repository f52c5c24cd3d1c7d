"""The API, version 1: the apps bring their addresses; the index, the schema and its page are here."""

from functools import cache
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseRedirectBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, include, path, register_converter, resolve
from django.urls.exceptions import Resolver404
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.utils import extend_schema, inline_serializer
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from courtpiece.accounts.api.base import ApiView, open_to_pages

ROOT: Final = "/api/v1/"
ADDRESSES: Final = (
    "clubs",
    "players",
    "partnerships",
    "tournaments",
    "sessions",
    "rounds",
    "matches",
    "scoresheets",
    "deals",
    "check",
    "table",
    "sync",
    "schema",
    "docs",
)


class Index(ApiView):
    """Where everything is."""

    @extend_schema(
        operation_id="index",
        summary="Where everything is",
        tags=["index"],
        responses={200: inline_serializer("Index", {name: serializers.URLField() for name in ADDRESSES})},
    )
    def get(self, request: Request) -> Response:
        """Name the lists, the checker, and where all of it is described."""
        self.asked()
        return Response({name: reverse(f"api-{name}", request=request) for name in ADDRESSES})


class Schema(ApiView):
    """What the API is, as OpenAPI has it."""

    renderer_classes = (OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer2, OpenApiYamlRenderer)

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        """Describe the API, in JSON or YAML."""
        self.asked()
        return Response(_schema(get_language()))


@cache
def _schema(language: str | None) -> Any:
    """Return the description in a language; it takes a second to make, and never changes."""
    return SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]  # it has half its types


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Show the schema as a page on which everything can be tried."""
    return TemplateResponse(request, "api/docs.html")


class PermanentRedirect(HttpResponseRedirectBase):
    """The same request, whatever its method, belongs elsewhere for good."""

    status_code = HTTPStatus.PERMANENT_REDIRECT


class KnownAddress:
    """Whatever is an address of the API."""

    regex = ".+"

    def to_python(self, value: str) -> str:
        """Return the address.

        :raises ValueError: if there is nothing.
        """
        try:
            resolve(f"{ROOT}{value}")
        except Resolver404 as error:
            raise ValueError(value) from error
        return value

    def to_url(self, value: str) -> str:
        """Return the address."""
        return value


register_converter(KnownAddress, "known")


def without_slash(request: HttpRequest, address: str) -> HttpResponse:
    """Send who wrote a slash too many to where it is."""
    query = request.META.get("QUERY_STRING", "")
    answer = PermanentRedirect(f"{ROOT}{address}" + (f"?{query}" if query else ""))
    open_to_pages(request, answer)
    return answer


urlpatterns: list[URLPattern | URLResolver] = [
    path("", Index.as_view(), name="api-index"),
    path("", include("courtpiece.accounts.api.urls")),
    path("", include("scoring.api.urls")),
    path("", include("tournaments.api.urls")),
    path("schema", Schema.as_view(), name="api-schema"),
    path("docs", docs, name="api-docs"),
    path("<known:address>/", without_slash, name="api-without-slash"),
]
