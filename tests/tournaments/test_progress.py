"""Ranks over the rounds, standings after a round, and what an entry needs."""

from http import HTTPStatus

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.permissions import ANONYMOUS, SERVER
from scoring.domain.needs import NeedStatus
from tests.accounts.builders import AT, a_club
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_match, a_scheduled_tournament, upload
from tournaments import queries
from tournaments.models import Tournament
from tournaments.operations.standings import bring_up_to_date

pytestmark = pytest.mark.django_db

ROUND_ONE = (
    a_match(["NS 7-0 court"], ns=ASIF, ew=GITA, round="1", table="1"),
    a_match(["EW 7-0 court"], ns=CHAND, ew=ERUM, round="1", table="2"),
)
ROUND_TWO = (
    a_match(["NS 7-0 court"], ns=GITA, ew=ERUM, round="2", table="1"),
    a_match(["NS 7-0 court"], ns=ASIF, ew=CHAND, round="2", table="2"),
)

SIX = tuple(f"{one}{one} & {one}{one}{one}" for one in ("An", "Bo", "Cy", "Di", "Ed", "Fe"))


def a_tournament(*matches: str) -> Tournament:
    tournament = a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, club_id=a_club().pk)
    upload(*matches)
    bring_up_to_date(slug="rang", now=AT)
    return tournament


def test_the_ranks_are_those_after_each_round() -> None:
    a_tournament(*ROUND_ONE, *ROUND_TWO)

    page = queries.ranks_page("rang", actor=ANONYMOUS)

    assert [round_.number for round_ in page.rounds] == [1, 2]
    assert {line.name: line.ranks[:2] for line in page.lines} == {
        ASIF: (1, 1),
        ERUM: (1, 3),
        GITA: (3, 2),
        CHAND: (3, 4),
    }


def test_the_chart_and_the_table_show_every_partnership() -> None:
    a_tournament(*ROUND_ONE, *ROUND_TWO)

    page = Client().get("/tournaments/rang/ranks/").content.decode()

    assert page.count("<polyline") == 4
    assert all(page.count(name.split(" & ")[0]) >= 1 for name in (ASIF, CHAND, ERUM, GITA))


def test_standings_after_a_round_are_a_page_of_their_own() -> None:
    a_tournament(*ROUND_ONE, *ROUND_TWO)

    first = Client().get("/tournaments/rang/standings/?round=1")
    none = Client().get("/tournaments/rang/standings/?round=8")

    assert 'aria-current="page">After round 1</a>' in first.content.decode()
    assert none.status_code == HTTPStatus.NOT_FOUND


def test_with_one_round_left_every_way_in_which_it_can_end_is_looked_at() -> None:
    a_tournament(*ROUND_ONE, *ROUND_TWO)

    page = queries.needs_page("rang", actor=SERVER)

    winners = {line.name: (line.status, line.text) for line in page.needs.places[0].lines}
    assert (page.needs.matches_left, page.needs.rounds_not_drawn, page.needs.places[0].place) == (2, 0, 1)
    assert winners == {
        ASIF: (NeedStatus.SAFE_IF.value, "Has it with 1 draw."),
        ERUM: (
            NeedStatus.DEPENDS.value,
            "Hangs on others: has it in 0 of 9 ways in which everything can end. In 3 more the tie-breaks decide.",
        ),
        GITA: (
            NeedStatus.DEPENDS.value,
            "Hangs on others: has it in 0 of 9 ways in which everything can end. In 1 more the tie-breaks decide.",
        ),
        CHAND: (NeedStatus.OUT.value, "Cannot reach it any more."),
    }


def test_where_rounds_are_not_drawn_only_what_is_sure_is_said() -> None:
    club = a_club()
    a_scheduled_tournament(club_id=club.pk, slug="swiss", format="swiss")

    page = queries.needs_page("swiss", actor=SERVER)

    assert (page.needs.is_possible, page.needs.places) == (True, ())


def test_when_all_is_played_the_tie_breaks_have_decided_who_has_a_place() -> None:
    """Two pairs have four points each, and the courts part them."""
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk, cycles=2)
    upload(
        a_match(["NS 7-0 court", "NS 7-0 court"], ns=ASIF, ew=CHAND, round="1", table="1"),
        a_match(["NS 7-0 court"], ns=CHAND, ew=ASIF, round="2", table="1"),
    )

    page = queries.needs_page("rang", actor=SERVER)
    text = Client().get("/tournaments/rang/needs/").content.decode()

    assert {line.name: (line.status, line.text) for line in page.needs.places[0].lines} == {
        ASIF: (NeedStatus.SAFE.value, "Has it, whatever happens."),
        CHAND: (NeedStatus.OUT.value, "Cannot reach it any more."),
    }
    assert "Nothing is left to play." in text
    assert "Hangs on others" not in text
    assert "where they would decide" not in text


def test_who_are_equal_in_everything_at_the_end_are_said_to_share_it() -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)
    upload(a_match(["NS 7-4"], ns=ASIF, ew=CHAND, round="1", table="1"))
    Tournament.objects.update(tiebreaks=[])

    page = queries.needs_page("rang", actor=SERVER)

    assert {line.text for line in page.needs.places[0].lines} == {
        "Shares it: nothing parts it from others, and there is not room for all."
    }


def test_where_courts_rank_it_is_not_said_that_every_way_was_looked_at() -> None:
    a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, club_id=a_club().pk)
    Tournament.objects.update(ranking="courts")

    page = Client().get("/tournaments/rang/needs/").content.decode()

    assert "Unknown: courts rank, and nobody knows how many will be made." in page
    assert "was looked at" not in page


def test_where_too_many_matches_hang_together_it_is_not_said_that_every_way_was_looked_at() -> None:
    a_scheduled_tournament(*SIX, club_id=a_club().pk)

    page = Client().get("/tournaments/rang/needs/").content.decode()

    assert "15 matches are left: too many hang together" in page
    assert "was looked at" not in page


def test_in_groups_it_is_said_who_goes_on_from_each() -> None:
    a_scheduled_tournament(*SIX, club_id=a_club().pk, format="groups-knockout")

    page = Client().get("/tournaments/rang/needs/").content.decode()

    assert "Group 1: to be among the first 2, who go on" in page
    assert "Group 2: to be among the first 2, who go on" in page


def test_in_a_knockout_nothing_is_said() -> None:
    a_scheduled_tournament(club_id=a_club().pk, slug="cup", format="knockout")

    page = Client().get("/tournaments/cup/needs/").content.decode()

    assert "nothing can be worked out ahead" in page


@pytest.mark.parametrize(
    "pairs", [(ASIF, CHAND), (ASIF, CHAND, ERUM, GITA, "A A & B B", "چاچا چوسر & मामा मोहरा")]
)
def test_the_pages_take_the_same_queries_whatever_the_size(
    pairs: tuple[str, ...], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a_scheduled_tournament(*pairs, club_id=a_club().pk)
    bring_up_to_date(slug="rang", now=AT)

    with django_assert_num_queries(9):
        assert Client().get("/tournaments/rang/ranks/").status_code == HTTPStatus.OK
    with django_assert_num_queries(14):
        assert Client().get("/tournaments/rang/needs/").status_code == HTTPStatus.OK
    with django_assert_num_queries(7):
        assert Client().get("/tournaments/rang/standings/").status_code == HTTPStatus.OK
