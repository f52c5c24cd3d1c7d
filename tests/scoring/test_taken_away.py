"""What of a deal leaves the site: PBN, a picture of a position, and a frame in another site's page."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from http import HTTPStatus
from typing import Any
from uuid import UUID
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from django.urls import reverse
from endplay.parsers import pbn

from courtpiece.accounts.models import Role, User
from courtpiece.accounts.permissions import Actor
from scoring import operations
from scoring.link_secrets import secret_of
from scoring.models import Scoresheet
from tests.accounts.builders import a_browser, a_user
from tests.scoring.builders import (
    AT,
    a_club,
    a_full_record,
    a_record,
    a_sheet,
    an_actor,
    club_of,
    record_file,
    the_deal,
)
from tests.scoring.games import a_game

pytestmark = pytest.mark.django_db

AWAY = ("deal_pbn", "deal_svg", "deal_png", "deal_embed")


def a_deal(*, visibility: str = "public", records: Sequence[str] = (a_full_record(),)) -> UUID:
    sheet = a_sheet(a_club(), visibility=visibility)
    record_file(sheet, records)
    return the_deal(sheet, 1).uid


def ask(name: str, uid: UUID, query: str = "", *, browser: Client | None = None, **headers: str) -> Any:
    return (browser or Client()).get(reverse(f"scoring:{name}", args=[uid]) + query, headers=headers)


def cards_of(answer: Any) -> list[str | None]:
    return [one.get("data-card") for one in ET.fromstring(answer.content).iter() if one.get("data-card")]


def a_director() -> Client:
    """Return the browser of a director of the club that has the one scoresheet there is."""
    an_actor(club_of(Scoresheet.objects.get()), Role.DIRECTOR, name="Dina")
    return a_browser(User.objects.get(display_name="Dina"))


def hold_back(minutes: int) -> None:
    Scoresheet.objects.update(cards_delay=timedelta(minutes=minutes))


# -- PBN


def test_a_bridge_program_replays_a_deal_that_was_taken_away() -> None:
    answer = ask("deal_pbn", a_deal())

    (board,) = pbn.loads(answer.content.decode())
    played = [f"{card}".replace("10", "T") for card in board.play]
    assert answer["Content-Type"] == "application/x-pbn; charset=utf-8"
    assert re.fullmatch(r'attachment; filename="deal-[0-9a-f-]+\.pbn"', answer["Content-Disposition"])
    assert len(played) == 36


def test_the_players_go_along_as_tags_of_our_own() -> None:
    text = ask("deal_pbn", a_deal()).content.decode()

    assert '[PcnNS "Asif Khan & Bilal Shah"]' in text
    assert '[PcnEvent "Tuesday Rang"]' in text


# -- pictures


def test_a_picture_shows_the_end_unless_a_position_is_asked_for() -> None:
    uid = a_deal()

    assert cards_of(ask("deal_svg", uid)) == ["HA", "H2", "H8", "H6"]
    assert cards_of(ask("deal_svg", uid, "?at=2")) == ["HT", "H5"]
    assert cards_of(ask("deal_svg", uid, "?at=0")) == []


def test_pictures_say_what_they_are() -> None:
    uid = a_deal()

    svg, png = ask("deal_svg", uid), ask("deal_png", uid)

    assert svg["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert png["Content-Type"] == "image/png"
    assert png.content.startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["deal_svg", "deal_png"])
def test_who_has_a_picture_is_not_sent_it_again(name: str) -> None:
    uid = a_deal()
    first = ask(name, uid)

    again = ask(name, uid, **{"if-none-match": first["ETag"]})
    another = ask(name, uid, "?at=3", **{"if-none-match": first["ETag"]})

    assert (again.status_code, again.content) == (HTTPStatus.NOT_MODIFIED, b"")
    assert again["Cache-Control"] == first["Cache-Control"] == "no-cache, private"
    assert another.status_code == HTTPStatus.OK


@pytest.mark.parametrize(("query", "picture"), [("", "image.png"), ("?at=5", "image.png?at=5")])
def test_programs_that_show_links_find_the_picture_of_the_position(query: str, picture: str) -> None:
    uid = a_deal()

    page = ask("deal", uid, query).content.decode()

    found = re.findall(r'property="og:image" content="([^"]+)"', page)
    assert found == [f"http://testserver/deals/{uid}/{picture}"]


# -- a frame


def test_any_site_may_frame_the_replay_of_a_public_deal() -> None:
    answer = ask("deal_embed", a_deal(), "?at=5")

    assert "frame-ancestors *" in answer["Content-Security-Policy"]
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert not answer.has_header("X-Frame-Options")
    assert answer.cookies == {}
    assert 'data-at="5"' in answer.content.decode()


def test_no_other_page_may_be_framed() -> None:
    answer = ask("deal", a_deal())

    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"


@pytest.mark.parametrize("visibility", ["unlisted", "private"])
def test_a_deal_that_is_not_public_is_framed_for_nobody(visibility: str) -> None:
    uid = a_deal(visibility=visibility)
    browser = a_director()

    answers = [
        ask("deal_embed", uid),
        ask("deal_embed", uid, browser=browser),
        ask("deal_embed", UUID(int=1)),
    ]

    assert [answer.status_code for answer in answers] == [HTTPStatus.NOT_FOUND] * 3
    assert "frame-ancestors 'none'" in answers[1]["Content-Security-Policy"]
    assert ask("deal", uid, browser=browser).status_code == HTTPStatus.OK


def test_the_address_of_the_frame_is_offered_for_public_deals_only() -> None:
    public, unlisted = a_deal(), the_deal(_another_sheet("unlisted"), 1).uid

    assert f"/deals/{public}/embed/" in ask("deal", public).content.decode()
    assert "/embed/" not in ask("deal", unlisted).content.decode()


def _another_sheet(visibility: str) -> Scoresheet:
    sheet = a_sheet(a_club("multan"), visibility=visibility)
    record_file(sheet, [a_full_record()])
    return sheet


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (a_record(1), "Only the result of this deal was recorded"),
        (a_record(1, result="", more='[Tricks "E E E E E E E"]'), "Recorded trick by trick, without cards."),
    ],
)
def test_a_frame_and_a_page_without_cards_say_what_there_is(record: str, said: str) -> None:
    uid = a_deal(records=[record])

    pages = [ask(name, uid).content.decode() for name in ("deal", "deal_embed")]

    assert [said in page for page in pages] == [True, True]
    assert ["replay.js" in page for page in pages] == [False, False]


# -- what is held back


def test_cards_that_are_shown_late_are_in_nothing_that_is_taken_away() -> None:
    uid = a_deal()
    open_svg = ask("deal_svg", uid).content
    hold_back(minutes=10**6)

    text = {name: ask(name, uid).content.decode("utf-8", "replace") for name in AWAY}

    assert "[Deal " not in text["deal_pbn"]
    assert "[Play " not in text["deal_pbn"]
    assert cards_of(ask("deal_svg", uid)) == []
    assert ask("deal_svg", uid).content != open_svg
    assert "data-play" not in text["deal_embed"]
    assert "cards are shown from" in text["deal_embed"]


def test_a_frame_shows_nothing_early_to_a_director_either() -> None:
    uid = a_deal()
    browser = a_director()
    hold_back(minutes=10**6)

    assert "data-play" not in ask("deal_embed", uid, browser=browser).content.decode()
    assert len(cards_of(ask("deal_svg", uid, browser=browser))) == 4


def test_the_pixels_are_those_of_the_picture_that_its_reader_may_see() -> None:
    uid = a_deal()
    shown = ask("deal_png", uid).content
    hold_back(minutes=10**6)

    held = ask("deal_png", uid)

    assert held.content != shown
    assert held["ETag"] == f'{ask("deal_svg", uid)["ETag"][:-1]}-png"'


# -- by the link of a game


def by_link(what: str, secret: str, query: str = "") -> Any:
    return Client().get(reverse(f"scoring:{what}", args=[secret, 1]) + query)


def test_the_link_of_a_game_opens_its_files_and_pictures_and_no_longer_when_it_is_revoked() -> None:
    owner = a_user()
    game, actor = a_game(owner, deals=1), Actor(user_id=owner.pk)
    secret = secret_of(operations.share_game(actor=actor, uid=game.uid, at=AT))
    names = [f"shared_deal_{what}" for what in ("pcn", "pbn", "svg", "png")]

    opened = [by_link(name, secret) for name in names]
    operations.unshare_game(actor=actor, uid=game.uid, at=datetime(2026, 11, 30, tzinfo=UTC))
    closed = [by_link(name, secret) for name in names]

    assert [answer.status_code for answer in opened] == [HTTPStatus.OK] * 4
    assert {answer["X-Robots-Tag"] for answer in opened} == {"noindex, nofollow"}
    assert [answer.status_code for answer in closed] == [HTTPStatus.NOT_FOUND] * 4


def test_what_a_link_shows_leads_on_by_that_link_only() -> None:
    owner = a_user()
    game = a_game(owner, deals=1)
    secret = secret_of(operations.share_game(actor=Actor(user_id=owner.pk), uid=game.uid, at=AT))

    page = by_link("shared_deal", secret).content.decode()

    assert set(re.findall(r'href="([^"?]*image\.png)', page)) == {f"/games/shared/{secret}/deals/1/image.png"}
    assert f"/deals/{the_deal(game, 1).uid}/" not in page
