"""What a tournament says of a scoresheet on the scoresheet's own page, which the app below shows."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from tournaments.models import Match
from tournaments.queries.clocks import wall_clock
from tournaments.queries.footnotes import ruled_match


def facts_of_scoresheet(uid: UUID, *, now: datetime) -> Mapping[str, object]:
    """Return what the page shows above the scoresheet; nothing where it is of no match. Three queries at most.

    Named in the settings. ``now`` is what the clock is shown at.
    """
    match = Match.objects.select_related("round__tournament").filter(scoresheet__uid=uid).first()
    if match is None:
        return {}
    tournament = match.round.tournament
    return {
        "above": "tournaments/above_scoresheet.html",
        "ruled": ruled_match(match, tournament.slug),
        "wall": wall_clock(
            tournament_id=tournament.pk,
            slug=tournament.slug,
            tournament_format=tournament.format,
            status=tournament.status,
            now=now,
        ),
    }
