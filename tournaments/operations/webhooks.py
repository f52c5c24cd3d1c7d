"""Everything that changes to which addresses a club has events sent."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.auditing import write_entry
from courtpiece.accounts.permissions import Action, Actor, require
from courtpiece.accounts.queries import NotFound
from tournaments.domain.webhooks import AddressFault, BadAddressError, read_address
from tournaments.errors import BadWebhookAddress, NoEventChosen, TooManyWebhooks, WebhookIsPaused
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
from tournaments.queries.webhooks import KINDS, networks, trial_body
from tournaments.webhook_secrets import secret_of

MOST: Final = 10
"""Webhooks of a club."""
OVERLAP: Final = timedelta(hours=24)
"""For so long the secret before is signed with too when one is renewed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeWebhook:
    """A webhook with its secret, which is told this once."""

    uid: UUID
    secret: str


@transaction.atomic(durable=True)
def make_webhook(
    *, actor: Actor, club_slug: str, url: str, kinds: Collection[str], at: datetime
) -> MadeWebhook:
    """Have the club's events from now on sent to an address, and return the secret that they are signed with.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor may not manage the club's webhooks.
    :raises BadWebhookAddress: if nothing may be sent to that address.
    :raises NoEventChosen: if no event is named, or one that there is not.
    :raises TooManyWebhooks: if the club has ten.
    """
    club = accounts.club_by_slug(club_slug, actor=actor)
    require(actor, Action.MANAGE_WEBHOOKS, club_id=club.id)
    address, chosen = _checked_url(url), _checked_kinds(kinds)
    if Webhook.objects.filter(club=club.id, removed_at=None).count() >= MOST:
        raise TooManyWebhooks(_("A club has at most %(most)d webhooks. Remove one first.") % {"most": MOST})
    hook = Webhook.objects.create(
        club_id=club.id, url=address, kinds=chosen, made_by_id=actor.user_id, made_at=at
    )
    _begin_now(hook)
    _write(hook, actor, Event.WEBHOOK_MADE, at)
    return MadeWebhook(uid=hook.uid, secret=secret_of(hook.key))


@transaction.atomic(durable=True)
def change_webhook(
    *, actor: Actor, club_slug: str, uid: UUID, url: str, kinds: Collection[str], at: datetime
) -> None:
    """Send other events, or to another address, from now on. What is waiting goes to the new address.

    :raises NotFound: if there is no such webhook.
    :raises Forbidden: if the actor may not manage the club's webhooks.
    :raises BadWebhookAddress: if nothing may be sent to that address.
    :raises NoEventChosen: if no event is named, or one that there is not.
    """
    hook = _hook(club_slug, uid, actor)
    hook.url, hook.kinds = _checked_url(url), _checked_kinds(kinds)
    hook.save(update_fields=["url", "kinds"])
    _write(hook, actor, Event.WEBHOOK_CHANGED, at)


@transaction.atomic(durable=True)
def renew_secret(*, actor: Actor, club_slug: str, uid: UUID, at: datetime) -> MadeWebhook:
    """Give the webhook another secret, and return it. For a day the one before is signed with too.

    :raises NotFound: if there is no such webhook.
    :raises Forbidden: if the actor may not manage the club's webhooks.
    """
    hook = _hook(club_slug, uid, actor)
    hook.key_before, hook.key_before_until = hook.key, at + OVERLAP
    hook.key = uuid4()
    hook.save(update_fields=["key", "key_before", "key_before_until"])
    _write(hook, actor, Event.WEBHOOK_SECRET_RENEWED, at)
    return MadeWebhook(uid=hook.uid, secret=secret_of(hook.key))


@transaction.atomic(durable=True)
def pause_webhook(*, actor: Actor, club_slug: str, uid: UUID, at: datetime) -> None:
    """Send nothing for the time being. What happens meanwhile is not sent later; what is waiting waits.

    :raises NotFound: if there is no such webhook.
    :raises Forbidden: if the actor may not manage the club's webhooks.
    """
    hook = _hook(club_slug, uid, actor)
    if hook.paused_at is None:
        set_paused(hook, PauseReason.PERSON, at)
        _write(hook, actor, Event.WEBHOOK_PAUSED, at)


@transaction.atomic(durable=True)
def resume_webhook(*, actor: Actor, club_slug: str, uid: UUID, at: datetime) -> None:
    """Send again, from now on; the actor is responsible for it from now on, too.

    :raises NotFound: if there is no such webhook.
    :raises Forbidden: if the actor may not manage the club's webhooks.
    """
    hook = _hook(club_slug, uid, actor)
    if hook.paused_at is None:
        return
    hook.paused_at, hook.paused_because, hook.made_by_id = None, "", actor.user_id
    hook.save(update_fields=["paused_at", "paused_because", "made_by"])
    _begin_now(hook)
    _write(hook, actor, Event.WEBHOOK_RESUMED, at)
    enqueue_after_commit(SEND_WEBHOOKS)


@transaction.atomic(durable=True)
def remove_webhook(*, actor: Actor, club_slug: str, uid: UUID, at: datetime) -> None:
    """Send nothing to that address any more, for good.

    :raises NotFound: if there is no such webhook.
    :raises Forbidden: if the actor may not manage the club's webhooks.
    """
    hook = _hook(club_slug, uid, actor)
    hook.removed_at = at
    hook.save(update_fields=["removed_at"])
    WebhookDelivery.objects.filter(hook=hook, state=DeliveryState.WAITING).delete()
    _write(hook, actor, Event.WEBHOOK_REMOVED, at)


@transaction.atomic(durable=True)
def send_test(*, actor: Actor, club_slug: str, uid: UUID, at: datetime) -> None:
    """Send something that tells of nothing, to try the address.

    :raises NotFound: if there is no such webhook.
    :raises Forbidden: if the actor may not manage the club's webhooks.
    :raises WebhookIsPaused: if nothing is sent for the time being.
    """
    hook = _hook(club_slug, uid, actor)
    _require_running(hook)
    kind, body = trial_body(at)
    WebhookDelivery.objects.create(hook=hook, kind=kind, body=body, made_at=at, next_at=at)
    _write(hook, actor, Event.WEBHOOK_TESTED, at)
    enqueue_after_commit(SEND_WEBHOOKS)


@transaction.atomic(durable=True)
def send_again(*, actor: Actor, club_slug: str, uid: UUID, delivery: UUID, at: datetime) -> None:
    """Send once more what was sent, word for word and under the same id, whatever became of it.

    :raises NotFound: if there is no such webhook or delivery.
    :raises Forbidden: if the actor may not manage the club's webhooks.
    :raises WebhookIsPaused: if nothing is sent for the time being.
    """
    hook = _hook(club_slug, uid, actor)
    _require_running(hook)
    row = WebhookDelivery.objects.select_for_update().filter(hook=hook, uid=delivery).first()
    if row is None:
        raise NotFound
    row.state, row.tries, row.next_at, row.ended_at = DeliveryState.WAITING, 0, at, None
    row.save(update_fields=["state", "tries", "next_at", "ended_at"])
    _write(hook, actor, Event.WEBHOOK_SENT_AGAIN, at)
    enqueue_after_commit(SEND_WEBHOOKS)


def set_paused(hook: Webhook, because: PauseReason, at: datetime) -> None:
    """Send nothing for the time being, in the caller's transaction."""
    hook.paused_at, hook.paused_because = at, because.value
    hook.save(update_fields=["paused_at", "paused_because"])


def _hook(club_slug: str, uid: UUID, actor: Actor) -> Webhook:
    """Return the webhook's row, locked."""
    club = accounts.club_by_slug(club_slug, actor=actor)
    require(actor, Action.MANAGE_WEBHOOKS, club_id=club.id)
    hook = Webhook.objects.select_for_update().filter(club=club.id, uid=uid, removed_at__isnull=True).first()
    if hook is None:
        raise NotFound
    return hook


def _require_running(hook: Webhook) -> None:
    if hook.paused_at is not None:
        raise WebhookIsPaused(_("Nothing is sent while the webhook is paused. Resume it first."))


def _begin_now(hook: Webhook) -> None:
    """Take what happened until now as sent, in all collections that the club has."""
    rows = Tournament.objects.filter(club=hook.club_id).values_list("collection_id", "collection__events")
    WebhookPlace.objects.bulk_create(
        [WebhookPlace(hook=hook, collection_id=pk, number=events) for pk, events in rows],
        update_conflicts=True,
        unique_fields=["hook", "collection"],
        update_fields=["number"],
    )


def _write(hook: Webhook, actor: Actor, event: Event, at: datetime) -> None:
    write_entry(actor=actor, what=event, at=at, club_id=hook.club_id, detail={"webhook": hook.url})


def _checked_url(url: str) -> str:
    address = url.strip()
    try:
        read_address(address, only_https=settings.WEBHOOKS_ONLY_HTTPS, allowed=networks())
    except BadAddressError as error:
        raise BadWebhookAddress(_what_is_wrong(error.fault)) from error
    return address


def _what_is_wrong(fault: AddressFault) -> str:
    return {
        AddressFault.NOT_WEB: _("Enter the whole address of a program, as in https://example.org/hook."),
        AddressFault.NOT_HTTPS: _("The address must begin with https://."),
        AddressFault.HAS_PASSWORD: _("Leave name and password out of the address: what is sent is signed."),
        AddressFault.TOO_LONG: _("The address is too long: 500 characters at most."),
        AddressFault.PRIVATE: _(
            "That is a machine of a network of its own. Only addresses of the open internet can be reached."
        ),
    }[fault]


def _checked_kinds(kinds: Collection[str]) -> Sequence[str]:
    chosen = [kind for kind in KINDS if kind in kinds]
    if not chosen or len(chosen) < len(set(kinds)):
        raise NoEventChosen(_("Choose at least one event."))
    return chosen
