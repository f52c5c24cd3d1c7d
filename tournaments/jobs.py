"""Background jobs of tournaments, by name."""

from typing import Final

from scoring.jobs import RECOMPUTE_STANDINGS, enqueue_after_commit

COMPUTE_STANDINGS: Final = RECOMPUTE_STANDINGS
"""Takes ``collection_id`` and ``version``. Scoring starts it after every write to a collection."""

AUDIT_SCORESHEETS: Final = "tournaments.audit_scoresheets"
"""Takes ``scoresheet_ids``; answers with the differences."""

AUDIT_STANDINGS: Final = "tournaments.audit_standings"
"""Takes ``collection_id``; answers with the differences."""

__all__ = ["AUDIT_SCORESHEETS", "AUDIT_STANDINGS", "COMPUTE_STANDINGS", "enqueue_after_commit"]
