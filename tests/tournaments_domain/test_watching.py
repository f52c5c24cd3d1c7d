"""What of a match wants a director's look, and which matches must have a winner."""

from dataclasses import replace

import pytest

from tournaments.domain.clock import ClockState
from tournaments.domain.plans import FormatName, LengthKind, MatchLength
from tournaments.domain.watching import Doubt, Watched, doubts_of, missing_numbers, must_have_winner

IN_PLAY = Watched(is_open=True, deals=3, last_number=3, courts=(1, 0), clock=ClockState.RUNNING)
THREE_DEALS = MatchLength(LengthKind.DEALS, 3)


@pytest.mark.parametrize(
    ("match", "doubts"),
    [
        (IN_PLAY, ()),
        (Watched(is_open=True), ()),
        (Watched(is_open=True, clock=ClockState.RUNNING), (Doubt.NOT_STARTED,)),
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


@pytest.mark.parametrize(
    ("recorded", "missing"), [([], ()), ([1, 2], ()), ([2], (1,)), ([6, 1, 3], (2, 4, 5))]
)
def test_numbers_that_are_left_out(recorded: list[int], missing: tuple[int, ...]) -> None:
    assert missing_numbers(recorded) == missing


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
