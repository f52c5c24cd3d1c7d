"""The page of a table as files: everything that it needs is kept by its service worker."""

import json
import re
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Final

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db

ADDRESSES: Final = r'(?:href|src)="(/static/[^"#]+)'
IMPORTS: Final = r'from "(\./[^"]+)";'


def kept() -> set[str]:
    """Return the addresses of the files that the service worker keeps."""
    text = Client().get(reverse("tournaments:table_worker")).content.decode()
    (files,) = re.findall(r"^const FILES = (.*);$", text, re.MULTILINE)
    return {*json.loads(files)}


def test_the_worker_keeps_all_that_the_page_names() -> None:
    page = Client().get(reverse("tournaments:table_shell")).content.decode()
    named = set(re.findall(ADDRESSES, page))

    assert named <= kept()
    assert named


def test_the_worker_keeps_all_that_a_script_of_the_page_imports() -> None:
    scripts = [name for name in kept() if name.endswith(".js")]
    imported = set()
    for name in scripts:
        file = Path(str(finders.find(name.removeprefix("/static/"))))
        folder = PurePosixPath(name).parent
        imported |= {normpath(folder / one) for one in re.findall(IMPORTS, file.read_text(encoding="utf-8"))}

    assert imported <= set(scripts)
    assert "/static/js/laws/rules.js" in imported


def test_the_worker_is_never_taken_from_a_cache_and_has_a_version() -> None:
    answer = Client().get(reverse("tournaments:table_worker"))

    assert answer["Content-Type"].startswith("text/javascript")
    assert "no-store" in answer["Cache-Control"]
    assert re.match(r'const VERSION = "[0-9a-f]{16}";\n', answer.content.decode())


def test_the_page_can_be_installed() -> None:
    facts = Client().get(reverse("tournaments:table_manifest")).json()

    assert facts["start_url"] == facts["scope"] == reverse("tournaments:table_shell")
    assert facts["display"] == "standalone"
