"""The site's own background jobs."""

from celery import shared_task
from django.utils import timezone

from courtpiece.project import health


@shared_task(name="project.report_worker")
def report_worker() -> None:
    """Leave word that a worker took a task just now."""
    health.record_worker(at=timezone.now())
