"""Law 7: whose the tricks are."""

import pytest

from courtpiece.engine import Award, Outcome, Score, Seat, Team
from tests.engine.builders import A_SUIT_EACH, WEST_AND_EAST_VOID, judged, taken, won_by

SINGLE = {"Rules": "court-piece", "Trump": "S"}
DOUBLE = {"Rules": "double-sir", "Trump": "S"}
ACE = {"Rules": "double-sir-ace", "Trump": "S"}


def test_in_single_sir_each_trick_is_taken_as_it_is_won_law_7_1() -> None:
    assert taken(**won_by("N S E W N E"), **SINGLE) == Score(ns=3, ew=3)


class TestDoubleSir:
    """Laws 7.2 to 7.5."""

    @pytest.mark.parametrize("rules", [DOUBLE, ACE])
    def test_one_player_who_wins_two_running_gathers_the_pile_law_7_2(self, rules: dict[str, str]) -> None:
        assert taken(**won_by("E N W W"), **rules) == Score(ns=0, ew=4)

    @pytest.mark.parametrize("rules", [DOUBLE, ACE])
    def test_two_partners_in_turn_gather_nothing_law_7_2(self, rules: dict[str, str]) -> None:
        assert taken(**won_by("N S N S"), **rules) == Score(0, 0)

    def test_a_third_win_in_a_row_gathers_nothing_a_fourth_does_law_7_3(self) -> None:
        assert taken(**won_by("N N"), **DOUBLE) == Score(2, 0)
        assert taken(**won_by("N N N"), **DOUBLE) == Score(2, 0)
        assert taken(**won_by("N N N N"), **DOUBLE) == Score(4, 0)

    def test_a_pile_gathered_starts_a_new_one_law_7_3(self) -> None:
        assert taken(**won_by("E S N N E W W"), **DOUBLE) == Score(ns=4, ew=3)

    def test_the_winner_of_trick_13_gathers_the_rest_law_7_4(self) -> None:
        finding = judged(**won_by("E W E E W E W E W E W E N"), **DOUBLE)

        assert finding.outcome == Outcome(Team.NS, Award.WIN, Score(ns=9, ew=4), Score(0, 0))

    def test_even_with_the_only_trick_of_the_team_and_thirteen_so_are_a_court_law_7_4(self) -> None:
        finding = judged(**won_by("E W E W E W E W E W E W N"), **DOUBLE)

        assert finding.outcome == Outcome(Team.NS, Award.COURT, Score(ns=13, ew=0), Score(ns=1, ew=0))

    def test_a_pile_can_be_gathered_from_the_first_claim_on_law_7_5(self) -> None:
        rules = {**DOUBLE, "Rules": "double-sir first-claim=3"}

        assert taken(**won_by("N N"), **rules) == Score(0, 0)
        assert taken(**won_by("N N N"), **rules) == Score(3, 0)
        assert taken(**won_by("N N E E"), **rules) == Score(0, 4)

    def test_a_pile_can_be_gathered_up_to_the_last_claim_law_7_5(self) -> None:
        rules = {**DOUBLE, "Rules": "double-sir last-claim=4"}

        assert taken(**won_by("E W N N"), **rules) == Score(4, 0)
        assert taken(**won_by("E W E N N"), **rules) == Score(0, 0)

    def test_claims_do_not_hinder_the_last_trick_law_7_5(self) -> None:
        late = {**DOUBLE, "Rules": "double-sir last-claim=4"}

        finding = judged(**won_by("N N E W E W E W E W W W N"), **late)

        assert finding.outcome == Outcome(Team.NS, Award.COURT, Score(ns=13, ew=0), Score(ns=1, ew=0))


class TestDoubleSirWithAce:
    """Law 7.6."""

    def test_a_pair_of_aces_gathers_nothing(self) -> None:
        assert taken(**won_by("NA NA"), **DOUBLE) == Score(2, 0)
        assert taken(**won_by("NA NA"), **ACE) == Score(0, 0)

    def test_a_pair_with_one_ace_gathers(self) -> None:
        assert taken(**won_by("NA N"), **ACE) == Score(2, 0)
        assert taken(**won_by("N NA"), **ACE) == Score(2, 0)

    def test_a_later_pair_must_not_include_the_second_ace(self) -> None:
        assert taken(**won_by("NA NA N"), **ACE) == Score(0, 0)
        assert taken(**won_by("NA NA N N"), **ACE) == Score(4, 0)

    def test_an_ace_after_the_second_of_two_begins_anew(self) -> None:
        assert taken(**won_by("NA NA NA"), **ACE) == Score(0, 0)
        assert taken(**won_by("NA NA NA N"), **ACE) == Score(4, 0)
        assert taken(**won_by("NA NA NA NA"), **ACE) == Score(0, 0)

    def test_an_ace_after_a_trick_that_gathered_begins_anew(self) -> None:
        assert taken(**won_by("N NA NA N"), **ACE) == Score(4, 0)

    def test_it_is_so_whether_or_not_the_claims_would_have_let_them_gather(self) -> None:
        late = {**ACE, "Rules": "double-sir-ace first-claim=3"}

        assert taken(**won_by("NA NA N"), **late) == Score(0, 0)
        assert taken(**won_by("NA N N"), **late) == Score(3, 0)

    def test_aces_of_two_players_are_no_pair(self) -> None:
        assert taken(**won_by("NA SA S"), **ACE) == Score(3, 0)


class TestUntilTrumpIsKnown:
    """Law 7.7."""

    HIDDEN_SPADES = {
        "Rules": "hidden-rung first-claim=1",
        "Trump": "S hidden S8",
        "Hands": WEST_AND_EAST_VOID,
    }
    HIDDEN_DIAMONDS = {**HIDDEN_SPADES, "Trump": "D hidden D2"}
    BY_DISCARD = {"Rules": "be-ranga", "Hands": A_SUIT_EACH}

    def test_nobody_gathers_before_the_reveal(self) -> None:
        assert taken("1. SA H8 S7 HT\n2. SK H9 S6 H7\n3. SQ HJ S5 H6\n*", **self.HIDDEN_SPADES) == Score(0, 0)

    def test_a_card_played_before_the_reveal_in_its_trick_was_not_played_with_trump_known(self) -> None:
        play = "1. SA ^H8 S7 HT\n2. SK H9 S6 H7\n"

        assert taken(f"{play}*", **self.HIDDEN_SPADES) == Score(0, 0)
        assert taken(f"{play}3. SQ HJ S5 H6\n*", **self.HIDDEN_SPADES) == Score(3, 0)

    def test_the_card_that_reveals_was(self) -> None:
        play = "1. SA ^DJ S7 C7\n2. DA D8 D3 D2\n*"

        assert taken(play, **self.HIDDEN_DIAMONDS) == Score(0, 2)

    def test_the_card_that_makes_trump_was(self) -> None:
        assert taken("1. SA H2 D2 C2\n2. HA D3 C3 S2\n*", **self.BY_DISCARD) == Score(0, 2)

    def test_a_trick_won_before_trump_was_made_is_half_of_no_pair(self) -> None:
        discards = {**self.BY_DISCARD, "Hands": WEST_AND_EAST_VOID}
        play = "1. C2 CA C8 C4\n2. CK C9 C5 C3\n3. CQ DT C6 H4\n"

        finding = judged(f"{play}*", **discards, Result="void")

        assert finding.trick_winners == (Seat.W, Seat.W, Seat.S)
        assert taken("1. C2 CA C8 C4\n2. CK C9 C5 C3\n*", **discards) == Score(0, 0)

    def test_an_open_trump_is_known_from_the_first_card(self) -> None:
        rules = {**self.HIDDEN_SPADES, "Rules": "hidden-rung first-claim=1 trump=announced", "Trump": "S"}

        assert taken("1. SA H8 S7 HT\n2. SK H9 S6 H7\n*", **rules) == Score(2, 0)
