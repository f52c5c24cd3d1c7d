"""What of a match wants a director's look, and which matches must have a winner."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from tournaments.domain.clock import Clock, ClockState
from tournaments.domain.plans import FormatName, LengthKind, MatchLength
from tournaments.domain.watching import (
    MOST_MISSING,
    Doubt,
    Watched,
    doubts_of,
    is_time_called,
    missing_numbers,
    must_have_winner,
    should_have_begun,
)

IN_PLAY = Watched(is_open=True, deals=3, last_number=3, courts=(1, 0), clock=ClockState.RUNNING)
THREE_DEALS = MatchLength(LengthKind.DEALS, 3)
SHORT = Watched(is_open=False, is_finished=True, deals=2, last_number=2, agreed=THREE_DEALS)
NOW = datetime(2026, 11, 30, 19, tzinfo=UTC)


@pytest.mark.parametrize(
    ("match", "doubts"),
    [
        (IN_PLAY, ()),
        (Watched(is_open=True), ()),
        (Watched(is_open=True, is_one_gone=True), (Doubt.GONE,)),
        (Watched(is_open=False, is_one_gone=True), ()),
        (Watched(is_open=True, clock=ClockState.RUNNING), (Doubt.NOT_STARTED,)),
        (Watched(is_open=True, clock=ClockState.RUNNING, should_have_begun=False), ()),
        (SHORT, (Doubt.SHORT,)),
        (replace(SHORT, deals=3), ()),
        (replace(SHORT, time_called=True), ()),
        (replace(SHORT, is_ruled=True), ()),
        (replace(SHORT, agreed=None), ()),
        (replace(IN_PLAY, missing=(2,)), (Doubt.MISSING_DEALS,)),
        (replace(IN_PLAY, problems=1), (Doubt.PROBLEMS,)),
        (replace(IN_PLAY, unsent=2), (Doubt.UNSENT,)),
        (replace(IN_PLAY, unsent=2, agreed=THREE_DEALS), (Doubt.UNSENT, Doubt.COMPLETE)),
        (replace(IN_PLAY, agreed=THREE_DEALS), (Doubt.COMPLETE,)),
        (replace(IN_PLAY, agreed=MatchLength(LengthKind.COURTS, 1)), (Doubt.COMPLETE,)),
        (replace(IN_PLAY, agreed=MatchLength(LengthKind.COURTS, 2)), ()),
        (replace(IN_PLAY, agreed=MatchLength(LengthKind.MINUTES, 1)), ()),
        (replace(IN_PLAY, clock=ClockState.ENDED), (Doubt.TIME_OVER,)),
        (replace(IN_PLAY, courts=(1, 1), must_have_winner=True), ()),
        (replace(IN_PLAY, courts=(1, 1), must_have_winner=True, agreed=THREE_DEALS), (Doubt.LEVEL,)),
        (
            replace(IN_PLAY, courts=(0, 0), must_have_winner=True, clock=ClockState.ENDED),
            (Doubt.LEVEL, Doubt.TIME_OVER),
        ),
        (Watched(is_open=False, deals=3, last_number=3, clock=ClockState.ENDED, agreed=THREE_DEALS), ()),
        (
            Watched(is_open=False, deals=2, last_number=3, missing=(1,), problems=1),
            (Doubt.MISSING_DEALS, Doubt.PROBLEMS),
        ),
    ],
)
def test_what_wants_a_look(match: Watched, doubts: tuple[Doubt, ...]) -> None:
    assert doubts_of(match) == doubts


@pytest.mark.parametrize(("minutes", "seconds"), [(10, 120), (60, 300)])
def test_a_table_has_a_fifth_of_the_time_or_five_minutes_to_begin(minutes: int, seconds: int) -> None:
    clock = Clock(length=60 * minutes).start(NOW)

    assert not should_have_begun(clock, NOW + timedelta(seconds=seconds - 1))
    assert should_have_begun(clock, NOW + timedelta(seconds=seconds))


def test_time_is_called_by_the_last_deal_by_the_end_and_by_running_out() -> None:
    clock = Clock(length=60).start(NOW)

    assert not is_time_called(Clock(length=0), NOW)
    assert not is_time_called(clock, NOW)
    assert is_time_called(clock.call_last_deal(NOW), NOW)
    assert is_time_called(clock.end(NOW), NOW)
    assert is_time_called(clock, NOW + timedelta(minutes=1))


@pytest.mark.parametrize(
    ("recorded", "missing"), [([], ()), ([1, 2], ()), ([2], (1,)), ([6, 1, 3], (2, 4, 5))]
)
def test_numbers_that_are_left_out(recorded: list[int], missing: tuple[int, ...]) -> None:
    assert missing_numbers(recorded) == missing


def test_of_a_number_that_was_mistyped_not_all_that_it_leaves_out_is_named() -> None:
    assert missing_numbers([1, 2, 999_999_999]) == tuple(range(3, 3 + MOST_MISSING))


@pytest.mark.parametrize(
    ("tournament_format", "label", "expected"),
    [
        (FormatName.KNOCKOUT, "", True),
        (FormatName.GROUPS_KNOCKOUT, "", False),
        (FormatName.GROUPS_KNOCKOUT, "group-1", False),
        (FormatName.GROUPS_KNOCKOUT, "round-of-16", True),
        (FormatName.GROUPS_KNOCKOUT, "final", True),
        (FormatName.SWISS, "final", False),
    ],
)
def test_only_whose_winner_goes_on_must_have_one(
    tournament_format: FormatName, label: str, expected: bool
) -> None:
    assert must_have_winner(tournament_format, label) is expected
