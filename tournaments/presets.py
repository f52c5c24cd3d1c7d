"""Tournaments as clubs play them, to begin from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.permissions import Visibility
from scoring.domain.results import Ranking, Scheme, TiebreakCode
from tournaments.domain.plans import (
    FormatPlan,
    GroupsKnockoutPlan,
    KnockoutPlan,
    LeaguePlan,
    LengthKind,
    MatchLength,
    RoundRobinPlan,
    SessionPoints,
    SwissPlan,
    WinnerStaysPlan,
)
from tournaments.schemes import DEFAULT_SCHEME, NewSession, NewTournament

_SWISS: Final = Scheme(
    tiebreaks=(
        TiebreakCode.BUCHHOLZ,
        TiebreakCode.COURTS_DIFFERENCE,
        TiebreakCode.COURTS_FOR,
        TiebreakCode.HEAD_TO_HEAD,
    )
)
_WINNER_STAYS: Final = Scheme(
    ranking=Ranking.COURTS,
    tiebreaks=(TiebreakCode.WINS, TiebreakCode.LONGEST_STAY, TiebreakCode.DEALS_WON),
)
_LEAGUE: Final = Scheme(
    ranking=Ranking.SESSION_POINTS,
    tiebreaks=(TiebreakCode.COURTS_DIFFERENCE, TiebreakCode.COURTS_FOR, TiebreakCode.WINS),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A tournament to begin from."""

    code: str
    title: Promise
    text: Promise
    plan: FormatPlan
    scheme: Scheme = DEFAULT_SCHEME
    rules: str = "court-piece"
    entries: int = 8
    """How many are usual: what a forecast begins with."""
    sessions: int = 1

    def new_tournament(self) -> NewTournament:
        """Return the tournament, a private draft without a name."""
        return NewTournament(
            name="",
            rules=self.rules,
            visibility=Visibility.PRIVATE,
            scheme=self.scheme,
            plan=self.plan,
            sessions=(NewSession(),) * self.sessions,
        )


def _minutes(amount: int) -> MatchLength:
    return MatchLength(LengthKind.MINUTES, amount)


_ALL: Final = (
    Preset(
        code="evening",
        title=_("Tuesday evening"),
        text=_("One match at each table, all at the same time: draw the tables and play."),
        plan=SwissPlan(rounds=1, match=_minutes(120), prizes=1),
    ),
    Preset(
        code="round-robin",
        title=_("Round robin for 4 to 8 pairs"),
        text=_("Everybody meets everybody once: the fairest way for a small field."),
        plan=RoundRobinPlan(match=_minutes(30)),
        entries=6,
    ),
    Preset(
        code="swiss",
        title=_("Swiss, three rounds"),
        text=_("For about 12 pairs in one evening: equals meet, and everybody plays every round."),
        plan=SwissPlan(rounds=3, match=_minutes(40)),
        scheme=_SWISS,
        entries=12,
    ),
    Preset(
        code="championship",
        title=_("Championship"),
        text=_("A Swiss of nine rounds over two days, for up to 200 pairs."),
        plan=SwissPlan(rounds=9, match=MatchLength(LengthKind.DEALS, 20), prizes=8),
        scheme=_SWISS,
        entries=64,
        sessions=2,
    ),
    Preset(
        code="winner-stays",
        title=_("Winner stays"),
        text=_("Who loses a match to a court makes room for the next pair in the queue."),
        plan=WinnerStaysPlan(tables=2),
        scheme=_WINNER_STAYS,
    ),
    Preset(
        code="knockout",
        title=_("Knockout"),
        text=_("Who loses is out; byes go to the best seeds."),
        plan=KnockoutPlan(match=_minutes(45), third_place=True),
        entries=16,
    ),
    Preset(
        code="groups",
        title=_("Groups, then knockout"),
        text=_("A round robin in each group, and the best of them play a knockout."),
        plan=GroupsKnockoutPlan(groups=4, qualifiers=2, match=_minutes(30), third_place=True),
        entries=16,
    ),
    Preset(
        code="league",
        title=_("League over eight evenings"),
        text=_("Three rounds an evening, points for places, the best six evenings count."),
        plan=LeaguePlan(sessions=8, rounds=3, points=SessionPoints.PLACES, best_of=6, match=_minutes(40)),
        scheme=_LEAGUE,
        entries=10,
        sessions=8,
    ),
)

PRESETS: Final[Mapping[str, Preset]] = {preset.code: preset for preset in _ALL}
"""By code, in the order in which they are offered."""
