"""Background jobs of tournaments, by name."""

from typing import Final

from scoring.jobs import RECOMPUTE_STANDINGS, enqueue_after_commit

COMPUTE_STANDINGS: Final = RECOMPUTE_STANDINGS
"""Takes ``collection_id`` and ``version``. Scoring starts it after every write to a collection."""

RATE_MATCHES: Final = "tournaments.rate_matches"
"""Takes ``collection_id`` and ``version``. Started once standings are saved: what changes a rating changes them."""

AUDIT_SCORESHEETS: Final = "tournaments.audit_scoresheets"
"""Takes ``scoresheet_ids``; answers with the differences."""

AUDIT_STANDINGS: Final = "tournaments.audit_standings"
"""Takes ``collection_id``; answers with the differences."""

AUDIT_RATINGS: Final = "tournaments.audit_ratings"
"""Takes ``club_id``; answers with the differences."""

SEND_WEBHOOKS: Final = "tournaments.send_webhooks"
"""Takes nothing: the database says what is due."""

__all__ = [
    "AUDIT_RATINGS",
    "AUDIT_SCORESHEETS",
    "AUDIT_STANDINGS",
    "COMPUTE_STANDINGS",
    "RATE_MATCHES",
    "SEND_WEBHOOKS",
    "enqueue_after_commit",
]
