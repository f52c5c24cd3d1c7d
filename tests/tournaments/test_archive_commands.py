"""``verify_archive``, which asks no database, and ``import_archive``: what they print, and how they end."""

import json
import os
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from courtpiece.accounts.models import Club
from tests.processes import ROOT
from tests.tournaments import drawn
from tests.tournaments.archives import archive_of, changed, empty_the_site
from tournaments.models import Standings, Tournament


def a_file(folder: Path, archive: bytes) -> Path:
    path = folder / "cup.archive.json"
    path.write_bytes(archive)
    return path


def an_archive() -> bytes:
    drawn.a_tournament("single", 2)
    drawn.finish_all(drawn.a_round())
    return archive_of("cup")


def one_court_more(whole: dict[str, Any]) -> None:
    whole["scoresheets"][0]["totals"]["courts"]["NS"] += 1


@pytest.mark.django_db
def test_an_archive_is_verified_where_no_database_can_be_reached(tmp_path: Path) -> None:
    path = a_file(tmp_path, an_archive())
    nowhere = {**os.environ, "DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing", "REDIS_URL": ""}

    answer = subprocess.run(
        [sys.executable, "-W", "error", "manage.py", "verify_archive", str(path)],
        cwd=ROOT,
        env={**nowhere, "DJANGO_SETTINGS_MODULE": "courtpiece.project.settings"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert answer.stderr == ""
    counts = "cup at version 3: 2 entries, 1 scoresheets, 1 deals, 1 revisions"
    assert answer.stdout == f"{path}: {counts}: everything agrees\n"
    assert answer.returncode == 0


def test_verifying_loads_no_framework() -> None:
    program = (
        "import sys, tournaments.domain.archive_verifying;"
        "print({'django', 'celery', 'rest_framework', 'channels'} & set(sys.modules))"
    )

    answer = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )

    assert (answer.stdout, answer.stderr) == ("set()\n", "")


@pytest.mark.django_db
def test_what_does_not_agree_is_named_and_the_exit_status_is_1(tmp_path: Path) -> None:
    archive = an_archive()
    sheet = json.loads(archive)["scoresheets"][0]
    path = a_file(tmp_path, changed(archive, one_court_more))
    out = StringIO()

    with pytest.raises(CommandError, match="1 of 1 do not agree") as caught:
        call_command("verify_archive", path, stdout=out)

    assert caught.value.returncode == 1
    stored = {**sheet["totals"]["courts"], "NS": sheet["totals"]["courts"]["NS"] + 1}
    derived = json.dumps(sheet["totals"]["courts"], separators=(",", ":"), sort_keys=True)
    written = json.dumps(stored, separators=(",", ":"), sort_keys=True)
    first = out.getvalue().splitlines()[0]
    assert first == f"{path}: scoresheet {sheet['id']}, totals: courts: stored {written}, derived {derived}"


def test_what_is_no_archive_is_said_and_the_exit_status_is_1(tmp_path: Path) -> None:
    out = StringIO()

    with pytest.raises(CommandError, match="2 of 2 do not agree"):
        call_command("verify_archive", a_file(tmp_path, b"nothing\n"), tmp_path / "none", stdout=out)

    assert "line 1: no-archive: expected" in out.getvalue()
    assert "No such file" in out.getvalue()


@pytest.mark.django_db
def test_an_archive_is_taken_into_a_site_that_has_nothing_with_its_club(tmp_path: Path) -> None:
    archive = an_archive()
    path = a_file(tmp_path, archive)
    empty_the_site()
    Club.objects.all().delete()
    out = StringIO()

    with pytest.raises(CommandError, match=r"There is no club “lahore”\. With --create"):
        call_command("import_archive", path, club="lahore")
    call_command("import_archive", path, club="lahore", create=True, stdout=out)

    said = "2 entries, 1 scoresheets, 1 deals and 1 revisions were taken in: /tournaments/cup/"
    assert out.getvalue().strip() == said
    assert Standings.objects.get().version == Tournament.objects.get().collection.version == 3
    assert archive_of("cup") == archive


@pytest.mark.django_db
def test_one_that_does_not_agree_is_not_taken_in(tmp_path: Path) -> None:
    path = a_file(tmp_path, changed(an_archive(), one_court_more))
    empty_the_site()

    with pytest.raises(CommandError, match="does not agree with its own records in") as caught:
        call_command("import_archive", path, club="lahore")

    assert caught.value.returncode == 1
    assert Tournament.objects.count() == 0
