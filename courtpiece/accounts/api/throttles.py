"""How often somebody may ask for what costs something.

What is counted is counted in the cache, by one step that nobody can come between: in Redis for all processes of a
server together, in memory where there is one process. Where Redis is away nothing is counted, and all goes on.
"""

import math
import time
from dataclasses import dataclass
from typing import ClassVar, Final

from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle
from rest_framework.views import APIView

from courtpiece.accounts.permissions import TokenGrant

RATE_LIMIT: Final = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "RateLimit-Policy")
"""The names by which most programs know what an answer says of the limit."""
_SECONDS: Final = {"s": 1, "min": 60, "hour": 3600}


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """How much somebody may still ask for, of one kind."""

    scope: str
    limit: int
    seconds: int
    """For which the limit is."""
    used: int
    reset: int
    """Seconds until the whole limit is there again."""

    @property
    def remaining(self) -> int:
        """How many more requests are answered until then."""
        return max(0, self.limit - self.used)

    @property
    def headers(self) -> dict[str, str]:
        """What an answer says of it."""
        policy = f'{self.limit};w={self.seconds};name="{self.scope}"'
        values = (str(self.limit), str(self.remaining), str(self.reset), policy)
        return dict(zip(RATE_LIMIT, values, strict=True))


class Throttle(BaseThrottle):
    """So many requests of a token, of a user who has signed in, or of an address without one.

    They are counted from the first one on for as long as ``rate`` says, and then anew. The address is that of the
    connection: a header that anybody can write would let anybody pass.
    """

    scope: ClassVar[str]
    rate: ClassVar[str]

    def __init__(self) -> None:
        self.allowance: Allowance | None = None

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Return whether the request is one of those that are answered, and count it."""
        limit, seconds = self._rate()
        who = self.who(request)
        now = time.time()
        until = _until(f"throttle:{self.scope}:{who}", now, seconds)
        used = _count(f"throttle:{self.scope}:{who}:{until}", seconds)
        self.allowance = Allowance(
            scope=self.scope, limit=limit, seconds=seconds, used=used, reset=max(1, math.ceil(until - now))
        )
        return used <= limit

    def wait(self) -> float | None:
        """Return in how many seconds to come again."""
        return None if self.allowance is None else self.allowance.reset

    def who(self, request: Request) -> str:
        """Return whose requests are counted together."""
        if isinstance(request.auth, TokenGrant):
            return f"token-{request.auth.token_id}"
        if request.user.is_authenticated:
            return f"user-{request.user.pk}"
        return str(request.META.get("REMOTE_ADDR"))

    def _rate(self) -> tuple[int, int]:
        limit, _slash, period = self.rate.partition("/")
        return int(limit), _SECONDS[period]


def _until(key: str, now: float, seconds: int) -> float:
    """Return until when is counted what is counted now."""
    until: float | None = cache.get(key)
    if until is not None and until > now:
        return until
    if until is not None:
        cache.delete(key)
    mine = now + seconds
    cache.add(key, mine, timeout=seconds)
    kept: float = cache.get(key, mine)
    return kept


def _count(key: str, seconds: int) -> int:
    """Count one more, and return how many it makes; 1 where nothing can be kept."""
    cache.add(key, 0, timeout=seconds + 1)
    try:
        return cache.incr(key)
    except ValueError:
        return 1


class WriteThrottle(Throttle):
    """Enough for the tables of a large evening that send each deal by itself."""

    scope = "write"
    rate = "300/min"


class ReadThrottle(Throttle):
    """Enough to follow a hall of tables, and to read a club's whole history within some minutes."""

    scope = "read"
    rate = "1200/min"

    def allow_request(self, request: Request, view: APIView) -> bool:
        """Count who says who they are; what everybody may read is not counted, since a hall has one address."""
        if request.auth is None and not request.user.is_authenticated:
            return True
        return super().allow_request(request, view)


class StreamThrottle(Throttle):
    """Enough for whoever keeps a copy of a club's deals; each of them can be a hundred thousand."""

    scope = "stream"
    rate = "30/min"


class CheckThrottle(Throttle):
    """Checking is open to everybody, and the dearest thing there is."""

    scope = "check"
    rate = "30/min"
