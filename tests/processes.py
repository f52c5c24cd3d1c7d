"""Real processes of the site, for tests that need more than one."""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.error import URLError
from urllib.request import urlopen

ROOT: Final = Path(__file__).resolve().parents[1]
OUR_VARIABLES: Final = (
    "DATABASE_URL",
    "REDIS_URL",
    "SECRET_KEY",
    "SITE_URL",
    "ALLOWED_HOSTS",
    "HOST",
    "PORT",
    "DEBUG",
    "DEMO",
    "LOG_LEVEL",
    "DJANGO_SETTINGS_MODULE",
)


def free_port() -> int:
    """Return a port on which nothing listens now."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def variables_of(given: Mapping[str, str]) -> dict[str, str]:
    """Return this process's variables without the site's, but for those that are ``given``."""
    return {name: value for name, value in os.environ.items() if name not in OUR_VARIABLES} | dict(given)


def manage(*words: str, variables: Mapping[str, str]) -> str:
    """Run a command of ``manage.py`` and return what it printed."""
    command = [sys.executable, "manage.py", *words]
    done = subprocess.run(
        command, cwd=ROOT, env=variables_of(variables), capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def process(*words: str, variables: Mapping[str, str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Run a command of the environment's Python until the block ends, and see that it stops when told."""
    with log.open("wb") as output:
        started = subprocess.Popen(
            [sys.executable, *words], cwd=ROOT, env=variables_of(variables), stdout=output, stderr=output
        )
    try:
        yield started
    finally:
        started.terminate()
        try:
            started.wait(timeout=20)
        finally:
            started.kill()


def health_of(port: int) -> dict[str, Any]:
    """Return what ``/healthz`` says; empty while nothing answers."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=5) as answer:
            found: dict[str, Any] = json.load(answer)
            return found
    except (URLError, OSError):
        return {}


def wait_until_well(port: int, *, site: subprocess.Popen[bytes], seconds: float, log: Path) -> None:
    """Wait until the database answers and a worker was heard, or ``site`` stops by itself."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and site.poll() is None:
        if health_of(port).get("status") == "ok":
            return
        time.sleep(0.1)
    raise AssertionError(f"not well after {seconds} s: {health_of(port)}\n{log.read_text()}")
