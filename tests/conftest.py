"""What every test may ask for, and which services the tests run on."""

import os
from collections.abc import Iterator

import psycopg
import pytest
import redis
from django.conf import settings
from django.core.cache import cache
from django.utils import translation
from hypothesis import settings as hypothesis_settings

from courtpiece.project.celery import app
from tests.browser.chromium import chromium
from tests.settings import PREFIX

# How long one example takes says how busy the machine is.
hypothesis_settings.register_profile("unhurried", deadline=None)
hypothesis_settings.load_profile("unhurried")

REQUIRED = os.environ.get("REQUIRE_SERVICES") == "1"
REDIS_URL = os.environ.get("REDIS_URL", "")
BROWSER_REQUIRED = os.environ.get("REQUIRE_BROWSER") == "1"
ON_POSTGRES = settings.DATABASES["default"]["ENGINE"] == "django.db.backends.postgresql"


def _database_fault() -> str | None:
    """Return why the database cannot be used, ``None`` if it can."""
    if not ON_POSTGRES:
        return "DATABASE_URL does not name PostgreSQL" if REQUIRED else None
    found = settings.DATABASES["default"]
    try:
        psycopg.connect(
            host=found.get("HOST") or None,
            port=found.get("PORT") or None,
            user=found.get("USER") or None,
            password=found.get("PASSWORD") or None,
            dbname="postgres",
            connect_timeout=3,
        ).close()
    except psycopg.Error as error:
        return f"the server of DATABASE_URL cannot be reached: {error}"
    return None


def _redis_fault() -> str | None:
    """Return why Redis cannot be used, ``None`` if it can."""
    if not REDIS_URL:
        return "REDIS_URL is not given"
    try:
        with redis.Redis.from_url(REDIS_URL, socket_connect_timeout=3) as client:
            client.ping()
    except redis.RedisError as error:
        return f"the server of REDIS_URL cannot be reached: {error}"
    return None


def _browser_fault() -> str | None:
    """Return why no page can be tried in a browser, ``None`` if it can."""
    if ON_POSTGRES:
        return "pages are tried in a browser on the site of `make run`, where DATABASE_URL is not PostgreSQL"
    return None if chromium() else "no Chromium is found: install it, or name it in CHROMIUM"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a second run, on other services, leave out what would find there what it has found already."""
    parser.addoption("--only-services", action="store_true", help="only what uses the database or the broker")


def pytest_configure() -> None:
    """Look for the services and for the browser that are required.

    :raises pytest.UsageError: if one cannot be reached.
    """
    faults = [fault for fault in (_database_fault(), _redis_fault()) if fault] if REQUIRED else []
    if faults:
        raise pytest.UsageError(f"REQUIRE_SERVICES=1, but {'; '.join(faults)}")
    if BROWSER_REQUIRED and (fault := _browser_fault()):
        raise pytest.UsageError(f"REQUIRE_BROWSER=1, but {fault}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what needs a service that is not there and not required, and leave out what is not asked for."""
    if config.getoption("--only-services"):
        left_out = [item for item in items if not _uses_services(item)]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if _uses_services(item)]
    database, memory, browser = _database_fault(), _redis_fault(), _browser_fault()
    for item in items:
        if database and _uses_database(item):
            item.add_marker(pytest.mark.skip(reason=database))
        if memory and (item.get_closest_marker("redis") or (REDIS_URL and _uses_database(item))):
            item.add_marker(pytest.mark.skip(reason=memory))
        if item.get_closest_marker("postgres") and not ON_POSTGRES:
            item.add_marker(pytest.mark.skip(reason="DATABASE_URL does not name PostgreSQL"))
        if browser and item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason=browser))


def _uses_services(item: pytest.Item) -> bool:
    return any(map(item.get_closest_marker, ("redis", "postgres"))) or _uses_database(item)


def _uses_database(item: pytest.Item) -> bool:
    names: list[str] = getattr(item, "fixturenames", [])
    wanted = {"db", "transactional_db", "django_db_setup"}
    return bool(item.get_closest_marker("django_db")) or not wanted.isdisjoint(names)


@pytest.fixture(scope="session")
def _tasks_are_known() -> None:
    """Load the task modules, without which a job that is started by name is not found when run eagerly."""
    app.loader.import_default_modules()


@pytest.fixture(autouse=True)
def _nothing_is_remembered(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let a test that uses the site know the tasks, and leave nothing cached or sent to the next."""
    if not _uses_database(request.node) and not request.node.get_closest_marker("redis"):
        yield
        return
    request.getfixturevalue("_tasks_are_known")
    yield
    from tournaments.queries.state import kept_rounds

    kept_rounds.cache_clear()
    translation.activate(settings.LANGUAGE_CODE)
    if REDIS_URL:
        with redis.Redis.from_url(REDIS_URL) as client:
            if keys := list(client.scan_iter(match=f"{PREFIX}*", count=1000)):
                client.delete(*keys)
    else:
        cache.clear()
