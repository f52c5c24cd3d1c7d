"""A replay taken turn by turn comes to the same as one of the whole record."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from courtpiece.engine import Rules
from courtpiece.engine.play import REVEAL
from courtpiece.engine.replay import Replay
from courtpiece.engine.rules import NAMED
from courtpiece.engine.trump import UNKNOWN_DISCARD
from courtpiece.notation import Record
from courtpiece.notation.simulator import Habits, simulate_match


def a_record(seed: int, rules: str) -> Record:
    habits = Habits(revoke=0.02, void=0.1)
    return simulate_match(rng=Random(seed), rules=Rules.parse(rules), deals=1, habits=habits)[0]


def a_replay(record: Record) -> Replay:
    assert record.facts.hands is not None
    return Replay(
        record.rules, record.dealer.right, record.facts.hands, record.facts.trump or UNKNOWN_DISCARD
    )


def state_of(replay: Replay) -> tuple[object, ...]:
    return (
        replay.winners,
        replay.hands,
        replay.trump_at_end,
        replay.counted,
        replay.tally.taken,
        list(replay.revokes),
        list(replay.standing),
        replay.fault,
    )


@given(seed=st.integers(0, 2**32), rules=st.sampled_from(tuple(NAMED)))
def test_stepping_through_a_record_comes_to_what_running_it_does(seed: int, rules: str) -> None:
    record = a_record(seed, rules)
    run, stepped = a_replay(record), a_replay(record)

    run.run(record.facts.tricks or ())
    for plays in record.facts.tricks or ():
        for code in plays:
            stepped.step(code)

    assert state_of(stepped) == state_of(run)


@given(seed=st.integers(0, 2**32), rules=st.sampled_from(("hidden-trump", "hidden-rung")))
def test_an_indicator_turned_up_before_the_step_is_turned_up_once(seed: int, rules: str) -> None:
    record = a_record(seed, rules)
    run, stepped = a_replay(record), a_replay(record)

    run.run(record.facts.tricks or ())
    for plays in record.facts.tricks or ():
        for code in plays:
            if code & REVEAL:
                stepped.turn_up_indicator()
            stepped.step(code)

    assert state_of(stepped) == state_of(run)


def test_a_step_that_nobody_could_take_is_a_fault() -> None:
    record = a_record(1, "court-piece")
    replay = a_replay(record)
    first = (record.facts.tricks or ())[0][0]

    replay.step(first)
    replay.step(first)

    assert replay.fault is not None
    assert replay.fault.code.value == "card-repeated"
