"""For how long links take new deals: so many hours after the last thing that happened in their session."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any

from django.db.models import F, Max

from scoring import queries as scoring
from tournaments.models import Match, Session, TableLink


class LinkState(Enum):
    """What a link is good for."""

    GOOD = "good"
    REVOKED = "revoked"
    EXPIRED = "expired"
    """It shows its table, and takes nothing new until a director extends it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastHeard:
    """What last happened in a session."""

    opened_at: datetime | None
    """When it was to begin, a round of it was published, or its clock started; None: nothing of it."""
    played_at: datetime | None
    """When a deal of it was last written; None: none is."""


def good_until(
    *, hours: int | None, link_at: Iterable[datetime | None], session: LastHeard
) -> datetime | None:
    """Return until when a link takes new deals; None: no end is set.

    ``link_at`` are the moments at which it was made and extended. A session of which no deal is in has not begun,
    whenever that was to be: then no end is set either.
    """
    if hours is None or session.played_at is None:
        return None
    moments = [moment for moment in (*link_at, session.opened_at, session.played_at) if moment is not None]
    return max(moments) + timedelta(hours=hours)


def link_state(link_id: int, *, hours: int | None, now: datetime) -> LinkState:
    """Return what the link is good for. One query, two more where only deals can tell."""
    row = _with_sessions(link_id)
    if row["revoked_at"] is not None:
        return LinkState.REVOKED
    moments = (row["made_at"], row["extended_at"], row["starts_at"], row["published_at"], row["started_at"])
    if hours is None or max(filter(None, moments)) + timedelta(hours=hours) >= now:
        return LinkState.GOOD
    last = last_of_sessions([row["session_id"]])[row["session_id"]]
    until = good_until(hours=hours, link_at=moments[:2], session=last)
    return LinkState.EXPIRED if until is not None and until < now else LinkState.GOOD


def _with_sessions(link_id: int) -> dict[str, Any]:
    rows = TableLink.objects.filter(pk=link_id).annotate(
        starts_at=F("session__starts_at"),
        published_at=Max("session__rounds__published_at"),
        started_at=Max("session__rounds__clock__started_at"),
    )
    names = ("session_id", "made_at", "extended_at", "revoked_at", "starts_at", "published_at", "started_at")
    return dict(rows.values(*names).get())


def last_of_sessions(session_ids: Iterable[int]) -> dict[int, LastHeard]:
    """Return what last happened in the sessions. Three queries."""
    rows = Session.objects.filter(pk__in=list(session_ids)).annotate(
        published_at=Max("rounds__published_at"), started_at=Max("rounds__clock__started_at")
    )
    opened = {row.pk: _latest(row.starts_at, row.published_at, row.started_at) for row in rows}
    sheets = dict(
        Match.objects.filter(round__session__in=opened).values_list("scoresheet_id", "round__session_id")
    )
    played: defaultdict[int, list[datetime]] = defaultdict(list)
    for sheet_id, activity in scoring.sheet_activity(sheets).items():
        played[sheets[sheet_id]].append(activity.heard_at)
    return {
        pk: LastHeard(opened_at=moment, played_at=max(played[pk], default=None))
        for pk, moment in opened.items()
    }


def _latest(*moments: datetime | None) -> datetime | None:
    return max((moment for moment in moments if moment is not None), default=None)
