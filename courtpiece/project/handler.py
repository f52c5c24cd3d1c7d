"""How a page or an answer of the API is made beside sockets: in one thread, and to its end."""

import asyncio
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class OneThreadHandler(ASGIHandler):
    """Django's own, with two changes.

    A request goes to a thread once. Django makes a coroutine of every middleware that can be one, and each goes to a
    thread for its work and comes back to the loop, some twenty times a request. Five hundred sockets that are told
    something keep the loop busy, and each time the request waits behind all of them. No view and no middleware of
    ours is a coroutine.

    A request is finished, also where nobody waits for its answer any more. Django gives up a request whose client has
    hung up, in the middle of telling the sockets if need be; a deal that was just written is then neither told to
    anybody nor are its standings queued. Phones hang up often.
    """

    def load_middleware(self, is_async: bool = False) -> None:  # noqa: FBT001, FBT002 - the framework's signature
        """Make the chain of functions, whatever the server."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Run the chain in the request's own thread, to its end."""
        answer: Any = sync_to_async(self.get_response, thread_sensitive=True)
        work: asyncio.Task[HttpResponseBase] = asyncio.create_task(answer(request))
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            await asyncio.wait([work])
            raise
