"""Which pages may open a socket: only the site's own."""

from typing import Any, Protocol
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier


class Application(Protocol):
    """An ASGI application."""

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer one connection."""


class SameOrigin:
    """Deny a socket that a page of another site opened with our visitor's cookies.

    Compares the ``Origin`` with the ``Host`` that was asked, which also holds where every host is allowed
    (a laptop that serves its neighbours). A program that sends no ``Origin`` has no cookies of a visitor.
    """

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Pass the connection on, or deny it."""
        headers = dict(scope.get("headers", []))
        origin = headers.get(b"origin")
        if origin is None or _netloc(origin) == headers.get(b"host", b"").decode("latin1").lower():
            await self.application(scope, receive, send)
        else:
            await WebsocketDenier()(scope, receive, send)


def _netloc(origin: bytes) -> str:
    try:
        return urlsplit(origin.decode("latin1")).netloc.lower()
    except ValueError:
        return ""
