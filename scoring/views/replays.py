"""A deal to take away: its record for bridge programs, a picture of a position, and a frame for other sites' pages."""

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from csp.decorators import csp_replace
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_cache_control
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_GET, require_safe

from courtpiece.accounts.permissions import ANONYMOUS, actor_of
from scoring import queries
from scoring.pictures import Picture, picture_of
from scoring.views.sheets import LARGEST_NUMBER, file_answer, number_asked, origin_of

ANYWHERE: Final = {"frame-ancestors": ["*"]}
"""Whose pages may show a frame: everybody's."""


@require_GET
def deal_pbn(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Give a deal's record as a file for bridge programs."""
    text = queries.deal_pbn(uid, actor=actor_of(request), now=timezone.now())
    return file_answer(text, name=f"deal-{uid}", form="pbn")


@require_safe
def deal_svg(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Give a picture of a deal at the step that the address asks for, or at its end."""
    return _svg(request, _picture(request, uid))


@require_safe
def deal_png(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Give the same picture in pixels."""
    return _png(request, _picture(request, uid))


def _picture(request: HttpRequest, uid: UUID) -> Picture:
    at = number_asked(request, "at", LARGEST_NUMBER)
    return picture_of(queries.deal_position(uid, actor=actor_of(request), at=at, now=timezone.now()))


def _svg(request: HttpRequest, picture: Picture) -> HttpResponse:
    return _picture_answer(request, picture.digest, "image/svg+xml; charset=utf-8", picture.svg.encode)


def _png(request: HttpRequest, picture: Picture) -> HttpResponse:
    return _picture_answer(request, f"{picture.digest}-png", "image/png", picture.png)


def _picture_answer(
    request: HttpRequest, tag: str, content_type: str, draw: Callable[[], bytes]
) -> HttpResponse:
    """Return a picture, or that whoever asks has it already.

    It is asked for again each time, since its cards may be held back by then, or no more.
    """
    etag = f'"{tag}"'
    answer: Any = get_conditional_response(request, etag=etag)
    if answer is None:
        answer = HttpResponse(draw(), content_type=content_type)
    answer["ETag"] = etag
    patch_cache_control(answer, no_cache=True, private=True)
    return answer  # type: ignore[no-any-return]  # its type is wider than what it returns without a response


@require_safe
@xframe_options_exempt
@csp_replace(ANYWHERE)  # type: ignore[arg-type]  # its type forgets what the address gives
def deal_embed(request: HttpRequest, uid: UUID) -> HttpResponse:
    """Show a public deal's replay by itself, for a frame in another site's page.

    It is what anybody sees, whoever asks: a page of somebody else must not show what only its visitor may see.
    """
    at = number_asked(request, "at", 0)
    position = queries.deal_position(uid, actor=ANONYMOUS, at=at, now=timezone.now(), public_only=True)
    facts = {"page": position, "header": position.header, "origin": origin_of(request)}
    return TemplateResponse(request, "scoring/embed.html", facts)


# -- by the link of a game


@never_cache
@require_safe
def shared_deal_pcn(request: HttpRequest, secret: str, number: int) -> HttpResponse:
    """Give the record of a deal of the game of a link."""
    return unlisted(
        file_answer(queries.shared_deal(secret, number, actor=actor_of(request)).pcn, name="deal")
    )


@never_cache
@require_safe
def shared_deal_pbn(request: HttpRequest, secret: str, number: int) -> HttpResponse:
    """Give the same for bridge programs."""
    page = queries.shared_deal(secret, number, actor=actor_of(request))
    return unlisted(file_answer(queries.pbn_of(page.pcn), name="deal", form="pbn"))


@never_cache
@require_safe
def shared_deal_svg(request: HttpRequest, secret: str, number: int) -> HttpResponse:
    """Give a picture of a deal of the game of a link."""
    return unlisted(_svg(request, _shared_picture(request, secret, number)))


@never_cache
@require_safe
def shared_deal_png(request: HttpRequest, secret: str, number: int) -> HttpResponse:
    """Give the same picture in pixels."""
    return unlisted(_png(request, _shared_picture(request, secret, number)))


def _shared_picture(request: HttpRequest, secret: str, number: int) -> Picture:
    at = number_asked(request, "at", LARGEST_NUMBER)
    return picture_of(queries.shared_position(secret, number, actor=actor_of(request), at=at))


def unlisted(answer: HttpResponse) -> HttpResponse:
    """Ask those who make lists of pages to leave it out."""
    answer["X-Robots-Tag"] = "noindex, nofollow"
    return answer
