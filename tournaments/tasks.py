"""The background jobs of tournaments."""

from dataclasses import asdict
from typing import Any

from celery import shared_task
from django.utils import timezone

from scoring import auditing as scoring
from tournaments import jobs
from tournaments.operations import auditing, live, standings


@shared_task(name=jobs.COMPUTE_STANDINGS)
def compute_standings(collection_id: int, version: int | None = None) -> None:
    """Compute the standings of the collection's tournament, unless they are at that version or somebody does."""
    standings.keep_current(collection_id=collection_id, clock=timezone.now, wanted=version)


@shared_task(name="tournaments.sweep_standings")
def sweep_standings() -> None:
    """Queue every tournament whose standings are behind."""
    standings.sweep_standings()


@shared_task(name="tournaments.sweep_live_states")
def sweep_live_states() -> None:
    """Forget what tables showed long ago."""
    live.sweep_live_states(clock=timezone.now)


@shared_task(name=jobs.AUDIT_SCORESHEETS, ignore_result=False)
def audit_scoresheets(scoresheet_ids: list[int]) -> list[dict[str, Any]]:
    """Replay the deals of these scoresheets, and answer with what is stored otherwise."""
    return [asdict(difference) for difference in scoring.audit_scoresheets(scoresheet_ids)]


@shared_task(name=jobs.AUDIT_STANDINGS, ignore_result=False)
def audit_standings(collection_id: int) -> list[dict[str, Any]]:
    """Derive the standings of the collection's tournament anew, and answer with what is stored otherwise."""
    found = auditing.audit_standings(collection_id=collection_id, now=timezone.now())
    return [asdict(difference) for difference in found]
