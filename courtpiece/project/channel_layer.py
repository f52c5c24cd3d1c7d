"""The channel layer of the embedded way: one process, several threads, several event loops."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from channels.layers import InMemoryChannelLayer


class OneProcessChannelLayer(InMemoryChannelLayer):
    """Deliver from any thread of the process to the sockets on the server's loop.

    Channels' own layer puts a message that a worker's thread sends into a queue of another loop without
    waking that loop: it arrives late or never. This one remembers the loop on which sockets wait and hops
    onto it.
    """

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._loop: asyncio.AbstractEventLoop | None = None

    async def receive(self, channel: str) -> dict[str, Any]:
        """Wait for the next message, and remember on which loop it is awaited."""
        self._loop = asyncio.get_running_loop()
        message: dict[str, Any] = await super().receive(channel)
        return message

    async def send(self, channel: str, message: dict[str, Any]) -> None:
        """Send ``message`` to one channel."""
        await self._where_sockets_wait(super().send, channel, message)

    async def group_send(self, group: str, message: dict[str, Any]) -> None:
        """Send ``message`` to every channel of ``group``."""
        await self._where_sockets_wait(super().group_send, group, message)

    async def _where_sockets_wait(
        self, deliver: Callable[[str, dict[str, Any]], Awaitable[None]], name: str, message: dict[str, Any]
    ) -> None:
        loop = self._loop
        if loop is None or loop is asyncio.get_running_loop() or not loop.is_running():
            await deliver(name, message)
        else:
            await asyncio.wrap_future(
                asyncio.run_coroutine_threadsafe(_coroutine(deliver, name, message), loop)
            )


async def _coroutine(
    deliver: Callable[[str, dict[str, Any]], Awaitable[None]], name: str, message: dict[str, Any]
) -> None:
    await deliver(name, message)
