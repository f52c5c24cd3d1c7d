"""The admin of users and clubs: everything is seen, what is kept cannot be changed."""

import pytest
from django.contrib import admin
from django.urls import reverse

from courtpiece.accounts import operations
from courtpiece.accounts.models import ApiToken, AuditEntry, Club, Membership, Role, User
from tests.accounts.builders import AT, a_browser, a_club, a_user, as_actor

pytestmark = pytest.mark.django_db

MODELS = [User, Club, Membership, ApiToken, AuditEntry]
READ_ONLY = [Membership, ApiToken, AuditEntry]


def _address(model: type, page: str, *args: int) -> str:
    return reverse(f"admin:accounts_{model.__name__.lower()}_{page}", args=args)


def _everything() -> User:
    root = a_user("Root", is_site_admin=True)
    owner = a_user("Owner")
    a_club(members=[(owner, Role.OWNER)])
    operations.create_token(actor=as_actor(owner), name="phone", scopes=["read"], at=AT)
    return root


@pytest.mark.parametrize("model", MODELS)
def test_every_model_is_listed_found_and_shown(model: type) -> None:
    browser = a_browser(_everything())
    row = model.objects.first()  # type: ignore[attr-defined]

    answers = [
        browser.get(_address(model, "changelist")),
        browser.get(_address(model, "changelist"), {"q": "owner"}),
        browser.get(_address(model, "change", row.pk)),
    ]

    assert [answer.status_code for answer in answers] == [200, 200, 200]


@pytest.mark.parametrize("model", READ_ONLY)
def test_what_operations_write_is_only_read(model: type) -> None:
    browser = a_browser(_everything())
    row = model.objects.first()  # type: ignore[attr-defined]

    answers = [
        browser.get(_address(model, "add")),
        browser.post(_address(model, "change", row.pk), {"name": "x", "role": "owner", "what": "x"}),
        browser.post(_address(model, "delete", row.pk), {"post": "yes"}),
    ]

    assert [answer.status_code for answer in answers] == [403, 403, 403]


@pytest.mark.parametrize("model", MODELS)
def test_nothing_is_deleted(model: type) -> None:
    browser = a_browser(_everything())
    row = model.objects.first()  # type: ignore[attr-defined]

    answer = browser.post(_address(model, "delete", row.pk), {"post": "yes"})

    assert answer.status_code == 403
    assert model.objects.filter(pk=row.pk).exists()  # type: ignore[attr-defined]


def test_a_user_is_made_with_a_name() -> None:
    browser = a_browser(_everything())
    sent = {
        "email": "new@example.org",
        "display_name": "New",
        "usable_password": "true",
        "password1": "a long and good password",
        "password2": "a long and good password",
    }

    answer = browser.post(_address(User, "add"), sent)

    assert answer.status_code == 302
    assert User.objects.get(email="new@example.org").display_name == "New"


def test_tokens_are_revoked_and_their_hash_is_not_shown() -> None:
    browser = a_browser(_everything())
    token = ApiToken.objects.get()

    shown = browser.get(_address(ApiToken, "change", token.pk))
    browser.post(_address(ApiToken, "changelist"), {"action": "revoke", "_selected_action": [token.pk]})

    token.refresh_from_db()
    assert token.token_hash not in shown.content.decode()
    assert token.revoked_at is not None
    assert AuditEntry.objects.filter(what="token-revoked", user__email="root@example.org").count() == 1


def test_who_is_not_staff_does_not_get_in() -> None:
    _everything()
    owner = User.objects.get(email="owner@example.org")

    for browser in (a_browser(owner), a_browser()):
        assert browser.get(_address(User, "changelist")).status_code in {302, 403}


def test_every_model_of_the_app_is_in_the_admin() -> None:
    registered = {model for model in admin.site._registry if model._meta.app_label == "accounts"}

    assert registered == set(MODELS)
