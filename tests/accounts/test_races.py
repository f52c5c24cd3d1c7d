"""Two people at once: what they do together must be what they could do one after the other."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from courtpiece.accounts import operations
from courtpiece.accounts.models import ApiToken, AuditEntry, Club, Membership, Role
from courtpiece.accounts.refusals import Conflict
from tests.accounts.builders import AT, a_club, a_user, as_actor

pytestmark = pytest.mark.django_db(transaction=True)


def _at_once(*actions: Callable[[], object]) -> list[str]:
    """Return the names of the errors, in no order, of actions that start together."""
    barrier = Barrier(len(actions))

    def run(action: Callable[[], object]) -> str:
        try:
            barrier.wait()
            action()
        except Conflict as error:
            return type(error).__name__
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(len(actions)) as pool:
        return sorted(pool.map(run, actions))


def test_two_owners_who_leave_at_once_do_not_both_leave() -> None:
    first, second = a_user("First"), a_user("Second")
    club = a_club(members=[(first, Role.OWNER), (second, Role.OWNER)])
    actors = [as_actor(first), as_actor(second)]

    errors = _at_once(
        lambda: operations.remove_member(actor=actors[0], club_id=club.pk, user_id=first.pk, at=AT),
        lambda: operations.change_role(
            actor=actors[1], club_id=club.pk, user_id=second.pk, role="player", at=AT
        ),
    )

    assert errors == ["", "LastOwner"]
    assert Membership.objects.filter(club=club, role=Role.OWNER).count() == 1


def test_a_member_whom_two_add_at_once_is_added_once() -> None:
    owner, bilal = a_user("Owner"), a_user("Bilal")
    club = a_club(members=[(owner, Role.OWNER)])
    actor = as_actor(owner)

    def add() -> None:
        operations.add_member(actor=actor, club_id=club.pk, email=bilal.email, role="player", at=AT)

    assert _at_once(add, add) == ["", "AlreadyMember"]
    assert AuditEntry.objects.filter(what="member-added").count() == 1


def test_an_address_that_two_take_at_once_is_taken_once() -> None:
    actor = as_actor(a_user())

    def create() -> None:
        operations.create_club(actor=actor, name="Lahore", slug="lahore", timezone="UTC", at=AT)

    assert _at_once(create, create) == ["", "SlugTaken"]
    assert Club.objects.count() == 1


def test_a_token_that_is_revoked_twice_at_once_is_revoked_once() -> None:
    user = a_user()
    actor = as_actor(user)
    made = operations.create_token(actor=actor, name="phone", scopes=["read"], at=AT)

    def revoke() -> None:
        operations.revoke_token(actor=actor, token_id=made.id, at=AT)

    assert _at_once(revoke, revoke) == ["", ""]
    assert ApiToken.objects.get().revoked_at == AT
    assert AuditEntry.objects.filter(what="token-revoked").count() == 1
