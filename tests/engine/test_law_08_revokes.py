"""Law 8: revokes, their correction, and what an established one does."""

import pytest

from courtpiece.engine import Award, Card, Outcome, Revoke, Score, Seat, Suit, Team
from tests.engine.builders import WEST_AND_EAST_VOID, codes, judged, pcn, problems

HEARTS = {"Trump": "H", "Hands": WEST_AND_EAST_VOID}
"""N calls; W wins trick 1 of all the plays below and leads a diamond, of which N has one."""

REVOKE_OF_NORTH = "1. C2 CA C8 C4\n2. DA D8 D3 S8\n"

SEVEN_NIL = """
1. SA DA S7 D7
2. SK DK S6 D6
3. SQ DQ S5 D5
4. SJ DJ S4 D4
5. ST H8 S3 D3
6. S9 H9 S2 H5
7. S8 HJ D8 H6
"""
"""N takes the first seven with spades for trump. W holds HK and clubs then, S and E clubs too."""


def revokes(play: str, **tags: str) -> list[tuple[str, int, str, bool]]:
    """Return seat, trick, card and whether corrected of each revoke that is listed."""
    finding = judged(play, **{**HEARTS, **tags})
    return [
        (revoke.seat.letter, revoke.trick, str(revoke.card), revoke.corrected) for revoke in finding.revokes
    ]


def test_not_following_suit_when_able_is_a_revoke_law_8_1() -> None:
    finding = judged(f"{REVOKE_OF_NORTH}!N2", **HEARTS)

    assert finding.revokes == (Revoke(Seat.N, 2, Card.of("S8"), Suit.DIAMONDS, corrected=False),)


def test_not_playing_a_trump_after_asking_is_a_revoke_law_8_1() -> None:
    finding = judged(
        "1. SA ^DJ S7 H5\n!W1", Rules="hidden-trump", Trump="H hidden H2", Hands=WEST_AND_EAST_VOID
    )

    assert finding.revokes == (Revoke(Seat.W, 1, Card.of("DJ"), Suit.SPADES, corrected=False),)
    assert finding.outcome == Outcome(Team.NS, Award.REVOKE, Score(0, 0), Score(ns=1, ew=0))


def test_discarding_when_unable_to_follow_is_none_law_8_1() -> None:
    assert revokes("1. SA DJ S7 C7\n*", Result="void") == []


class TestCorrections:
    """Law 8.2."""

    def test_the_card_is_taken_back_without_penalty(self) -> None:
        finding = judged(REVOKE_OF_NORTH.replace("S8", "S8>D2") + "*", **HEARTS, Result="void")

        assert finding.faults == ()
        assert finding.trick_winners == (Seat.W, Seat.W)
        assert finding.revokes == (Revoke(Seat.N, 2, Card.of("S8"), Suit.DIAMONDS, corrected=True),)

    def test_a_card_that_revokes_too_may_be_corrected_again(self) -> None:
        assert revokes(REVOKE_OF_NORTH.replace("S8", "S8>C3>D2") + "*", Result="void") == [
            ("N", 2, "S8", True),
            ("N", 2, "C3", True),
        ]

    def test_a_card_that_revokes_too_and_stands_is_established(self) -> None:
        assert revokes(REVOKE_OF_NORTH.replace("S8", "S8>C3") + "!N2") == [
            ("N", 2, "S8", True),
            ("N", 2, "C3", False),
        ]

    def test_a_card_taken_back_is_still_held(self) -> None:
        play = "1. C2 CA C8 C4\n2. DA D8 D3 S8>D2\n3. CK C9 C5 C3\n4. H8 HQ H5 H2\n5. S7 H6 S8 HJ\n*"

        assert codes(play, **HEARTS, Result="void") == []

    def test_players_who_played_after_it_may_change_their_card_too(self) -> None:
        play = "1. C2 CA C8 C4\n2. DA S7>D8 D3>D4 D2\n*"

        assert codes(play, **HEARTS, Result="void") == []
        assert revokes(play, Result="void") == [("S", 2, "S7", True)]

    @pytest.mark.parametrize(
        ("trick", "column"),
        [
            ("2. DA>DK S7>D8 D3 D2", 4),  # W played before the revoke
            ("2. DA D8>D9 D3 D2", 7),  # S followed suit
            ("2. DA S7>D8 D3>D4>D5 D2", 13),  # E may change once for one revoke
            ("2. DA D8 D3>D3 D2", 10),  # the same card
            ("2. DA S7>D8>D9 D3 D2", 7),  # the correction followed suit
        ],
    )
    def test_nobody_else_may(self, trick: str, column: int) -> None:
        text = pcn(f"1. C2 CA C8 C4\n{trick}\n*", **HEARTS, Result="void")

        assert problems(text) == [("bad-correction", 8, column)]

    def test_an_asker_may_correct_the_card_played_without_trumping(self) -> None:
        hidden = {"Rules": "hidden-trump", "Trump": "H hidden H2", "Hands": WEST_AND_EAST_VOID}

        finding = judged("1. SA ^DJ>H8 S7 C7\n*", **hidden, Result="void")

        assert finding.faults == ()
        assert finding.trick_winners == (Seat.W,)


class TestEstablished:
    """Laws 8.3 to 8.5."""

    def test_it_ends_the_deal_and_the_other_team_scores_a_court(self) -> None:
        assert judged(f"{REVOKE_OF_NORTH}!N2", **HEARTS).outcome == Outcome(
            Team.EW, Award.REVOKE, Score(ns=0, ew=1), Score(ns=0, ew=1)
        )

    def test_as_many_courts_as_the_rules_say(self) -> None:
        found = judged(f"{REVOKE_OF_NORTH}!N2", **HEARTS, Rules="court-piece revoke=3").outcome

        assert found is not None
        assert found.courts == Score(ns=0, ew=3)

    def test_one_in_an_unfinished_last_trick_counts_for_nothing_law_8_3(self) -> None:
        finding = judged("1. C2 CA C8 C4\n2. DA S7\n*", **HEARTS, Result="void")

        assert finding.faults == ()
        assert finding.revokes == ()

    def test_one_in_a_complete_last_trick_is_established_law_8_3(self) -> None:
        assert codes(f"{REVOKE_OF_NORTH}*", **HEARTS) == ["uncalled-revoke"]

    def test_one_that_nobody_claimed_counts_all_the_same_law_8_4(self) -> None:
        claimed = judged(f"{REVOKE_OF_NORTH}!N2", **HEARTS)
        found = judged(f"{REVOKE_OF_NORTH}3. DK D9 D4 D2\n*", **HEARTS)

        assert (found.outcome, found.revokes, found.trick_winners) == (
            claimed.outcome,
            claimed.revokes,
            claimed.trick_winners,
        )

    def test_the_first_played_counts_within_a_trick_and_both_are_listed_law_8_4(self) -> None:
        finding = judged("1. C2 CA C8 C4\n2. DA D8 C5 S8\n!E2", **HEARTS)

        assert finding.outcome == Outcome(Team.NS, Award.REVOKE, Score(ns=0, ew=1), Score(ns=1, ew=0))
        assert [revoke.seat for revoke in finding.revokes] == [Seat.E, Seat.N]
        assert finding.faults == ()

    def test_one_of_a_later_trick_has_no_effect_law_8_4(self) -> None:
        assert revokes(f"{REVOKE_OF_NORTH}3. DK C9 D4 D2\n*") == [("N", 2, "S8", False)]

    def test_the_trick_of_the_revoke_is_taken_by_nobody_law_8_5(self) -> None:
        finding = judged(f"{REVOKE_OF_NORTH}!N2", **HEARTS)

        assert finding.trick_winners == (Seat.W,)

    def test_and_so_decides_nothing_law_8_5(self) -> None:
        six = SEVEN_NIL.strip().rsplit("\n", 1)[0]
        tags = {"Trump": "S", "Hands": WEST_AND_EAST_VOID}

        finding = judged(f"{six}\n7. C2 HJ C8 C4\n!W7", **tags)

        assert finding.outcome == Outcome(Team.NS, Award.REVOKE, Score(ns=6, ew=0), Score(ns=1, ew=0))


class TestClaims:
    """Laws 8.4 and 8.6."""

    def test_a_claim_without_a_trick_names_the_first_that_stood(self) -> None:
        finding = judged(f"{REVOKE_OF_NORTH}3. DK D9 D4 D2\n!N", **HEARTS)

        assert finding.faults == ()

    def test_a_claim_of_a_later_revoke_is_accepted_and_the_first_was_not_called(self) -> None:
        play = f"{REVOKE_OF_NORTH}3. DK C9 D4 D2\n!S3"

        assert codes(play, **HEARTS) == ["uncalled-revoke"]
        assert revokes(play) == [("N", 2, "S8", False)]

    @pytest.mark.parametrize(
        "play",
        [
            f"{REVOKE_OF_NORTH}!N1",  # N followed suit to trick 1
            f"{REVOKE_OF_NORTH}!S2",  # S followed suit
            f"{REVOKE_OF_NORTH}!E",  # E never revoked
            f"{REVOKE_OF_NORTH.replace('S8', 'S8>D2')}!N2",  # it was corrected
            f"{REVOKE_OF_NORTH}!N3",  # there is no trick 3
        ],
    )
    def test_a_claim_of_what_was_no_revoke_is_refused_law_8_6(self, play: str) -> None:
        assert codes(play, **HEARTS) == ["no-such-revoke"]

    def test_so_is_one_of_a_play_after_the_deal_was_decided_law_8_6(self) -> None:
        assert codes(f"{DECIDED_THEN_REVOKE}!W9", **SPADES) == ["no-such-revoke"]


SPADES = {"Trump": "S", "Hands": WEST_AND_EAST_VOID}

DECIDED_THEN_REVOKE = f"{SEVEN_NIL.strip()}\n8. C2 CA C8 C4\n9. CK HA C5 H2\n"
"""NS court, carried on and ended by W's trick 8; S, who could follow to trick 9, does not."""


class TestAfterTheDecision:
    """Law 8.7."""

    def test_a_revoke_has_no_effect(self) -> None:
        finding = judged(f"{DECIDED_THEN_REVOKE}*", **SPADES)

        assert finding.faults == ()
        assert finding.revokes == ()
        assert finding.outcome == Outcome(Team.NS, Award.COURT, Score(ns=7, ew=1), Score(ns=1, ew=0))

    def test_while_a_team_carries_on_the_other_scores_for_its_revoke_and_the_court_stands(self) -> None:
        finding = judged(f"{SEVEN_NIL}8. C2 CA DT C4\n!S8", **SPADES)

        assert finding.faults == ()
        assert finding.outcome == Outcome(Team.NS, Award.COURT, Score(ns=7, ew=0), Score(ns=1, ew=1))

    def test_and_it_scores_for_the_others_revoke_too(self) -> None:
        finding = judged(f"{SEVEN_NIL}8. C2 HK C8 C4\n!W8", **SPADES, Rules="court-piece court=2 revoke=4")

        assert finding.outcome == Outcome(Team.NS, Award.COURT, Score(ns=7, ew=0), Score(ns=6, ew=0))


class TestStatedInARecordWithoutCards:
    """Law 8 where only the winners of tricks, or the result, are known."""

    def test_a_revoke_after_tricks(self) -> None:
        finding = judged(Tricks="N N W", Revoke="W 4")

        assert finding.outcome == Outcome(Team.NS, Award.REVOKE, Score(ns=2, ew=1), Score(ns=1, ew=0))
        assert finding.revokes == (Revoke(Seat.W, 4, None, None, corrected=False),)

    def test_its_own_trick_and_later_ones_are_taken_by_nobody(self) -> None:
        finding = judged(Tricks="N N W W W", Revoke="W 4")

        assert finding.outcome is not None
        assert finding.outcome.tricks == Score(ns=2, ew=1)
        assert finding.trick_winners == (Seat.N, Seat.N, Seat.W)

    def test_one_past_the_tricks_given(self) -> None:
        assert codes(Tricks="N N W", Revoke="W 5") == ["no-such-revoke"]

    def test_one_while_carrying_on(self) -> None:
        finding = judged(Tricks="N N N N N N N", Revoke="S 8", Result="NS 7-0 court")

        assert finding.faults == ()
        assert finding.outcome == Outcome(Team.NS, Award.COURT, Score(ns=7, ew=0), Score(ns=1, ew=1))

    def test_one_after_the_decision_has_no_effect(self) -> None:
        finding = judged(Tricks="E N N N N N N N", Revoke="S 9")

        assert [fault.code.value for fault in finding.faults] == ["result-mismatch"]
        assert finding.outcome == Outcome(Team.NS, Award.WIN, Score(ns=7, ew=1), Score(0, 0))
