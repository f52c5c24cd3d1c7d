"""The words for what an entry needs for a place."""

from collections.abc import Iterable, Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from scoring.domain.needs import Need, NeedStatus, Unknown
from scoring.domain.results import MatchEnd

_UNKNOWN: Final[Mapping[Unknown, str | Promise]] = {
    Unknown.TOO_MANY_OUTCOMES: gettext_lazy(
        "Unknown: too many matches that hang together are left to look at."
    ),
    Unknown.PAIRINGS_UNKNOWN: gettext_lazy("Unknown: it hangs on who meets whom in the rounds to come."),
    Unknown.NOT_BY_MATCH_POINTS: gettext_lazy(
        "Unknown: courts rank, and nobody knows how many will be made."
    ),
    Unknown.PLACES_OF_SESSIONS: gettext_lazy(
        "Unknown: the places of a session are worth points, and they hang on tie-breaks and on who comes."
    ),
    Unknown.BEST_SESSIONS: gettext_lazy(
        "Unknown: only the best sessions count, so that what one more is worth hangs on all of them."
    ),
}


def unknown_text(reason: Unknown) -> str:
    """Return why nothing can be said."""
    return str(_UNKNOWN[reason])


def need_text(need: Need) -> str:
    """Return what the entry needs as a sentence or two."""
    if need.unknown is not None:
        return unknown_text(need.unknown)
    if need.status is NeedStatus.SAFE:
        return _("Has it, whatever happens.")
    if need.status is NeedStatus.OUT:
        return _("Cannot reach it any more.")
    if need.status is NeedStatus.SHARED:
        return _("Shares it: nothing parts it from others, and there is not room for all.")
    if need.status is NeedStatus.SAFE_IF:
        return _("Has it with %(ways)s.") % {"ways": _ways(need)}
    return _by_others(need)


def _ways(need: Need) -> str:
    ways = [_way(*way) for way in least_ways(need)]
    # Translators: joins two ways of reaching a place: "2 wins or 1 win and 1 draw".
    return _(" or ").join(ways)


def _way(wins: int, draws: int, losses: int) -> str:
    """Return how an entry's own matches end: those that it may lose are not named."""
    parts = []
    if wins:
        parts.append(ngettext("%(number)d win", "%(number)d wins", wins) % {"number": wins})
    if draws:
        parts.append(ngettext("%(number)d draw", "%(number)d draws", draws) % {"number": draws})
    if not parts:
        return ngettext("%(number)d loss", "%(number)d losses", losses) % {"number": losses}
    # Translators: joins what one way is made of: "1 win and 1 draw".
    return _(" and ").join(parts)


def least_ways(need: Need) -> tuple[tuple[int, int, int], ...]:
    """Return the own results that suffice as wins, draws and losses, without those that are better than another."""
    ways = {_counted(own) for own in need.suffices}
    return tuple(sorted(way for way in ways if not any(_is_worse(other, way) for other in ways)))


def _counted(own: Iterable[MatchEnd]) -> tuple[int, int, int]:
    ends = list(own)
    return ends.count(MatchEnd.WIN), ends.count(MatchEnd.DRAW), ends.count(MatchEnd.LOSS)


def _is_worse(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    """Return whether the results of one, put in order, are nowhere better than those of the other, and differ."""
    return one != other and one[0] <= other[0] and one[0] + one[1] <= other[0] + other[1]


def _by_others(need: Need) -> str:
    """Return in how many of all outcomes it has the place, with the best of its own."""
    counts = {"reached": need.reached, "all": need.reached + need.tied + need.missed}
    said = _("Hangs on others: has it in %(reached)d of %(all)d ways in which everything can end.") % counts
    if need.tied:
        tied = ngettext(
            "In %(number)d more the tie-breaks decide.",
            "In %(number)d more the tie-breaks decide.",
            need.tied,
        )
        said = f"{said} {tied % {'number': need.tied}}"
    return said
