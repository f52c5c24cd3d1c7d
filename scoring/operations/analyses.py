"""Everything that analyses deals: asked for by a person, found by a worker, kept with the revision."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils.translation import ngettext

from courtpiece.accounts.permissions import Action, Actor, Forbidden
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Refused
from scoring import queries
from scoring.derived import DealAnalysis
from scoring.domain.analyses import AnalysisJson, analysis_of, question_of
from scoring.jobs import ANALYSE_DEAL, enqueue_after_commit
from scoring.models import Revision
from scoring.queries.analyses import DealAnalysisPart, Reason
from scoring.records import read_kept
from scoring.solver import EndplaySolver, NotInstalled

logger = logging.getLogger(__name__)

MOST_WAITING: Final = 5
"""Analyses of one user that may wait at a time: each takes a worker some seconds."""
PATIENCE: Final = timedelta(minutes=2)
"""After which an analysis that nobody has found is queued again."""
SWEPT: Final = 20
"""Of those that wait, so many are queued again at once."""


class NoAnalysis(NotFound):
    """There is no analysis of the deal. ``reason_code`` says why, for programs."""

    def __init__(self, part: DealAnalysisPart) -> None:
        super().__init__(part.why_not)
        self.reason_code = "" if part.reason is None else part.reason.value


class TooManyWaiting(Refused):
    """Too many analyses that the same user asked for are waited for."""


@transaction.atomic(durable=True)
def ask_analysis(*, actor: Actor, deal_uid: UUID, at: datetime) -> DealAnalysisPart:
    """Have the deal analysed at its current revision, unless it is, or that is waited for; return what is known.

    Whoever is signed in and sees the deal's cards may ask.

    :raises NotFound: if there is no such deal.
    :raises Forbidden: if the actor may not see it, or is no user.
    :raises NoAnalysis: if it cannot be analysed, or not here, or its cards are kept from the actor.
    :raises TooManyWaiting: if too many that the user asked for are waited for.
    """
    part = queries.deal_analysis(deal_uid, actor=actor, now=at)
    if not actor.is_signed_in:
        raise Forbidden(Action.VIEW_TOURNAMENT)
    if part.found is not None or part.is_waiting:
        return part
    if part.reason is not Reason.NOT_ASKED:
        raise NoAnalysis(part)
    _check_patience(actor)
    _row, is_new = DealAnalysis.objects.get_or_create(
        revision_id=part.revision_id, defaults={"asked_by_id": actor.user_id, "asked_at": at}
    )
    if is_new:
        enqueue_after_commit(ANALYSE_DEAL, revision_id=part.revision_id)
    return queries.deal_analysis(deal_uid, actor=actor, now=at)


def _check_patience(actor: Actor) -> None:
    waiting = DealAnalysis.objects.filter(asked_by=actor.user_id, found_at__isnull=True).count()
    if waiting >= MOST_WAITING:
        message = ngettext(
            "%(count)d analysis that you asked for is not done yet. Wait for it.",
            "%(count)d analyses that you asked for are not done yet. Wait for them.",
            waiting,
        )
        raise TooManyWaiting(message % {"count": waiting})


def known_analysis(*, actor: Actor, deal_uid: UUID, now: datetime) -> DealAnalysisPart:
    """Return the analysis of the deal that is found, or that is waited for. As many queries as ``deal_analysis``.

    :raises NotFound: if there is no such deal.
    :raises Forbidden: if the actor may not see it.
    :raises NoAnalysis: if there is none, with the reason.
    """
    part = queries.deal_analysis(deal_uid, actor=actor, now=now)
    if part.reason is not None:
        raise NoAnalysis(part)
    return part


def analyse_revision(*, revision_id: int, clock: Callable[[], datetime]) -> bool:
    """Analyse the revision and keep what is found; return whether anything was kept.

    Nothing is done where nobody has asked, or it is done. Safe to run twice, late, and at the same time as itself: what
    is found is the same. Where the solver is not installed it waits; what the solver cannot do is kept as that.
    """
    waiting = DealAnalysis.objects.filter(pk=revision_id, found_at__isnull=True)
    if not waiting.exists():
        return False
    revision = Revision.objects.get(pk=revision_id)
    try:
        found: AnalysisJson | dict[str, object] = _analysis(revision)
    except NotInstalled:
        logger.warning("An analysis waits, and the solver is not installed in this worker")
        return False
    except Exception:
        # The solver is a foreign library: what it stumbles over once it stumbles over again.
        logger.exception("The solver failed on %s", revision)
        found = {}
    return waiting.update(found=found, found_at=clock()) == 1


def _analysis(revision: Revision) -> AnalysisJson:
    record = read_kept(revision.pcn).record
    if record is None:
        raise LookupError(f"{revision} cannot be read")
    return analysis_of(question_of(record, record.finding()), solver=EndplaySolver())


def sweep_analyses(*, now: datetime) -> int:
    """Queue the analyses that have waited too long, the first asked first; return how many. One query."""
    waiting = DealAnalysis.objects.filter(found_at__isnull=True, asked_at__lt=now - PATIENCE)
    ids = list(waiting.order_by("asked_at").values_list("pk", flat=True)[:SWEPT])
    for revision_id in ids:
        enqueue_after_commit(ANALYSE_DEAL, revision_id=revision_id)
    return len(ids)
