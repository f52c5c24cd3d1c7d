"""What the app above says of a scoresheet or a player: named in the settings, since an import would point upwards."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Protocol, cast
from uuid import UUID

from django.conf import settings
from django.utils.module_loading import import_string


class FactsAbove(Protocol):
    """What the setting ``SCORESHEET_FACTS`` names."""

    def __call__(self, uid: UUID, *, now: datetime) -> Mapping[str, object]:
        """Return what a template needs; ``above`` is its name. Empty where there is nothing to say."""


def facts_above(uid: UUID, *, now: datetime) -> Mapping[str, object]:
    """Return what is said above the scoresheet, as many queries as that takes; nothing where there is no app above.

    Whoever may see the scoresheet may see it.
    """
    name: str = settings.SCORESHEET_FACTS
    return cast("FactsAbove", import_string(name))(uid, now=now) if name else {}


class CollectionsAbove(Protocol):
    """What the setting ``COLLECTIONS_ENTERED`` names."""

    def __call__(self, player_ids: Collection[int]) -> Collection[int]:
        """Return the ids of the collections in which one of the players is named."""


def collections_above(player_ids: Collection[int]) -> Collection[int]:
    """Return the collections in which a player is named, played or not; none where there is no app above."""
    name: str = settings.COLLECTIONS_ENTERED
    return cast("CollectionsAbove", import_string(name))(player_ids) if name else ()
