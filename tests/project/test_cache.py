"""A server whose Redis is away: everything that is only kept there is missing, and nothing else."""

from uuid import uuid4

import pytest
from django.core.cache import caches
from pytest_django import Settings

from courtpiece.project.cache import ForgivingRedisCache
from tests.accounts.builders import AT
from tests.processes import free_port, manage
from tests.tournaments.tables import Device, a_text, a_tournament_with_links, an_item, became, the_secret
from tournaments.models import Standings, Tournament
from tournaments.operations.standings import keep_current


@pytest.fixture
def away(settings: Settings) -> ForgivingRedisCache:
    """Give a cache in a Redis where nothing listens, which is the site's."""
    settings.CACHES = {
        "default": {
            "BACKEND": "courtpiece.project.cache.ForgivingRedisCache",
            "LOCATION": f"redis://127.0.0.1:{free_port()}/0",
        }
    }
    cache = caches["default"]
    assert isinstance(cache, ForgivingRedisCache)
    return cache


def test_a_server_has_this_cache() -> None:
    variables = {
        "DATABASE_URL": "postgres://127.0.0.1:5432/none",
        "REDIS_URL": "redis://127.0.0.1:6379/0",
        "SECRET_KEY": "only-for-tests-" * 4,
        "SITE_URL": "http://127.0.0.1",
    }
    ask = "from django.core.cache import cache, caches; print(type(caches['default']).__name__)"

    assert manage("shell", "-v0", "-c", ask, variables=variables).strip() == "ForgivingRedisCache"


def test_a_cache_that_is_away_keeps_nothing_and_raises_nothing(away: ForgivingRedisCache) -> None:
    away.set("key", 1)
    away.delete_many(["key"])

    assert (away.get("key"), away.get("key", "otherwise"), away.get_many(["key"])) == (None, "otherwise", {})
    assert (away.has_key("key"), away.touch("key"), away.delete("key")) == (False, False, False)
    assert away.set_many({"key": 1}) == ["key"]
    assert away.get_or_set("key", lambda: 7) == 7
    with pytest.raises(ValueError, match="not found"):
        away.incr("key")


def test_whoever_asks_whether_it_is_first_is_first(away: ForgivingRedisCache) -> None:
    assert [away.add("lock", 1), away.add("lock", 1)] == [True, True]


@pytest.mark.django_db
def test_a_deal_is_taken_while_redis_is_away(away: ForgivingRedisCache) -> None:
    a_tournament_with_links()
    device = Device(the_secret())

    outcomes = device.outcomes(an_item(a_text(1)), an_item(a_text(1), operation_id=uuid4()))

    assert became(outcomes) == ["created", "duplicate"]
    assert device.look().status_code == 200


@pytest.mark.django_db
def test_standings_are_computed_while_redis_is_away(away: ForgivingRedisCache) -> None:
    a_tournament_with_links()
    tournament = Tournament.objects.get()
    Standings.objects.all().delete()

    keep_current(collection_id=tournament.collection_id, clock=lambda: AT)

    assert Standings.objects.get().version == tournament.collection.version


@pytest.mark.django_db
def test_pages_are_shown_while_redis_is_away(away: ForgivingRedisCache) -> None:
    a_tournament_with_links(visibility="public")

    answers = [
        Device("").client.get(f"/tournaments/rang/{page}") for page in ("", "standings/", "ranks/", "needs/")
    ]

    assert [answer.status_code for answer in answers] == [200] * 4
