"""Signing up, in and out: with a password, with a code by e-mail, in two steps."""

import re
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.core.mail import EmailMessage
from django.test import Client
from pytest_django import Settings

from courtpiece.accounts.models import AuditEntry, User
from courtpiece.accounts.sign_in import sign_in_settings
from tests.accounts.builders import PASSWORD, a_browser, a_user

pytestmark = pytest.mark.django_db

LOGIN, SIGN_UP, LOGOUT = "/accounts/login/", "/accounts/signup/", "/accounts/logout/"
NEW = {"display_name": " Asif  Khan", "email": "Asif@Example.org", "password1": PASSWORD}


@pytest.fixture
def _mail(settings: Settings) -> None:
    for name, value in sign_in_settings(sends_mail=True, sign_up_is_open=True).items():
        setattr(settings, name, value)
    settings.ROOT_URLCONF = "tests.accounts.urls_of_a_site_that_sends_mail"


def _errors(answer: Any) -> dict[str, list[str]]:
    return dict(answer.context["form"].errors)


def _is_signed_in(browser: Client) -> bool:
    return "_auth_user_id" in browser.session


def _code_in(letters: list[EmailMessage]) -> str:
    (letter,) = letters
    codes = re.findall(r"^\s*([A-Z0-9-]{6,9})\s*$", str(letter.body), re.MULTILINE)
    assert len(codes) == 1
    return str(codes[0])


# -- Signing up


def test_who_signs_up_is_signed_in_under_the_name_entered() -> None:
    browser = a_browser()

    answer = browser.post(SIGN_UP, NEW)

    user = User.objects.get()
    assert (user.email, user.display_name) == ("asif@example.org", "Asif Khan")
    assert (answer.status_code, answer["Location"], _is_signed_in(browser)) == (302, "/", True)
    entries = AuditEntry.objects.order_by("pk").values_list("what", "user", "address")
    assert list(entries) == [
        ("account-created", user.pk, "127.0.0.1"),
        ("signed-in", user.pk, "127.0.0.1"),
    ]


@pytest.mark.parametrize(
    ("change", "errors"),
    [
        ({"email": "asif"}, {"email": ["Enter a valid email address."]}),
        ({"email": ""}, {"email": ["This field is required."]}),
        ({"email": "TAKEN@example.org"}, {"email": ["There is an account with this e-mail address."]}),
        ({"display_name": "\u200d"}, {"display_name": ["Enter a name."]}),
        ({"display_name": ""}, {"display_name": ["This field is required."]}),
        (
            {"password1": "short"},
            {"password1": ["This password is too short. It must contain at least 10 characters."]},
        ),
        (
            {"password1": "asif@example.org"},
            {"password1": ["The password is too similar to the e-mail address."]},
        ),
    ],
)
def test_what_was_wrong_is_said_beside_the_field(
    change: dict[str, str], errors: dict[str, list[str]]
) -> None:
    a_user("Taken")
    browser = a_browser()

    answer = browser.post(SIGN_UP, {**NEW, **change})

    assert (answer.status_code, _errors(answer)) == (200, errors)
    assert (User.objects.count(), _is_signed_in(browser)) == (1, False)


def test_where_sign_up_is_closed_nobody_makes_an_account(settings: Settings) -> None:
    settings.ACCOUNT_SIGNUP_ENABLED = False

    page, sent = a_browser().get(SIGN_UP), a_browser().post(SIGN_UP, NEW)

    assert "This site takes no new accounts" in page.content.decode()
    assert "This site takes no new accounts" in sent.content.decode()
    assert User.objects.count() == 0
    assert SIGN_UP not in a_browser().get(LOGIN).content.decode()


# -- With a password


@pytest.mark.parametrize("email", ["asif@example.org", " ASIF@Example.org "])
def test_an_address_and_its_password_sign_in_whatever_the_case(email: str) -> None:
    user = a_user()
    browser = a_browser()

    answer = browser.post(LOGIN + "?next=/accounts/tokens/", {"login": email, "password": PASSWORD})

    assert (answer.status_code, answer["Location"]) == (302, "/accounts/tokens/")
    assert browser.session["_auth_user_id"] == str(user.pk)
    assert AuditEntry.objects.filter(what="signed-in", user=user).count() == 1


@pytest.mark.parametrize(
    ("email", "password"),
    [
        ("asif@example.org", "another password"),
        ("nobody@example.org", PASSWORD),
        ("bilal@example.org", PASSWORD + " "),
    ],
)
def test_a_wrong_password_and_an_unknown_address_look_the_same(email: str, password: str) -> None:
    a_user()
    browser = a_browser()

    answer = browser.post(LOGIN, {"login": email, "password": password})

    assert _errors(answer) == {"__all__": ["The e-mail address or the password is wrong."]}
    assert not _is_signed_in(browser)


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_signing_in_leads_to_no_other_site(target: str) -> None:
    a_user()

    answer = a_browser().post(LOGIN, {"login": "asif@example.org", "password": PASSWORD, "next": target})

    assert answer["Location"] == "/"


def test_a_closed_account_stays_out() -> None:
    a_user()
    User.objects.update(is_active=False)
    browser = a_browser()

    answer = browser.post(LOGIN, {"login": "asif@example.org", "password": PASSWORD}, follow=True)

    assert "This account was closed" in answer.content.decode()
    assert not _is_signed_in(browser)


def test_signing_in_asks_the_browser_to_use_the_users_language() -> None:
    user = a_user()
    User.objects.filter(pk=user.pk).update(language="hi")
    browser = a_browser()

    browser.post(LOGIN, {"login": "asif@example.org", "password": PASSWORD})

    assert browser.cookies["django_language"].value == "hi"


def test_the_browser_forgets_when_it_closes_unless_told_to_stay() -> None:
    a_user()
    short, long = a_browser(), a_browser()

    short.post(LOGIN, {"login": "asif@example.org", "password": PASSWORD})
    long.post(LOGIN, {"login": "asif@example.org", "password": PASSWORD, "remember": "on"})

    assert short.session.get_expire_at_browser_close()
    assert not long.session.get_expire_at_browser_close()


def test_signing_out_takes_a_form_not_a_link() -> None:
    browser = a_browser(a_user())

    asked = browser.get(LOGOUT)
    still_in = _is_signed_in(browser)
    browser.post(LOGOUT)

    assert (asked.status_code, still_in, _is_signed_in(browser)) == (200, True, False)


def test_many_wrong_passwords_are_slowed_down(settings: Settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "2/300s/key"}
    a_user()
    browser = a_browser()
    for _ in range(2):
        browser.post(LOGIN, {"login": "asif@example.org", "password": "guess"})

    answer = browser.post(LOGIN, {"login": "asif@example.org", "password": PASSWORD})

    assert _errors(answer) == {"__all__": ["That failed too often. Wait some minutes and try again."]}
    assert not _is_signed_in(browser)


def test_a_password_is_changed_with_the_old_one() -> None:
    user = a_user()
    browser = a_browser()
    browser.post(LOGIN, {"login": "asif@example.org", "password": PASSWORD})
    address = "/accounts/password/change/"
    new = {"password1": "quite another one", "password2": "quite another one"}

    refused = browser.post(address, {"oldpassword": "guess", **new})
    accepted = browser.post(address, {"oldpassword": PASSWORD, **new})

    assert _errors(refused) == {"oldpassword": ["Enter your present password."]}
    assert accepted.status_code == 302
    user.refresh_from_db()
    assert user.check_password("quite another one")


# -- With mail


def test_without_mail_nothing_offers_mail() -> None:
    page = a_browser().get(LOGIN).content.decode()
    reset = a_browser().get("/accounts/password/reset/").content.decode()

    assert "/accounts/password/reset/" not in page
    assert "/accounts/login/code/" not in page
    assert "This site sends no e-mail." in reset
    assert "<form class" not in reset


@pytest.mark.usefixtures("_mail")
def test_a_new_address_is_proven_with_a_code(mailoutbox: list[EmailMessage]) -> None:
    browser = a_browser()
    browser.post(SIGN_UP, NEW)
    before = _is_signed_in(browser)
    code = _code_in(mailoutbox)

    wrong = browser.post("/accounts/confirm-email/", {"code": "AAAAAA"})
    browser.post("/accounts/confirm-email/", {"code": code})

    assert mailoutbox[0].to == ["asif@example.org"]
    assert (before, wrong.context["verify_form"].errors) == (False, {"code": ["The code is wrong."]})
    assert _is_signed_in(browser)


@pytest.mark.usefixtures("_mail")
def test_where_mail_is_sent_a_taken_address_is_told_only_to_its_owner(
    mailoutbox: list[EmailMessage],
) -> None:
    a_user("Taken")

    taken = a_browser().post(SIGN_UP, {**NEW, "email": "taken@example.org"})
    free = a_browser().post(SIGN_UP, {**NEW, "email": "free@example.org"})

    assert (taken.status_code, taken["Location"]) == (free.status_code, free["Location"])
    assert mailoutbox[0].subject == "You have an account"
    assert not User.objects.filter(display_name="Asif Khan", email="taken@example.org").exists()


@pytest.mark.usefixtures("_mail")
def test_a_code_by_mail_signs_in_without_a_password(mailoutbox: list[EmailMessage]) -> None:
    user = a_user()
    browser = a_browser()
    assert "/accounts/login/code/" in browser.get(LOGIN).content.decode()

    asked = browser.post("/accounts/login/code/", {"email": "asif@example.org"}, follow=True)
    browser.post("/accounts/login/code/confirm/", {"code": _code_in(mailoutbox)})

    assert "asif@example.org" in asked.content.decode()
    assert browser.session["_auth_user_id"] == str(user.pk)


@pytest.mark.usefixtures("_mail")
def test_a_forgotten_password_is_set_anew_with_a_code(
    mailoutbox: list[EmailMessage], settings: Settings
) -> None:
    user = a_user()
    browser = a_browser()

    browser.post("/accounts/password/reset/", {"email": "asif@example.org"})
    browser.post("/accounts/password/reset/confirm/", {"code": _code_in(mailoutbox)})
    browser.post(
        "/accounts/password/reset/complete/",
        {"password1": "quite another one", "password2": "quite another one"},
    )

    user.refresh_from_db()
    assert user.check_password("quite another one")


# -- In two steps


def _code_of_the_app(secret: str) -> str:
    return str(format_hotp_value(hotp_value(secret, next(yield_hotp_counters_from_time()))))


def test_two_step_sign_in_asks_for_the_code_of_the_app() -> None:
    a_user()
    browser = a_browser()
    browser.post(LOGIN, {"login": "asif@example.org", "password": PASSWORD})
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = browser.get("/accounts/2fa/totp/activate/")
    secret = page.context["form"].secret
    browser.post("/accounts/2fa/totp/activate/", {"code": _code_of_the_app(secret)})
    codes = re.findall(r"[a-f0-9]{8}", browser.get("/accounts/2fa/recovery-codes/").content.decode())
    browser.post(LOGOUT)

    first = browser.post(LOGIN, {"login": "asif@example.org", "password": PASSWORD})
    after_password = _is_signed_in(browser)
    wrong = browser.post("/accounts/2fa/authenticate/", {"code": "000000"})
    browser.post("/accounts/2fa/authenticate/", {"code": codes[0]})

    assert (first["Location"], after_password) == ("/accounts/2fa/authenticate/", False)
    assert _errors(wrong) == {"code": ["The code is wrong."]}
    assert _is_signed_in(browser)


# -- The pages themselves


@pytest.mark.parametrize(
    ("address", "signed_in"),
    [
        (LOGIN, False),
        (SIGN_UP, False),
        ("/accounts/password/reset/", False),
        ("/accounts/inactive/", False),
        (LOGOUT, True),
        ("/accounts/email/", True),
        ("/accounts/password/change/", True),
        ("/accounts/reauthenticate/", True),
        ("/accounts/2fa/", True),
        ("/accounts/2fa/totp/activate/", True),
    ],
)
def test_every_page_is_a_page_of_the_site_without_script_or_style_in_it(
    address: str, signed_in: bool
) -> None:
    a_user()
    browser = a_browser()
    if signed_in:
        browser.post(LOGIN, {"login": "asif@example.org", "password": PASSWORD})
        browser.post("/accounts/reauthenticate/", {"password": PASSWORD})

    answer = browser.get(address)

    html = answer.content.decode()
    assert answer.status_code == 200
    assert html.count("<h1") == 1
    assert 'class="masthead"' in html
    assert re.findall(r"\sstyle=|\son\w+=|<script>|placeholder=", html) == []
