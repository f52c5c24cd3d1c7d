"""The pages of games that were recorded at home: their owner's, what a link shows, and what a club is offered."""

import re
from typing import Any

import pytest
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.models import Membership, Role, User
from courtpiece.accounts.permissions import Actor
from scoring import operations
from scoring.models import GameOffer, Player, Scoresheet
from tests.accounts.builders import a_browser, a_user
from tests.scoring.builders import AT, a_club, a_record, a_sheet, record_file
from tests.scoring.games import NAMES_AT_HOME, a_game

pytestmark = pytest.mark.django_db


def text_of(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", "", answer.content.decode()).split())


def a_director(name: str = "Dina") -> User:
    user = a_user(name)
    Membership.objects.create(club=a_club(), user=user, role=Role.DIRECTOR, created_at=AT)
    return user


def an_offer(owner: User) -> GameOffer:
    game = a_game(owner, deals=2)
    uid = operations.offer_game(actor=Actor(user_id=owner.pk), uid=game.uid, club="lahore", at=AT)
    return GameOffer.objects.get(uid=uid)


def taking(offer: GameOffer, **changes: str) -> dict[str, str]:
    values = NAMES_AT_HOME | {"visibility": "public"} | changes
    return {f"{offer.uid}-{name}": value for name, value in values.items()}


def test_a_list_of_games_takes_as_many_queries_with_one_as_with_three(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    asif = a_user()
    browser, address = a_browser(asif), reverse("scoring:games")
    a_game(asif, deals=1)
    with django_assert_num_queries(7):
        browser.get(address)
    for _ in range(2):
        a_game(asif, deals=1)

    with django_assert_num_queries(7):
        answer = browser.get(address)

    assert answer.content.decode().count("Asif") >= 3
    assert "1 deal" in text_of(answer)


def test_an_owner_describes_a_game_and_reads_what_is_wrong_beside_the_field() -> None:
    asif = a_user()
    game = a_game(asif, deals=1)
    browser, address = a_browser(asif), reverse("scoring:game_describe", args=[game.uid])
    entered = NAMES_AT_HOME | {"event": "Sunday", "site": "", "date": "2026.11.30"}

    wrong = browser.post(address, entered | {"W": "Asif & Co"})
    twice = browser.post(address, entered | {"W": "Asif"})
    date = browser.post(address, entered | {"date": "yesterday"})
    right = browser.post(address, entered | {"N": "Asif Khan"}, follow=True)

    assert [one.status_code for one in (wrong, twice, date, right)] == [422, 422, 422, 200]
    assert "“&amp;” joins partners" in wrong.content.decode()
    assert "“Asif” stands there twice" in text_of(twice)
    assert "Write the date as year.month.day" in text_of(date)
    assert 'value="Asif Khan"' in right.content.decode()
    assert Scoresheet.objects.get().event == "Sunday"


def test_a_game_is_shared_and_its_link_revoked_on_its_page() -> None:
    asif = a_user()
    game = a_game(asif, deals=1)
    browser, address = a_browser(asif), reverse("scoring:game_link", args=[game.uid])

    shown = browser.post(address, {"do": "share"}, follow=True).content.decode()
    (path,) = set(re.findall(r"/games/shared/[\w-]{43}/", shown))
    read = a_browser().get(path)
    deal = a_browser().get(f"{path}deals/1/")
    file = a_browser().get(f"{path}pcn")
    browser.post(address, {"do": "revoke"})

    assert [one.status_code for one in (read, deal, file)] == [200, 200, 200]
    assert read["X-Robots-Tag"] == "noindex, nofollow"
    assert "/scoresheets/" not in read.content.decode()
    assert "/scoresheets/" not in deal.content.decode().replace("/accounts/login/", "")
    assert '[NS "Asif & Bilal"]' in file.content.decode()
    assert a_browser().get(path).status_code == 404


def test_a_director_takes_an_offered_game_on_the_clubs_page() -> None:
    dina = a_director()
    offer = an_offer(a_user())
    browser = a_browser(dina)

    page = browser.get(reverse("scoring:club_games", args=["lahore"]))
    answer = browser.post(reverse("scoring:game_take", args=[offer.uid]), taking(offer), follow=True)

    assert "2 deals" in text_of(page)
    assert "The game is the club’s now." in text_of(answer)
    assert Player.objects.count() == 4
    assert "taken" in text_of(browser.get(reverse("scoring:club_games", args=["lahore"])))


def test_a_name_that_is_nearly_known_is_proposed_and_another_is_asked_about() -> None:
    dina = a_director()
    offer = an_offer(a_user())
    club = offer.club
    record_file(a_sheet(club, names=(("Bilal Shah", "Chand"), ("Devv", "Gita"))), [a_record(1)])
    Player.objects.filter(name="Bilal Shah").update(name="Bilall", search_key="bilall")
    browser = a_browser(dina)

    page = browser.get(reverse("scoring:club_games", args=["lahore"]))
    refused = browser.post(reverse("scoring:game_take", args=[offer.uid]), taking(offer))
    sure = browser.post(reverse("scoring:game_take", args=[offer.uid]), taking(offer, sure="on"))

    assert 'value="Bilall"' in page.content.decode()
    assert "the club has this name" in text_of(page)
    assert refused.status_code == 422
    assert "Is that the same person? “Bilal” – “Bilall”" in text_of(refused)
    assert sure.status_code == 302


def test_a_declined_game_says_why_to_its_owner_and_an_answer_comes_once() -> None:
    dina, asif = a_director(), a_user()
    offer = an_offer(asif)
    browser = a_browser(dina)

    browser.post(reverse("scoring:game_decline", args=[offer.uid]), {"reason": "Not our players."})
    late = browser.post(reverse("scoring:game_take", args=[offer.uid]), taking(offer), follow=True)
    seen = a_browser(asif).get(reverse("scoring:game", args=[offer.scoresheet.uid]))

    assert "This offer was answered in the meantime" in text_of(late)
    assert "Lahore declined it. Not our players." in text_of(seen)


def test_a_page_of_a_game_at_home_has_no_links_to_players_or_clubs() -> None:
    asif = a_user()
    game = a_game(asif, deals=1)

    shown = a_browser(asif).get(reverse("scoring:scoresheet", args=[game.uid])).content.decode()

    assert "/players/" not in shown
    assert "/partnerships/" not in shown
    assert "Share or give to a club" in shown
    assert reverse("scoring:game", args=[game.uid]) in shown


def test_an_offer_without_a_club_or_a_deal_is_refused_in_words() -> None:
    asif = a_user()
    a_director()
    game = a_game(asif)
    browser, address = a_browser(asif), reverse("scoring:game_offer", args=[game.uid])

    nothing = browser.post(address, {"do": "offer", "club": "lahore"}, follow=True)
    nowhere = browser.post(address, {"club": "lahore"}, follow=True)

    assert "This game has no deal yet." in text_of(nothing)
    assert "Choose a club." in text_of(nowhere)
