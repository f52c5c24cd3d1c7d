"""The big screen of the hall: what it shows, in which panels."""

import re
from typing import Any

import pytest

from courtpiece.accounts.permissions import ANONYMOUS
from tests.accounts.builders import AT, a_browser, a_club
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_match, a_scheduled_tournament, upload
from tournaments.operations.standings import bring_up_to_date
from tournaments.queries.hall import hall_page

pytestmark = pytest.mark.django_db


def a_tournament_that_goes_on() -> None:
    a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, club_id=a_club().pk)
    upload(a_match(["NS 7-0 court", "EW 7-5"], ns=ASIF, ew=GITA, round="1", table="1"))
    upload(a_match(["EW 13-0 bavney"], ns=CHAND, ew=ERUM, round="1", table="2"), finish=False)
    bring_up_to_date(slug="rang", now=AT)


def the_panels(query: str = "") -> list[str]:
    answer = a_browser(None).get(f"/tournaments/rang/hall/{query}")
    assert answer.status_code == 200
    return re.findall(r'data-panel="([a-z]+)"', answer.content.decode())


def test_it_shows_the_clock_the_tables_the_standings_the_news_and_the_next_round() -> None:
    a_tournament_that_goes_on()

    assert the_panels() == ["clock", "tables", "standings", "news", "next"]


def test_the_address_chooses_panels_and_their_time() -> None:
    a_tournament_that_goes_on()

    assert the_panels("?panel=news,standings") == ["standings", "news"]
    assert the_panels("?panel=nothing") == ["clock", "tables", "standings", "news", "next"]
    times = [
        re.findall(
            r'data-seconds="(\d+)"',
            a_browser(None).get(f"/tournaments/rang/hall/?seconds={asked}").content.decode(),
        )
        for asked in ("30", "1", "99999", "soon")
    ]
    assert times == [["30"], ["4"], ["12"], ["12"]]


def test_the_newest_court_stands_first_with_its_table_and_its_winner() -> None:
    a_tournament_that_goes_on()

    fallen = hall_page("rang", actor=ANONYMOUS, now=AT).fallen

    assert [
        (line.deal.award, line.match.table, line.courts, line.winner and line.winner.pair.name)
        for line in fallen
    ] == [
        ("bavney", "2", 52, ERUM),
        ("court", "1", 1, ASIF),
    ]


@pytest.mark.parametrize(("pairs", "pages"), [(4, 1), (7, 1), (16, 2), (40, 3)])
def test_long_standings_are_parted_evenly(pairs: int, pages: int) -> None:
    names = [f"First {number} & Second {number}" for number in range(pairs)]
    a_scheduled_tournament(*names, club_id=a_club().pk)
    bring_up_to_date(slug="rang", now=AT)

    ranks = hall_page("rang", actor=ANONYMOUS, now=AT).ranks

    assert len(ranks) == pages
    assert sum(len(part.items) for part in ranks) == pairs
    assert max(len(part.items) for part in ranks) <= 14


def test_before_anything_is_drawn_it_says_so() -> None:
    a_scheduled_tournament(club_id=a_club().pk, format="swiss")

    page = a_browser(None).get("/tournaments/rang/hall/").content.decode()

    assert "Nothing to show yet." in page


def test_it_says_how_sure_the_standings_are() -> None:
    a_tournament_that_goes_on()

    assert "badge--provisional" in a_browser(None).get("/tournaments/rang/hall/").content.decode()


def test_it_takes_no_more_queries_than_it_says(django_assert_max_num_queries: Any) -> None:
    a_tournament_that_goes_on()

    with django_assert_max_num_queries(20):
        hall_page("rang", actor=ANONYMOUS, now=AT)
