"""Rounds without a match, as the tie-breaks over opponents take them: FIDE C.07, article 16.

What counts as which category of 16.2: a bye of the draw 16.2.1, a match that the opponent gave away 16.2.2, a match
that the entry gave away 16.2.4. A bye that was asked for, an absence and a round before a late entry joined are
requested byes (16.1.1), worth half a match or nothing; so is each round after a withdrawal, written down or not.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from scoring.domain.results import Bye, ByeKind, DummyOpponent, Exact, Scheme, Tally

REQUESTED: Final = frozenset({ByeKind.REQUESTED, ByeKind.ABSENT, ByeKind.LATE})
"""Requested byes (16.1.1)."""
VOLUNTARY: Final = REQUESTED | {ByeKind.FORFEIT_LOSS}
"""Voluntary unplayed rounds (16.1.2)."""
_FORFEITS: Final = (ByeKind.FORFEIT_WIN, ByeKind.FORFEIT_LOSS)


@dataclass(frozen=True, slots=True)
class UnplayedRound:
    """A round without a match and what it brought."""

    bye: Bye
    points: Exact


@dataclass(frozen=True, slots=True)
class Scores:
    """What everybody counts for, to the others and to itself."""

    tallies: Mapping[int, Tally]
    scheme: Scheme
    last_round: int
    unplayed: Mapping[int, tuple[UnplayedRound, ...]]
    """Every entry's rounds without a match, by round."""
    adjusted: Mapping[int, Exact]
    """Every entry's score as its opponents count it (16.3)."""

    def dummy(self, entry: int, missed: UnplayedRound) -> Exact:
        """Return the score of whom the entry is thought to have met in the round (16.4)."""
        own = self.tallies[entry].earned
        if self.scheme.dummy is DummyOpponent.OWN_SCORE:
            return own
        return min(own, self._cap(missed.bye))

    def _cap(self, bye: Bye) -> Exact:
        """Return what the dummy's score is not to exceed: 16.4.1 where a match was given away, else 16.4.2."""
        if bye.kind in _FORFEITS and bye.opponent is not None:
            return self.adjusted[bye.opponent]
        return self.scheme.points.draw * self.last_round


def scores(tallies: Mapping[int, Tally], scheme: Scheme) -> Scores:
    """Return the scores after the last round in which anything happened."""
    last_round = max((_last(tally) for tally in tallies.values()), default=0)
    unplayed = {entry: _unplayed(tally, scheme, last_round) for entry, tally in tallies.items()}
    adjusted = {entry: _adjusted(tally, unplayed[entry], scheme) for entry, tally in tallies.items()}
    return Scores(tallies, scheme, last_round, unplayed, adjusted)


def _last(tally: Tally) -> int:
    played = tally.encounters[-1].round if tally.encounters else 0
    return max(played, tally.unplayed[-1].round) if tally.unplayed else played


def _unplayed(tally: Tally, scheme: Scheme, last_round: int) -> tuple[UnplayedRound, ...]:
    written = [UnplayedRound(bye, scheme.points.of_bye(bye.kind)) for bye in tally.unplayed]
    if tally.withdrawn:
        written += [
            UnplayedRound(Bye(round=number, entry=tally.entry, kind=ByeKind.ABSENT), 0)
            for number in range(_last(tally) + 1, last_round + 1)
        ]
    return tuple(written)


def _adjusted(tally: Tally, unplayed: tuple[UnplayedRound, ...], scheme: Scheme) -> Exact:
    """Return what the entry made, its last rounds as draws where it asked not to play them (16.3.2)."""
    if not unplayed or scheme.predetermined:
        return tally.earned
    there = [met.round for met in tally.encounters[-1:]]
    there += [one.bye.round for one in unplayed if one.bye.kind not in VOLUNTARY]
    last_there = max(there, default=0)
    return tally.earned + sum(
        scheme.points.draw - one.points
        for one in unplayed
        if one.bye.kind in REQUESTED and one.bye.round > last_there
    )
