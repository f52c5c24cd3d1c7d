"""The cache of a server: what is kept in Redis is only kept, so where Redis is away nothing is, and all goes on."""

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

T = TypeVar("T")


class ForgivingRedisCache(RedisCache):
    """Django's cache in Redis, except that a Redis that does not answer is an empty cache and no error.

    A deal must be taken while Redis is restarted: nothing of the deal is there, only how often its phone asked. What
    is counted or locked there is then not counted and not locked: whoever relies on it must be safe without, as the
    standings are.
    """

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return what is kept, or the default."""
        return _or(default, lambda: super(ForgivingRedisCache, self).get(key, default, version))

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        """Return what is kept of these."""
        wanted = list(keys)
        return _or({}, lambda: super(ForgivingRedisCache, self).get_many(wanted, version))

    def has_key(self, key: str, version: int | None = None) -> bool:
        """Return whether it is kept."""
        return _or(False, lambda: super(ForgivingRedisCache, self).has_key(key, version))

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Keep it where nothing is kept; who asks by this whether it is first, is first where Redis is away."""
        return _or(True, lambda: super(ForgivingRedisCache, self).add(key, value, timeout, version))

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Keep it."""
        return _or(None, lambda: super(ForgivingRedisCache, self).set(key, value, timeout, version))

    def set_many(
        self, data: Mapping[str, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> list[Any]:
        """Keep them, and return the keys of those that are not."""
        return _or(list(data), lambda: super(ForgivingRedisCache, self).set_many(data, timeout, version))

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Keep it longer."""
        return _or(False, lambda: super(ForgivingRedisCache, self).touch(key, timeout, version))

    def delete(self, key: str, version: int | None = None) -> bool:
        """Forget it, and return whether it was kept."""
        return _or(False, lambda: super(ForgivingRedisCache, self).delete(key, version))

    def delete_many(self, keys: Iterable[str], version: int | None = None) -> None:
        """Forget these."""
        wanted = list(keys)
        return _or(None, lambda: super(ForgivingRedisCache, self).delete_many(wanted, version))

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Count.

        :raises ValueError: if it is not kept, or Redis is away.
        """
        counted = _or(None, lambda: super(ForgivingRedisCache, self).incr(key, delta, version))
        if counted is None:
            raise ValueError(f"Key '{key}' not found.")
        return counted


def _or(otherwise: T, ask: Callable[[], T]) -> T:
    """Return what Redis answers, or ``otherwise``."""
    try:
        return ask()
    except (RedisError, OSError) as error:
        logger.warning("Redis does not answer: %s", error)
        return otherwise
