"""Matches that nobody played: how they end, and how long they take."""

from dataclasses import dataclass
from random import Random
from typing import Final

from scoring.domain.results import MatchResult, Side
from tournaments.domain.plans import LengthKind, MatchLength
from tournaments.domain.random_tournament import DEALS_TO_A_COURT

LONGEST: Final = 500
"""Deals after which a match that nobody decides is stopped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """How fast an evening goes."""

    minutes_a_deal: float = 5.0
    """With shuffling and writing down; each deal takes between half and one and a half times as long."""
    change_over: float = 5.0
    """Minutes between two rounds: results, the draw, finding the table."""
    seat_change: float = 2.0
    """Minutes until the next pair has taken the losers' seats, where the winner stays."""
    spread: float = 0.5
    """How far strengths lie apart: 0 makes everybody equal, with 1 the best hardly loses a deal to the last."""


USUAL_PACE: Final = Pace()


@dataclass(slots=True)
class _Match:
    """A match under way."""

    deals: int = 0
    deals_first: int = 0
    courts_first: int = 0
    courts_second: int = 0
    minutes: float = 0.0

    @property
    def is_level(self) -> bool:
        return self.courts_first == self.courts_second


@dataclass(frozen=True, slots=True)
class RandomMatch:
    """A match that nobody played."""

    result: MatchResult
    minutes: float


def random_strengths(rng: Random, entries: int, *, spread: float) -> tuple[float, ...]:
    """Return strengths, the strongest first: two that are equal win the same number of deals of each other."""
    return tuple(sorted((0.5 + spread * (rng.random() - 0.5) for _ in range(entries)), reverse=True))


def play_match(
    rng: Random,
    *,
    number: int,
    entries: tuple[int, int],
    strengths: tuple[float, float],
    length: MatchLength,
    pace: Pace = USUAL_PACE,
    must_be_won: bool = False,
) -> RandomMatch:
    """Return a match of round ``number``: timed matches play out their last deal (law 13.3).

    One that must be won and is level goes on until a court.
    """
    chance = 0.5 + (strengths[0] - strengths[1]) / 2
    match = _Match()
    while not _is_over(match, length) and match.deals < LONGEST:
        _play_deal(match, rng, chance, pace)
    while must_be_won and match.is_level:
        _play_deal(match, rng, chance, pace)
    first = Side(entry=entries[0], courts=match.courts_first, deals_won=match.deals_first)
    second = Side(entry=entries[1], courts=match.courts_second, deals_won=match.deals - match.deals_first)
    return RandomMatch(MatchResult(round=number, sides=(first, second)), match.minutes)


def _is_over(match: _Match, length: MatchLength) -> bool:
    match length.kind:
        case LengthKind.MINUTES:
            return match.minutes >= length.amount
        case LengthKind.DEALS:
            return match.deals >= length.amount
        case LengthKind.COURTS:
            return max(match.courts_first, match.courts_second) >= length.amount


def _play_deal(match: _Match, rng: Random, chance: float, pace: Pace) -> None:
    is_first = rng.random() < chance
    is_court = rng.random() < 1 / DEALS_TO_A_COURT
    match.deals += 1
    match.minutes += pace.minutes_a_deal * (0.5 + rng.random())
    match.deals_first += is_first
    match.courts_first += is_first and is_court
    match.courts_second += is_court and not is_first
