"""Spectators follow a table card by card, as late as the tournament wants it."""

import re
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.utils import timezone

from courtpiece.accounts.models import AuditEntry, User
from courtpiece.accounts.permissions import ANONYMOUS, SERVER, Forbidden
from courtpiece.accounts.queries import NotFound
from scoring.changes import RecordRefused
from scoring.models import Scoresheet
from scoring.operations import record_deal
from tests.accounts.builders import AT, a_browser, a_club, a_user, as_actor
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_scheduled_tournament
from tests.tournaments.tables import a_director, a_text, a_tournament_with_links, at_table, the_match
from tournaments.models import LiveState, Match, Tournament
from tournaments.operations.links import make_table_links
from tournaments.operations.live import (
    BadDelay,
    SentState,
    change_live_delay,
    post_live_state,
    sweep_live_states,
)
from tournaments.queries.live import WatchedTable, watched_table

pytestmark = pytest.mark.django_db

DEVICE = UUID(int=7)
HANDS = "W:AKQ2.AKQ2.AK2.A3 S:JT93.JT93.J3.K42 E:8765.8765.QT.QJT N:4.4.987654.98765"
FIRST_CARDS = '[Deal "1"]\n[Dealer "N"]\n[Trump "S"]\n\n1. HA HJ H8\n*\n'
WITH_HANDS = f'[Deal "1"]\n[Dealer "N"]\n[Hands "{HANDS}"]\n[Trump "S"]\n\n1. HA HJ H8\n*\n'


def a_tournament(*, delay: int = 0, rules: str = "court-piece", visibility: str = "public") -> Tournament:
    tournament = a_scheduled_tournament(
        ASIF, CHAND, ERUM, GITA, club_id=a_club().pk, live_delay=delay, rules=rules, visibility=visibility
    )
    make_table_links(actor=SERVER, slug="rang", session=1, at=AT)
    return tournament


def post(
    pcn: str, *, sequence: int = 1, at: datetime = AT, deal: int = 1, device: UUID = DEVICE, **sent: Any
) -> bool:
    state = SentState(
        device=device,
        scoresheet=sent.get("scoresheet", the_match().scoresheet.uid),
        deal=deal,
        sequence=sequence,
        pcn=pcn,
    )
    return post_live_state(actor=sent.get("actor") or at_table(), sent=state, at=at)


def seen(at: datetime, table: str = "1") -> WatchedTable:
    return watched_table("rang", table, actor=ANONYMOUS, now=at)[1]


def cards(watched: WatchedTable) -> list[str]:
    return [] if watched.deal is None else [f"{laid.seat}:{laid.card}" for laid in watched.deal.trick]


def holdings(watched: WatchedTable) -> list[str]:
    return [] if watched.deal is None else [seat.holding for seat in watched.deal.seats]


def test_without_a_delay_spectators_see_each_card_at_once_and_no_hand() -> None:
    a_tournament()

    post(WITH_HANDS)

    watched = seen(AT)
    assert cards(watched) == ["W:HA", "S:HJ", "E:H8"]
    assert watched.deal is not None
    assert (watched.deal.turn, watched.deal.trump) == ("N", "S")
    assert holdings(watched) == ["", "", "", ""]


def test_with_a_delay_nothing_is_seen_before_its_time_and_all_hands_after_it() -> None:
    a_tournament(delay=2)

    post(WITH_HANDS)

    early, late = seen(AT + timedelta(seconds=119)), seen(AT + timedelta(minutes=2))
    assert (early.deal, early.next_at) == (None, AT + timedelta(minutes=2))
    assert cards(late) == ["W:HA", "S:HJ", "E:H8"]
    assert holdings(late) == ["4.4.987654.98765", "8765.765.QT.QJT", "JT93.T93.J3.K42", "AKQ2.KQ2.AK2.A3"]


def test_each_state_is_shown_in_its_turn() -> None:
    a_tournament(delay=1)
    for number, played in enumerate(("HA", "HA HJ", "HA HJ H8"), start=1):
        post(FIRST_CARDS.replace("HA HJ H8", played), sequence=number, at=AT + timedelta(seconds=10 * number))

    shown = [len(cards(seen(AT + timedelta(seconds=60 + 10 * number)))) for number in range(5)]

    assert shown == [0, 1, 2, 3, 3]


def test_a_trump_card_that_lies_face_down_is_shown_to_nobody() -> None:
    a_tournament(delay=1, rules="hidden-trump")
    hidden = WITH_HANDS.replace('[Trump "S"]', '[Trump "S hidden S2"]')
    hidden = hidden.replace('[Dealer "N"]', '[Rules "hidden-trump"]\n[Dealer "N"]')

    post(hidden)

    watched = seen(AT + timedelta(minutes=1))
    assert watched.deal is not None
    assert (watched.deal.is_trump_covered, watched.deal.trump) == (True, "")
    assert watched.deal.seats[3].holding == "AKQ.KQ2.AK2.A3"


def test_a_trump_that_the_scorer_has_not_seen_is_shown_as_covered() -> None:
    a_tournament(rules="hidden-trump")

    post('[Deal "1"]\n[Rules "hidden-trump"]\n[Dealer "N"]\n\n1. HA HJ H8\n*\n')

    watched = seen(AT)
    assert watched.deal is not None
    assert (watched.deal.is_trump_covered, cards(watched)) == (True, ["W:HA", "S:HJ", "E:H8"])


def test_a_card_played_face_down_stays_face_down() -> None:
    a_tournament(rules="hidden-trump")
    text = '[Deal "1"]\n[Rules "hidden-trump"]\n[Dealer "N"]\n[Trump "S hidden S7"]\n\n'

    post(f"{text}1. H2 HA H3 H4\n2. C2 C3 C4 _D2\n*\n")

    watched = seen(AT)
    assert watched.deal is not None
    assert [laid.card for laid in watched.deal.lying][-1] == ""


def test_what_comes_late_from_a_device_is_passed_over() -> None:
    a_tournament()
    assert post(FIRST_CARDS, sequence=5)

    assert not post(FIRST_CARDS.replace(" HJ H8", ""), sequence=4, at=AT + timedelta(seconds=1))
    assert not post(FIRST_CARDS.replace(" HJ H8", ""), sequence=5, at=AT + timedelta(seconds=1))
    assert len(cards(seen(AT + timedelta(seconds=2)))) == 3


def test_of_two_devices_the_one_that_spoke_last_is_shown() -> None:
    a_tournament()
    post(FIRST_CARDS, sequence=900)

    post(FIRST_CARDS.replace(" H8", ""), sequence=1, device=uuid4(), at=AT + timedelta(seconds=1))

    assert len(cards(seen(AT + timedelta(seconds=1)))) == 2


def test_a_device_that_enters_nothing_shows_nothing() -> None:
    a_tournament()
    post(FIRST_CARDS)

    post("", sequence=2, at=AT + timedelta(seconds=5))

    assert seen(AT + timedelta(seconds=5)).deal is None


def test_a_deal_that_is_recorded_goes_on_no_more_when_that_is_known_to_spectators() -> None:
    a_tournament(delay=2)
    post(FIRST_CARDS)
    record_deal(
        actor=SERVER,
        scoresheet_id=the_match().scoresheet_id,
        text=a_text(dealer="N"),
        operation_id=uuid4(),
        at=AT + timedelta(minutes=1),
    )

    assert seen(AT + timedelta(minutes=2)).deal is not None
    after = seen(AT + timedelta(minutes=3))
    assert (after.deal, after.glance.last_result) == (None, "NS 7-4")


@pytest.mark.parametrize(
    ("pcn", "why"),
    [
        (FIRST_CARDS.replace("H8", "HA"), "card-repeated"),
        (FIRST_CARDS.replace('[Trump "S"]\n', ""), "bad-trump"),
        (FIRST_CARDS.replace('[Deal "1"]', '[Deal "2"]'), "other-deal"),
        (FIRST_CARDS.replace('[Dealer "N"]', '[Rules "be-ranga"]\n[Dealer "N"]'), "other-rules"),
        (FIRST_CARDS + FIRST_CARDS.replace('"1"', '"2"'), "one-record"),
        ("HA HJ H8", "missing-tag"),
        (WITH_HANDS.replace("HA HJ", "HA SA"), "card-not-held"),
    ],
)
def test_what_the_engine_refuses_is_refused_and_stored_nowhere(pcn: str, why: str) -> None:
    a_tournament()

    with pytest.raises(RecordRefused) as refused:
        post(pcn)

    assert why in {problem.code for problem in refused.value.problems}
    assert not LiveState.objects.exists()


def test_trick_by_trick_the_winners_are_shown() -> None:
    a_tournament()

    post('[Deal "1"]\n[Dealer "N"]\n[Trump "S"]\n[Tricks "N E E"]\n')

    watched = seen(AT)
    assert watched.deal is not None
    assert (watched.deal.trick_winners, watched.deal.tricks_ns, watched.deal.tricks_ew) == ("NEE", 1, 2)


def test_a_table_link_shows_nothing_at_another_table_or_after_the_match() -> None:
    a_tournament()
    other = the_match("2").scoresheet.uid
    with pytest.raises(Forbidden):
        post(FIRST_CARDS, scoresheet=other)
    with pytest.raises(NotFound):
        post(FIRST_CARDS, scoresheet=uuid4())
    match = the_match()
    Match.objects.filter(pk=match.pk).update(state="finished")

    assert not post(FIRST_CARDS)
    assert not LiveState.objects.exists()


def test_a_link_whose_time_is_over_shows_nothing_more() -> None:
    a_tournament()
    Tournament.objects.update(link_hours=48)
    record_deal(
        actor=SERVER,
        scoresheet_id=the_match().scoresheet_id,
        text=a_text(dealer="N"),
        operation_id=uuid4(),
        at=AT,
    )
    clock = AT + timedelta(days=40)

    assert not post(FIRST_CARDS.replace('[Deal "1"]', '[Deal "2"]'), deal=2, at=clock)
    assert not LiveState.objects.exists()


def test_only_what_the_delay_needs_is_kept() -> None:
    a_tournament(delay=1)

    for number in range(30):
        post(FIRST_CARDS, sequence=number + 1, at=AT + timedelta(seconds=10 * number))

    assert LiveState.objects.count() == 7
    sweep_live_states(clock=lambda: AT + timedelta(hours=2))
    assert not LiveState.objects.exists()


def test_a_table_that_is_silent_for_an_hour_shows_no_deal_any_more() -> None:
    a_tournament(delay=1)
    post(FIRST_CARDS)

    assert seen(AT + timedelta(minutes=60)).deal is not None
    assert seen(AT + timedelta(minutes=62)).deal is None


def test_the_table_follows_the_match_that_is_played_there() -> None:
    a_tournament()
    first, second = the_match(), the_match(round_number=2)
    Match.objects.filter(pk=first.pk).update(state="finished")

    assert seen(AT).glance.uid == second.scoresheet.uid
    with pytest.raises(NotFound):
        seen(AT, table="99")


# -- the delay itself


def test_a_director_sets_the_delay_which_is_written_down_and_holds_for_all_scoresheets() -> None:
    tournament = a_tournament()
    director = a_director()

    change_live_delay(actor=director, slug="rang", live_delay=15, at=AT)

    tournament.refresh_from_db()
    delays = Scoresheet.objects.filter(collection=tournament.collection_id).values_list(
        "cards_delay", flat=True
    )
    entry = AuditEntry.objects.latest("pk")
    assert tournament.live_delay == 15
    assert set(delays) == {timedelta(minutes=15)}
    assert (entry.what, entry.detail["minutes"]) == ("live-delay", 15)


def test_nobody_else_sets_it_nor_is_it_below_nothing_or_longer_than_an_evening() -> None:
    a_tournament()
    with pytest.raises(Forbidden):
        change_live_delay(actor=as_actor(a_user()), slug="rang", live_delay=0, at=AT)
    for minutes in (-1, 241):
        with pytest.raises(BadDelay):
            change_live_delay(actor=SERVER, slug="rang", live_delay=minutes, at=AT)


def test_the_settings_page_takes_the_delay() -> None:
    tournament = a_tournament()
    director = a_director()
    browser = a_browser(User.objects.get(pk=director.user_id or 0))

    answer = browser.post("/tournaments/rang/manage/live/", {"live_delay": "5"}, follow=True)

    tournament.refresh_from_db()
    assert (answer.status_code, tournament.live_delay) == (200, 5)
    assert 'value="5"' in answer.content.decode()


# -- the pages


def page_of_the_table(table: str = "1") -> str:
    answer = a_browser(None).get(f"/tournaments/rang/tables/{table}/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_of_a_table_shows_the_cards_who_sits_there_and_whose_turn_it_is() -> None:
    a_tournament()
    post(FIRST_CARDS, at=timezone.now())

    page = page_of_the_table()

    assert re.findall(r'trick__play--(\w)"><svg class="card card--\w', page) == ["W", "S", "E"]
    assert re.search(r'place--N is-turn".*?Bilal Shah|place--N is-turn', page, re.DOTALL)
    assert "played the Eight of Hearts." in re.sub(r"<[^>]+>", "", page)


def test_the_page_says_how_far_behind_it_is_and_of_when() -> None:
    a_tournament(delay=2)
    at = timezone.now() - timedelta(minutes=2, seconds=5)
    post(FIRST_CARDS, at=at)

    page = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page_of_the_table()))

    assert "2 minutes behind by the director’s choice." in page
    assert re.search(r"As of \d\d:\d\d:\d\d, 2 minutes", page)


def test_the_scoresheets_page_shows_its_table_while_it_is_played() -> None:
    a_tournament()
    post(FIRST_CARDS, at=timezone.now())

    page = a_browser(None).get(f"/scoresheets/{the_match().scoresheet.uid}/").content.decode()

    assert "At the table now" in page
    assert "trick__play--W" in page


def test_a_private_tournaments_table_is_seen_by_its_own_only() -> None:
    a_tournament(visibility="private")

    assert a_browser(None).get("/tournaments/rang/tables/1/").status_code == 404


def test_a_table_that_nobody_can_have_is_not_there() -> None:
    a_tournament_with_links()

    assert a_browser(None).get("/tournaments/rang/tables/%00/").status_code == 404
