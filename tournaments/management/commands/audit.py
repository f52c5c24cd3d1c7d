"""Check everything that is stored against what it was derived from."""

from argparse import ArgumentParser
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from time import monotonic
from typing import Any, Final

from celery import current_app, signature
from celery.canvas import Signature
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, OutputWrapper

from scoring.auditing import SizeOfAudit, size_of_audit
from scoring.domain.differences import Difference
from scoring.queries import rated_clubs
from tournaments import jobs
from tournaments.operations import auditing
from tournaments.tasks import audit_ratings, audit_scoresheets, audit_standings

SECONDS_FOR_A_WORKER: Final = 3
SECONDS_BETWEEN_TELLING: Final = 10
JOBS_AHEAD: Final = 64
"""Jobs that wait in the queue at most: standings that are asked for meanwhile stand behind no more than these."""

Answer = tuple[int, list[dict[str, Any]]]
"""How many scoresheets were looked at, and what differs."""


class Command(BaseCommand):
    """``audit [--local]``."""

    help = (
        "Replay every stored record, derive every ledger, all standings and ratings anew, and report each difference. "
        "The exit status is 1 if there is one. The workers share the work; without them it is done here. "
        "How far it is stands on the standard error."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--local", action="store_true", help="do all the work here, without the workers")

    def handle(self, *args: Any, **options: Any) -> None:
        is_local = options["local"] or settings.CELERY_BROKER_URL.startswith("memory:")
        progress = Progress(self.stderr, size_of_audit())
        found = 0
        for difference in progress.through(_answers_here() if is_local else _answers_of_workers()):
            found += 1
            self.stdout.write(
                f"{difference.where}: {difference.what}: "
                f"stored {difference.stored}, derived {difference.derived}"
            )
        if found:
            raise CommandError(f"{found} differences", returncode=1)
        self.stdout.write("no difference: everything stored is what the records say")


class Progress:
    """Says how far the audit is: every ten seconds, and at the end."""

    def __init__(self, out: OutputWrapper, size: SizeOfAudit) -> None:
        self._out = out
        self._size = size
        self._begun = self._told = monotonic()
        self._sheets = 0

    def through(self, answers: Iterable[Answer]) -> Iterator[Difference]:
        """Yield the differences, and tell what was looked at."""
        for sheets, differences in answers:
            yield from (Difference(**found) for found in differences)
            self._sheets += sheets
            if monotonic() - self._told >= SECONDS_BETWEEN_TELLING:
                self._told = monotonic()
                self._tell()
        self._tell()

    def _tell(self) -> None:
        deals = self._size.deals * self._sheets // max(self._size.sheets, 1)
        seconds = monotonic() - self._begun
        self._out.write(
            f"{self._sheets:,} of {self._size.sheets:,} scoresheets, about {deals:,} deals, "
            f"in {seconds:,.0f} s: {deals / max(seconds, 0.001):,.0f} deals/s"
        )


def _answers_here() -> Iterator[Answer]:
    for ids in auditing.sheet_chunks():
        yield len(ids), audit_scoresheets(ids)
    for collection_id in auditing.collections_with_standings():
        yield 0, audit_standings(collection_id)
    for club_id in rated_clubs():
        yield 0, audit_ratings(club_id)


def _answers_of_workers() -> Iterator[Answer]:
    if not getattr(settings, "CELERY_TASK_ALWAYS_EAGER", False) and not current_app.control.ping(
        timeout=SECONDS_FOR_A_WORKER
    ):
        raise CommandError("no worker answers: start one, or say --local", returncode=2)
    asked = ((sheets, job.apply_async()) for sheets, job in _jobs())
    waiting = deque(islice(asked, JOBS_AHEAD))
    while waiting:
        sheets, answer = waiting.popleft()
        yield sheets, answer.get()
        waiting += islice(asked, 1)


def _jobs() -> Iterator[tuple[int, Signature[Any]]]:
    for ids in auditing.sheet_chunks():
        yield len(ids), signature(jobs.AUDIT_SCORESHEETS, kwargs={"scoresheet_ids": ids})
    for collection_id in auditing.collections_with_standings():
        yield 0, signature(jobs.AUDIT_STANDINGS, kwargs={"collection_id": collection_id})
    for club_id in rated_clubs():
        yield 0, signature(jobs.AUDIT_RATINGS, kwargs={"club_id": club_id})
