"""What people and programs are told when something cannot be done: never a traceback."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import pytest
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path
from rest_framework.decorators import api_view
from rest_framework.exceptions import MethodNotAllowed, NotAuthenticated, Throttled, ValidationError
from rest_framework.request import Request

from courtpiece.accounts.permissions import Action, Forbidden, Scope
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Conflict
from courtpiece.errors import CourtPieceError
from courtpiece.project import errors
from courtpiece.project.urls import handler400, handler403, handler404, handler500

__all__ = ["handler400", "handler403", "handler404", "handler500"]


class NameTaken(Conflict):
    """Somebody has that name."""

    field = "name"


RAISED: dict[str, Callable[[], Exception]] = {
    "refused": lambda: CourtPieceError("the deal is against the laws"),
    "forbidden": lambda: Forbidden(Action.RULE),
    "scope": lambda: Forbidden(Action.RULE, needs_scope=Scope.DEALS_WRITE),
    "conflict": lambda: NameTaken("That name is taken."),
    "missing": NotFound,
    "away": lambda: OperationalError("could not connect to server: secret-host"),
    "bug": lambda: ZeroDivisionError("secret detail"),
    "invalid": lambda: ValidationError({"number": ["A whole number is needed."]}),
    "method": lambda: MethodNotAllowed("PUT"),
    "signed-out": NotAuthenticated,
    "throttled": lambda: Throttled(wait=17),
}


def page(request: HttpRequest, kind: str) -> HttpResponse:
    error = RAISED[kind]()
    raise error


@api_view(["GET"])
def answer(request: Request, kind: str) -> HttpResponse:
    error = RAISED[kind]()
    raise error


urlpatterns = [path("pages/<kind>/", page), path("api/v1/<kind>/", answer)]

pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db]


@pytest.fixture
def visitor() -> Client:
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("refused", HTTPStatus.UNPROCESSABLE_ENTITY),
        ("forbidden", HTTPStatus.NOT_FOUND),
        ("scope", HTTPStatus.FORBIDDEN),
        ("conflict", HTTPStatus.CONFLICT),
        ("missing", HTTPStatus.NOT_FOUND),
        ("away", HTTPStatus.SERVICE_UNAVAILABLE),
        ("bug", HTTPStatus.INTERNAL_SERVER_ERROR),
        ("nothing-here/at-all", HTTPStatus.NOT_FOUND),
    ],
)
def test_a_person_gets_a_page(visitor: Client, kind: str, status: HTTPStatus) -> None:
    response = visitor.get(f"/pages/{kind}/")

    text = response.content.decode()
    assert response.status_code == status
    assert response["Content-Type"].startswith("text/html")
    assert "</html>" in text
    assert "secret" not in text
    assert "Traceback" not in text


def test_a_person_reads_why(visitor: Client) -> None:
    assert "the deal is against the laws" in visitor.get("/pages/refused/").content.decode()


@pytest.mark.parametrize(
    ("kind", "status", "detail"),
    [
        ("refused", HTTPStatus.UNPROCESSABLE_ENTITY, "the deal is against the laws"),
        ("forbidden", HTTPStatus.NOT_FOUND, "There is nothing here, or you may not see it."),
        ("away", HTTPStatus.SERVICE_UNAVAILABLE, "The database does not answer. Please try again."),
        ("bug", HTTPStatus.INTERNAL_SERVER_ERROR, "Something went wrong on our side. It was written down."),
        ("invalid", HTTPStatus.BAD_REQUEST, "Some values are not as they must be."),
        ("method", HTTPStatus.METHOD_NOT_ALLOWED, 'Method "PUT" not allowed.'),
        ("throttled", HTTPStatus.TOO_MANY_REQUESTS, None),
        ("nothing-here/at-all", HTTPStatus.NOT_FOUND, "There is nothing here, or you may not see it."),
    ],
)
def test_a_program_gets_problem_details(
    visitor: Client, kind: str, status: HTTPStatus, detail: str | None
) -> None:
    response = visitor.get(f"/api/v1/{kind}/")

    body: dict[str, Any] = response.json()
    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"
    assert (body["status"], body["title"]) == (status.value, status.phrase)
    assert detail is None or body["detail"] == detail


def test_an_error_of_ours_has_a_type_of_its_own(visitor: Client) -> None:
    assert visitor.get("/api/v1/scope/").json()["type"] == "urn:courtpiece:forbidden"


def test_what_is_forbidden_looks_like_what_does_not_exist(visitor: Client) -> None:
    assert visitor.get("/api/v1/forbidden/").content == visitor.get("/api/v1/missing/").content


def test_the_value_at_fault_is_named(visitor: Client) -> None:
    body = visitor.get("/api/v1/conflict/").json()

    assert (body["status"], body["type"]) == (409, "urn:courtpiece:name-taken")
    assert body["errors"] == {"name": ["That name is taken."]}


def test_invalid_values_are_named(visitor: Client) -> None:
    assert visitor.get("/api/v1/invalid/").json()["errors"] == {"number": ["A whole number is needed."]}


@pytest.mark.parametrize("address", ["/pages/away/", "/api/v1/away/"])
def test_whoever_comes_while_the_database_is_away_learns_when_to_come_again(
    visitor: Client, address: str
) -> None:
    response = visitor.get(address)

    assert (response.status_code, response["Retry-After"]) == (503, "3")


def test_a_throttled_program_learns_when_to_come_again(visitor: Client) -> None:
    assert visitor.get("/api/v1/throttled/")["Retry-After"] == "17"


def test_the_page_of_last_resort_asks_nothing_of_the_database(
    rf: RequestFactory, django_assert_num_queries: Any
) -> None:
    with django_assert_num_queries(0):
        response = errors.server_error(rf.get("/"))

    assert response.status_code == HTTPStatus.INTERNAL_SERVER_ERROR
    assert "</html>" in response.content.decode()


def test_a_form_that_came_without_its_secret_says_what_to_do(visitor: Client) -> None:
    strict = Client(enforce_csrf_checks=True)

    response = strict.post("/pages/refused/")

    assert response.status_code == HTTPStatus.FORBIDDEN
    assert "reload the page" in response.content.decode()
