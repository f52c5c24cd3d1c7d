"""Every page of the site with the demonstration's data: nothing that axe finds, no script that fails, no scrolling sideways."""

from collections import Counter, deque
from typing import Final
from urllib.parse import urljoin, urlsplit

import pytest
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve
from playwright.sync_api import Page

from tests.browser.conftest import Opens
from tests.browser.looking import faults_of

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LINKS: Final = "[...new Set([...document.querySelectorAll('a[href]:not([download])')].map((one) => new URL(one.getAttribute('href'), location).href))]"
MOST: Final = 2
"""Pages of one kind that are looked at: the demonstration's tournaments differ in what they show."""


def kind_of(path: str) -> str | None:
    """Return which kind of page is at ``path``; ``None`` for what is no page of ours."""
    try:
        found = resolve(path)
    except Resolver404:
        return None
    if "admin" in found.namespaces:
        return None
    words = (value for name, value in sorted(found.kwargs.items()) if name in {"what", "kind"})
    return " ".join([found.view_name, *map(str, words)])
