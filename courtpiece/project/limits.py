"""How much a visitor may send, and for how long."""

import asyncio
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any, Final

from django.http import HttpResponse

from courtpiece.project.errors import bare_page

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

SECONDS: Final = 120.0
_MOST_DIGITS: Final = 15
"""How long a body may take to arrive, over the slowest telephone."""


class _Refused(Exception):  # noqa: N818 - never seen outside
    def __init__(self, status: HTTPStatus) -> None:
        super().__init__(status.phrase)
        self.status = status


class LimitedBody:
    """Refuse a request whose body is too large or too slow, before the site reads it.

    Django's own limits count what is no file only, and under ASGI it has stored a whole body before it looks.
    """

    def __init__(self, application: Any, *, most_bytes: int, seconds: float = SECONDS) -> None:
        self.application = application
        self.most_bytes = most_bytes
        self.seconds = seconds

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            self._check_size(_stated_length(scope))
            await self.application(scope, self._counted(receive), send)
        except _Refused as refusal:
            await _answer(bare_page(scope["path"], refusal.status), send)

    def _counted(self, receive: Receive) -> Receive:
        until = asyncio.get_running_loop().time() + self.seconds
        arrived, complete = 0, False

        async def counted() -> Message:
            nonlocal arrived, complete
            if complete:
                return await receive()
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                raise _Refused(HTTPStatus.REQUEST_TIMEOUT) from None
            arrived += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            self._check_size(arrived)
            return message

        return counted

    def _check_size(self, size: int) -> None:
        if size > self.most_bytes:
            raise _Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)


def _stated_length(scope: dict[str, Any]) -> int:
    stated = dict(scope["headers"]).get(b"content-length", b"")
    return int(stated[:_MOST_DIGITS]) if stated.isdigit() else 0


async def _answer(page: HttpResponse, send: Send) -> None:
    headers = [(name.encode(), value.encode()) for name, value in page.items()]
    headers += [(b"content-length", str(len(page.content)).encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": page.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": page.content})
