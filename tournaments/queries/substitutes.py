"""Who sat in for whom."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from scoring import queries as scoring
from scoring.queries import PlayerOfPair
from tournaments.models import Substitution


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstituteLine:
    """Somebody who sat in for another in one match."""

    absent: PlayerOfPair
    substitute: PlayerOfPair
    reason: str


def substitutes_of(match_ids: Iterable[int]) -> dict[int, tuple[SubstituteLine, ...]]:
    """Return who sat in for whom, by the id of the match. Two queries."""
    rows = list(Substitution.objects.filter(match__in=list(match_ids)).order_by("pk"))
    players = scoring.players_by_id(pk for row in rows for pk in (row.absent_id, row.substitute_id))
    found: defaultdict[int, list[SubstituteLine]] = defaultdict(list)
    for row in rows:
        found[row.match_id].append(
            SubstituteLine(
                absent=players[row.absent_id], substitute=players[row.substitute_id], reason=row.reason
            )
        )
    return {match_id: tuple(lines) for match_id, lines in found.items()}
