"""The room, the evening and the clock's pages: what they show, to whom, and that a button works once."""

from collections.abc import Sequence
from datetime import timedelta
from http import HTTPStatus
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.permissions import SERVER
from courtpiece.engine import Seat
from scoring import operations as scoring
from tests.accounts.builders import AT, a_browser, a_club, a_user
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_match, a_record, a_scheduled_tournament
from tournaments import queries
from tournaments.domain.watching import Doubt
from tournaments.errors import ChangedMeanwhile, LevelMatch, MatchGivenAway
from tournaments.models import Entry, Match, Round, RoundClock, Session, Tournament
from tournaments.operations import matches
from tournaments.operations.clocks import ClockTurn, turn_clock
from tournaments.queries import RoomPage, TableLine

pytestmark = pytest.mark.django_db

SIX = (ASIF, CHAND, ERUM, GITA, "आशा गुलाब & चाचा चौसर", "آصف خان & بلال شاہ")


def a_tournament(*pairs: str, visibility: str = "public", **new: Any) -> Tournament:
    return a_scheduled_tournament(
        *(pairs or (ASIF, CHAND, ERUM, GITA)), club_id=a_club().pk, visibility=visibility, **new
    )


def the_match(table: str = "1") -> Match:
    return Match.objects.select_related("scoresheet").get(round__number=1, table=table)


def record(results: Sequence[str], *, table: str = "1") -> None:
    text = a_match(results, ns="", ew="")
    scoring.record_sheet(
        actor=SERVER, scoresheet_uid=the_match(table).scoresheet.uid, text=text, operation_id=uuid4(), at=AT
    )


def record_one(number: int, *, table: str = "1") -> None:
    scoring.record_sheet(
        actor=SERVER,
        scoresheet_uid=the_match(table).scoresheet.uid,
        text=a_record(number, Seat.E, "NS 7-3"),
        operation_id=uuid4(),
        at=AT,
    )


def turn(action: str, version: int = 0, *, minutes: int | None = None) -> None:
    turn_clock(
        actor=SERVER,
        slug="rang",
        round_number=1,
        turn=ClockTurn(action=action, version=version, minutes=minutes),
        at=AT,
    )


def the_room(round_number: int | None = None) -> RoomPage:
    return queries.room_page("rang", actor=SERVER, now=AT, round_number=round_number)


def table(number: int = 1) -> TableLine:
    return the_room(1).tables[number - 1]


def a_member(role: Role) -> Client:
    user = a_user(role.value.capitalize())
    Club.objects.get().memberships.create(user=user, role=role, created_at=AT)
    return a_browser(user)


def text_of(response: Any) -> str:
    return " ".join(response.content.decode().split())


def go(client: Client, name: str, **more: Any) -> Any:
    return client.get(reverse(f"tournaments:{name}", args=["rang"]), more)


# -- what a room knows


def test_a_table_says_who_plays_how_far_it_is_and_when_it_was_heard_from() -> None:
    a_tournament()
    record(["EW 7-0 court", "EW 7-3"])

    first, second = the_room().tables

    assert (first.table, first.ns, first.ew) == ("1", ASIF, GITA)
    assert (first.deals, first.courts_ns, first.courts_ew, first.heard_at) == (2, 0, 1, AT)
    assert (second.deals, second.heard_at, second.doubts) == (0, None, ())


@pytest.mark.parametrize("state", ["withdrawn", "disqualified"])
def test_a_table_whose_pair_plays_no_more_wants_a_look_and_says_who(state: str) -> None:
    a_tournament()
    entry = the_match().ew
    Entry.objects.filter(pk=entry.pk).update(state=state)

    first, second = the_room(1).tables

    assert (first.doubts, second.doubts) == ((Doubt.GONE,), ())
    assert first.notes == (
        f"Withdrawn or disqualified: {GITA}. Rule who gave the match away, or make it void.",
    )
    director = a_member(Role.DIRECTOR)
    for page in ("room", "manage"):
        assert "Withdrawn or disqualified" in text_of(go(director, page))


def test_a_sheet_that_is_not_started_while_the_clock_runs_wants_a_look() -> None:
    a_tournament()
    record(["EW 7-3"])

    turn("start", minutes=20)

    later = queries.room_page("rang", actor=SERVER, now=AT + timedelta(minutes=5))
    assert [line.doubts for line in the_room().tables] == [(), ()]
    assert [line.doubts for line in later.tables] == [(), (Doubt.NOT_STARTED,)]


def test_missing_deals_and_problems_are_named() -> None:
    a_tournament()

    record_one(3)

    assert table().doubts == (Doubt.MISSING_DEALS, Doubt.PROBLEMS)
    assert table().notes == ("Missing deals: 1, 2.", "Deals in doubt: 1.")


def test_a_match_with_all_that_was_agreed_waits_to_be_finished() -> None:
    tournament = a_tournament()
    Session.objects.filter(tournament=tournament).update(deals=2)
    record(["NS 7-0 goon-court", "EW 7-3"])

    assert table().doubts == (Doubt.COMPLETE,)
    matches.set_match_state(actor=SERVER, uid=the_match().uid, state="finished", at=AT)
    assert (table().doubts, the_room().finished) == ((), 1)


def test_a_level_knockout_match_with_nothing_left_to_play_needs_further_deals() -> None:
    tournament = a_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(format="knockout")
    Session.objects.filter(tournament=tournament).update(deals=1)

    record(["EW 7-3"])

    assert (table().doubts, table().can_finish) == ((Doubt.LEVEL,), False)
    assert table().notes == ("Level at 0: further deals until a court (law 13.2).",)


def test_the_courts_of_a_ruling_are_shown() -> None:
    a_tournament()
    record(["EW 7-0 court"])
    Match.objects.filter(pk=the_match().pk).update(adjusted_ns=2, adjusted_ew=0)

    assert (table().courts_ns, table().courts_ew) == (2, 0)


def test_the_round_that_is_played_is_the_first_with_an_open_match() -> None:
    a_tournament()
    assert the_room().round == the_room(1).round

    for match in Match.objects.filter(round__number=1):
        matches.set_match_state(actor=SERVER, uid=match.uid, state="finished", at=AT)

    assert the_room().round == the_room(2).round


# -- finishing a match


def test_a_finished_match_has_its_time_and_its_version() -> None:
    a_tournament()
    uid = the_match().uid

    matches.set_match_state(actor=SERVER, uid=uid, state="finished", at=AT, version=0)
    finished = (the_match().finished_at, the_match().version)
    matches.set_match_state(actor=SERVER, uid=uid, state="open", at=AT, version=1)

    assert (finished, the_match().finished_at, the_match().version) == ((AT, 1), None, 2)


def test_of_two_directors_the_second_sees_what_the_first_did() -> None:
    a_tournament()
    uid = the_match("2").uid
    matches.set_match_state(actor=SERVER, uid=uid, state="void", at=AT, version=0)

    with pytest.raises(ChangedMeanwhile, match="made the match at table 2 void"):
        matches.set_match_state(actor=SERVER, uid=uid, state="finished", at=AT, version=0)

    matches.set_match_state(actor=SERVER, uid=uid, state="void", at=AT, version=0)
    assert the_match("2").version == 1


def test_an_act_sent_twice_works_once() -> None:
    a_tournament()
    uid, act = the_match().uid, uuid4()
    sent: dict[str, Any] = {"actor": SERVER, "uid": uid, "at": AT, "act_id": act, "version": 0}
    matches.set_match_state(state="finished", **sent)
    matches.set_match_state(actor=SERVER, uid=uid, state="open", at=AT)

    matches.set_match_state(state="finished", **sent)

    assert the_match().state == "open"


def test_a_level_knockout_match_cannot_be_finished_and_its_table_is_named() -> None:
    tournament = a_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(format="groups-knockout")
    Round.objects.filter(number=1).update(name="semi-finals")
    record(["EW 7-3"], table="2")

    with pytest.raises(LevelMatch, match="Table 2 is level"):
        matches.set_match_state(actor=SERVER, uid=the_match("2").uid, state="finished", at=AT)

    Round.objects.filter(number=1).update(name="group-1")
    matches.set_match_state(actor=SERVER, uid=the_match("2").uid, state="finished", at=AT)
    assert the_match("2").state == "finished"


def test_a_match_that_was_given_away_is_not_opened_by_a_button() -> None:
    a_tournament()
    Match.objects.filter(pk=the_match().pk).update(state="finished", forfeit="NS")

    with pytest.raises(MatchGivenAway):
        matches.set_match_state(actor=SERVER, uid=the_match().uid, state="open", at=AT)


# -- the room's page


@pytest.mark.parametrize("pairs", [(ASIF, CHAND), SIX])
def test_a_room_takes_the_same_queries_whatever_its_size(
    pairs: tuple[str, ...], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a_tournament(*pairs)
    record_one(2)
    client = a_member(Role.DIRECTOR)

    with django_assert_num_queries(14):
        go(client, "room")


def test_the_rooms_page_shows_every_table_or_those_in_doubt() -> None:
    a_tournament(*SIX)
    record_one(3, table="2")
    client = a_member(Role.SCORER)

    every, doubtful = text_of(go(client, "room")), text_of(go(client, "room", show="attention"))

    uids = [str(match.uid) for match in Match.objects.filter(round__number=1).order_by("table")]
    assert [f't-{uid}"' in every for uid in uids] == [True, True, True]
    assert [f't-{uid}"' in doubtful for uid in uids] == [False, True, False]
    assert "<bdi>آصف خان</bdi>" in every
    assert "<bdi>आशा गुलाब</bdi>" in every


def state_address() -> str:
    line = table()
    return f"{reverse('tournaments:match_state', args=[line.uid])}?version={line.version}"


def test_a_match_is_finished_from_the_room_by_who_saw_it_as_it_is() -> None:
    a_tournament()
    record(["EW 7-3"])
    client = a_member(Role.SCORER)
    button = {"state": "finished", "back": "room", "round": "1", "act": str(uuid4())}
    address = state_address()

    first = client.post(address, button)
    matches.set_match_state(actor=SERVER, uid=the_match().uid, state="void", at=AT)
    second = client.post(address, {**button, "state": "open", "act": str(uuid4())}, follow=True)

    assert first["Location"] == f"{reverse('tournaments:room', args=['rang'])}?round=1"
    assert second.status_code == HTTPStatus.NOT_FOUND
    assert the_match().state == "void"


def test_the_room_asks_before_it_finishes_a_match_with_fewer_deals_and_marks_it() -> None:
    tournament = a_tournament()
    Session.objects.filter(tournament=tournament).update(deals=2)
    record(["EW 7-3"])
    client = a_member(Role.SCORER)

    asked = client.post(state_address(), {"state": "finished", "back": "room"}, follow=True)
    before = the_match().state
    results = reverse("tournaments:results", args=[the_match().uid])
    sent = {"act": str(uuid4()), "deal-TOTAL_FORMS": "0", "deal-INITIAL_FORMS": "0"}
    client.post(results, sent | {"finish": "all-the-same"})

    assert asked.redirect_chain == [(f"{results}?finish=1", HTTPStatus.FOUND)]
    assert "1 of 2 agreed deals count at table 1. Is the match over all the same?" in text_of(asked)
    assert 'name="finish" value="all-the-same"' in text_of(asked)
    assert (before, the_match().state) == ("open", "finished")
    assert table().notes == ("Finished with fewer deals or courts than were agreed.",)


def test_where_time_was_called_fewer_deals_are_all() -> None:
    tournament = a_tournament()
    Session.objects.filter(tournament=tournament).update(deals=2)
    record(["EW 7-3"])
    turn("start", minutes=20)
    turn("call-last-deal", 1)
    client = a_member(Role.SCORER)

    client.post(state_address(), {"state": "finished", "back": "room"})

    assert (the_match().state, table().doubts) == ("finished", ())


def test_opening_a_match_again_is_answered() -> None:
    a_tournament()
    record(["EW 7-3"])
    matches.set_match_state(actor=SERVER, uid=the_match().uid, state="finished", at=AT)

    answer = a_member(Role.SCORER).post(state_address(), {"state": "open", "back": "room"}, follow=True)

    assert "The match is open again." in text_of(answer)


def test_the_run_page_starts_the_clock_where_that_is_next_and_names_nothing_in_the_way() -> None:
    a_tournament()
    director = a_member(Role.DIRECTOR)

    before = text_of(go(director, "manage"))
    record(["EW 7-3"])
    after = text_of(go(director, "manage"))

    assert 'form="clock-controls" name="action" value="start"' in before
    assert "in the way" not in before
    assert 'form="clock-controls"' not in after
    assert "2 things are in the way" in after


def test_what_is_refused_is_said_on_the_page_one_comes_back_to() -> None:
    tournament = a_tournament()
    Tournament.objects.filter(pk=tournament.pk).update(format="knockout")
    record(["EW 7-3"])

    page = a_member(Role.DIRECTOR).post(state_address(), {"state": "finished", "back": "room"}, follow=True)

    assert "Table 1 is level at 0 courts each" in text_of(page)


def test_a_round_that_is_not_there_is_not_found() -> None:
    a_tournament()
    client = a_member(Role.DIRECTOR)

    assert go(client, "room", round="9").status_code == HTTPStatus.NOT_FOUND
    assert go(client, "room", round="ninety").status_code == HTTPStatus.OK


def test_a_tournament_without_rounds_has_an_empty_room_and_no_clock() -> None:
    a_tournament()
    Match.objects.all().delete()
    RoundClock.objects.all().delete()
    Round.objects.all().delete()
    client = a_member(Role.DIRECTOR)

    assert "The room fills when the first round is drawn." in text_of(go(client, "room"))
    assert "No round has been drawn yet." in text_of(go(client, "clock"))
    assert "Run the evening" in text_of(go(client, "manage"))


# -- who may come in


@pytest.mark.parametrize(
    ("role", "room", "run"),
    [
        (Role.PLAYER, 404, 404),
        (Role.SCORER, 200, 404),
        (Role.DIRECTOR, 200, 200),
        (Role.OWNER, 200, 200),
    ],
)
def test_who_sees_the_room_and_who_runs_the_evening(role: Role, room: int, run: int) -> None:
    a_tournament()
    client = a_member(role)

    assert (go(client, "room").status_code, go(client, "manage").status_code) == (room, run)


def test_strangers_and_directors_of_other_clubs_stay_outside() -> None:
    a_tournament()
    user = a_user()
    a_club("multan", members=[(user, Role.DIRECTOR)])
    turn_address = reverse("tournaments:turn_clock", args=["rang", 1])

    for name in ("room", "manage", "find_match"):
        assert go(a_browser(user), name).status_code == HTTPStatus.NOT_FOUND
        assert "/accounts/login/" in go(a_browser(), name)["Location"]
    assert a_browser(user).post(turn_address, {"action": "start", "version": "0"}).status_code == 404
    assert "/accounts/login/" in a_browser().post(turn_address)["Location"]


@pytest.mark.parametrize(("visibility", "status"), [("public", 200), ("unlisted", 200), ("private", 404)])
def test_who_sees_the_tournament_sees_its_clock(visibility: str, status: int) -> None:
    a_tournament(visibility=visibility)

    assert go(a_browser(), "clock").status_code == status
    assert go(a_browser(), "clock_now").status_code == status
    assert go(a_member(Role.SCORER), "clock").status_code == HTTPStatus.OK


# -- the clock's pages


def test_a_director_turns_the_clock_and_comes_back() -> None:
    a_tournament()
    client = a_member(Role.DIRECTOR)
    address = reverse("tournaments:turn_clock", args=["rang", 1])
    start = {"action": "start", "version": "0", "minutes": "20", "act": str(uuid4()), "back": "run"}

    started = client.post(address, start)
    added = client.post(
        address, {"action": "add-time:5", "version": "1", "act": str(uuid4()), "back": "room"}
    )
    again = client.post(address, {**start, "act": str(uuid4())}, follow=True)

    assert started["Location"] == reverse("tournaments:manage", args=["rang"])
    assert added["Location"] == reverse("tournaments:room", args=["rang"])
    assert "somebody was there before you. The clock runs" in text_of(again)
    clock = queries.clock_page("rang", actor=SERVER, now=timezone.now()).clock
    assert clock is not None
    assert (clock.minutes, clock.added_minutes, clock.version) == (20, 5, 2)


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        ({"action": "start", "version": "0", "minutes": "9999"}, "less than or equal to 600"),
        ({"action": "add-time:many", "version": "0"}, "Enter a whole number."),
        ({"action": "explode", "version": "0"}, "A clock cannot do that."),
    ],
)
def test_what_a_clock_cannot_do_is_said(sent: dict[str, str], said: str) -> None:
    a_tournament()
    address = reverse("tournaments:turn_clock", args=["rang", 1])

    assert said in text_of(a_member(Role.DIRECTOR).post(address, {**sent, "back": "run"}, follow=True))


def test_a_page_shows_what_is_left_without_a_script() -> None:
    a_tournament()
    turn_clock(
        actor=SERVER,
        slug="rang",
        round_number=1,
        turn=ClockTurn(action="start", version=0, minutes=20),
        at=timezone.now() - timedelta(minutes=5, seconds=30),
    )

    for name in ("clock", "tournament"):
        page = text_of(go(a_browser(), name))
        assert ">14:30</time>" in page or ">14:29</time>" in page
        assert "Reload to see what is left now" in page


def test_a_page_asks_how_the_clock_runs_and_what_time_it_is() -> None:
    a_tournament()
    before = go(a_browser(), "clock_now")
    turn("start", minutes=20)
    turn("pause", 1)

    told = go(a_browser(), "clock_now")

    assert list(before.json()) == ["now"]
    assert told.json() | {"now": 0} == {
        "type": "clock",
        "round": 1,
        "version": 2,
        "state": "paused",
        "left": 1_200_000,
        "running_since": None,
        "last_deal": False,
        "now": 0,
    }
    assert "no-store" in told["Cache-Control"]


# -- the evening


def the_step() -> str:
    return queries.run_page("rang", actor=SERVER, now=AT).step.value


def test_the_way_of_a_tournament() -> None:
    tournament = a_tournament(ASIF, CHAND)
    steps = [the_step()]

    record(["EW 7-0 court"])
    matches.set_match_state(actor=SERVER, uid=the_match().uid, state="finished", at=AT)
    steps.append(the_step())
    Tournament.objects.filter(pk=tournament.pk).update(appeals_until=AT)
    steps.append(the_step())
    Tournament.objects.filter(pk=tournament.pk).update(status="official")
    steps.append(the_step())

    assert steps == ["play", "close", "official", "final"]


def test_before_the_first_round_pairs_enter_are_checked_in_and_drawn() -> None:
    tournament = a_tournament()
    Match.objects.all().delete()
    RoundClock.objects.all().delete()
    Round.objects.all().delete()
    Tournament.objects.filter(pk=tournament.pk).update(format="swiss")
    steps = [the_step()]

    Entry.objects.filter(number=1).update(checked_in_at=AT)
    steps.append(the_step())
    Entry.objects.exclude(number=1).update(state="withdrawn")
    steps.append(the_step())

    assert steps == ["check-in", "draw", "entries"]


def test_what_is_in_the_way_names_its_table() -> None:
    a_tournament()
    record(["EW 7-3"])
    matches.set_match_state(actor=SERVER, uid=the_match().uid, state="finished", at=AT)

    page = text_of(go(a_member(Role.DIRECTOR), "manage"))

    assert "1 of 2 matches of this round are over." in page
    assert "table \u2068" + "2\u2069 is not finished" in page
    assert 'aria-current="step"' in page


@pytest.mark.parametrize("pairs", [(ASIF, CHAND), SIX])
def test_the_evening_takes_the_same_queries_whatever_its_size(
    pairs: tuple[str, ...], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a_tournament(*pairs)
    client = a_member(Role.DIRECTOR)

    for most in (25, 20):  # what was played is kept
        with django_assert_num_queries(most):
            go(client, "manage")


def test_the_evening_is_there_in_every_language() -> None:
    a_tournament(*SIX)
    client = a_member(Role.DIRECTOR)

    for language in ("ur", "hi"):
        for name in ("manage", "room", "clock"):
            response = client.get(
                reverse(f"tournaments:{name}", args=["rang"]), headers={"accept-language": language}
            )
            assert (response.status_code, f'lang="{language}"' in text_of(response)) == (HTTPStatus.OK, True)


def test_no_address_of_a_match_that_is_not_there_leads_anywhere() -> None:
    a_tournament()
    client = a_member(Role.DIRECTOR)
    nothing = UUID(int=7)

    state = client.post(reverse("tournaments:match_state", args=[nothing]), {"state": "open"})
    results = client.get(reverse("tournaments:results", args=[nothing]))

    assert (state.status_code, results.status_code) == (HTTPStatus.NOT_FOUND, HTTPStatus.NOT_FOUND)
