"""What has happened in a tournament, as far as the next round depends on it."""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.domain.ranking import Row
from scoring.domain.results import Bye, ByeKind, Exact, MatchEnd, MatchResult, Scheme, end_of
from tournaments.domain.pairing import ByeGiven, Wish


@dataclass(frozen=True, slots=True, kw_only=True)
class Participant:
    """An entry."""

    number: int
    seed: int
    """Its rank before anything was played, from 1, never shared. In ``winner-stays``: its place in the queue."""
    active: bool = True
    """Whether it still plays: not withdrawn, not disqualified."""
    disqualified: bool = False
    """Whether it stands below all others, whatever it made."""
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
    label: str = ""
    """Its key, as its draw gave it."""
    ended: int | None = None
    """Its place in the order in which matches ended, from 1. Only ``winner-stays`` asks."""

    @property
    def entries(self) -> tuple[int, int]:
        """Both of them."""
        return self.first, self.second

    @property
    def is_open(self) -> bool:
        """Whether something is still to be played."""
        return self.result is None and not self.void and not self.given_away_by

    @property
    def winner(self) -> int | None:
        """Who won it, played or not; None where nobody did, or not yet."""
        if self.given_away_by:
            left = [entry for entry in self.entries if entry not in self.given_away_by]
            return left[0] if left else None
        if self.result is None or self.void or end_of(self.result) is MatchEnd.DRAW:
            return None
        sides = self.result.sides
        return max(sides, key=lambda side: side.courts).entry

    def byes(self, number: int) -> tuple[Bye, ...]:
        """Return what the match is to its entries in the standings where it was given away in round ``number``."""
        if not self.given_away_by:
            return ()
        return tuple(
            Bye(
                round=number,
                entry=entry,
                kind=ByeKind.FORFEIT_LOSS if entry in self.given_away_by else ByeKind.FORFEIT_WIN,
                opponent=opponent,
            )
            for entry, opponent in (self.entries, self.entries[::-1])
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRound:
    """A round that was drawn."""

    number: int
    matches: tuple[PlayedMatch, ...]
    byes: tuple[Bye, ...] = ()
    session: int = 1

    @property
    def entries(self) -> frozenset[int]:
        """Everybody who has a match or a bye in it."""
        return frozenset(entry for match in self.matches for entry in match.entries) | {
            bye.entry for bye in self.byes
        }

    @property
    def results(self) -> tuple[MatchResult, ...]:
        """What counts of it."""
        return tuple(match.result for match in self.matches if match.result is not None and not match.void)

    @property
    def unplayed(self) -> tuple[Bye, ...]:
        """Who had no match to play, those included whose match was given away."""
        return (*self.byes, *(bye for match in self.matches for bye in match.byes(self.number)))


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
    tables: tuple[str, ...] = ()
    """The names of the tables in order; empty: they are numbers. Only ``winner-stays`` asks."""
    time_over: bool = False
    """Whether the evening's time is over; only ``winner-stays`` asks."""

    @property
    def last_number(self) -> int:
        """The number of the last round that was drawn, 0 before the first."""
        return self.rounds[-1].number if self.rounds else 0

    @property
    def absent(self) -> frozenset[int]:
        """Who does not play in the next round: away, or no longer active."""
        away = frozenset(bye.entry for bye in self.away)
        return away | {entry.number for entry in self.entries if not entry.active}

    @property
    def playing(self) -> tuple[Participant, ...]:
        """Who can play in the next round: who has joined by then, and is not absent."""
        absent = self.absent
        number = self.last_number + 1
        return tuple(
            entry for entry in self.entries if entry.joined_round <= number and entry.number not in absent
        )


def by_seed(entries: Iterable[Participant]) -> tuple[int, ...]:
    """Return the numbers of the entries, the best seed first."""
    return tuple(entry.number for entry in sorted(entries, key=lambda entry: (entry.seed, entry.number)))


def on_time(entries: Iterable[Participant]) -> tuple[Participant, ...]:
    """Return the entries that were there from the first round on."""
    return tuple(entry for entry in entries if entry.joined_round <= 1)


def took_part(state: TournamentState) -> tuple[Participant, ...]:
    """Return who is in a schedule: who is in its first round, or came later. Before it, who is active."""
    if not state.rounds:
        return tuple(entry for entry in state.entries if entry.active)
    drawn = state.rounds[0].entries
    return tuple(entry for entry in state.entries if entry.number in drawn or entry.joined_round > 1)
