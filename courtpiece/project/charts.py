"""Charts, drawn as SVG of our own: the page's policy lets no script draw them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from django.utils.translation import gettext as _

from courtpiece.project import words
from courtpiece.project.board import count_of, text_of
from courtpiece.project.words import word_for

DEAL_WIDTH: Final = 22
MIDDLE: Final = 44
HEIGHTS: Final[Mapping[str, int]] = {"win": 12, "revoke": 20, "court": 24, "goon-court": 30, "bavney": 40}
"""How tall the bar of an award is; a bavney would hide all else if 52 courts were drawn to scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One deal of the story of a match. ``up`` for NS, down for EW, neither for a deal that nobody won."""

    x: int
    y: int
    height: int
    team: str
    award: str
    address: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A match deal by deal: who won, and how much."""

    bars: tuple[Bar, ...]
    width: int
    height: int
    middle: int
    description: str


def story_of(lines: Iterable[object]) -> Story:
    """Return the story of a scoresheet's ``lines``, as ``components/ledger.html`` takes them."""
    bars = tuple(_bar(place, line) for place, line in enumerate(lines))
    return Story(
        bars=bars,
        width=max(len(bars), 12) * DEAL_WIDTH,
        height=2 * MIDDLE,
        middle=MIDDLE,
        description=" ".join(bar.title + "." for bar in bars),
    )


def _bar(place: int, line: object) -> Bar:
    team, award = text_of(line, "winner"), text_of(line, "award")
    height = HEIGHTS.get(award, 0) if team else 0
    return Bar(
        x=place * DEAL_WIDTH + 2,
        y=MIDDLE - height if team == "NS" else MIDDLE,
        height=height,
        team=team,
        award=award,
        address=text_of(line, "address"),
        title=_title(count_of(line, "number") or 0, team, award),
    )


def _title(number: int, team: str, award: str) -> str:
    if not team:
        return _("Deal %(number)s: nobody's") % {"number": number}
    names = {"number": number, "team": word_for(words.TEAMS, team), "award": word_for(words.AWARDS, award)}
    # Translators: for example "Deal 3: North–South, Goon court".
    return _("Deal %(number)s: %(team)s, %(award)s") % names


LINE_STEP: Final = 72
LINE_ROW: Final = 26
LINE_EDGE: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One entry's way through the rounds."""

    points: str
    """As ``polyline`` takes them."""
    dots: tuple[tuple[int, int], ...]
    place: int
    """From 1, by which colours are told."""
    end_x: int
    end_y: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChart:
    """Ranks over rounds: the best on top."""

    lines: tuple[Line, ...]
    columns: tuple[tuple[int, str], ...]
    """Where each round stands, and its number."""
    rows: tuple[tuple[int, int], ...]
    """Where each rank stands, and the rank."""
    width: int
    height: int


def ranks_of(lines: Iterable[object], columns: Iterable[object]) -> LineChart:
    """Return the chart of the lines (``name`` and ``ranks``, one a column) over the columns (``number``).

    Ranks below the last line drawn lie on the lowest row, from which a line leaves or comes back.
    """
    listed, numbers = list(lines), [text_of(column, "number") for column in columns]
    lowest = max(len(listed), 1) + 1
    return LineChart(
        lines=tuple(_line(place, line, lowest) for place, line in enumerate(listed, start=1)),
        columns=tuple((_x(place), number) for place, number in enumerate(numbers)),
        rows=tuple((_y(rank), rank) for rank in range(1, lowest)),
        width=_x(len(numbers) - 1) + LINE_EDGE + LINE_STEP,
        height=_y(lowest) + LINE_EDGE,
    )


def _line(place: int, line: object, lowest: int) -> Line:
    ranks: Iterable[int | None] = getattr(line, "ranks", ())
    dots = tuple((_x(at), _y(min(rank, lowest))) for at, rank in enumerate(ranks) if rank is not None)
    end_x, end_y = dots[-1] if dots else (0, 0)
    return Line(
        points=" ".join(f"{x},{y}" for x, y in dots),
        dots=dots,
        place=place,
        end_x=end_x + 12,
        end_y=end_y,
        label=text_of(line, "name"),
    )


def _x(column: int) -> int:
    return 3 * LINE_EDGE + column * LINE_STEP


def _y(rank: int) -> int:
    return LINE_EDGE + LINE_ROW * rank


COLUMN: Final = 56
TALL: Final = 120
FOOT: Final = 22
HEAD: Final = 18


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A bar that stands, with one behind it that is at least as tall."""

    x: int
    middle: int
    y: int
    height: int
    high_y: int
    high_height: int
    label: str
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BarChart:
    """Bars that stand side by side."""

    columns: tuple[Column, ...]
    width: int
    height: int
    foot: int
    """Where the labels stand."""
    base: int
    """Where the bars stand."""
    bar: int


def bars_of(rows: Iterable[object], *, label: str, value: str, high: str) -> BarChart:
    """Return the bars of the rows, whose attributes are named: what each is, how much, and how much at most."""
    listed = list(rows)
    most = max((count_of(row, high) or 0 for row in listed), default=0) or 1
    return BarChart(
        columns=tuple(_column(place, row, (label, value, high), most) for place, row in enumerate(listed)),
        width=max(len(listed), 1) * COLUMN,
        height=HEAD + TALL + FOOT,
        foot=HEAD + TALL + FOOT - 5,
        base=HEAD + TALL,
        bar=COLUMN // 2,
    )


def _column(place: int, row: object, names: tuple[str, str, str], most: int) -> Column:
    label, value, high = names
    amount, at_most = count_of(row, value) or 0, count_of(row, high) or 0
    height, high_height = TALL * amount // most, TALL * at_most // most
    return Column(
        x=place * COLUMN + COLUMN // 4,
        middle=place * COLUMN + COLUMN // 2,
        y=HEAD + TALL - height,
        height=height,
        high_y=HEAD + TALL - high_height,
        high_height=high_height,
        label=text_of(row, label),
        value=amount,
    )


PER_HUNDRED: Final = 100
"""The height of the taller bar of a chart of courts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CourtsColumn:
    """A time's bars: up what was made, down what the others made."""

    x: int
    middle: int
    up: int
    """The height."""
    up_y: int
    down: int
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CourtsChart:
    """Courts in a hundred deals, time after time."""

    columns: tuple[CourtsColumn, ...]
    width: int
    height: int
    base: int
    """Where the bars begin."""
    foot: int
    """Where the labels stand."""
    bar: int


def courts_of(rows: Iterable[tuple[str, Fraction, Fraction]]) -> CourtsChart:
    """Return the chart of times, each with what it is called, courts for and courts against in a hundred deals."""
    listed = list(rows)
    most = max((value for _label, *values in listed for value in values), default=Fraction(0)) or Fraction(1)
    lowest = max((_tall(down, most) for _label, _up, down in listed), default=0)
    base = HEAD + PER_HUNDRED
    return CourtsChart(
        columns=tuple(
            CourtsColumn(
                x=place * COLUMN + COLUMN // 4,
                middle=place * COLUMN + COLUMN // 2,
                up=_tall(up, most),
                up_y=base - _tall(up, most),
                down=_tall(down, most),
                label=label,
            )
            for place, (label, up, down) in enumerate(listed)
        ),
        width=max(len(listed), 1) * COLUMN,
        height=base + lowest + FOOT,
        base=base,
        foot=base + lowest + FOOT - 5,
        bar=COLUMN // 2,
    )


def _tall(value: Fraction, most: Fraction) -> int:
    return round(PER_HUNDRED * value / most)
