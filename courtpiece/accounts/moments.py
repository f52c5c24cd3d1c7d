"""Instants in the words of a place: messages and pages say a time in the same way."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.formats import date_format


def clock_text(instant: datetime, timezone: str) -> str:
    """Return the time of day of an instant there, to the second; of UTC where it is empty."""
    return f"{instant.astimezone(ZoneInfo(timezone or 'UTC')):%H:%M:%S}"


def moment_text(instant: datetime, timezone: str) -> str:
    """Return an instant as a date and time of day there, in the reader's language; of UTC where it is empty."""
    return date_format(instant.astimezone(ZoneInfo(timezone or "UTC")), "DATETIME_FORMAT")
