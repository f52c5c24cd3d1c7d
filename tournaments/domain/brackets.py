"""The knockout of a tournament's plan: its bracket as the tournament stands, and how far everybody came."""

from dataclasses import replace

from tournaments.domain.berger import ScheduleError
from tournaments.domain.groups import bracket_order, group_draws, groups_of, qualified
from tournaments.domain.knockout import Bracket, follow, stages_of
from tournaments.domain.pairing import Draw
from tournaments.domain.plans import FormatPlan, GroupsKnockoutPlan, KnockoutPlan
from tournaments.domain.state import TournamentState, by_seed, on_time, took_part


def knockout_order(state: TournamentState) -> tuple[int, ...]:
    """Return who is in a knockout, the best seed first: who is in its first round, once that is drawn."""
    if not state.rounds:
        return by_seed(entry for entry in state.entries if entry.active)
    drawn = state.rounds[0].entries
    return by_seed(entry for entry in state.entries if entry.number in drawn)


def knockout_bracket(plan: KnockoutPlan, state: TournamentState) -> Bracket:
    """Return the bracket as the tournament stands."""
    return follow(knockout_order(state), state.rounds, third_place=plan.third_place)


def group_schedule(plan: GroupsKnockoutPlan, state: TournamentState) -> tuple[Draw, ...]:
    """Return the rounds of the groups.

    :raises ScheduleError: if a group has fewer than two entries.
    """
    return group_draws(groups_of(on_time(took_part(state)), plan.groups), cycles=plan.cycles)


def are_groups_over(plan: GroupsKnockoutPlan, state: TournamentState) -> bool:
    """Return whether every match of the groups is finished, or the knockout was drawn all the same.

    Groups that have too few entries to begin are not over.
    """
    try:
        last = len(group_schedule(plan, state))
    except ScheduleError:
        return False
    if len(state.rounds) != last:
        return len(state.rounds) > last
    return not any(match.is_open for one in state.rounds for match in one.matches)


def order_after_groups(plan: GroupsKnockoutPlan, state: TournamentState) -> tuple[int, ...]:
    """Return who goes on, as the bracket takes them; once its first round is drawn, who is in that."""
    last = len(group_schedule(plan, state))
    drawn = state.rounds[last].entries if len(state.rounds) > last else None
    going_on = qualified(
        groups_of(on_time(took_part(state)), plan.groups),
        replace(state, rounds=state.rounds[:last]),
        cycles=plan.cycles,
        qualifiers=plan.qualifiers,
        chosen=drawn,
    )
    return bracket_order(going_on)


def bracket_order_of(plan: KnockoutPlan | GroupsKnockoutPlan, state: TournamentState) -> tuple[int, ...]:
    """Return who is in the plan's bracket, as it takes them.

    :raises ScheduleError: if a group has fewer than two entries.
    """
    if isinstance(plan, KnockoutPlan):
        return knockout_order(state)
    return order_after_groups(plan, state)


def bracket_after_groups(plan: GroupsKnockoutPlan, state: TournamentState) -> Bracket:
    """Return the bracket of those who went on."""
    last = len(group_schedule(plan, state))
    return follow(order_after_groups(plan, state), state.rounds[last:], third_place=plan.third_place)


def stages(plan: FormatPlan, state: TournamentState) -> dict[int, int]:
    """Return how far each entry came in the plan's knockout, for the ranking: more is better, 0 is not in it.

    Empty in a format without one, and before the groups are over.
    """
    if isinstance(plan, KnockoutPlan):
        return dict.fromkeys(by_seed(state.entries), 0) | stages_of(knockout_bracket(plan, state))
    if isinstance(plan, GroupsKnockoutPlan) and are_groups_over(plan, state):
        return dict.fromkeys(by_seed(state.entries), 0) | stages_of(bracket_after_groups(plan, state))
    return {}
