"""The clock of a round: what its buttons do, that each does it once, and that a restart loses nothing."""

from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.models import AuditEntry, Membership, Role
from courtpiece.accounts.permissions import SERVER, Forbidden
from courtpiece.accounts.queries import NotFound
from tests.accounts.builders import AT, a_browser, a_club, a_user, as_actor
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_scheduled_tournament
from tournaments import queries
from tournaments.errors import ActReused, ChangedMeanwhile, ClockRefused, UnknownState
from tournaments.models import Match, RoundClock, Session, Tournament
from tournaments.operations.clocks import ClockTurn, turn_clock
from tournaments.operations.standings import bring_up_to_date
from tournaments.queries.clocks import wall_clock

pytestmark = pytest.mark.django_db

MINUTE = timedelta(minutes=1)


def a_tournament() -> Tournament:
    return a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, club_id=a_club().pk)


def turn(
    action: str, version: int, at: datetime = AT, *, minutes: int | None = None, round_number: int = 1
) -> int:
    return turn_clock(
        actor=SERVER,
        slug="rang",
        round_number=round_number,
        turn=ClockTurn(action=action, version=version, minutes=minutes),
        act_id=uuid4(),
        at=at,
    )


def shown(at: datetime) -> str:
    """Return what a page that is loaded afresh shows: all that a server that was restarted knows."""
    page = queries.clock_page("rang", actor=SERVER, now=at)
    assert page.clock is not None
    return f"{page.clock.text} {page.clock.phase}"


def test_a_clock_runs_stands_and_runs_on() -> None:
    a_tournament()

    turn("start", 0, minutes=20)
    turn("pause", 1, AT + 5 * MINUTE)
    turn("resume", 2, AT + 9 * MINUTE)

    assert shown(AT + 5 * MINUTE) == "15:00 running"
    assert shown(AT + 10 * MINUTE) == "14:00 running"
    assert shown(AT + 24 * MINUTE) == "00:00 over"


def test_a_second_that_has_begun_is_shown_whole() -> None:
    a_tournament()

    turn("start", 0, minutes=20)
    before = shown(AT + timedelta(seconds=59, milliseconds=700))
    turn("pause", 1, AT + timedelta(seconds=59, milliseconds=700))

    assert (before, shown(AT + MINUTE)) == ("19:01 running", "19:01 paused")


def test_what_was_agreed_is_the_length_of_a_clock() -> None:
    tournament = a_tournament()
    Session.objects.filter(tournament=tournament).update(minutes=45)

    turn("start", 0)

    assert shown(AT) == "45:00 running"


def test_time_is_added_and_taken_away() -> None:
    a_tournament()

    turn("start", 0, minutes=20)
    turn("add-time", 1, minutes=5)
    turn("add-time", 2, minutes=-2)

    assert shown(AT) == "23:00 running"


def test_after_the_last_deal_was_called_the_round_is_ended() -> None:
    a_tournament()
    turn("start", 0, minutes=20)

    turn("call-last-deal", 1, AT + 18 * MINUTE)
    called = shown(AT + 19 * MINUTE)
    turn("end", 2, AT + 25 * MINUTE)

    assert (called, shown(AT + 30 * MINUTE)) == ("01:00 last-deal", "00:00 ended")


def test_of_two_directors_who_pause_at_once_the_second_sees_what_the_first_did() -> None:
    a_tournament()
    turn("start", 0, minutes=20)
    turn("pause", 1, AT + 5 * MINUTE)

    with pytest.raises(ChangedMeanwhile, match="The clock stands, with 15:00 left"):
        turn("pause", 1, AT + 5 * MINUTE)

    assert RoundClock.objects.get(round__number=1).version == 2


def test_of_two_who_start_at_once_one_does() -> None:
    a_tournament()
    turn("start", 0, minutes=20)

    with pytest.raises(ChangedMeanwhile, match="The clock runs, with 19:00 left"):
        turn("start", 0, AT + MINUTE, minutes=30)


def test_a_button_pressed_twice_works_once() -> None:
    a_tournament()
    turn("start", 0, minutes=20)
    act = uuid4()
    sent: dict[str, Any] = {"actor": SERVER, "slug": "rang", "round_number": 1, "at": AT, "act_id": act}

    answers = [
        turn_clock(turn=ClockTurn(action="add-time", version=1, minutes=5), **sent) for _time in (1, 2)
    ]

    assert answers == [2, 2]
    assert shown(AT) == "25:00 running"
    with pytest.raises(ActReused):
        turn_clock(turn=ClockTurn(action="pause", version=2), **sent)


@pytest.mark.parametrize(
    ("action", "minutes", "said"),
    [
        ("start", 20, "started before"),
        ("resume", None, "runs already"),
        ("add-time", None, "at least a minute"),
        ("add-time", -21, "no more than is left"),
    ],
)
def test_what_a_running_clock_does_not_allow(action: str, minutes: int | None, said: str) -> None:
    a_tournament()
    turn("start", 0, minutes=20)

    with pytest.raises(ClockRefused, match=said):
        turn(action, 1, minutes=minutes)

    assert RoundClock.objects.get(round__number=1).version == 1


@pytest.mark.parametrize("action", ["pause", "resume", "call-last-deal", "end"])
def test_a_clock_that_was_not_started_does_nothing(action: str) -> None:
    a_tournament()

    with pytest.raises(ClockRefused, match="not been started"):
        turn(action, 0)

    assert not RoundClock.objects.filter(version__gt=0).exists()


def test_a_clock_that_stands_is_not_paused_and_one_that_has_ended_stays_so() -> None:
    a_tournament()
    turn("start", 0, minutes=20)
    turn("pause", 1)
    with pytest.raises(ClockRefused, match="stands already"):
        turn("pause", 2)
    turn("call-last-deal", 2)
    with pytest.raises(ClockRefused, match="called before"):
        turn("call-last-deal", 3)
    turn("end", 3)

    with pytest.raises(ClockRefused, match="has ended"):
        turn("add-time", 4, minutes=5)


@pytest.mark.parametrize("minutes", [0, -1, 601])
def test_a_length_that_no_round_has_is_refused(minutes: int) -> None:
    a_tournament()

    with pytest.raises(ClockRefused):
        turn("start", 0, minutes=minutes)


def test_a_server_whose_own_clock_was_set_back_says_so() -> None:
    a_tournament()
    turn("start", 0, minutes=20)

    with pytest.raises(ClockRefused, match="set back"):
        turn("pause", 1, AT - MINUTE)


def test_only_a_director_turns_a_clock_that_is_there() -> None:
    scorer = a_user()
    club = a_club(members=[(scorer, Role.SCORER)])
    a_scheduled_tournament(ASIF, CHAND, club_id=club.pk)
    start = ClockTurn(action="start", version=0)

    with pytest.raises(Forbidden):
        turn_clock(actor=as_actor(scorer), slug="rang", round_number=1, turn=start, at=AT)
    with pytest.raises(NotFound):
        turn("start", 0, round_number=9)
    with pytest.raises(UnknownState):
        turn("explode", 0)


def test_every_turn_is_written_down() -> None:
    a_tournament()

    turn("start", 0, minutes=20)
    turn("pause", 1)

    entries = AuditEntry.objects.filter(what="clock").order_by("pk").values_list("detail", flat=True)
    assert [(entry["round"], entry["action"], entry["minutes"]) for entry in entries] == [
        (1, "start", 20),
        (1, "pause", None),
    ]


# -- on the wall of the other pages


def pages_of(tournament: Tournament) -> dict[str, str]:
    """Return every page of the tournament that has a clock on its wall, by its name."""
    match = Match.objects.filter(round__tournament=tournament).order_by("pk")[0]
    here = [tournament.slug]
    plain = (
        *("standings", "ranks", "needs", "entries", "rulings", "draw", "entries_manage", "entries_seeds"),
        *(
            "entries_check_in",
            "entries_file",
            "rulings_manage",
            "ruling_choose",
            "closing",
            "prints",
            "settings",
        ),
    )
    pages = {name: reverse(f"tournaments:{name}", args=here) for name in plain}
    return pages | {
        "entry": reverse("tournaments:entry", args=[*here, 1]),
        "entry_manage": reverse("tournaments:entry_manage", args=[*here, 1]),
        "rule_on_match": reverse("tournaments:rule_on_match", args=[*here, match.uid, "adjust"]),
        "results": reverse("tournaments:results", args=[match.uid]),
        "scoresheet": reverse("scoring:scoresheet", args=[match.scoresheet.uid]),
    }


def faces_on(client: Client, pages: dict[str, str]) -> dict[str, int]:
    """Return how many clocks each page shows, and see that it listens for how they are turned."""
    found = {}
    for name, where in pages.items():
        page = client.get(where).content.decode()
        assert page.count('data-live="/ws/tournaments/rang/"') >= 1, name
        assert 'src="/static/js/clock.js"' in page, name
        found[name] = page.count("data-clock=")
    return found


def test_every_page_of_the_tournament_shows_the_clock_that_runs() -> None:
    tournament = a_tournament()
    bring_up_to_date(slug="rang", now=AT)
    director = a_user("director")
    Membership.objects.create(user=director, club_id=tournament.club_id, role=Role.DIRECTOR, created_at=AT)
    client, pages = a_browser(director), pages_of(tournament)
    assert faces_on(client, pages) == dict.fromkeys(pages, 0)

    turn("start", 0, minutes=600)
    assert faces_on(client, pages) == dict.fromkeys(pages, 1)
    turn("pause", 1, AT + MINUTE)
    assert faces_on(client, pages) == dict.fromkeys(pages, 1)
    turn("end", 2, AT + 2 * MINUTE)
    assert faces_on(client, pages) == dict.fromkeys(pages, 0)


def test_the_clock_on_the_wall_is_that_of_the_round_that_is_played() -> None:
    tournament = a_tournament()
    turn("start", 0, minutes=20)
    turn("start", 0, minutes=30, round_number=2)
    address = reverse("tournaments:standings", args=["rang"])
    bring_up_to_date(slug="rang", now=AT)

    first = Client().get(address).context["wall"].clock
    Match.objects.filter(round__tournament=tournament, round__number=1).update(state="finished")
    second = Client().get(address).context["wall"].clock
    Match.objects.filter(round__tournament=tournament).update(state="finished")
    last = Client().get(address).context["wall"].clock

    assert [clock and clock.round.number for clock in (first, second, last)] == [1, 2, None]


def test_where_the_winner_stays_the_clock_on_the_wall_is_that_of_the_evening() -> None:
    tournament = a_tournament()
    turn("start", 0, minutes=20)
    Match.objects.filter(round__tournament=tournament, round__number=1).update(state="finished")

    wall = wall_clock(
        tournament_id=tournament.pk,
        slug="rang",
        tournament_format="winner-stays",
        status="provisional",
        now=AT,
    )

    assert wall is not None
    assert wall.clock is not None
    assert (wall.clock.round.number, wall.clock.text) == (1, "20:00")


def test_the_clock_on_the_wall_takes_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    tournament = a_tournament()
    turn("start", 0, minutes=20)

    for status, queries_made in (("provisional", 1), ("final", 0)):
        with django_assert_num_queries(queries_made):
            wall_clock(
                tournament_id=tournament.pk, slug="rang", tournament_format="swiss", status=status, now=AT
            )


def test_a_scoresheet_of_a_match_that_goes_on_asks_for_the_clock_and_for_what_its_table_shows(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    tournament = a_tournament()
    turn("start", 0, minutes=20)
    page = pages_of(tournament)["scoresheet"]

    with django_assert_num_queries(12):
        Client().get(page)
