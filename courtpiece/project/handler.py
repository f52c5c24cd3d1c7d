"""How a page or an answer of the API is made beside sockets: in one thread, and to its end."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from courtpiece.accounts.hints import Hint, give, waiting_hints

MOST_IDLE: Final = 16
"""Threads that are kept for later requests; how many there are at once is not limited here."""


class OneThreadHandler(ASGIHandler):
    """Django's own, with four changes.

    A request goes to a thread once. Django makes a coroutine of every middleware that can be one, and each goes to a
    thread for its work and comes back to the loop, some twenty times a request. Five hundred sockets that are told
    something keep the loop busy, and each time the request waits behind all of them. No view and no middleware of
    ours is a coroutine.

    A request is finished, also where nobody waits for its answer any more. Django gives up a request whose client has
    hung up, in the middle of telling the sockets if need be; a deal that was just written is then neither told to
    anybody nor are its standings queued. Phones hang up often.

    A thread is lent to one request after the other. Django starts one for each, and with it begins anew what Python
    keeps for each thread: what it learned of the database, and the connections to Redis. That is a fifth of the work
    for a deal.

    Hints are given when the answer is on its way: a quarter of what is to be done for a deal is telling others of it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._idle: list[ThreadPoolExecutor] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer one request, all of it in a thread that no other request has meanwhile."""
        thread = self._idle.pop() if self._idle else ThreadPoolExecutor(1, thread_name_prefix="request")
        is_over = False
        try:
            async with ThreadSensitiveContext(executor=thread):
                with waiting_hints() as hints:
                    try:
                        await self.handle(scope, receive, send)
                    finally:
                        if hints:
                            await _to_its_end(sync_to_async(_give, thread_sensitive=True)(hints))
            is_over = True
        finally:
            if is_over and len(self._idle) < MOST_IDLE:
                self._idle.append(thread)
            else:
                thread.shutdown(wait=False)

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: FBT001, FBT002 - the framework's signature
        """Make the chain of functions, whatever the server."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Run the chain in the request's own thread, to its end."""
        answer: Any = sync_to_async(self.get_response, thread_sensitive=True)
        found: HttpResponseBase = await _to_its_end(answer(request))
        return found


def _give(hints: list[Hint]) -> None:
    give(hints)
    # The request's end has closed them; a hint may have asked the database again.
    close_old_connections()


async def _to_its_end(work: Coroutine[Any, Any, Any]) -> Any:
    """Return what the work comes to; who gives up waiting for it waits until it is done."""
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
