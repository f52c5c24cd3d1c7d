"""The cache of a server: what is kept in Redis is only kept, so where Redis is away nothing is, and all goes on."""

import logging
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Final

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


class _WhereRedisAnswers:
    """A block that is left early, with a line in the log, where Redis does not answer."""

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Go on after the block."""
        is_away = isinstance(error, RedisError | OSError)
        if is_away:
            logger.warning("Redis does not answer: %s", error)
        return is_away


WHERE_REDIS_ANSWERS: Final = _WhereRedisAnswers()


_CLIENTS: Final[dict[object, Any]] = {}


class ForgivingRedisCache(RedisCache):
    """Django's cache in Redis, except that a Redis that does not answer is an empty cache and no error.

    A deal must be taken while Redis is restarted: nothing of the deal is there, only how often its phone asked. What
    is counted or locked there is then not counted and not locked: whoever relies on it must be safe without, as the
    standings are.

    A process has one pool of connections: Django makes a cache for each request, and each makes connections of its own.
    """

    _servers: list[str]
    _options: dict[str, Any]
    _class: Any

    @property
    def _cache(self) -> Any:
        """What speaks to Redis."""
        key = (tuple(self._servers), repr(sorted(self._options.items())))
        client = _CLIENTS.get(key)
        if client is None:
            client = _CLIENTS.setdefault(key, self._class(self._servers, **self._options))
        return client

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return what is kept, or the default."""
        with WHERE_REDIS_ANSWERS:
            return super().get(key, default, version)
        return default

    def get_many(self, keys: Iterable[str], version: int | None = None) -> dict[str, Any]:
        """Return what is kept of these."""
        with WHERE_REDIS_ANSWERS:
            found: dict[str, Any] = super().get_many(list(keys), version)
            return found
        return {}

    def has_key(self, key: str, version: int | None = None) -> bool:
        """Return whether it is kept."""
        with WHERE_REDIS_ANSWERS:
            return bool(super().has_key(key, version))
        return False

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Keep it where nothing is kept; who asks by this whether it is first, is first where Redis is away."""
        with WHERE_REDIS_ANSWERS:
            return bool(super().add(key, value, timeout, version))
        return True

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Keep it."""
        with WHERE_REDIS_ANSWERS:
            super().set(key, value, timeout, version)

    def set_many(
        self, data: Mapping[str, Any], timeout: Any = DEFAULT_TIMEOUT, version: int | None = None
    ) -> list[Any]:
        """Keep them, and return the keys of those that are not."""
        with WHERE_REDIS_ANSWERS:
            return list(super().set_many(dict(data), timeout, version))
        return list(data)

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Keep it longer."""
        with WHERE_REDIS_ANSWERS:
            return bool(super().touch(key, timeout, version))
        return False

    def delete(self, key: str, version: int | None = None) -> bool:
        """Forget it, and return whether it was kept."""
        with WHERE_REDIS_ANSWERS:
            return bool(super().delete(key, version))
        return False

    def delete_many(self, keys: Iterable[str], version: int | None = None) -> None:
        """Forget these."""
        with WHERE_REDIS_ANSWERS:
            super().delete_many(list(keys), version)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Count.

        :raises ValueError: if it is not kept, or Redis is away.
        """
        with WHERE_REDIS_ANSWERS:
            return int(super().incr(key, delta, version))
        raise ValueError(f"Key '{key}' not found.")
