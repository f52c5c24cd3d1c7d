"""The tags of pages of statistics: ``{% load figures %}``."""

from collections.abc import Iterable, Mapping
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from typing import Any, Final

from django import template
from django.utils.formats import date_format, number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from courtpiece.project.charts import CourtsChart, courts_of
from scoring.domain.periods import Period
from scoring.domain.statistics import Figures, Share
from scoring.queries import TimeFigures

register = template.Library()

NOTHING: Final = SafeString('<span class="none">–</span>')


@register.filter
def tenths(value: Fraction | None) -> SafeString:
    """Return a number with one place after the point, a half rounded up; a dash where there is none."""
    if value is None:
        return NOTHING
    exact = (Decimal(value.numerator) / Decimal(value.denominator)).quantize(Decimal("0.1"), ROUND_HALF_UP)
    return format_html('<bdi class="num" dir="ltr">{}</bdi>', number_format(exact, 1))


@register.filter
def percent(share: Share) -> SafeString:
    """Return a share in whole percent; a dash of nothing."""
    if share.percent is None:
        return NOTHING
    return format_html('<bdi class="num" dir="ltr">{}%</bdi>', share.percent)


@register.filter
def of(share: Share) -> SafeString:
    """Return how many of how many, ``27 of 50``."""
    # Translators: a count, for example "27 of 50 deals".
    return format_html(
        '<bdi class="num">{}</bdi>', _("%(count)d of %(of)d") % {"count": share.count, "of": share.of}
    )


@register.simple_tag
def share_bar(share: Share) -> SafeString:
    """Show a share as a bar, its half marked. The number stands beside it."""
    return format_html(
        '<svg class="share" viewBox="0 0 100 10" width="100" height="10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect class="share__all" width="100" height="10"/><rect class="share__part" width="{}" height="10"/>'
        '<line class="share__half" x1="50" x2="50" y1="0" y2="10"/></svg>',
        share.percent or 0,
    )


@register.filter
def words_of(text: str) -> list[str]:
    """Return the words of a text."""
    return text.split()


@register.filter
def value_of(query: Mapping[str, str], name: str) -> str:
    """Return what an address asks by that name; empty where it does not."""
    return query.get(name, "")


@register.filter
def period_words(period: Period) -> str:
    """Return a period in words: ``2026``, ``from 1 March 2026``, ``all time``."""
    if period.is_all:
        return _("all time")
    if period.year is not None:
        return str(period.year)
    first, last = (None if day is None else date_format(day) for day in (period.first, period.last))
    if last is None:
        return _("from %(day)s") % {"day": first}
    if first is None:
        return _("until %(day)s") % {"day": last}
    return _("%(first)s to %(last)s") % {"first": first, "last": last}


@register.filter
def time_words(time: TimeFigures) -> str:
    """Return a year, or a month in words."""
    return str(time.year) if time.month is None else date_format(date(time.year, time.month, 1), "F Y")


@register.inclusion_tag("components/courts.html")
def courts_chart(times: Iterable[TimeFigures], *, of_both: bool = False) -> Mapping[str, Any]:
    """Show courts in a hundred deals time by time, for up and against down; ``of_both`` sides: all of them up."""
    chart: CourtsChart = courts_of(
        (_short(time), *_courts(time.figures, of_both=of_both)) for time in times if time.figures.deals
    )
    return {"chart": chart, "of_both": of_both}


def _courts(figures: Figures, *, of_both: bool) -> tuple[Fraction, Fraction]:
    if of_both:
        return figures.at_tables.per_hundred or Fraction(0), Fraction(0)
    return figures.for_per_hundred or Fraction(0), figures.against_per_hundred or Fraction(0)


def _short(time: TimeFigures) -> str:
    return str(time.year) if time.month is None else date_format(date(time.year, time.month, 1), "M")
