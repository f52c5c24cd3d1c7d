"""What the site tells browsers, and which pages may open its sockets."""

from secrets import token_urlsafe
from typing import Any

import pytest
from django.test import Client

from courtpiece.project.origin import SameOrigin
from tests.processes import manage
from tests.sockets import SocketVisitor

pytestmark = pytest.mark.django_db


def test_every_answer_forbids_scripts_that_are_not_ours(client: Client) -> None:
    policy = client.get("/healthz")["Content-Security-Policy"]

    directives = dict(part.strip().partition(" ")[::2] for part in policy.split(";"))
    assert directives["default-src"] == "'none'"
    assert directives["script-src"] == directives["style-src"] == directives["connect-src"] == "'self'"
    assert "unsafe" not in policy


def test_every_answer_keeps_itself_out_of_frames_and_of_guessing(client: Client) -> None:
    response = client.get("/healthz")

    assert response["X-Frame-Options"] == "DENY"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Referrer-Policy"] == "same-origin"


def test_static_files_are_served_whole_and_in_parts(client: Client) -> None:
    whole = client.get("/static/django_htmx/htmx-2.min.js")
    part = client.get("/static/django_htmx/htmx-2.min.js", headers={"range": "bytes=0-9"})

    assert whole.status_code == 200
    assert whole["Content-Type"].startswith("text/javascript")
    assert (part.status_code, part.content) == (206, whole.content[:10])


async def greeting(scope: dict[str, Any], receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "websocket.accept"})


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("headers", "let_in"),
    [
        ([(b"host", b"cards.example.org"), (b"origin", b"https://cards.example.org")], True),
        ([(b"host", b"192.168.1.4:8000"), (b"origin", b"http://192.168.1.4:8000")], True),
        ([(b"host", b"cards.example.org")], True),
        ([(b"host", b"cards.example.org"), (b"origin", b"https://evil.example.org")], False),
        ([(b"host", b"cards.example.org:8000"), (b"origin", b"https://cards.example.org")], False),
        ([(b"host", b"cards.example.org"), (b"origin", b"null")], False),
        ([(b"host", b"cards.example.org"), (b"origin", b"http://[")], False),
    ],
)
async def test_a_socket_opens_for_our_own_pages_only(
    headers: list[tuple[bytes, bytes]], let_in: bool
) -> None:
    visitor = SocketVisitor(SameOrigin(greeting), "/ws/", headers=headers)

    assert await visitor.connect() is let_in


def test_a_server_passes_what_django_checks_before_a_site_goes_public() -> None:
    variables = {
        "DATABASE_URL": "postgres://127.0.0.1:5432/none",
        "REDIS_URL": "redis://127.0.0.1:6379/0",
        "SECRET_KEY": token_urlsafe(50),
        "SITE_URL": "https://cards.example.org",
    }

    said = manage("check", "--deploy", "--fail-level", "WARNING", variables=variables)

    assert said.strip() == "System check identified no issues (2 silenced)."
