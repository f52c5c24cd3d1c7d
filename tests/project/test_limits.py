"""What is too large or too slow is refused before the site has read it."""

import asyncio
from http import HTTPStatus
from typing import Any

import pytest

from courtpiece.project.limits import LimitedBody, Message, Receive, Send

CHUNK = b"x" * 100


async def echo(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Answer with how much arrived, after waiting as Django does for a visitor who leaves."""
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message.get("body", b""))
        more = message.get("more_body", False)
    await receive()
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": str(size).encode()})


async def ask(
    chunks: list[bytes],
    *,
    path: str = "/",
    stated: bytes | None = None,
    pause: float = 0.0,
    seconds: float = 5.0,
) -> tuple[int, bytes]:
    sent: list[Message] = []
    messages: list[Message] = [
        {"type": "http.request", "body": chunk, "more_body": number < len(chunks)}
        for number, chunk in enumerate(chunks, 1)
    ]

    async def receive() -> Message:
        await asyncio.sleep(pause)
        return messages.pop(0) if messages else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    headers = [] if stated is None else [(b"content-length", stated)]
    scope = {"type": "http", "path": path, "headers": headers}
    await LimitedBody(echo, most_bytes=250, seconds=seconds)(scope, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent)


@pytest.mark.asyncio
async def test_what_is_small_passes() -> None:
    assert await ask([CHUNK, CHUNK], stated=b"200") == (HTTPStatus.OK, b"200")


@pytest.mark.asyncio
async def test_what_says_that_it_is_large_is_refused_unread() -> None:
    status, page = await ask([], stated=b"251")

    assert status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    assert b"</html>" in page


@pytest.mark.asyncio
async def test_what_grows_large_is_refused_on_its_way() -> None:
    status, problem = await ask([CHUNK, CHUNK, CHUNK, CHUNK], path="/api/v1/check")

    assert status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    assert b'"status": 413' in problem


@pytest.mark.asyncio
async def test_what_is_slow_is_refused() -> None:
    status, _ = await ask([CHUNK, CHUNK], pause=0.2, seconds=0.3)

    assert status == HTTPStatus.REQUEST_TIMEOUT


@pytest.mark.asyncio
async def test_the_clock_stops_when_all_has_arrived() -> None:
    assert await ask([CHUNK], pause=0.2, seconds=0.3) == (HTTPStatus.OK, b"100")
