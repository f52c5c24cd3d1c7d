"""What a webhook is made of: the signature, when it is tried again, and which addresses it may have.

The signature is that of Standard Webhooks (standardwebhooks.com): HMAC-SHA256 over id, time and body.
"""

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from hashlib import sha256
from hmac import new as hmac
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final, TypeAlias
from urllib.parse import urlsplit

ID: Final = "webhook-id"
TIMESTAMP: Final = "webhook-timestamp"
SIGNATURE: Final = "webhook-signature"

MOST_TRIES: Final = 7
FIRST_PAUSE: Final = timedelta(minutes=1)
FACTOR: Final = 4
"""Each pause is so many times the one before: 1 and 4 and 16 minutes, 1, 4 and 17 hours."""

LONGEST_ADDRESS: Final = 500
Network: TypeAlias = IPv4Network | IPv6Network
Address: TypeAlias = IPv4Address | IPv6Address


def signature(keys: Sequence[bytes], *, message_id: str, seconds: int, body: bytes) -> str:
    """Return the signatures by each key, with blanks between: while a secret is renewed there are two.

    ``seconds`` since 1970.

    >>> signature([b"secret"], message_id="msg_1", seconds=1700000000, body=b"{}")
    'v1,A5oIrJxXPB/PkULSoVu0e4khvPiqpF9vljmhkSKg0FI='
    """
    signed = b".".join((message_id.encode(), str(seconds).encode(), body))
    return " ".join(f"v1,{b64encode(hmac(key, signed, sha256).digest()).decode()}" for key in keys)


def next_try(tries: int, *, after: datetime) -> datetime | None:
    """Return when to try again what has failed so often, at last at that time; None: not any more.

    >>> next_try(1, after=datetime(2026, 11, 29, 18, 0)) - datetime(2026, 11, 29, 18, 0)
    datetime.timedelta(seconds=60)
    """
    if tries >= MOST_TRIES:
        return None
    times: int = FACTOR ** max(tries - 1, 0)
    return after + FIRST_PAUSE * times


class AddressFault(Enum):
    """What is wrong with an address."""

    NOT_WEB = "not-web"
    NOT_HTTPS = "not-https"
    HAS_PASSWORD = "has-password"  # noqa: S105 - a fault, no password
    TOO_LONG = "too-long"
    PRIVATE = "private"


class BadAddressError(ValueError):
    """The text is no address to which something may be sent."""

    def __init__(self, fault: AddressFault) -> None:
        super().__init__(fault.value)
        self.fault = fault


@dataclass(frozen=True, slots=True, kw_only=True)
class WebAddress:
    """Where something is sent."""

    is_https: bool
    host: str
    """In ASCII, in small letters."""
    port: int
    target: str
    """The path with what is asked."""

    @property
    def authority(self) -> str:
        """The ``Host`` of the request."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.is_https else 80) else f"{host}:{self.port}"


def read_address(text: str, *, only_https: bool, allowed: Sequence[Network] = ()) -> WebAddress:
    """Return the parts of an address. Whom a name stands for is not looked up.

    ``allowed`` are private networks that may be reached nevertheless.

    :raises BadAddressError: if it is none, or one to which nothing may be sent.

    >>> read_address("https://example.org/hook?a=1", only_https=True).target
    '/hook?a=1'
    """
    if len(text) > LONGEST_ADDRESS:
        raise BadAddressError(AddressFault.TOO_LONG)
    if not text.isascii() or any(letter <= " " or letter in '"<>\\^`{|}' for letter in text):
        raise BadAddressError(AddressFault.NOT_WEB)
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise BadAddressError(AddressFault.NOT_WEB) from error
    if parts.scheme not in {"https", "http"} or not host or port == 0 or parts.fragment or "%" in host:
        raise BadAddressError(AddressFault.NOT_WEB)
    if parts.username is not None or parts.password is not None:
        raise BadAddressError(AddressFault.HAS_PASSWORD)
    if only_https and parts.scheme != "https":
        raise BadAddressError(AddressFault.NOT_HTTPS)
    number = _as_number(host)
    if host == "localhost" or (number is not None and not is_open(number, allowed=allowed)):
        raise BadAddressError(AddressFault.PRIVATE)
    return WebAddress(
        is_https=parts.scheme == "https",
        host=host,
        port=port or (443 if parts.scheme == "https" else 80),
        target=(parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
    )


def _as_number(host: str) -> Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


_NAT64: Final = IPv6Network("64:ff9b::/96")


def is_open(address: Address, *, allowed: Sequence[Network] = ()) -> bool:
    """Return whether something may be sent to that machine: it is one of the open internet, or is allowed.

    An address of version 6 that stands for one of version 4 is judged as the one that it stands for.
    """
    if any(address in network for network in allowed):
        return True
    meant = _meant_by(address)
    # Site-local (fec0::/10) is private though `is_global` says otherwise.
    is_local = isinstance(meant, IPv6Address) and meant.is_site_local
    return meant.is_global and not (meant.is_multicast or meant.is_reserved or is_local)


def _meant_by(address: Address) -> Address:
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (teredo[1] if teredo else None) or address
