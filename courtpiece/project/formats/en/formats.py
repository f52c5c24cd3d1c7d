"""Dates in English: the day first, the month in letters, and twenty-four hours."""

from typing import Final

DATE_FORMAT: Final = "j F Y"
TIME_FORMAT: Final = "H:i"
DATETIME_FORMAT: Final = "j F Y, H:i"
SHORT_DATE_FORMAT: Final = "j M Y"
SHORT_DATETIME_FORMAT: Final = "j M Y, H:i"
