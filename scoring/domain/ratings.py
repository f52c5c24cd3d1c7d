"""How strong partnerships and players are, by the matches they played, one after another.

The model is Bradley and Terry's in the form of Weng and Lin (2011), as `openskill` computes it: a rating is how strong
somebody is thought to be, its spread how sure that is. After every match both are rounded to thousandths of a point
and kept so: whoever goes on from kept ratings gets exactly what comes out from the beginning.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from math import exp, hypot, sqrt
from typing import Final, Generic, NamedTuple, TypeVar

from openskill.models import BradleyTerryFull, BradleyTerryFullRating

K = TypeVar("K", bound=Hashable)

UNIT: Final = 1000
"""Ratings, spreads and expectations are whole numbers of thousandths."""
FIRST_VALUE: Final = 1500
FIRST_SPREAD: Final = 500
CHANCE: Final = 250
"""How far one match strays from the strength of who plays it: openskill's beta."""
DRIFT: Final = 5
"""What a spread grows by before each match, since people change: openskill's tau."""
ESTABLISHED: Final = 10
"""Matches from which on a rating is no longer provisional."""
WON: Final = 2
DRAWN: Final = 1
LOST: Final = 0
"""What a match is worth to a side, in halves (law 13.2: equal courts are a draw)."""

_MODEL: Final = BradleyTerryFull(
    mu=float(FIRST_VALUE), sigma=float(FIRST_SPREAD), beta=float(CHANCE), tau=float(DRIFT)
)
_SCALE: Final = float(UNIT)


class Rating(NamedTuple):
    """How strong somebody is thought to be after a number of matches, in thousandths of a point."""

    value: int = FIRST_VALUE * UNIT
    spread: int = FIRST_SPREAD * UNIT
    """In two cases of three the strength is within so much of the value."""
    matches: int = 0

    @property
    def is_provisional(self) -> bool:
        """Whether there are too few matches to compare it with others."""
        return self.matches < ESTABLISHED


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedGame(Generic[K]):
    """A match as ratings see it: who sat on either side, and what it was to the first."""

    first: tuple[K, ...]
    second: tuple[K, ...]
    result: int
    """``WON``, ``DRAWN`` or ``LOST`` by the first side."""


class Change(NamedTuple, Generic[K]):
    """What a match did to the rating of one who sat at it."""

    who: K
    before: Rating
    expected: int
    """The part of the match that the side was expected to win, a draw being half of it, in thousandths."""
    result: int
    after: Rating


def expected(mine: Sequence[Rating], theirs: Sequence[Rating]) -> int:
    """Return what part of a match the first are expected to win, a draw being half of it, in thousandths."""
    gap = (sum(one.value for one in theirs) - sum(one.value for one in mine)) / _SCALE
    spreads = [hypot(one.spread / _SCALE, DRIFT) for one in (*mine, *theirs)]
    doubt = sqrt(sum(spread * spread for spread in spreads) + 2 * CHANCE * CHANCE)
    return round(_SCALE / (1 + exp(gap / doubt)))


def rated(mine: Sequence[Rating], theirs: Sequence[Rating], result: int) -> tuple[list[Rating], list[Rating]]:
    """Return the ratings of both sides after a match, as they sit; ``result`` is the first side's."""
    teams = [
        [_MODEL.rating(mu=one.value / _SCALE, sigma=one.spread / _SCALE) for one in side]
        for side in (mine, theirs)
    ]
    new_mine, new_theirs = _MODEL.rate(teams, scores=[float(result), float(WON - result)])
    return _kept(mine, new_mine), _kept(theirs, new_theirs)


def _kept(before: Sequence[Rating], estimates: Sequence[BradleyTerryFullRating]) -> list[Rating]:
    return [
        Rating(round(new.mu * _SCALE), round(new.sigma * _SCALE), old.matches + 1)
        for old, new in zip(before, estimates, strict=True)
    ]


def rate_games(games: Iterable[RatedGame[K]], known: Mapping[K, Rating]) -> Iterator[tuple[Change[K], ...]]:
    """Yield what each match, in order of play, did to the ratings of who sat at it, the first side's first.

    Who is not ``known`` begins with ``Rating()``. Cost: some 40 µs a match.
    """
    now = dict(known)
    for game in games:
        mine = [now.get(who, _NEW) for who in game.first]
        theirs = [now.get(who, _NEW) for who in game.second]
        new_mine, new_theirs = rated(mine, theirs, game.result)
        chance = expected(mine, theirs)
        changes = (
            *_changes(game.first, mine, new_mine, chance, game.result),
            *_changes(game.second, theirs, new_theirs, UNIT - chance, WON - game.result),
        )
        now.update((change.who, change.after) for change in changes)
        yield changes


_NEW: Final = Rating()


def _changes(
    people: Sequence[K], before: Sequence[Rating], after: Sequence[Rating], chance: int, result: int
) -> Iterator[Change[K]]:
    for who, old, new in zip(people, before, after, strict=True):
        yield Change(who=who, before=old, expected=chance, result=result, after=new)


def day_of(stated: str, otherwise: datetime) -> date:
    """Return the day on which a match was played: as its ``Date`` tag says it, else that of the instant, in UTC."""
    try:
        return date.fromisoformat(stated.replace(".", "-"))
    except ValueError:
        return otherwise.astimezone(UTC).date()


def place_in_order(*, day: date, began: datetime, round_number: int, number: int) -> str:
    """Return where a match stands in the order of play, as digits of a fixed length: the least is the first.

    By day, then by when its round began, then by the number of the round; ``number`` is the match's own. Nobody sits at
    two tables of a round, so that the order within one makes no difference.
    """
    return f"{day:%Y%m%d}{began.astimezone(UTC):%Y%m%d%H%M%S%f}{round_number:08d}{number:019d}"
