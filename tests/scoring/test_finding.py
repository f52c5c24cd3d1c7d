"""Players of a club, found by what is typed of a name, and held beside names that are nearly theirs."""

import pytest
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.permissions import SERVER
from scoring import queries
from scoring.models import Player
from scoring.operations import anonymise_player, find_or_make_partnerships
from tests.scoring.builders import AT, a_club

pytestmark = pytest.mark.django_db

PAIRS = (
    ("Asif Khan", "Bilal Shah"),
    ("Asif Khan", "Chand Rao"),
    ("آصف خان", "بلال شاہ"),
    ("Émile Zolá", "देव पटेल"),
)


def a_club_that_knows(*pairs: tuple[str, str]) -> int:
    club = a_club()
    find_or_make_partnerships(actor=SERVER, club_id=club.pk, names=pairs, at=AT)
    return club.pk


def found(club_id: int, text: str) -> list[str]:
    return [player.name for player in queries.find_players(club_id, text)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("asif", ["Asif Khan", "آصف خان"]),
        ("aasif", ["Asif Khan", "آصف خان"]),
        ("khan as", ["Asif Khan", "آصف خان"]),
        ("آصف", ["آصف خان", "Asif Khan"]),
        ("emile zola", ["Émile Zolá"]),
        ("पटेल", ["देव पटेल"]),
        ("patel", ["देव पटेल"]),
        ("a", ["Asif Khan", "Bilal Shah", "Chand Rao", "Émile Zolá"]),
        ("nobody", []),
        ("", []),
        ("?!", []),
    ],
)
def test_players_are_found_by_parts_of_their_names_those_that_begin_with_it_first(
    text: str, names: list[str]
) -> None:
    club_id = a_club_that_knows(*PAIRS)

    assert found(club_id, text) == names


def test_a_found_player_has_the_latest_partners_first() -> None:
    club_id = a_club_that_knows(*PAIRS[:1])
    find_or_make_partnerships(actor=SERVER, club_id=club_id, names=PAIRS[1:], at=AT)

    player, _in_urdu = queries.find_players(club_id, "asif")

    assert player.partners == ("Chand Rao", "Bilal Shah")
    assert queries.partners_of(club_id, "Asif Khan") == ("Chand Rao", "Bilal Shah")


def test_nobody_of_another_club_and_nobody_who_was_anonymised_is_found() -> None:
    club_id = a_club_that_knows(*PAIRS)
    other = a_club("delhi")
    anonymise_player(actor=SERVER, player_id=Player.objects.get(name="Chand Rao").pk, at=AT)

    assert found(other.pk, "asif") == []
    assert found(club_id, "chand") == []
    assert queries.find_players(club_id, "asif")[0].partners == ("Bilal Shah",)


@pytest.mark.parametrize("text", ["chand", "a"])
def test_a_search_asks_three_times_whatever_it_finds(
    text: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    club_id = a_club_that_knows(*PAIRS)

    with django_assert_num_queries(3):
        queries.find_players(club_id, text)


def test_only_new_names_are_held_beside_known_ones_until_it_is_said_whose_they_are() -> None:
    club_id = a_club_that_knows(*PAIRS)
    names = ["Asif Khan", "Chand Raoo", "Ed Poe", "Ed Poee"]

    near = queries.near_names(club_id, names)
    decided = queries.near_names(club_id, names, decided=["Chand Raoo", "Ed Poee"])

    assert [(one.name, one.existing) for one in near] == [
        ("Chand Raoo", "Chand Rao"),
        ("Ed Poee", "Ed Poe"),
    ]
    assert decided == ()
    assert queries.unknown_names(club_id, names) == {"Chand Raoo", "Ed Poe", "Ed Poee"}
