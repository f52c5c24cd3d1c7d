"""Laws 8 to 10 where no card is known: results that no deal can have, and what the others count for."""

import pytest

from courtpiece.engine import Award, Level, Outcome, Score, Team
from tests.engine.builders import codes, judged

SINGLE = "court-piece"
DOUBLE = "double-sir"
ACE = "double-sir-ace"


@pytest.mark.parametrize(
    ("rules", "result", "award", "courts"),
    [
        (SINGLE, "NS 7-4", Award.WIN, Score(0, 0)),
        (SINGLE, "EW 7-6", Award.WIN, Score(0, 0)),
        (SINGLE, "NS 7-0 court", Award.COURT, Score(1, 0)),
        (SINGLE, "NS 9-1 court", Award.COURT, Score(1, 0)),
        (SINGLE, "NS 12-1 court", Award.COURT, Score(1, 0)),
        (SINGLE, "NS 12-0 court", Award.COURT, Score(1, 0)),
        (SINGLE, "EW 7-0 goon-court", Award.GOON_COURT, Score(0, 1)),
        (SINGLE, "EW 7-0 court", Award.GOON_COURT, Score(0, 1)),  # court may be stated for a goon court
        (SINGLE, "EW 13-0 bavney", Award.BAVNEY, Score(0, 52)),
        (SINGLE, "NS 3-2 revoke", Award.REVOKE, Score(1, 0)),
        (SINGLE, "NS 0-6 revoke", Award.REVOKE, Score(1, 0)),
        (DOUBLE, "NS 7-1", Award.WIN, Score(0, 0)),
        (DOUBLE, "NS 12-1", Award.WIN, Score(0, 0)),
        (DOUBLE, "NS 7-0", Award.WIN, Score(0, 0)),  # nothing deeper is tested
        (DOUBLE, "NS 13-0 court", Award.COURT, Score(1, 0)),
        (ACE, "EW 13-0 court", Award.GOON_COURT, Score(0, 1)),
        (DOUBLE, "NS 0-12 revoke", Award.REVOKE, Score(1, 0)),
        (DOUBLE, "NS 8-1 revoke", Award.REVOKE, Score(1, 0)),
    ],
)
def test_one_that_can_be(rules: str, result: str, award: Award, courts: Score) -> None:
    finding = judged(Rules=rules, Result=result)

    assert finding.faults == ()
    assert finding.level is Level.RESULT
    assert finding.trick_winners is None
    assert finding.outcome is not None
    assert (finding.outcome.award, finding.outcome.courts) == (award, courts)


@pytest.mark.parametrize(
    ("rules", "result"),
    [
        (SINGLE, "NS 6-5"),  # 9.1
        (SINGLE, "NS 8-5"),  # 9.2
        (SINGLE, "NS 7-7"),
        (SINGLE, "NS 7-0"),  # 10.1
        (SINGLE, "NS 7-2 court"),  # 9.4
        (SINGLE, "NS 6-1 court"),
        (SINGLE, "NS 13-0"),  # 10.3
        (SINGLE, "NS 13-0 court"),
        (SINGLE, "NS 12-0 bavney"),
        (SINGLE, "NS 7-0 goon-court"),  # 10.4: E deals
        (SINGLE, "NS 13-1 bavney"),
        (SINGLE, "NS 7-3 revoke"),  # 8.7
        (SINGLE, "NS 3-7 revoke"),
        (DOUBLE, "NS 6-7"),
        (DOUBLE, "NS 8-6"),
        (DOUBLE, "NS 13-0"),  # 10.2
        (DOUBLE, "NS 13-0 bavney"),
        (DOUBLE, "NS 7-0 court"),
        (ACE, "NS 12-1 court"),
        (DOUBLE, "NS 12-2 revoke"),
    ],
)
def test_one_that_cannot_leaves_nothing_to_adjudicate_by(rules: str, result: str) -> None:
    finding = judged(Rules=rules, Result=result)

    assert finding.outcome is None
    assert codes(Rules=rules, Result=result) == ["result-mismatch"]


class TestWithARevoke:
    """The revoke of a record without cards (laws 8.5 and 8.7)."""

    @pytest.mark.parametrize(
        ("rules", "revoke", "result", "courts"),
        [
            (SINGLE, "W 6", "NS 3-2 revoke", Score(1, 0)),
            (SINGLE, "W 1", "NS 0-0 revoke", Score(1, 0)),
            (SINGLE, "S 8", "NS 7-0 court", Score(1, 1)),  # 8.7
            (SINGLE, "W 10", "NS 9-0 court", Score(2, 0)),
            (SINGLE, "S 8", "EW 7-0 goon-court", Score(0, 2)),
            (DOUBLE, "W 6", "NS 2-2 revoke", Score(1, 0)),  # one lay in the centre
        ],
    )
    def test_that_can_be(self, rules: str, revoke: str, result: str, courts: Score) -> None:
        finding = judged(Rules=rules, Revoke=revoke, Result=result)

        assert finding.faults == ()
        assert finding.outcome is not None
        assert finding.outcome.courts == courts
        assert len(finding.revokes) == 1

    @pytest.mark.parametrize(
        ("rules", "revoke", "result"),
        [
            (SINGLE, "W 6", "NS 3-3 revoke"),  # five tricks came before
            (SINGLE, "W 6", "NS 3-1 revoke"),
            (DOUBLE, "W 6", "NS 4-2 revoke"),
            (SINGLE, "N 6", "NS 3-2 revoke"),  # its seat's team lost
            (SINGLE, "W 6", "NS 7-4"),
            (SINGLE, "W 8", "NS 7-1 court"),  # a court to nil
            (SINGLE, "W 13", "NS 13-0 bavney"),
            (DOUBLE, "W 13", "NS 13-0 court"),
            (SINGLE, "W 6", "void"),
        ],
    )
    def test_that_cannot(self, rules: str, revoke: str, result: str) -> None:
        assert codes(Rules=rules, Revoke=revoke, Result=result) == ["result-mismatch"]
        assert judged(Rules=rules, Revoke=revoke, Result=result).outcome is None


def test_a_record_with_nothing_to_say_who_won_is_undecided() -> None:
    assert codes() == ["undecided"]
    assert codes(Result="?") == ["undecided"]
    assert codes(Revoke="W 3") == ["undecided"]


class TestWhereWinnersDoNotTellWhoGathered:
    """The result decides under ``ace``, and with trump hidden or by discard under ``double``."""

    TRICKS = "N N E E W S N"

    @pytest.mark.parametrize(
        "tags",
        [
            {"Rules": "double-sir-ace", "Trump": "S"},
            {"Rules": "double-sir-ace"},
            {"Rules": "hidden-rung"},
            {"Rules": "hidden-rung", "Trump": "D hidden ?"},
            {"Rules": "be-ranga", "Trump": "-"},
            {"Rules": "double-sir trump=announced,hidden"},
        ],
    )
    def test_the_result_does(self, tags: dict[str, str]) -> None:
        assert codes(Tricks=self.TRICKS, **tags) == ["undecided"]
        assert judged(Tricks=self.TRICKS, Result="EW 8-3", **tags).outcome == Outcome(
            Team.EW, Award.WIN, Score(ns=3, ew=8), Score(0, 0)
        )

    def test_the_winners_do_with_an_open_trump(self) -> None:
        tags = {"Rules": "double-sir trump=announced,hidden", "Trump": "S", "Tricks": "N N E E W W S W W"}

        assert judged(**tags).outcome == Outcome(Team.EW, Award.WIN, Score(ns=2, ew=7), Score(0, 0))

    def test_the_winners_do_under_single_even_with_a_hidden_trump(self) -> None:
        found = judged(Rules="hidden-trump", Trump="D hidden ?", Tricks="N N E N N N N N").outcome

        assert found is not None
        assert found.winner is Team.NS


def test_a_result_beside_tricks_is_compared_with_them() -> None:
    assert codes(Tricks="N N E N N N N N", Result="NS 7-1") == []
    assert codes(Tricks="N N E N N N N N", Result="NS 7-2") == ["result-mismatch"]
    assert codes(Tricks="N N N N N N N", Result="NS 7-0 court") == []
    assert codes(Tricks="E E E E E E E", Result="EW 7-0 court") == []
    assert codes(Tricks="N N N N N N N", Result="NS 7-0 goon-court") == ["result-mismatch"]
