"""What the apps above call what the log knows by an id: named in the settings, since an import would point upwards."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Protocol, cast
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string


class NamesAbove(Protocol):
    """What the setting ``NAMES_IN_LOG`` names."""

    def __call__(self, uids: Iterable[UUID]) -> Mapping[UUID, str]:
        """Return what everybody sees in place of these ids; others are left out."""


def names_above(texts: Iterable[str]) -> dict[str, str]:
    """Return the names of those of the texts that are ids of somebody: as many queries as that takes, none without."""
    ids: dict[UUID, str] = {}
    for text in texts:
        with suppress(ValueError):
            ids[UUID(text)] = text
    name: str = settings.NAMES_IN_LOG
    if not (ids and name):
        return {}
    return {ids[uid]: found for uid, found in cast("NamesAbove", import_string(name))(ids).items()}
