"""Where an evening is: what is done, what comes next, and what stands in its way."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from django.db.models import Count, Q

from courtpiece.accounts.permissions import Action, Actor
from tournaments.domain.steps import Block, BlockKind, Next, NextStep
from tournaments.models import Draft, Entry, EntryState, Status, Tournament
from tournaments.queries.clocks import RoundTab, ShownClock, clock_of, current_round, round_tabs, timed_round
from tournaments.queries.draws import ahead_of, is_evening_over, names_of
from tournaments.queries.room import TableLine, played_together, tables_of
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for
from tournaments.queries.state import shown_state
from tournaments.words import block_text


class Step(Enum):
    """What a tournament goes through. Check in, draw and play come again with every round."""

    ENTRIES = "entries"
    CHECK_IN = "check-in"
    DRAW = "draw"
    PLAY = "play"
    CLOSE = "close"
    OFFICIAL = "official"
    FINAL = "final"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepLine:
    """A step of the way."""

    step: Step
    is_done: bool
    is_current: bool

    @property
    def code(self) -> str:
        """The step's value."""
        return self.step.value


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryCounts:
    """How many entries there are of each kind."""

    active: int
    requested: int
    checked_in: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPage:
    """The director's home for the evening."""

    header: TournamentHeader
    step: Step
    is_over: bool
    """Whether the last step was taken: the standings are final."""
    counts: EntryCounts
    ahead: Next
    draft: int | None
    """The number of the round that is drafted; None: none is."""
    blocks: tuple[str, ...]
    """What stands in the way of the next round, table by table."""
    rounds: tuple[RoundTab, ...]
    round: RoundTab | None
    clock: ShownClock | None
    tables: tuple[TableLine, ...]
    appeals_until: datetime | None

    @property
    def steps(self) -> tuple[StepLine, ...]:
        """All steps; those before the current one are done."""
        order = list(Step)
        here = order.index(self.step)
        return tuple(
            StepLine(
                step=step,
                is_done=place < here or self.is_over,
                is_current=place == here and not self.is_over,
            )
            for place, step in enumerate(order)
        )

    @property
    def finished(self) -> int:
        """How many matches of the round are over."""
        return sum(not line.is_open for line in self.tables)

    @property
    def waits_for_clock(self) -> bool:
        """Whether a round is published, and nobody began to play it: nothing is in, and its clock was not started."""
        is_quiet = all(line.is_open and line.heard_at is None for line in self.tables)
        return self.step is Step.PLAY and self.clock is not None and not self.clock.was_started and is_quiet

    @property
    def in_doubt(self) -> tuple[TableLine, ...]:
        """The tables that want a look."""
        return tuple(line for line in self.tables if line.doubts)


def run_page(slug: str, *, actor: Actor, now: datetime) -> RunPage:
    """Return where the evening is. Twenty-three queries at most, five fewer where it was shown before.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    tournament = tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    loaded = shown_state(tournament)
    _state, ahead = ahead_of(loaded, time_over=is_evening_over(tournament, now))
    rounds = round_tabs(tournament)
    shown = current_round(rounds)
    timed = timed_round(tournament, rounds, shown)
    clock = None if timed is None else clock_of(timed, now=now)
    together = () if shown is None else played_together(tournament, rounds, shown) or (shown,)
    counts = _counts(tournament)
    draft = Draft.objects.filter(tournament=tournament).values_list("number", flat=True).first()
    names = names_of(loaded)
    return RunPage(
        header=header_of(tournament, actor),
        step=_step(tournament, ahead, counts, draft=draft, is_open=shown is not None and shown.open > 0),
        is_over=tournament.status == Status.FINAL,
        counts=counts,
        ahead=ahead,
        draft=draft,
        blocks=tuple(block_text(block, names) for block in _until(together, ahead.blocks)),
        rounds=rounds,
        round=shown,
        clock=clock,
        tables=()
        if shown is None or clock is None
        else tables_of(tournament, shown, clock, together=together),
        appeals_until=tournament.appeals_until,
    )


def _until(played: Sequence[RoundTab], blocks: Iterable[Block]) -> list[Block]:
    """Return the blocks of the rounds that are played and those before: a schedule has all rounds from the start."""
    last = max((one.number for one in played), default=None)
    return [block for block in blocks if last is None or block.round is None or block.round <= last]


def _counts(tournament: Tournament) -> EntryCounts:
    is_active = Q(state=EntryState.ACTIVE)
    found = Entry.objects.filter(tournament=tournament).aggregate(
        active=Count("pk", filter=is_active),
        requested=Count("pk", filter=Q(state=EntryState.REQUESTED)),
        checked_in=Count("pk", filter=is_active & Q(checked_in_at__isnull=False)),
    )
    return EntryCounts(**found)


def _step(
    tournament: Tournament, ahead: Next, counts: EntryCounts, *, draft: int | None, is_open: bool
) -> Step:
    """Return the step that the tournament is at."""
    if tournament.status != Status.PROVISIONAL:
        return Step.FINAL
    if tournament.appeals_until is not None:
        return Step.OFFICIAL
    if is_open:
        return Step.PLAY
    if ahead.step is NextStep.OVER:
        return Step.CLOSE
    if draft is not None:
        return Step.DRAW
    return _step_before_a_draw(ahead, counts)


def _step_before_a_draw(ahead: Next, counts: EntryCounts) -> Step:
    if any(_is_about_entries(block) for block in ahead.blocks):
        return Step.ENTRIES
    if ahead.step is NextStep.WAIT:
        return Step.PLAY
    return Step.DRAW if counts.checked_in or ahead.number > 1 else Step.CHECK_IN


def _is_about_entries(block: Block) -> bool:
    return block.kind is BlockKind.TOO_FEW_ENTRIES
