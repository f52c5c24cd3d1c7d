"""How a tournament counts, as it is stored and as a director may choose it."""

from fractions import Fraction
from typing import cast

import pytest

from scoring.domain.results import MatchPoints, Scheme, TiebreakCode
from tournaments.domain.scheme_json import points_from_json, points_to_json
from tournaments.errors import BadScoring
from tournaments.schemes import check_tiebreaks, clean_scheme


@pytest.mark.parametrize(
    "points",
    [
        MatchPoints(),
        MatchPoints(win=3, draw=Fraction(3, 2), loss=1, bye=Fraction(1, 3)),
        MatchPoints(requested=0, forfeit=Fraction(3, 2)),
    ],
)
def test_points_that_were_stored_are_read_back(points: MatchPoints) -> None:
    stored = cast("dict[str, int | str]", points_to_json(points))

    assert points_from_json(stored) == points


def test_points_stored_before_there_were_more_kinds_are_read() -> None:
    assert points_from_json({"win": 2, "draw": 1, "loss": 0, "bye": "3/2"}) == MatchPoints(bye=Fraction(3, 2))


def test_what_is_as_usual_is_not_stored() -> None:
    assert points_to_json(MatchPoints()) == {"win": 2, "draw": 1, "loss": 0, "bye": 2}


def test_every_tie_break_is_known_by_its_code() -> None:
    codes = [code.value for code in TiebreakCode]

    assert clean_scheme(ranking="courts", tiebreaks=codes).tiebreaks == tuple(TiebreakCode)


@pytest.mark.parametrize(
    ("format_name", "code"),
    [
        ("round-robin", TiebreakCode.BUCHHOLZ),
        ("winner-stays", TiebreakCode.SONNEBORN_BERGER),
        ("swiss", TiebreakCode.LONGEST_STAY),
    ],
)
def test_a_tie_break_that_does_not_go_with_the_format_is_refused(
    format_name: str, code: TiebreakCode
) -> None:
    with pytest.raises(BadScoring, match=code.value):
        check_tiebreaks(format_name, Scheme(tiebreaks=(code,)))


def test_tie_breaks_that_go_with_the_format_are_accepted() -> None:
    check_tiebreaks("swiss", Scheme(tiebreaks=(TiebreakCode.BUCHHOLZ, TiebreakCode.HEAD_TO_HEAD)))
