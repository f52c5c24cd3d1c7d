"""What players are found by, written wherever one is named: in the transaction that does it."""

from collections.abc import Mapping

from scoring.models import NameKey, Player
from scoring.names import name_keys, search_key


def add_name_keys(names: Mapping[int, str]) -> None:
    """Write what each player, by id, is found by under that name. One query, none without players."""
    rows = [NameKey(player_id=pk, key=key) for pk, name in names.items() for key in sorted(name_keys(name))]
    if rows:
        NameKey.objects.bulk_create(rows, ignore_conflicts=True)


def rename(player: Player, name: str) -> None:
    """Give the row, which the caller saves, another name, and write what it is found by. Two queries."""
    player.name = name
    player.search_key = search_key(name)
    NameKey.objects.filter(player=player).delete()
    add_name_keys({player.pk: name})
