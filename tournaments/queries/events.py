"""What happened in a tournament, as programs are told: the same words in a list, on a socket and in a webhook."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final, TypedDict

from django.urls import reverse

from courtpiece.accounts.permissions import ANONYMOUS, Action, Actor, may
from scoring import queries as scoring
from scoring.queries import EventLine
from tournaments.models import Tournament
from tournaments.publishing import timestamp
from tournaments.queries.sight import tournament_for

PART: Final = 200
"""Events that are read at once for a socket."""


class TournamentJson(TypedDict):
    """Which tournament it is."""

    slug: str
    url: str


class EventJson(TypedDict):
    """Something that happened. ``number`` counts the tournament's events from 1, without gaps."""

    number: int
    type: str
    timestamp: str
    version: int
    """The tournament's, when it was written down."""
    tournament: TournamentJson
    data: dict[str, Any]
    """Ids, numbers, codes and addresses: no names, no results and no cards. Those are read at the addresses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsPart:
    """Some events of a tournament, in their order."""

    tournament_id: int
    events: tuple[EventJson, ...]
    after: int
    """The number after which they come."""
    last: int
    """The number of the last event there is; 0: there was none yet."""
    is_for_all: bool
    """Whether everybody may see them."""

    @property
    def until(self) -> int:
        """The number up to which whoever reads these has all."""
        return self.events[-1]["number"] if self.events else self.after

    @property
    def has_more(self) -> bool:
        """Whether there are events after these."""
        return bool(self.events) and self.until < self.last


def events_part(slug: str, *, actor: Actor, after: int, limit: int, origin: str) -> EventsPart:
    """Return the events after that number, at most so many. Three queries, one more where it is private.

    ``origin`` is what addresses begin with; empty: they are paths.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    return _part(tournament_for(slug, actor=actor), after=after, limit=limit, origin=origin)


def events_now(tournament_id: int, *, after: int, limit: int, origin: str) -> EventsPart:
    """Return the same for who has decided that it may be seen. Three queries."""
    return _part(Tournament.objects.get(pk=tournament_id), after=after, limit=limit, origin=origin)


def _part(tournament: Tournament, *, after: int, limit: int, origin: str) -> EventsPart:
    # What is last is asked first: an event that comes between is then one more to come, and none that is missed.
    last = scoring.last_events([tournament.collection_id])[tournament.collection_id]
    lines = scoring.events_after(tournament.collection_id, after, limit=limit)
    return EventsPart(
        tournament_id=tournament.pk,
        events=tuple(event_json(line, about_of(tournament), origin=origin) for line in lines),
        after=after,
        last=max(last, lines[-1].number if lines else 0),
        is_for_all=may(ANONYMOUS, Action.VIEW_TOURNAMENT, visibility=tournament.visibility),
    )


@dataclass(frozen=True, slots=True)
class About:
    """What is said of a tournament with its events."""

    slug: str
    delay: timedelta
    """For so long the cards of a recorded deal are kept from spectators."""


def about_of(tournament: Tournament) -> About:
    """Return what is said of the tournament with its events."""
    return About(tournament.slug, timedelta(minutes=tournament.live_delay))


def event_json(line: EventLine, about: About, *, origin: str) -> EventJson:
    """Return an event as programs are told."""
    return EventJson(
        number=line.number,
        type=line.kind,
        timestamp=timestamp(line.made_at),
        version=line.version,
        tournament=TournamentJson(
            slug=about.slug, url=origin + reverse("api-tournament", kwargs={"slug": about.slug})
        ),
        data=_with_addresses(line, about, origin),
    )


def _with_addresses(line: EventLine, about: About, origin: str) -> dict[str, Any]:
    data = dict(line.data)
    if "scoresheet" in data:
        cards_from = timestamp(line.made_at + about.delay) if about.delay else None
        data["scoresheet"] = _at({"id": data["scoresheet"]}, "api-scoresheet", origin)
        data["deals"] = [
            _at({**deal, "cards_from": cards_from}, "api-deal", origin) for deal in data["deals"]
        ]
    if "round" in data:
        data["round"] = _at(data["round"], "api-round", origin)
    if "standings" in data:
        address = reverse("api-standings", kwargs={"slug": about.slug})
        data["standings"] = {**data["standings"], "url": origin + address}
    return data


def _at(thing: Mapping[str, Any], name: str, origin: str) -> dict[str, Any]:
    return {**thing, "url": origin + reverse(name, kwargs={"uid": thing["id"]})}
