"""A deal that goes on: with and without its hands the same lies on the table."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from courtpiece.engine import DealFacts, DealState, Seat, state_so_far
from courtpiece.engine.state import ImpossibleDealError
from courtpiece.notation import Record, read

GOLDEN = Path(__file__).parents[1] / "golden"


def a_record(text: str) -> Record:
    record = next(read(text)).record
    assert record is not None
    return record


def golden_deals() -> Iterator[Record]:
    for path in sorted((GOLDEN / "cases" / "good").rglob("*.pcn"))[::4]:
        for reading in read(path.read_bytes()):
            record = reading.record
            if record and record.facts.tricks and record.facts.hands and record.finding().outcome:
                yield record


def what_lies(state: DealState) -> tuple[object, ...]:
    return (
        state.turn,
        state.trump,
        state.indicator,
        state.current_trick,
        state.last_trick,
        state.tricks,
        state.pile,
        state.is_over,
        state.table_winners,
    )


def prefixes(facts: DealFacts) -> Iterator[DealFacts]:
    tricks = facts.tricks or ()
    for number, plays in enumerate(tricks):
        for place in range(len(plays)):
            yield facts._replace(tricks=(*tricks[:number], plays[: place + 1]), claim=None)


def has_no_revoke(record: Record) -> bool:
    return not record.states()[-1].revokes


def test_after_every_card_the_table_looks_the_same_whether_the_hands_are_told_or_not() -> None:
    checked = 0
    for record in golden_deals():
        if not has_no_revoke(record):
            continue
        for facts in list(prefixes(record.facts))[::7]:
            assert what_lies(state_so_far(facts._replace(hands=None))) == what_lies(state_so_far(facts))
            checked += 1

    assert checked > 100


SPADES = '[Deal "1"]\n[Dealer "N"]\n[Trump "S"]\n\n'


def test_whoever_plays_a_suit_after_not_having_followed_it_has_revoked() -> None:
    state = state_so_far(a_record(SPADES + "1. HA C2 H2 H3\n2. H4 HK H5 H6\n*\n").facts)

    assert [(one.seat, one.trick) for one in state.revokes] == [(Seat.S, 1)]
    assert state.is_over


def test_a_card_that_was_played_before_is_refused() -> None:
    with pytest.raises(ImpossibleDealError, match="HA was played before"):
        state_so_far(a_record(SPADES + "1. HA H2 H3 H4\n2. HA\n*\n").facts)


def test_a_card_taken_back_was_held_too() -> None:
    once = state_so_far(a_record(SPADES + "1. HA C2>H2 H3 H4\n*\n").facts)
    later = state_so_far(a_record(SPADES + "1. HA C2>H2 H3 H4\n2. CA C2 C5 C6\n*\n").facts)

    assert [str(laid.card) for laid in once.last_trick] == ["HA", "H2", "H3", "H4"]
    assert [str(laid.card) for laid in later.last_trick] == ["CA", "C2", "C5", "C6"]


def test_before_a_card_nobody_need_have_made_trump() -> None:
    state = state_so_far(a_record('[Deal "1"]\n[Dealer "N"]\n\n*\n').facts)

    assert (state.turn, state.trump_known) == (Seat.N.right, False)


def test_a_card_without_a_trump_is_refused() -> None:
    with pytest.raises(ImpossibleDealError, match="how it was made"):
        state_so_far(a_record('[Deal "1"]\n[Dealer "N"]\n\n1. HA\n*\n').facts)


def test_a_hidden_trump_is_nobodys_to_see_until_it_is_revealed() -> None:
    hidden = '[Deal "1"]\n[Rules "hidden-trump"]\n[Dealer "N"]\n[Trump "S hidden S7"]\n\n'

    covered = state_so_far(a_record(f"{hidden}1. HA H2 H3 H4\n2. CA\n*\n").facts)
    shown = state_so_far(a_record(f"{hidden}1. HA H2 H3 H4\n2. CA ^S2\n*\n").facts)

    assert (covered.trump, str(covered.indicator)) == (None, "S7")
    assert shown.indicator is None
    assert shown.trump is not None
    assert shown.trump.letter == "S"
