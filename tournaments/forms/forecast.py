"""The form that asks what a planned tournament would be like."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.domain.results import Scheme
from tournaments import sentences
from tournaments.domain.planning import Forecast, simulate_plan
from tournaments.domain.plans import (
    OPTIONS,
    FormatPlan,
    GroupsKnockoutPlan,
    KnockoutPlan,
    LeaguePlan,
    PlanError,
    RoundRobinPlan,
    SinglePlan,
    SwissPlan,
    WinnerStaysPlan,
    format_of,
)

MOST_ENTRIES: Final = 200
MOST_WORK: Final = 9_000
"""Matches that one forecast may play: about two seconds."""
MOST_RUNS: Final = 20
FEWEST_RUNS: Final = 3
SEED: Final = 1
"""The same plan has the same forecast."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """What the plan comes to with the number of entries that was asked about, and with numbers near it."""

    asked: Forecast
    near: tuple[Forecast, ...]
    """By the number of entries, the one that was asked about among them."""


class ForecastForm(forms.Form):
    """How many entries are expected."""

    entries = forms.IntegerField(
        label=gettext_lazy("Pairs that are expected"), min_value=2, max_value=MOST_ENTRIES
    )

    def forecast(self, plan: FormatPlan, scheme: Scheme) -> Outlook | None:
        """Return what the plan comes to; None where it cannot be played so, which the form then says."""
        entries: int = self.cleaned_data["entries"]
        work = work_of(plan, entries)
        if work * FEWEST_RUNS > MOST_WORK:
            self.add_error("entries", _("That is too much to be tried here. Ask about fewer pairs."))
            return None
        try:
            asked = _simulated(plan, entries, scheme, MOST_WORK // 2)
        except PlanError as error:
            option = next((one for one in OPTIONS[format_of(plan)] if one.name == error.field), None)
            self.add_error("entries", sentences.plan_fault(error, option))
            return None
        return Outlook(
            asked, tuple(sorted([asked, *_near(plan, entries, scheme)], key=lambda one: one.entries))
        )


def work_of(plan: FormatPlan, entries: int) -> int:
    """Return about how many matches the plan has with this many entries."""
    match plan:
        case SinglePlan():
            return 1
        case WinnerStaysPlan():
            return plan.tables * max(plan.minutes // 8, 1)
        case RoundRobinPlan():
            return plan.cycles * entries * (entries - 1) // 2
        case SwissPlan():
            return plan.rounds * entries // 2
        case KnockoutPlan():
            return entries
        case GroupsKnockoutPlan():
            return plan.cycles * entries * (entries // plan.groups + 1) // 2 + plan.groups * plan.qualifiers
        case LeaguePlan():
            return plan.sessions * plan.rounds * entries // 2


def _near(plan: FormatPlan, entries: int, scheme: Scheme) -> Iterator[Forecast]:
    """Yield the forecasts for some numbers of entries near this one, as far as the plan can be played by them."""
    if isinstance(plan, SinglePlan):
        return
    step = max(entries // 8, 1)
    for number in (entries - 2 * step, entries - step, entries + step, entries + 2 * step):
        if number >= 2 and work_of(plan, number) * FEWEST_RUNS <= MOST_WORK // 8:
            try:
                yield _simulated(plan, number, scheme, MOST_WORK // 8)
            except PlanError:
                continue


def _simulated(plan: FormatPlan, entries: int, scheme: Scheme, work: int) -> Forecast:
    runs = min(max(work // max(work_of(plan, entries), 1), FEWEST_RUNS), MOST_RUNS)
    return simulate_plan(plan, entries, scheme=scheme, rng=Random(SEED), runs=runs)  # noqa: S311 - matches nobody played
