"""Everything about the deals that go on: what tables show of them, and how late spectators see it.

What a table shows is no part of any record: it is taken as it comes, the newest wins, and it is forgotten soon. So
these leave no entry in the log; only the delay does, which a director sets.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Action, Actor, require
from courtpiece.accounts.queries import NotFound
from courtpiece.accounts.refusals import Refused
from scoring.live import checked_unfinished
from scoring.operations import delay_cards
from tournaments.events import Event
from tournaments.models import LiveState, Match, MatchState, Tournament
from tournaments.operations.log import record_change
from tournaments.operations.running import locked
from tournaments.publishing import announce_table
from tournaments.queries import LinkState, link_state
from tournaments.queries.live import SILENT, delay_of, scoresheet_of_match
from tournaments.schemes import LONGEST_DELAY

MOST_STATES: Final = 4000
"""Of a match: more than an hour of one card a second."""


class BadDelay(Refused):
    """The delay is none that there can be."""

    field = "live_delay"


@dataclass(frozen=True, slots=True, kw_only=True)
class SentState:
    """What a device says of the deal that goes on at its table."""

    device: UUID
    scoresheet: UUID
    deal: int
    sequence: int
    pcn: str
    """Empty: no deal is being entered."""


@transaction.atomic(durable=True)
def change_live_delay(*, actor: Actor, slug: str, live_delay: int, at: datetime) -> None:
    """Say how many minutes late spectators follow the tables, and see the cards of recorded deals.

    It holds at once, for what was recorded before too.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run tournaments in the club.
    :raises BadDelay: if it is below 0, or longer than four hours.
    """
    if not 0 <= live_delay <= LONGEST_DELAY:
        raise BadDelay(_("The delay is 0 to %(most)d minutes.") % {"most": LONGEST_DELAY})
    tournament = locked(slug, actor=actor, action=Action.MANAGE_TOURNAMENT, even_final=True)
    if tournament.live_delay == live_delay:
        return
    tournament.live_delay = live_delay
    tournament.save(update_fields=["live_delay"])
    delay_cards(actor=actor, collection_id=tournament.collection_id, delay=timedelta(minutes=live_delay))
    record_change(tournament, actor, Event.LIVE_DELAY, at, {"minutes": live_delay})


def post_live_state(*, actor: Actor, sent: SentState, at: datetime) -> bool:
    """Take in what a device shows of the deal that goes on; return whether it is news.

    What is older than what the device said before is passed over, and so is what comes after the match is over, or by
    a link that takes no more deals.

    :raises NotFound: if there is no such match.
    :raises Forbidden: if the actor may not record deals there.
    :raises RecordRefused: if the engine refuses what is told.
    """
    place = scoresheet_of_match(sent.scoresheet)
    if place is None:
        raise NotFound
    require(actor, Action.RECORD_DEAL, club_id=place.club_id, scoresheet_id=place.scoresheet_id)
    pcn = checked_unfinished(sent.pcn, rules=place.rules, number=sent.deal) if sent.pcn else ""
    if place.state != MatchState.OPEN:
        return False
    match = Match.objects.select_related("round__tournament").get(pk=place.match_id)
    hours = match.round.tournament.link_hours
    if actor.table is not None and link_state(actor.table.link_id, hours=hours, now=at) is not LinkState.GOOD:
        return False
    known = LiveState.objects.filter(match=place.match_id, device=sent.device)
    newest = known.aggregate(newest=Max("sequence"))["newest"]
    if newest is not None and sent.sequence <= newest:
        return False
    return _keep(sent, match, pcn, at)


@transaction.atomic(durable=True)
def _keep(sent: SentState, match: Match, pcn: str, at: datetime) -> bool:
    try:
        with transaction.atomic():
            LiveState.objects.create(
                match=match,
                device=sent.device,
                sequence=sent.sequence,
                deal=sent.deal,
                pcn=pcn,
                received_at=at,
            )
    except IntegrityError:
        return False
    tournament = match.round.tournament
    _forget(match.pk, shown_at=at - delay_of(tournament))
    announce_table(tournament_id=tournament.pk, table=match.table, due=at + delay_of(tournament))
    return True


def _forget(match_id: int, *, shown_at: datetime) -> None:
    """Delete what no spectator will be shown any more: all that is older than what is shown now."""
    states = LiveState.objects.filter(match=match_id)
    shown = (
        states.filter(received_at__lte=shown_at)
        .order_by("-received_at", "-pk")
        .values_list("pk", "received_at")
    )
    newest = shown.first()
    if newest is not None:
        states.filter(received_at__lt=newest[1]).delete()
    count = states.count()
    if count > MOST_STATES:
        oldest = states.order_by("received_at", "pk").values_list("pk", flat=True)[: count - MOST_STATES]
        LiveState.objects.filter(pk__in=list(oldest)).delete()


def sweep_live_states(*, clock: Callable[[], datetime]) -> int:
    """Forget what tables said long ago, and return how much that was."""
    longest = Tournament.objects.aggregate(longest=Max("live_delay"))["longest"] or 0
    old = LiveState.objects.filter(received_at__lt=clock() - SILENT - timedelta(minutes=longest))
    deleted, _rows = old.delete()
    return deleted
