"""What docs/webhooks.md says is so: its receiver, its types, its times and its limits."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_network
from pathlib import Path
from uuid import uuid4

from tournaments.domain.webhooks import FIRST_PAUSE, ID, MOST_TRIES, SIGNATURE, TIMESTAMP, signature
from tournaments.operations.deliveries import KEPT
from tournaments.operations.webhooks import OVERLAP
from tournaments.posting import SECONDS, SHOWN, Posted, Reach, post
from tournaments.queries.webhooks import KINDS, TEST
from tournaments.webhook_secrets import key_of, secret_of

TEXT = (Path(__file__).parents[2] / "docs" / "webhooks.md").read_text(encoding="utf-8")


def test_every_type_of_event_is_explained() -> None:
    rows = re.findall(r"^\| (`[a-z.` -]+) \| (?!what|is)", TEXT, re.MULTILINE)
    types = [name for row in rows for name in re.findall(r"`([a-z.-]+)`", row)]

    named = [name for name in types if not name.startswith("webhook-") and name != "type"]
    assert sorted(named) == sorted([*KINDS, TEST])


def test_its_headers_times_and_limits_hold() -> None:
    assert [name in TEXT for name in (ID, TIMESTAMP, SIGNATURE)] == [True] * 3
    assert (MOST_TRIES, FIRST_PAUSE.seconds, KEPT.days, OVERLAP.days) == (7, 60, 30, 1)
    assert (SECONDS, SHOWN) == (10, 500)
    assert "after 1, 4, 16 and 64 minutes, and after about 4 and 17 hours: seven tries" in TEXT


@contextmanager
def the_receiver(secret: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Run the program of the document."""
    (program,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    run = subprocess.Popen(
        [sys.executable, "-c", program, str(port)],
        env={**os.environ, "WEBHOOK_SECRET": secret},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        until = time.monotonic() + 20
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/", run
    finally:
        run.terminate()
        run.wait()
        if run.stdout is not None:
            run.stdout.close()


def sent(
    url: str, key: bytes, *, message_id: str, body: bytes, at: float, told: bytes | None = None
) -> Posted:
    """Send a body that was signed then; ``told`` is what is sent in its place."""
    signed = signature([b"another", key], message_id=message_id, seconds=int(at), body=body)
    headers = {ID: message_id, TIMESTAMP: str(int(at)), SIGNATURE: signed}
    reach = Reach(only_https=False, allowed=[ip_network("127.0.0.1/32")])
    return post(url, body if told is None else told, headers, reach=reach)


def test_the_receiver_of_the_document_takes_what_is_ours_once_and_nothing_else() -> None:
    uid = uuid4()
    key, body = key_of(uid), b'{"type": "deal.recorded", "number": 57}'
    now = time.time()

    with the_receiver(secret_of(uid)) as (url, run):
        answers = [
            sent(url, key, message_id="msg_1", body=body, at=now),
            sent(url, key, message_id="msg_1", body=body, at=now),
            sent(url, key, message_id="msg_2", body=body, at=now, told=body.replace(b"57", b"58")),
            sent(url, key, message_id="msg_3", body=body, at=now - 3600),
            sent(url, b"not the key", message_id="msg_4", body=body, at=now),
            sent(url, key, message_id="msg_5", body=b'{"type": "test"}', at=now),
        ]
        assert run.stdout is not None
        printed = [run.stdout.readline().strip() for _ in range(2)]

    assert [one.status for one in answers] == [204, 204, 401, 401, 401, 204]
    assert printed == ["deal.recorded 57", "test None"]
