"""How often somebody may ask for what costs something."""

from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView


class Throttle(SimpleRateThrottle):
    """So many requests of a user, whatever the token, or of an address without one.

    The address is that of the connection: a header that anybody can write would let anybody pass.
    """

    def get_cache_key(self, request: Request, view: APIView) -> str:
        """Return whose requests are counted together."""
        who = request.user.pk if request.user.is_authenticated else request.META.get("REMOTE_ADDR")
        return self.cache_format % {"scope": self.scope, "ident": who}


class WriteThrottle(Throttle):
    """Enough for the tables of a large evening that send each deal by itself."""

    scope = "write"
    rate = "300/min"


class CheckThrottle(Throttle):
    """Checking is open to everybody, and the dearest thing there is."""

    scope = "check"
    rate = "30/min"
