"""Cells of tables that leave the site for a spreadsheet."""

import re
from typing import Final

_NUMBER: Final = re.compile(r"-?[0-9]+(/[0-9]+)?")
_FORMULA: Final = tuple("=+-@\t\r＝＋－＠")
"""What a spreadsheet takes for the beginning of something to be computed; the wide ones too."""


def safe_cell(value: str | float | None) -> str:
    """Return a value as a spreadsheet may open it: a text never begins a formula, a number stays a number."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    if (text.startswith(_FORMULA) or text.lstrip().startswith(_FORMULA)) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text
