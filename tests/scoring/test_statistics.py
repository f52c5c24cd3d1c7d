"""The figures that are kept of each side of a scoresheet, and what is read of them."""

from datetime import date, timedelta
from http import HTTPStatus
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.permissions import ANONYMOUS, SERVER, Actor, Forbidden
from courtpiece.accounts.queries import NotFound
from scoring import operations, queries
from scoring.auditing import audit_scoresheets
from scoring.domain.differences import Difference
from scoring.domain.periods import Period
from scoring.domain.statistics import Share, SuitCalls
from scoring.models import GameOffer, Scoresheet, SideFigures
from scoring.queries import Order
from tests.accounts.builders import a_user
from tests.scoring.builders import (
    AT,
    LATER,
    NAMES,
    a_club,
    a_collection,
    a_full_record,
    a_record,
    a_sheet,
    a_sheet_with,
    an_actor,
    correct,
    pair_of,
    player_at,
    record_file,
    some_sheets,
    the_deal,
)
from tests.scoring.games import a_game

pytestmark = pytest.mark.django_db

CALLED = '[Trump "H"]'


def kept(sheet: Scoresheet, side: str = "NS") -> SideFigures:
    return SideFigures.objects.get(scoresheet=sheet, side=side)


def a_rich_sheet(club: Club) -> Scoresheet:
    """Return a scoresheet of four deals: North and South win two running with a court, and lose the rest."""
    records = [
        a_record(1, dealer="E", result="NS 7-0 court", more=CALLED),
        a_record(2, dealer="W", result="NS 7-4"),
        a_record(3, dealer="W", result="EW 7-0 goon-court"),
        a_record(4, dealer="S", result="EW 13-0 bavney", more=CALLED),
    ]
    return a_sheet_with(club, records)


def on(sheet: Scoresheet, day: str) -> None:
    Scoresheet.objects.filter(pk=sheet.pk).update(date=day)
    operations.renew_figures([sheet.pk])


# -- kept with every write


def test_the_figures_of_both_sides_are_kept_with_the_deals() -> None:
    sheet = a_rich_sheet(a_club())

    ns, ew = kept(sheet), kept(sheet, "EW")

    assert (ns.deals, ns.deals_won, ns.called, ns.called_won, ns.courts_for, ns.courts_against) == (
        4,
        2,
        3,
        2,
        1,
        53,
    )
    assert (ns.courts, ns.goon_courts, ns.bavneys, ns.longest_run, ns.run_first, ns.run_last) == (
        1,
        0,
        0,
        2,
        1,
        2,
    )
    assert (ew.deals_won, ew.called, ew.goon_courts, ew.bavneys, ew.longest_run) == (2, 1, 1, 1, 2)
    assert (ns.first_hearts, ns.first_hearts_won, ew.first_hearts, ew.first_hearts_won) == (1, 1, 1, 1)
    assert (ns.played_first, ns.played_last, ns.recorded_at) == (date(2026, 11, 29), date(2026, 11, 29), AT)


def test_a_correction_a_ruling_and_a_void_deal_change_them() -> None:
    sheet = a_sheet_with(
        a_club(), [a_record(1, result="NS 7-0 court"), a_record(2, dealer="W", result="NS 7-3")]
    )

    correct(sheet, 1, a_record(1, result="EW 7-3"))
    after_correction = kept(sheet)
    operations.void_deal(
        actor=SERVER,
        deal_uid=the_deal(sheet, 2).uid,
        base_revision=1,
        reason="Cards were exposed.",
        operation_id=uuid4(),
        at=LATER,
    )
    after_void = kept(sheet)

    assert (after_correction.deals, after_correction.deals_won, after_correction.courts) == (2, 1, 0)
    assert (after_void.deals, after_void.deals_won, after_void.longest_run) == (1, 0, 0)
    assert audit_scoresheets([sheet.pk]) == ()


def test_a_deal_more_writes_the_figures_by_one_statement() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])

    with CaptureQueriesContext(connection) as asked:
        record_file(sheet, [a_record(2, dealer="N")])

    assert sum("scoring_sidefigures" in query["sql"] for query in asked.captured_queries) == 1
    assert kept(sheet).deals == 2


def test_a_game_of_ones_own_has_none_until_a_club_takes_it() -> None:
    club, owner = a_club(), a_user("Omar")
    game = a_game(owner, deals=2)
    before = SideFigures.objects.count()
    own = Actor(user_id=owner.pk)
    operations.offer_game(actor=own, uid=game.uid, club=club.slug, at=AT)
    offer = GameOffer.objects.get(scoresheet=game)

    operations.attach_game(
        actor=an_actor(club),
        offer_uid=offer.uid,
        names={"N": "Asif", "E": "Chand", "S": "Bilal", "W": "Dev"},
        visibility="public",
        at=LATER,
    )

    assert (before, kept(game).deals_won, kept(game, "EW").deals_won) == (0, 2, 0)
    assert audit_scoresheets([game.pk]) == ()


def test_figures_are_made_anew_for_many_scoresheets_at_once(django_assert_num_queries: Any) -> None:
    sheets = some_sheets(a_club(), 3)
    for sheet in sheets:
        record_file(sheet, [a_full_record(1)])
    SideFigures.objects.all().delete()

    with django_assert_num_queries(8):  # six, and two for the savepoint
        done = operations.renew_figures([sheet.pk for sheet in sheets])

    assert done == 3
    assert audit_scoresheets([sheet.pk for sheet in sheets]) == ()


def test_the_command_makes_all_of_them_anew() -> None:
    sheet = a_rich_sheet(a_club())
    SideFigures.objects.update(deals_won=9)
    said = StringIO()

    call_command("renew_figures", stdout=said)

    assert said.getvalue().splitlines()[-1] == "1 scoresheets: their figures are what the deals say"
    assert kept(sheet).deals_won == 2


def test_figures_that_were_tampered_with_are_told() -> None:
    sheet = a_sheet_with(a_club(), [a_record(1)])
    SideFigures.objects.filter(scoresheet=sheet, side="EW").update(deals_won=7)
    SideFigures.objects.filter(scoresheet=sheet, side="NS").delete()

    where = f"scoresheet {sheet.uid}, figures of"
    assert audit_scoresheets([sheet.pk]) == (
        Difference(where=f"{where} NS", what="kept", stored="False", derived="True"),
        Difference(where=f"{where} EW", what="deals_won", stored="7", derived="1"),
    )


# -- read


def test_a_players_figures_are_of_the_own_side_and_the_own_calls() -> None:
    sheet = a_rich_sheet(a_club())

    north = queries.player_page(player_at(sheet, "north").uid, actor=ANONYMOUS)
    south = queries.player_page(player_at(sheet, "south").uid, actor=ANONYMOUS)
    pair = queries.partnership_page(pair_of(sheet, "ns").uid, actor=ANONYMOUS)

    mine = north.figures.figures
    assert (mine.matches, mine.lost, mine.as_caller, mine.as_dealer) == (1, 1, Share(2, 3), Share(0, 1))
    assert mine.calls == SuitCalls((0, 1, 0, 0), (0, 1, 0, 0))
    assert south.figures.figures.calls == SuitCalls()
    assert pair.figures.figures.calls == mine.calls
    assert (north.figures.theirs.bavneys, north.longest[0].length, north.longest[0].last) == (1, 2, 2)


def test_a_player_who_sat_on_both_sides_has_one_sum() -> None:
    club = a_club()
    sheet = a_sheet_with(club, [a_record(1, result="NS 7-3")])
    turned = a_sheet(club, names=(NAMES[1], NAMES[0]))
    record_file(turned, [a_record(1, result="NS 7-3"), a_record(2, dealer="E", result="EW 7-3")])

    page = queries.player_page(player_at(sheet, "north").uid, actor=ANONYMOUS)

    assert (page.figures.figures.matches, page.figures.figures.of_deals) == (2, Share(2, 3))


def test_a_period_has_what_was_played_in_it() -> None:
    club = a_club()
    old, new, vague = some_sheets(club, 3)
    for sheet in (old, new, vague):
        record_file(sheet, [a_record(1)])
    on(old, "2025.06.01")
    on(vague, "")
    north = player_at(new, "north").uid

    all_time = queries.player_page(north, actor=ANONYMOUS)
    year = queries.player_page(north, actor=ANONYMOUS, period=Period.of_year(2026))
    until = queries.player_page(north, actor=ANONYMOUS, period=Period(last=date(2025, 6, 1)))

    assert (all_time.figures.figures.matches, all_time.figures.years, all_time.figures.undated) == (
        3,
        (2026, 2025),
        1,
    )
    assert [(time.year, time.month) for time in all_time.figures.by_time] == [(2025, None), (2026, None)]
    assert (year.figures.figures.matches, year.tally.matches, year.figures.undated) == (1, 1, 1)
    assert [(time.year, time.month) for time in year.figures.by_time] == [(2026, 11)]
    assert [page.matches.items[0].uid for page in (until, year) if page.matches] == [old.uid, new.uid]


def test_two_partnerships_head_to_head() -> None:
    club = a_club()
    sheet = a_rich_sheet(club)
    other = a_sheet(club, names=(NAMES[0], ("Erum", "Farah")))
    record_file(other, [a_record(1)])
    north = player_at(sheet, "north").uid

    page = queries.player_page(north, actor=ANONYMOUS, against=pair_of(other, "ew").uid)

    assert (page.figures.figures.matches, page.tally.matches) == (1, 1)
    assert page.against is not None
    assert page.against.name == "Erum & Farah"
    with pytest.raises(NotFound):
        queries.player_page(north, actor=ANONYMOUS, against=pair_of(sheet, "ns").uid)


def test_of_all_clubs_only_what_everybody_sees_is_counted_whoever_asks() -> None:
    club = a_club()
    a_rich_sheet(club)
    hidden = a_sheet(club, visibility="private")
    record_file(hidden, [a_record(1), a_record(2, dealer="N", result="EW 13-0 bavney")])
    director = an_actor(club)

    assert queries.figures_page(actor=director).set.figures.at_tables.deals == 4
    assert queries.figures_page(actor=ANONYMOUS, slug=club.slug).set.figures.at_tables.deals == 4
    assert queries.figures_page(actor=director, slug=club.slug).set.figures.at_tables.deals == 6
    assert queries.hall_of_fame(actor=director).bavneys.count == 1
    assert queries.hall_of_fame(actor=director, slug=club.slug).bavneys.count == 2
    assert queries.hall_of_fame(actor=ANONYMOUS, slug=club.slug).bavneys.count == 1
    assert len(queries.leaders_page(actor=ANONYMOUS, slug=club.slug).lines.items) == 4


def test_what_was_called_stays_out_while_the_cards_are_kept_back() -> None:
    club = a_club()
    collection = a_collection(club)
    operations.delay_cards(actor=SERVER, collection_id=collection.pk, delay=timedelta(hours=2))
    sheet = a_sheet_with(club, [a_record(1, more=CALLED)], collection=collection)
    north = player_at(sheet, "north").uid

    def calls(**asked: Any) -> int:
        return sum(queries.player_page(north, **asked).figures.figures.calls.made)

    assert calls(actor=ANONYMOUS, now=AT + timedelta(hours=1)) == 0
    assert calls(actor=ANONYMOUS) == 0
    assert calls(actor=ANONYMOUS, now=AT + timedelta(hours=3)) == 1
    assert calls(actor=an_actor(club, Role.SCORER), now=AT) == 1
    assert queries.player_page(north, actor=ANONYMOUS, now=AT).figures.figures.deals == 1


def test_no_such_club_is_not_found() -> None:
    for read in (queries.figures_page, queries.hall_of_fame, queries.leaders_page):
        with pytest.raises((NotFound, Forbidden)):
            read(actor=ANONYMOUS, slug="nowhere")


@pytest.mark.parametrize("count", [1, 3])
def test_pages_take_as_many_queries_for_more(count: int, django_assert_num_queries: Any) -> None:
    club = a_club()
    for _sheet in range(count):
        a_rich_sheet(club)

    with django_assert_num_queries(2):
        queries.figures_page(actor=ANONYMOUS, slug=club.slug)
    with django_assert_num_queries(6):
        queries.leaders_page(actor=ANONYMOUS, slug=club.slug)
    with django_assert_num_queries(10):
        queries.hall_of_fame(actor=ANONYMOUS, slug=club.slug)


# -- the hall of fame


def test_equals_are_shown_as_tied_with_their_evidence() -> None:
    club = a_club()
    sheets = [a_rich_sheet(club) for _sheet in range(2)]

    hall = queries.hall_of_fame(actor=ANONYMOUS)

    assert [(line.rank, line.is_tied, line.value) for line in hall.most_courts.lines] == [
        (1, True, 53),
        (1, True, 53),
        (3, True, 1),
        (3, True, 1),
    ]
    assert [line.scoresheet_uid for line in hall.most_courts.lines[:2]] == [sheet.uid for sheet in sheets]
    assert hall.most_courts.lines[0].pair.name == "Chand Rao & Dev Patel"
    assert [(line.run_first, line.run_last) for line in hall.longest_runs.lines[:2]] == [(1, 2), (3, 4)]
    assert [line.deal_uid for line in hall.bavneys.items] == [
        the_deal(sheet, 4).uid for sheet in reversed(sheets)
    ]


def test_equals_that_are_too_many_are_counted() -> None:
    club = a_club()
    for sheet in some_sheets(club, 7):
        record_file(sheet, [a_record(1, result="NS 7-3"), a_record(2, dealer="E", result="EW 7-3")])

    runs = queries.hall_of_fame(actor=ANONYMOUS).longest_runs

    assert (len(runs.lines), runs.more) == (10, 4)
    assert {(line.rank, line.is_tied) for line in runs.lines} == {(1, True)}


# -- the table of players


def test_players_are_ranked_and_equals_share_a_rank() -> None:
    club = a_club()
    a_rich_sheet(club)

    lines = queries.leaders_page(actor=ANONYMOUS, order=Order.BAVNEYS).lines.items

    assert [(line.name, line.rank, line.is_tied) for line in lines] == [
        ("Chand Rao", 1, True),
        ("Dev Patel", 1, True),
        ("Asif Khan", 3, True),
        ("Bilal Shah", 3, True),
    ]


def test_who_played_few_deals_is_in_no_ranking_of_shares() -> None:
    a_rich_sheet(a_club())

    page = queries.leaders_page(actor=ANONYMOUS, order=Order.SHARE)

    assert (page.lines.items, page.least_deals) == ((), 20)


# -- pages and the API


@pytest.mark.parametrize("path", ["/statistics/", "/clubs/lahore/statistics/"])
@pytest.mark.parametrize("page", ["", "players/", "hall-of-fame/"])
@pytest.mark.parametrize("query", ["", "?year=2026", "?from=2026-01-01&order=courts", "?year=1999&page=999"])
def test_every_page_is_shown(client: Client, path: str, page: str, query: str) -> None:
    a_rich_sheet(a_club())

    assert client.get(f"{path}{page}{query}").status_code == HTTPStatus.OK


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("from=yesterday", "Write a date as year-month-day"),
        ("from=2026-05-01&to=2026-04-01", "The period ends before it begins."),
        ("from=%00&to=9999999", "Write a date as year-month-day"),
    ],
)
def test_a_period_that_is_none_is_told_and_all_time_is_shown(client: Client, query: str, said: str) -> None:
    a_rich_sheet(a_club())

    answer = client.get(f"/statistics/?{query}")

    assert answer.status_code == HTTPStatus.OK
    assert said in answer.content.decode()
    assert "all time" in answer.content.decode()


@pytest.mark.parametrize(
    "query", ["year=0", "year=10000", "year=x", "order=x", "page=-1", "against=x", "year=%00"]
)
def test_no_address_is_too_odd(client: Client, query: str) -> None:
    north = player_at(a_rich_sheet(a_club()), "north")

    for path in (
        f"/players/{north.uid}/",
        "/statistics/",
        "/statistics/players/",
        "/statistics/hall-of-fame/",
    ):
        assert client.get(f"{path}?{query}").status_code in {HTTPStatus.OK, HTTPStatus.NOT_FOUND}


def test_programs_read_the_same_figures(client: Client) -> None:
    north = player_at(a_rich_sheet(a_club()), "north")

    of_player = client.get(f"/api/v1/players/{north.uid}/history?year=2026").json()["figures"]
    of_all = client.get("/api/v1/statistics?from=2026-11-01&to=2026-11-30").json()
    hall = client.get("/api/v1/clubs/lahore/statistics/hall-of-fame").json()
    players = client.get("/api/v1/statistics/players?order=bavneys").json()

    assert of_player["figures"]["as_caller"] == {"count": 2, "of": 3}
    assert of_player["figures"]["against_per_hundred"] == "1325"
    assert of_player["figures"]["calls"][1] == {"suit": "H", "won": 1, "called": 1}
    assert (of_all["club"], of_all["figures"]["deals"], of_all["figures"]["courts"]) == (None, 4, 54)
    assert of_all["period"] == {"first": "2026-11-01", "last": "2026-11-30"}
    assert (hall["club"], hall["bavneys_count"], hall["most_courts"]["lines"][0]["value"]) == (
        "lahore",
        1,
        53,
    )
    assert players["lines"][0]["player"]["name"] == "Chand Rao"


def test_an_answer_that_a_program_has_is_not_sent_again(client: Client) -> None:
    a_rich_sheet(a_club())
    tag = client.get("/api/v1/statistics")["ETag"]

    again = client.get("/api/v1/statistics", headers={"If-None-Match": tag})

    assert again.status_code == HTTPStatus.NOT_MODIFIED


@pytest.mark.parametrize(
    "query",
    ["year=0", "year=2026&from=2026-01-01", "from=2026-02-01&to=2026-01-01", "from=x", "order=x", "page=0"],
)
def test_a_program_is_told_what_is_wrong_with_its_address(client: Client, query: str) -> None:
    answer = client.get(f"/api/v1/statistics/players?{query}")

    assert (answer.status_code, answer["Content-Type"]) == (
        HTTPStatus.BAD_REQUEST,
        "application/problem+json",
    )
