"""A visitor of the site's sockets. (Channels' own needs a second web server installed.)"""

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import unquote, urlsplit

from asgiref.testing import ApplicationCommunicator


class SocketVisitor(ApplicationCommunicator):
    """Speaks to an ASGI application as a browser's WebSocket does."""

    def __init__(
        self, application: Any, address: str, *, headers: Sequence[tuple[bytes, bytes]] = (), **scope: object
    ) -> None:
        parts = urlsplit(address)
        super().__init__(
            application,
            {
                "type": "websocket",
                "path": unquote(parts.path),
                "query_string": parts.query.encode(),
                "headers": list(headers),
                "subprotocols": [],
                **scope,
            },
        )

    async def connect(self, *, timeout: float = 3) -> bool:
        """Knock, and return whether the visitor was let in."""
        await self.send_input({"type": "websocket.connect"})
        answer = await self.receive_output(timeout)
        return bool(answer["type"] == "websocket.accept")

    async def receive_event(self, *, timeout: float = 3) -> Mapping[str, Any]:
        """Return what comes next: a message, or that the socket is closed."""
        answer: Mapping[str, Any] = await self.receive_output(timeout)
        return answer

    async def receive_json(self, *, timeout: float = 3) -> Any:
        """Return the next message."""
        answer = await self.receive_output(timeout)
        assert answer["type"] == "websocket.send", answer
        return json.loads(answer["text"])

    async def hears_nothing(self, *, timeout: float) -> bool:
        """Return whether nothing more is said for so long."""
        return bool(await self.receive_nothing(timeout=timeout))

    async def send_json(self, message: object) -> None:
        """Send a message."""
        await self.send_input({"type": "websocket.receive", "text": json.dumps(message)})

    async def disconnect(self, *, timeout: float = 3) -> None:
        """Leave."""
        await self.send_input({"type": "websocket.disconnect", "code": 1000})
        await self.wait(timeout)
