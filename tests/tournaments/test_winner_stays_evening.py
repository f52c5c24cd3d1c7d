"""The evening where the winner stays: its one clock, its tables that are each at a round of their own."""

from uuid import UUID

import pytest

from courtpiece.accounts.permissions import SERVER
from tests.accounts.builders import AT
from tests.tournaments.drawn import SLUG, a_round, a_tournament, finish
from tournaments import queries
from tournaments.models import Match
from tournaments.operations.clocks import ClockTurn, turn_clock
from tournaments.queries import Step

pytestmark = pytest.mark.django_db


def an_evening() -> None:
    """Make one of six pairs at two tables, of which the first is at its second match."""
    a_tournament("winner-stays", 6, tables=2, minutes=45)
    finish(Match.objects.get(round=a_round(), table="1"))


def turn(action: str, version: int) -> None:
    turn_clock(actor=SERVER, slug=SLUG, round_number=1, turn=ClockTurn(action=action, version=version), at=AT)


def finish_what_is_open() -> None:
    for match in Match.objects.filter(state="open").select_related("ns", "ew", "scoresheet"):
        finish(match)


def match_at(table: str) -> UUID:
    return Match.objects.get(state="open", table=table).uid


def test_the_room_shows_every_table_whichever_round_it_is_at() -> None:
    an_evening()

    room = queries.room_page(SLUG, actor=SERVER, now=AT)
    alone = queries.room_page(SLUG, actor=SERVER, now=AT, round_number=2)

    assert [(line.table, line.is_open) for line in room.tables] == [("1", True), ("2", True)]
    assert [line.table for line in alone.tables] == ["1"]


def test_a_table_is_found_by_its_number_whichever_round_it_is_at() -> None:
    an_evening()

    found = [queries.find_match(SLUG, table, actor=SERVER) for table in ("1", "2")]

    assert found == [match_at("1"), match_at("2")]


def test_the_clock_is_that_of_the_whole_evening() -> None:
    an_evening()
    finish(Match.objects.get(uid=match_at("2")))

    clock = queries.run_page(SLUG, actor=SERVER, now=AT).clock

    assert clock is not None
    assert (clock.round.number, clock.minutes) == (1, 45)


def test_the_evening_is_closed_when_its_clock_has_ended_and_its_matches_are_over() -> None:
    an_evening()
    turn("start", 0)
    turn("end", 1)
    finish_what_is_open()

    step = queries.run_page(SLUG, actor=SERVER, now=AT).step

    assert step is Step.CLOSE
