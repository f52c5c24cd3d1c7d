"""Charts, drawn as SVG of our own: the page's policy lets no script draw them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from courtpiece.project import words
from courtpiece.project.board import count_of, text_of
from courtpiece.project.words import word_for

DEAL_WIDTH: Final = 22
MIDDLE: Final = 44
HEIGHTS: Final[Mapping[str, int]] = {"win": 12, "revoke": 20, "court": 24, "goon-court": 30, "bavney": 40}
"""How tall the bar of an award is; a bavney would hide all else if 52 courts were drawn to scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One deal of the story of a match. ``up`` for NS, down for EW, neither for a deal that nobody won."""

    x: int
    y: int
    height: int
    team: str
    award: str
    address: str
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """A match deal by deal: who won, and how much."""

    bars: tuple[Bar, ...]
    width: int
    height: int
    middle: int
    description: str


def story_of(lines: Iterable[object]) -> Story:
    """Return the story of a scoresheet's ``lines``, as ``components/ledger.html`` takes them."""
    bars = tuple(_bar(place, line) for place, line in enumerate(lines))
    return Story(
        bars=bars,
        width=max(len(bars), 12) * DEAL_WIDTH,
        height=2 * MIDDLE,
        middle=MIDDLE,
        description=" ".join(bar.title + "." for bar in bars),
    )


def _bar(place: int, line: object) -> Bar:
    team, award = text_of(line, "winner"), text_of(line, "award")
    height = HEIGHTS.get(award, 0) if team else 0
    return Bar(
        x=place * DEAL_WIDTH + 2,
        y=MIDDLE - height if team == "NS" else MIDDLE,
        height=height,
        team=team,
        award=award,
        address=text_of(line, "address"),
        title=_title(count_of(line, "number") or 0, team, award),
    )


def _title(number: int, team: str, award: str) -> str:
    if not team:
        return _("Deal %(number)s: nobody's") % {"number": number}
    names = {"number": number, "team": word_for(words.TEAMS, team), "award": word_for(words.AWARDS, award)}
    # Translators: for example "Deal 3: North–South, Goon court".
    return _("Deal %(number)s: %(team)s, %(award)s") % names
