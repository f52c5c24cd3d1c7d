"""How many entries a plan can have, and how many rounds are good for them."""

from math import ceil, log2

from tournaments.domain.plans import (
    FormatPlan,
    GroupsKnockoutPlan,
    PlanError,
    PlanFault,
    SinglePlan,
    SwissPlan,
)


def check_entries(plan: FormatPlan, entries: int) -> None:
    """Raise unless the format can be played by this many entries.

    :raises PlanError: if there are too few or too many, or rounds or qualifiers do not suit them.
    """
    least = fewest_entries(plan)
    if entries < least:
        raise PlanError(
            f"{entries} entries are too few.",
            field="entries",
            fault=PlanFault.TOO_FEW_ENTRIES,
            remedy=f"Take {least} or more.",
        )
    if isinstance(plan, SinglePlan) and entries > least:
        raise PlanError(
            "One match is between two entries.",
            field="entries",
            fault=PlanFault.TOO_MANY_ENTRIES,
            remedy="Choose another format, or two entries.",
        )
    if isinstance(plan, SwissPlan) and plan.rounds > most_rounds(entries):
        raise PlanError(
            "Somebody would have to meet the same opponent again.",
            field="rounds",
            fault=PlanFault.TOO_MANY_ROUNDS,
            remedy=f"Choose {most_rounds(entries)} or fewer.",
        )
    if isinstance(plan, GroupsKnockoutPlan) and plan.qualifiers > entries // plan.groups:
        raise PlanError(
            "The smallest group has fewer entries than qualify.",
            field="qualifiers",
            fault=PlanFault.TOO_MANY_QUALIFIERS,
            remedy=f"Choose {entries // plan.groups} or fewer.",
        )


def fewest_entries(plan: FormatPlan) -> int:
    """Return how many entries the format needs."""
    return 2 * plan.groups if isinstance(plan, GroupsKnockoutPlan) else 2


def most_rounds(entries: int) -> int:
    """Return how many rounds there can be in which nobody meets anybody twice, or has two byes."""
    return entries if entries % 2 else entries - 1


def advised_rounds(entries: int, *, places: int = 1) -> int:
    """Return how many rounds a Swiss needs so that one entry at most has won them all.

    For several ``places`` that must be clear, one round more each time that their number doubles.
    """
    if entries < 2:
        return 1
    wanted = ceil(log2(entries)) + ceil(log2(max(places, 1)))
    return max(1, min(wanted, most_rounds(entries)))
