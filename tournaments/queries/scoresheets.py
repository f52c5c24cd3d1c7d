"""What a tournament says of a scoresheet on the scoresheet's own page, which the app below shows."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from courtpiece.accounts import queries as accounts
from tournaments.models import Match
from tournaments.queries.clocks import wall_clock
from tournaments.queries.footnotes import ruled_match
from tournaments.queries.live import watched_match


def facts_of_scoresheet(uid: UUID, *, now: datetime) -> Mapping[str, object]:
    """Return what the page shows above the scoresheet; nothing where it is of no match.

    Three queries, nine more at most while it is played. Named in the settings. ``now`` is what the clock is shown at.
    """
    match = Match.objects.select_related("round__tournament").filter(scoresheet__uid=uid).first()
    if match is None:
        return {}
    tournament = match.round.tournament
    zone = accounts.clubs_by_id([tournament.club_id])[tournament.club_id].timezone
    return {
        "above": "tournaments/above_scoresheet.html",
        "watched": watched_match(match, tournament, timezone=zone, now=now),
        "ruled": ruled_match(match, tournament.slug),
        "wall": wall_clock(
            tournament_id=tournament.pk,
            slug=tournament.slug,
            tournament_format=tournament.format,
            status=tournament.status,
            now=now,
        ),
    }
