"""Accounts through the operations: made, changed, refused."""

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts import operations, queries
from courtpiece.accounts.models import AuditEntry, Role, User
from courtpiece.accounts.names import BadDisplayName
from courtpiece.accounts.permissions import ANONYMOUS, SERVER, Forbidden, Scope
from tests.accounts.builders import AT, PASSWORD, a_club, a_user, as_actor

pytestmark = pytest.mark.django_db


def _create(email: str = "asif@example.org", password: str = PASSWORD, name: str = "Asif") -> int:
    return operations.create_account(actor=SERVER, email=email, password=password, display_name=name, at=AT)


def test_an_account_is_made_with_a_proven_address_in_lower_case() -> None:
    user_id = _create(email=" Asif@Example.ORG ", name="  Asif  Khan ")

    user = User.objects.get(pk=user_id)
    assert (user.email, user.display_name, user.is_staff, user.is_superuser) == (
        "asif@example.org",
        "Asif Khan",
        False,
        False,
    )
    assert user.check_password(PASSWORD)
    address = EmailAddress.objects.get(user=user)
    assert (address.email, address.verified, address.primary) == ("asif@example.org", True, True)
    entry = AuditEntry.objects.get()
    assert (entry.what, entry.user, entry.via, entry.made_at, entry.detail) == (
        "account-created",
        None,
        "command",
        AT,
        {"user": user_id},
    )


def test_a_site_administrator_sees_the_admin() -> None:
    user = a_user(is_site_admin=True)

    assert (user.is_staff, user.is_superuser) == (True, True)


@pytest.mark.parametrize("email", ["", "asif", "asif@", "a b@example.org", "asif@example"])
def test_a_text_that_is_no_address_makes_no_account(email: str) -> None:
    with pytest.raises(operations.BadEmail) as caught:
        _create(email=email)

    assert caught.value.field == "email"
    assert User.objects.count() == 0


def test_an_address_is_taken_once_whatever_its_case() -> None:
    _create(email="asif@example.org")

    with pytest.raises(operations.EmailTaken) as caught:
        _create(email="ASIF@example.org")

    assert str(caught.value) == "There is an account with this e-mail address."
    assert User.objects.count() == 1


@pytest.mark.parametrize("password", ["", "short", "password123", "1234567890123", "asif@example"])
def test_a_weak_password_makes_no_account(password: str) -> None:
    with pytest.raises(operations.WeakPassword) as caught:
        _create(password=password)

    assert caught.value.field == "password"
    assert User.objects.count() == 0


def test_an_account_has_a_name() -> None:
    with pytest.raises(BadDisplayName):
        _create(name=" ")


def test_only_who_runs_the_site_makes_accounts_for_others() -> None:
    owner = a_user("Owner")
    a_club(members=[(owner, Role.OWNER)])

    for actor in (ANONYMOUS, as_actor(owner)):
        with pytest.raises(Forbidden):
            operations.create_account(
                actor=actor, email="x@example.org", password=PASSWORD, display_name="X", at=AT
            )


def test_one_changes_ones_own_name_and_language_only() -> None:
    asif, bilal = a_user("Asif"), a_user("Bilal")

    operations.change_account(actor=as_actor(asif), display_name="Asif K.", language="ur", at=AT)

    assert queries.account_page(actor=as_actor(asif)) == queries.AccountPage(
        email="asif@example.org", display_name="Asif K.", language="ur", clubs=()
    )
    bilal.refresh_from_db()
    assert (bilal.display_name, bilal.language) == ("Bilal", "")
    assert AuditEntry.objects.filter(what="account-changed", user=asif).count() == 1


def test_a_language_that_the_site_lacks_is_refused() -> None:
    with pytest.raises(operations.UnknownLanguage) as caught:
        operations.change_account(actor=as_actor(a_user()), display_name="Asif", language="tlh", at=AT)

    assert caught.value.field == "language"


def test_nobody_and_no_token_changes_an_account() -> None:
    user = a_user()

    for actor in (ANONYMOUS, SERVER, as_actor(user, scopes=Scope)):
        with pytest.raises(Forbidden):
            operations.change_account(actor=actor, display_name="X", language="", at=AT)
        with pytest.raises(Forbidden):
            queries.account_page(actor=actor)


@pytest.mark.parametrize("clubs", [1, 3])
def test_ones_own_page_takes_two_queries(
    clubs: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    user = a_user()
    for n in range(clubs):
        a_club(f"club-{n}", members=[(user, Role.PLAYER)])
    actor = as_actor(user)

    with django_assert_num_queries(2):
        page = queries.account_page(actor=actor)

    assert page.clubs == tuple(
        queries.OwnClub(slug=f"club-{n}", name=f"Club-{n}", role=Role.PLAYER) for n in range(clubs)
    )


def test_the_database_itself_keeps_addresses_in_lower_case_and_names_filled() -> None:
    for fields in ({"email": "A@example.org", "display_name": "A"}, {"email": "a@example.org"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            User.objects.create(**fields)


def test_a_form_of_the_admin_is_told_about_capital_letters() -> None:
    user = User(email="A@example.org", display_name="A", password="x")

    with pytest.raises(ValidationError) as caught:
        user.full_clean()

    assert caught.value.messages == ["Write the e-mail address in small letters."]


def test_display_names_are_read_for_many_at_once(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    asif, bilal = a_user("Asif"), a_user("Bilal")

    with django_assert_num_queries(1):
        names = queries.display_names([asif.pk, bilal.pk, 0])

    assert names == {asif.pk: "Asif", bilal.pk: "Bilal"}


def test_a_user_is_found_by_address_whatever_its_case() -> None:
    user = a_user()

    assert User.objects.get_by_natural_key("ASIF@Example.org") == user


def test_the_command_line_makes_users_too() -> None:
    user = User.objects.create_superuser("Root@example.org", PASSWORD)

    assert (user.email, user.display_name, user.is_superuser) == ("root@example.org", "Root", True)
    with pytest.raises(ValueError, match="a user has an e-mail address"):
        User.objects.create_user("")
