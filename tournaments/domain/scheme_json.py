"""How a tournament counts, in the form in which it is stored."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final, NotRequired, TypedDict, cast

from scoring.domain.objections import PREDETERMINED
from scoring.domain.results import Exact, MatchPoints, Ranking, Scheme, TiebreakCode
from scoring.domain.tiebreaks import whole_if_possible

_POINTS: Final = ("win", "draw", "loss", "bye", "requested", "forfeit")


class PointsJson(TypedDict):
    """What a match is worth, as it is stored: each a whole number, or a fraction as text.

    ``requested`` and ``forfeit`` are left out where they are as a draw and as a win.
    """

    win: int | str
    draw: int | str
    loss: int | str
    bye: int | str
    requested: NotRequired[int | str]
    forfeit: NotRequired[int | str]


def points_from_json(points: Mapping[str, int | str]) -> MatchPoints:
    """Return the points that were stored."""
    return MatchPoints(**{name: _exact(points[name]) for name in _POINTS if name in points})


def as_mapping(points: PointsJson) -> dict[str, int | str]:
    """Return the same by the names of what is worth so much."""
    return cast(dict[str, int | str], dict(points))


def points_to_json(points: MatchPoints) -> PointsJson:
    """Return the points as they are stored."""
    stored = PointsJson(
        win=_stored(points.win), draw=_stored(points.draw), loss=_stored(points.loss), bye=_stored(points.bye)
    )
    if points.requested is not None:
        stored["requested"] = _stored(points.requested)
    if points.forfeit is not None:
        stored["forfeit"] = _stored(points.forfeit)
    return stored


def stored_scheme(
    *,
    format_name: str,
    ranking: str,
    points: Mapping[str, int | str],
    tiebreaks: Sequence[str],
    lot_seed: int | None,
) -> Scheme:
    """Return how a tournament of that format turns results into ranks."""
    return Scheme(
        ranking=Ranking(ranking),
        points=points_from_json(points),
        tiebreaks=tuple(map(TiebreakCode, tiebreaks)),
        lot_seed=lot_seed,
        predetermined=format_name in PREDETERMINED,
    )


def _exact(stored: int | str) -> Exact:
    return whole_if_possible(Fraction(stored))


def _stored(number: Exact) -> int | str:
    return number if isinstance(number, int) else str(number)
