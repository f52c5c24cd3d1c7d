"""Scoresheets and collections are made as asked, or not at all."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from courtpiece.accounts.models import Role
from courtpiece.accounts.permissions import SERVER, Forbidden
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import RulesError
from scoring import operations
from scoring.models import Collection, Deal, Scoresheet
from scoring.operations import NewScoresheet, Pair
from tests.scoring.builders import (
    AT,
    NAMES,
    a_club,
    a_collection,
    a_record,
    a_sheet,
    a_sheet_with,
    an_actor,
    player_at,
    the_deal,
)

pytestmark = pytest.mark.django_db


def two_pairs(club_id: int) -> tuple[Pair, ...]:
    return operations.find_or_make_partnerships(actor=SERVER, club_id=club_id, names=NAMES, at=AT).pairs


def test_a_scoresheet_keeps_who_sat_where_and_the_canonical_rules() -> None:
    sheet = a_sheet(a_club(), rules="double-sir goon=1 court=1")

    assert sheet.rules == "double-sir"
    seats = ("north", "south", "east", "west")
    assert [player_at(sheet, seat).name for seat in seats] == [
        "Asif Khan",
        "Bilal Shah",
        "Chand Rao",
        "Dev Patel",
    ]
    assert (sheet.version, sheet.next_dealer, sheet.deals_count) == (0, "", 0)


def test_a_scoresheet_has_its_collections_visibility() -> None:
    club = a_club()

    assert a_sheet(club, collection=a_collection(club, visibility="private")).visibility == "private"
    assert a_sheet(club, visibility="unlisted").visibility == "unlisted"


def test_rules_that_are_none_are_refused() -> None:
    with pytest.raises(RulesError):
        a_sheet(a_club(), rules="whist")


def test_four_different_players_sit_at_a_table() -> None:
    club = a_club()
    ns, ew = two_pairs(club.pk)
    twice = Pair(ew.partnership_id, (ew.player_ids[0], ns.player_ids[1]))

    with pytest.raises(operations.SamePlayerTwice) as refused:
        operations.create_scoresheets(
            actor=SERVER, club_id=club.pk, sheets=[NewScoresheet(ns=ns, ew=twice, rules="court-piece")], at=AT
        )

    assert refused.value.name == "Bilal Shah"


def test_a_text_that_is_too_long_is_refused() -> None:
    club = a_club()
    ns, ew = two_pairs(club.pk)
    new = NewScoresheet(ns=ns, ew=ew, rules="court-piece", event="x" * 201)

    with pytest.raises(operations.TextTooLong) as refused:
        operations.create_scoresheets(actor=SERVER, club_id=club.pk, sheets=[new], at=AT)

    assert (refused.value.name, refused.value.most) == ("event", 200)


def test_another_clubs_collection_is_not_found() -> None:
    club, other = a_club(), a_club("goa")
    ns, ew = two_pairs(club.pk)

    with pytest.raises(NotFound):
        operations.create_scoresheets(
            actor=SERVER,
            club_id=club.pk,
            sheets=[NewScoresheet(ns=ns, ew=ew, rules="court-piece")],
            at=AT,
            collection_id=a_collection(other).pk,
        )


def test_seats_change_until_the_first_deal() -> None:
    club = a_club()
    sheet = a_sheet(club)
    ns, ew = two_pairs(club.pk)
    operations.reseat_scoresheet(actor=SERVER, scoresheet_id=sheet.pk, ns=ew, ew=ns)
    sheet.refresh_from_db()
    assert player_at(sheet, "north").name == "Chand Rao"
    played = a_sheet_with(club, [a_record(1)])

    with pytest.raises(operations.SheetInUse):
        operations.reseat_scoresheet(actor=SERVER, scoresheet_id=played.pk, ns=ew, ew=ns)


@pytest.mark.parametrize("role", [Role.PLAYER, Role.SCORER])
def test_only_directors_make_collections(role: Role) -> None:
    club = a_club()

    with pytest.raises(Forbidden):
        operations.create_collection(actor=an_actor(club, role), club_id=club.pk)


def test_a_version_is_advanced_and_its_standings_queued(django_capture_on_commit_callbacks: Any) -> None:
    collection = a_collection(a_club())

    with django_capture_on_commit_callbacks() as callbacks:
        operations.advance_collection(collection_id=collection.pk)

    assert (Collection.objects.get(pk=collection.pk).version, len(callbacks)) == (1, 1)


# -- what the database keeps, whatever the code does


def test_a_deal_number_stands_once_in_a_scoresheet() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1), a_record(2, dealer="N")])

    with pytest.raises(IntegrityError), transaction.atomic():
        Deal.objects.filter(pk=the_deal(sheet, 2).pk).update(number=1)


@pytest.mark.parametrize("columns", [{"winner": ""}, {"award": "void"}, {"revision": 0}, {"tricks_ns": 14}])
def test_a_deal_that_cannot_be_is_not_kept(columns: dict[str, object]) -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    with pytest.raises(IntegrityError), transaction.atomic():
        Deal.objects.filter(scoresheet=sheet).update(**columns)


def test_two_partnerships_and_four_players_are_kept() -> None:
    sheet = a_sheet(a_club())

    with pytest.raises(IntegrityError), transaction.atomic():
        Scoresheet.objects.filter(pk=sheet.pk).update(ew=sheet.ns_id)
    with pytest.raises(IntegrityError), transaction.atomic():
        Scoresheet.objects.filter(pk=sheet.pk).update(west=sheet.north_id)
