"""What the page that makes a tournament is sent by nobody who only presses its buttons."""

from http import HTTPStatus
from typing import Any, Final

import pytest
from django.urls import reverse

from courtpiece.accounts.models import Role
from tests.accounts.builders import a_club
from tests.tournaments.builders import a_scheduled_tournament
from tests.tournaments.test_creating_pages import a_member, address, fields_of, send, text_of
from tournaments.models import Session, Tournament

pytestmark = pytest.mark.django_db

LONG: Final = "9" * 5000
"""More digits than Python makes a number of."""


@pytest.mark.parametrize("sessions", [[LONG], ["0", LONG], ["9999"], ["-1"], ["²"]])
def test_a_session_is_added_whatever_the_others_are_called(sessions: list[str]) -> None:
    a_scheduled_tournament(club_id=a_club().pk)
    director = a_member(Role.DIRECTOR)

    page = send(director, "session", {**fields_of(director), "session": sessions})

    assert page.status_code == HTTPStatus.OK


@pytest.mark.parametrize(
    "start", ["0001-01-01T00:00", "1899-12-31T23:59", "3000-01-01T00:00", "9999-12-31T23:59"]
)
def test_a_session_in_a_year_that_was_mistyped_is_refused(start: str) -> None:
    a_scheduled_tournament(club_id=a_club().pk)
    director = a_member(Role.DIRECTOR)
    fields = fields_of(director)
    session = fields["session"][0]

    page = send(director, "make", {**fields, f"session-{session}-starts_at": start})

    assert "Choose a year from 1900 to 2999." in text_of(page)
    assert Tournament.objects.count() == 1


@pytest.mark.parametrize("day", ["0001-01-01", "9999-12-31", "2999-12-31"])
def test_a_copy_begins_on_any_day_or_says_why_not(day: str) -> None:
    a_scheduled_tournament(club_id=a_club().pk)
    director = a_member(Role.DIRECTOR)
    tournament = Tournament.objects.get()
    for number, start in [(1, "2026-11-30T14:00:00Z"), (2, "2027-11-30T14:00:00Z")]:
        Session.objects.update_or_create(tournament=tournament, number=number, defaults={"starts_at": start})

    page: Any = director.get(address(), {"copy": tournament.slug, "starts_on": day})

    assert page.status_code == HTTPStatus.OK
    assert ("forms" in page.context) == (day == "2999-12-31")


@pytest.mark.parametrize("start", ["0001-01-01T00:00", "9999-12-31T23:59"])
def test_a_session_is_not_moved_to_a_year_that_was_mistyped(start: str) -> None:
    a_scheduled_tournament(club_id=a_club().pk)
    director = a_member(Role.DIRECTOR)

    director.post(
        reverse("tournaments:change_sessions", args=["rang"]),
        {"session": "0", "session-0-starts_at": start, "made_on": "x"},
    )

    assert list(Session.objects.values_list("starts_at", flat=True)) == [None]
