"""Programs that receive webhooks, on this machine."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer


@dataclass
class Received:
    """What came in at once."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    """A program that takes what is sent, and answers with the statuses that it is given, the last one for good."""

    url: str = ""
    statuses: list[int] = field(default_factory=lambda: [200])
    answer: bytes = b"thank you"
    headers: dict[str, str] = field(default_factory=dict)
    received: list[Received] = field(default_factory=list)
    thinks: float = 0.0
    """Seconds before it says a word."""

    def status(self) -> int:
        """Return what is answered now."""
        return self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]


@contextmanager
def a_receiver(*statuses: int) -> Iterator[Receiver]:
    receiver = Receiver(statuses=list(statuses) or [200])

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            names = {name.lower(): value for name, value in self.headers.items()}
            receiver.received.append(Received(self.path, names, body))
            time.sleep(receiver.thinks)
            self.send_response(receiver.status())
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(receiver.answer)))
            self.end_headers()
            self.wfile.write(receiver.answer)

        def log_message(self, *_args: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    receiver.url = f"http://127.0.0.1:{server.server_port}/hook"
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
