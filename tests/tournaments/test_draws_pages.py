"""The page on which rounds are drawn: what it shows, to whom, and what its buttons do."""

from http import HTTPStatus
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.models import Club, Role
from courtpiece.accounts.permissions import SERVER
from scoring.operations import advance_collection, find_or_make_partnerships
from tests.accounts.builders import AT, a_browser, a_club, a_user
from tests.tournaments.drawn import SLUG, a_round, a_tournament, draft, finish_all
from tournaments.models import Absence, Draft, Match, Round, RoundClock, Wish
from tournaments.operations.running import enter_pairs

pytestmark = pytest.mark.django_db


def a_member(role: Role) -> Client:
    user = a_user(role.value.capitalize())
    Club.objects.get(slug="lahore").memberships.create(user=user, role=role, created_at=AT)
    return a_browser(user)


def see(client: Client, query: str = "") -> Any:
    return client.get(reverse("tournaments:draw", args=[SLUG]) + query)


def send(client: Client, name: str, *arguments: int, **data: object) -> Any:
    return client.post(reverse(f"tournaments:{name}", args=[SLUG, *arguments]), data)


def text_of(response: Any) -> str:
    return str(response.content.decode())


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("draw", ()),
        ("draw_draft", ()),
        ("draw_again", ()),
        ("draw_discard", ()),
        ("draw_publish", ()),
        ("draw_publish_all", ()),
        ("draw_take_back", ()),
        ("draw_swap", ()),
        ("draw_wish", ()),
        ("draw_lift", (1,)),
        ("draw_away", ()),
        ("draw_back", (1,)),
    ],
)
def test_only_the_clubs_directors_reach_draws(name: str, arguments: tuple[int, ...]) -> None:
    a_tournament("swiss", 4, rounds=2)
    other = a_user("Other")
    a_club("karachi", members=[(other, Role.DIRECTOR)])
    address = reverse(f"tournaments:{name}", args=[SLUG, *arguments])
    data = {
        "act": str(uuid4()),
        "version": "1",
        "seed": "1",
        "session": "1",
        "number": "1",
        "first": "1",
        "second": "2",
        "what": "entries",
        "kind": "apart",
        "rounds": "every",
        "entry": "1",
        "reason": "because",
    }

    def reach(client: Client) -> int:
        response = client.get(address) if name == "draw" else client.post(address, data)
        return int(response.status_code)

    assert reach(a_browser()) == HTTPStatus.FOUND
    assert reach(a_browser(other)) == HTTPStatus.NOT_FOUND
    assert reach(a_member(Role.PLAYER)) == HTTPStatus.NOT_FOUND
    assert reach(a_member(Role.SCORER)) == HTTPStatus.NOT_FOUND
    assert (Draft.objects.count(), Wish.objects.count(), Absence.objects.count()) == (0, 0, 0)


def test_a_director_draws_looks_and_publishes() -> None:
    a_tournament("swiss", 5, rounds=3)
    director = a_member(Role.DIRECTOR)

    before = text_of(see(director))
    drawn = send(director, "draw_draft", act=uuid4(), seed="4711")
    shown = text_of(see(director))
    published = send(director, "draw_publish", act=uuid4(), version="1", session="1")

    assert "Draw: Round 1" in before
    assert drawn.status_code == published.status_code == HTTPStatus.FOUND
    assert "Both have 0 points." in shown
    assert "deals first" in shown
    assert "Bye: no opponent is left." in shown
    assert "4711" in shown
    assert Match.objects.count() == 2
    assert Round.objects.get().seed == 4711


def test_what_blocks_the_next_round_is_said() -> None:
    a_tournament("swiss", 4, rounds=3)
    a_round()

    shown = text_of(see(a_member(Role.DIRECTOR)))

    assert "Round 1, table \u20681\u2069 is not finished" in shown
    assert "Round 1, table \u20682\u2069 is not finished" in shown
    assert "Take round 1 back" in shown


def test_when_everything_is_played_nothing_is_left() -> None:
    a_tournament("swiss", 4, rounds=1)
    finish_all(a_round())

    assert "All rounds are played" in text_of(see(a_member(Role.DIRECTOR)))


def test_a_refusal_is_shown_with_the_page_as_it_is_now() -> None:
    a_tournament("swiss", 4, rounds=3)
    director = a_member(Role.DIRECTOR)
    draft()

    refused = send(director, "draw_draft", act=uuid4(), seed="1")
    wrong = send(director, "draw_draft", act=uuid4(), seed="-1")
    stale = send(director, "draw_publish", act=uuid4(), version="7", session="1")

    assert refused.status_code == stale.status_code == HTTPStatus.CONFLICT
    assert wrong.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Round 1 is drafted already" in text_of(refused)
    assert "Both have 0 points." in text_of(refused)
    assert "The draft was changed meanwhile" in text_of(stale)


def test_two_picked_pairs_show_what_a_swap_would_change() -> None:
    a_tournament("swiss", 6, rounds=3)
    director = a_member(Role.DIRECTOR)
    draft()

    shown = text_of(see(director, "?pick=4&pick=5&what=entries"))
    swapped = send(
        director,
        "draw_swap",
        act=uuid4(),
        version="1",
        first="4",
        second="5",
        what="entries",
        reason="wheelchair at table 1",
    )

    assert "What the swap would change" in shown
    assert "After the swap" in shown
    assert swapped.status_code == HTTPStatus.FOUND
    after = text_of(see(director))
    assert "changed by hand" in after
    assert "wheelchair at table 1" in after


@pytest.mark.parametrize("query", ["?pick=4", "?pick=1&pick=2&pick=3", "?pick=x&pick=y", "?pick=1&pick=77"])
def test_other_picks_are_answered_in_words(query: str) -> None:
    a_tournament("swiss", 6, rounds=3)
    draft()

    assert "Pick two pairs of the draft." in text_of(see(a_member(Role.DIRECTOR), query))


def test_a_swap_without_a_reason_keeps_what_was_picked() -> None:
    a_tournament("swiss", 6, rounds=3)
    draft()
    data = {"act": uuid4(), "version": "1", "first": "4", "second": "5", "what": "entries", "reason": " "}

    refused = send(a_member(Role.DIRECTOR), "draw_swap", **data)

    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert 'name="first" value="4"' in text_of(refused)


def test_drawing_again_and_throwing_away() -> None:
    a_tournament("swiss", 6, rounds=3)
    director = a_member(Role.DIRECTOR)
    draft()

    send(director, "draw_again", act=uuid4(), version="1", seed="99")
    again = Draft.objects.get()
    send(director, "draw_discard", version="2")

    assert (again.version, again.seed) == (2, 99)
    assert Draft.objects.count() == 0


def test_a_draft_that_is_behind_asks_to_be_confirmed() -> None:
    tournament = a_tournament("swiss", 4, rounds=3)
    director = a_member(Role.DIRECTOR)
    draft()
    advance_collection(collection_id=tournament.collection_id)

    shown = text_of(see(director))
    refused = send(director, "draw_publish", act=uuid4(), version="1", session="1")
    done = send(director, "draw_publish", act=uuid4(), version="1", session="1", confirmed="on")

    assert "Results or entries changed since this was drawn" in shown
    assert refused.status_code == HTTPStatus.CONFLICT
    assert done.status_code == HTTPStatus.FOUND


def test_a_schedule_is_published_at_once_and_a_round_is_taken_back() -> None:
    a_tournament("round-robin", 4)
    director = a_member(Role.DIRECTOR)

    assert "Publish all 3 rounds at once" in text_of(see(director))
    send(director, "draw_publish_all", act=uuid4(), seed="3", session="1")
    assert Round.objects.count() == 3
    last = see(director).context["take_back_form"].initial
    send(director, "draw_take_back", act=uuid4(), **last)
    assert Round.objects.count() == 2
    assert last["number"] == 3


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("draw_away", {"entry": "3", "kind": "requested"}),
        (
            "draw_wish",
            {"kind": "apart", "first": "1", "second": "2", "rounds": "next", "reason": "they are sisters"},
        ),
    ],
)
def test_what_was_said_of_a_round_that_was_published_meanwhile_is_not_taken_for_the_next(
    name: str, data: dict[str, str]
) -> None:
    a_tournament("swiss", 6, rounds=3)
    director = a_member(Role.DIRECTOR)
    a_round()

    refused = send(director, name, act=uuid4(), round="1", **data)
    again = refused.context[name.replace("draw_", "") + "_form"]["round"].value()

    assert refused.status_code == HTTPStatus.CONFLICT
    assert "Round 1 is published already." in text_of(refused)
    assert (again, Absence.objects.count(), Wish.objects.count()) == ("2", 0, 0)


def test_what_was_said_of_a_pair_and_taken_back_does_not_come_again() -> None:
    a_tournament("swiss", 6, rounds=3)
    director = a_member(Role.DIRECTOR)
    away = {"act": str(uuid4()), "round": "1", "entry": "3", "kind": "requested"}

    send(director, "draw_away", **away)
    send(director, "draw_back", 3, act=str(uuid4()), round="1")
    replayed = send(director, "draw_away", **away)

    assert replayed.status_code == HTTPStatus.FOUND
    assert Absence.objects.count() == 0


def test_wishes_and_absences_are_kept_and_lifted() -> None:
    a_tournament("swiss", 6, rounds=3)
    director = a_member(Role.DIRECTOR)

    send(
        director,
        "draw_wish",
        act=uuid4(),
        kind="apart",
        first="1",
        second="2",
        rounds="next",
        reason="they are sisters",
        round="1",
    )
    send(director, "draw_away", act=uuid4(), entry="3", kind="requested", round="1")
    shown = text_of(see(director))
    wish = Wish.objects.get()

    assert "they are sisters" in shown
    assert wish.round_number == 1
    assert Absence.objects.get().kind == "requested"
    send(director, "draw_lift", wish.pk)
    send(director, "draw_back", 3, round="1")
    assert (Wish.objects.count(), Absence.objects.count()) == (0, 0)


def test_a_wish_that_is_refused_keeps_what_was_entered() -> None:
    a_tournament("swiss", 6, rounds=3)

    refused = send(
        a_member(Role.DIRECTOR),
        "draw_wish",
        act=uuid4(),
        kind="apart",
        first="1",
        second="1",
        rounds="every",
        reason="they are one",
        round="1",
    )

    assert refused.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "Choose two different pairs." in text_of(refused)
    assert "they are one" in text_of(refused)


@pytest.mark.parametrize("pairs", [2, 6])
def test_the_page_takes_the_same_queries_whatever_its_size(
    pairs: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    a_tournament("swiss", pairs, rounds=1)
    director = a_member(Role.DIRECTOR)
    draft()

    for queries in (21, 16):  # what was played is kept
        with django_assert_num_queries(queries):
            assert see(director).status_code == HTTPStatus.OK


def test_names_of_every_script_stand_in_the_draft() -> None:
    tournament = a_tournament("swiss", 2, rounds=1)
    names = [("چاچا چوسر", "ماما مہرا"), ("चाचा चौसर", "मामा मोहरा")]
    found = find_or_make_partnerships(actor=SERVER, club_id=tournament.club_id, names=names, at=AT)
    enter_pairs(tournament, [pair.partnership_id for pair in found.pairs])
    draft()

    shown = text_of(see(a_member(Role.DIRECTOR)))

    assert "<bdi>چاچا چوسر</bdi>" in shown
    assert "<bdi>चाचा चौसर</bdi>" in shown


def test_the_page_of_the_tournament_says_why_and_who_deals_first() -> None:
    a_tournament("swiss", 5, rounds=3)
    finish_all(a_round())
    finish_all(a_round())
    RoundClock.objects.all().delete()

    shown = text_of(a_browser().get(reverse("tournaments:tournament", args=[SLUG]) + "?round=2"))

    assert "Why this match" in shown
    assert "deals first." in shown
    assert "Bye: no opponent is left." in shown
    assert "floats down" in shown
