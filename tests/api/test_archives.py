"""Archives as programs fetch and send them."""

import json
from typing import Any

import pytest
from django.test import Client

from courtpiece.accounts.models import Club, Role
from scoring.models import Scoresheet
from tests.accounts.builders import AT, a_user
from tests.api.builders import API, JSON, a_program
from tests.tournaments import drawn
from tests.tournaments.archives import changed, empty_the_site
from tournaments.domain.archive_schema import archive_schema
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db


def play() -> None:
    drawn.a_tournament("single", 2)
    drawn.finish_all(drawn.a_round())


def a_director() -> Client:
    user = a_user("Dina")
    user.memberships.create(club=Club.objects.get(slug="lahore"), role=Role.DIRECTOR, created_at=AT)
    return a_program(user=user, scopes=["read", "tournaments:write"])


def send(program: Client, archive: bytes) -> Any:
    return program.post(f"{API}clubs/lahore/archives", archive, content_type=JSON)


def fetch(**headers: str) -> Any:
    return a_program().get(f"{API}tournaments/cup/archive", headers=headers)


def test_an_archive_is_a_file_with_the_digest_of_it_as_its_tag() -> None:
    play()

    answer = fetch()

    seal = json.loads(answer.content)["sha256"]
    assert answer["Content-Disposition"] == 'attachment; filename="cup-v3.archive.json"'
    assert (answer["Content-Type"], answer["ETag"]) == (JSON, f'"{seal}"')
    assert fetch(**{"If-None-Match": f'"{seal}"'}).status_code == 304


def test_a_large_one_comes_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    play()
    whole = fetch().content
    monkeypatch.setattr("courtpiece.accounts.api.files.IN_MEMORY", 100)
    monkeypatch.setattr("courtpiece.accounts.api.files.PART", 1000)

    answer = fetch()

    parts = list(answer.streaming_content)
    assert b"".join(parts) == whole
    assert {len(part) for part in parts[:-1]} == {1000}


@pytest.mark.asyncio
async def test_on_a_server_of_sockets_too() -> None:
    from io import BytesIO

    from courtpiece.accounts.api.files import FileAnswer

    answer = FileAnswer(BytesIO(b"x" * 200_000), content_type=JSON, headers={})

    parts = [part async for part in answer]
    assert [len(part) for part in parts] == [65536, 65536, 65536, 3392]


def test_the_site_says_what_an_archive_is_made_of() -> None:
    assert a_program().get(f"{API}archive.schema.json").json() == archive_schema()


def test_a_director_takes_one_in_and_the_same_again_is_a_conflict() -> None:
    play()
    archive = fetch().content
    empty_the_site()
    program = a_director()

    first, again = send(program, archive), send(program, archive)

    assert (first.status_code, first["Location"]) == (201, "/api/v1/tournaments/cup")
    counts = {"entries": 2, "scoresheets": 1, "deals": 1, "revisions": 1}
    assert first.json() == {"tournament": "cup", **counts}
    assert (again.status_code, again.json()["type"]) == (409, "urn:courtpiece:archived-here")
    assert fetch().content == archive


def test_one_that_is_not_true_is_refused_with_the_place() -> None:
    play()
    archive = fetch().content
    uid = Scoresheet.objects.get().uid
    empty_the_site()

    def change(whole: dict[str, Any]) -> None:
        whole["scoresheets"][0]["totals"]["deals"] = 7

    answer = send(a_director(), changed(archive, change))

    problem = answer.json()
    assert (answer.status_code, problem["type"]) == (422, "urn:courtpiece:archive-refused")
    told = problem["problems"][0]
    assert (told["code"], told["pointer"]) == ("disagrees", f"scoresheet {uid}, totals, deals")
    assert "it says 7; by its records 1" in told["message"]
    assert Tournament.objects.count() == 0


def test_one_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    play()
    archive = fetch().content
    monkeypatch.setattr("tournaments.api.archives.UPLOAD_BYTES", 1000)

    answer = send(a_director(), archive)

    assert (answer.status_code, answer.json()["type"]) == (413, "urn:courtpiece:archive-too-large")


def test_nothing_at_all_is_no_archive() -> None:
    play()

    answer = a_director().generic("POST", f"{API}clubs/lahore/archives")

    assert (answer.status_code, answer.json()["type"]) == (422, "urn:courtpiece:archive-refused")
