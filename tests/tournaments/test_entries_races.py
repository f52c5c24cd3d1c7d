"""Two at once: a pair enters once, a player asks once, and of two directors the second sees the first."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from courtpiece.accounts.permissions import SERVER
from courtpiece.accounts.refusals import Refused
from tests.accounts.builders import AT
from tests.tournaments.test_entries import ASIF, CHAND, a_player, a_tournament, ask, pairs_of, states, take
from tests.tournaments.test_races import at_once
from tournaments.models import Entry
from tournaments.operations.check_in import check_in
from tournaments.operations.entries import answer_request, take_entries

pytestmark = pytest.mark.django_db(transaction=True)


def named(call: Callable[[], object]) -> str:
    """Return what came of the call: the name of the refusal, or nothing."""
    try:
        call()
    except Refused as refused:
        return type(refused).__name__
    return ""


def test_one_act_sent_four_times_at_once_enters_its_pairs_once() -> None:
    a_tournament()
    act = uuid4()

    def send() -> tuple[int, ...]:
        return take_entries(actor=SERVER, slug="winter", pairs=pairs_of(ASIF, CHAND), act_id=act, at=AT)

    answers = at_once(send, send, send, send)

    assert answers == [(1, 2)] * 4
    assert Entry.objects.count() == 2


def test_of_two_directors_who_enter_a_player_at_once_the_second_is_told() -> None:
    a_tournament()

    outcomes = at_once(
        lambda: named(lambda: take(ASIF)), lambda: named(lambda: take(("Asif Khan", "Erum Emerald")))
    )

    assert sorted(outcomes) == ["", "EntriesRefused"]
    assert Entry.objects.count() == 1


def test_a_player_who_asks_twice_at_once_asks_once() -> None:
    a_tournament()
    player = a_player()

    outcomes = at_once(lambda: named(lambda: ask(player)), lambda: named(lambda: ask(player)))

    assert sorted(outcomes) == ["", "AlreadyAsked"]
    assert states() == [(1, "requested")]


def test_of_two_answers_at_once_one_is_given() -> None:
    a_tournament()
    ask(a_player())

    def answer(*, accept: bool) -> str:
        return named(
            lambda: answer_request(actor=SERVER, slug="winter", entry=1, accept=accept, version=0, at=AT)
        )

    outcomes = at_once(lambda: answer(accept=True), lambda: answer(accept=False))

    assert sorted(outcomes) == ["", "ChangedMeanwhile"]


def test_two_taps_on_one_pair_check_it_in() -> None:
    a_tournament()
    take(ASIF)

    def tap() -> None:
        check_in(actor=SERVER, slug="winter", entry=1, is_there=True, at=AT)

    at_once(tap, tap)

    assert list(Entry.objects.values_list("checked_in_at", "version")) == [(AT, 1)]
