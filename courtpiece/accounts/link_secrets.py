"""The secret of a link that is shown again and again: how it is made, and what finds the link again.

Such a link is printed and passed on as long as it is good, so its secret has to be known; a hash of a random text, as
API tokens have it, could be shown once only. It is derived, by HMAC-SHA-256, from the link's random id and the site's
``SECRET_KEY``: 122 random bits that the database has and 128 that it has not. A copy of the database opens nothing.
Another ``SECRET_KEY`` ends all links at once.
"""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Final
from uuid import UUID

from django.utils.crypto import constant_time_compare, salted_hmac

_HALF: Final = 16
"""Bytes of the id, and of the code that proves it."""
_FORM: Final = re.compile(r"[A-Za-z0-9_-]{43}")


def secret_of(uid: UUID, *, salt: str) -> str:
    """Return the secret of the link with this id: 43 letters, digits, hyphens and underscores.

    ``salt`` names the kind of link: a secret of one kind is none of another.
    """
    code = salted_hmac(salt, uid.bytes, algorithm="sha256").digest()[:_HALF]
    return urlsafe_b64encode(uid.bytes + code).decode().rstrip("=")


def uid_of(secret: str, *, salt: str) -> UUID | None:
    """Return the id of the link whose secret this is; None if it is none that this site made.

    Whether there is such a link, and whether it is good, the database says.
    """
    if not _FORM.fullmatch(secret):
        return None
    uid = UUID(bytes=urlsafe_b64decode(f"{secret}=")[:_HALF])
    return uid if constant_time_compare(secret, secret_of(uid, salt=salt)) else None
