"""The text of an API token: ``cp_``, eight characters that may be shown, ``_``, forty that are secret.

Secrets are the one chance in the project that must not be repeatable, so it is not an argument.
"""

import hashlib
import secrets
import string
from typing import Final

_ALPHABET: Final = string.ascii_letters + string.digits
_PREFIX_LENGTH: Final = 11


def new_token() -> str:
    """Return a token that nobody can guess: 238 random bits."""
    return f"cp_{_characters(8)}_{_characters(40)}"


def prefix_of(text: str) -> str:
    """Return what finds the token ``text``; empty if it is none that can be looked for."""
    return text[:_PREFIX_LENGTH] if text.isprintable() else ""


def hash_of(token: str) -> str:
    """Return what is stored. A plain hash suffices: there is nothing to guess in a random text."""
    return hashlib.sha256(token.encode()).hexdigest()


def is_same(token: str, token_hash: str) -> bool:
    """Return whether ``token`` has that hash, in a time that does not tell how nearly."""
    return secrets.compare_digest(hash_of(token), token_hash)


def _characters(count: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(count))
