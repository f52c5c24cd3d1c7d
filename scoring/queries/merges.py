"""Which players of a club are one person, and which of its partnerships are the same two persons."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Q

from scoring.models import Partnership, Player


@dataclass(frozen=True, slots=True)
class Persons:
    """Who is whom, by ids; who is not in it is nobody else."""

    kept: Mapping[int, int]
    """The player that stands for each who was merged."""
    pairs: Mapping[int, int]
    """The partnership that stands for each of those that the same two persons are: the one that was there first."""

    def player(self, pk: int) -> int:
        """Return the player that stands for this one."""
        return self.kept.get(pk, pk)

    def pair(self, pk: int) -> int:
        """Return the partnership that stands for this one."""
        return self.pairs.get(pk, pk)


def persons_of_club(club_id: int) -> Persons:
    """Return who is whom in the club. Two queries, one where nobody is merged."""
    rows = Player.objects.filter(club=club_id, merged_into__isnull=False)
    kept: dict[int, int] = dict(rows.values_list("pk", "merged_into_id"))
    if not kept:
        return Persons({}, {})
    everyone = {*kept, *kept.values()}
    pairs = Partnership.objects.filter(Q(first__in=everyone) | Q(second__in=everyone)).order_by("pk")
    standing: dict[frozenset[int], int] = {}
    stands_for: dict[int, int] = {}
    for pk, one, other in pairs.values_list("pk", "first_id", "second_id"):
        two = frozenset((kept.get(one, one), kept.get(other, other)))
        stands_for[pk] = standing.setdefault(two, pk)
    return Persons(kept, stands_for)


def merged_players() -> dict[int, int]:
    """Return the player that stands for each who was merged, in all clubs. One query."""
    rows = Player.objects.filter(merged_into__isnull=False)
    return dict(rows.values_list("pk", "merged_into_id"))
