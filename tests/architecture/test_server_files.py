"""docker-compose.yml and the Dockerfile say what the code reads: commands, names of variables, ports."""

import importlib
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from celery import Celery
from celery.bin.celery import celery as celery_command
from django.core.management import get_commands

from courtpiece.project.environment import read_environment
from tests.recorded import Recorded

ROOT: Final = Path(__file__).resolve().parents[2]
COMPOSE: Final[dict[str, Any]] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
SERVICES: Final[dict[str, dict[str, Any]]] = COMPOSE["services"]
OURS: Final = ("migrate", "web", "worker", "beat")
CHOSEN: Final = {
    "POSTGRES_PASSWORD": "a1b2c3",
    "SECRET_KEY": "k" * 50,
    "SITE_URL": "https://cards.example.org",
}


def filled_in(text: str, values: Mapping[str, str] = CHOSEN) -> str:
    """Return ``text`` as Compose reads it: ``${NAME:-default}`` and ``${NAME:?complaint}`` replaced."""

    def value(match: re.Match[str]) -> str:
        name, kind, rest = match.groups()
        if name in values:
            return values[name]
        assert kind == ":-", f"{name} has no default and no value"
        return str(rest)

    return re.sub(r"\$\{([A-Z_]+)(:-|:\?)([^}]*)\}", value, text)


def environment_of(service: str) -> dict[str, str]:
    return {name: filled_in(str(value)) for name, value in SERVICES[service]["environment"].items()}


@pytest.mark.parametrize("service", OURS)
def test_every_variable_that_is_set_is_one_that_the_site_reads(service: str, tmp_path: Path) -> None:
    variables = Recorded(environment_of(service))

    environment = read_environment(variables, root=tmp_path)

    assert set(variables) - variables.asked == set()
    assert not environment.embedded
    assert environment.https


@pytest.mark.parametrize("service", OURS)
def test_the_addresses_are_those_of_the_services(service: str, tmp_path: Path) -> None:
    environment = read_environment(environment_of(service), root=tmp_path)
    database, postgres = environment.database, environment_of("postgres")

    assert (database["HOST"], database["PORT"]) == ("postgres", 5432)
    assert (database["USER"], database["PASSWORD"], database["NAME"]) == (
        postgres["POSTGRES_USER"],
        postgres["POSTGRES_PASSWORD"],
        postgres["POSTGRES_DB"],
    )
    assert environment.redis_url == "redis://valkey:6379/0"


@pytest.mark.parametrize("missing", ["SECRET_KEY", "SITE_URL", "POSTGRES_PASSWORD"])
def test_compose_refuses_to_start_without_what_has_no_default(missing: str) -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")

    assert re.search(rf"\$\{{{missing}:\?", text)


def test_the_web_process_listens_where_its_port_and_its_health_check_say() -> None:
    words = shlex.split(SERVICES["web"]["command"])
    (published,) = SERVICES["web"]["ports"]
    check = SERVICES["web"]["healthcheck"]["test"][-1]

    assert words[0] == "uvicorn"
    assert words[words.index("--port") + 1] == "8000"
    assert filled_in(published) == "127.0.0.1:8000:8000"
    assert "http://127.0.0.1:8000/healthz" in check
    assert "EXPOSE 8000" in (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_the_web_process_serves_the_application_that_exists() -> None:
    module, _, name = shlex.split(SERVICES["web"]["command"])[1].partition(":")

    assert callable(getattr(importlib.import_module(module), name))


@pytest.mark.parametrize(("service", "name"), [("worker", "worker"), ("beat", "beat")])
def test_the_celery_commands_are_commands_of_our_app(service: str, name: str) -> None:
    words = shlex.split(SERVICES[service]["command"])
    command = celery_command.commands[name]

    context = celery_command.make_context("celery", words[1:])
    rest = command.make_parser(context).parse_args(words[4:])[1]

    assert words[:2] == ["celery", "--app"]
    assert words[3] == name
    assert isinstance(importlib.import_module(f"{words[2]}.celery").app, Celery)
    assert rest == []


@pytest.mark.parametrize("service", ["migrate", "worker", "beat"])
def test_the_commands_of_manage_py_exist(service: str) -> None:
    texts = [
        SERVICES[service].get("command", ""),
        shlex.join(SERVICES[service].get("healthcheck", {}).get("test", [])),
    ]
    named = {found for text in texts for found in re.findall(r"manage\.py (\w+)", text)}

    assert named
    assert named <= set(get_commands())


def test_every_service_that_stays_has_a_health_check() -> None:
    without = {name for name, service in SERVICES.items() if "healthcheck" not in service}

    assert without == {"migrate"}


def test_what_is_stored_is_in_volumes() -> None:
    used = {
        volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())
    }

    assert used == set(COMPOSE["volumes"]) == {"postgres", "valkey"}


def test_the_site_waits_for_what_it_needs() -> None:
    assert SERVICES["migrate"]["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    for service in ("web", "worker", "beat"):
        assert SERVICES[service]["depends_on"] == {
            "migrate": {"condition": "service_completed_successfully"},
            "valkey": {"condition": "service_healthy"},
        }


def test_the_image_runs_as_a_user_without_rights() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()

    assert "USER courtpiece" in lines
    assert [line for line in lines if line.startswith("FROM")][-1] == "FROM python:3.11-slim-bookworm"
    assert any("--require-hashes" in line for line in lines)
