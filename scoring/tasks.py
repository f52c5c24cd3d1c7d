"""The background jobs of scoring."""

from celery import shared_task
from django.utils import timezone

from scoring import jobs
from scoring.operations import analyses


@shared_task(name=jobs.ANALYSE_DEAL)
def analyse_deal(revision_id: int) -> None:
    """Analyse a revision of a deal, unless that is done."""
    analyses.analyse_revision(revision_id=revision_id, clock=timezone.now)


@shared_task(name="scoring.sweep_analyses")
def sweep_analyses() -> None:
    """Queue the analyses that have waited too long."""
    analyses.sweep_analyses(now=timezone.now())
