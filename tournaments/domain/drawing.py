"""The next round of any format, and whether there is one."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from scoring.domain.ranking import Row
from scoring.domain.results import ByeKind
from tournaments.domain.berger import ScheduleError, berger
from tournaments.domain.brackets import (
    are_groups_over,
    bracket_after_groups,
    group_schedule,
    knockout_bracket,
    knockout_order,
    order_after_groups,
)
from tournaments.domain.entry_counts import fewest_entries
from tournaments.domain.groups import group_draws, groups_of
from tournaments.domain.knockout import Bracket, blocks_of, draw_ties
from tournaments.domain.pairing import ByeGiven, Draw, Field, Pairing, PairingError, Wish
from tournaments.domain.placing import place_entries
from tournaments.domain.plans import (
    FormatPlan,
    GroupsKnockoutPlan,
    KnockoutPlan,
    LeaguePlan,
    RoundRobinPlan,
    SessionPairing,
    SinglePlan,
    SwissPlan,
    WinnerStaysPlan,
)
from tournaments.domain.sessions import of_matches, session_alone, session_schedule
from tournaments.domain.state import Participant, PlayedRound, TournamentState, by_seed, on_time, took_part
from tournaments.domain.steps import Block, BlockKind, Next, NextStep
from tournaments.domain.swiss import contestants, draw_swiss
from tournaments.domain.winner_stays import Sitting, draw_of, matches_of, next_sittings

Drawing: TypeAlias = Callable[[Field], Draw]
"""What draws a Swiss round; raises :class:`PairingError` where none can be drawn."""

_REASONS: Final = {
    BlockKind.OPEN_MATCH: "the match at table {table} of round {round} is not finished",
    BlockKind.LEVEL_MATCH: "the match at table {table} of round {round} is level: further deals until a court",
    BlockKind.VOID_MATCH: "the match at table {table} of round {round} is void and needs a winner",
    BlockKind.TOO_FEW_ENTRIES: "there are too few entries",
}


def what_next(plan: FormatPlan, state: TournamentState) -> Next:
    """Return whether a round can be drawn, what must happen before, or that the tournament is over."""
    playing = [entry for entry in state.entries if entry.active]
    if not state.rounds and len(playing) < fewest_entries(plan):
        return _too_few(playing, number=1)
    match plan:
        case SinglePlan() | RoundRobinPlan() | GroupsKnockoutPlan():
            return _next_of_schedule(plan, state)
        case WinnerStaysPlan():
            return _next_sitting(plan, state)
        case SwissPlan():
            return _next_of_swiss(plan.rounds, state)
        case KnockoutPlan():
            return _next_tie(knockout_bracket(plan, state), state, knockout_order(state))
        case LeaguePlan():
            return _next_of_league(plan, state)


def draw_round(plan: FormatPlan, state: TournamentState, *, swiss: Drawing = draw_swiss) -> Draw:
    """Return the next round: the same one for the same plan and state, since no format leaves it to chance.

    ``swiss`` draws the rounds of a Swiss, and of a league's sessions that are one.

    :raises PairingError: if there is none to be drawn now, or no pairing is possible.
    """
    coming = what_next(plan, state)
    if coming.step is not NextStep.DRAW:
        raise _not_now(coming)
    match plan:
        case SinglePlan() | RoundRobinPlan() | GroupsKnockoutPlan():
            return _draw_of_schedule(plan, state)
        case WinnerStaysPlan():
            return draw_of(_sittings(plan, state), number=coming.number)
        case SwissPlan():
            return swiss(_field(state))
        case KnockoutPlan():
            return _draw_tie(knockout_bracket(plan, state), state, knockout_order(state))
        case LeaguePlan():
            return _draw_of_league(plan, state, swiss)


def schedule(plan: FormatPlan, entries: Sequence[Participant]) -> tuple[Draw, ...]:
    """Return the rounds that no result changes: all of a round robin and of groups, none of other formats.

    A late entry takes the place that an odd number of entries leaves free; another has no place.

    :raises ScheduleError: if there are fewer than two entries, in a group too.
    """
    match plan:
        case SinglePlan():
            return berger(_places(entries))
        case RoundRobinPlan():
            return berger(_places(entries), cycles=plan.cycles)
        case GroupsKnockoutPlan():
            return group_draws(groups_of(on_time(entries), plan.groups), cycles=plan.cycles)
        case _:
            return ()


def schedule_left(plan: FormatPlan, state: TournamentState) -> tuple[Draw, ...]:
    """Return the rounds of the schedule that are not drawn, to be published at once; empty in other formats.

    Who has left gives all those matches away, who is away only that of the next round.

    :raises ScheduleError: if there are fewer than two entries, in a group too.
    """
    draws = schedule(plan, took_part(state))[state.last_number :]
    later = replace(state, away=())
    return tuple(_with_walkovers(draw, state if place == 0 else later) for place, draw in enumerate(draws))


def session_left(plan: LeaguePlan, state: TournamentState) -> tuple[Draw, ...]:
    """Return the rounds that the session which is played still has, where it has begun and is a round robin."""
    session = session_alone(state)
    if plan.pairing is SessionPairing.SWISS or not session.rounds:
        return ()
    before = state.last_number - session.last_number
    later = replace(session, away=())
    draws = _session_draws(plan, state)[session.last_number :]
    return tuple(
        replace(_with_walkovers(draw, session if place == 0 else later), number=before + draw.number)
        for place, draw in enumerate(draws)
    )


# -- formats with a schedule: round robins, and groups before their knockout


def _places(entries: Sequence[Participant]) -> tuple[int, ...]:
    """Return the entries in the order of a schedule's places; the free one goes to the first that came late."""
    there = by_seed(on_time(entries))
    late = sorted(
        (entry for entry in entries if entry.joined_round > 1),
        key=lambda entry: (entry.joined_round, entry.seed, entry.number),
    )
    return (*there, *(entry.number for entry in late[: len(there) % 2]))


def _placed(
    plan: SinglePlan | RoundRobinPlan | GroupsKnockoutPlan, entries: Sequence[Participant]
) -> tuple[int, ...]:
    """Return who has a place in the schedule."""
    if isinstance(plan, GroupsKnockoutPlan):
        return tuple(entry for group in groups_of(on_time(entries), plan.groups) for entry in group)
    return _places(entries)


def _next_of_schedule(plan: SinglePlan | RoundRobinPlan | GroupsKnockoutPlan, state: TournamentState) -> Next:
    try:
        draws = schedule(plan, took_part(state))
    except ScheduleError:
        return _too_few([entry for entry in state.entries if entry.active], number=state.last_number + 1)
    placed = _placed(plan, took_part(state))
    if state.last_number < len(draws):
        left_out = _left_out(placed, state)
        return Next(step=NextStep.DRAW, number=state.last_number + 1, left_out=left_out)
    if not isinstance(plan, GroupsKnockoutPlan):
        return _over_or_wait(state, placed)
    if not are_groups_over(plan, state):
        return replace(_over_or_wait(state, placed), number=len(draws) + 1)
    return _next_tie(bracket_after_groups(plan, state), state, placed)


def _draw_of_schedule(plan: SinglePlan | RoundRobinPlan | GroupsKnockoutPlan, state: TournamentState) -> Draw:
    if isinstance(plan, GroupsKnockoutPlan) and state.last_number >= len(group_schedule(plan, state)):
        return _draw_tie(bracket_after_groups(plan, state), state, order_after_groups(plan, state))
    return _with_walkovers(schedule(plan, took_part(state))[state.last_number], state)


def _with_walkovers(draw: Draw, state: TournamentState) -> Draw:
    """Return the draw of a schedule as it can be played: the absent give their matches away.

    Who has left has no bye either, and who meets an entry that comes only later has one.
    """
    absent = state.absent
    gone = {entry.number for entry in state.entries if not entry.active}
    late = {entry.number for entry in state.entries if entry.joined_round > draw.number}
    pairings = tuple(
        replace(pairing, given_away_by=tuple(entry for entry in _both(pairing) if entry in absent))
        for pairing in draw.pairings
        if late.isdisjoint(_both(pairing))
    )
    left = [
        entry for pairing in draw.pairings for entry in _both(pairing) if late & {*_both(pairing)} - {entry}
    ]
    byes = (*draw.byes, *(ByeGiven(entry=entry, kind=ByeKind.PAIRING) for entry in left))
    return replace(draw, pairings=pairings, byes=tuple(bye for bye in byes if bye.entry not in gone | late))


def _both(pairing: Pairing) -> tuple[int, int]:
    return pairing.first, pairing.second


# -- Swiss


def _next_of_swiss(rounds: int, state: TournamentState) -> Next:
    number = state.last_number + 1
    if number > rounds or _open_matches(state.rounds):
        everybody = by_seed(state.entries)
        return replace(_over_or_wait(state, everybody), number=min(number, rounds))
    if len(state.playing) < 2:
        return _too_few(state.playing, number=number)
    return Next(step=NextStep.DRAW, number=number)


def _field(state: TournamentState) -> Field:
    seeds = {entry.number: entry.seed for entry in state.playing}
    return Field(
        number=state.last_number + 1,
        contestants=contestants(_rows(state), seeds=seeds, number=state.last_number + 1, scheme=state.scheme),
        forbidden=_among(state.forbidden, seeds),
        forced=_among(state.forced, seeds),
        away=state.away,
    )


def _rows(state: TournamentState) -> tuple[Row, ...]:
    return place_entries(SwissPlan(), state) if state.rows is None else state.rows


def _among(wishes: Iterable[Wish], playing: Iterable[int]) -> tuple[Wish, ...]:
    there = frozenset(playing)
    return tuple(wish for wish in wishes if there.issuperset(wish.entries))


# -- knockout


def _next_tie(bracket: Bracket, state: TournamentState, placed: Iterable[int]) -> Next:
    number = state.last_number + 1
    left_out = _left_out(placed, state)
    if bracket.next_round is not None:
        return Next(step=NextStep.DRAW, number=number, label=bracket.next_round.label, left_out=left_out)
    blocks = blocks_of(bracket.last_drawn) if bracket.last_drawn is not None else ()
    if blocks:
        return Next(step=NextStep.WAIT, number=number, blocks=blocks, left_out=left_out)
    return _over_or_wait(state, placed)


def _draw_tie(bracket: Bracket, state: TournamentState, order: Sequence[int]) -> Draw:
    assert bracket.next_round is not None
    return draw_ties(bracket.next_round, number=state.last_number + 1, order=order, absent=state.absent)


# -- league


def _next_of_league(plan: LeaguePlan, state: TournamentState) -> Next:
    session = session_alone(state)
    coming = _next_of_session(plan, state)
    before = state.last_number - session.last_number
    blocks = tuple(replace(block, round=block.round and block.round + before) for block in coming.blocks)
    is_last = state.session >= plan.sessions
    step = NextStep.NEXT_SESSION if coming.step is NextStep.OVER and not is_last else coming.step
    return replace(coming, step=step, number=coming.number + before, blocks=blocks, left_out=())


def _next_of_session(plan: LeaguePlan, state: TournamentState) -> Next:
    session = session_alone(state)
    if plan.pairing is SessionPairing.SWISS:
        return _next_of_swiss(plan.rounds, session)
    try:
        draws = _session_draws(plan, state)
    except ScheduleError:
        return _too_few(session.playing, number=session.last_number + 1)
    if session.last_number < len(draws):
        return Next(step=NextStep.DRAW, number=session.last_number + 1)
    return _over_or_wait(session, by_seed(session.entries))


def _draw_of_league(plan: LeaguePlan, state: TournamentState, swiss: Drawing) -> Draw:
    session = session_alone(state)
    if plan.pairing is SessionPairing.SWISS:
        draw = swiss(_with_all_meetings(_field(session), state))
    else:
        draw = _with_walkovers(_session_draws(plan, state)[session.last_number], session)
    return replace(draw, number=state.last_number + 1)


def _with_all_meetings(field: Field, state: TournamentState) -> Field:
    """Return the field of a session with whom everybody met, and who had byes, in the sessions before it too."""
    everything = replace(state, scheme=of_matches(state.scheme), rows=None)
    tallies = {row.tally.entry: row.tally for row in _rows(everything)}
    return replace(
        field,
        contestants=tuple(
            replace(
                one,
                opponents=tuple(met.opponent for met in tallies[one.number].encounters),
                rounds=tuple(met.round for met in tallies[one.number].encounters),
                byes={bye.round: bye.kind for bye in tallies[one.number].unplayed},
            )
            for one in field.contestants
        ),
    )


def _session_draws(plan: LeaguePlan, state: TournamentState) -> tuple[Draw, ...]:
    """Return the rounds of the session that is played.

    :raises ScheduleError: if fewer than two are there.
    """
    session = session_alone(state)
    return session_schedule(plan, session, played_before=state.last_number - session.last_number)


# -- winner stays


def _sittings(plan: WinnerStaysPlan, state: TournamentState) -> tuple[Sitting, ...]:
    if state.time_over:
        return ()
    absent = state.absent
    there = [entry for entry in state.entries if entry.number not in absent]
    return next_sittings(plan, there, matches_of(state))


def _next_sitting(plan: WinnerStaysPlan, state: TournamentState) -> Next:
    number = state.last_number + 1
    if _sittings(plan, state):
        return Next(step=NextStep.DRAW, number=number)
    blocks = _open_matches(state.rounds)
    if blocks:
        return Next(step=NextStep.WAIT, number=number, blocks=blocks)
    if state.time_over:
        return Next(step=NextStep.OVER, number=state.last_number)
    return _too_few([entry for entry in state.entries if entry.active], number=number)


# -- what all formats share


def _open_matches(rounds: Iterable[PlayedRound]) -> tuple[Block, ...]:
    return tuple(
        Block(kind=BlockKind.OPEN_MATCH, round=one.number, table=match.table, entries=match.entries)
        for one in rounds
        for match in one.matches
        if match.is_open
    )


def _over_or_wait(state: TournamentState, placed: Iterable[int]) -> Next:
    blocks = _open_matches(state.rounds)
    step = NextStep.WAIT if blocks else NextStep.OVER
    return Next(step=step, number=state.last_number, blocks=blocks, left_out=_left_out(placed, state))


def _left_out(placed: Iterable[int], state: TournamentState) -> tuple[int, ...]:
    active = {entry.number for entry in state.entries if entry.active}
    return tuple(sorted(active.difference(placed)))


def _too_few(playing: Iterable[Participant], *, number: int) -> Next:
    block = Block(kind=BlockKind.TOO_FEW_ENTRIES, entries=by_seed(playing))
    return Next(step=NextStep.WAIT, number=number, blocks=(block,))


def _not_now(coming: Next) -> PairingError:
    if not coming.blocks:
        return PairingError("there is no further round to draw")
    block = coming.blocks[0]
    reason = _REASONS[block.kind].format(table=block.table, round=block.round)
    return PairingError(reason, entries=tuple(sorted(block.entries)))
