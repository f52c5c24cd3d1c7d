"""The standings of a tournament and its crosstable, in every form."""

from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from django.http import HttpResponse
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from courtpiece.accounts.api.base import ApiView, Params
from courtpiece.accounts.api.documents import BAD_PARAMETER, NOT_FOUND
from courtpiece.accounts.permissions import Actor
from scoring.api.forms import NDJSON, NdjsonRenderer
from scoring.api.inputs import LARGEST_NUMBER
from tournaments import queries
from tournaments.api import shapes
from tournaments.api.tables import (
    CsvRenderer,
    HtmlRenderer,
    XlsxRenderer,
    crosstable_json,
    crosstable_lines,
    csv_of,
    file_name,
    met,
    standings_lines,
    standings_objects,
    tag_of,
)
from tournaments.operations import standings as operations
from tournaments.queries import StandingsAnswer, StandingsPage, listings
from tournaments.spreadsheets import write_xlsx

IF_NONE_MATCH: Final = "If-None-Match"
PAPERS: Final = ("a4", "letter")


class TabularParams(Params):
    """How a table is wanted."""

    bom = serializers.BooleanField(
        required=False, help_text=_("CSV: with a byte-order mark, by which Excel knows UTF-8.")
    )
    paper = serializers.ChoiceField(
        PAPERS, required=False, default=PAPERS[0], help_text=_("HTML: the paper it is printed on.")
    )


class StandingsParams(TabularParams):
    """Which standings are wanted, and how."""

    round = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_NUMBER,
        help_text=_("As they were after this round, by all that is known of it now."),
    )


class TabularView(ApiView):
    """A view of a table that is had as a file too."""

    def form(self, asked: dict[str, Any]) -> tuple[object, ...]:
        """Return in what form the answer is asked for: all that makes one another than the next."""
        form = self.request.accepted_renderer.format
        in_words = (get_language(), asked["paper"]) if form == HtmlRenderer.format else ()
        return (form, asked.get("bom", False), *in_words)

    def paper(self, template: str, asked: dict[str, Any], **facts: Any) -> str:
        """Return a page that is made for paper."""
        round_number = asked.get("round")
        common = {"paper": asked["paper"], "papers": PAPERS, "round_number": round_number, "is_public": True}
        return render_to_string(template, {**common, **facts, "printed_at": timezone.now()}, self.request)


class Standings(TabularView):
    """The standings of a tournament."""

    params: ClassVar[type[Params]] = StandingsParams
    renderer_classes: Sequence[type[BaseRenderer]] = [
        JSONRenderer,
        CsvRenderer,
        XlsxRenderer,
        NdjsonRenderer,
        HtmlRenderer,
    ]

    @extend_schema(
        operation_id="standings",
        summary="A tournament's standings",
        parameters=[StandingsParams],
        responses={
            (200, "application/json"): shapes.Standings,
            (200, "text/csv"): OpenApiTypes.STR,
            (200, XlsxRenderer.media_type): OpenApiTypes.BINARY,
            (200, NDJSON): OpenApiTypes.STR,
            (200, "text/html"): OpenApiTypes.STR,
            **BAD_PARAMETER,
            **NOT_FOUND,
        },
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Give the standings at their version; with `round`, as they were after it.

        In JSON, as a table for spreadsheets (CSV, XLSX), a line of JSON for each row, or as a page for paper.
        """
        asked, actor = self.asked(), self.actor
        round_number, form = asked.get("round"), self.form(asked)
        if round_number is None and IF_NONE_MATCH in request.headers:
            same = self.not_changed(tag_of(queries.standings_mark(slug, actor=actor), *form))
            if same is not None:
                return same
        if form[0] == HtmlRenderer.format:
            page = self._page(slug, actor, round_number)
            facts = {"page": page, "header": page.header}
            data: Any = self.paper("tournaments/print/standings_public.html", asked, **facts)
            answer = page.standings.answer
        else:
            answer = self._standings(slug, actor, round_number)
            data = _FORMS[str(form[0])](answer, asked)
        told = queries.mark_of(answer) if round_number is None else {**answer, "computed_at": None}
        headers = {"ETag": tag_of(told, *form)}
        if form[0] in _FILES:
            headers["Content-Disposition"] = f'attachment; filename="{file_name(answer, str(form[0]))}"'
        return Response(data, headers=headers)

    def _standings(self, slug: str, actor: Actor, round_number: int | None) -> StandingsAnswer:
        if round_number is None:
            return queries.standings_answer(slug, actor=actor)
        return operations.standings_after(
            slug=slug, round_number=round_number, actor=actor, now=timezone.now()
        )

    def _page(self, slug: str, actor: Actor, round_number: int | None) -> StandingsPage:
        if round_number is None:
            return queries.standings_page(slug, actor=actor)
        return operations.standings_page_after(
            slug=slug, round_number=round_number, actor=actor, now=timezone.now()
        )


_FORMS: Final[dict[str, Callable[[StandingsAnswer, dict[str, Any]], Any]]] = {
    JSONRenderer.format: lambda answer, _asked: answer,
    CsvRenderer.format: lambda answer, asked: csv_of(
        standings_lines(answer), byte_order_mark=asked.get("bom", False)
    ),
    XlsxRenderer.format: lambda answer, _asked: write_xlsx(standings_lines(answer), title="standings"),
    NdjsonRenderer.format: lambda answer, _asked: standings_objects(answer),
}
_FILES: Final = (CsvRenderer.format, XlsxRenderer.format)


class Crosstable(TabularView):
    """The table of everybody against everybody."""

    params: ClassVar[type[Params]] = TabularParams
    renderer_classes: Sequence[type[BaseRenderer]] = [JSONRenderer, CsvRenderer, XlsxRenderer, HtmlRenderer]

    @extend_schema(
        operation_id="crosstable",
        summary="Everybody against everybody",
        parameters=[TabularParams],
        responses={
            (200, "application/json"): shapes.Crosstable,
            (200, "text/csv"): OpenApiTypes.STR,
            (200, XlsxRenderer.media_type): OpenApiTypes.BINARY,
            (200, "text/html"): OpenApiTypes.STR,
            **BAD_PARAMETER,
            **NOT_FOUND,
        },
    )
    def get(self, request: Request, slug: str) -> Response:
        """Give for each entry, best first, its matches round by round; as a table, a column for each opponent."""
        asked = self.asked()
        page = listings.crosstable(slug, actor=self.actor)
        table = crosstable_json(page)
        form = request.accepted_renderer.format
        if form == JSONRenderer.format:
            return Response(table)
        # A workbook and a page have their own time in them.
        headers = {"ETag": tag_of(table, *self.form(asked))}
        if form == HtmlRenderer.format:
            facts = {"header": page.header, "answer": page.standings.answer, "rows": _rows(table)}
            return Response(self.paper("tournaments/print/crosstable.html", asked, **facts), headers=headers)
        name = f"crosstable-{slug}-v{table['version']}-{table['status']}.{form}"
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
        if form == XlsxRenderer.format:
            return Response(write_xlsx(crosstable_lines(table), title="crosstable"), headers=headers)
        text = csv_of(crosstable_lines(table), byte_order_mark=asked.get("bom", False))
        return Response(text, headers=headers)


def _rows(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the table's rows as a page shows them."""
    numbers = [row["entry"] for row in table["rows"]]
    return [{**row, "met": list(zip(numbers, met(row, numbers), strict=True))} for row in table["rows"]]
