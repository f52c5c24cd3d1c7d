"""The background jobs of tournaments."""

from dataclasses import asdict
from typing import Any

from celery import shared_task
from django.utils import timezone

from scoring import auditing as scoring
from tournaments import jobs
from tournaments.operations import auditing, deliveries, live, ratings, standings


@shared_task(name=jobs.COMPUTE_STANDINGS)
def compute_standings(collection_id: int, version: int | None = None) -> None:
    """Compute the standings of the collection's tournament, unless they are at that version or somebody does.

    What happened is prepared for webhooks with it: every write asks for this task, and needs no second one.
    """
    standings.keep_current(collection_id=collection_id, clock=timezone.now, wanted=version)
    deliveries.fan_out(collection_id=collection_id, clock=timezone.now)


@shared_task(name="tournaments.sweep_standings")
def sweep_standings() -> None:
    """Queue every tournament whose standings are behind."""
    standings.sweep_standings()


@shared_task(name=jobs.SEND_WEBHOOKS)
def send_webhooks() -> None:
    """Send webhooks what is due."""
    deliveries.send_webhooks(clock=timezone.now)


@shared_task(name="tournaments.sweep_webhooks")
def sweep_webhooks() -> None:
    """Prepare for webhooks what was forgotten, and have sent what is due."""
    deliveries.sweep_webhooks(clock=timezone.now)


@shared_task(name=jobs.RATE_MATCHES)
def rate_matches(collection_id: int, version: int | None = None) -> None:
    """Rate the finished matches of the collection's tournament, unless they are rated at that version."""
    ratings.rate_matches(collection_id=collection_id, wanted=version)


@shared_task(name="tournaments.sweep_ratings")
def sweep_ratings() -> None:
    """Queue every tournament whose matches are to be rated again."""
    ratings.sweep_ratings()


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


@shared_task(name=jobs.AUDIT_RATINGS, ignore_result=False)
def audit_ratings(club_id: int) -> list[dict[str, Any]]:
    """Rate the club's matches anew, and answer with what is stored otherwise."""
    return [asdict(difference) for difference in auditing.audit_ratings(club_id=club_id)]
