"""Serve the site here, in one process, with everything that it needs: what `make run` calls."""

import logging
import os
import shlex
import socket
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import BaseCommand, CommandError, call_command
from django.db import DEFAULT_DB_ALIAS, OperationalError, connections
from django.db.migrations.executor import MigrationExecutor

from courtpiece.project import embedded
from courtpiece.project.environment import EVERY_ADDRESS, ROOT, Environment
from courtpiece.project.version import VERSION


class Command(BaseCommand):
    """Bring the database up to date, fill a new one with the demonstration club, and serve."""

    help = "Serve the site and work for it, in this process. HOST, PORT and DATABASE_URL say where."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--reload", action="store_true", help="start again when code changes")

    def handle(self, *_args: Any, **options: Any) -> None:
        if not settings.EMBEDDED:
            raise CommandError(
                "REDIS_URL is given, so this is a server: start the processes of docs/server.md instead."
            )
        if options["reload"]:
            _serve_and_reload()
        else:
            self._serve(settings.ENVIRONMENT)

    def _serve(self, environment: Environment) -> None:
        stop = embedded.Stop()
        with stop.heard():
            self._serve_until(stop, environment)
        self.stdout.write("Stopped.")

    def _serve_until(self, stop: embedded.Stop, environment: Environment) -> None:
        begun = time.monotonic()
        listener = self._listen(environment)
        self._prepare_database()
        from courtpiece.project.asgi import application  # noqa: PLC0415 - loads the whole site
        from courtpiece.project.celery import app  # noqa: PLC0415 - the same

        def say_started() -> None:
            self._say_where(environment, port=listener.getsockname()[1], seconds=time.monotonic() - begun)

        embedded.serve(application, app=app, listener=listener, stop=stop, started=say_started)

    def _listen(self, environment: Environment) -> socket.socket:
        try:
            return embedded.bind(environment.host, environment.port)
        except embedded.AddressUnusable as error:
            raise CommandError(str(error)) from error

    def _prepare_database(self) -> None:
        environment = settings.ENVIRONMENT
        environment.data_folder.mkdir(parents=True, exist_ok=True)
        try:
            _try_server()
            self._migrate()
        except OperationalError as error:
            said = " ".join(str(error).split())
            raise CommandError(f"DATABASE_URL: the database cannot be used: {said}") from error
        if environment.demo and not get_user_model().objects.exists():
            self.stdout.write("This is a new site: making the demonstration club …")
            call_command("demo", stdout=self.stdout, stderr=self.stderr)

    def _migrate(self) -> None:
        executor = MigrationExecutor(connections[DEFAULT_DB_ALIAS])
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            self.stdout.write("Bringing the database up to date …")
            call_command("migrate", verbosity=0, interactive=False)

    def _say_where(self, environment: Environment, *, port: int, seconds: float) -> None:
        addresses = "  and  ".join(f"http://{name}:{port}/" for name in _names(environment.host))
        self.stdout.write(f"\nCourt Piece {VERSION} is at {addresses}  (ready after {seconds:.1f} s)")
        self.stdout.write(
            "Sign in at /accounts/login/. "
            f"Forgotten? {_given_database()}.venv/bin/python manage.py changepassword EMAIL"
        )
        self.stdout.write(f"The data is in {settings.DATABASES['default']['NAME']}. Ctrl-C stops it.\n")
        self.stdout.flush()


def _try_server() -> None:
    """Ask a server of databases for one connection; the pool would try on for a while and say so each time."""
    connection: Any = connections[DEFAULT_DB_ALIAS]
    if connection.vendor == "postgresql":
        with connection.wrap_database_errors:
            connection.Database.connect(**connection.get_connection_params(), connect_timeout=10).close()


def _given_database() -> str:
    """Return what must stand before a command so that it is about this site; no password is printed."""
    url = os.environ.get("DATABASE_URL", "").strip()
    if not url:
        return ""
    return f"DATABASE_URL={shlex.quote(url) if url.startswith('sqlite:') else '…'} "


def _names(host: str) -> list[str]:
    """Return the names under which a browser reaches ``host``."""
    if host not in EVERY_ADDRESS:
        return [f"[{host}]" if ":" in host else host]
    return ["127.0.0.1", *_own_address()]


def _own_address() -> list[str]:
    """Return this machine's address in its network, if it is in one. Sends nothing."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))
            return [probe.getsockname()[0]]
    except OSError:
        return []


def _serve_and_reload() -> None:
    """Run this command in a process of its own, and again whenever a source changes."""
    from watchfiles import PythonFilter, run_process  # noqa: PLC0415 - for work on the site only

    logging.getLogger("watchfiles").setLevel(logging.ERROR)

    folders = [ROOT / name for name in ("courtpiece", "scoring", "tournaments")]
    command = f"{sys.executable} {ROOT / 'manage.py'} serve"
    run_process(
        *folders, target=command, target_type="command", watch_filter=PythonFilter(), callback=_say_changed
    )


def _say_changed(changes: Iterable[tuple[object, str]]) -> None:
    names = sorted({Path(path).relative_to(ROOT).as_posix() for _, path in changes})
    sys.stderr.write(f"\n{', '.join(names)} changed: starting again …\n")
