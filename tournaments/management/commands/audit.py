"""Check everything that is stored against what it was derived from."""

from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any, Final

from celery import current_app, signature
from celery.canvas import Signature
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from scoring.auditing import Difference
from tournaments import jobs
from tournaments.operations import auditing
from tournaments.tasks import audit_scoresheets, audit_standings

SECONDS_FOR_A_WORKER: Final = 3


class Command(BaseCommand):
    """``audit [--local]``."""

    help = (
        "Replay every stored record, derive every ledger and all standings anew, and report each difference. "
        "The exit status is 1 if there is one. The workers share the work; without them it is done here."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--local", action="store_true", help="do all the work here, without the workers")

    def handle(self, *args: Any, **options: Any) -> None:
        is_local = options["local"] or settings.CELERY_BROKER_URL.startswith("memory:")
        found = 0
        for difference in _found_here() if is_local else _found_by_workers():
            found += 1
            self.stdout.write(
                f"{difference.where}: {difference.what}: "
                f"stored {difference.stored}, derived {difference.derived}"
            )
        if found:
            raise CommandError(f"{found} differences", returncode=1)
        self.stdout.write("no difference: everything stored is what the records say")


def _found_here() -> Iterator[Difference]:
    for ids in auditing.sheet_chunks():
        yield from _differences(audit_scoresheets(ids))
    for collection_id in auditing.collections_with_standings():
        yield from _differences(audit_standings(collection_id))


def _found_by_workers() -> Iterator[Difference]:
    if not getattr(settings, "CELERY_TASK_ALWAYS_EAGER", False) and not current_app.control.ping(
        timeout=SECONDS_FOR_A_WORKER
    ):
        raise CommandError("no worker answers: start one, or say --local", returncode=2)
    for answer in [job.apply_async() for job in _jobs()]:
        yield from _differences(answer.get())


def _differences(answer: list[dict[str, Any]]) -> Iterator[Difference]:
    return (Difference(**found) for found in answer)


def _jobs() -> Iterator[Signature[Any]]:
    for ids in auditing.sheet_chunks():
        yield signature(jobs.AUDIT_SCORESHEETS, kwargs={"scoresheet_ids": ids})
    for collection_id in auditing.collections_with_standings():
        yield signature(jobs.AUDIT_STANDINGS, kwargs={"collection_id": collection_id})
