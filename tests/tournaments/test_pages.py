"""The pages: what they show, to whom, and with how many queries."""

import re
from http import HTTPStatus
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.permissions import SERVER
from scoring.models import Player
from scoring.operations import hide_name
from tests.accounts.builders import AT, a_browser, a_club, a_user
from tests.tournaments.builders import (
    ASIF,
    CHAND,
    ERUM,
    GITA,
    a_file,
    a_match,
    a_scheduled_tournament,
    penalise,
    upload,
)
from tournaments.models import Match, PastRegulations, Status, Tournament
from tournaments.operations import standings
from tournaments.queries import sizes

pytestmark = pytest.mark.django_db

PLAYED = a_match(["EW 7-5", "NS 7-0 goon-court", "NS 13-0 bavney"], ns=ASIF, ew=GITA, round="1", table="1")


def a_tournament(*pairs: str, visibility: str = "public") -> Tournament:
    tournament = a_scheduled_tournament(
        *(pairs or (ASIF, CHAND, ERUM, GITA)), club_id=a_club().pk, visibility=visibility
    )
    standings.compute_standings(collection_id=tournament.collection_id, now=AT)
    return tournament


def compute(tournament: Tournament) -> None:
    standings.compute_standings(collection_id=tournament.collection_id, now=AT)


def a_member(role: Role) -> Client:
    user = a_user(role.value.capitalize())
    Club.objects.get().memberships.create(user=user, role=role, created_at=AT)
    return a_browser(user)


def text_of(response: Any) -> str:
    return str(response.content.decode())


def send(client: Client, *files: SimpleUploadedFile, **data: str) -> Any:
    return client.post(reverse("tournaments:upload", args=["rang"]), {"files": list(files), **data})


def as_upload(*matches: str, name: str = "evening.pcn") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, a_file(*matches).content)


def test_the_list_and_the_club_show_public_tournaments() -> None:
    a_tournament()

    listed = text_of(a_browser().get(reverse("tournaments:index")))
    of_club = text_of(a_browser().get(reverse("tournaments:club", args=["lahore"])))

    assert "Tuesday Rang" in listed
    assert "Tuesday Rang" in of_club
    assert "4 pairs" in of_club


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_neither_shows_others_to_a_stranger(visibility: str) -> None:
    a_tournament(visibility=visibility)

    assert "Tuesday Rang" not in text_of(a_browser().get(reverse("tournaments:index")))
    assert "Tuesday Rang" not in text_of(
        a_browser(a_user()).get(reverse("tournaments:club", args=["lahore"]))
    )
    assert "Tuesday Rang" in text_of(a_member(Role.SCORER).get(reverse("tournaments:index")))


def test_a_tournaments_page_shows_standings_rounds_and_awards() -> None:
    tournament = a_tournament()
    upload(PLAYED)
    compute(tournament)

    page = text_of(a_browser().get(reverse("tournaments:tournament", args=["rang"])))

    assert "version 3" in page
    assert 'data-live="/ws/tournaments/rang/"' in page
    assert "Round 1, table 1, deal 3" in page
    assert "1 of 6 matches finished" in page
    assert (
        reverse("scoring:scoresheet", args=[Match.objects.get(round__number=1, table="1").scoresheet.uid])
        in page
    )


def test_the_parts_that_follow_have_the_same_names_before_and_after_the_first_deal() -> None:
    tournament = a_tournament()
    names = re.compile(r'data-follow="(\w+)"')
    address = reverse("tournaments:tournament", args=["rang"])
    before = text_of(a_browser().get(address))

    upload(PLAYED)
    compute(tournament)

    after = text_of(a_browser().get(address))
    assert names.findall(before) == names.findall(after) == ["facts", "clock", "rounds", "awards", "look"]
    assert 'id="awards"' not in before
    assert 'id="awards"' in after


def test_the_fragment_says_its_version_and_whether_it_is_current() -> None:
    tournament = a_tournament()
    address = reverse("tournaments:standings_fragment", args=["rang"])
    assert "Up to date" in text_of(a_browser().get(address))

    upload(PLAYED)

    behind = a_browser().get(address)
    assert 'data-version="1"' in text_of(behind)
    assert "Being recomputed" in text_of(behind)
    compute(tournament)
    assert 'data-version="3"' in text_of(a_browser().get(address))
    assert "no-store" in a_browser().get(address)["Cache-Control"]


def test_the_reason_for_a_rank_is_on_the_page() -> None:
    tournament = a_tournament()
    upload(PLAYED, a_match(["NS 7-0 court"], ns=CHAND, ew=ERUM, round="1", table="2"))
    compute(tournament)

    page = text_of(a_browser().get(reverse("tournaments:standings", args=["rang"])))

    assert "Decided by: Courts difference" in page
    assert "Match points: level with" in page
    assert "(round 1)" in page


def test_an_entrys_page_says_why_opponent_by_opponent() -> None:
    tournament = a_tournament()
    upload(PLAYED)
    compute(tournament)

    page = text_of(a_browser().get(reverse("tournaments:entry", args=["rang", 1])))

    assert "rank 1" in page
    assert "(round 1)" in page
    assert a_browser().get(reverse("tournaments:entry", args=["rang", 5])).status_code == HTTPStatus.NOT_FOUND


def test_a_great_tournament_shows_one_round_and_links_the_workings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sizes, "ALL_AT_ONCE", 1)
    tournament = a_tournament()
    upload(PLAYED, a_match(["NS 7-0 court"], ns=CHAND, ew=ERUM, round="1", table="2"))
    compute(tournament)
    address = reverse("tournaments:tournament", args=["rang"])

    page = text_of(a_browser().get(address))
    first = text_of(a_browser().get(address, {"round": "1"}))
    odd = text_of(a_browser().get(address, {"round": "²"}))

    assert reverse("tournaments:entry", args=["rang", 1]) in page
    assert ('id="round-2"' in page, 'id="round-1"' in page) == (True, False)
    assert ('id="round-2"' in first, 'id="round-1"' in first) == (False, True)
    assert 'id="round-2"' in odd
    assert "2 more are on the scoresheets." in page


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("tournaments:entry", ["rang", "1"]),
        ("tournaments:tournament", ["rang"]),
        ("tournaments:standings", ["rang"]),
        ("tournaments:standings_fragment", ["rang"]),
    ],
)
def test_a_private_tournament_is_not_there_for_a_stranger(name: str, arguments: list[str]) -> None:
    a_tournament(visibility="private")
    address = reverse(name, args=arguments)

    assert a_browser().get(address).status_code == HTTPStatus.NOT_FOUND
    assert a_browser(a_user()).get(address).status_code == HTTPStatus.NOT_FOUND
    assert a_member(Role.DIRECTOR).get(address).status_code == HTTPStatus.OK


def test_nor_is_one_that_there_never_was() -> None:
    a_club()

    assert a_browser().get("/tournaments/nothing/").status_code == HTTPStatus.NOT_FOUND
    assert a_browser().get("/clubs/nothing/").status_code == HTTPStatus.NOT_FOUND


@pytest.mark.parametrize("pairs", [(ASIF, CHAND), (ASIF, CHAND, ERUM, GITA, "A A & B B", "C C & D D")])
def test_a_tournaments_page_takes_the_same_queries_whatever_its_size(
    pairs: tuple[str, ...], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a_tournament(*pairs)
    client = Client()

    address = reverse("tournaments:tournament", args=["rang"])
    with django_assert_num_queries(18):
        response = client.get(address)
    with django_assert_num_queries(8):
        again = client.get(address)

    assert response.status_code == HTTPStatus.OK
    assert text_of(again) == text_of(response)


def test_what_is_kept_of_a_page_is_shown_to_its_own_readers_and_until_something_is_written() -> None:
    a_tournament()
    upload(PLAYED, finish=False)
    compute(Tournament.objects.get())
    address = reverse("tournaments:tournament", args=["rang"])
    stranger, scorer = a_browser(), a_member(Role.SCORER)

    before = text_of(stranger.get(address))
    assert "Finish the match" not in before
    assert "Finish the match" in text_of(scorer.get(address))
    assert text_of(stranger.get(address)) == before
    assert "#ruling-1" not in before
    assert "badge--behind" not in before

    penalise(1, 1)
    assert "badge--behind" in text_of(stranger.get(address))
    compute(Tournament.objects.get())
    assert "#ruling-1" in text_of(stranger.get(address))


@pytest.mark.parametrize("address", ["tournament", "standings", "standings_fragment"])
def test_a_name_that_is_hidden_is_in_no_page_though_the_standings_are_behind(address: str) -> None:
    a_tournament()
    upload(PLAYED)
    compute(Tournament.objects.get())
    asif = Player.objects.get(name="Asif Khan")
    page = reverse(f"tournaments:{address}", args=["rang"])
    before = text_of(Client().get(page))

    hide_name(actor=SERVER, player_uid=asif.uid, at=AT)
    behind = text_of(Client().get(page))

    assert ("Asif Khan" in before, "Asif Khan" in behind, "badge--behind" in behind) == (True, False, True)


@pytest.mark.parametrize("count", [1, 3])
def test_lists_take_the_same_queries_whatever_their_length(
    count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    club = a_club()
    for number in range(count):
        a_scheduled_tournament(ASIF, CHAND, club_id=club.pk, slug=f"rang-{number}")

    with django_assert_num_queries(3):
        Client().get(reverse("tournaments:index"))
    with django_assert_num_queries(4):
        Client().get(reverse("tournaments:club", args=["lahore"]))


def test_an_upload_says_what_became_of_it_and_links_to_it() -> None:
    a_tournament()

    page = text_of(send(a_member(Role.SCORER), as_upload(PLAYED)))

    assert "3 deals were recorded." in page
    assert (
        reverse("scoring:scoresheet", args=[Match.objects.get(round__number=1, table="1").scoresheet.uid])
        in page
    )


def test_the_same_upload_again_says_that_nothing_was_written() -> None:
    a_tournament()
    client = a_member(Role.SCORER)
    send(client, as_upload(PLAYED))

    assert "nothing was written" in text_of(send(client, as_upload(PLAYED)))


def test_an_upload_with_a_bad_record_says_file_record_line_and_column() -> None:
    a_tournament()
    bad = a_match(["NS 8-4"], ns=CHAND, ew=ERUM, round="1", table="2")

    page = text_of(send(a_member(Role.SCORER), as_upload(PLAYED, bad, name="tuesday.pcn")))

    assert "1 scoresheet was left out" in page
    assert "tuesday.pcn" in page
    assert "record 4" in page
    assert "line 37, column 10" in page
    assert "result-mismatch" in page


def test_near_duplicates_are_shown_and_names_are_text() -> None:
    a_tournament()
    markup = a_match(["NS 7-4"], ns="<b>Zed</b> & Asif Kahn", ew="Y & X X", round="9", table="1")

    page = text_of(send(a_member(Role.SCORER), as_upload(markup)))

    assert "perhaps <bdi>Asif Khan</bdi>" in page
    assert "&lt;b&gt;Zed&lt;/b&gt;" in page
    assert "<b>Zed</b>" not in page


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ([], "Choose a file."),
        ([SimpleUploadedFile("a.pcn", b"% PCN 1\n")], "There is no record in these files."),
        ([SimpleUploadedFile("a.pcn", b"x" * (4 * 1024 * 1024 + 1))], "is larger than the 4096 KiB"),
        ([SimpleUploadedFile(f"{number}.pcn", b"x") for number in range(65)], "At most 64 files at once."),
    ],
)
def test_what_cannot_be_taken_is_said_on_the_page(files: list[SimpleUploadedFile], words: str) -> None:
    a_tournament()

    response = send(a_member(Role.SCORER), *files)

    assert response.status_code == HTTPStatus.OK
    assert words in text_of(response)


@pytest.mark.parametrize(
    "content",
    [
        b"\xff\xfe\x00x",
        b"[Deal",
        b"[" * 100_000,
        "ہیلو".encode("utf-16"),
        b'[NS "a & b"]\n' * 5000,
        b"\x00" * 70_000,
    ],
)
def test_rubbish_is_reported_and_no_fault_of_the_site(content: bytes) -> None:
    a_tournament()

    response = send(a_member(Role.SCORER), SimpleUploadedFile("rubbish.pcn", content))

    assert response.status_code == HTTPStatus.OK
    assert "scoresheet was left out" in text_of(response)


def test_a_final_tournament_takes_no_upload_until_it_is_opened_again() -> None:
    a_tournament()
    client = a_member(Role.DIRECTOR)
    Tournament.objects.update(status=Status.FINAL)

    refused = text_of(send(client, as_upload(PLAYED)))
    assert "are final, so nothing of it is changed any more" in refused
    assert not Match.objects.filter(state="finished").exists()

    Tournament.objects.update(status=Status.OFFICIAL)
    assert "are final" not in text_of(send(client, as_upload(PLAYED)))
    assert Match.objects.filter(state="finished").count() == 1


def test_uploading_needs_a_scorer() -> None:
    a_tournament()
    address = reverse("tournaments:upload", args=["rang"])

    assert a_browser().get(address).status_code == HTTPStatus.FOUND
    assert a_browser(a_user()).get(address).status_code == HTTPStatus.NOT_FOUND
    assert send(a_browser(a_user("Else")), as_upload(PLAYED)).status_code == HTTPStatus.NOT_FOUND
    assert a_member(Role.PLAYER).get(address).status_code == HTTPStatus.NOT_FOUND
    assert a_member(Role.SCORER).get(address).status_code == HTTPStatus.OK


SCORING = {
    "ranking": "courts",
    "tiebreaks": "head-to-head wins",
    "win": "3",
    "draw": "1",
    "loss": "0",
    "bye": "3",
    "lot_seed": "",
    "reason": "",
}


def change(client: Client, what: str, **fields: str) -> Any:
    return client.post(reverse(f"tournaments:change_{what}", args=["rang"]), fields)


def test_a_director_changes_the_scoring_and_the_reason_is_kept() -> None:
    a_tournament()
    client = a_member(Role.DIRECTOR)
    upload(PLAYED)

    refused = change(client, "scoring", **SCORING)
    assert "say why the rules or the scoring are changed" in text_of(refused)
    saved = change(client, "scoring", **{**SCORING, "reason": "as announced"})

    assert saved.status_code == HTTPStatus.FOUND
    assert PastRegulations.objects.get().reason == "as announced"
    page = text_of(client.get(reverse("tournaments:settings", args=["rang"])))
    assert "Version 1 was replaced" in page
    assert "as announced" in page


def test_a_director_changes_the_name() -> None:
    a_tournament()

    answer = change(a_member(Role.DIRECTOR), "description", name="Rang 2026")

    assert (answer.status_code, Tournament.objects.get().name) == (HTTPStatus.FOUND, "Rang 2026")


@pytest.mark.parametrize(
    ("what", "fields", "words"),
    [
        ("description", {"name": ""}, "This field is required."),
        ("scoring", {**SCORING, "tiebreaks": "luck"}, "There is no such ranking or tie-break."),
        ("scoring", {**SCORING, "win": "-1"}, "greater than or equal to 0"),
    ],
)
def test_what_cannot_be_changed_is_said(what: str, fields: dict[str, str], words: str) -> None:
    a_tournament()

    response = change(a_member(Role.DIRECTOR), what, **fields)

    assert response.status_code == HTTPStatus.OK
    assert words in text_of(response)


@pytest.mark.parametrize("what", ["description", "scoring"])
def test_changing_needs_a_director(what: str) -> None:
    a_tournament()
    fields = {**SCORING, "name": "x"}

    assert change(a_browser(), what, **fields).status_code == HTTPStatus.FOUND
    assert change(a_member(Role.SCORER), what, **fields).status_code == HTTPStatus.NOT_FOUND


def test_a_scorer_finishes_a_match_from_the_page() -> None:
    a_tournament()
    upload(PLAYED, finish=False)
    client = a_member(Role.SCORER)
    match = Match.objects.get(round__number=1, table="1")
    assert "Finish the match" in text_of(client.get(reverse("tournaments:tournament", args=["rang"])))

    response = client.post(reverse("tournaments:match_state", args=[match.uid]), {"state": "finished"})

    match.refresh_from_db()
    assert (response.status_code, match.state) == (HTTPStatus.FOUND, "finished")


@pytest.mark.parametrize("language", ["ur", "hi"])
def test_the_pages_are_there_in_every_language(language: str) -> None:
    tournament = a_tournament()
    upload(PLAYED)
    compute(tournament)

    for name, arguments in [("index", []), ("club", ["lahore"]), ("tournament", ["rang"])]:
        response = a_browser().get(
            reverse(f"tournaments:{name}", args=arguments), HTTP_ACCEPT_LANGUAGE=language
        )
        assert response.status_code == HTTPStatus.OK


def test_the_admin_shows_every_table_and_changes_none() -> None:
    a_tournament(ASIF, CHAND, ERUM)
    client = a_browser(a_user("Root", is_site_admin=True))

    for table in ("tournament", "pastregulations", "session", "entry", "round", "match", "bye", "standings"):
        response = client.get(reverse(f"admin:tournaments_{table}_changelist"))
        assert response.status_code == HTTPStatus.OK
        assert client.get(reverse(f"admin:tournaments_{table}_add")).status_code == HTTPStatus.FORBIDDEN
