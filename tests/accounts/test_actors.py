"""Who is behind a request or a socket."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import RequestFactory
from pytest_django import DjangoAssertNumQueries
from rest_framework.request import Request

from courtpiece.accounts.models import Role, User
from courtpiece.accounts.permissions import Actor, Scope, TokenGrant, Via, actor_of
from tests.accounts.builders import a_club, a_user

pytestmark = pytest.mark.django_db


def test_a_visitor_is_nobody_with_an_address(rf: RequestFactory) -> None:
    request = rf.get("/", REMOTE_ADDR="192.0.2.7")
    request.user = AnonymousUser()

    assert actor_of(request) == Actor(via=Via.PAGE, address="192.0.2.7")


@pytest.mark.parametrize("clubs", [1, 3])
def test_a_user_comes_with_the_roles_of_all_clubs_in_one_query(
    clubs: int, rf: RequestFactory, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    user = a_user()
    made = [a_club(f"club-{n}", members=[(user, Role.SCORER)]) for n in range(clubs)]
    request = rf.get("/")
    request.user = user

    with django_assert_num_queries(1):
        actor = actor_of(request)

    assert actor.user_id == user.pk
    assert actor.roles == {club.pk: Role.SCORER for club in made}
    assert not actor.is_site_admin
    assert actor.scopes is None


def test_a_user_who_may_not_sign_in_any_more_is_nobody(rf: RequestFactory) -> None:
    request = rf.get("/")
    request.user = User(pk=1, email="a@example.org", is_active=False, is_superuser=True)

    assert actor_of(request) == Actor(via=Via.PAGE, address="127.0.0.1")


def test_a_request_of_the_api_carries_its_token(rf: RequestFactory) -> None:
    user = a_user()
    request = Request(rf.get("/"))
    request.user = user
    request.auth = TokenGrant(token_id=5, scopes=frozenset({Scope.READ}))

    actor = actor_of(request)

    assert (actor.user_id, actor.token_id, actor.scopes, actor.via) == (
        user.pk,
        5,
        frozenset({Scope.READ}),
        Via.API,
    )


def test_a_signed_in_browser_that_asks_the_api_has_no_token(rf: RequestFactory) -> None:
    request = Request(rf.get("/"))
    request.user = a_user()
    request.auth = None

    actor = actor_of(request)

    assert (actor.token_id, actor.scopes, actor.via) == (None, None, Via.API)


def test_a_socket_has_a_user_and_an_address() -> None:
    user = a_user(is_site_admin=True)

    actor = actor_of({"type": "websocket", "user": user, "client": ("2001:db8::1", 5000)})

    assert actor == Actor(user_id=user.pk, is_site_admin=True, via=Via.SOCKET, address="2001:db8::1")


@pytest.mark.parametrize("scope", [{}, {"client": None}, {"client": ("unix:", 0)}])
def test_a_socket_without_a_user_or_address_is_nobody(scope: dict[str, object]) -> None:
    assert actor_of(scope) == Actor(via=Via.SOCKET)
