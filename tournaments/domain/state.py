"""What has happened in a tournament, as far as the next round depends on it."""

from dataclasses import dataclass

from scoring.domain.ranking import Row
from scoring.domain.results import Bye, Exact, MatchResult, Scheme
from tournaments.domain.pairing import ByeGiven, Wish


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """An entry."""

    number: int
    seed: int
    """Its rank before anything was played, from 1, never shared. In ``winner-stays``: its place in the queue."""
    active: bool = True
    """Whether it still plays: not withdrawn, not disqualified."""
    joined_round: int = 1
    """The first round it could play in. In ``winner-stays``: one more than the matches that had ended when it came."""
    group: int | None = None
    """From 1, where the tournament keeps groups; None: they follow from the seeds."""
    penalty: Exact = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedMatch:
    """A match that was drawn."""

    table: str
    first: int
    second: int
    result: MatchResult | None = None
    """None: it is open, void, or given away."""
    void: bool = False
    """Whether it counts for nothing: the two have met, and nobody has won."""
    given_away_by: tuple[int, ...] = ()
    """Who gave it away without playing: one of the two, or both. It has no result then."""
    ended: int | None = None
    """Its place in the order in which matches ended, from 1. Only ``winner-stays`` asks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRound:
    """A round that was drawn."""

    number: int
    matches: tuple[PlayedMatch, ...]
    byes: tuple[Bye, ...] = ()
    session: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentState:
    """Everything that a draw depends on besides the plan."""

    entries: tuple[Participant, ...]
    scheme: Scheme
    rounds: tuple[PlayedRound, ...] = ()
    """By number, from 1, with none left out."""
    rows: tuple[Row, ...] | None = None
    """The standings after these rounds; None: they are computed."""
    forbidden: tuple[Wish, ...] = ()
    forced: tuple[Wish, ...] = ()
    """Both are asked in a Swiss only."""
    away: tuple[ByeGiven, ...] = ()
    """Who does not play in the next round, and why: requested, absent, late."""
    session: int = 1
    """In which the next round is played; only a league asks."""
    time_over: bool = False
    """Whether the evening's time is over; only ``winner-stays`` asks."""
