"""The pages on which a tournament is made and changed: what is carried along, refused, shown, and to whom."""

from http import HTTPStatus
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from courtpiece.accounts.models import Club, Role
from tests.accounts.builders import AT, a_browser, a_club, a_user
from tests.tournaments.builders import ASIF, CHAND, ERUM, GITA, a_scheduled_tournament
from tournaments.models import Entry, Match, PastRegulations, Session, Tournament

pytestmark = pytest.mark.django_db

URDU = "احمد علی & سارہ خان"
HINDI = "चाचा चौसर & मामा मोहरा"


def a_member(role: Role) -> Client:
    user = a_user(role.value.capitalize())
    Club.objects.get(slug="lahore").memberships.create(user=user, role=role, created_at=AT)
    return a_browser(user)


def text_of(response: Any) -> str:
    return str(response.content.decode())


def fields_of(client: Client, **query: str) -> dict[str, Any]:
    """Return what the page would send if nobody changed anything in it."""
    page = client.get(address(), query or {"preset": "round-robin"})
    forms = page.context["forms"]
    fields: dict[str, Any] = {"session": [str(number) for number, _form in forms.sessions.rows]}
    for form in (*forms.parts.values(), *(form for _number, form in forms.sessions.rows)):
        for bound in form:
            value = bound.value()
            if value is not None and value is not False and value != "":
                fields[bound.html_name] = "on" if value is True else value
    return {**fields, "name": "Friday Rang"}


def address() -> str:
    return reverse("tournaments:create", args=["lahore"])


def send(client: Client, do: str, fields: dict[str, Any]) -> Any:
    return client.post(address(), {**fields, "do": do})


def as_sent(review: Any, do: str) -> dict[str, Any]:
    """Return what the page that tells what was chosen sends with one of its buttons."""
    sent: dict[str, Any] = {"do": do, "act": str(review.context["act"])}
    for name, value in review.context["kept"]:
        sent.setdefault(name, []).append(value)
    return sent


def change(client: Client, what: str, **fields: Any) -> Any:
    return client.post(reverse(f"tournaments:{what}", args=["rang"]), fields)


def test_the_first_page_offers_presets_and_earlier_tournaments() -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk)

    page = text_of(a_member(Role.DIRECTOR).get(address()))

    assert "Groups, then knockout" in page
    assert '<option value="rang">Tuesday Rang</option>' in page


def test_a_director_looks_it_over_and_makes_it() -> None:
    a_club()
    client = a_member(Role.DIRECTOR)
    fields = fields_of(client) | {"pairs": f"{URDU}\n\n{HINDI}\n{ERUM}"}

    review = send(client, "review", fields)
    made = client.post(address(), as_sent(review, "make"))

    assert made["Location"] == reverse("tournaments:manage", args=["friday-rang"])
    assert Match.objects.count() == 3
    assert "What you have chosen" in text_of(review)
    assert "<bdi>احمد علی</bdi>" in text_of(review)
    assert "<bdi>मामा मोहरा</bdi>" in text_of(review)


def test_a_double_click_makes_one_tournament() -> None:
    a_club()
    client = a_member(Role.DIRECTOR)
    sent = as_sent(send(client, "review", fields_of(client)), "make")

    answers = [client.post(address(), sent) for _ in range(2)]

    assert [answer["Location"] for answer in answers] == [
        reverse("tournaments:manage", args=["friday-rang"])
    ] * 2
    assert Tournament.objects.count() == 1


def test_a_new_tournament_is_a_private_draft() -> None:
    a_club()
    client = a_member(Role.DIRECTOR)

    send(client, "make", fields_of(client))

    assert Tournament.objects.get().visibility == "private"


def test_going_back_to_change_something_loses_nothing() -> None:
    a_club()
    client = a_member(Role.DIRECTOR)
    fields = fields_of(client) | {"pairs": URDU, "rule-goon": "3", "tiebreaks": ["wins", "courts-for"]}

    page = send(client, "edit", as_sent(send(client, "review", fields), "edit"))

    forms = page.context["forms"]
    assert forms.parts["basics"]["name"].value() == "Friday Rang"
    assert forms.parts["pairs"]["pairs"].value() == URDU
    assert forms.parts["rules"]["rule-goon"].value() == "3"
    assert [choice.code for choice in forms.parts["scoring"].chosen] == ["wins", "courts-for"]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "\u202e"}, "Enter a name."),
        ({"rules_name": "bridge"}, "Select a valid choice."),
        ({"rules_name": "double-sir", "rule-first-claim": "12", "rule-last-claim": "3"}, "may not be after"),
        ({"rule-goon": "0"}, "greater than or equal to 1"),
        ({"pairs": "Asif and Bilal"}, "Write two names joined by"),
        ({"pairs": ASIF}, "A round robin needs two pairs or more."),
        ({"format": "single", "pairs": ASIF}, "One match is played by two pairs."),
        ({"pairs": f"{ASIF}\nAsif Khan & Dev Patel"}, "A player stands there in two pairs."),
        ({"pairs": f"{ASIF}\n? & Dev Patel"}, "A name has at least one letter"),
        ({"format": "ladder"}, "Select a valid choice."),
        ({"format": "swiss", "swiss-rounds": "100"}, "less than or equal to 99"),
        ({"format": "league", "league-sessions": "3", "league-best_of": "9"}, "More sessions would count"),
        (
            {"format": "groups-knockout", "groups-knockout-groups": "1", "groups-knockout-qualifiers": "1"},
            "alone",
        ),
        ({"match_kind": "courts", "match_amount": "100"}, "too small or too large"),
        ({"tiebreaks": ["buchholz"]}, "everybody meets the same opponents"),
        ({"tiebreaks": ["luck"]}, "There is no such ranking or tie-break."),
        ({"ranking": "session-points"}, "Only a league"),
        ({"session-0-starts_at": "tomorrow"}, "Enter a valid date/time."),
        ({"session-0-kind": "deals"}, "Say how many."),
        ({"session-0-kind": "courts", "session-0-amount": "100"}, "too many"),
    ],
)
def test_what_cannot_be_made_is_said_beside_its_field(fields: dict[str, Any], words: str) -> None:
    a_club()
    client = a_member(Role.DIRECTOR)

    response = send(client, "make", fields_of(client) | fields)

    assert response.status_code == HTTPStatus.OK
    assert words in text_of(response)
    assert not Tournament.objects.exists()


def test_what_is_wrong_with_another_format_does_not_count() -> None:
    a_club()
    client = a_member(Role.DIRECTOR)

    response = send(client, "make", fields_of(client) | {"swiss-rounds": "many"})

    assert response.status_code == HTTPStatus.FOUND


def test_options_that_were_left_alone_follow_the_game() -> None:
    a_club()
    client = a_member(Role.DIRECTOR)

    send(client, "make", fields_of(client) | {"rules_name": "hidden-rung", "rule-goon": "3"})

    assert Tournament.objects.get().rules == "hidden-rung goon=3"


@pytest.mark.parametrize(
    ("do", "order"),
    [
        ("up:courts-for", ["courts-for", "courts-difference", "head-to-head", "deals-won"]),
        ("up:courts-difference", ["courts-difference", "courts-for", "head-to-head", "deals-won"]),
        ("down:courts-for", ["courts-difference", "head-to-head", "courts-for", "deals-won"]),
        ("down:deals-won", ["courts-difference", "courts-for", "head-to-head", "deals-won"]),
        ("without:head-to-head", ["courts-difference", "courts-for", "deals-won"]),
        ("with", ["courts-difference", "courts-for", "head-to-head", "deals-won", "bavneys"]),
        ("up:luck", ["courts-difference", "courts-for", "head-to-head", "deals-won"]),
    ],
)
def test_tie_breaks_are_put_in_order_by_buttons(do: str, order: list[str]) -> None:
    a_club()
    client = a_member(Role.DIRECTOR)

    page = send(client, do, fields_of(client) | {"name": "", "another": "bavneys"})

    assert [choice.code for choice in page.context["forms"].parts["scoring"].chosen] == order
    assert "This field is required." not in text_of(page)


def test_sessions_are_added_and_dropped_by_buttons() -> None:
    a_club()
    client = a_member(Role.DIRECTOR)
    fields = fields_of(client) | {"session": ["0", "3"], "session-3-place": "Hall B"}

    more = send(client, "session", fields).context["forms"].sessions
    fewer = send(client, "drop:0", fields).context["forms"].sessions

    assert [number for number, _form in more.rows] == [0, 3, 4]
    assert [(number, form["place"].value()) for number, form in fewer.rows] == [(3, "Hall B")]


def test_a_start_is_the_clock_on_the_wall_of_the_club() -> None:
    a_club()
    client = a_member(Role.DIRECTOR)

    send(client, "make", fields_of(client) | {"session-0-starts_at": "2026-12-08T19:30"})

    start = Session.objects.get().starts_at
    assert start is not None
    assert start.isoformat() == "2026-12-08T14:30:00+00:00"


def test_a_seed_is_drawn_and_told_where_lots_are_drawn() -> None:
    a_club()
    client = a_member(Role.DIRECTOR)

    review = send(client, "review", fields_of(client) | {"tiebreaks": ["draw-of-lots"]})
    client.post(address(), as_sent(review, "make"))

    seed = Tournament.objects.get().lot_seed
    assert seed is not None
    assert f"Lots are drawn from the seed {seed}" in text_of(review)


def test_a_copy_begins_from_an_earlier_tournament() -> None:
    a_scheduled_tournament(ASIF, HINDI, club_id=a_club().pk, rules="double-sir goon=3")
    client = a_member(Role.DIRECTOR)
    fields = fields_of(client, copy="rang", starts_on="2026-12-08", with_pairs="on")

    made = send(client, "make", fields)

    again = Tournament.objects.get(slug="friday-rang")
    assert made.status_code == HTTPStatus.FOUND
    assert (again.rules, again.format) == ("double-sir goon=3", "round-robin")
    assert Entry.objects.filter(tournament=again).count() == 2


def test_another_clubs_tournament_is_not_copied() -> None:
    a_club()
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club("karachi").pk)

    page = a_member(Role.DIRECTOR).get(address(), {"copy": "rang"})

    assert "forms" not in page.context


def test_making_one_needs_a_director_of_the_club() -> None:
    a_club()
    other = a_user("Other")
    a_club("karachi", members=[(other, Role.DIRECTOR)])

    assert a_browser().get(address()).status_code == HTTPStatus.FOUND
    for client in (a_browser(a_user()), a_browser(other), a_member(Role.PLAYER), a_member(Role.SCORER)):
        assert client.get(address()).status_code == HTTPStatus.NOT_FOUND
        assert client.post(address(), {"do": "make"}).status_code == HTTPStatus.NOT_FOUND
    assert a_member(Role.DIRECTOR).get(address()).status_code == HTTPStatus.OK


@pytest.mark.parametrize("earlier", [1, 3])
def test_the_pages_of_making_ask_the_database_as_often_whatever_there_is(
    earlier: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    club = a_club()
    for number in range(earlier):
        a_scheduled_tournament(ASIF, CHAND, club_id=club.pk, slug=f"rang-{number}")
    client = a_member(Role.DIRECTOR)
    client.get(address())

    with django_assert_num_queries(5):
        client.get(address())
    with django_assert_num_queries(4):
        client.get(address(), {"preset": "league"})


def test_a_forecast_is_shown_before_it_is_made() -> None:
    a_club()
    client = a_member(Role.DIRECTOR)
    review = send(client, "review", fields_of(client))

    page = client.post(address(), as_sent(review, "forecast") | {"entries": "5"})

    forecast = page.context["forecast"].asked
    assert (forecast.entries, forecast.rounds, forecast.matches, forecast.byes) == (5, 5, 10, 5)
    assert "matches that nobody played" in text_of(page)


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ("1", "greater than or equal to 2"),
        ("201", "less than or equal to 200"),
        ("150", "too much to be tried"),
    ],
)
def test_a_forecast_is_bounded(entries: str, words: str) -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk, cycles=2)

    page = a_member(Role.DIRECTOR).get(reverse("tournaments:forecast", args=["rang"]), {"entries": entries})

    assert words in text_of(page)
    assert page.context.get("forecast") is None


def test_a_forecast_of_settings_says_what_does_not_suit_the_plan() -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk, format="single")

    page = a_member(Role.DIRECTOR).get(reverse("tournaments:forecast", args=["rang"]), {"entries": "5"})

    assert "One match is between two pairs." in text_of(page)


def test_the_settings_show_everything_and_ask_the_database_as_often(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    club = a_club()
    a_scheduled_tournament(URDU, HINDI, club_id=club.pk, slug="one")
    a_scheduled_tournament(ASIF, CHAND, ERUM, GITA, club_id=club.pk, slug="two")
    client = a_member(Role.DIRECTOR)

    for slug in ("one", "two"):
        with django_assert_num_queries(15):
            page = client.get(reverse("tournaments:settings", args=[slug]))

        assert "A round is drawn: the format stays as it is." in text_of(page)


def test_publishing_is_an_act_of_its_own() -> None:
    a_scheduled_tournament(ASIF, CHAND, club_id=a_club().pk, visibility="private")
    client = a_member(Role.DIRECTOR)

    published = change(client, "publish", visibility="unlisted", act=str(uuid4()))

    assert published.status_code == HTTPStatus.FOUND
    assert Tournament.objects.get().visibility == "unlisted"


def test_the_rules_can_be_changed_before_a_match_is_made() -> None:
    a_scheduled_tournament(club_id=a_club().pk)
    client = a_member(Role.DIRECTOR)

    changed = change(client, "change_rules", rules_name="double-sir", rules_base="court-piece")

    assert changed.status_code == HTTPStatus.FOUND
    assert Tournament.objects.get().rules == "double-sir"


def test_the_format_can_be_changed_and_what_another_did_is_shown() -> None:
    a_scheduled_tournament(club_id=a_club().pk)
    client = a_member(Role.DIRECTOR)
    made_on = client.get(reverse("tournaments:settings", args=["rang"])).context["made"].plan_made_on

    saved = change(client, "change_plan", format="knockout", made_on=made_on)
    refused = change(client, "change_plan", format="league", made_on=made_on)

    assert saved.status_code == HTTPStatus.FOUND
    assert Tournament.objects.get().format == "knockout"
    assert "Somebody else changed the format meanwhile." in text_of(refused)
    assert "Knockout: who loses is out." in text_of(refused)


def test_the_sessions_can_be_changed_and_what_another_did_is_shown() -> None:
    a_scheduled_tournament(club_id=a_club().pk)
    client = a_member(Role.DIRECTOR)
    made_on = client.get(reverse("tournaments:settings", args=["rang"])).context["made"].sessions_made_on
    fields = {"session": ["0", "1"], "session-0-place": "گلمہر کلب", "made_on": made_on}

    more = change(client, "change_sessions", **fields, do="session")
    saved = change(client, "change_sessions", **fields)
    refused = change(client, "change_sessions", **{**fields, "session-0-place": "Hall"})

    assert len(more.context["forms"]["sessions"].rows) == 3
    assert saved.status_code == HTTPStatus.FOUND
    assert "Somebody else changed the sessions meanwhile." in text_of(refused)
    assert list(Session.objects.order_by("number").values_list("place", flat=True)) == ["گلمہر کلب", ""]


def test_tie_breaks_of_the_settings_are_moved_by_buttons_and_saved() -> None:
    a_scheduled_tournament(club_id=a_club().pk)
    client = a_member(Role.DIRECTOR)
    worth = {"ranking": "match-points", "win": "2", "draw": "1", "loss": "0", "bye": "2"}
    fields: dict[str, Any] = {**worth, "tiebreaks": ["wins", "bavneys"]}

    moved = change(client, "change_scoring", **fields, do="down:wins")
    saved = change(client, "change_scoring", **fields)

    assert [choice.code for choice in moved.context["forms"]["scoring"].chosen] == ["bavneys", "wins"]
    assert saved.status_code == HTTPStatus.FOUND
    assert Tournament.objects.get().tiebreaks == ["wins", "bavneys"]
    assert not PastRegulations.objects.exists()


def test_tie_breaks_that_do_not_fit_are_refused_in_the_settings() -> None:
    a_scheduled_tournament(club_id=a_club().pk)
    worth = {"ranking": "match-points", "win": "2", "draw": "1", "loss": "0", "bye": "2"}

    refused = change(a_member(Role.DIRECTOR), "change_scoring", **worth, tiebreaks=["buchholz"])

    assert "everybody meets the same opponents" in text_of(refused)


def test_entering_is_opened_to_players() -> None:
    a_scheduled_tournament(club_id=a_club().pk)

    change(a_member(Role.DIRECTOR), "change_entering", players_may_enter="on", appeal_minutes="15")

    made = Tournament.objects.get()
    assert (made.players_may_enter, made.appeal_minutes) == (True, 15)


@pytest.mark.parametrize(
    "what", ["publish", "change_plan", "change_rules", "change_sessions", "change_entering", "change_scoring"]
)
def test_changing_needs_a_director_of_the_club(what: str) -> None:
    a_scheduled_tournament(club_id=a_club().pk)
    other = a_user("Other")
    a_club("karachi", members=[(other, Role.DIRECTOR)])

    assert change(a_browser(), what).status_code == HTTPStatus.FOUND
    for client in (a_browser(other), a_member(Role.PLAYER), a_member(Role.SCORER)):
        assert change(client, what, visibility="public").status_code == HTTPStatus.NOT_FOUND


def test_a_forecast_needs_a_director() -> None:
    a_scheduled_tournament(club_id=a_club().pk)
    here = reverse("tournaments:forecast", args=["rang"])

    assert a_browser().get(here).status_code == HTTPStatus.FOUND
    assert a_member(Role.SCORER).get(here).status_code == HTTPStatus.NOT_FOUND
    assert a_member(Role.DIRECTOR).get(here).status_code == HTTPStatus.OK
