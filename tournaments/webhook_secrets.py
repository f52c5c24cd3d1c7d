"""The secrets of webhooks: derived like those of links, so that a copy of the database signs nothing."""

from base64 import b64encode
from typing import Final
from uuid import UUID

from django.utils.crypto import salted_hmac

_SALT: Final = "tournaments.webhook"
PREFIX: Final = "whsec_"


def key_of(uid: UUID) -> bytes:
    """Return with what is signed: 32 bytes, from the webhook's random key and the site's ``SECRET_KEY``."""
    return salted_hmac(_SALT, uid.bytes, algorithm="sha256").digest()


def secret_of(uid: UUID) -> str:
    """Return the same as the receiver is given it."""
    return PREFIX + b64encode(key_of(uid)).decode()
