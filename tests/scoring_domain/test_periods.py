"""When a record says that it was played, and whether that lies in a period."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.periods import ALL_TIME, Days, Period, days_of


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026.11.29", date(2026, 11, 29), date(2026, 11, 29)),
        ("2026.11.??", date(2026, 11, 1), date(2026, 11, 30)),
        ("2024.02.??", date(2024, 2, 1), date(2024, 2, 29)),
        ("2026.??.??", date(2026, 1, 1), date(2026, 12, 31)),
        ("2026.??.29", date(2026, 1, 1), date(2026, 12, 31)),
    ],
)
def test_a_date_is_all_the_days_that_it_may_mean(text: str, first: date, last: date) -> None:
    assert days_of(text) == Days(first, last)


@pytest.mark.parametrize(
    "text", ["", "????.??.??", "2026", "2026.13.01", "2026.02.30", "0000.01.01", "٢٠٢٦.11.29"]
)
def test_what_is_no_date_is_no_days(text: str) -> None:
    assert days_of(text) is None


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    days = days_of(text)

    assert days is None or days.first <= days.last


@pytest.mark.parametrize(
    ("text", "is_in"),
    [("2026.03.01", True), ("2026.03.??", True), ("2026.02.28", False), ("2026.??.??", False)],
)
def test_what_is_not_known_to_lie_in_a_period_is_not_in_it(text: str, is_in: bool) -> None:
    days = days_of(text)
    assert days is not None

    assert Period(date(2026, 3, 1), date(2026, 3, 31)).has(days) is is_in


def test_an_open_period_has_all_before_or_after_a_day() -> None:
    day = Days(date(2026, 3, 1), date(2026, 3, 1))

    assert [period.has(day) for period in (Period(last=day.last), Period(first=day.first), ALL_TIME)] == [
        True
    ] * 3
    assert [
        period.has(day) for period in (Period(last=date(2026, 2, 28)), Period(first=date(2026, 3, 2)))
    ] == [
        False,
        False,
    ]


def test_a_year_is_known_as_one() -> None:
    assert Period.of_year(2026).year == 2026
    assert Period(date(2026, 1, 1), date(2026, 12, 30)).year is None
    assert ALL_TIME.year is None
