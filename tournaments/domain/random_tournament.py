"""Swiss tournaments that nobody played: for tests, measurements and the planning of an evening."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Final, TypeAlias

from scoring.domain.ranking import Row, rank_entries
from scoring.domain.results import Bye, ByeKind, Entrant, MatchResult, Scheme, Side, TiebreakCode
from tournaments.domain.pairing import ByeGiven, Draw, Field, PairingError, Wish
from tournaments.domain.swiss import FEWEST, contestants, draw_swiss

Drawing: TypeAlias = Callable[[Field], Draw]
"""What draws a round; raises :class:`PairingError` where none can be drawn."""
DEALS_TO_A_COURT: Final = 5
"""About as many as a pair wins on the way to a court."""
USUAL: Final = Scheme(tiebreaks=(TiebreakCode.COURTS_DIFFERENCE, TiebreakCode.COURTS_FOR))


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentHabits:
    """What is usual in a tournament. Rates are probabilities from 0 to 1."""

    entries: int = 12
    """Late ones among them."""
    rounds: int = 5
    deals: int = 20
    """In a match."""
    spread: float = 0.5
    """How far strengths lie apart: 0 makes everybody equal, with 1 the best hardly loses a deal to the last."""
    draws: float = 0.1
    """Of a match, to end level, besides those that end so by themselves."""
    late: float = 0.0
    """Of an entry, to join after the first round."""
    withdrawals: float = 0.0
    """Of an entry, to leave for good before a round."""
    requested: float = 0.0
    """Of an entry, to ask for a round off."""
    absences: float = 0.0
    """Of an entry, to be away from a round."""
    forfeits: float = 0.0
    """Of a match, to be given away after the draw."""
    corrections: float = 0.0
    """Of a round, that the result of an earlier one is corrected once its draw is made."""
    forbidden: int = 0
    """Pairs that may not meet."""
    forced: float = 0.0
    """Of a round, that the director wants a pair in it."""
    scheme: Scheme = USUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRound:
    """A round from its field to its results."""

    number: int
    rows: tuple[Row, ...]
    """The standings before the round, of everybody who had joined."""
    field: Field
    draw: Draw
    matches: tuple[MatchResult, ...]
    byes: tuple[Bye, ...]
    """The rounds without a match that this one brought; with those of a late entry's rounds before it joined."""
    corrected: tuple[MatchResult, ...]
    """Results of earlier rounds as they were corrected while this one was played: in the place of those before."""
    refused: Field | None
    """The field with wishes that left no draw, if there was one: the wishes were then dropped."""


def play_swiss(rng: Random, habits: TournamentHabits, *, draw: Drawing = draw_swiss) -> Iterator[PlayedRound]:
    """Play a tournament round by round: the same one for the same seed and the same draws.

    It ends early where fewer than two entries are left.

    :raises PairingError: if ``draw`` does, though nobody wished for anything.
    """
    event = _Event(rng, habits)
    for number in range(1, habits.rounds + 1):
        field, rows = event.field(number)
        if len(field.contestants) < FEWEST:
            return
        refused = None
        try:
            drawn = draw(field)
        except PairingError:
            if not (field.forced or field.forbidden):
                raise
            refused, field = field, replace(field, forced=(), forbidden=())
            drawn = draw(field)
        yield event.play(rows, field, drawn, refused)


def random_habits(rng: Random, *, fewest: int = 4, most: int = 60) -> TournamentHabits:
    """Return habits of a tournament of any size between the two, where anything may happen."""
    return TournamentHabits(
        entries=rng.randint(fewest, most),
        rounds=rng.randint(3, 9),
        deals=rng.randint(5, 20),
        spread=rng.random(),
        draws=rng.choice((0.0, 0.1, 0.4)),
        late=rng.choice((0.0, 0.1)),
        withdrawals=rng.choice((0.0, 0.02)),
        requested=rng.choice((0.0, 0.02)),
        absences=rng.choice((0.0, 0.02)),
        forfeits=rng.choice((0.0, 0.05)),
        corrections=rng.choice((0.0, 0.3)),
        forbidden=rng.choice((0, 0, 1, 5)),
        forced=rng.choice((0.0, 0.0, 0.3)),
    )


class _Event:
    """A tournament under way."""

    def __init__(self, rng: Random, habits: TournamentHabits) -> None:
        self.rng = rng
        self.habits = habits
        entries = range(1, habits.entries + 1)
        self.strength = {entry: 0.5 + habits.spread * (rng.random() - 0.5) for entry in entries}
        self.joins = {entry: self._first_round() for entry in entries}
        pairs = list(combinations(entries, 2))
        banned = rng.sample(pairs, k=min(habits.forbidden, len(pairs)))
        self.forbidden = tuple(Wish(entries=pair, reason="the same club") for pair in banned)
        self.left: set[int] = set()
        self.matches: list[MatchResult] = []
        self.byes: list[Bye] = []

    def field(self, number: int) -> tuple[Field, tuple[Row, ...]]:
        """Return what the round is drawn from, and the standings before it."""
        self.byes += self._late(number)
        here = [entry for entry, joins in self.joins.items() if joins <= number and entry not in self.left]
        self.left |= {entry for entry in here if number > 1 and self._happens(self.habits.withdrawals)}
        away = tuple(self._away([entry for entry in here if entry not in self.left]))
        off = self.left | {bye.entry for bye in away}
        rows = self._standings(number)
        playing = contestants(
            rows,
            seeds={entry: entry for entry in here if entry not in off},
            number=number,
            scheme=self.habits.scheme,
        )
        forced = self._forced([one.number for one in playing])
        return (
            Field(number=number, contestants=playing, forbidden=self.forbidden, forced=forced, away=away),
            rows,
        )

    def play(self, rows: tuple[Row, ...], field: Field, drawn: Draw, refused: Field | None) -> PlayedRound:
        """Return the round with what it brought."""
        corrected = tuple(self._correct())
        matches: list[MatchResult] = []
        byes = [Bye(round=field.number, entry=bye.entry, kind=bye.kind) for bye in drawn.byes]
        for pairing in drawn.pairings:
            first, second = pairing.first, pairing.second
            if self._happens(self.habits.forfeits):
                byes += self._given_away(field.number, first, second)
            else:
                matches.append(self._match(field.number, first, second))
        self.matches += matches
        self.byes += byes
        late = [
            bye for bye in self.byes if bye.kind is ByeKind.LATE and self.joins[bye.entry] == field.number
        ]
        return PlayedRound(
            number=field.number,
            rows=rows,
            field=field,
            draw=drawn,
            matches=tuple(matches),
            byes=(*late, *byes),
            corrected=corrected,
            refused=refused,
        )

    def _happens(self, rate: float) -> bool:
        return self.rng.random() < rate

    def _first_round(self) -> int:
        if self._happens(self.habits.late) and self.habits.rounds > 1:
            return self.rng.randint(2, self.habits.rounds)
        return 1

    def _late(self, number: int) -> Iterator[Bye]:
        """Return the rounds that those missed who join now."""
        for entry, joins in self.joins.items():
            if joins == number:
                yield from (Bye(round=missed, entry=entry, kind=ByeKind.LATE) for missed in range(1, number))

    def _away(self, here: list[int]) -> Iterator[ByeGiven]:
        for entry in here:
            if self._happens(self.habits.requested):
                yield ByeGiven(entry=entry, kind=ByeKind.REQUESTED)
            elif self._happens(self.habits.absences):
                yield ByeGiven(entry=entry, kind=ByeKind.ABSENT)

    def _standings(self, number: int) -> tuple[Row, ...]:
        joined = [entry for entry, joins in self.joins.items() if joins <= number]
        entrants = [Entrant(number=entry, withdrawn=entry in self.left) for entry in joined]
        return rank_entries(entrants, self.matches, self.byes, scheme=self.habits.scheme)

    def _forced(self, playing: list[int]) -> tuple[Wish, ...]:
        if len(playing) < FEWEST or not self._happens(self.habits.forced):
            return ()
        first, second = self.rng.sample(playing, k=2)
        return (Wish(entries=(first, second), reason="for the guests"),)

    def _given_away(self, number: int, first: int, second: int) -> Iterator[Bye]:
        winner, loser = (first, second) if self._happens(0.5) else (second, first)
        yield Bye(round=number, entry=winner, kind=ByeKind.FORFEIT_WIN, opponent=loser)
        yield Bye(round=number, entry=loser, kind=ByeKind.FORFEIT_LOSS, opponent=winner)

    def _match(self, number: int, first: int, second: int) -> MatchResult:
        chance = 0.5 + (self.strength[first] - self.strength[second]) / 2
        won = sum(self._happens(chance) for _ in range(self.habits.deals))
        courts = [self._courts(won), self._courts(self.habits.deals - won)]
        if self._happens(self.habits.draws):
            courts = [min(courts)] * 2
        return MatchResult(
            round=number,
            sides=(
                Side(entry=first, courts=courts[0], deals_won=won),
                Side(entry=second, courts=courts[1], deals_won=self.habits.deals - won),
            ),
        )

    def _courts(self, deals_won: int) -> int:
        return sum(self._happens(1 / DEALS_TO_A_COURT) for _ in range(deals_won))

    def _correct(self) -> Iterator[MatchResult]:
        """Change the courts of a result about, as if a slip had been read upside down."""
        if not self.matches or not self._happens(self.habits.corrections):
            return
        at = self.rng.randrange(len(self.matches))
        first, second = self.matches[at].sides
        swapped = (replace(first, courts=second.courts), replace(second, courts=first.courts))
        self.matches[at] = replace(self.matches[at], sides=swapped)
        yield self.matches[at]
