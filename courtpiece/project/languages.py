"""Which languages the site can be read in."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import to_locale

Language = tuple[str, str | Promise]

WRITTEN: Final = "en"
"""The language of the texts in the code, which needs no catalogue."""
LANGUAGES: Final[Sequence[Language]] = (("en", _("English")), ("ur", _("Urdu")), ("hi", _("Hindi")))
"""Those that the site is made for."""


def languages_with_a_catalogue(languages: Iterable[Language], folders: Iterable[Path]) -> list[Language]:
    """Return those that are written or translated: a page in English must not run from right to left."""
    places = list(folders)
    return [
        (code, name)
        for code, name in languages
        if code == WRITTEN
        or any((place / to_locale(code) / "LC_MESSAGES" / "django.mo").is_file() for place in places)
    ]
