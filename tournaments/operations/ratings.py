"""Everything that has finished matches rated: the database says which are behind, and a sweep finds them.

Nobody waits for a rating, and with every deal of an evening they would be behind again: so no write asks for them.
"""

from datetime import datetime

from scoring import operations as scoring_operations
from scoring import queries as scoring
from tournaments.jobs import RATE_MATCHES, enqueue_after_commit
from tournaments.models import Match, MatchState, Tournament


def rate_matches(*, collection_id: int, wanted: int | None = None) -> bool:
    """Rate the finished matches of the collection's tournament as they are now, and return whether a rating changed.

    Nothing is done where they were rated at the version ``wanted``, or a newer one; None: at the collection's. A match
    that was given away or is void was not played, and is not rated. Safe to run twice, late, and out of order. Three
    queries where nothing is to be done, else those of ``scoring.operations.rate_collection`` more.
    """
    version = scoring.collection_versions([collection_id])[collection_id]
    if scoring.rated_versions([collection_id]).get(collection_id, -1) >= (
        version if wanted is None else wanted
    ):
        return False
    return scoring_operations.rate_collection(
        collection_id=collection_id, version=version, finished=finished_matches(collection_id)
    )


def finished_matches(collection_id: int) -> list[scoring_operations.FinishedMatch]:
    """Return the finished matches of the collection's tournament that were played. One query."""
    rows = Match.objects.filter(
        round__tournament__collection=collection_id, state=MatchState.FINISHED, forfeit=""
    )
    columns = (
        "scoresheet_id",
        "round__number",
        "round__published_at",
        "finished_at",
        "adjusted_ns",
        "adjusted_ew",
    )
    return [_match(*row) for row in rows.values_list(*columns)]


def _match(
    scoresheet_id: int,
    round_number: int,
    began: datetime | None,
    finished_at: datetime | None,
    ns: int | None,
    ew: int | None,
) -> scoring_operations.FinishedMatch:
    return scoring_operations.FinishedMatch(
        scoresheet_id=scoresheet_id,
        round_number=round_number,
        began=began,
        finished_at=finished_at,
        courts=None if ns is None or ew is None else (ns, ew),
    )


def sweep_ratings() -> int:
    """Queue every tournament whose matches are to be rated again, and return how many there are. Three queries."""
    versions = scoring.collection_versions(Tournament.objects.values_list("collection_id", flat=True))
    rated = scoring.rated_versions(versions)
    behind = [pk for pk, version in versions.items() if rated.get(pk, -1) < version]
    for collection_id in behind:
        enqueue_after_commit(RATE_MATCHES, collection_id=collection_id, version=versions[collection_id])
    return len(behind)
