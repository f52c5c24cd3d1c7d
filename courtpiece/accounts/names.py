"""How a name that a person typed is kept."""

import unicodedata
from typing import ClassVar, Final

from django.utils.translation import gettext as _

from courtpiece.accounts.refusals import Refused

MAX_NAME_LENGTH: Final = 80

_JOINERS: Final = frozenset("\u200c\u200d")
"""Urdu and Hindi spell with them, so they stay; other format characters go, direction controls first."""


_BLANK_LETTERS: Final = frozenset("\u034f\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs in name only: there is nothing of them to see."""


class BadName(Refused):
    """The name is empty, has nothing that can be seen, or is too long."""

    field: ClassVar[str] = "name"


class BadDisplayName(BadName):
    """The same of a user's name."""

    field: ClassVar[str] = "display_name"


def clean_name(text: str, *, error: type[BadName] = BadName) -> str:
    """Return ``text`` in NFC, without control and direction characters, blanks collapsed.

    :raises BadName: if nothing visible is left, or more than 80 characters are.
    """
    name = clean_text(text)
    if not any(unicodedata.category(character)[0] in "LNPS" for character in name):
        raise error(_("Enter a name."))
    if len(name) > MAX_NAME_LENGTH:
        raise error(_("A name has at most %(limit)d characters.") % {"limit": MAX_NAME_LENGTH})
    return name


def clean_text(text: str) -> str:
    """Return ``text`` cleaned as :func:`clean_name` does, empty and long ones too."""
    kept = (" " if character.isspace() else character for character in text if not _is_dropped(character))
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())


def _is_dropped(character: str) -> bool:
    if character.isspace() or character in _JOINERS:
        return False
    return character in _BLANK_LETTERS or unicodedata.category(character) in {"Cc", "Cf", "Cs"}
