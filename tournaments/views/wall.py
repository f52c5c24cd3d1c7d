"""The pages of a tournament with the clock on their wall: what else they show, they read themselves."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils import timezone

from tournaments.queries.clocks import wall_clock
from tournaments.queries.sight import TournamentHeader


def page_with_clock(
    request: HttpRequest, template: str, facts: Mapping[str, Any], *, status: int = HTTPStatus.OK
) -> TemplateResponse:
    """Return the page; ``facts`` have the tournament's ``header``. One query, none where it is final.

    The clock is no part of what a page is about, so no query that reads a page knows of it.
    """
    header: TournamentHeader = facts["header"]
    wall = wall_clock(
        tournament_id=header.id,
        slug=header.slug,
        tournament_format=header.format,
        status=header.status,
        now=timezone.now(),
    )
    return TemplateResponse(request, template, {**facts, "wall": wall}, status=status)
