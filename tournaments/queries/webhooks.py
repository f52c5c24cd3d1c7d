"""The pages of a club's webhooks, and what is said to their receivers."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from ipaddress import ip_network
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Max, Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import Action, Actor, may, require
from courtpiece.accounts.queries import ClubLine, NotFound
from scoring.stream import DEAL_CORRECTED, DEAL_RECORDED
from tournaments.domain.webhooks import MOST_TRIES, Network
from tournaments.events import Happening
from tournaments.models import DeliveryFault, DeliveryState, PauseReason, Webhook, WebhookDelivery
from tournaments.publishing import timestamp

KINDS: Final[Mapping[str, str | Promise]] = {
    Happening.ROUND_PUBLISHED.value: _("a round was published"),
    Happening.ROUND_TAKEN_BACK.value: _("a round was taken back"),
    DEAL_RECORDED: _("deals were recorded"),
    DEAL_CORRECTED: _("a deal was corrected, ruled or made void"),
    Happening.STANDINGS_CHANGED.value: _("there are new standings"),
    Happening.TOURNAMENT_FINAL.value: _("a tournament is final"),
    Happening.TOURNAMENT_REOPENED.value: _("a tournament was opened again"),
}
"""The events that can be sent, with what they mean."""
TEST: Final = "test"
"""The type of what is sent to try an address."""
SHOWN: Final = 100
"""Deliveries on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookLine:
    """A webhook as the list shows it."""

    uid: UUID
    url: str
    kinds: tuple[tuple[str, str | Promise], ...]
    """Each event with what it means."""
    made_at: datetime
    made_by: str
    """Empty: a command of the server."""
    paused_at: datetime | None
    paused_because: str
    succeeded_at: datetime | None
    waiting: int
    failed: int
    tried_at: datetime | None
    old_secret_until: datetime | None
    """Until when the secret before the last is signed with too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhooksPage:
    """The webhooks of a club."""

    club: ClubLine
    hooks: tuple[WebhookLine, ...]
    manages: bool
    """Whether the reader manages the club."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryLine:
    """A delivery as the log shows it."""

    uid: UUID
    message_id: str
    kind: str
    label: str | Promise
    state: str
    state_label: str
    tries: int
    most_tries: int
    made_at: datetime
    tried_at: datetime | None
    next_at: datetime | None
    status: int | None
    fault: str
    """In words; empty where the last try did not fail."""
    took: int | None
    answer: str
    body: str
    """As it is sent, made readable."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookPage:
    """A webhook with what was sent to it."""

    club: ClubLine
    hook: WebhookLine
    deliveries: tuple[DeliveryLine, ...]
    """The newest first."""
    has_more: bool
    manages: bool


def webhooks_page(club_slug: str, *, actor: Actor) -> WebhooksPage:
    """Return the webhooks of a club, the oldest first. Three queries.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor may not manage its webhooks.
    """
    club = _club(club_slug, actor)
    return WebhooksPage(club=club, hooks=_lines(club), manages=_manages(club, actor))


def webhook_page(club_slug: str, uid: UUID, *, actor: Actor) -> WebhookPage:
    """Return a webhook with its newest deliveries. Four queries.

    :raises NotFound: if there is no such webhook.
    :raises Forbidden: if the actor may not manage the club's webhooks.
    """
    club = _club(club_slug, actor)
    found = _lines(club, uid)
    if not found:
        raise NotFound
    rows = list(WebhookDelivery.objects.filter(hook__uid=uid).order_by("-made_at", "-pk")[: SHOWN + 1])
    return WebhookPage(
        club=club,
        hook=found[0],
        deliveries=tuple(map(_delivery_line, rows[:SHOWN])),
        has_more=len(rows) > SHOWN,
        manages=_manages(club, actor),
    )


def _club(slug: str, actor: Actor) -> ClubLine:
    club = accounts.club_by_slug(slug, actor=actor)
    require(actor, Action.MANAGE_WEBHOOKS, club_id=club.id)
    return club


def _manages(club: ClubLine, actor: Actor) -> bool:
    return may(actor, Action.MANAGE_CLUB, club_id=club.id)


def _lines(club: ClubLine, uid: UUID | None = None) -> tuple[WebhookLine, ...]:
    """Return the club's webhooks, or that one. Two queries."""
    rows = Webhook.objects.filter(club=club.id, removed_at=None).annotate(
        waiting=Count("deliveries", Q(deliveries__state=DeliveryState.WAITING)),
        failed=Count("deliveries", Q(deliveries__state=DeliveryState.FAILED)),
        tried_at=Max("deliveries__tried_at"),
    )
    hooks = list((rows if uid is None else rows.filter(uid=uid)).order_by("pk"))
    names = accounts.display_names([hook.made_by_id for hook in hooks if hook.made_by_id is not None])
    return tuple(
        WebhookLine(
            uid=hook.uid,
            url=hook.url,
            kinds=tuple((kind, KINDS.get(kind, kind)) for kind in hook.kinds),
            made_at=hook.made_at,
            made_by=names.get(hook.made_by_id or 0, ""),
            paused_at=hook.paused_at,
            paused_because=str(PauseReason(hook.paused_because).label) if hook.paused_because else "",
            succeeded_at=hook.succeeded_at,
            waiting=hook.waiting,
            failed=hook.failed,
            tried_at=hook.tried_at,
            old_secret_until=hook.key_before_until,
        )
        for hook in hooks
    )


def _delivery_line(row: WebhookDelivery) -> DeliveryLine:
    return DeliveryLine(
        uid=row.uid,
        message_id=message_id(row.uid),
        kind=row.kind,
        label=KINDS.get(row.kind, _("a test")),
        state=row.state,
        state_label=row.get_state_display(),
        tries=row.tries,
        most_tries=MOST_TRIES,
        made_at=row.made_at,
        tried_at=row.tried_at,
        next_at=row.next_at,
        status=row.status,
        fault=str(DeliveryFault(row.fault).label) if row.fault else "",
        took=row.took,
        answer=row.answer,
        body=json.dumps(json.loads(row.body), indent=2, ensure_ascii=False),
    )


# -- what is said to receivers


def message_id(uid: UUID) -> str:
    """Return the id of a delivery as its receiver is told it."""
    return f"msg_{uid.hex}"


def trial_body(at: datetime) -> tuple[str, str]:
    """Return the type and the body of what is sent to try an address."""
    return TEST, json.dumps({"type": TEST, "timestamp": timestamp(at), "data": {}})


def networks() -> tuple[Network, ...]:
    """Return the private networks that webhooks may reach nevertheless: none, but in tests."""
    return _networks(tuple(settings.WEBHOOK_NETWORKS))


@cache
def _networks(texts: tuple[str, ...]) -> tuple[Network, ...]:
    return tuple(map(ip_network, texts))
