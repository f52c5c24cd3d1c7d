"""Lists of what is found: part by part in JSON, or all of it in one file that is made while it is sent."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, ClassVar, Final

from django.http.response import HttpResponseBase
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.throttling import BaseThrottle
from rest_framework.utils.encoders import JSONEncoder

from courtpiece.accounts.api.base import ListView
from courtpiece.accounts.api.documents import Answers
from courtpiece.accounts.api.files import StreamedText
from courtpiece.accounts.api.throttles import StreamThrottle
from courtpiece.accounts.parts import Asked, PartOf
from scoring.api.forms import NDJSON, CsvRenderer, NdjsonRenderer
from scoring.exports import Table, csv_lines

Form = Callable[[Iterable[Any]], Iterator[str]]
MOST_OF_ANYTHING: Final = 50_000
"""Lines in a file that is of nothing in particular."""


def found_in_forms(part: serializers.Serializer[Any]) -> Answers:
    """Return what the schema says of a list with such parts that is had as a file too."""
    return {
        (200, "application/json"): part,
        (200, NDJSON): OpenApiTypes.STR,
        (200, "text/csv"): OpenApiTypes.STR,
    }


class FoundList(ListView):
    """A view of a list that is had as a file too: as lines of JSON, as a table, or in ``forms``."""

    renderer_classes: Sequence[type[BaseRenderer]] = [JSONRenderer, NdjsonRenderer, CsvRenderer]
    table: ClassVar[Table[Any]]
    name: ClassVar[str]
    """What a file of it is called, without its ending."""
    particulars: ClassVar[Sequence[str]] = ()
    """Parameters with one of which a file has all lines, however many."""
    forms: ClassVar[Mapping[str, Form]] = {}
    """What makes the pieces of other files, or of lines of JSON with more in them, by the names of the forms."""
    byte_order_mark = False

    def get_renderers(self) -> list[BaseRenderer]:
        """Return the forms of the answer; to a write always JSON."""
        return [JSONRenderer()] if self._writes() else super().get_renderers()

    def get_throttles(self) -> list[BaseThrottle]:
        """Return what keeps a program from asking without end."""
        return super().get_throttles() if self._is_listed() else [StreamThrottle()]

    def part_asked(self) -> tuple[Asked, dict[str, Any]]:
        """Return which part is asked for, and the other parameters.

        :raises ValidationError: if one is not as it must be, or a file is asked for and only a part of it.
        """
        asked, wanted = super().part_asked()
        self.byte_order_mark = wanted.pop("bom", False)
        if not self._is_listed():
            self._check_whole()
        return asked, wanted

    def found(
        self,
        wanted: Mapping[str, Any],
        *,
        part: Callable[[], PartOf[Any]],
        whole: Callable[[], Iterable[Any]],
        is_of_one: bool = False,
    ) -> HttpResponseBase:
        """Return the part that is asked for as it is listed, or the whole as a file.

        A file is of something in particular where ``wanted`` names it, or ``is_of_one`` says so.
        """
        if self._is_listed():
            return self.answer(part())
        lines: Iterable[Any] = whole()
        if not is_of_one and not any(name in wanted for name in self.particulars):
            lines = islice(lines, MOST_OF_ANYTHING)
        form = self.request.accepted_renderer
        return StreamedText(
            self._pieces(form.format, lines),
            content_type=f"{form.media_type}; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{self.name}.{form.format}"'},
        )

    def _pieces(self, form: str, lines: Iterable[Any]) -> Iterator[str]:
        if form == CsvRenderer.format:
            return csv_lines(self.table, lines, byte_order_mark=self.byte_order_mark)
        if form in self.forms:
            return self.forms[form](lines)
        shape = self.line()
        return json_lines(map(shape.to_representation, lines))

    def _is_listed(self) -> bool:
        return bool(self.request.accepted_renderer.format == JSONRenderer.format)

    def _check_whole(self) -> None:
        for name in ("limit", "cursor"):
            if name in self.request.query_params:
                raise ValidationError({name: [_("A file has everything at once. Ask without it.")]})


def json_lines(found: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield a line of JSON for each."""
    for one in found:
        yield f"{json.dumps(one, ensure_ascii=False, cls=JSONEncoder)}\n"
