"""What is recorded in scoresheets, deal by deal: what counts, and the revoke that a record tells of."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import F

from courtpiece.engine import Outcome, Rules, Seat, StatedRevoke
from scoring.models import Revision, RevisionKind, Scoresheet
from scoring.sheets import stored_outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedDeal:
    """A deal as it stands."""

    uid: UUID
    number: int
    revision: int
    dealer: Seat
    outcome: Outcome
    """What counts."""
    is_ruled: bool
    """Whether a director decided on it, or made it void: its record may say something else."""
    revoke: StatedRevoke | None
    """The established one that its record tells of; None where none counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedSheet:
    """A scoresheet with its deals, by number."""

    id: int
    uid: UUID
    rules: Rules
    deals: tuple[RecordedDeal, ...]


def recorded_sheets(scoresheet_ids: Collection[int]) -> dict[int, RecordedSheet]:
    """Return the scoresheets by id with what is recorded in them. Two queries."""
    deals: defaultdict[int, list[RecordedDeal]] = defaultdict(list)
    current = Revision.objects.filter(
        deal__scoresheet__in=list(scoresheet_ids), number=F("deal__revision")
    ).select_related("deal")
    for revision in current.defer("pcn").order_by("deal__number"):
        deals[revision.deal.scoresheet_id].append(_deal(revision))
    rows = Scoresheet.objects.filter(pk__in=list(scoresheet_ids)).values_list("pk", "uid", "rules")
    return {
        pk: RecordedSheet(id=pk, uid=uid, rules=Rules.parse(rules), deals=tuple(deals[pk]))
        for pk, uid, rules in rows
    }


def _deal(revision: Revision) -> RecordedDeal:
    deal = revision.deal
    is_ruled = deal.is_ruled or revision.kind == RevisionKind.VOID
    return RecordedDeal(
        uid=deal.uid,
        number=deal.number,
        revision=revision.number,
        dealer=Seat[deal.dealer],
        outcome=stored_outcome(revision),
        is_ruled=is_ruled,
        revoke=None if is_ruled else _revoke(revision.finding),
    )


def _revoke(finding: Any) -> StatedRevoke | None:
    """Return the first established revoke of a finding as it is kept."""
    established = (one for one in finding.get("revokes") or () if not one["corrected"])
    first = next(established, None)
    return None if first is None else StatedRevoke(Seat[first["seat"]], first["trick"])
