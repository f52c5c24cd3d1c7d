"""The clock of a round: what it shows at a moment, and what it refuses."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.clock import Clock, ClockAction, ClockError, ClockFault, ClockState

EIGHT = datetime(2026, 11, 24, 20, 0, tzinfo=UTC)


def after(minutes: float) -> datetime:
    return EIGHT + timedelta(minutes=minutes)


def left(clock: Clock, minutes: float) -> float:
    """Return the minutes that are left so many minutes after eight."""
    return clock.remaining(after(minutes)) / timedelta(minutes=1)


def test_a_clock_that_was_not_started_shows_the_whole_length() -> None:
    clock = Clock(length=1800)

    assert (left(clock, 0), left(clock, 90)) == (30, 30)
    assert clock.state is ClockState.NOT_STARTED


def test_a_clock_counts_down_from_its_start_and_stops_at_nothing() -> None:
    clock = Clock(length=1800).start(EIGHT)

    assert [left(clock, minutes) for minutes in (0, 10, 30, 31)] == [30, 20, 0, 0]
    assert clock.runs_out_at(after(10)) == after(30)


def test_a_pause_takes_nothing_of_the_time() -> None:
    clock = Clock(length=1800).start(EIGHT).pause(after(10)).resume(after(25))

    assert [left(clock, minutes) for minutes in (25, 35, 45)] == [20, 10, 0]
    assert clock.runs_out_at(after(25)) == after(45)


def test_time_that_is_added_while_it_runs_puts_off_the_end() -> None:
    clock = Clock(length=1800).start(EIGHT).add_time(300, after(10))

    assert left(clock, 10) == 25


def test_time_that_is_added_after_it_ran_out_begins_then() -> None:
    clock = Clock(length=1800).start(EIGHT).add_time(300, after(40))

    assert [left(clock, minutes) for minutes in (40, 42, 45)] == [5, 3, 0]


def test_time_that_is_added_to_a_paused_clock_that_ran_out_waits_for_it_to_go_on() -> None:
    clock = Clock(length=1800).start(EIGHT).pause(after(40)).add_time(300, after(50)).resume(after(60))

    assert [left(clock, minutes) for minutes in (60, 63)] == [5, 2]


def test_time_can_be_taken_away_to_nothing_and_no_further() -> None:
    clock = Clock(length=1800).start(EIGHT)

    assert left(clock.add_time(-1200, after(10)), 10) == 0
    with pytest.raises(ClockError) as refused:
        clock.add_time(-1201, after(10))
    assert refused.value.fault is ClockFault.OUT_OF_RANGE


def test_a_deal_may_be_begun_while_the_clock_runs_and_the_last_was_not_called() -> None:
    running = Clock(length=1800).start(EIGHT)

    assert running.may_begin_deal(after(29))
    assert not running.may_begin_deal(after(30))
    assert not running.pause(after(10)).may_begin_deal(after(11))
    assert not running.call_last_deal(after(10)).may_begin_deal(after(11))
    assert running.call_last_deal(after(10)).add_time(60, after(11)).may_begin_deal(after(12))


def test_what_was_not_started_is_not_over_and_what_ran_out_was_called_or_ended_is() -> None:
    started = Clock(length=1800).start(EIGHT)

    assert not Clock(length=1800).is_over(after(60))
    assert not started.is_over(after(29))
    assert started.is_over(after(30))
    assert started.call_last_deal(after(5)).is_over(after(6))
    assert started.end(after(5)).is_over(after(6))


def test_a_pause_is_no_end_and_time_that_is_added_takes_the_last_deal_back() -> None:
    started = Clock(length=1800).start(EIGHT)

    assert not started.pause(after(5)).is_over(after(60))
    assert not started.call_last_deal(after(5)).add_time(60, after(6)).is_over(after(7))


def test_a_clock_that_has_ended_stands_for_good() -> None:
    clock = Clock(length=1800).start(EIGHT).end(after(10))

    assert (left(clock, 10), left(clock, 50)) == (20, 20)
    assert clock.actions() == frozenset()


@pytest.mark.parametrize(
    ("clock", "act", "fault"),
    [
        (Clock(length=60), lambda one: one.pause(EIGHT), ClockFault.NOT_STARTED),
        (Clock(length=60), lambda one: one.resume(EIGHT), ClockFault.NOT_STARTED),
        (Clock(length=60), lambda one: one.end(EIGHT), ClockFault.NOT_STARTED),
        (Clock(length=60), lambda one: one.call_last_deal(EIGHT), ClockFault.NOT_STARTED),
        (Clock(length=60).start(EIGHT), lambda one: one.start(EIGHT), ClockFault.ALREADY_STARTED),
        (Clock(length=60).start(EIGHT), lambda one: one.resume(EIGHT), ClockFault.ALREADY_RUNNING),
        (Clock(length=60).start(EIGHT).pause(EIGHT), lambda one: one.pause(EIGHT), ClockFault.PAUSED),
        (
            Clock(length=60).start(EIGHT).pause(EIGHT),
            lambda one: one.start(EIGHT),
            ClockFault.ALREADY_STARTED,
        ),
        (Clock(length=60).start(EIGHT).end(EIGHT), lambda one: one.start(EIGHT), ClockFault.ENDED),
        (Clock(length=60).start(EIGHT).end(EIGHT), lambda one: one.add_time(60, EIGHT), ClockFault.ENDED),
        (Clock(length=60).start(EIGHT), lambda one: one.pause(after(-1)), ClockFault.BEFORE),
        (Clock(length=60).start(EIGHT), lambda one: one.add_time(0, EIGHT), ClockFault.OUT_OF_RANGE),
        (Clock(length=60).start(EIGHT), lambda one: one.add_time(86_401, EIGHT), ClockFault.OUT_OF_RANGE),
        (
            Clock(length=60, added=86_400).start(EIGHT),
            lambda one: one.add_time(1, EIGHT),
            ClockFault.OUT_OF_RANGE,
        ),
        (
            Clock(length=60).start(EIGHT).call_last_deal(EIGHT),
            lambda one: one.call_last_deal(EIGHT),
            ClockFault.LAST_DEAL_CALLED,
        ),
    ],
)
def test_what_a_clock_does_not_allow_is_refused_with_the_reason(
    clock: Clock, act: Callable[[Clock], Clock], fault: ClockFault
) -> None:
    with pytest.raises(ClockError) as refused:
        act(clock)

    assert refused.value.fault is fault


ACTIONS = st.lists(
    st.tuples(st.sampled_from(ClockAction), st.integers(0, 5_000_000_000), st.integers(-900, 900)),
    max_size=30,
)


def act(clock: Clock, action: ClockAction, at: datetime, seconds: int) -> Clock:
    """Return the clock after the action, or as it was where it refuses."""
    acts: dict[ClockAction, Callable[[], Clock]] = {
        ClockAction.START: lambda: clock.start(at),
        ClockAction.PAUSE: lambda: clock.pause(at),
        ClockAction.RESUME: lambda: clock.resume(at),
        ClockAction.ADD_TIME: lambda: clock.add_time(seconds, at),
        ClockAction.CALL_LAST_DEAL: lambda: clock.call_last_deal(at),
        ClockAction.END: lambda: clock.end(at),
    }
    try:
        return acts[action]()
    except ClockError:
        return clock


@given(ACTIONS)
def test_what_remains_is_never_less_than_nothing_and_only_added_time_makes_it_more(
    actions: list[tuple[ClockAction, int, int]],
) -> None:
    clock, now = Clock(length=1800), EIGHT
    for action, microseconds, seconds in actions:
        now += timedelta(microseconds=microseconds)
        before = clock.remaining(now)

        clock = act(clock, action, now, seconds)

        gained = timedelta(seconds=seconds) if clock.remaining(now) != before else timedelta(0)
        assert clock.remaining(now) == before + gained >= timedelta(0)
        assert gained == timedelta(0) or action is ClockAction.ADD_TIME


@given(st.lists(st.tuples(st.integers(0, 10**9), st.integers(0, 10**9)), max_size=20))
def test_pauses_do_not_change_what_remains(stretches: list[tuple[int, int]]) -> None:
    clock, now, ran = Clock(length=10**6).start(EIGHT), EIGHT, timedelta(0)
    for running, standing in stretches:
        now += timedelta(microseconds=running)
        ran += timedelta(microseconds=running)
        clock = clock.pause(now)
        now += timedelta(microseconds=standing)
        clock = clock.resume(now)

    assert clock.remaining(now) == timedelta(seconds=10**6) - ran


@given(ACTIONS)
def test_what_a_clock_says_it_allows_is_what_it_does_not_refuse(
    actions: list[tuple[ClockAction, int, int]],
) -> None:
    clock, now = Clock(length=1800), EIGHT
    for action, microseconds, seconds in actions:
        now += timedelta(microseconds=microseconds)
        if action in clock.actions():
            clock.check(action)
        else:
            with pytest.raises(ClockError):
                clock.check(action)
        clock = act(clock, action, now, seconds)
