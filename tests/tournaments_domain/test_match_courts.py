"""Which courts of a match count, and who leads it (law 13.2)."""

import pytest

from courtpiece.engine import Team
from tournaments.domain.match_courts import Courts, courts_that_count, leader_of


@pytest.mark.parametrize(
    ("made", "ruled", "count"),
    [
        ((3, 1), (None, None), (3, 1)),
        ((3, 1), (0, 2), (0, 2)),
        ((3, 1), (0, 0), (0, 0)),
        ((0, 0), (None, None), (0, 0)),
    ],
)
def test_the_courts_of_a_ruling_stand_in_place_of_those_that_were_made(
    made: Courts, ruled: tuple[int | None, int | None], count: Courts
) -> None:
    assert courts_that_count(made, ruled) == count


@pytest.mark.parametrize(
    ("courts", "leader"), [((2, 1), Team.NS), ((0, 1), Team.EW), ((2, 2), None), ((0, 0), None)]
)
def test_the_team_with_more_courts_leads_and_with_equal_courts_nobody(
    courts: Courts, leader: Team | None
) -> None:
    assert leader_of(courts) is leader
