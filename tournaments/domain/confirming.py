"""How the other pair confirms a deal that was entered at a table, or disputes it."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from uuid import UUID


class Holder(Enum):
    """Who holds a device at a table."""

    NS = "NS"
    EW = "EW"
    TABLE = "table"
    """It is the table's one device: both pairs look at it, so that what is entered on it has both for it."""


class Verdict(Enum):
    """What is said of a revision."""

    AGREE = "agree"
    DISPUTE = "dispute"
    STANDS = "stands"
    """A director looked at a dispute: what is recorded stands."""


class Confirmation(Enum):
    """How far a revision is confirmed."""

    WAITING = "waiting"
    AGREED = "agreed"
    DISPUTED = "disputed"


class AnswerFault(Enum):
    """Why a device cannot say anything of a revision."""

    OWN_DEVICE = "own-device"
    OWN_SIDE = "own-side"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entered:
    """By whom a revision was entered."""

    device: UUID
    holder: Holder | None
    """None: the device did not say who holds it."""


def why_not(entered: Entered, *, device: UUID, holder: Holder) -> AnswerFault | None:
    """Return why the device cannot say anything of what was entered: it takes another device, of the other pair."""
    if device == entered.device:
        return AnswerFault.OWN_DEVICE
    if holder is entered.holder and holder is not Holder.TABLE:
        return AnswerFault.OWN_SIDE
    return None


def confirmation_of(entered: Holder | None, said: Iterable[tuple[Holder | None, Verdict]]) -> Confirmation:
    """Return how far a revision is confirmed by what was said of it, the oldest first.

    Of each pair its last word counts. What a director lets stand is settled until somebody disputes it anew.
    """
    disputing: set[Holder | None] = set()
    is_agreed = entered is Holder.TABLE
    for holder, verdict in said:
        if verdict is Verdict.DISPUTE:
            disputing.add(holder)
            continue
        is_agreed = True
        if verdict is Verdict.STANDS:
            disputing.clear()
        disputing.discard(holder)
    if disputing:
        return Confirmation.DISPUTED
    return Confirmation.AGREED if is_agreed else Confirmation.WAITING
