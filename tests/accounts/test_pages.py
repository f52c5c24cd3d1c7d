"""The pages of accounts, tokens, clubs and members; a third user never gets in."""

import re
from http import HTTPStatus
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts import operations
from courtpiece.accounts.models import ApiToken, Club, Membership, Role, User
from tests.accounts.builders import AT, a_browser, a_club, a_user, as_actor

pytestmark = pytest.mark.django_db

SIGN_IN = "/accounts/login/"


def _messages(response: Any) -> list[str]:
    return [str(message) for message in get_messages(response.wsgi_request)]


def _errors(response: Any) -> dict[str, list[str]]:
    return dict(response.context["form"].errors)


def _roles(club: Club) -> dict[str, str]:
    return dict(Membership.objects.filter(club=club).values_list("user__display_name", "role"))


ADDRESSES = {
    "profile": "/accounts/",
    "tokens": "/accounts/tokens/",
    "club_create": "/accounts/clubs/new/",
    "club_edit": "/accounts/club/lahore/",
    "members": "/accounts/club/lahore/members/",
    "log": "/accounts/club/lahore/log/",
}
OF_THE_CLUB = ("club_edit", "members", "log")


@pytest.mark.parametrize("page", ADDRESSES)
def test_a_visitor_is_asked_to_sign_in_whether_or_not_there_is_anything(page: str) -> None:
    before = a_browser().get(ADDRESSES[page])
    a_club("lahore")
    after = a_browser().get(ADDRESSES[page])

    for answer in (before, after):
        assert (answer.status_code, answer["Location"]) == (302, f"{SIGN_IN}?next={ADDRESSES[page]}")


@pytest.mark.parametrize("page", ADDRESSES)
def test_an_owner_sees_every_page_in_a_page_of_the_site(page: str) -> None:
    owner = a_user("Owner")
    a_club("lahore", members=[(owner, Role.OWNER)])
    operations.create_token(actor=as_actor(owner), name="phone", scopes=["read"], at=AT)

    answer = a_browser(owner).get(ADDRESSES[page])

    assert answer.status_code == HTTPStatus.OK
    html = answer.content.decode()
    assert html.count("<h1") == 1
    assert re.findall(r"\sstyle=|\son\w+=|<script>", html) == []


@pytest.mark.parametrize("role", [None, Role.PLAYER, Role.SCORER])
@pytest.mark.parametrize("page", OF_THE_CLUB)
def test_for_a_third_user_a_clubs_inner_pages_do_not_exist(page: str, role: Role | None) -> None:
    owner, third = a_user("Owner"), a_user("Third")
    a_club("lahore", members=[(owner, Role.OWNER), *([(third, role)] if role else [])])
    a_club("other", members=[(third, Role.OWNER)])
    nowhere = ADDRESSES[page].replace("lahore", "nowhere")

    forbidden, missing = a_browser(third).get(ADDRESSES[page]), a_browser(third).get(nowhere)

    assert (forbidden.status_code, missing.status_code) == (404, 404)
    assert _without_the_address(forbidden) == _without_the_address(missing)


def _without_the_address(answer: Any) -> str:
    html = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())
    return html.replace("lahore", "nowhere")


@pytest.mark.parametrize("others", [0, 2])
def test_the_page_of_members_asks_the_database_no_more_for_more_members(
    others: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    owner = a_user("Owner")
    players = [(a_user(f"Player {n}"), Role.PLAYER) for n in range(others)]
    a_club("lahore", members=[(owner, Role.OWNER), *players])
    browser = a_browser(owner)

    with django_assert_num_queries(5):  # session, user, roles; club, members
        browser.get(ADDRESSES["members"])


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_of_tokens_asks_the_database_no_more_for_more_tokens(
    count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    user = a_user()
    for _ in range(count):
        operations.create_token(actor=as_actor(user), name="phone", scopes=["read"], at=AT)
    browser = a_browser(user)

    with django_assert_num_queries(5):  # session, user, roles; roles again, tokens
        browser.get(ADDRESSES["tokens"])


# -- One's own account


def test_name_and_language_are_changed_and_the_browser_asks_in_it() -> None:
    user = a_user()
    browser = a_browser(user)

    answer = browser.post(ADDRESSES["profile"], {"display_name": " Asif  Khan", "language": "ur"})

    user.refresh_from_db()
    assert (user.display_name, user.language) == ("Asif Khan", "ur")
    assert (answer.status_code, answer["Location"]) == (302, ADDRESSES["profile"])
    assert browser.cookies["django_language"].value == "ur"


def test_without_a_language_the_browser_asks_in_its_own() -> None:
    browser = a_browser(a_user())
    browser.post(ADDRESSES["profile"], {"display_name": "Asif", "language": "ur"})

    browser.post(ADDRESSES["profile"], {"display_name": "Asif", "language": ""})

    assert browser.cookies["django_language"].value == ""


@pytest.mark.parametrize(
    ("sent", "errors"),
    [
        ({"display_name": "", "language": ""}, {"display_name": ["This field is required."]}),
        ({"display_name": "\u200d", "language": ""}, {"display_name": ["Enter a name."]}),
        (
            {"display_name": "Asif", "language": "tlh"},
            {"language": ["Select a valid choice. tlh is not one of the available choices."]},
        ),
    ],
)
def test_what_an_account_cannot_be_is_said_beside_the_field(
    sent: dict[str, str], errors: dict[str, list[str]]
) -> None:
    user = a_user()

    answer = a_browser(user).post(ADDRESSES["profile"], sent)

    assert (answer.status_code, _errors(answer)) == (200, errors)
    user.refresh_from_db()
    assert (user.display_name, user.language) == ("Asif", "")


# -- Tokens


def test_a_token_is_shown_on_the_page_that_made_it_and_never_again() -> None:
    browser = a_browser(a_user())

    made = browser.post(ADDRESSES["tokens"], {"name": "phone", "scopes": ["read", "deals:write"]})
    later = browser.get(ADDRESSES["tokens"])

    text = re.findall(r"cp_\w{8}_\w{40}", made.content.decode())
    assert len(text) == 1
    assert operations.use_token(text[0], at=AT)[1].scopes == {"read", "deals:write"}
    assert re.findall(r"cp_\w{8}_\w{40}", later.content.decode()) == []
    assert text[0][:11] in later.content.decode()
    assert "no-store" in made["Cache-Control"]


@pytest.mark.parametrize(
    ("sent", "errors"),
    [
        ({"name": "phone"}, {"scopes": ["This field is required."]}),
        ({"name": "\u200d", "scopes": ["read"]}, {"name": ["Enter a name."]}),
        (
            {"name": "phone", "scopes": ["all"]},
            {"scopes": ["Select a valid choice. all is not one of the available choices."]},
        ),
    ],
)
def test_a_token_that_cannot_be_is_not_made(sent: dict[str, object], errors: dict[str, list[str]]) -> None:
    answer = a_browser(a_user()).post(ADDRESSES["tokens"], sent)

    assert (answer.status_code, _errors(answer), ApiToken.objects.count()) == (200, errors, 0)


def test_ones_own_token_is_revoked_and_anothers_does_not_exist() -> None:
    owner, third = a_user("Owner"), a_user("Third")
    made = operations.create_token(actor=as_actor(owner), name="phone", scopes=["read"], at=AT)
    address = reverse("accounts:token_revoke", args=[made.id])

    by_third, by_visitor = a_browser(third).post(address), a_browser().post(address)
    still_good = ApiToken.objects.get().revoked_at is None
    by_owner = a_browser(owner).post(address)

    assert (by_third.status_code, by_visitor.status_code, still_good) == (404, 302, True)
    assert (by_owner.status_code, _messages(by_owner)) == (302, ["The token was revoked."])
    assert ApiToken.objects.get().revoked_at is not None


# -- Clubs and members

NEW_CLUB = {"name": "Lahore", "slug": "lahore", "timezone": "Asia/Karachi", "city": "", "country": ""}


def test_a_user_makes_a_club_and_comes_to_its_members() -> None:
    answer = a_browser(a_user()).post(ADDRESSES["club_create"], NEW_CLUB)

    assert (answer.status_code, answer["Location"]) == (302, ADDRESSES["members"])
    assert _roles(Club.objects.get(slug="lahore")) == {"Asif": "owner"}


@pytest.mark.parametrize(
    ("change", "errors"),
    [
        ({"slug": "other"}, {"slug": ["Another club has this address. Choose another."]}),
        (
            {"slug": "La hore"},
            {"slug": ["Use small letters a to z, digits and single hyphens between, at most 50 characters."]},
        ),
        ({"timezone": "Lahore"}, {"timezone": ["There is no such time zone. Write it as in Asia/Karachi."]}),
        ({"name": "\u200d"}, {"name": ["Enter a name."]}),
        ({"name": ""}, {"name": ["This field is required."]}),
    ],
)
def test_what_a_club_cannot_be_is_said_beside_the_field(
    change: dict[str, str], errors: dict[str, list[str]]
) -> None:
    a_club("other")

    answer = a_browser(a_user()).post(ADDRESSES["club_create"], {**NEW_CLUB, **change})

    assert (answer.status_code, _errors(answer), Club.objects.count()) == (200, errors, 1)


def test_an_owner_changes_the_club() -> None:
    owner = a_user("Owner")
    club = a_club("lahore", members=[(owner, Role.OWNER)])
    browser = a_browser(owner)

    refused = browser.post(ADDRESSES["club_edit"], {"name": "Rang", "timezone": "Mars/Olympus"})
    accepted = browser.post(ADDRESSES["club_edit"], {"name": "Rang", "timezone": "UTC", "city": "Lahore"})

    assert _errors(refused) == {"timezone": ["There is no such time zone. Write it as in Asia/Karachi."]}
    assert accepted.status_code == HTTPStatus.FOUND
    club.refresh_from_db()
    assert (club.name, club.timezone, club.city) == ("Rang", "UTC", "Lahore")


def test_an_owner_adds_a_member() -> None:
    owner = a_user("Owner")
    a_user("Bilal")
    club = a_club("lahore", members=[(owner, Role.OWNER)])

    answer = a_browser(owner).post(ADDRESSES["members"], {"email": "bilal@example.org", "role": "scorer"})

    assert (answer.status_code, _messages(answer)) == (302, ["The member was added."])
    assert _roles(club) == {"Owner": "owner", "Bilal": "scorer"}


@pytest.mark.parametrize(
    ("sent", "errors"),
    [
        (
            {"email": "bilal", "role": "player"},
            {"email": ["Enter an e-mail address, as in name@example.org."]},
        ),
        (
            {"email": "nobody@example.org", "role": "player"},
            {"email": ["Nobody has an account with this e-mail address. Ask them to sign up first."]},
        ),
        ({"email": "owner@example.org", "role": "player"}, {"email": ["Owner is a member already."]}),
        (
            {"email": "bilal@example.org", "role": "king"},
            {"role": ["Select a valid choice. king is not one of the available choices."]},
        ),
    ],
)
def test_who_cannot_be_added_is_said_beside_the_field(
    sent: dict[str, str], errors: dict[str, list[str]]
) -> None:
    owner = a_user("Owner")
    a_user("Bilal")
    club = a_club("lahore", members=[(owner, Role.OWNER)])

    answer = a_browser(owner).post(ADDRESSES["members"], sent)

    assert (answer.status_code, _errors(answer), _roles(club)) == (200, errors, {"Owner": "owner"})


def _role_of(user: User) -> str:
    return reverse("accounts:member_role", args=["lahore", user.pk])


def _removal_of(user: User) -> str:
    return reverse("accounts:member_remove", args=["lahore", user.pk])


def test_an_owner_changes_a_role_and_removes_a_member() -> None:
    owner, bilal = a_user("Owner"), a_user("Bilal")
    club = a_club("lahore", members=[(owner, Role.OWNER), (bilal, Role.PLAYER)])
    browser = a_browser(owner)

    changed = browser.post(_role_of(bilal), {"role": "director"})
    after_change = _roles(club)
    removed = browser.post(_removal_of(bilal))

    assert (changed["Location"], after_change["Bilal"]) == (ADDRESSES["members"], "director")
    assert (removed["Location"], _roles(club)) == (ADDRESSES["members"], {"Owner": "owner"})
    assert _messages(removed)[-1] == "The member was removed."


@pytest.mark.parametrize("role", ["director", "", "king"])
def test_why_a_role_was_not_changed_is_said_on_the_next_page(role: str) -> None:
    owner = a_user("Owner")
    club = a_club("lahore", members=[(owner, Role.OWNER)])

    answer = a_browser(owner).post(_role_of(owner), {"role": role}, follow=True)

    expected = {
        "director": "A club needs an owner. Make somebody else an owner first.",
        "": "There is no such role.",
        "king": "There is no such role.",
    }[role]
    assert (answer.status_code, _messages(answer)) == (200, [expected])
    assert _roles(club) == {"Owner": "owner"}


def test_the_last_owner_cannot_leave() -> None:
    owner = a_user("Owner")
    club = a_club("lahore", members=[(owner, Role.OWNER)])

    answer = a_browser(owner).post(_removal_of(owner))

    assert answer["Location"] == ADDRESSES["members"]
    assert _messages(answer) == ["A club needs an owner. Make somebody else an owner first."]
    assert _roles(club) == {"Owner": "owner"}


def test_a_player_leaves() -> None:
    owner, player = a_user("Owner"), a_user("Player")
    club = a_club("lahore", members=[(owner, Role.OWNER), (player, Role.PLAYER)])

    answer = a_browser(player).post(_removal_of(player))

    assert (answer["Location"], _messages(answer)) == (ADDRESSES["profile"], ["You left the club."])
    assert _roles(club) == {"Owner": "owner"}


@pytest.mark.parametrize("role", [None, Role.PLAYER, Role.SCORER, Role.DIRECTOR])
def test_a_third_user_changes_nothing(role: Role | None) -> None:
    owner, third = a_user("Owner"), a_user("Third")
    club = a_club("lahore", members=[(owner, Role.OWNER), *([(third, role)] if role else [])])
    before = _roles(club)

    for browser, status in ((a_browser(third), 404), (a_browser(), 302)):
        answers = [
            browser.post(ADDRESSES["club_edit"], {"name": "Mine", "timezone": "UTC"}),
            browser.post(ADDRESSES["members"], {"email": "third@example.org", "role": "owner"}),
            browser.post(_role_of(third), {"role": "owner"}),
            browser.post(_role_of(owner), {"role": "player"}),
            browser.post(_removal_of(owner)),
        ]
        assert [answer.status_code for answer in answers] == [status] * 5

    club.refresh_from_db()
    assert (club.name, _roles(club)) == ("Lahore", before)


@pytest.mark.parametrize("view", ["member_role", "member_remove"])
def test_a_link_changes_nothing(view: str) -> None:
    owner = a_user("Owner")
    a_club("lahore", members=[(owner, Role.OWNER)])

    answer = a_browser(owner).get(reverse(f"accounts:{view}", args=["lahore", owner.pk]))

    assert answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED


def test_a_form_of_another_site_changes_nothing() -> None:
    owner = a_user("Owner")
    club = a_club("lahore", members=[(owner, Role.OWNER)])
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(owner)

    answer = browser.post(ADDRESSES["club_edit"], {"name": "Mine", "timezone": "UTC"})

    club.refresh_from_db()
    assert (answer.status_code, club.name) == (403, "Lahore")
