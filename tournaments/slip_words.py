"""What is wrong with a slip as it was keyed, in words."""

from collections.abc import Mapping
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from courtpiece.engine import Team
from tournaments.domain.keyed_slips import Difference, KeyedRow, KeyedSlip, TotalKind
from tournaments.domain.slip_keys import KeysError, KeysFault

SIDES: Final[Mapping[Team, str | Promise]] = {
    Team.NS: gettext_lazy("North–South"),
    Team.EW: gettext_lazy("East–West"),
}
_KEYS: Final[Mapping[KeysFault, str | Promise]] = {
    KeysFault.NO_SIDE: gettext_lazy("“%(odd)s” does not say who won: begin with n or e, or - for void."),
    KeysFault.UNKNOWN: gettext_lazy("“%(odd)s” means nothing here. The keys are explained above."),
    KeysFault.TWICE: gettext_lazy("“%(odd)s” says something a second time. Keep one of them."),
    KeysFault.TOO_MANY_TRICKS: gettext_lazy("“%(odd)s”: a deal has thirteen tricks."),
}
_TOTALS: Final[Mapping[TotalKind, str | Promise]] = {
    TotalKind.COURTS: gettext_lazy(
        "Courts of %(side)s: the slip says %(stated)d, the deals come to %(found)d."
    ),
    TotalKind.DEALS: gettext_lazy(
        "Deals won by %(side)s: the slip says %(stated)d, the deals come to %(found)d."
    ),
}


def said_keys(error: KeysError) -> str:
    """Return why keys are no line."""
    return str(_KEYS[error.fault]) % {"odd": error.odd[:40]}


def said_difference(one: Difference) -> str:
    """Return which total of the slip differs, and by what."""
    values = {"side": SIDES[one.team], "stated": one.stated, "found": one.found}
    return str(_TOTALS[one.kind]) % values


def said_score(row: KeyedRow) -> str:
    """Return that the running score of the slip first differs at this row."""
    if row.stated is None or row.after is None:
        raise LookupError("the row has no running score to differ")
    found = row.after.courts
    return _(
        "The running score first differs at deal %(number)d: the slip says %(ns)d–%(ew)d, "
        "the deals come to %(found_ns)d–%(found_ew)d."
    ) % {
        "number": row.number,
        "ns": row.stated.ns,
        "ew": row.stated.ew,
        "found_ns": found.ns,
        "found_ew": found.ew,
    }


def said_differences(slip: KeyedSlip, differences: tuple[Difference, ...]) -> list[str]:
    """Return everything in which the totals of the slip are not what its deals come to."""
    first = slip.first_other_score
    return [*map(said_difference, differences), *([said_score(first)] if first is not None else [])]
