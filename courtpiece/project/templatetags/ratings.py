"""What templates show ratings with: they are kept in thousandths of a point."""

from collections.abc import Mapping

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from courtpiece.project.rating_chart import RatingChart, chart_of
from scoring.domain.ratings import UNIT
from scoring.queries import RatingStory

register = template.Library()


@register.filter
def points(value: int) -> SafeString:
    """Return thousandths of a point as a number of points with one decimal, which is how they are explained."""
    return format_html('<bdi class="num" dir="ltr">{}</bdi>', f"{value / UNIT:.1f}")


@register.filter
def gained(value: int) -> SafeString:
    """Return a change, in thousandths of a point, with its sign."""
    sign = "+" if value > 0 else "−" if value < 0 else "±"
    return format_html('<bdi class="num" dir="ltr">{}{}</bdi>', sign, f"{abs(value) / UNIT:.1f}")


@register.filter
def percent(value: int) -> SafeString:
    """Return thousandths as per cent."""
    return format_html('<bdi class="num" dir="ltr">{} %</bdi>', f"{value / 10:.1f}")


@register.inclusion_tag("components/rating_chart.html")
def rating_chart(story: RatingStory) -> Mapping[str, RatingChart]:
    """Show a rating over its matches; a table says the same beside it."""
    return {"chart": chart_of(story)}
