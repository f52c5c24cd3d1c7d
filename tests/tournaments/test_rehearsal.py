"""A whole Swiss, from the entries to final standings, and again from its records."""

from io import StringIO
from random import Random

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from courtpiece.accounts.permissions import SERVER
from scoring import auditing
from tests.accounts.builders import AT, a_club
from tests.tournaments.builders import whole_page
from tournaments.models import Match, Tournament
from tournaments.operations.auditing import audit_standings
from tournaments.operations.rehearsal import Event, play_event
from tournaments.operations.standings import bring_up_to_date

pytestmark = pytest.mark.django_db(transaction=True)

SMALL = Event(entries=12, rounds=3, deals=3)


def test_an_event_goes_from_its_entries_to_final_standings() -> None:
    rounds = list(play_event(actor=SERVER, club_id=a_club().pk, event=SMALL, rng=Random(5), at=AT))
    bring_up_to_date(slug="rehearsal", now=AT)

    page = whole_page("rehearsal")
    assert rounds == [1, 2, 3]
    assert page.front.matches == {"scheduled": 18, "finished": 18, "open": 0, "void": 0}
    assert page.standings.answer["status"] == "final"
    assert {row["played"] for row in page.standings.answer["rows"]} == {3}
    met = Match.objects.values_list("ns__number", "ew__number")
    assert len({frozenset(pair) for pair in met}) == 18


def test_what_was_stored_is_what_the_records_say() -> None:
    list(play_event(actor=SERVER, club_id=a_club().pk, event=SMALL, rng=Random(6), at=AT))
    bring_up_to_date(slug="rehearsal", now=AT)
    collection = Tournament.objects.get().collection_id

    assert list(auditing.audit_scoresheets(auditing.scoresheet_ids())) == []
    assert audit_standings(collection_id=collection, now=AT) == ()


def test_the_command_plays_an_event_and_says_how_long_it_took() -> None:
    a_club("kotla")
    out = StringIO()

    call_command("simulate_event", club="kotla", entries=7, rounds=2, deals=1, stdout=out)

    assert "The tournament is at /tournaments/rehearsal/" in out.getvalue()
    assert out.getvalue().count("drawn and published") == 2


def test_the_command_says_which_club_there_is_not() -> None:
    with pytest.raises(CommandError, match="there is no club nowhere"):
        call_command("simulate_event", club="nowhere")


def test_a_second_event_of_the_same_address_is_refused_in_a_sentence() -> None:
    a_club("kotla")
    call_command("simulate_event", club="kotla", entries=4, rounds=1, deals=1, stdout=StringIO())

    with pytest.raises(CommandError, match="Another tournament has this address"):
        call_command("simulate_event", club="kotla", entries=4, rounds=1, deals=1, stdout=StringIO())
