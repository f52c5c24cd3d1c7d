"""What webhooks are made of: signatures, when they are tried again, and where they may never go."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from tests.accounts.builders import AT
from tests.tournaments.receivers import a_receiver
from tournaments import posting
from tournaments.domain.webhooks import (
    MOST_TRIES,
    AddressFault,
    BadAddressError,
    is_open,
    next_try,
    read_address,
    signature,
)
from tournaments.posting import Posted, Reach, post

HERE = Reach(only_https=False, allowed=[ip_network("127.0.0.1/32")], seconds=5)


# -- signatures


def test_the_signature_is_that_of_standard_webhooks() -> None:
    """The example of its specification: the secret is whsec_ and this key in base64."""
    from base64 import b64decode

    key = b64decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")

    signed = signature(
        [key],
        message_id="msg_p5jXN8AQM9LWM0D4loKWxJek",
        seconds=1614265330,
        body=b'{"test": 2432232314}',
    )

    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_every_key_signs_and_every_part_is_signed() -> None:
    asked: dict[str, Any] = {"message_id": "msg_1", "seconds": 1700000000, "body": b"{}"}
    others: list[dict[str, Any]] = [{"message_id": "msg_2"}, {"seconds": 1700000001}, {"body": b"{ }"}]

    first, second = signature([b"new", b"old"], **asked).split(" ")

    assert first == signature([b"new"], **asked)
    assert second == signature([b"old"], **asked)
    assert first not in {signature([b"new"], **(asked | other)) for other in others}


# -- when


def test_each_pause_is_four_times_the_one_before_and_the_seventh_try_is_the_last() -> None:
    pauses = [next_try(tries, after=AT) for tries in range(1, MOST_TRIES + 1)]

    assert pauses == [*(AT + timedelta(minutes=4**n) for n in range(6)), None]


# -- where


@pytest.mark.parametrize(
    ("text", "is_it"),
    [
        ("8.8.8.8", True),
        ("2606:4700:4700::1111", True),
        ("127.0.0.1", False),
        ("127.8.8.8", False),
        ("0.0.0.0", False),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("192.0.2.1", False),
        ("198.18.0.1", False),
        ("224.0.0.1", False),
        ("240.0.0.1", False),
        ("255.255.255.255", False),
        ("::", False),
        ("::1", False),
        ("fe80::1", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("fec0::1", False),
        ("fd12:3456::1", False),
        ("ff02::1", False),
        ("2001:db8::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:10.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::a9fe:a9fe", False),
        ("2002:7f00:1::", False),
        ("2002:a9fe:a9fe::1", False),
    ],
)
def test_only_machines_of_the_open_internet_are_reached(text: str, is_it: bool) -> None:
    assert is_open(ip_address(text)) == is_it


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", AddressFault.NOT_WEB),
        ("example.org", AddressFault.NOT_WEB),
        ("ftp://example.org/", AddressFault.NOT_WEB),
        ("file:///etc/passwd", AddressFault.NOT_WEB),
        ("https://", AddressFault.NOT_WEB),
        ("https:///path", AddressFault.NOT_WEB),
        ("https://example.org:0/", AddressFault.NOT_WEB),
        ("https://example.org:99999/", AddressFault.NOT_WEB),
        ("https://example.org:x/", AddressFault.NOT_WEB),
        ("https://[::1", AddressFault.NOT_WEB),
        ("https://exa mple.org/", AddressFault.NOT_WEB),
        ("https://example.org/\r\nX: 1", AddressFault.NOT_WEB),
        ("https://example.org/#part", AddressFault.NOT_WEB),
        ("https://مثال.org/", AddressFault.NOT_WEB),
        ("http://example.org/", AddressFault.NOT_HTTPS),
        ("https://name:word@example.org/", AddressFault.HAS_PASSWORD),
        ("https://example.org@127.0.0.1/", AddressFault.HAS_PASSWORD),
        ("https://example.org/" + "a" * 500, AddressFault.TOO_LONG),
        ("https://localhost/", AddressFault.PRIVATE),
        ("https://LOCALHOST:8000/", AddressFault.PRIVATE),
        ("https://127.0.0.1/", AddressFault.PRIVATE),
        ("https://[::1]/", AddressFault.PRIVATE),
        ("https://[::ffff:10.0.0.1]/", AddressFault.PRIVATE),
        ("https://169.254.169.254/latest/meta-data", AddressFault.PRIVATE),
    ],
)
def test_an_address_to_which_nothing_may_go_is_refused_with_its_fault(text: str, fault: AddressFault) -> None:
    with pytest.raises(BadAddressError) as refused:
        read_address(text, only_https=True)

    assert refused.value.fault is fault


@pytest.mark.parametrize(
    "name", ["2130706433", "0x7f000001", "0177.0.0.1", "127.1", "localhost.", "ip6-localhost"]
)
def test_a_name_that_stands_for_this_machine_is_looked_up_and_refused(name: str) -> None:
    posted = post(f"http://{name}:9/", b"{}", {}, reach=Reach(only_https=False))

    assert posted.fault in {"address", "name"}


def test_a_name_of_which_one_machine_may_not_be_reached_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = names_that_stand_for(monkeypatch, "8.8.8.8", "127.0.0.1")

    posted = post("https://rebinding.example/", b"{}", {}, reach=Reach(only_https=True))

    assert (posted.fault, posted.status, asked) == ("address", None, ["rebinding.example"])


def test_the_machine_that_was_looked_at_is_the_one_that_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    with a_receiver() as receiver:
        asked = names_that_stand_for(monkeypatch, "127.0.0.1")
        port = receiver.url.split(":")[2].split("/")[0]

        posted = post(f"http://hook.example:{port}/in?a=1", b"{}", {"webhook-id": "msg_1"}, reach=HERE)

    (one,) = receiver.received
    assert posted.status == 200
    assert asked == ["hook.example"]
    assert (one.path, one.headers["host"], one.headers["webhook-id"]) == (
        "/in?a=1",
        f"hook.example:{port}",
        "msg_1",
    )


def names_that_stand_for(monkeypatch: pytest.MonkeyPatch, *machines: str) -> list[str]:
    """Let every name stand for these machines; what is looked up is in the list that is returned."""
    asked: list[str] = []

    def getaddrinfo(host: str, port: int, *_args: object, **_named: object) -> list[object]:
        if host not in machines:
            asked.append(host)
        found = [host] if host in machines else machines
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in found]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return asked


# -- what comes of it


def test_a_redirect_is_not_followed() -> None:
    with a_receiver() as inner, a_receiver(302) as outer:
        outer.headers["Location"] = inner.url

        posted = post(outer.url, b"{}", {}, reach=HERE)

    assert (posted.status, posted.fault, inner.received) == (302, "status", [])


@pytest.mark.parametrize(
    ("status", "fault"), [(200, ""), (204, ""), (299, ""), (400, "status"), (503, "status")]
)
def test_what_is_not_taken_is_a_fault(status: int, fault: str) -> None:
    with a_receiver(status) as receiver:
        receiver.answer = b""

        posted = post(receiver.url, b"{}", {}, reach=HERE)

    assert (posted.status, posted.fault) == (status, fault)


def test_who_was_reached_may_think_for_as_long_as_the_whole_may_take(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting, "PATIENCE", 0.1)
    with a_receiver() as receiver:
        receiver.thinks = 0.5

        posted = post(receiver.url, b"{}", {}, reach=HERE)

    assert (posted.status, posted.fault) == (200, "")


def test_of_a_long_answer_only_the_beginning_is_read_and_kept_as_plain_text() -> None:
    with a_receiver() as receiver:
        receiver.answer = b"<b>\x00\xff\n" + b"a" * 1_000_000

        posted = post(receiver.url, b"{}", {}, reach=HERE)

    assert (posted.status, len(posted.answer), posted.answer[:6]) == (200, 500, "<b> � ")


def test_nobody_who_listens_is_a_fault() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))

        posted = post(f"http://127.0.0.1:{unused.getsockname()[1]}/", b"{}", {}, reach=HERE)

    assert posted == Posted(fault="connection", took=posted.took)


def test_who_speaks_no_tls_is_a_fault() -> None:
    with a_receiver() as receiver:
        posted = post(receiver.url.replace("http", "https"), b"{}", {}, reach=HERE)

    assert posted.fault in {"tls", "connection"}


@pytest.mark.parametrize("says", [b"", b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 200 OK\r\nA: "])
def test_an_answer_that_never_ends_is_cut_when_the_time_is_over(says: bytes) -> None:
    def drip(connected: socket.socket, is_over: threading.Event) -> None:
        connected.sendall(says)
        while not is_over.wait(0.02):
            connected.sendall(b"a" if says else b"")

    with a_server(drip) as url:
        posted = post(url, b"{}", {}, reach=Reach(only_https=False, allowed=HERE.allowed, seconds=0.2))

    assert posted.fault == "time"
    assert posted.took < 3000


@pytest.mark.parametrize("says", [b"nonsense\r\n\r\n", b"HTTP/1.1 abc\r\n\r\n", b"HTTP/9 200 OK\r\n\r\n"])
def test_an_answer_that_is_none_is_a_fault(says: bytes) -> None:
    with a_server(lambda connected, _over: connected.sendall(says)) as url:
        posted = post(url, b"{}", {}, reach=HERE)

    assert posted.fault in {"answer", "connection"}


@contextmanager
def a_server(answer: Callable[[socket.socket, threading.Event], None]) -> Iterator[str]:
    """Serve one connection, once all that it sends is read."""
    is_over = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            connected, _from = listener.accept()
            with connected:
                connected.recv(65536)
                try:
                    answer(connected, is_over)
                except OSError:
                    return

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
        is_over.set()
        thread.join()
