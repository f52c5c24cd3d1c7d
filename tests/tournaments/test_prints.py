"""What is printed: what stands on it, that it is a PDF too, and to whom it is given."""

import sys
from http import HTTPStatus
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.permissions import SERVER
from courtpiece.accounts.queries import NotFound
from scoring.models import Player
from tests.accounts.builders import AT, a_browser, a_club, a_user
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_match, a_scheduled_tournament, upload
from tests.tournaments.pdf_text import read_pdf
from tournaments import pdf, queries
from tournaments.domain.check_codes import check_code, shown
from tournaments.domain.plans import LengthKind, MatchLength
from tournaments.errors import NoSuchRound, PdfMissing
from tournaments.models import Match, Tournament
from tournaments.operations import standings
from tournaments.operations.substitutions import Sitting, substitute_player
from tournaments.queries.prints import LONG_SLIP, SHORT_SLIP, match_by_code
from tournaments.schemes import NewSession

pytestmark = pytest.mark.django_db

URDU = "احمد علی & سارہ خان"
HINDI = "चाचा चौसर & मामा मोहरा"
KINDS = ["slips", "cards", "draw", "standings", "certificates"]


def a_tournament(*pairs: str, **new: Any) -> Tournament:
    tournament = a_scheduled_tournament(*(pairs or (ASIF, URDU, HINDI, GITA)), club_id=a_club().pk, **new)
    standings.compute_standings(collection_id=tournament.collection_id, now=AT)
    return tournament


def a_member(role: Role) -> Client:
    user = a_user(role.value.capitalize())
    Club.objects.get(slug="lahore").memberships.create(user=user, role=role, created_at=AT)
    return a_browser(user)


def text_of(response: Any) -> str:
    return str(response.content.decode())


def sheet(client: Client, kind: str, **query: str) -> Any:
    return client.get(reverse("tournaments:print", args=["rang", kind]), query)


def test_a_slip_has_the_match_its_address_and_its_code() -> None:
    a_tournament()
    match = Match.objects.get(round__number=1, table="1")
    match.first_dealer = "W"
    match.save(update_fields=["first_dealer"])

    page = text_of(sheet(a_member(Role.DIRECTOR), "slips", round="1"))

    assert page.count('<article class="slip">') == 2
    assert page.count('class="qrline"') == 2
    assert shown(check_code(match.uid)) in page
    assert "<p><b>N</b> <bdi>Asif Khan</bdi></p>" in page
    assert '<th scope="row">1</th><td>W</td>' in page
    assert "<style" not in page


def test_a_slip_has_a_line_for_every_agreed_deal() -> None:
    long = NewSession(length=MatchLength(LengthKind.DEALS, 20))
    a_tournament(sessions=(long,))

    (only,) = queries.rounds_print("rang", actor=SERVER, round_number=1).rounds

    assert [match.rows for match in only.matches] == [23, 23]
    assert only.matches[0].is_long


@pytest.mark.parametrize(
    ("length", "rows"),
    [
        (None, SHORT_SLIP),
        (MatchLength(LengthKind.MINUTES, 120), SHORT_SLIP),
        (MatchLength(LengthKind.DEALS, 5), 8),
        (MatchLength(LengthKind.DEALS, 14), SHORT_SLIP),
        (MatchLength(LengthKind.DEALS, 200), LONG_SLIP),
    ],
)
def test_the_lines_of_a_slip(length: MatchLength | None, rows: int) -> None:
    a_tournament(ASIF, CHAND, sessions=(NewSession(length=length),))

    (only,) = queries.rounds_print("rang", actor=SERVER).rounds

    assert only.matches[0].rows == rows


def test_a_slip_says_how_many_deals_were_agreed_and_which_lines_are_spare() -> None:
    a_tournament(ASIF, CHAND, sessions=(NewSession(length=MatchLength(LengthKind.DEALS, 5)),))

    page = text_of(sheet(a_member(Role.DIRECTOR), "slips"))

    assert "<b>5 deals</b>" in page
    assert [number in page for number in ('row">5<', "spare</small> 6<", "spare</small> 8<")] == [True] * 3


def test_a_slip_names_who_sits_in_and_the_scoresheet_keeps_the_pair() -> None:
    a_tournament(ASIF, CHAND)
    match = Match.objects.get()
    absent = Player.objects.get(name="Bilal Shah").pk
    sitting = Sitting(absent_id=absent, substitute="Imran Iris", reason="Ill")
    substitute_player(actor=SERVER, slug="rang", entry=1, match_uid=match.uid, sitting=sitting, at=AT)
    director = a_member(Role.DIRECTOR)

    slip = text_of(sheet(director, "slips"))
    paper = text_of(director.get(reverse("scoring:scoresheet", args=[match.scoresheet.uid])))

    assert "<bdi>Imran Iris</bdi> <small>for <bdi>Bilal Shah</bdi></small>" in slip
    assert "<bdi>Imran Iris</bdi> sits in for <bdi>Bilal Shah</bdi>." in paper
    assert '<bdi>Asif Khan</bdi> <span class="amp">&amp;</span> <bdi>Bilal Shah</bdi>' in paper


def test_without_a_number_the_round_that_is_played_is_printed() -> None:
    a_tournament()
    Match.objects.filter(round__number=1).update(state="finished")

    found = queries.rounds_print("rang", actor=SERVER)

    assert [one.number for one in found.rounds] == [2]


def test_a_whole_session_is_printed() -> None:
    a_tournament()

    page = text_of(sheet(a_member(Role.DIRECTOR), "slips", session="1"))

    assert page.count('<article class="slip">') == 6


def test_a_round_that_is_not_there_is_not_found() -> None:
    a_tournament()
    client = a_member(Role.DIRECTOR)

    assert sheet(client, "draw", round="9").status_code == HTTPStatus.NOT_FOUND
    assert sheet(client, "poster").status_code == HTTPStatus.NOT_FOUND
    with pytest.raises(NoSuchRound):
        queries.rounds_print("rang", actor=SERVER, session=2)


def test_the_draw_says_who_has_no_match() -> None:
    a_tournament(ASIF, CHAND, URDU)

    page = text_of(sheet(a_member(Role.DIRECTOR), "draw", round="1"))

    assert "Without a match:" in page
    assert "<bdi>سارہ خان</bdi>" in page


def test_a_table_card_has_its_number_and_its_pairs() -> None:
    a_tournament()

    page = text_of(sheet(a_member(Role.DIRECTOR), "cards", round="1"))

    assert page.count('class="slip table-card"') == 2
    assert "<h2><span>Table</span> <bdi>1</bdi></h2>" in page


def test_the_standings_say_their_version_and_every_tie_break() -> None:
    tournament = a_tournament()
    upload(a_match(["EW 7-5", "NS 7-0 goon-court"], ns=ASIF, ew=GITA, round="1", table="1"))
    standings.compute_standings(collection_id=tournament.collection_id, now=AT)

    page = text_of(sheet(a_member(Role.DIRECTOR), "standings"))

    assert "Courts difference" in page
    assert "Version" in page
    assert "<bdi>मामा मोहरा</bdi>" in page


def test_whoever_shares_the_last_place_with_a_prize_has_a_certificate() -> None:
    a_tournament()

    found = queries.standings_print("rang", actor=SERVER)

    assert [(one.rank, one.shared) for one in found.certificates] == [(1, True)] * 4


@pytest.mark.parametrize("paper", ["a4", "letter", "wall-paper"])
@pytest.mark.parametrize("kind", KINDS)
def test_everything_is_there_on_every_paper(kind: str, paper: str) -> None:
    a_tournament()

    response = sheet(a_member(Role.DIRECTOR), kind, paper=paper)

    assert response.status_code == HTTPStatus.OK
    assert f'class="paper paper--{"letter" if paper == "letter" else "a4"}' in text_of(response)


@pytest.mark.parametrize("kind", KINDS)
def test_the_pdf_has_pages_and_the_names(kind: str) -> None:
    a_tournament(ASIF, CHAND, URDU, HINDI)

    response = sheet(a_member(Role.DIRECTOR), kind, format="pdf", round="1")
    document = read_pdf(response.content)

    assert response["Content-Type"] == "application/pdf"
    assert document.pages == {"slips": 1, "cards": 1, "draw": 1, "standings": 1, "certificates": 4}[kind]
    assert "Asif" in document.text
    assert kind != "slips" or document.text.count("Courts of the match") == 2
    assert "احمد"[::-1] in document.text
    assert "चाचा" in document.text


def test_a_pdf_fetches_nothing() -> None:
    with pytest.raises(ValueError, match="nothing is fetched"):
        pdf.refuse("http://127.0.0.1/secret")


def test_what_is_missing_for_a_pdf_is_said_on_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    a_tournament()
    monkeypatch.setitem(sys.modules, "weasyprint", None)

    response = sheet(a_member(Role.DIRECTOR), "draw", format="pdf")

    assert response.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert "make env-print" in text_of(response)
    assert '<table class="wall__table">' in text_of(response)
    with pytest.raises(PdfMissing):
        pdf.to_pdf("<p>", stylesheets=())


def test_a_match_is_found_by_its_code() -> None:
    tournament = a_tournament()
    match = Match.objects.get(round__number=2, table="1")
    code = check_code(match.uid)

    assert match_by_code(tournament.pk, f" {shown(code).lower()}") == match.uid
    assert match_by_code(tournament.pk, check_code(uuid4())) is None
    assert match_by_code(tournament.pk, code[::-1]) is None or code == code[::-1]


def test_whoever_types_the_code_of_a_slip_comes_to_its_match() -> None:
    a_tournament()
    match = Match.objects.get(round__number=3, table="2")

    found = a_member(Role.SCORER).get(
        reverse("tournaments:find_match", args=["rang"]), {"place": shown(check_code(match.uid))}
    )

    assert found["Location"] == reverse("tournaments:results", args=[match.uid])


def test_the_page_of_the_prints_offers_rounds_and_certificates() -> None:
    a_tournament()

    page = text_of(a_member(Role.DIRECTOR).get(reverse("tournaments:prints", args=["rang"])))

    assert '<option value="1" selected>' in page
    assert "Certificates" in page


@pytest.mark.parametrize("kind", ["", *KINDS])
def test_printing_needs_a_director_of_the_club(kind: str) -> None:
    a_tournament()
    other = a_user("Other")
    a_club("karachi", members=[(other, Role.DIRECTOR)])
    here = (
        reverse("tournaments:print", args=["rang", kind])
        if kind
        else reverse("tournaments:prints", args=["rang"])
    )

    assert a_browser().get(here).status_code == HTTPStatus.FOUND
    for client in (a_browser(other), a_member(Role.PLAYER), a_member(Role.SCORER)):
        assert client.get(here).status_code == HTTPStatus.NOT_FOUND
    assert a_member(Role.DIRECTOR).get(here).status_code == HTTPStatus.OK


def test_a_tournament_that_is_not_there_is_not_printed() -> None:
    with pytest.raises(NotFound):
        queries.prints_page("rang", actor=SERVER)


@pytest.mark.parametrize("pairs", [(ASIF, CHAND), (ASIF, CHAND, ERUM, GITA, URDU, HINDI)])
def test_printing_asks_the_database_as_often_whatever_is_printed(
    pairs: tuple[str, ...], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a_tournament(*pairs)
    client = a_member(Role.DIRECTOR)

    for kind, queries_made in (("slips", 15), ("draw", 15), ("standings", 8)):
        with django_assert_num_queries(queries_made):
            sheet(client, kind)
    with django_assert_num_queries(8):
        client.get(reverse("tournaments:prints", args=["rang"]))
