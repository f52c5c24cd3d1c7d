"""The one writer of audit entries."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

from courtpiece.accounts.models import AuditEntry
from courtpiece.accounts.permissions import Actor

Detail = Mapping[str, str | int | list[str] | None]


class Event(StrEnum):
    """What is written down of users and clubs."""

    ACCOUNT_CREATED = "account-created"
    SIGNED_IN = "signed-in"
    ACCOUNT_CHANGED = "account-changed"
    CLUB_CREATED = "club-created"
    CLUB_CHANGED = "club-changed"
    MEMBER_ADDED = "member-added"
    ROLE_CHANGED = "role-changed"
    MEMBER_REMOVED = "member-removed"
    TOKEN_CREATED = "token-created"  # noqa: S105 - an event, no password
    TOKEN_REVOKED = "token-revoked"  # noqa: S105 - an event, no password


def write_entry(
    *,
    actor: Actor,
    what: str,
    at: datetime,
    club_id: int | None = None,
    detail: Detail | None = None,
) -> None:
    """Write down that ``actor`` did ``what``, in the caller's transaction.

    ``what`` is an :class:`Event` or a like word of an app above, at most 40 characters. No secret goes into
    ``detail``.
    """
    AuditEntry.objects.create(
        made_at=at,
        user_id=actor.user_id,
        token_id=actor.token_id,
        via=actor.via,
        address=actor.address,
        club_id=club_id,
        what=str(what),
        detail=dict(detail or {}),
    )
