"""What standings are made from: entries, results of matches, byes, and how a tournament counts them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Final, TypeAlias

from courtpiece.errors import CourtPieceError

Exact: TypeAlias = int | Fraction
"""A number of points or courts: whole or an exact fraction, never a float."""


class ResultsError(CourtPieceError):
    """The results do not belong together. ``entry`` is the number of the entry that is at fault."""

    def __init__(self, message: str, *, entry: int) -> None:
        super().__init__(message)
        self.entry = entry


class Ranking(Enum):
    """What the rows are ordered by before any tie-break."""

    MATCH_POINTS = "match-points"
    COURTS = "courts"
    SESSION_POINTS = "session-points"
    """A league's: what the sessions brought (:mod:`scoring.domain.league`), and never what matches did."""


class TiebreakCode(Enum):
    """The tie-breaks, in the order in which the documents name them."""

    COURTS_DIFFERENCE = "courts-difference"
    COURTS_FOR = "courts-for"
    HEAD_TO_HEAD = "head-to-head"
    WINS = "wins"
    DEALS_WON = "deals-won"
    BAVNEYS = "bavneys"
    BUCHHOLZ = "buchholz"
    MEDIAN_BUCHHOLZ = "median-buchholz"
    SONNEBORN_BERGER = "sonneborn-berger"
    LONGEST_STAY = "longest-stay"
    DRAW_OF_LOTS = "draw-of-lots"


class ByeKind(Enum):
    """Why an entry played no match in a round."""

    PAIRING = "pairing"
    """The draw left it without an opponent (or, in a knockout, gave it a bye by its seed): worth a bye."""
    REQUESTED = "requested"
    """It asked to sit the round out: worth a draw."""
    ABSENT = "absent"
    """It was not there: worth a loss."""
    LATE = "late"
    """It had not joined yet: worth a loss."""
    FORFEIT_WIN = "forfeit-win"
    """Its opponent gave the match away without playing: worth a win."""
    FORFEIT_LOSS = "forfeit-loss"
    """It gave the match away: worth a loss."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPoints:
    """What a match is worth to an entry."""

    win: Exact = 2
    draw: Exact = 1
    loss: Exact = 0
    bye: Exact = 2
    requested: Exact | None = None
    """A bye that was asked for. None: as a draw."""
    forfeit: Exact | None = None
    """A match that the opponent gave away. None: as a win."""

    def of_bye(self, kind: ByeKind) -> Exact:
        """Return what a round without a match is worth."""
        if kind is ByeKind.PAIRING:
            return self.bye
        if kind is ByeKind.REQUESTED:
            return self.draw if self.requested is None else self.requested
        if kind is ByeKind.FORFEIT_WIN:
            return self.win if self.forfeit is None else self.forfeit
        return self.loss


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """How a tournament turns results into ranks."""

    ranking: Ranking = Ranking.MATCH_POINTS
    points: MatchPoints = MatchPoints()
    tiebreaks: tuple[TiebreakCode, ...] = ()
    lot_seed: int | None = None
    """The recorded seed of the draw of lots; without one nothing is drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """An entry, known here by its number."""

    number: int
    penalty: Exact = 0
    """Taken from what the rows are ordered by: match points, or courts."""
    stage: int = 0
    """Who reached a higher stage stands first, whatever the score: in a knockout, after groups."""
    withdrawn: bool = False
    """Whether it left the tournament before the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """What one of the two entries made of a match."""

    entry: int
    courts: int
    deals_won: int = 0
    bavneys: int = 0
    goon_courts: int = 0
    revokes: int = 0
    """The side's own established ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """A match that counts, played in a round (from 1)."""

    round: int
    sides: tuple[Side, Side]
    table: int = 0
    """Where it was played; 0 where that is not known or does not matter."""
    order: int = 0
    """Which match of the table in the round it was, where a table has several in one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bye:
    """A round in which an entry played no match."""

    round: int
    entry: int
    kind: ByeKind = ByeKind.PAIRING
    opponent: int | None = None
    """Whom it would have met, where a match was given away."""


class MatchEnd(Enum):
    """What a match was to one of its entries (law 13.2)."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


@dataclass(frozen=True, slots=True)
class Encounter:
    """A match as one of its two entries sees it."""

    round: int
    own: Side
    other: Side
    end: MatchEnd
    points: Exact

    @property
    def opponent(self) -> int:
        """The number of the other entry."""
        return self.other.entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """Everything that an entry's results add up to."""

    entry: int
    encounters: tuple[Encounter, ...]
    """By round."""
    byes: tuple[int, ...]
    """The rounds without an opponent."""
    won: int
    drawn: int
    lost: int
    match_points: Exact
    """With those of byes, without the penalty where that is taken from match points."""
    courts_for: int
    courts_against: int
    deals_won: int
    deals_lost: int
    bavneys: int
    goon_courts: int
    revokes: int
    penalty: Exact
    score: Exact
    """What the rows are ordered by, the penalty taken from it."""


_OPPOSITE: Final = {MatchEnd.WIN: MatchEnd.LOSS, MatchEnd.DRAW: MatchEnd.DRAW, MatchEnd.LOSS: MatchEnd.WIN}


def end_of(match: MatchResult) -> MatchEnd:
    """Return what the match was to its first side: more courts win, equal ones, none too, draw (13.2)."""
    first, second = match.sides
    if first.courts == second.courts:
        return MatchEnd.DRAW
    return MatchEnd.WIN if first.courts > second.courts else MatchEnd.LOSS


def tally_up(
    entrants: Iterable[Entrant], matches: Iterable[MatchResult], byes: Iterable[Bye], *, scheme: Scheme
) -> dict[int, Tally]:
    """Return every entry's tally by its number, in the order of the numbers.

    :raises ResultsError: if a number is given twice, or a match or a bye names an entry that is not there, or
        a match the same entry twice.
    """
    entered = _by_number(entrants)
    encounters: dict[int, list[Encounter]] = {number: [] for number in entered}
    rounds_off: dict[int, list[int]] = {number: [] for number in entered}
    for match in matches:
        for encounter in _encounters(match, scheme.points):
            encounters[_entered(encounter.own.entry, entered)].append(encounter)
    for bye in byes:
        rounds_off[_entered(bye.entry, entered)].append(bye.round)
    return {
        number: _tally(entrant, encounters[number], rounds_off[number], scheme)
        for number, entrant in entered.items()
    }


def _by_number(entrants: Iterable[Entrant]) -> dict[int, Entrant]:
    entered: dict[int, Entrant] = {}
    for entrant in sorted(entrants, key=lambda entrant: entrant.number):
        if entrant.number in entered:
            raise ResultsError(f"entry {entrant.number} is there twice", entry=entrant.number)
        entered[entrant.number] = entrant
    return entered


def _entered(entry: int, entered: Mapping[int, Entrant]) -> int:
    if entry not in entered:
        raise ResultsError(f"there is no entry {entry}", entry=entry)
    return entry


def _encounters(match: MatchResult, points: MatchPoints) -> tuple[Encounter, Encounter]:
    first, second = match.sides
    if first.entry == second.entry:
        raise ResultsError(f"entry {first.entry} plays against itself", entry=first.entry)
    worth = {MatchEnd.WIN: points.win, MatchEnd.DRAW: points.draw, MatchEnd.LOSS: points.loss}
    end = end_of(match)
    other_end = _OPPOSITE[end]
    return (
        Encounter(match.round, first, second, end, worth[end]),
        Encounter(match.round, second, first, other_end, worth[other_end]),
    )


def _tally(entrant: Entrant, encounters: list[Encounter], byes: list[int], scheme: Scheme) -> Tally:
    encounters.sort(key=lambda met: (met.round, met.opponent, met.own.courts, met.other.courts))
    by_courts = scheme.ranking is Ranking.COURTS
    courts_for = sum(encounter.own.courts for encounter in encounters)
    match_points = sum((encounter.points for encounter in encounters), start=len(byes) * scheme.points.bye)
    if not by_courts:
        match_points -= entrant.penalty
    ends = [encounter.end for encounter in encounters]
    return Tally(
        entry=entrant.number,
        encounters=tuple(encounters),
        byes=tuple(sorted(byes)),
        won=ends.count(MatchEnd.WIN),
        drawn=ends.count(MatchEnd.DRAW),
        lost=ends.count(MatchEnd.LOSS),
        match_points=match_points,
        courts_for=courts_for,
        courts_against=sum(encounter.other.courts for encounter in encounters),
        deals_won=sum(encounter.own.deals_won for encounter in encounters),
        deals_lost=sum(encounter.other.deals_won for encounter in encounters),
        bavneys=sum(encounter.own.bavneys for encounter in encounters),
        goon_courts=sum(encounter.own.goon_courts for encounter in encounters),
        revokes=sum(encounter.own.revokes for encounter in encounters),
        penalty=entrant.penalty,
        score=courts_for - entrant.penalty if by_courts else match_points,
    )
