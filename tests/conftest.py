"""What every test may ask for, and which services the tests run on."""

import os
from typing import Any

import pytest

REQUIRED = os.environ.get("REQUIRE_SERVICES") == "1"


def _database_fault() -> str | None:
    """Return why the database cannot be used, ``None`` if it can."""
    from django.db import DatabaseError, connection

    if connection.vendor == "sqlite":
        return "DATABASE_URL does not name PostgreSQL" if REQUIRED else None
    try:
        connection.ensure_connection()
    except DatabaseError as error:
        return f"the database of DATABASE_URL cannot be reached: {error}"
    connection.close()
    return None


def _redis_fault() -> str | None:
    """Return why Redis cannot be used, ``None`` if it can."""
    import redis

    url = os.environ.get("REDIS_URL", "")
    if not url:
        return "REDIS_URL is not given"
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=3) as client:
            client.ping()
    except redis.RedisError as error:
        return f"the server of REDIS_URL cannot be reached: {error}"
    return None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what needs a service that is not there; where services are required, fail instead.

    :raises pytest.UsageError: if a service that is required cannot be reached.
    """
    database, redis = _database_fault(), _redis_fault()
    if REQUIRED and (faults := [fault for fault in (database, redis) if fault]):
        raise pytest.UsageError(f"REQUIRE_SERVICES=1, but {'; '.join(faults)}")
    for item in items:
        if database and _uses_database(item):
            item.add_marker(pytest.mark.skip(reason=database))
        if redis and (
            item.get_closest_marker("redis") or (os.environ.get("REDIS_URL") and _uses_sockets(item))
        ):
            item.add_marker(pytest.mark.skip(reason=redis))
        if item.get_closest_marker("postgres") and not _on_postgres():
            item.add_marker(pytest.mark.skip(reason="DATABASE_URL does not name PostgreSQL"))


def _uses_database(item: pytest.Item) -> bool:
    names: list[str] = getattr(item, "fixturenames", [])
    return bool(item.get_closest_marker("django_db")) or not {"db", "transactional_db"}.isdisjoint(names)


def _uses_sockets(item: pytest.Item) -> bool:
    return item.get_closest_marker("asyncio") is not None


def _on_postgres() -> bool:
    from django.db import connection

    return connection.vendor == "postgresql"


@pytest.fixture(scope="session", autouse=True)
def _tasks_are_known() -> None:
    """Load the task modules, without which a job that is started by name is not found when run eagerly."""
    from courtpiece.project.celery import app

    app.loader.import_default_modules()


@pytest.fixture(autouse=True)
def _fresh_cache(request: pytest.FixtureRequest) -> Any:
    """Give each test an empty cache."""
    from django.core.cache import cache

    yield
    if not os.environ.get("REDIS_URL"):
        cache.clear()
