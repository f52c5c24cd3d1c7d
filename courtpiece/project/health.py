"""Whether the site is well: its database, its worker, its version."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.core.cache import cache
from django.db import DatabaseError, connection

from courtpiece.project.version import VERSION

WORKER_KEY: Final = "health.worker"
SILENT_AFTER: Final = timedelta(seconds=45)


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """What was found."""

    database: bool
    worker_heard: datetime | None
    """When a worker last took a task, if that is known."""

    def worker_lives(self, *, at: datetime) -> bool:
        """Whether a worker was heard from shortly before ``at``."""
        return self.worker_heard is not None and at - self.worker_heard <= SILENT_AFTER


def report(found: Health, *, at: datetime) -> dict[str, object]:
    """Return what is said of ``found`` at ``at``.

    A silent worker makes standings late, not the site useless.
    """
    lives = found.worker_lives(at=at)
    return {
        "status": "ok" if found.database and lives else "degraded" if found.database else "down",
        "version": VERSION,
        "database": found.database,
        "worker": lives,
        "worker_heard": found.worker_heard,
    }


def record_worker(*, at: datetime) -> None:
    """Remember that a worker took a task at ``at``."""
    cache.set(WORKER_KEY, at, timeout=None)


def look() -> Health:
    """Ask the database and the cache. Two questions, neither of which can fail the asking."""
    return Health(database=_database_answers(), worker_heard=_worker_heard())


def _database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return False
    return True


def _worker_heard() -> datetime | None:
    try:
        heard = cache.get(WORKER_KEY)
    except (OSError, ValueError):
        return None
    return heard if isinstance(heard, datetime) else None
