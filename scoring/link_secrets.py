"""The secrets of the links of games: a kind of their own."""

from typing import Final
from uuid import UUID

from courtpiece.accounts import link_secrets

_SALT: Final = "scoring.game-link"


def secret_of(uid: UUID) -> str:
    """Return the secret of the link of a game with this id."""
    return link_secrets.secret_of(uid, salt=_SALT)


def uid_of(secret: str) -> UUID | None:
    """Return the id of the link of a game whose secret this is; None if it is none that this site made."""
    return link_secrets.uid_of(secret, salt=_SALT)
