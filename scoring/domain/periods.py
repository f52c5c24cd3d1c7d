"""When something was played, as far as a record says, and the spans of time that figures are asked for."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date
from typing import Final

UNKNOWN: Final = "??"


@dataclass(frozen=True, slots=True)
class Days:
    """The days of which one was meant: a single one, or a month or a year of which no more is known."""

    first: date
    last: date

    @property
    def year(self) -> int:
        """The year that they are of."""
        return self.first.year

    @property
    def month(self) -> int | None:
        """The month from 1 that they are of; None where only the year is known."""
        return self.first.month if self.first.month == self.last.month else None


def days_of(text: str) -> Days | None:
    """Return the days of a ``Date`` tag, ``2026.11.??``; None where not even the year is known."""
    parts = text.split(".")
    if len(parts) != 3 or not _is_number(parts[0]):
        return None
    year, month, day = parts
    if not _is_number(month):
        return _days(int(year), (1, 1), (12, 31))
    if not _is_number(day):
        return _days(int(year), (int(month), 1), (int(month), 0))
    return _days(int(year), (int(month), int(day)), (int(month), int(day)))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _days(year: int, first: tuple[int, int], last: tuple[int, int]) -> Days | None:
    """Return the days from month and day to month and day, day 0 being the month's last; None where there are none."""
    try:
        end = last[1] or monthrange(year, last[0])[1]
        return Days(date(year, *first), date(year, last[0], end))
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Period:
    """A span of days, both included; open where it is None. What is not known to lie in it is not in it."""

    first: date | None = None
    last: date | None = None

    @staticmethod
    def of_year(year: int) -> "Period":
        """Return a year, from 1 to 9999."""
        return Period(date(year, 1, 1), date(year, 12, 31))

    @property
    def is_all(self) -> bool:
        """Whether it is all time, where it does not matter when."""
        return self.first is None and self.last is None

    @property
    def year(self) -> int | None:
        """The year that it is; None where it is none."""
        if self.first is None or self.last is None:
            return None
        return self.first.year if self == Period.of_year(self.first.year) else None

    @property
    def is_in_a_year(self) -> bool:
        """Whether it lies in one year."""
        return self.first is not None and self.last is not None and self.first.year == self.last.year

    def has(self, days: Days) -> bool:
        """Return whether all of the days lie in it."""
        is_begun = self.first is None or self.first <= days.first
        return is_begun and (self.last is None or days.last <= self.last)


ALL_TIME: Final = Period()
