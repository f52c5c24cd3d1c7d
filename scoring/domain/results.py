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


class DummyOpponent(Enum):
    """What an entry is thought to have met in a round without a match, in the tie-breaks over opponents.

    Both by FIDE C.07, article 16.4, of which there are two texts.
    """

    OWN_SCORE = "own-score"
    """A dummy with the entry's own score: the text of 1 August 2024."""
    OWN_SCORE_CAPPED = "own-score-capped"
    """The same, but never better than the scheduled opponent, or a draw in every round: that of 1 March 2026."""


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


class MatchEnd(Enum):
    """What a match was to one of its entries (law 13.2)."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"


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

    def of_match(self, end: MatchEnd) -> Exact:
        """Return what a match that was played is worth."""
        if end is MatchEnd.DRAW:
            return self.draw
        return self.win if end is MatchEnd.WIN else self.loss

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
    predetermined: bool = False
    """Whether everybody knew from the start whom to meet, as in a round robin: FIDE C.07, articles 8 and 15.2."""
    dummy: DummyOpponent = DummyOpponent.OWN_SCORE_CAPPED


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


@dataclass(frozen=True, slots=True)
class Encounter:
    """A match as one of its two entries sees it."""

    round: int
    own: Side
    other: Side
    end: MatchEnd
    points: Exact
    table: int = 0
    order: int = 0

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
    unplayed: tuple[Bye, ...]
    """The rounds without a match, by round, for whatever reason."""
    byes: tuple[int, ...]
    """The rounds of byes: those of the draw and those asked for, not of absences or matches given away."""
    won: int
    drawn: int
    lost: int
    match_points: Exact
    """With those of rounds without a match, without the penalty where that is taken from match points."""
    earned: Exact
    """The match points before any penalty: what it counts for as an opponent, whom a penalty says nothing of."""
    courts_for: int
    courts_against: int
    deals_won: int
    deals_lost: int
    bavneys: int
    goon_courts: int
    revokes: int
    penalty: Exact
    stage: int
    withdrawn: bool
    score: Exact
    """What the rows of a stage are ordered by, the penalty taken from it."""


_BYES: Final = (ByeKind.PAIRING, ByeKind.REQUESTED)
_OPPOSITE: Final = {MatchEnd.WIN: MatchEnd.LOSS, MatchEnd.DRAW: MatchEnd.DRAW, MatchEnd.LOSS: MatchEnd.WIN}


def end_of(match: MatchResult) -> MatchEnd:
    """Return what the match was to its first side: more courts win, equal ones, none too, draw (13.2)."""
    first, second = match.sides
    if first.courts == second.courts:
        return MatchEnd.DRAW
    return MatchEnd.WIN if first.courts > second.courts else MatchEnd.LOSS


def tally_up(
    entrants: Iterable[Entrant],
    matches: Iterable[MatchResult],
    byes: Iterable[Bye],
    *,
    scheme: Scheme,
    session_points: Mapping[int, Exact] | None = None,
) -> dict[int, Tally]:
    """Return every entry's tally by its number, in the order of the numbers.

    ``session_points`` are what a league is ordered by; nothing for an entry that is not in them.

    :raises ResultsError: if a number is given twice, or a match or a bye names an entry that is not there, or
        a match the same entry twice.
    """
    entered = _by_number(entrants)
    encounters: dict[int, list[Encounter]] = {number: [] for number in entered}
    unplayed: dict[int, list[Bye]] = {number: [] for number in entered}
    for match in matches:
        for encounter in _encounters(match, scheme.points):
            encounters[_entered(encounter.own.entry, entered)].append(encounter)
    for bye in byes:
        if bye.opponent is not None:
            _entered(bye.opponent, entered)
        unplayed[_entered(bye.entry, entered)].append(bye)
    return {
        number: _tally(
            entrant, encounters[number], unplayed[number], scheme, (session_points or {}).get(number, 0)
        )
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
    end = end_of(match)
    other_end = _OPPOSITE[end]
    return (
        Encounter(match.round, first, second, end, points.of_match(end), match.table, match.order),
        Encounter(
            match.round, second, first, other_end, points.of_match(other_end), match.table, match.order
        ),
    )


def _in_order(met: Encounter) -> tuple[int, int, int, int, int, int]:
    return met.round, met.order, met.opponent, met.own.courts, met.other.courts, met.table


def _tally(
    entrant: Entrant, encounters: list[Encounter], unplayed: list[Bye], scheme: Scheme, session_points: Exact
) -> Tally:
    encounters.sort(key=_in_order)
    unplayed.sort(key=lambda bye: (bye.round, bye.kind.value, bye.opponent or 0))
    courts_for = sum(met.own.courts for met in encounters)
    awarded = sum((scheme.points.of_bye(bye.kind) for bye in unplayed), start=0)
    earned = sum((met.points for met in encounters), start=awarded)
    by_points = scheme.ranking is Ranking.MATCH_POINTS
    match_points = earned - entrant.penalty if by_points else earned
    scores = {Ranking.COURTS: courts_for, Ranking.SESSION_POINTS: session_points}
    ends = [met.end for met in encounters]
    return Tally(
        entry=entrant.number,
        encounters=tuple(encounters),
        unplayed=tuple(unplayed),
        byes=tuple(bye.round for bye in unplayed if bye.kind in _BYES),
        won=ends.count(MatchEnd.WIN),
        drawn=ends.count(MatchEnd.DRAW),
        lost=ends.count(MatchEnd.LOSS),
        match_points=match_points,
        earned=earned,
        courts_for=courts_for,
        courts_against=sum(met.other.courts for met in encounters),
        deals_won=sum(met.own.deals_won for met in encounters),
        deals_lost=sum(met.other.deals_won for met in encounters),
        bavneys=sum(met.own.bavneys for met in encounters),
        goon_courts=sum(met.own.goon_courts for met in encounters),
        revokes=sum(met.own.revokes for met in encounters),
        penalty=entrant.penalty,
        stage=entrant.stage,
        withdrawn=entrant.withdrawn,
        score=match_points if by_points else scores[scheme.ranking] - entrant.penalty,
    )
