"""What the pages of accounts ask for: ``{% load accounts %}``."""

import re
from collections.abc import Mapping
from typing import Final

from django import template
from django.conf import settings
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from courtpiece.accounts.auditing import Event
from courtpiece.accounts.permissions import Via

register = template.Library()

EVENTS: Final[Mapping[str, str | Promise]] = {
    Event.ACCOUNT_CREATED: _("account made"),
    Event.SIGNED_IN: _("signed in"),
    Event.ACCOUNT_CHANGED: _("account changed"),
    Event.CLUB_CREATED: _("club made"),
    Event.CLUB_CHANGED: _("club changed"),
    Event.MEMBER_ADDED: _("member added"),
    Event.ROLE_CHANGED: _("role changed"),
    Event.MEMBER_REMOVED: _("member removed"),
    Event.TOKEN_CREATED: _("token made"),
    Event.TOKEN_REVOKED: _("token revoked"),
}


@register.simple_tag
def sends_mail() -> bool:
    """Return whether this site sends e-mail: codes, and letters that prove an address."""
    return getattr(settings, "ACCOUNT_EMAIL_VERIFICATION", "none") != "none"


@register.simple_tag
def sign_up_is_open() -> bool:
    """Return whether anybody may make an account."""
    return getattr(settings, "ACCOUNT_SIGNUP_ENABLED", True)


@register.filter
def address(email: str) -> SafeString:
    """Return an e-mail address that reads from left to right and may be broken after its signs."""
    parts = format_html_join(SafeString("<wbr>"), "{}", ((part,) for part in re.split(r"(?<=[@.])", email)))
    return format_html('<bdi dir="ltr">{}</bdi>', parts)


@register.filter
def event_label(what: str) -> str:
    """Return the words for something that was done; the code itself for an event of another app."""
    return str(EVENTS.get(what, what))


@register.filter
def via_label(via: str) -> str:
    """Return the words for the way in which somebody acted."""
    return str(Via(via).label) if via in Via.values else via
