"""What is answered to whoever changes deals: what became of each, and what stands in the way."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from courtpiece.accounts.permissions import Actor, Via
from courtpiece.accounts.refusals import Conflict
from scoring.models import MadeVia
from scoring.plans import Made, Origin, PlannedDeal
from scoring.records import RecordProblem

# -- what can go wrong


class DealConflict(Conflict):
    """The deal is recorded already, and says something else. Both texts are for a person to settle."""

    field = "text"

    def __init__(self, *, deal_uid: UUID, number: int, revision: int, current: str, offered: str) -> None:
        super().__init__(self._message() % {"revision": revision})
        self.deal_uid = deal_uid
        self.number = number
        self.revision = revision
        self.current = current
        self.offered = offered

    @staticmethod
    def _message() -> str:
        return _("The deal is recorded already (revision %(revision)d) and says something else.")

    @property
    def conflicts(self) -> tuple["DealConflict", ...]:
        """The conflict itself, as what holds several has them."""
        return (self,)

    def as_json(self) -> dict[str, object]:
        """Return what programs are told of it."""
        return {
            "deal": str(self.deal_uid),
            "current": {"revision": self.revision, "pcn": self.current},
            "offered": {"pcn": self.offered},
        }


class RevisionConflict(DealConflict):
    """Another revision came before this one. ``revision`` and ``current`` are what stands now."""

    @staticmethod
    def _message() -> str:
        return _("Somebody changed this deal in the meantime: revision %(revision)d stands now.")


class SheetConflict(Conflict):
    """Deals are recorded already, and say something else. ``conflicts`` has both texts of each."""

    field = "text"

    def __init__(self, conflicts: Sequence[DealConflict]) -> None:
        message = ngettext(
            "%(count)d deal is recorded already and says something else.",
            "%(count)d deals are recorded already and say something else.",
            len(conflicts),
        )
        super().__init__(message % {"count": len(conflicts)})
        self.conflicts = tuple(conflicts)


class OperationReused(Conflict):
    """The operation's id came before with something else to do. ``operation_id`` is the id."""

    def __init__(self, operation_id: UUID) -> None:
        super().__init__(
            _("The operation %(id)s was carried out before with other content.") % {"id": operation_id}
        )
        self.operation_id = operation_id


# -- what is answered


class Became(StrEnum):
    """What became of a record that was sent."""

    CREATED = "created"
    """A revision was written."""
    DUPLICATE = "duplicate"
    """It was written before, word for word; nothing was written now."""
    CONFLICT = "conflict"
    """The deal is recorded and says something else; nothing was written."""
    REJECTED = "rejected"
    """It, or another record of the same scoresheet, cannot be written as it stands; nothing was written."""


class DealAnswer(NamedTuple):
    """What became of one record."""

    number: int
    """The deal's number in its match; 0 where it could not be read."""
    became: Became
    deal_uid: UUID | None = None
    """None for a deal that was not there and was not written."""
    revision: int = 0
    """The revision that was written, or that stands; 0 where there is none."""
    problems: tuple[RecordProblem, ...] = ()
    """Those of this record; warnings too."""

    @property
    def is_at_fault(self) -> bool:
        """Whether this record was rejected for itself, not for another of its scoresheet."""
        return self.became is Became.REJECTED and bool(errors_of(self.problems))

    def as_json(self) -> dict[str, Any]:
        """Return the answer as an operation keeps it."""
        return {
            "number": self.number,
            "became": self.became.value,
            "deal_uid": str(self.deal_uid) if self.deal_uid is not None else None,
            "revision": self.revision,
            "problems": [problem.as_json() for problem in self.problems],
        }

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> "DealAnswer":
        """Return the answer that :meth:`as_json` wrote."""
        return DealAnswer(
            number=stored["number"],
            became=Became(stored["became"]),
            deal_uid=UUID(stored["deal_uid"]) if stored["deal_uid"] else None,
            revision=stored["revision"],
            problems=tuple(map(RecordProblem.from_json, stored["problems"])),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetAnswer:
    """What became of the records that were sent for one scoresheet, in their order."""

    scoresheet_id: int
    deals: tuple[DealAnswer, ...]

    @property
    def became(self) -> Became:
        """``created`` where something was written, ``duplicate`` where everything had been; else why not.

        ``conflict`` where all that is wrong is that deals are recorded and say something else.
        """
        found = {deal.became for deal in self.deals}
        if any(deal.is_at_fault for deal in self.deals):
            return Became.REJECTED
        worst_first = (Became.CONFLICT, Became.REJECTED, Became.CREATED)
        return next((became for became in worst_first if became in found), Became.DUPLICATE)

    @property
    def problems(self) -> tuple[RecordProblem, ...]:
        """All problems of all records; warnings too."""
        return tuple(problem for deal in self.deals for problem in deal.problems)


def errors_of(problems: Iterable[RecordProblem]) -> tuple[RecordProblem, ...]:
    """Return the problems for which a record is refused."""
    return tuple(problem for problem in problems if problem.severity == "error")


def answer_of(deal: PlannedDeal, became: Became) -> DealAnswer:
    """Return what became of a deal that was planned."""
    is_written = became is Became.CREATED
    return DealAnswer(
        number=deal.entry.number,
        became=became,
        deal_uid=deal.uid if is_written else None,
        revision=deal.revision if is_written else 0,
        problems=deal.problems,
    )


# -- what a write is kept under


def fingerprint_of(*parts: object) -> str:
    """Return what tells one question from another, whatever their ids."""
    return hashlib.sha256(repr(parts).encode()).hexdigest()


_VIA: Final = {
    Via.PAGE: MadeVia.PAGE,
    Via.API: MadeVia.API,
    Via.SOCKET: MadeVia.TABLE,
    Via.COMMAND: MadeVia.COMMAND,
    Via.TABLE: MadeVia.TABLE,
}


def made_by(actor: Actor, at: datetime, *, origin: Origin | None = None, is_file: bool = False) -> Made:
    """Return what the history says of whoever acts now."""
    if actor.via not in (Via.PAGE, Via.COMMAND):
        return Made(by_id=actor.user_id, via=_VIA[actor.via], at=at, source=source_of(actor))
    if origin is not None:
        return Made(by_id=actor.user_id, via=origin.via, at=at, source=origin.source)
    via = MadeVia.FILE if is_file else _VIA[actor.via]
    return Made(by_id=actor.user_id, via=via, at=at, source=source_of(actor))


def source_of(actor: Actor) -> str:
    """Return what the history names beside or in place of a person; empty for most."""
    return "" if actor.table is None else actor.table.name
