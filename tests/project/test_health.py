"""/healthz, and the command for the health checks of processes that have no port."""

import json
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from courtpiece.project import health
from courtpiece.project.tasks import report_worker
from courtpiece.project.version import VERSION

pytestmark = pytest.mark.django_db


def test_it_says_that_no_worker_was_heard(client: Client) -> None:
    response = client.get("/healthz")

    assert response.status_code == HTTPStatus.OK
    assert response.json() == {
        "status": "degraded",
        "version": VERSION,
        "database": True,
        "worker": False,
        "worker_heard": None,
    }
    assert "no-store" in response["Cache-Control"]


def test_it_is_well_after_a_worker_took_a_task(client: Client) -> None:
    report_worker.delay()

    assert client.get("/healthz").json()["status"] == "ok"


def test_a_worker_that_was_heard_long_ago_is_silent() -> None:
    heard = datetime(2026, 11, 29, 18, 0, tzinfo=UTC)
    found = health.Health(database=True, worker_heard=heard)

    assert found.worker_lives(at=heard + timedelta(seconds=45))
    assert not found.worker_lives(at=heard + timedelta(seconds=46))


def test_it_costs_one_query(client: Client, django_assert_num_queries: object) -> None:
    with django_assert_num_queries(1):  # type: ignore[operator]  # pytest-django names no type
        client.get("/healthz")


def test_a_database_that_does_not_answer_is_bad_news(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "_database_answers", lambda: False)

    response = client.get("/healthz")

    assert response.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert response.json()["status"] == "down"


def test_the_command_fails_while_no_worker_was_heard() -> None:
    out = StringIO()

    call_command("health", stdout=out)
    with pytest.raises(SystemExit) as stopped:
        call_command("health", "--worker", stdout=out)

    assert stopped.value.code == 1
    assert json.loads(out.getvalue().splitlines()[0])["database"] is True


def test_the_command_is_content_after_a_worker_took_a_task() -> None:
    health.record_worker(at=timezone.now())

    call_command("health", "--worker", stdout=StringIO())

    assert connection.vendor in ("sqlite", "postgresql")
