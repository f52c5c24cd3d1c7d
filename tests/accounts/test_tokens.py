"""API tokens: made, shown once, used, revoked."""

from datetime import timedelta

import pytest
from django.test import RequestFactory
from pytest_django import DjangoAssertNumQueries
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from courtpiece.accounts import operations, queries, tokens
from courtpiece.accounts.api.authentication import TokenAuthentication
from courtpiece.accounts.models import ApiToken, AuditEntry, User
from courtpiece.accounts.names import BadName
from courtpiece.accounts.operations import NewToken
from courtpiece.accounts.permissions import ANONYMOUS, SERVER, Forbidden, Scope, TokenGrant, Via, actor_of
from courtpiece.accounts.queries import NotFound, TokenLine
from tests.accounts.builders import AT, a_user, as_actor

pytestmark = pytest.mark.django_db


def _create(user: User, *scopes: str, name: str = "phone") -> NewToken:
    return operations.create_token(actor=as_actor(user), name=name, scopes=scopes or ["read"], at=AT)


def _other_secret(text: str) -> str:
    return text[:-1] + ("a" if text[-1] != "a" else "b")


def test_a_tokens_text_is_shown_once_and_not_kept() -> None:
    user = a_user()

    made = _create(user, "deals:write", "read", name=" score  sheet ")

    stored = ApiToken.objects.get()
    assert len(made.text) == 52
    assert made.text.startswith(stored.prefix + "_")
    assert stored.token_hash == tokens.hash_of(made.text)
    assert queries.tokens_page(actor=as_actor(user)) == (
        TokenLine(
            id=made.id,
            name="score sheet",
            prefix=made.text[:11],
            scopes=(Scope.READ, Scope.DEALS_WRITE),
            created_at=AT,
            last_used_at=None,
            revoked_at=None,
        ),
    )
    entry = AuditEntry.objects.get(what="token-created")
    assert (entry.user, entry.detail) == (user, {"token": made.id, "scopes": ["read", "deals:write"]})


def test_two_tokens_differ() -> None:
    assert tokens.new_token() != tokens.new_token()


@pytest.mark.parametrize("scopes", [[], ["everything"], ["read", "everything"]])
def test_a_token_has_scopes_that_are_known(scopes: list[str]) -> None:
    with pytest.raises(operations.BadScopes) as caught:
        operations.create_token(actor=as_actor(a_user()), name="phone", scopes=scopes, at=AT)

    assert caught.value.field == "scopes"
    assert ApiToken.objects.count() == 0


def test_a_token_has_a_name() -> None:
    with pytest.raises(BadName):
        _create(a_user(), name="")


def test_nobody_and_no_token_makes_tokens() -> None:
    user = a_user()

    for actor in (ANONYMOUS, SERVER, as_actor(user, scopes=Scope)):
        with pytest.raises(Forbidden):
            operations.create_token(actor=actor, name="phone", scopes=["read"], at=AT)
        with pytest.raises(Forbidden):
            queries.tokens_page(actor=actor)


def test_a_token_stands_for_its_user_and_scopes() -> None:
    user = a_user()
    made = _create(user, "read", "deals:write")

    assert operations.use_token(made.text, at=AT) == (
        user,
        TokenGrant(token_id=made.id, scopes=frozenset({Scope.READ, Scope.DEALS_WRITE})),
    )


def test_last_use_is_written_once_a_minute(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    made = _create(a_user())

    with django_assert_num_queries(2):
        operations.use_token(made.text, at=AT)
    with django_assert_num_queries(1):
        operations.use_token(made.text, at=AT + timedelta(seconds=59))
    first = ApiToken.objects.get().last_used_at
    with django_assert_num_queries(2):
        operations.use_token(made.text, at=AT + timedelta(seconds=60))

    assert (first, ApiToken.objects.get().last_used_at) == (AT, AT + timedelta(seconds=60))


def test_a_revoked_token_is_refused_for_good() -> None:
    user = a_user()
    made = _create(user)

    operations.revoke_token(actor=as_actor(user), token_id=made.id, at=AT)
    operations.revoke_token(actor=as_actor(user), token_id=made.id, at=AT + timedelta(days=1))

    with pytest.raises(operations.TokenRefused) as caught:
        operations.use_token(made.text, at=AT)
    assert str(caught.value) == "The API token is unknown or was revoked."
    assert ApiToken.objects.get().revoked_at == AT
    assert AuditEntry.objects.filter(what="token-revoked").count() == 1


def test_a_token_of_a_closed_account_is_refused() -> None:
    user = a_user()
    made = _create(user)
    User.objects.update(is_active=False)

    with pytest.raises(operations.TokenRefused):
        operations.use_token(made.text, at=AT)


@pytest.mark.parametrize("text", ["", "cp_", "phone", "cp_" + "a" * 49, "\x00", "é" * 60])
def test_a_text_that_is_no_token_is_refused(text: str) -> None:
    _create(a_user())

    with pytest.raises(operations.TokenRefused):
        operations.use_token(text, at=AT)


def test_the_open_part_alone_opens_nothing() -> None:
    made = _create(a_user())

    for text in (made.text[:11], _other_secret(made.text), made.text + "a"):
        with pytest.raises(operations.TokenRefused):
            operations.use_token(text, at=AT)
    assert ApiToken.objects.get().last_used_at is None


def test_a_third_user_revokes_nothing() -> None:
    owner, third = a_user("Owner"), a_user("Third")
    made = _create(owner)

    with pytest.raises(NotFound):
        operations.revoke_token(actor=as_actor(third), token_id=made.id, at=AT)
    with pytest.raises(NotFound):
        operations.revoke_token(actor=as_actor(third), token_id=0, at=AT)
    with pytest.raises(Forbidden):
        operations.revoke_token(actor=ANONYMOUS, token_id=made.id, at=AT)

    assert ApiToken.objects.get().revoked_at is None
    assert queries.tokens_page(actor=as_actor(third)) == ()


def test_a_site_administrator_revokes_anybodys() -> None:
    made = _create(a_user("Owner"))

    operations.revoke_token(actor=as_actor(a_user("Root", is_site_admin=True)), token_id=made.id, at=AT)

    assert ApiToken.objects.get().revoked_at == AT


@pytest.mark.parametrize("count", [1, 3])
def test_tokens_are_listed_in_one_query(
    count: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    user = a_user()
    made = [_create(user).id for _ in range(count)]
    actor = as_actor(user)

    with django_assert_num_queries(1):
        listed = queries.tokens_page(actor=actor)

    assert [token.id for token in listed] == list(reversed(made))


# -- The API's header


def _authenticate(rf: RequestFactory, header: str | None) -> tuple[User, TokenGrant] | None:
    request = rf.get("/") if header is None else rf.get("/", HTTP_AUTHORIZATION=header)
    return TokenAuthentication().authenticate(Request(request))


@pytest.mark.parametrize("header", [None, "", "Basic YTpi", "Token abc", "Bearercp_"])
def test_another_header_is_left_to_others(header: str | None, rf: RequestFactory) -> None:
    assert _authenticate(rf, header) is None


@pytest.mark.parametrize("keyword", ["Bearer", "bearer", "BEARER "])
def test_the_header_signs_in(keyword: str, rf: RequestFactory) -> None:
    user = a_user()
    made = _create(user)

    assert _authenticate(rf, f"{keyword} {made.text}") == (
        user,
        TokenGrant(token_id=made.id, scopes=frozenset({Scope.READ})),
    )


def test_the_header_makes_an_actor_with_the_scopes(rf: RequestFactory) -> None:
    user = a_user()
    made = _create(user)
    request = Request(
        rf.get("/", HTTP_AUTHORIZATION=f"Bearer {made.text}"), authenticators=[TokenAuthentication()]
    )

    actor = actor_of(request)

    assert (actor.user_id, actor.token_id, actor.scopes, actor.via) == (
        user.pk,
        made.id,
        frozenset({Scope.READ}),
        Via.API,
    )


@pytest.mark.parametrize("value", ["", " cp_unknown", " a b", " \x80\x81"])
def test_a_header_without_a_known_token_is_refused_with_a_challenge(value: str, rf: RequestFactory) -> None:
    with pytest.raises(AuthenticationFailed) as caught:
        _authenticate(rf, f"Bearer{value}")

    assert str(caught.value) == "The API token is unknown or was revoked."
    assert TokenAuthentication().authenticate_header(Request(rf.get("/"))) == 'Bearer realm="api"'


def test_a_revoked_token_in_the_header_is_refused(rf: RequestFactory) -> None:
    user = a_user()
    made = _create(user)
    operations.revoke_token(actor=as_actor(user), token_id=made.id, at=AT)

    with pytest.raises(AuthenticationFailed):
        _authenticate(rf, f"Bearer {made.text}")
