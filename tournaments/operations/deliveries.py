"""Everything that brings events to the addresses of webhooks: what is to be sent, sending it, and what became of it.

The database is the truth. Deliveries are rows, made from the events' own rows by a task that follows every write and by
a sweep, each event once; a try is written down before it is made, so that a worker that dies at it leaves one that is
due again. So something may arrive twice, under the same id; nothing is left out.
"""

import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import F, Min, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.auditing import write_entry
from courtpiece.accounts.permissions import SERVER, Action
from scoring import queries as scoring
from tournaments.domain.webhooks import ID, SIGNATURE, TIMESTAMP, next_try, signature
from tournaments.events import Event
from tournaments.jobs import SEND_WEBHOOKS, enqueue_after_commit
from tournaments.models import (
    DeliveryState,
    PauseReason,
    Tournament,
    Webhook,
    WebhookDelivery,
    WebhookPlace,
)
from tournaments.operations.webhooks import set_paused
from tournaments.posting import Posted, Reach, post
from tournaments.queries.events import about_of, event_json
from tournaments.queries.webhooks import message_id, networks
from tournaments.webhook_secrets import key_of

AT_ONCE: Final = 200
"""Events that deliveries are made of in one transaction."""
SENDERS: Final = 8
"""Webhooks that are sent to in one round, each by a thread of its own."""
OF_ONE: Final = 10
"""Deliveries of a webhook in one round, at most."""
LEASE: Final = timedelta(minutes=3)
"""After which a try of which nothing was heard is thought lost: longer than a round can take."""
LONGEST: Final = timedelta(seconds=20)
"""After which nothing further is begun: what is left is for the next task, and others have their turn."""
KEPT: Final = timedelta(days=30)
GONE: Final = 410
Clock = Callable[[], datetime]
Poster = Callable[..., Posted]


# -- what is to be sent


def fan_out(*, collection_id: int, clock: Clock) -> int:
    """Make the deliveries of what happened in a collection and was not seen to; return how many.

    One query where no webhook is waiting for it. Safe to run twice, late and at the same time as itself.
    """
    club = Tournament.objects.filter(collection=collection_id).values("club")
    hooks = list(Webhook.objects.filter(club__in=club, removed_at=None, paused_at=None).order_by("pk"))
    if not hooks:
        return 0
    tournament = Tournament.objects.get(collection=collection_id)
    made = sum(_fan_out(hook, tournament, clock()) for hook in _answered_for(hooks, clock()))
    if made:
        enqueue_after_commit(SEND_WEBHOOKS)
    return made


def _answered_for(hooks: Sequence[Webhook], at: datetime) -> list[Webhook]:
    """Return those whose maker may still know of everything in the club; the others are paused."""
    makers = {hook.made_by_id for hook in hooks if hook.made_by_id is not None}
    may = accounts.users_who_may(Action.MANAGE_WEBHOOKS, user_ids=makers, club_id=hooks[0].club_id)
    for hook in hooks:
        if hook.made_by_id is not None and hook.made_by_id not in may:
            _pause(hook, PauseReason.MAKER, at)
    return [hook for hook in hooks if hook.paused_at is None]


def _fan_out(hook: Webhook, tournament: Tournament, at: datetime) -> int:
    made = 0
    while True:
        seen, new = _fan_out_some(hook, tournament, at)
        made += new
        if seen < AT_ONCE:
            return made


@transaction.atomic
def _fan_out_some(hook: Webhook, tournament: Tournament, at: datetime) -> tuple[int, int]:
    """Return how many events were looked at, and how many deliveries were made."""
    WebhookPlace.objects.bulk_create(
        [WebhookPlace(hook=hook, collection_id=tournament.collection_id)], ignore_conflicts=True
    )
    place = WebhookPlace.objects.select_for_update().get(hook=hook, collection=tournament.collection_id)
    events = scoring.events_after(tournament.collection_id, place.number, limit=AT_ONCE)
    if not events:
        return 0, 0
    about = about_of(tournament)
    new = [
        WebhookDelivery(
            hook=hook,
            event_id=event.id,
            kind=event.kind,
            body=json.dumps(event_json(event, about, origin=settings.SITE_ORIGIN)),
            made_at=at,
            next_at=at,
        )
        for event in events
        if event.kind in hook.kinds
    ]
    WebhookDelivery.objects.bulk_create(new, ignore_conflicts=True)
    place.number = events[-1].number
    place.save(update_fields=["number"])
    return len(events), len(new)


def sweep_webhooks(*, clock: Clock) -> int:
    """Make the deliveries that nobody made, forget old ones, and return how many were made.

    One query for each webhook, three for all.
    """
    made = 0
    for hook in Webhook.objects.filter(removed_at=None, paused_at=None):
        for collection_id in _behind(hook):
            made += fan_out(collection_id=collection_id, clock=clock)
    old = WebhookDelivery.objects.filter(ended_at__lt=clock() - KEPT)
    WebhookDelivery.objects.filter(pk__in=list(old.values_list("pk", flat=True)[:1000])).delete()
    _ask_to_send(clock())
    return made


def _behind(hook: Webhook) -> list[int]:
    place = WebhookPlace.objects.filter(hook=hook, collection=OuterRef("collection")).values("number")[:1]
    rows = Tournament.objects.filter(club=hook.club_id).annotate(
        place=Coalesce(Subquery(place), 0), events=F("collection__events")
    )
    return list(rows.filter(events__gt=F("place")).values_list("collection_id", flat=True))


# -- sending


@dataclass(frozen=True, slots=True, kw_only=True)
class _Try:
    """A delivery that is about to be tried."""

    id: int
    hook_id: int
    url: str
    body: bytes
    message_id: str
    keys: tuple[bytes, ...]
    tries: int
    """This one counted."""


def send_webhooks(*, clock: Clock, poster: Poster = post) -> int:
    """Send what is due, and return how much was tried. One worker does at a time: the others have other work.

    What is sent to one address goes one after the other, the oldest first, and stops for a while at the first that
    fails; nothing is promised of the order, which the events' numbers tell.
    """
    if not cache.add("webhooks:sending", 1, timeout=round(LEASE.total_seconds())):
        return 0
    try:
        tried = _send_rounds(clock, poster)
    finally:
        cache.delete("webhooks:sending")
    # Whoever came meanwhile saw somebody at work, and left it to them.
    _ask_to_send(clock())
    return tried


def _ask_to_send(at: datetime) -> None:
    if WebhookDelivery.objects.filter(_DUE, next_at__lte=at).exists():
        enqueue_after_commit(SEND_WEBHOOKS)


def _send_rounds(clock: Clock, poster: Poster) -> int:
    until = clock() + LONGEST
    tried = 0
    while True:
        claimed = _claim(clock())
        if not claimed:
            return tried
        by_hook: dict[int, list[_Try]] = {}
        for one in claimed:
            by_hook.setdefault(one.hook_id, []).append(one)
        tried += len(claimed)
        with ThreadPoolExecutor(SENDERS, thread_name_prefix="webhook") as senders:
            # Only the network is in the threads; what came of it is written down here.
            for outcomes in senders.map(lambda tries: _send(tries, clock, poster), by_hook.values()):
                for one, posted in outcomes:
                    _note(one, posted, clock())
        if clock() >= until:
            return tried


@transaction.atomic
def _claim(at: datetime) -> list[_Try]:
    """Return what is due, each counted as tried: of the addresses that wait longest, of each the oldest.

    Two queries, and one for each address.
    """
    due = WebhookDelivery.objects.filter(_DUE, next_at__lte=at)
    longest = due.values("hook").annotate(since=Min("next_at")).order_by("since", "hook")
    claimed = [row for line in longest[:SENDERS] for row in _due_of(line["hook"], at)]
    WebhookDelivery.objects.filter(pk__in=[row.pk for row in claimed]).update(
        tries=F("tries") + 1, next_at=at + LEASE
    )
    return [_try_of(row, at) for row in claimed]


def _due_of(hook_id: int, at: datetime) -> list[WebhookDelivery]:
    rows = WebhookDelivery.objects.filter(_DUE, hook=hook_id, next_at__lte=at).select_related("hook")
    skip = connection.features.has_select_for_update_skip_locked
    return list(rows.select_for_update(of=("self",), skip_locked=skip).order_by("next_at", "pk")[:OF_ONE])


_DUE: Final = Q(state=DeliveryState.WAITING, hook__paused_at=None, hook__removed_at=None)


def _try_of(row: WebhookDelivery, at: datetime) -> _Try:
    hook = row.hook
    keys = [hook.key]
    if hook.key_before is not None and hook.key_before_until is not None and at < hook.key_before_until:
        keys.append(hook.key_before)
    return _Try(
        id=row.pk,
        hook_id=hook.pk,
        url=hook.url,
        body=row.body.encode(),
        message_id=message_id(row.uid),
        keys=tuple(map(key_of, keys)),
        tries=row.tries + 1,
    )


def _send(tries: Sequence[_Try], clock: Clock, poster: Poster) -> list[tuple[_Try, Posted | None]]:
    """Send one after the other until one fails, or it takes too long; None: not tried."""
    outcomes: list[tuple[_Try, Posted | None]] = []
    until, is_over = clock() + LONGEST, False
    for one in tries:
        posted = None if is_over else _post(one, clock(), poster)
        is_over = is_over or (posted is not None and bool(posted.fault)) or clock() > until
        outcomes.append((one, posted))
    return outcomes


def _post(one: _Try, at: datetime, poster: Poster) -> Posted:
    seconds = int(at.timestamp())
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "Courtpiece-Webhook/1",
        ID: one.message_id,
        TIMESTAMP: str(seconds),
        SIGNATURE: signature(one.keys, message_id=one.message_id, seconds=seconds, body=one.body),
    }
    reach = Reach(only_https=settings.WEBHOOKS_ONLY_HTTPS, allowed=networks())
    return poster(one.url, one.body, headers, reach=reach)


@transaction.atomic
def _note(one: _Try, posted: Posted | None, at: datetime) -> None:
    """Write down what became of a try, unless it was thought lost and somebody else has tried since."""
    row = (
        WebhookDelivery.objects.select_for_update()
        .filter(pk=one.id, tries=one.tries, state=DeliveryState.WAITING)
        .first()
    )
    if row is None:
        return
    if posted is None:
        row.tries, row.next_at = one.tries - 1, at + NOT_TRIED
        row.save(update_fields=["tries", "next_at"])
        return
    row.status, row.fault, row.took, row.answer = posted.status, posted.fault, posted.took, posted.answer
    row.tried_at = at
    row.next_at = _next_of(row, at)
    if row.next_at is None:
        row.ended_at = at
        row.state = DeliveryState.FAILED if posted.fault else DeliveryState.DELIVERED
    row.save()
    if not posted.fault:
        Webhook.objects.filter(pk=one.hook_id).update(succeeded_at=at)
    elif row.state == DeliveryState.FAILED:
        _pause_if_dead(row, at)


NOT_TRIED: Final = timedelta(seconds=15)


def _next_of(row: WebhookDelivery, at: datetime) -> datetime | None:
    if not row.fault or row.status == GONE:
        return None
    return next_try(row.tries, after=at)


def _pause_if_dead(row: WebhookDelivery, at: datetime) -> None:
    """Pause a webhook that is gone, or to which nothing has come through since the delivery was made."""
    hook = Webhook.objects.select_for_update().get(pk=row.hook_id)
    if hook.paused_at is not None:
        return
    if row.status == GONE:
        _pause(hook, PauseReason.GONE, at)
    elif row.event_id is not None and (hook.succeeded_at is None or hook.succeeded_at < row.made_at):
        _pause(hook, PauseReason.FAILURES, at)


def _pause(hook: Webhook, because: PauseReason, at: datetime) -> None:
    with transaction.atomic():
        set_paused(hook, because, at)
        write_entry(
            actor=SERVER,
            what=Event.WEBHOOK_PAUSED,
            at=at,
            club_id=hook.club_id,
            detail={"webhook": hook.url, "because": because.value},
        )
