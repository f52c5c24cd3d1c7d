"""A server that is given new versions of the pages: it stands before the site, and its network can be cut at any file.

The pages and scripts are the site's. What a release changes is what tells two of them apart: the version that
the page and its worker name, a line at the end of each script that says which release it is of, and, where files
are named by what is in them, their addresses; those of an earlier release are not there any more.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import ClassVar, Final
from urllib.parse import urlsplit

KEPT_HEADERS: Final = (
    "Accept",
    "Accept-Language",
    "Authorization",
    "Content-Type",
    "Cookie",
    "If-None-Match",
)
DROPPED_HEADERS: Final = {"connection", "content-length", "date", "server", "transfer-encoding"}
VERSION: Final = re.compile(rb'(data-version="|^const VERSION = ")[0-9a-f]{16}', re.MULTILINE)
Cut = Callable[[str], bool]


@dataclass(slots=True)
class Release:
    """What the server serves now, and what it lets through."""

    upstream: str
    is_fingerprinted: bool = False
    """Whether the addresses of files change with the release, as on a server, or stay, as on a club's laptop."""
    number: int = 1
    cut: Cut = field(default=lambda _path: False)
    """Whether nothing comes back for an address, as when the network is lost before it."""
    address: str = ""
    asked: list[str] = field(default_factory=list)

    @property
    def version(self) -> str:
        """What the page and its worker say that they are."""
        return f"{self.number:016x}"

    def site_path(self, path: str) -> str | None:
        """Return the site's address of what is asked for; ``None`` where this release has no such file."""
        if not self.is_fingerprinted or not path.startswith("/static/"):
            return path
        mine = f"/static/{self.number}/"
        return path.replace(mine, "/static/", 1) if path.startswith(mine) else None

    def as_released(self, path: str, kind: str, body: bytes) -> bytes:
        """Return what the site answered as this release has it."""
        if path.startswith("/static/"):
            line = f'\n(globalThis.ran ??= new Set()).add("{self.number}");\n'
            return body + line.encode() if "javascript" in kind else body
        body = VERSION.sub(rb"\g<1>" + self.version.encode(), body)
        return (
            body.replace(b'"/static/', f'"/static/{self.number}/'.encode()) if self.is_fingerprinted else body
        )


class Handler(BaseHTTPRequestHandler):
    """Answers as a release does."""

    release: ClassVar[Release]

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - so it is named above
        """Say nothing."""

    def _answer(self) -> None:
        path = urlsplit(self.path).path
        self.release.asked.append(path)
        if self.release.cut(path):
            self.close_connection = True
            return
        at = self.release.site_path(self.path)
        status, headers, body = self._fetch(at) if at else (HTTPStatus.NOT_FOUND, [], b"")
        kind = next((value for name, value in headers if name.lower() == "content-type"), "")
        body = self.release.as_released(at or "", kind, body)
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        if status != HTTPStatus.NOT_MODIFIED:
            self.send_header("Content-Length", str(len(body)))
        with suppress(ConnectionError):  # who asked may have gone
            self.end_headers()
            self.wfile.write(body)

    def _fetch(self, path: str) -> tuple[int, list[tuple[str, str]], bytes]:
        site = HTTPConnection(urlsplit(self.release.upstream).netloc, timeout=60)
        sent = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        given = {name: value for name in KEPT_HEADERS if (value := self.headers.get(name))}
        if path.startswith("/static/"):
            given.pop("If-None-Match", None)
        site.request(self.command, path, sent or None, given)
        answer = site.getresponse()
        body = answer.read()
        site.close()
        # The site's tags know of no release: only what the API says is asked for by them.
        dropped = DROPPED_HEADERS | (set() if path.startswith("/api/") else {"etag", "last-modified"})
        headers = [(name, value) for name, value in answer.getheaders() if name.lower() not in dropped]
        return answer.status, headers, body


@contextmanager
def releases(upstream: str, *, is_fingerprinted: bool = False) -> Iterator[Release]:
    """Serve the site's first release until the block ends; it is changed by its fields."""
    release = Release(upstream=upstream, is_fingerprinted=is_fingerprinted)

    handler = type("ReleaseHandler", (Handler,), {"release": release})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        release.address = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, daemon=True).start()
        yield release
        server.shutdown()
