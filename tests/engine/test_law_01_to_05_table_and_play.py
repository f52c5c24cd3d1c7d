"""Laws 1 to 5: the table, the pack, the deal, how trump is made, and who wins a trick."""

import pytest

from courtpiece.engine import Card, Rank, Seat, Suit, Team
from courtpiece.engine.cards import CARDS
from tests.engine.builders import A_SUIT_EACH, WEST_AND_EAST_VOID, codes, judged, winners

FOUR_FIVES = "S5 H5 D5 C5"


def test_partners_sit_opposite_law_1_1() -> None:
    assert {seat: seat.partner for seat in Seat} == {
        Seat.S: Seat.N,
        Seat.N: Seat.S,
        Seat.E: Seat.W,
        Seat.W: Seat.E,
    }
    assert [seat.team for seat in (Seat.N, Seat.S, Seat.E, Seat.W)] == [Team.NS, Team.NS, Team.EW, Team.EW]


def test_everything_goes_to_the_right_law_1_2() -> None:
    assert [seat.right for seat in (Seat.S, Seat.E, Seat.N, Seat.W)] == [Seat.E, Seat.N, Seat.W, Seat.S]
    assert all(seat.right.left is seat for seat in Seat)
    assert Seat.W.places_from(Seat.S) == 3


def test_the_pack_has_52_cards_ace_high_law_2_1() -> None:
    assert len(set(CARDS)) == 52
    assert "".join(rank.letter for rank in sorted(Rank, reverse=True)) == "AKQJT98765432"
    assert str(Card.of("HT")) == "HT"
    assert Card.of("DA") == Card(Suit.DIAMONDS, Rank.ACE)


@pytest.mark.parametrize(("dealer", "caller"), ["SE", "EN", "NW", "WS"])
def test_the_caller_sits_at_the_dealers_right_law_3_2(dealer: str, caller: str) -> None:
    assert judged(Dealer=dealer, Result="void").caller.letter == caller


@pytest.mark.parametrize(
    ("rules", "trump"),
    [
        ("court-piece", "H"),  # 4.1
        ("court-piece", "H card H4"),  # 4.2
        ("court-piece", "H turned H4"),  # 4.3
        ("court-piece", "H named 6 H4"),  # 4.4
        ("court-piece", "H named 13 H4"),
        ("hidden-trump", "H hidden H4"),  # 4.5
        ("hidden-trump", "H blind H4"),  # 4.6
    ],
)
def test_each_method_of_making_trump_law_4(rules: str, trump: str) -> None:
    finding = judged("*", Rules=rules, Hands=WEST_AND_EAST_VOID, Trump=trump, Result="void")

    assert finding.trump is Suit.HEARTS
    assert finding.faults == ()


@pytest.mark.parametrize(
    "trump", ["H named 5 H4", "H named 14 H4", "H card D4", "H announced", "H turned", "NT"]
)
def test_what_is_no_way_of_making_trump_law_4(trump: str) -> None:
    assert codes("*", Hands=WEST_AND_EAST_VOID, Trump=trump, Result="void") == ["bad-value"]


class TestTrumpByDiscard:
    """Law 4.7."""

    def test_the_first_discard_makes_its_suit_trump_itself_included(self) -> None:
        play = "1. SA C2 S7 H5\n*"

        finding = judged(play, Rules="be-ranga", Hands=A_FEW_CLUBS_MORE, Result="void")

        assert finding.trump is Suit.CLUBS
        assert finding.trick_winners == (Seat.W,)

    def test_without_a_discard_there_is_no_trump(self) -> None:
        play = "1. C2 CA C8 C4\n*"

        finding = judged(play, Rules="be-ranga", Hands=WEST_AND_EAST_VOID, Result="void")

        assert finding.trump is None
        assert finding.trick_winners == (Seat.W,)

    def test_a_later_discard_of_another_suit_makes_nothing(self) -> None:
        play = "1. SA H2 D2 C2\n2. HA D3 C3 S2\n3. HK DA CA SK\n*"

        finding = judged(play, Rules="be-ranga", Hands=A_SUIT_EACH, Result="void")

        assert finding.trump is Suit.HEARTS
        assert finding.trick_winners == (Seat.W, Seat.W, Seat.W)

    def test_a_revoking_card_makes_trump_until_the_revoke_is_found(self) -> None:
        play = "1. C2 CA C8 H5\n2. H6 H4 HK HA\n!E1"

        finding = judged(play, Rules="be-ranga", Hands=WEST_AND_EAST_VOID, Trump="H discard")

        assert finding.trump is Suit.HEARTS
        assert finding.faults == ()
        assert [revoke.seat for revoke in finding.revokes] == [Seat.E]

    def test_a_card_taken_back_makes_no_trump(self) -> None:
        play = "1. C2 CA C8 H5>C4\n*"

        finding = judged(play, Rules="be-ranga", Hands=WEST_AND_EAST_VOID, Trump="-", Result="void")

        assert finding.trump is None
        assert finding.faults == ()

    def test_a_stated_trump_that_the_play_did_not_make_is_reported(self) -> None:
        play = "1. SA H2 D2 C2\n*"

        assert codes(play, Rules="be-ranga", Hands=A_SUIT_EACH, Trump="D discard", Result="void") == [
            "result-mismatch"
        ]
        assert codes(play, Rules="be-ranga", Hands=A_SUIT_EACH, Trump="-", Result="void") == [
            "result-mismatch"
        ]
        assert codes(play, Rules="be-ranga", Hands=A_SUIT_EACH, Trump="H discard", Result="void") == []


A_FEW_CLUBS_MORE = WEST_AND_EAST_VOID.replace("2.32 W:.KJ98.AKQJ.AKQJT", "A.3A W:.KJ98.2KQJ.2KQJT")


class TestTheCardThatWasLaidOrTurned:
    """Law 4.8."""

    FIRST_FIVE = "SA SK H4 D2 C3"

    @pytest.mark.parametrize(
        ("rules", "trump"),
        [
            ("court-piece", "H card HA"),
            ("court-piece", "H turned HK"),
            ("court-piece", "H named 7 HT"),
            ("hidden-trump", "H hidden HA"),
            ("hidden-trump", "H blind HA"),
        ],
    )
    def test_it_is_the_callers(self, rules: str, trump: str) -> None:
        assert codes("*", Rules=rules, Hands=WEST_AND_EAST_VOID, Trump=trump, Result="void") == ["bad-trump"]

    @pytest.mark.parametrize(
        ("rules", "trump"),
        [
            ("court-piece", "H card H3"),
            ("hidden-trump", "H hidden H3"),
            ("hidden-trump", "H blind H3"),
            ("court-piece", "H turned H4"),
            ("court-piece", "H named 7 H4"),
        ],
    )
    def test_it_is_of_the_batch_of_its_method(self, rules: str, trump: str) -> None:
        found = codes(
            "*", Rules=rules, Hands=WEST_AND_EAST_VOID, FirstFive=self.FIRST_FIVE, Trump=trump, Result="void"
        )

        assert found == ["bad-trump"]

    @pytest.mark.parametrize(
        ("rules", "trump"),
        [
            ("court-piece", "H card H4"),
            ("hidden-trump", "H blind H4"),
            ("court-piece", "H turned H3"),
            ("court-piece", "H named 7 H3"),
        ],
    )
    def test_it_may_be_any_of_that_batch(self, rules: str, trump: str) -> None:
        found = codes(
            "*", Rules=rules, Hands=WEST_AND_EAST_VOID, FirstFive=self.FIRST_FIVE, Trump=trump, Result="void"
        )

        assert found == []

    def test_it_is_checked_against_the_first_five_where_no_hands_are_known(self) -> None:
        assert codes(FirstFive=self.FIRST_FIVE, Trump="H card H3", Result="EW 7-4") == ["bad-trump"]


def test_the_caller_leads_then_the_winner_of_each_trick_law_5_1() -> None:
    play = """
        1. C2 CA C8 C4
        2. DA D8 D3 D2
        3. CK C9 C5 C3
        4. H8 HQ H5 H2
        5. S2 H6 ST HJ
        *"""

    assert winners(play, Trump="S", Hands=WEST_AND_EAST_VOID) == "WWWSN"


def test_the_highest_card_of_the_suit_led_wins_without_a_trump_law_5_3() -> None:
    assert winners("1. H4 HK HA HT\n*", Trump="S", Hands=WEST_AND_EAST_VOID) == "S"
    assert winners("1. SA DJ S7 C7\n*", Trump="H", Hands=WEST_AND_EAST_VOID) == "N"


def test_the_highest_trump_wins_law_5_3() -> None:
    assert winners("1. SA H8 S7 HT\n*", Trump="H", Hands=WEST_AND_EAST_VOID) == "E"
    assert winners("1. SA HJ S7 HT\n*", Trump="H", Hands=WEST_AND_EAST_VOID) == "W"


def test_a_player_who_cannot_follow_may_play_any_card_law_5_2() -> None:
    for discard in ("H8", "DJ", "CT"):
        finding = judged(f"1. SA {discard} S7 C7\n*", Trump="H", Hands=WEST_AND_EAST_VOID, Result="void")

        assert finding.revokes == ()
