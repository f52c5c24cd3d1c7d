"""The site reads UTF-8, whatever a request says of its characters.

Django takes a request's ``charset`` for the letters of its address too, and fails before any view on one that is no
encoding of text, such as ``hex``. So nobody gets to say one.
"""

import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final

_CHARSET: Final = re.compile(rb"\s*;\s*charset\s*=\s*(\"[^\"]*\"|[^;]*)", re.IGNORECASE)


class OnlyUtf8:
    """Take away what a request over ASGI says of its characters."""

    def __init__(self, application: Callable[..., Awaitable[None]]) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer one request."""
        headers = [
            (name, _CHARSET.sub(b"", value) if name == b"content-type" else value)
            for name, value in scope["headers"]
        ]
        await self.application({**scope, "headers": headers}, receive, send)


class OnlyUtf8Wsgi:
    """Take away what a request over WSGI says of its characters."""

    def __init__(self, application: Callable[..., Iterable[bytes]]) -> None:
        self.application = application

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Answer one request."""
        stated = environ.get("CONTENT_TYPE", "").encode("latin-1", "replace")
        return self.application(
            {**environ, "CONTENT_TYPE": _CHARSET.sub(b"", stated).decode("latin-1")}, start_response
        )
