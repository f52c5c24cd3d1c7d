"""The chart of a rating: one point a match, with how sure it is as a band around it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scoring.domain.ratings import UNIT
from scoring.queries import RatingStory

STEP: Final = 17
LEAST_WIDTH: Final = 560
HEIGHT: Final = 200
LEFT: Final = 46
RIGHT: Final = 14
HEAD: Final = 12
FOOT: Final = 26
MOST_LINES: Final = 5
FEW: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingDot:
    """The rating after a match, in whole points."""

    x: float
    y: float
    number: int
    value: int
    result: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingChart:
    """A rating over its matches."""

    line: str
    """As ``polyline`` takes it; the first point is the rating before the first match shown."""
    band: str
    """As ``polygon`` takes it: the rating, its spread more and less."""
    dots: tuple[RatingDot, ...]
    rows: tuple[tuple[float, int], ...]
    """Where lines of the grid lie, and the points they stand for."""
    columns: tuple[tuple[float, int], ...]
    """Where numbers of matches stand."""
    width: int
    height: int
    left: int
    right: int
    foot: int


@dataclass(frozen=True, slots=True)
class _Scale:
    low: int
    high: int

    def y(self, value: float) -> float:
        share = (self.high - value / UNIT) / (self.high - self.low)
        return round(HEAD + share * (HEIGHT - HEAD - FOOT), 1)


def chart_of(story: RatingStory) -> RatingChart:
    """Return the chart of what the last matches did to a rating."""
    first = story.changes[0]
    values = [(first.before, first.spread_before), *((one.after, one.spread_after) for one in story.changes)]
    tops, feet = [value + spread for value, spread in values], [value - spread for value, spread in values]
    every = _every(min(feet) // UNIT, max(tops) // UNIT + 1)
    scale = _Scale(min(feet) // UNIT // every * every, -(-max(tops) // UNIT // every) * every)
    width = max(LEAST_WIDTH, LEFT + RIGHT + STEP * len(story.changes))
    step = (width - LEFT - RIGHT) / len(story.changes)
    places = [round(LEFT + step * place, 1) for place in range(len(values))]
    around = [*zip(places, tops, strict=True), *reversed(list(zip(places, feet, strict=True)))]
    return RatingChart(
        line=_points([(x, value) for x, (value, _spread) in zip(places, values, strict=True)], scale),
        band=_points(around, scale),
        dots=tuple(
            RatingDot(
                x=x, y=scale.y(one.after), number=one.number, value=round(one.after / UNIT), result=one.result
            )
            for x, one in zip(places[1:], story.changes, strict=True)
        ),
        rows=tuple((scale.y(value * UNIT), value) for value in range(scale.low, scale.high + 1, every)),
        columns=_columns([one.number for one in story.changes], places[1:]),
        width=width,
        height=HEIGHT,
        left=LEFT,
        right=width - RIGHT,
        foot=HEIGHT - 8,
    )


def _every(low: int, high: int) -> int:
    """Return how many points lie between two lines of the grid."""
    return next(
        size for size in (50, 100, 200, 500, 1000, 5000, 100_000) if (high - low) / size <= MOST_LINES
    )


def _points(points: Sequence[tuple[float, int]], scale: _Scale) -> str:
    return " ".join(f"{x},{scale.y(value)}" for x, value in points)


def _columns(numbers: Sequence[int], places: Sequence[float]) -> tuple[tuple[float, int], ...]:
    """Return the matches whose number is written: all of a few, else the first, the last, and every fifth between."""
    if len(numbers) <= FEW:
        return tuple(zip(places, numbers, strict=True))
    last = numbers[-1]
    return tuple(
        (x, number)
        for x, number in zip(places, numbers, strict=True)
        if number in {numbers[0], last} or (number % 5 == 0 and numbers[0] + 1 < number < last - 1)
    )
