"""People and clubs for tests."""

from collections.abc import Iterable
from datetime import UTC, datetime

from django.test import Client

from courtpiece.accounts import operations
from courtpiece.accounts.models import Club, Membership, Role, User
from courtpiece.accounts.permissions import SERVER, Actor, Scope

AT = datetime(2026, 11, 29, 18, 0, tzinfo=UTC)
PASSWORD = "a long and good password"


def a_user(name: str = "Asif", *, is_site_admin: bool = False) -> User:
    email = f"{name.lower().replace(' ', '.')}@example.org"
    user_id = operations.create_account(
        actor=SERVER, email=email, password=PASSWORD, display_name=name, at=AT, is_site_admin=is_site_admin
    )
    return User.objects.get(pk=user_id)


def a_club(slug: str = "lahore", *, members: Iterable[tuple[User, Role]] = ()) -> Club:
    club = Club.objects.create(slug=slug, name=slug.capitalize(), timezone="Asia/Karachi", created_at=AT)
    for user, role in members:
        Membership.objects.create(club=club, user=user, role=role, created_at=AT)
    return club


def as_actor(user: User, *, scopes: Iterable[Scope] | None = None) -> Actor:
    memberships = Membership.objects.filter(user=user)
    return Actor(
        user_id=user.pk,
        is_site_admin=user.is_superuser,
        roles={membership.club_id: Role(membership.role) for membership in memberships},
        scopes=None if scopes is None else frozenset(scopes),
    )


def a_browser(user: User | None = None) -> Client:
    client = Client()
    if user is not None:
        client.force_login(user)
    return client
