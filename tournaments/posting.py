"""How something is sent to an address that a club named: to nobody else, not for long, and once.

Python's own `http.client` is used, on a socket that is opened here. One request to one machine is wanted, which was
looked at before; what libraries add (pools, proxies, redirects, names that are looked up again) is what must not be.
"""

import socket
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from typing import Final, Self

from tournaments.domain.webhooks import BadAddressError, Network, WebAddress, is_open, read_address
from tournaments.models import DeliveryFault

PATIENCE: Final = 5.0
"""Seconds until there is a connection."""
SECONDS: Final = 10.0
"""For the whole of it."""
MOST_BYTES: Final = 2048
"""Of the answer, which is read no further."""
SHOWN: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """What came of it."""

    status: int | None = None
    """None: there was no answer."""
    fault: str = ""
    """A value of ``DeliveryFault``; empty: it was taken."""
    took: int = 0
    """In milliseconds."""
    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """Where it may be sent."""

    only_https: bool
    allowed: Sequence[Network] = ()
    """Private networks that may be reached nevertheless."""
    seconds: float = SECONDS


class _Fault(Exception):  # noqa: N818 - never seen outside
    def __init__(self, fault: DeliveryFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


def post(url: str, body: bytes, headers: Mapping[str, str], *, reach: Reach) -> Posted:
    """Send the body to that address, and return what came of it. Raises nothing that the other side can cause."""
    start = time.monotonic()
    try:
        status, answer = _post(url, body, headers, reach)
    except _Fault as fault:
        return Posted(fault=fault.fault.value, took=_since(start))
    taken = 200 <= status < 300
    return Posted(
        status=status,
        fault="" if taken else DeliveryFault.STATUS.value,
        took=_since(start),
        answer=_as_text(answer),
    )


def _since(start: float) -> int:
    return round((time.monotonic() - start) * 1000)


def _post(url: str, body: bytes, headers: Mapping[str, str], reach: Reach) -> tuple[int, bytes]:
    try:
        address = read_address(url, only_https=reach.only_https, allowed=reach.allowed)
    except BadAddressError as error:
        raise _Fault(DeliveryFault.ADDRESS) from error
    machine = _machine_of(address, reach)
    try:
        with socket.create_connection((machine, address.port), timeout=PATIENCE) as plain:
            # Who was reached may think for as long as the whole may take.
            plain.settimeout(reach.seconds)
            return _exchange(plain, address, body, headers, reach)
    except TimeoutError as error:
        raise _Fault(DeliveryFault.TIME) from error
    except ssl.SSLError as error:
        raise _Fault(DeliveryFault.TLS) from error
    except (HTTPException, UnicodeError) as error:
        raise _Fault(DeliveryFault.ANSWER) from error
    except (OSError, ValueError) as error:
        raise _Fault(DeliveryFault.CONNECTION) from error


def _machine_of(address: WebAddress, reach: Reach) -> str:
    """Return the machine that the name stands for now. One that may not be reached spoils the name."""
    try:
        found = socket.getaddrinfo(address.host, address.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise _Fault(DeliveryFault.NAME) from error
    machines = [str(place[0]) for *_kind, place in found]
    if not machines or not all(is_open(ip_address(one), allowed=reach.allowed) for one in machines):
        raise _Fault(DeliveryFault.ADDRESS)
    return machines[0]


def _exchange(
    plain: socket.socket, address: WebAddress, body: bytes, headers: Mapping[str, str], reach: Reach
) -> tuple[int, bytes]:
    """Send and read on the connection, which is cut when the time is over: a drop of an answer is none."""
    with _Limited(plain, seconds=reach.seconds) as limited:
        if address.is_https:
            # The handshake comes apart from the wrapping, so that it can be cut too.
            secured = _tls().wrap_socket(plain, server_hostname=address.host, do_handshake_on_connect=False)
            limited.link = secured
            secured.do_handshake()
        return _ask(limited.link, address, body, headers)


class _Limited:
    """A connection that is cut when its time is over; what is in the block then ends with ``TimeoutError``.

    Whatever it seemed to end with: what is cut in the middle of its headers is taken for an answer that ends there.
    """

    def __init__(self, link: socket.socket, *, seconds: float) -> None:
        self.link = link
        self._is_over = False
        self._clock = threading.Timer(seconds, self._cut)
        self._clock.daemon = True

    def __enter__(self) -> Self:
        self._clock.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._clock.cancel()
        self.link.close()
        if self._is_over:
            raise TimeoutError

    def _cut(self) -> None:
        self._is_over = True
        with suppress(OSError):
            self.link.shutdown(socket.SHUT_RDWR)


def _ask(
    connected: socket.socket, address: WebAddress, body: bytes, headers: Mapping[str, str]
) -> tuple[int, bytes]:
    connection = HTTPConnection(address.host, address.port)
    connection.sock = connected
    sent = {"Host": address.authority, "Connection": "close", **headers}
    connection.request("POST", address.target, body, sent)
    answer = connection.getresponse()
    return answer.status, answer.read(MOST_BYTES)


@cache
def _tls() -> ssl.SSLContext:
    return ssl.create_default_context()


def _as_text(answer: bytes) -> str:
    text = answer.decode("utf-8", "replace")
    return "".join(letter if letter.isprintable() else " " for letter in text)[:SHOWN].strip()
