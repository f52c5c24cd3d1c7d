"""What the pages of accounts ask for: ``{% load accounts %}``."""

import re

from django import template
from django.conf import settings
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from courtpiece.accounts.permissions import Via

register = template.Library()


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
def via_label(via: str) -> str:
    """Return the words for the way in which somebody acted."""
    return str(Via(via).label) if via in Via.values else via
