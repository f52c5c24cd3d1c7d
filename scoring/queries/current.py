"""What stands of deals, and what somebody has in its place."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F
from django.utils.translation import gettext as _

from courtpiece.engine import Rules
from scoring.changes import REFUSED_WITHOUT_RULING, RecordRefused, one_record
from scoring.models import Deal, Revision, Scoresheet
from scoring.queries.scoresheets import SHEET_TREE
from scoring.records import SheetCode, judge
from scoring.sheets import tags_of_match


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentDeal:
    """A deal at the revision that stands."""

    uid: UUID
    scoresheet_id: int
    number: int
    revision: int


def current_deals(scoresheet_ids: Iterable[int]) -> dict[UUID, CurrentDeal]:
    """Return the deals of the scoresheets by their public ids. One query. For who has decided that they may be seen."""
    rows = Deal.objects.filter(scoresheet__in=list(scoresheet_ids)).order_by("scoresheet", "number")
    found = rows.values("uid", "scoresheet_id", "number", "revision")
    return {row["uid"]: CurrentDeal(**row) for row in found}


def current_texts(deal_uids: Iterable[UUID]) -> dict[UUID, str]:
    """Return the records that stand, as they are kept, by the deals' public ids. One query."""
    rows = Revision.objects.filter(deal__uid__in=list(deal_uids), number=F("deal__revision"))
    return dict(rows.values_list("deal__uid", "pcn"))


def offered_text(scoresheet_id: int, number: int, text: str) -> str:
    """Return another record of the deal of that number, as it would be kept. One query; nothing is written.

    :raises RecordRefused: if the text is not one record of this deal that could be written.
    """
    sheet = Scoresheet.objects.select_related(*SHEET_TREE).get(pk=scoresheet_id)
    judged = judge(one_record(text), rules=Rules.parse(sheet.rules), own=tags_of_match(sheet))
    problems = [one for one in judged.problems if one.kind in REFUSED_WITHOUT_RULING]
    if judged.is_readable and judged.record.deal != number:
        message = _("this record is of deal %(other)d, not of deal %(number)d")
        facts = {"other": judged.record.deal, "number": number}
        problems.append(judged.problem_at("Deal", SheetCode.OTHER_DEAL, message % facts))
    if problems:
        raise RecordRefused(problems)
    return judged.pcn
