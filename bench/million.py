"""A million deals in one database: ``python -m bench.million --database URL``, with ``REDIS_URL`` for the workers.

The simulator plays them into a folder of PCN files, once; ``manage.py import_folder`` takes them in, as it does for
anybody, ``manage.py audit`` replays them all, and the pages are asked for. The database stays, to be looked at.
"""

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import Pool
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Final

import psycopg

from bench.browsing import browsed
from bench.history import MILLION, History, write_history
from bench.services import ROOT, Part, free_port
from courtpiece.notation.bench import Measurement, judge_all, machine, material

IMPORT_TARGET: Final = 10_000
AUDIT_TARGET: Final = 15_000
MEMORY_TARGET: Final = 300
"""MiB of the largest process of the import, whatever the number of deals."""
JUDGED: Final = 500
SECONDS_OF_JUDGING: Final = 4
FEW: Final = 100_000
"""Deals below which nothing is held to a target: starting the processes takes longer than the work."""


def main() -> None:
    """Make the database where it is missing, measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.million", description="Take a million deals in, and audit them."
    )
    parser.add_argument("--database", required=True, metavar="URL", help="a PostgreSQL database, which stays")
    parser.add_argument("--anew", action="store_true", help="remove the database first, if it is there")
    parser.add_argument("--deals", type=int, default=MILLION, help="about so many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=History().seed, help="(default: %(default)s)")
    parser.add_argument("--processes", type=int, default=2, help="of import and audit (default: %(default)s)")
    parser.add_argument(
        "--folder", type=Path, help="where the files are, or are written (default: var/history-DEALS-SEED)"
    )
    parser.add_argument("--no-audit", action="store_true", help="leave the audit out")
    options = parser.parse_args()
    _point_at(options.database)
    history = History(deals=options.deals, seed=options.seed)
    folder = options.folder or ROOT / "var" / f"history-{options.deals}-{options.seed}"
    sys.stdout.write(f"{machine()}\n")
    found = measurements(history, folder, options.processes, anew=options.anew, skips_audit=options.no_audit)
    for measurement in found:
        sys.stdout.write(f"{measurement.row()}\n")
        sys.stdout.flush()


def _point_at(database: str) -> None:
    """Tell this process, and those that it starts, of the database."""
    os.environ |= {"DATABASE_URL": database, "LOG_LEVEL": "WARNING"}
    os.environ.setdefault("SECRET_KEY", token_hex(32))
    if os.environ.get("REDIS_URL"):
        os.environ.setdefault("SITE_URL", f"http://127.0.0.1:{free_port()}")


def measurements(
    history: History, folder: Path, processes: int, *, anew: bool, skips_audit: bool = False
) -> Iterator[Measurement]:
    """Yield how long everything takes; what is done already is not done again."""
    begun = perf_counter()
    written = len(list(folder.glob("*/*.pcn")))
    files = write_history(history, folder, processes=processes)
    if written < len(files):
        deals = (len(files) - written) * history.deals_of_a_tournament
        yield Measurement(
            "played by the simulator and written", [deals / (perf_counter() - begun)], "deals/s"
        )
    if make_database(os.environ["DATABASE_URL"], anew=anew):
        yield judged(processes)
        yield from imported(folder, processes)
    if not skips_audit:
        yield judged(processes)
        yield from audited(processes)
        yield judged(processes)
    yield from browsed(history.seed, has_targets=history.deals >= FEW)


def make_database(address: str, *, anew: bool) -> bool:
    """Return whether the database is to be filled: made, with the site's tables, where there is none."""
    server, _, name = address.replace("postgres://", "postgresql://", 1).rpartition("/")
    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        if anew:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)'.encode())
        row = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone()
        if row is None:
            connection.execute(f"CREATE DATABASE \"{name}\" TEMPLATE template0 ENCODING 'UTF8'".encode())
    _manage("migrate", "--noinput", "-v0")
    return deals_in_database() == 0


def deals_in_database() -> int:
    """Return how many deals the database has."""
    with psycopg.connect(os.environ["DATABASE_URL"].replace("postgres://", "postgresql://", 1)) as connection:
        row = connection.execute("SELECT count(*) FROM scoring_deal").fetchone()
        connection.rollback()
        connection.autocommit = True
        connection.execute("ANALYZE")
    return 0 if row is None else int(row[0])


def judged(processes: int) -> Measurement:
    """Return how fast so many processes judge records at once: what the other rates are to be held against.

    A machine that others share is at one time three times as fast as at another.
    """
    with Pool(processes) as pool:
        rates = pool.map(_rate_of_judging, range(processes), chunksize=1)
    return Measurement(f"records judged, {processes} processes, to compare", [sum(rates)], "deals/s")


def _rate_of_judging(_number: int) -> float:
    facts = material("court-piece", JUDGED).facts
    begun, count = perf_counter(), 0
    while perf_counter() - begun < SECONDS_OF_JUDGING:
        count += judge_all(facts)
    return count / (perf_counter() - begun)


@dataclass(slots=True)
class Spent:
    """What a command took."""

    seconds: float = 0
    of_processor: float = 0
    """Seconds of it and of those that it started; the database's server is not among them."""


@contextmanager
def _measured() -> Iterator[Spent]:
    spent, before = Spent(), resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = perf_counter()
    yield spent
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent.seconds = perf_counter() - begun
    spent.of_processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def imported(folder: Path, processes: int) -> Iterator[Measurement]:
    """Take the files in, and yield how fast."""
    with _measured() as spent:
        _manage("import_folder", str(folder), "--create", "--processes", str(processes))
    deals = deals_in_database()
    least = IMPORT_TARGET if deals >= FEW else None
    name = f"{deals:,} deals imported through PCN, {processes} processes"
    yield Measurement(name, [deals / spent.seconds], "deals/s", least=least)
    yield Measurement(
        "the same: processor, without PostgreSQL", [1e6 * spent.of_processor / deals], "µs a deal"
    )
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    most = MEMORY_TARGET if deals >= FEW else None
    yield Measurement("the same: memory of its largest process", [peak], "MiB", most=most)


def audited(processes: int) -> Iterator[Measurement]:
    """Audit everything by Celery's workers, and yield how fast; without ``REDIS_URL`` in one process."""
    deals = deals_in_database()
    has_workers = bool(os.environ.get("REDIS_URL"))
    with TemporaryDirectory() as folder, _worker(Path(folder), processes if has_workers else 0):
        begun = perf_counter()
        _manage("audit", *([] if has_workers else ["--local"]))
        seconds = perf_counter() - begun
    by = f"{processes} Celery processes" if has_workers else "one process"
    least = AUDIT_TARGET if has_workers and deals >= FEW else None
    yield Measurement(f"{deals:,} deals audited, {by}", [deals / seconds], "deals/s", least=least)


@contextmanager
def _worker(folder: Path, processes: int) -> Iterator[None]:
    if not processes:
        yield
        return
    words = f"celery --app courtpiece.project worker --concurrency {processes} --loglevel info"
    worker = Part(
        "worker",
        [sys.executable, "-m", *words.split()],
        folder / "worker.log",
        lambda part: " ready." in part.said(),
    )
    worker.start()
    try:
        worker.wait_until_ready()
        yield
    finally:
        worker.kill()


def _manage(*words: str) -> None:
    """Run a command of the site, whose own words go to the standard error.

    :raises SystemExit: if it fails.
    """
    done = subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, stdout=sys.stderr, check=False)
    if done.returncode:
        raise SystemExit(f"manage.py {words[0]} ended with {done.returncode}")


if __name__ == "__main__":
    main()
