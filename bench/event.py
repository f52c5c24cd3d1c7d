"""How a large event runs on a server: ``python -m bench.event``, with ``DATABASE_URL`` and ``REDIS_URL``.

A Swiss of 200 pairs over nine rounds, in a database of its own that is removed afterwards, with the site as real
processes: uvicorn and a Celery worker. The simulator plays all but the last round; that one is entered by fifty tables
at once through the API, deal by deal, while it is watched how far the standings are behind.
"""

import argparse
import json
import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from queue import Queue
from random import Random
from secrets import token_hex
from statistics import quantiles
from tempfile import TemporaryDirectory
from threading import Event as Flag
from threading import Thread
from time import perf_counter
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

import psycopg

from courtpiece.notation.bench import Measurement

ROOT: Final = Path(__file__).resolve().parents[1]
TABLES: Final = 50
DEALS_OF_A_TABLE: Final = 8
BETWEEN_DEALS: Final = (0.5, 3.5)
"""Seconds that a table takes for a deal."""
PAGES: Final = (
    "",
    "?round=1",
    "standings/",
    "standings/?round=1",
    "ranks/",
    "needs/",
    "entries/",
    "entries/7/",
    "rulings/",
    "clock/",
    "manage/",
    "manage/room/",
    "manage/entries/",
    "manage/draw/",
    "manage/rulings/",
    "manage/print/",
    "manage/settings/",
)
VISITS: Final = 40
PAIRING_TARGET: Final = 1
CURRENT_TARGET: Final = 1
PAGE_TARGET: Final = 0.1


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.event", description="Run a large event on a server."
    )
    parser.add_argument("--entries", type=int, default=200, help="pairs (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=9, help="(default: %(default)s)")
    parser.add_argument("--deals", type=int, default=20, help="of a match (default: %(default)s)")
    parser.add_argument("--pages", action="store_true", help="a line for every page")
    options = parser.parse_args()
    if not os.environ.get("DATABASE_URL", "").startswith("postgres") or not os.environ.get("REDIS_URL"):
        raise SystemExit("give DATABASE_URL of a PostgreSQL server, and REDIS_URL")
    warnings.simplefilter("ignore")
    with TemporaryDirectory() as folder, server(Path(folder)) as port:
        for measurement in measurements(port, options):
            sys.stdout.write(f"{measurement.row()}\n")
            sys.stdout.flush()


@contextmanager
def server(folder: Path) -> Iterator[int]:
    """Run the site on a new database, and point this process at the same."""
    from tests.processes import free_port  # noqa: PLC0415 - what the tests start processes with

    given, _, _name = os.environ["DATABASE_URL"].rpartition("/")
    address = f"{given.replace('postgresql://', 'postgres://')}/postgres"
    name, port = f"courtpiece_event_{token_hex(4)}", free_port()
    os.environ |= {
        "DATABASE_URL": f"{given}/{name}",
        "SECRET_KEY": token_hex(32),
        "SITE_URL": f"http://127.0.0.1:{port}",
        "LOG_LEVEL": "WARNING",
        "DJANGO_SETTINGS_MODULE": "courtpiece.project.settings",
    }
    with psycopg.connect(address, autocommit=True) as connection, ExitStack() as running:
        connection.execute(f'CREATE DATABASE "{name}"')
        running.callback(lambda: connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'))
        for words in (("migrate", "--noinput", "-v0"), ("collectstatic", "--noinput", "-v0")):
            subprocess.run([sys.executable, "manage.py", *words], cwd=ROOT, check=True)
        web = f"uvicorn courtpiece.project.asgi:application --port {port} --ws websockets-sansio --log-level warning"
        worker = "celery --app courtpiece.project worker --concurrency 2 --loglevel warning"
        beat = f"celery --app courtpiece.project beat --loglevel warning --schedule {folder / 'beat'}"
        for place, service in enumerate((web, worker, beat)):
            log = running.enter_context((folder / f"{place}.log").open("wb"))
            process = subprocess.Popen(
                [sys.executable, "-m", *service.split()], cwd=ROOT, stdout=log, stderr=log
            )
            running.callback(_stop, process)
        _wait_for(port)
        yield port


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()


def _wait_for(port: int) -> None:
    for _ in range(600):
        try:
            with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
                if json.load(answer)["status"] == "ok":
                    return
        except OSError:
            pass
        time.sleep(0.1)
    raise SystemExit("the site does not answer")


def measurements(port: int, options: argparse.Namespace) -> Iterator[Measurement]:
    """Yield how long the draws, the standings and the pages of the event take."""
    import django  # noqa: PLC0415 - needs the variables

    django.setup()
    club = _club()
    slug, drawing, last = played_event(club, options)
    name = f"{options.entries} pairs, {options.rounds} rounds"
    yield Measurement(f"a round of {name}, drawn: the slowest", [max(drawing)], "s", most=PAIRING_TARGET)
    yield Measurement(f"a round of {name}, drawn", drawing, "s")
    _wait_until_current(slug)
    behind = entered_at_once(port, slug, club, last[:TABLES], Random(7))
    what = f"standings current after a deal, {len(behind)} deals of {TABLES} tables"
    yield Measurement(f"{what}: 95 %", [_slowest(behind)], "s", most=CURRENT_TARGET)
    yield Measurement("the same: half of them", [sorted(behind)[len(behind) // 2]], "s")
    _wait_until_current(slug)
    yield from of_pages(visited(port, slug), one_by_one=options.pages)


def of_pages(pages: Mapping[str, Sequence[float]], *, one_by_one: bool) -> Iterator[Measurement]:
    """Yield how long the pages took."""
    if one_by_one:
        for path, seconds in pages.items():
            yield Measurement(f"…/{path}: 95 %", [_slowest(seconds)], "s", most=PAGE_TARGET)
    path = max(pages, key=lambda path: _slowest(pages[path]))
    name = f"the slowest of {len(pages)} pages (…/{path}): 95 %"
    yield Measurement(name, [_slowest(pages[path])], "s", most=PAGE_TARGET)
    everything = [seconds for of_page in pages.values() for seconds in of_page]
    yield Measurement("all its pages: 95 %", [_slowest(everything)], "s", most=PAGE_TARGET)


def played_event(club: int, options: argparse.Namespace) -> tuple[str, list[float], Sequence[Any]]:
    """Play all rounds but the last, which is drawn. Return the address, how long the draws took, and the last round."""
    from django.utils import timezone  # noqa: PLC0415 - needs the settings

    from courtpiece.accounts.permissions import SERVER  # noqa: PLC0415 - needs the app registry
    from tournaments.operations import draws, rehearsal  # noqa: PLC0415 - needs the app registry

    rng = Random(2026)
    event = rehearsal.Event(entries=options.entries, rounds=options.rounds, deals=options.deals)
    slug = rehearsal.enter_event(actor=SERVER, club_id=club, event=event, at=timezone.now())
    drawing: list[float] = []
    played: tuple[rehearsal.PlayedMatch, ...] = ()
    for number in range(1, options.rounds + 1):
        rehearsal.record_matches(actor=SERVER, matches=played, at=timezone.now())
        act: dict[str, Any] = {"actor": SERVER, "slug": slug, "act_id": None, "at": timezone.now()}
        begun = perf_counter()
        drafted = draws.draft_round(**act, seed=number)
        drawing.append(perf_counter() - begun)
        draws.publish_round(**act, version=drafted.version, session=1, confirmed=True)
        played = rehearsal.simulate_round(slug=slug, number=number, event=event, rng=rng, actor=SERVER)
    return slug, drawing, played


def _slowest(seconds: Sequence[float]) -> float:
    """Return the 95th percentile."""
    return quantiles(seconds, n=20)[-1]


def _club() -> int:
    from django.utils import timezone  # noqa: PLC0415 - needs the settings

    from courtpiece.accounts import operations  # noqa: PLC0415 - needs the app registry
    from courtpiece.accounts.permissions import SERVER  # noqa: PLC0415 - needs the app registry

    return operations.create_club(
        actor=SERVER,
        name="Bench",
        slug="bench",
        timezone="Asia/Karachi",
        city="",
        country="",
        at=timezone.now(),
    )


def _tokens(club: int, count: int) -> list[str]:
    """Make scorers, each with a token: one for each table."""
    from django.utils import timezone  # noqa: PLC0415 - needs the settings

    from courtpiece.accounts import operations  # noqa: PLC0415 - needs the app registry
    from courtpiece.accounts.models import Role  # noqa: PLC0415 - needs the app registry
    from courtpiece.accounts.permissions import SERVER, Actor  # noqa: PLC0415 - needs the app registry

    made: list[str] = []
    for number in range(count):
        email = f"table-{number}@bench.example"
        user_id = operations.create_account(
            actor=SERVER,
            email=email,
            password=token_hex(16),
            display_name=f"Table {number}",
            at=timezone.now(),
        )
        operations.add_member(actor=SERVER, club_id=club, email=email, role=Role.SCORER, at=timezone.now())
        actor = Actor(user_id=user_id, roles={club: Role.SCORER})
        token = operations.create_token(actor=actor, name="table", scopes=["deals:write"], at=timezone.now())
        made.append(token.text)
    return made


def entered_at_once(port: int, slug: str, club: int, tables: Sequence[Any], rng: Random) -> list[float]:
    """Return for each deal how many seconds after its answer the standings were current with it."""
    watch = Watch(slug)
    answered: Queue[tuple[float, int]] = Queue()
    threads = [
        Thread(target=_enter, args=(port, token, table, Random(rng.random()), watch, answered))
        for token, table in zip(_tokens(club, len(tables)), tables, strict=True)
    ]
    with watch.looking():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        deals = [answered.get() for _ in range(answered.qsize())]
        watch.wait_for(max(version for _at, version in deals))
    return [max(watch.current_at(version) - at, 0.0) for at, version in deals]


def _enter(
    port: int, token: str, table: Any, rng: Random, watch: "Watch", answered: "Queue[tuple[float, int]]"
) -> None:
    for text in table.texts[:DEALS_OF_A_TABLE]:
        time.sleep(rng.uniform(*BETWEEN_DEALS))
        request = Request(
            f"http://127.0.0.1:{port}/api/v1/scoresheets/{table.scoresheet_uid}/deals",
            data=text.encode(),
            headers={
                "Authorization": f"Bearer {token}",
                "Content-Type": "text/vnd.courtpiece.pcn",
                "Idempotency-Key": str(uuid4()),
            },
        )
        try:
            with urlopen(request, timeout=60) as answer:
                answer.read()
        except HTTPError as error:
            raise RuntimeError(error.read().decode()) from error
        answered.put((perf_counter(), watch.version_now()))


class Watch:
    """Looks at the version of a tournament's standings, again and again."""

    def __init__(self, slug: str) -> None:
        self._address = os.environ["DATABASE_URL"].replace("postgres://", "postgresql://", 1)
        self._slug = slug
        self._seen: list[tuple[float, int]] = []
        self._stop = Flag()

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Look until the block ends."""
        thread = Thread(target=self._look)
        thread.start()
        try:
            yield
        finally:
            self._stop.set()
            thread.join()

    def _look(self) -> None:
        with psycopg.connect(self._address, autocommit=True) as connection:
            while not self._stop.is_set():
                version = self._one(
                    connection,
                    "SELECT s.version FROM tournaments_standings s JOIN tournaments_tournament t"
                    " ON t.id = s.tournament_id WHERE t.slug = %s",
                )
                if not self._seen or version > self._seen[-1][1]:
                    self._seen.append((perf_counter(), version))
                time.sleep(0.005)

    def version_now(self) -> int:
        """Return the version that a deal which was just answered has at most."""
        with psycopg.connect(self._address, autocommit=True) as connection:
            return self._one(
                connection,
                "SELECT c.version FROM scoring_collection c JOIN tournaments_tournament t"
                " ON t.collection_id = c.id WHERE t.slug = %s",
            )

    def _one(self, connection: psycopg.Connection[Any], query: Any) -> int:
        row = connection.execute(query, (self._slug,)).fetchone()
        return 0 if row is None else int(row[0])

    def wait_for(self, version: int) -> None:
        """Wait until the standings are at the version."""
        _until(lambda: bool(self._seen) and self._seen[-1][1] >= version)

    def current_at(self, version: int) -> float:
        """Return when standings of the version, or of a newer one, were first seen."""
        return next(at for at, seen in self._seen if seen >= version)


def _wait_until_current(slug: str) -> None:
    watch = Watch(slug)
    with watch.looking():
        watch.wait_for(watch.version_now())


def _until(holds: Callable[[], bool]) -> None:
    for _ in range(12_000):
        if holds():
            return
        time.sleep(0.005)
    raise SystemExit("the standings do not get current")


def visited(port: int, slug: str) -> dict[str, list[float]]:
    """Return the seconds of each page, asked for one after the other by the club's director."""
    cookie = _session()
    taken: dict[str, list[float]] = {path: [] for path in PAGES}
    for visit in range(VISITS + 1):
        for path, seconds in taken.items():
            request = Request(
                f"http://127.0.0.1:{port}/tournaments/{slug}/{path}", headers={"Cookie": cookie}
            )
            begun = perf_counter()
            with urlopen(request, timeout=60) as answer:
                answer.read()
            if visit:  # the first one fills the caches
                seconds.append(perf_counter() - begun)
    return taken


def _session() -> str:
    """Sign a site administrator in, and return the cookie."""
    from django.contrib.auth import SESSION_KEY  # noqa: PLC0415 - needs the settings
    from django.test import Client  # noqa: PLC0415 - needs the settings
    from django.utils import timezone  # noqa: PLC0415 - needs the settings

    from courtpiece.accounts import operations  # noqa: PLC0415 - needs the app registry
    from courtpiece.accounts.models import User  # noqa: PLC0415 - needs the app registry
    from courtpiece.accounts.permissions import SERVER  # noqa: PLC0415 - needs the app registry

    user_id = operations.create_account(
        actor=SERVER,
        email="admin@bench.example",
        password=token_hex(16),
        display_name="Admin",
        at=timezone.now(),
        is_site_admin=True,
    )
    client = Client()
    client.force_login(User.objects.get(pk=user_id))
    assert client.session[SESSION_KEY]
    return "; ".join(f"{name}={morsel.value}" for name, morsel in client.cookies.items())


if __name__ == "__main__":
    main()
