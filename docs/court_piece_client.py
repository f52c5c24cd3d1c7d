"""A client of the API in one file, with nothing but Python: copy it, and change it as you like.

client = Client("https://example.org", token="cp_…")
for tournament in client.list("tournaments/", status="provisional"):
    print(tournament["name"], client.get(f"tournaments/{tournament['slug']}/standings")["rows"])
"""

import json
import time
import uuid
from collections.abc import Iterator
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen


class Client:
    """Speaks to a site. What was read is sent again only if it has changed; what comes too often waits."""

    def __init__(self, site: str, token: str = "") -> None:
        self.root = f"{site.rstrip('/')}/api/v1/"
        self.sign = {"Authorization": f"Bearer {token}"} if token else {}
        self.known: dict[str, tuple[str, Any]] = {}

    def get(self, path: str, **query: object) -> Any:
        """Return what an address answers, as it is now."""
        url = f"{self.root}{path}?{urlencode(query)}"
        tag, kept = self.known.get(url, ("", None))
        status, headers, body = self._send("GET", url, {"If-None-Match": tag})
        self.known[url] = (tag, kept) if status == 304 else (headers.get("ETag", ""), json.loads(body))
        return self.known[url][1]

    def list(self, path: str, **query: object) -> Iterator[Any]:
        """Yield every line of a list, part by part."""
        part: Any = {"next": f"{self.root}{path}?{urlencode(query)}"}
        while part["next"]:
            part = json.loads(self._send("GET", part["next"], {})[2])
            yield from part["results"]

    def post(self, path: str, **body: object) -> Any:
        """Write something once: sent again after an answer was lost, it writes nothing twice."""
        key = {"Idempotency-Key": str(uuid.uuid4()), "Content-Type": "application/json"}
        return json.loads(self._send("POST", f"{self.root}{path}", key, json.dumps(body).encode())[2])

    def _send(self, method: str, url: str, headers: dict[str, str], data: bytes | None = None) -> Any:
        try:
            with urlopen(Request(url, data, self.sign | headers, method=method)) as answer:
                return answer.status, answer.headers, answer.read()
        except HTTPError as error:
            if error.code == 304:
                return error.code, error.headers, b""
            if error.code in (429, 503):
                time.sleep(int(error.headers["Retry-After"]))
                return self._send(method, url, headers, data)
            problem = json.loads(error.read())
            raise RuntimeError(f"{problem['title']}: {problem['detail']}", problem) from error
