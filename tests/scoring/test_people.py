"""Players and partnerships are found by name or made, once."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from courtpiece.accounts.models import Role
from courtpiece.accounts.permissions import SERVER, Forbidden
from courtpiece.accounts.queries import NotFound
from scoring import operations, queries
from scoring.models import Collection, Partnership, Player
from scoring.names import NearDuplicate
from tests.scoring.builders import (
    AT,
    LATER,
    a_club,
    a_collection,
    a_record,
    a_sheet,
    a_sheet_with,
    a_user,
    an_actor,
    pair_of,
    player_at,
)

pytestmark = pytest.mark.django_db


def test_pairs_that_are_missing_are_made_and_reported() -> None:
    club = a_club()

    found = operations.find_or_make_partnerships(
        actor=SERVER, club_id=club.pk, names=[("Asif Khan", "Bilal Shah"), ("Dev Patel", "Asif Khan")], at=AT
    )

    assert found.players_made == ("Asif Khan", "Bilal Shah", "Dev Patel")
    assert found.partnerships_made == ("Asif Khan & Bilal Shah", "Dev Patel & Asif Khan")
    assert [Player.objects.get(pk=pk).name for pk in found.pairs[1].player_ids] == ["Dev Patel", "Asif Khan"]


def test_pairs_that_are_there_are_found_whoever_is_named_first() -> None:
    club = a_club()
    names = [("Asif Khan", "Bilal Shah")]
    first = operations.find_or_make_partnerships(actor=SERVER, club_id=club.pk, names=names, at=AT)

    again = operations.find_or_make_partnerships(
        actor=SERVER, club_id=club.pk, names=[("Bilal  Shah", "Asif Khan")], at=LATER
    )

    assert again.pairs[0].partnership_id == first.pairs[0].partnership_id
    assert again.pairs[0].player_ids == first.pairs[0].player_ids[::-1]
    assert (again.players_made, again.partnerships_made, again.near_duplicates) == ((), (), ())
    assert Partnership.objects.count() == 1


def test_a_pair_is_shown_in_the_order_in_which_it_was_first_named() -> None:
    club = a_club()
    names = [("Zoya Zircon", "Asif Khan"), ("Bilal Shah", "Asif Khan"), ("Asif Khan", "Zoya Zircon")]

    found = operations.find_or_make_partnerships(actor=SERVER, club_id=club.pk, names=names, at=AT)

    ids = [pair.partnership_id for pair in found.pairs]
    shown = queries.pair_names(ids)
    zoya_and_asif, bilal_and_asif = "Zoya Zircon & Asif Khan", "Bilal Shah & Asif Khan"
    assert [shown[pk] for pk in ids] == [zoya_and_asif, bilal_and_asif, zoya_and_asif]


def test_two_players_are_one_partnership_which_the_database_keeps() -> None:
    pair = pair_of(a_sheet(a_club()), "ns")

    with pytest.raises(IntegrityError), transaction.atomic():
        Partnership.objects.create(club=pair.club, first=pair.second, second=pair.first, created_at=AT)


def test_near_duplicates_are_reported_with_the_club_and_with_each_other() -> None:
    club = a_club()
    operations.find_or_make_partnerships(
        actor=SERVER, club_id=club.pk, names=[("Asif Khan", "Bilal Shah")], at=AT
    )

    found = operations.find_or_make_partnerships(
        actor=SERVER, club_id=club.pk, names=[("Asif Kahn", "Dev Patel"), ("Patel Dev", "Chand Rao")], at=AT
    )

    assert found.near_duplicates == (
        NearDuplicate("Asif Kahn", "Asif Khan"),
        NearDuplicate("Patel Dev", "Dev Patel"),
    )


def test_one_player_twice_is_no_pair() -> None:
    with pytest.raises(operations.SamePlayerTwice):
        operations.find_or_make_partnerships(
            actor=SERVER, club_id=a_club().pk, names=[("Asif Khan", " Asif Khan")], at=AT
        )


def test_clubs_do_not_share_players() -> None:
    lahore, goa = a_club("lahore"), a_club("goa")
    names = [("Asif Khan", "Bilal Shah")]

    here = operations.find_or_make_partnerships(actor=SERVER, club_id=lahore.pk, names=names, at=AT)
    there = operations.find_or_make_partnerships(actor=SERVER, club_id=goa.pk, names=names, at=AT)

    assert here.pairs[0].partnership_id != there.pairs[0].partnership_id


@pytest.mark.parametrize("count", [1, 30])
def test_any_number_of_pairs_takes_the_same_queries(count: int, django_assert_max_num_queries: Any) -> None:
    club = a_club()
    names = [(f"North {number}", f"South {number}") for number in range(count)]

    with django_assert_max_num_queries(9):  # seven, and two for the savepoint
        operations.find_or_make_partnerships(actor=SERVER, club_id=club.pk, names=names, at=AT)


def test_a_player_of_the_club_may_not_make_players() -> None:
    club = a_club()

    with pytest.raises(Forbidden):
        operations.find_or_make_partnerships(
            actor=an_actor(club, Role.PLAYER), club_id=club.pk, names=[("A Khan", "B Khan")], at=AT
        )


def test_an_anonymised_player_keeps_the_matches_and_loses_the_name() -> None:
    club = a_club()
    collection = a_collection(club)
    sheet = a_sheet_with(club, [a_record(1)], collection=collection)
    before = Collection.objects.get(pk=collection.pk).version

    operations.anonymise_player(actor=SERVER, player_id=player_at(sheet, "north").pk, at=LATER)

    player = Player.objects.get(pk=player_at(sheet, "north").pk)
    assert player.name == f"Player {player.uid.hex[:8]}"
    assert (player.user, player.anonymised_at) == (None, LATER)
    assert Collection.objects.get(pk=collection.pk).version == before + 1


def test_anonymising_twice_changes_nothing_more() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    operations.anonymise_player(actor=SERVER, player_id=player_at(sheet, "north").pk, at=AT)

    operations.anonymise_player(actor=SERVER, player_id=player_at(sheet, "north").pk, at=LATER)

    assert Player.objects.get(pk=player_at(sheet, "north").pk).anonymised_at == AT


def test_no_such_player_is_not_found() -> None:
    with pytest.raises(NotFound):
        operations.anonymise_player(actor=SERVER, player_id=999, at=AT)


def test_an_account_is_one_player_of_a_club() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    user = a_user("Asif")
    operations.link_player(actor=SERVER, player_id=player_at(sheet, "north").pk, user_id=user.pk, at=AT)

    with pytest.raises(operations.AccountTaken):
        operations.link_player(actor=SERVER, player_id=player_at(sheet, "south").pk, user_id=user.pk, at=AT)

    assert Player.objects.get(user=user).pk == player_at(sheet, "north").pk
