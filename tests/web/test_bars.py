"""Bars that stand side by side, lengths of time in words, and addresses as squares."""

from dataclasses import dataclass

import pytest
from django.template import Context, Template

from courtpiece.project.charts import TALL, bars_of
from courtpiece.project.templatetags.cp import duration, qr


@dataclass(frozen=True)
class Evening:
    pairs: int
    minutes: int
    at_most: int


def test_a_bar_stands_as_tall_as_its_value_and_the_tallest_fills_the_chart() -> None:
    rows = [Evening(4, 60, 80), Evening(8, 120, 160)]

    chart = bars_of(rows, label="pairs", value="minutes", high="at_most")

    assert [(one.label, one.height, one.high_height) for one in chart.columns] == [
        ("4", TALL * 60 // 160, TALL * 80 // 160),
        ("8", TALL * 120 // 160, TALL),
    ]


def test_without_rows_there_is_an_empty_chart() -> None:
    assert bars_of([], label="pairs", value="minutes", high="at_most").columns == ()


def test_bars_are_drawn_without_a_style() -> None:
    page = Template('{% load cp %}{% bars rows "pairs" "minutes" "at_most" %}').render(
        Context({"rows": [Evening(4, 65, 80)]})
    )

    assert "1 h 05 min" in page
    assert "style=" not in page


@pytest.mark.parametrize(
    ("minutes", "text"), [(0, "0 min"), (59, "59 min"), (60, "1 h 00 min"), (125, "2 h 05 min")]
)
def test_minutes_in_words(minutes: int, text: str) -> None:
    assert duration(minutes) == text


def test_an_address_is_drawn_with_a_name_for_who_cannot_see_it() -> None:
    drawing = qr("https://example.org/scoresheets/1/", 'The "scoresheet"')

    assert 'aria-label="The &quot;scoresheet&quot;"' in drawing
    assert "<path" in drawing
    assert "style=" not in drawing
