"""The one place that turns errors into HTTP: pages for people, RFC 9457 problem details for programs."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import get_template, select_template
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext as _
from rest_framework import exceptions, views

from courtpiece.accounts.api.base import open_to_pages
from courtpiece.accounts.permissions import Forbidden
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Conflict, Outdated, code_of
from courtpiece.errors import CourtPieceError
from tournaments.errors import UploadTooLarge

logger = logging.getLogger(__name__)

PROBLEM_JSON: Final = "application/problem+json"
API_PATH: Final = "/api/"
DATABASE_AWAY: Final = (OperationalError, InterfaceError)
COME_AGAIN_AFTER: Final = 3
"""Seconds; said where the database is away."""

STATUS_OF: Final[Mapping[type[CourtPieceError], HTTPStatus]] = {
    Forbidden: HTTPStatus.NOT_FOUND,
    NotFound: HTTPStatus.NOT_FOUND,
    Conflict: HTTPStatus.CONFLICT,
    Outdated: HTTPStatus.PRECONDITION_FAILED,
    UploadTooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
}
"""What each kind of error is answered with; what stands in no line was understood and is refused (422)."""


def status_of(error: CourtPieceError) -> HTTPStatus:
    """Return the status that ``error`` is answered with. What is forbidden looks like what does not exist."""
    if isinstance(error, Forbidden) and error.needs_scope:
        return HTTPStatus.FORBIDDEN
    found = (STATUS_OF[kind] for kind in type(error).__mro__ if kind in STATUS_OF)
    return next(found, HTTPStatus.UNPROCESSABLE_ENTITY)


# -- Programs


def problem_details(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """Answer an error of the API; the handler that Django REST framework is told to use.

    ``None`` leaves an error that nobody foresaw to :func:`server_error`, after it was logged.
    """
    if isinstance(error, CourtPieceError):
        return _problem(status_of(error), detail=str(error), kind=_kind_of(error), more=_facts_of(error))
    if isinstance(error, DATABASE_AWAY):
        logger.error("The database does not answer", exc_info=error)
        return _problem(
            HTTPStatus.SERVICE_UNAVAILABLE, detail=_("The database does not answer. Please try again.")
        )
    if isinstance(error, RequestDataTooBig):
        return _problem(
            HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail=_("That is more than this site takes at once.")
        )
    answer = views.exception_handler(error, dict(context))
    return None if answer is None else _problem_of_framework(error, answer)


def _problem_of_framework(error: Exception, answer: Any) -> HttpResponse:
    if isinstance(error, exceptions.ValidationError):
        response = _problem(
            HTTPStatus(answer.status_code),
            detail=_("Some values are not as they must be."),
            more={"errors": answer.data},
        )
    else:
        kind = getattr(error, "problem_type", "about:blank")
        response = _problem(HTTPStatus(answer.status_code), detail=_detail_of(error), kind=kind)
    for name in ("WWW-Authenticate", "Retry-After", "Allow"):
        if name in answer:
            response[name] = answer[name]
    return response


def _detail_of(error: Exception) -> str:
    if isinstance(error, exceptions.APIException):
        return str(error.detail)
    return _("There is nothing here, or you may not see it.")


def _problem(
    status: HTTPStatus, *, detail: str, kind: str = "about:blank", more: Mapping[str, object] | None = None
) -> HttpResponse:
    body = {"type": kind, "title": status.phrase, "status": status.value, "detail": detail, **(more or {})}
    # In ASCII: what is told may quote what came in, and that may be half a character.
    return _come_again(JsonResponse(body, status=status, content_type=PROBLEM_JSON))


def _come_again(response: HttpResponse) -> HttpResponse:
    """Say when to come again, where the database is away."""
    if response.status_code == HTTPStatus.SERVICE_UNAVAILABLE:
        response["Retry-After"] = str(COME_AGAIN_AFTER)
    return response


def _kind_of(error: CourtPieceError) -> str:
    """Return the name of the kind of error; what is forbidden has the name of what does not exist."""
    kind = NotFound if status_of(error) is HTTPStatus.NOT_FOUND else type(error)
    return f"urn:courtpiece:{code_of(kind)}"


def _facts_of(error: CourtPieceError) -> dict[str, object]:
    """Return what an error says to programs: problems of records, both texts of conflicts, odd values."""
    problems = getattr(error, "problems", ())
    facts: dict[str, object] = {"problems": [problem.as_json() for problem in problems]} if problems else {}
    if conflicts := getattr(error, "conflicts", ()):
        facts["conflicts"] = [conflict.as_json() for conflict in conflicts]
    if reason := getattr(error, "reason_code", ""):
        facts["reason"] = reason
    if field := getattr(error, "field", ""):
        facts["errors"] = {field: [str(error)]}
    return facts


# -- People


class ErrorPages(MiddlewareMixin):
    """Answer with a page what a view raised on purpose."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Return the page of ``error``, or ``None`` for what nobody foresaw."""
        if isinstance(error, CourtPieceError):
            return _page(
                request, status_of(error), message=str(error), problems=getattr(error, "problems", ())
            )
        if isinstance(error, DATABASE_AWAY):
            logger.error("The database does not answer", exc_info=error)
            return server_error(request, status=HTTPStatus.SERVICE_UNAVAILABLE)
        return None


def _page(
    request: HttpRequest, status: HTTPStatus, *, message: str = "", problems: object = ()
) -> HttpResponse:
    if request.path.startswith(API_PATH):
        answer = _problem(status, detail=message or _message_of(status))
        open_to_pages(request, answer)
        return answer
    template = select_template([f"errors/{status.value}.html", "errors/refused.html"])
    facts = {"status": status.value, "message": message or _message_of(status), "problems": problems}
    return HttpResponse(template.render(facts, request), status=status)


def _message_of(status: HTTPStatus) -> str:
    return {
        HTTPStatus.BAD_REQUEST: _("The site could not understand what your browser sent."),
        HTTPStatus.FORBIDDEN: _("You may not do that."),
        HTTPStatus.NOT_FOUND: _("There is nothing here, or you may not see it."),
        HTTPStatus.REQUEST_TIMEOUT: _("That took too long to arrive. Please try again."),
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE: _("That is more than this site takes at once."),
        HTTPStatus.SERVICE_UNAVAILABLE: _("The database does not answer. Please try again."),
    }.get(status, _("Something went wrong on our side. It was written down."))


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that cannot be understood, or is too large."""
    too_big = isinstance(exception, RequestDataTooBig)
    return _page(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE if too_big else HTTPStatus.BAD_REQUEST)


def forbidden(request: HttpRequest, exception: PermissionDenied) -> HttpResponse:
    """Answer what Django itself forbids."""
    return _page(request, HTTPStatus.FORBIDDEN)


def not_found(request: HttpRequest, exception: Http404) -> HttpResponse:
    """Answer an address at which there is nothing."""
    return _page(request, HTTPStatus.NOT_FOUND)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form that came without its secret: mostly an old page, or cookies that are off."""
    return _page(
        request,
        HTTPStatus.FORBIDDEN,
        message=_(
            "This form is too old, or your browser keeps no cookies. Go back, reload the page and try again."
        ),
    )


LAST_RESORT: Final = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Court Piece</title>'
    "<h1>Something went wrong on our side</h1><p>It was written down. Please try again.</p></html>"
)


def server_error(request: HttpRequest, status: HTTPStatus = HTTPStatus.INTERNAL_SERVER_ERROR) -> HttpResponse:
    """Answer when all else failed."""
    return bare_page(request.path, status)


def bare_page(path: str, status: HTTPStatus) -> HttpResponse:
    """Return the answer with ``status`` for ``path``: asks neither the database nor the session."""
    if path.startswith(API_PATH):
        return _problem(status, detail=_message_of(status))
    try:
        page = get_template("errors/500.html").render(
            {"status": status.value, "message": _message_of(status)}
        )
    except Exception:  # noqa: BLE001 - whatever is wrong with the template, the visitor gets a page
        page = LAST_RESORT
    return _come_again(HttpResponse(page, status=status))
