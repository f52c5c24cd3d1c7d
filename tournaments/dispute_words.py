"""The words for where two records of one deal part."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from courtpiece.engine import Award, Outcome, Seat, Team
from courtpiece.notation import Difference, Point

Words = str | Promise

SEATS: Final[Mapping[str, Words]] = {
    Seat.N.letter: gettext_lazy("North"),
    Seat.E.letter: gettext_lazy("East"),
    Seat.S.letter: gettext_lazy("South"),
    Seat.W.letter: gettext_lazy("West"),
}
SIDES: Final[Mapping[str, Words]] = {
    Team.NS.name: gettext_lazy("North–South"),
    Team.EW.name: gettext_lazy("East–West"),
    "void": pgettext_lazy("winner of a deal", "nobody"),
}
AWARDS: Final[Mapping[str, Words]] = {
    Award.WIN.value: pgettext_lazy("award", "a win"),
    Award.COURT.value: pgettext_lazy("award", "a court"),
    Award.GOON_COURT.value: pgettext_lazy("award", "a goon court"),
    Award.BAVNEY.value: pgettext_lazy("award", "a bavney"),
    Award.REVOKE.value: pgettext_lazy("award", "won by a revoke"),
    Award.VOID.value: pgettext_lazy("award", "void"),
}
_POINTS: Final[Mapping[Point, Words]] = {
    Point.DEALER: gettext_lazy("Dealer"),
    Point.RULES: gettext_lazy("Rules"),
    Point.HANDS: gettext_lazy("Hand of %(seat)s"),
    Point.FIRST_FIVE: gettext_lazy("First five cards of %(seat)s"),
    Point.TRUMP: gettext_lazy("Trump"),
    Point.CARD: gettext_lazy("Trick %(trick)d, card of %(seat)s"),
    Point.TRICK_WINNER: gettext_lazy("Trick %(trick)d, winner"),
    Point.REVOKE: gettext_lazy("Revoke"),
    Point.WINNER: gettext_lazy("Winner"),
    Point.TRICKS: gettext_lazy("Tricks"),
    Point.AWARD: gettext_lazy("What it was"),
}


def point_text(found: Difference) -> str:
    """Return at what point two records part: ``Trick 4, card of East``."""
    seat = _("somebody") if found.seat is None else str(SEATS[found.seat.letter])
    return str(_POINTS[found.point]) % {"trick": found.trick or 0, "seat": seat}


def value_text(point: Point, value: str) -> str:
    """Return what a record says at a point, in words where records have letters."""
    if not value:
        return _("nothing")
    if point in {Point.DEALER, Point.TRICK_WINNER}:
        return str(SEATS[value])
    if point is Point.WINNER:
        return str(SIDES[value])
    if point is Point.AWARD:
        return str(AWARDS[value])
    if point is Point.REVOKE:
        seat, _blank, trick = value.partition(" ")
        return _("%(seat)s in trick %(trick)s") % {"seat": SEATS[seat], "trick": trick}
    return value.replace("-", "–") if point is Point.TRICKS else value


def difference_text(found: Difference) -> str:
    """Return where two records part, in a sentence: first what is recorded, then what the other side has."""
    return _("%(point)s: recorded is %(one)s, the other side has %(other)s.") % {
        "point": point_text(found),
        "one": value_text(found.point, found.one),
        "other": value_text(found.point, found.other),
    }


def outcome_text(outcome: Outcome) -> str:
    """Return how a deal ended, shortly: ``East–West 7–0, a goon court``."""
    winner = outcome.winner
    if winner is None:
        return str(AWARDS[Award.VOID.value])
    tricks = f"{outcome.tricks.of(winner)}–{outcome.tricks.of(winner.other)}"
    text = f"{SIDES[winner.name]} \u2068{tricks}\u2069"
    return text if outcome.award is Award.WIN else f"{text}, {AWARDS[outcome.award.value]}"
