"""Queries whose SQL is made once find what the same queries of Django's find."""

from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.db.models import BigIntegerField, CharField, UUIDField
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from courtpiece.accounts.models import Club, Membership, Role
from courtpiece.accounts.prepared import MOST_KEPT, Prepared
from scoring.models import Player
from tests.accounts.builders import AT, a_club, a_user

pytestmark = pytest.mark.django_db

BY_IDS = Prepared(lambda ids: Club.objects.filter(pk__in=ids).order_by("slug"), BigIntegerField())
NAMES = Prepared(lambda slug: Club.objects.filter(slug=slug).values_list("name", "created_at"), CharField())
MEMBERS = Prepared(
    lambda club: (
        Membership.objects.filter(club__pk=club).select_related("user").only("role", "user__display_name")
    ),
    BigIntegerField(),
)
PLAYERS = Prepared(
    lambda club, uids: Player.objects.filter(club__pk=club, uid__in=uids).order_by("name"),
    BigIntegerField(),
    UUIDField(),
)


def test_it_finds_the_rows_of_each_value_that_is_given() -> None:
    one, other = a_club("karachi"), a_club("lahore")

    assert NAMES.rows("karachi") == [(one.name, one.created_at)]
    assert NAMES.rows("lahore") == [(other.name, other.created_at)]
    assert NAMES.rows("nowhere") == []


def test_lists_of_every_length_are_answered_and_an_empty_one_without_a_query() -> None:
    clubs = [a_club(f"club-{number}") for number in range(3)]
    ids = [club.pk for club in clubs]

    with CaptureQueriesContext(connection) as asked:
        found = [BY_IDS.models(ids[:length]) for length in range(4)]

    assert found == [clubs[:length] for length in range(4)]
    assert len(asked) == 3


def test_a_list_with_more_values_than_are_kept_is_answered_too() -> None:
    club = a_club("karachi")
    many = [club.pk, *range(10**6, 10**6 + MOST_KEPT + 1)]

    assert BY_IDS.models(many) == [club]
    assert BY_IDS.models(many) == [club]


def test_what_is_joined_is_loaded_with_the_row_and_what_is_left_out_is_not() -> None:
    user = a_user("Reader")
    club = a_club("karachi", members=[(user, Role.SCORER)])

    (member,) = MEMBERS.models(club.pk)
    with CaptureQueriesContext(connection) as asked:
        seen = (member.role, member.user.display_name)

    assert seen == (Role.SCORER, user.display_name)
    assert len(asked) == 0
    assert member.get_deferred_fields() >= {"club_id"}
    assert not member._state.adding


def test_ids_that_are_uuids_are_given_and_found_as_such() -> None:
    club = a_club("karachi")
    names = ("Ash Saffron", "Brook Saffron")
    players = [Player.objects.create(club=club, name=name, created_at=AT) for name in names]

    found = PLAYERS.models(club.pk, [player.uid for player in players])

    assert [player.uid for player in found] == [player.uid for player in players]
    assert PLAYERS.models(club.pk, [uuid4()]) == []


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_lock_is_taken_in_a_transaction_only() -> None:
    club = a_club("karachi")
    locked = Prepared(lambda pk: Club.objects.select_for_update().filter(pk=pk), BigIntegerField())

    with transaction.atomic():
        assert locked.models(club.pk) == [club]
    with pytest.raises(TransactionManagementError):
        locked.models(club.pk)
