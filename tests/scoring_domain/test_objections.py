"""Which tie-breaks a format refuses."""

import pytest

from scoring.domain.objections import Objection, ObjectionTo, objection_to_tiebreaks
from scoring.domain.results import TiebreakCode

EVERYWHERE = [
    code
    for code in TiebreakCode
    if code
    not in (
        TiebreakCode.BUCHHOLZ,
        TiebreakCode.MEDIAN_BUCHHOLZ,
        TiebreakCode.SONNEBORN_BERGER,
        TiebreakCode.LONGEST_STAY,
    )
]
FORMATS = ["single", "winner-stays", "round-robin", "swiss", "knockout", "groups-knockout", "league"]


@pytest.mark.parametrize("format_name", FORMATS)
def test_tie_breaks_over_own_matches_go_with_every_format(format_name: str) -> None:
    assert objection_to_tiebreaks(format_name, EVERYWHERE) is None


@pytest.mark.parametrize("format_name", ["single", "round-robin", "groups-knockout"])
@pytest.mark.parametrize("code", [TiebreakCode.BUCHHOLZ, TiebreakCode.MEDIAN_BUCHHOLZ])
def test_buchholz_does_not_go_with_a_round_robin(format_name: str, code: TiebreakCode) -> None:
    found = objection_to_tiebreaks(format_name, [TiebreakCode.SONNEBORN_BERGER, code])

    assert found == ObjectionTo(code, Objection.SAME_OPPONENTS)


@pytest.mark.parametrize("format_name", ["swiss", "knockout", "league"])
def test_tie_breaks_over_opponents_go_with_a_swiss(format_name: str) -> None:
    codes = [TiebreakCode.BUCHHOLZ, TiebreakCode.MEDIAN_BUCHHOLZ, TiebreakCode.SONNEBORN_BERGER]

    assert objection_to_tiebreaks(format_name, codes) is None


def test_sums_over_opponents_do_not_go_with_winner_stays() -> None:
    found = objection_to_tiebreaks("winner-stays", [TiebreakCode.SONNEBORN_BERGER])

    assert found == ObjectionTo(TiebreakCode.SONNEBORN_BERGER, Objection.UNEQUAL_MATCHES)


@pytest.mark.parametrize("format_name", FORMATS)
def test_the_longest_stay_goes_with_winner_stays_only(format_name: str) -> None:
    found = objection_to_tiebreaks(format_name, [TiebreakCode.LONGEST_STAY])

    assert (found is None) == (format_name == "winner-stays")
