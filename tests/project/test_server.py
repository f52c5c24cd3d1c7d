"""The processes of a server, as docker-compose.yml starts them, on PostgreSQL and Redis."""

import json
import os
import shlex
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from secrets import token_hex
from urllib.request import urlopen

import psycopg
import pytest
import yaml
from django.conf import settings
from websockets.sync.client import connect

from tests.processes import ROOT, free_port, manage, process, wait_until_well

pytestmark = [pytest.mark.postgres, pytest.mark.redis]

SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]


@pytest.fixture
def variables() -> Iterator[dict[str, str]]:
    """Give the variables of a site with a new database."""
    found = settings.DATABASES["default"]
    name = f"courtpiece_server_{token_hex(4)}"
    given = os.environ["DATABASE_URL"].rpartition("/")[0]
    address = f"{given.replace('postgresql://', 'postgres://')}/postgres".replace(
        "postgres://", "postgresql://", 1
    )
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
        yield {
            "DATABASE_URL": f"{given}/{name}",
            "REDIS_URL": os.environ["REDIS_URL"],
            "SECRET_KEY": token_hex(32),
            "SITE_URL": "http://127.0.0.1",
            "LOG_FORMAT": "text",
        }
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')
    assert found["ENGINE"] == "django.db.backends.postgresql"


def command_of(service: str, port: int) -> list[str]:
    """Return the command of a service, to be run by this environment's Python on another port."""
    words = shlex.split(SERVICES[service]["command"].replace("8000", str(port)).replace("--workers 2", ""))
    return words[1:] if words[0] == "python" else ["-m", *words]


def follow_an_import(port: int, live_port: int, variables: dict[str, str]) -> None:
    """See that a socket that follows a tournament is told of newer standings when a second table comes in."""

    def bring_in(table: int) -> None:
        words = ("--club", "server", "--tournament", "evening", "--create")
        manage("import_pcn", f"tests/golden/evening/table-{table}.pcn", *words, variables=variables)

    bring_in(1)
    with connect(f"ws://127.0.0.1:{live_port}/ws/tournaments/evening/") as socket:
        first = json.loads(socket.recv(timeout=60))
        bring_in(2)
        newer = json.loads(socket.recv(timeout=60))
        while newer["version"] <= first["version"]:
            newer = json.loads(socket.recv(timeout=60))
    with urlopen(f"http://127.0.0.1:{port}/tournaments/evening/", timeout=60) as page:
        assert "<table" in page.read().decode()


def test_web_live_worker_and_beat_make_one_site(variables: dict[str, str], tmp_path: Path) -> None:
    port, live_port = free_port(), free_port()
    manage(*command_of("migrate", port)[1:], variables=variables)
    manage("collectstatic", "--noinput", variables=variables)

    with ExitStack() as running:
        web, live, _worker, _beat = (
            running.enter_context(
                process(*command_of(service, at), variables=variables, log=tmp_path / f"{service}.log")
            )
            for service, at in (("web", port), ("live", live_port), ("worker", port), ("beat", port))
        )
        wait_until_well(port, site=web, seconds=60, log=tmp_path / "web.log")
        wait_until_well(live_port, site=live, seconds=60, log=tmp_path / "live.log")
        check = SERVICES["worker"]["healthcheck"]["test"]
        assert '"status": "ok"' in manage(*check[3:], variables=variables)
        follow_an_import(port, live_port, variables)
        assert "no difference" in manage("audit", variables=variables)

    for service in ("web", "live", "worker", "beat"):
        said = (tmp_path / f"{service}.log").read_text()
        assert "Traceback" not in said, said
