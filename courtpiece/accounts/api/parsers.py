"""What the API reads."""

import json
from collections.abc import Mapping
from typing import IO, Any, Final

from django.core.exceptions import RequestDataTooBig
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

MOST_BYTES: Final = 2 * 1024 * 1024
"""Of a body: some thousand deals."""


def read_body(stream: IO[bytes]) -> bytes:
    """Return the body.

    :raises RequestDataTooBig: if there is more than the API takes at once.
    """
    body = stream.read(MOST_BYTES + 1)
    if len(body) > MOST_BYTES:
        raise RequestDataTooBig
    return body


class WellFormedJSONParser(BaseParser):
    """JSON in UTF-8, as RFC 8259 has it, whatever the header says of its characters."""

    media_type = "application/json"

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        """Return what the body says.

        :raises ParseError: if it is no JSON, or nested too deep to be read.
        """
        try:
            return json.loads(read_body(stream).decode("utf-8-sig"), parse_constant=_refuse)
        except (ValueError, RecursionError) as error:
            reason = _("it is nested too deep") if isinstance(error, RecursionError) else str(error)
            raise ParseError(_("The body is no JSON: %(reason)s.") % {"reason": reason}) from error


def _refuse(name: str) -> None:
    raise ValueError(f"{name} is no number")
