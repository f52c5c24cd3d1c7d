"""The background jobs of tournaments."""

from celery import shared_task
from django.utils import timezone

from tournaments import jobs
from tournaments.operations import standings


@shared_task(name=jobs.COMPUTE_STANDINGS)
def compute_standings(collection_id: int) -> None:
    """Compute the standings of the collection's tournament."""
    standings.compute_standings(collection_id=collection_id, now=timezone.now())


@shared_task(name="tournaments.sweep_standings")
def sweep_standings() -> None:
    """Queue every tournament whose standings are behind."""
    standings.sweep_standings()
