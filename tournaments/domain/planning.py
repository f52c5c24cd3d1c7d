"""What a planned tournament will be like: it is played many times with matches that nobody played.

The rounds are drawn and the entries ranked by the code that does so in a real tournament. Only the Swiss draws of
a field of more than ``MOST_DRAWN_FULLY`` are others (see ``quick_draw``), which the forecast says.

Cost, on a small machine: 20 runs of a Swiss of 200 entries over 9 rounds take about 4 seconds, of 12 entries over
3 rounds a fifth of one.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from heapq import heappop, heappush
from random import Random
from typing import Final, TypeAlias

from scoring.domain.ranking import Row
from scoring.domain.results import Bye, Scheme
from tournaments.domain.brackets import stages
from tournaments.domain.drawing import draw_round, schedule, what_next
from tournaments.domain.entry_counts import check_entries
from tournaments.domain.pairing import Draw, Pairing
from tournaments.domain.placing import place_entries
from tournaments.domain.plans import (
    FormatPlan,
    GroupsKnockoutPlan,
    KnockoutPlan,
    LeaguePlan,
    SwissPlan,
    WinnerStaysPlan,
)
from tournaments.domain.quick_draw import draw_quickly
from tournaments.domain.random_matches import USUAL_PACE, Pace, RandomMatch, play_match, random_strengths
from tournaments.domain.state import Participant, PlayedMatch, PlayedRound, TournamentState
from tournaments.domain.steps import NextStep
from tournaments.domain.swiss import draw_swiss

MOST_DRAWN_FULLY: Final = 32
USUAL_RUNS: Final = 20
MOST_MATCHES: Final = 20_000
"""In all runs together: a longer plan is played fewer times, at least once."""

_Running: TypeAlias = tuple[float, int, str, PlayedMatch]
"""When a match ends, in which round and at which table it is, and how it ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """What a planned tournament will be like. A league's evening is one of its sessions."""

    runs: int
    entries: int
    rounds: int
    """``rounds``, ``matches`` and ``byes`` are the middle of the runs: they differ only where a queue decides."""
    matches: int
    byes: int
    minutes: int
    """How long the evening lasts: half of them are shorter."""
    minutes_at_most: int
    """Nine in ten evenings are not longer."""
    places: int
    """Those that matter: before the cut, or with a prize."""
    tied_before: int
    """In how many runs the last of these places and the next were level before any tie-break."""
    tied_after: int
    """In how many they still were after the tie-breaks."""
    drawn_fully: bool
    """Whether the rounds were drawn as they will be; if not, by a faster draw that is nearly as good."""


@dataclass(frozen=True, slots=True)
class _Run:
    """A tournament that nobody played."""

    state: TournamentState
    rows: tuple[Row, ...]
    evenings: tuple[float, ...]
    """In minutes."""
    tied_before: bool
    tied_after: bool

    @property
    def matches(self) -> int:
        return sum(len(one.matches) for one in self.state.rounds)

    @property
    def byes(self) -> int:
        return sum(len(one.byes) for one in self.state.rounds)


def simulate_plan(
    plan: FormatPlan,
    entries: int,
    *,
    scheme: Scheme,
    rng: Random,
    runs: int = USUAL_RUNS,
    pace: Pace = USUAL_PACE,
) -> Forecast:
    """Return what the plan comes to with this many entries: the same for the same ``rng``.

    The seeds are taken to be in the order of the strengths, and everybody to stay to the end.

    :raises PlanError: if the format cannot be played by them.
    """
    check_entries(plan, entries)
    is_swiss = isinstance(plan, SwissPlan | LeaguePlan)
    drawn_fully = not is_swiss or entries <= MOST_DRAWN_FULLY
    played: list[_Run] = []
    while not played or (
        len(played) < runs and sum(run.matches for run in played) + played[0].matches <= MOST_MATCHES
    ):
        played.append(_Evening(plan, entries, scheme, rng, pace=pace, drawn_fully=drawn_fully).play())
    evenings = sorted(minutes for run in played for minutes in run.evenings)
    return Forecast(
        runs=len(played),
        entries=entries,
        rounds=_middle(len(run.state.rounds) for run in played),
        matches=_middle(run.matches for run in played),
        byes=_middle(run.byes for run in played),
        minutes=round(_at(evenings, 50)),
        minutes_at_most=round(_at(evenings, 90)),
        places=plan.places,
        tied_before=sum(run.tied_before for run in played),
        tied_after=sum(run.tied_after for run in played),
        drawn_fully=drawn_fully,
    )


class _Evening:
    """A tournament under way."""

    def __init__(
        self,
        plan: FormatPlan,
        entries: int,
        scheme: Scheme,
        rng: Random,
        *,
        pace: Pace,
        drawn_fully: bool,
    ) -> None:
        self.plan = plan
        self.scheme = scheme
        self.rng = rng
        self.pace = pace
        self.draw = partial(draw_round, swiss=draw_swiss if drawn_fully else draw_quickly)
        self.strengths = random_strengths(rng, entries, spread=pace.spread)
        self.state = TournamentState(
            entries=tuple(Participant(number=number, seed=number) for number in range(1, entries + 1)),
            scheme=scheme if drawn_fully else replace(scheme, tiebreaks=()),
        )

    def play(self) -> _Run:
        """Return it when it is over."""
        minutes = [self._winner_stays()] if isinstance(self.plan, WinnerStaysPlan) else list(self._sessions())
        self.state = replace(self.state, scheme=self.scheme)
        rows = place_entries(self.plan, self.state)
        before, after = _is_tied(rows, stages(self.plan, self.state), self.plan.places)
        return _Run(self.state, rows, tuple(minutes), before, after)

    def _sessions(self) -> Iterator[float]:
        """Play every session, and yield how long each lasted."""
        minutes = 0.0
        fixed = len(schedule(self.plan, self.state.entries))
        while True:
            step = what_next(self.plan, self.state).step
            if step is not NextStep.DRAW:
                yield minutes
                minutes = 0.0
                self.state = replace(self.state, session=self.state.session + 1)
            if step is NextStep.OVER:
                return
            if step is NextStep.DRAW:
                minutes += self._round(self.draw(self.plan, self.state), fixed) + self.pace.change_over

    def _round(self, draw: Draw, fixed: int) -> float:
        """Play a round, and return how long its longest match took."""
        has_bracket = isinstance(self.plan, KnockoutPlan | GroupsKnockoutPlan)
        must_be_won = has_bracket and draw.number > fixed
        played = [self._match(draw.number, pairing, must_be_won=must_be_won) for pairing in draw.pairings]
        matches = tuple(
            PlayedMatch(
                table=str(table),
                first=pairing.first,
                second=pairing.second,
                result=match.result,
                label=pairing.label,
            )
            for table, (pairing, match) in enumerate(zip(draw.pairings, played, strict=True), start=1)
        )
        byes = tuple(Bye(round=draw.number, entry=bye.entry, kind=bye.kind) for bye in draw.byes)
        one = PlayedRound(number=draw.number, matches=matches, byes=byes, session=self.state.session)
        self.state = replace(self.state, rounds=(*self.state.rounds, one))
        return max((match.minutes for match in played), default=0.0)

    def _match(self, number: int, pairing: Pairing, *, must_be_won: bool = False) -> RandomMatch:
        first, second = pairing.first, pairing.second
        return play_match(
            self.rng,
            number=number,
            entries=(first, second),
            strengths=(self.strengths[first - 1], self.strengths[second - 1]),
            length=self.plan.match,
            pace=self.pace,
            must_be_won=must_be_won,
        )

    # -- winner stays: tables end when they end

    def _winner_stays(self) -> float:
        """Play until the time is over, every match that was begun to its end, and return how long it lasted."""
        assert isinstance(self.plan, WinnerStaysPlan)
        running: list[_Running] = []
        now, ended = 0.0, 0
        while True:
            if what_next(self.plan, self.state).step is NextStep.DRAW:
                self._sit_down(running, now)
            if not running:
                return now
            now, number, _table, match = heappop(running)
            ended += 1
            self._finish(number, replace(match, ended=ended))
            self.state = replace(self.state, time_over=now >= self.plan.minutes)

    def _sit_down(self, running: list[_Running], now: float) -> None:
        draw = self.draw(self.plan, self.state)
        matches: list[PlayedMatch] = []
        for pairing in draw.pairings:
            played = self._match(draw.number, pairing)
            match = PlayedMatch(table=str(pairing.table), first=pairing.first, second=pairing.second)
            matches.append(match)
            ends = now + self.pace.seat_change + played.minutes
            heappush(running, (ends, draw.number, match.table, replace(match, result=played.result)))
        one = PlayedRound(number=draw.number, matches=tuple(matches))
        self.state = replace(self.state, rounds=(*self.state.rounds, one))

    def _finish(self, number: int, finished: PlayedMatch) -> None:
        rounds = list(self.state.rounds)
        one = rounds[number - 1]
        matches = tuple(finished if match.table == finished.table else match for match in one.matches)
        rounds[number - 1] = replace(one, matches=matches)
        self.state = replace(self.state, rounds=tuple(rounds))


def _is_tied(rows: Sequence[Row], reached: dict[int, int], places: int) -> tuple[bool, bool]:
    """Return whether the last place that matters is level with the next, before and after the tie-breaks."""
    if not 0 < places < len(rows):
        return False, False
    last, following = rows[places - 1], rows[places]
    scores = [(reached.get(row.tally.entry, 0), row.tally.score) for row in (last, following)]
    return scores[0] == scores[1], last.rank == following.rank


def _middle(numbers: Iterable[int]) -> int:
    return round(_at(sorted(numbers), 50))


def _at(ordered: Sequence[float], percent: int) -> float:
    """Return the number that so many of the ordered ones are not above."""
    return ordered[min(len(ordered) * percent // 100, len(ordered) - 1)]
