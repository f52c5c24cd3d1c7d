"""For how long links take new deals: so many hours after the last thing that happened in their session."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Any, Final

from django.db.models import BigIntegerField, Max

from courtpiece.accounts.prepared import Prepared
from scoring import queries as scoring
from tournaments.models import Match, MatchState, Session, TableLink


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
    """Return what the link is good for. One query, one more where rounds must tell, two more where only deals can."""
    (row,) = _MOMENTS.rows(link_id)
    return _state(row, hours=hours, now=now)


def link_and_match(
    link_id: int, match_id: int, *, hours: int | None, now: datetime
) -> tuple[LinkState, bool]:
    """Return what the link is good for, and whether the match takes deals; the queries of ``link_state``.

    A match that is not of the link's session, or is there no more, takes none.
    """
    for state, *row in _WITH_MATCH.rows(link_id, match_id):
        return _state(row, hours=hours, now=now), state == MatchState.OPEN
    return link_state(link_id, hours=hours, now=now), False


def _state(row: Sequence[Any], *, hours: int | None, now: datetime) -> LinkState:
    session_id, revoked_at, *moments = row
    if revoked_at is not None:
        return LinkState.REVOKED
    if hours is None or max(filter(None, moments)) + timedelta(hours=hours) >= now:
        return LinkState.GOOD
    opened = _opened([session_id])
    if (last_opened := opened[session_id]) is not None and last_opened + timedelta(hours=hours) >= now:
        return LinkState.GOOD
    until = good_until(hours=hours, link_at=moments[:2], session=_last(opened)[session_id])
    return LinkState.EXPIRED if until is not None and until < now else LinkState.GOOD


_OF_A_LINK: Final = ("session_id", "revoked_at", "made_at", "extended_at", "session__starts_at")
_MOMENTS: Final = Prepared(
    lambda pk: TableLink.objects.filter(pk=pk).values_list(*_OF_A_LINK), BigIntegerField()
)
_WITH_MATCH: Final = Prepared(
    lambda pk, match: TableLink.objects.filter(pk=pk, session__rounds__matches__pk=match).values_list(
        "session__rounds__matches__state", *_OF_A_LINK
    ),
    BigIntegerField(),
    BigIntegerField(),
)


def last_of_sessions(session_ids: Iterable[int]) -> dict[int, LastHeard]:
    """Return what last happened in the sessions. Three queries."""
    return _last(_opened(session_ids))


def _opened(session_ids: Iterable[int]) -> dict[int, datetime | None]:
    """Return when each session was last opened: as :class:`LastHeard` says. One query."""
    rows = Session.objects.filter(pk__in=list(session_ids)).annotate(
        published_at=Max("rounds__published_at"), started_at=Max("rounds__clock__started_at")
    )
    moments = rows.values_list("pk", "starts_at", "published_at", "started_at")
    return {pk: _latest(*found) for pk, *found in moments}


def _last(opened: Mapping[int, datetime | None]) -> dict[int, LastHeard]:
    """Return what last happened in sessions that were opened then. Two queries."""
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
