"""Who sat in for whom."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import F, Q

from scoring import queries as scoring
from scoring.queries import PlayerOfPair
from tournaments.models import Substitution


@dataclass(frozen=True, slots=True, kw_only=True)
class SubstituteLine:
    """Somebody who sat in for another in one match."""

    absent: PlayerOfPair
    substitute: PlayerOfPair
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrySubstitute:
    """Somebody who sat in for a player of an entry, and where."""

    round: int
    table: str
    line: SubstituteLine


def substitutes_of_entry(tournament_id: int, number: int) -> tuple[EntrySubstitute, ...]:
    """Return who sat in for the players of an entry, round by round. One query, two where somebody did."""
    theirs = Q()
    for side in ("match__ns", "match__ew"):
        own = Q(absent=F(f"{side}__partnership__first")) | Q(absent=F(f"{side}__partnership__second"))
        theirs |= Q(**{f"{side}__number": number}) & own
    of_tournament = Substitution.objects.filter(theirs, match__round__tournament=tournament_id)
    rows = list(of_tournament.select_related("match__round").order_by("match__round__number"))
    players = scoring.players_by_id(pk for row in rows for pk in (row.absent_id, row.substitute_id))
    return tuple(
        EntrySubstitute(
            round=row.match.round.number,
            table=row.match.table,
            line=SubstituteLine(
                absent=players[row.absent_id], substitute=players[row.substitute_id], reason=row.reason
            ),
        )
        for row in rows
    )


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
