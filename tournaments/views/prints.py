"""The pages that are made for paper."""

from http import HTTPStatus
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from courtpiece.accounts.permissions import Actor, actor_of
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Refused
from tournaments import pdf, queries
from tournaments.queries.prints import MOST_MATCHES
from tournaments.views.wall import page_with_clock

MOST_DIGITS: Final = 4
PAPERS: Final = ("a4", "letter")
OF_ROUNDS: Final = {"slips", "cards", "draw"}
OF_STANDINGS: Final = {"standings", "certificates"}
STYLES: Final = ("css/sheets.css",)


@login_required
@require_safe
def prints(request: HttpRequest, slug: str) -> HttpResponse:
    """Show what can be printed."""
    page = queries.prints_page(slug, actor=actor_of(request))
    facts = {"page": page, "header": page.header, "papers": PAPERS, "has_pdf": pdf.is_possible()}
    return page_with_clock(request, "tournaments/prints.html", facts)


@login_required
@require_safe
def sheet(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Show one thing as it is printed, or give it as PDF."""
    if kind not in OF_ROUNDS | OF_STANDINGS:
        raise NotFound
    facts = _facts(request, slug, kind, actor_of(request))
    if request.GET.get("format") != "pdf":
        return TemplateResponse(request, f"tournaments/print/{kind}.html", facts)
    html = render_to_string(f"tournaments/print/{kind}.html", {**facts, "is_pdf": True}, request)
    try:
        made = pdf.to_pdf(html, stylesheets=STYLES)
    except Refused as refused:
        facts["no_pdf"] = str(refused)
        return TemplateResponse(
            request, f"tournaments/print/{kind}.html", facts, status=HTTPStatus.SERVICE_UNAVAILABLE
        )
    name = slugify(f"{slug} {kind}")
    return HttpResponse(
        made,
        content_type="application/pdf",
        headers={"Content-Disposition": f'inline; filename="{name}.pdf"'},
    )


def _facts(request: HttpRequest, slug: str, kind: str, actor: Actor) -> dict[str, Any]:
    paper = request.GET.get("paper", "")
    facts: dict[str, Any] = {
        "kind": kind,
        "paper": paper if paper in PAPERS else PAPERS[0],
        "papers": PAPERS,
        "has_pdf": pdf.is_possible(),
        "printed_at": timezone.now(),
        "origin": settings.SITE_ORIGIN or request.build_absolute_uri("/").rstrip("/"),
        "round_number": _number(request, "round"),
        "session": _number(request, "session"),
    }
    if kind in OF_STANDINGS:
        printed = queries.standings_print(slug, actor=actor)
        return {**facts, "page": printed, "header": printed.header}
    rounds = queries.rounds_print(
        slug, actor=actor, round_number=facts["round_number"], session=facts["session"]
    )
    is_too_long = sum(len(one.matches) for one in rounds.rounds) > MOST_MATCHES
    return {**facts, "page": rounds, "header": rounds.header, "is_too_long": is_too_long}


def _number(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= MOST_DIGITS else None
