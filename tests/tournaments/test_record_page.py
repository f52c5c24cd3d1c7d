"""The page on which a game is recorded, as files: everything that it needs is kept by its service worker."""

import json
import re
from pathlib import Path, PurePosixPath
from posixpath import normpath
from typing import Final

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from courtpiece.engine.rules import NAMED

pytestmark = pytest.mark.django_db

ADDRESSES: Final = r'(?:href|src)="(/static/[^"#]+)'
IMPORTS: Final = r'from "(\.\.?/[^"]+)";'


def worker() -> str:
    return Client().get(reverse("tournaments:record_worker")).content.decode()


def kept() -> set[str]:
    """Return the addresses of the files that the service worker keeps."""
    (files,) = re.findall(r"^const FILES = (.*);$", worker(), re.MULTILINE)
    return {*json.loads(files)}


def page() -> str:
    return Client().get(reverse("tournaments:record_shell")).content.decode()


def test_the_worker_keeps_all_that_the_page_names() -> None:
    named = set(re.findall(ADDRESSES, page()))

    assert named - kept() == set()


def test_the_worker_keeps_all_that_a_script_of_the_page_imports() -> None:
    scripts = [name for name in kept() if name.endswith(".js")]
    imported = set()
    for name in scripts:
        file = Path(str(finders.find(name.removeprefix("/static/"))))
        folder = PurePosixPath(name).parent
        imported |= {normpath(folder / one) for one in re.findall(IMPORTS, file.read_text(encoding="utf-8"))}

    assert imported - set(scripts) == set()


def test_its_worker_keeps_nothing_of_the_page_of_a_table_but_files_that_both_use() -> None:
    text = worker()

    assert 'const SHELL = "/record/";' in text
    assert 'const PREFIX = "courtpiece-record-";' in text
    assert "/static/js/table.js" not in kept()


def test_the_page_offers_every_named_rule() -> None:
    named = re.findall(r'name="rules_name" value="([a-z-]+)"', page())

    assert named == list(NAMED)


def test_every_word_that_its_scripts_ask_for_comes_with_the_page() -> None:
    words = set(re.findall(r'data-word="([^"]+)"', page()))
    sources = [
        Path(str(finders.find(f"js/record/{name}.js"))).read_text(encoding="utf-8")
        for name in ("begin", "files", "play", "send", "store")
    ]
    asked = {
        word
        for source in sources
        for word in re.findall(r'(?:fill\(|words\[|button\(|link\()"([a-z-]+)"', source)
        + re.findall(r"\bwords\.(?!js\b)([a-z]+)", source)
    }

    assert {"keep-it", "copied"} <= asked
    assert asked - words == set()


def test_the_page_can_be_installed() -> None:
    facts = Client().get(reverse("tournaments:record_manifest")).json()

    assert facts["start_url"] == facts["scope"] == reverse("tournaments:record_shell")
