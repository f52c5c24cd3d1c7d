"""Law 6: the indicator that lies face down, and its reveal."""

import pytest

from courtpiece.engine import Award, Seat, Suit, Team
from tests.engine.builders import A_SUIT_EACH, WEST_AND_EAST_VOID, codes, judged, pcn, problems, winners

HEARTS = {"Rules": "hidden-trump", "Trump": "H hidden H2", "Hands": WEST_AND_EAST_VOID}
"""N calls and laid the two of hearts; W and E have no spade."""

DIAMONDS = {**HEARTS, "Trump": "D hidden D2"}
"""N calls and laid the only diamond of the hand."""

BLIND = {**DIAMONDS, "Trump": "D blind D2"}

FROM_TRICK = {**HEARTS, "Rules": "hidden-trump reveal-from=trick"}


def test_until_the_reveal_there_is_no_trump_law_6_1() -> None:
    assert winners("1. SA HK S7 HT\n*", **HEARTS) == "N"


def test_the_suit_is_known_to_the_record_even_if_never_revealed_law_6_1() -> None:
    assert judged("1. SA HK S7 HT\n*", **HEARTS, Result="void").trump is Suit.HEARTS


def test_the_indicator_cannot_be_played_while_it_lies_face_down_law_6_2() -> None:
    text = pcn("1. H2 HK HA HT\n*", **HEARTS, Result="void")

    assert problems(text) == [("bad-reveal", 8, 4)]


def test_the_indicator_does_not_oblige_the_caller_to_follow_law_6_2() -> None:
    finding = judged("1. C2 CA C8 C4\n2. DA D8 D3 S8\n*", **DIAMONDS, Result="void")

    assert finding.revokes == ()
    assert finding.trick_winners == (Seat.W, Seat.W)


def test_once_revealed_the_indicator_is_an_ordinary_card_law_6_2() -> None:
    play = "1. C2 CA C8 C4\n2. H8 HQ H5 H4\n3. S7 ^D3 SA DJ\n4. DA D8 D4 S8\n!N4"

    finding = judged(play, **DIAMONDS)

    assert finding.faults == ()
    assert [(revoke.seat, revoke.trick) for revoke in finding.revokes] == [(Seat.N, 4)]


def test_who_asks_must_play_a_trump_and_wins_with_it_law_6_3() -> None:
    assert winners("1. SA ^H8 S7 C7\n*", **HEARTS) == "W"
    assert (
        judged("1. SA ^DJ S7 C7\n!W1", **HEARTS).outcome == judged("1. SA ^CT S7 C7\n!W1", **HEARTS).outcome
    )


def test_who_asks_without_a_trump_may_play_any_card_law_6_3() -> None:
    spades = {**HEARTS, "Trump": "S hidden S8"}

    finding = judged("1. SA ^DJ S7 C7\n*", **spades, Result="void")

    assert finding.revokes == ()
    assert finding.trick_winners == (Seat.N,)


@pytest.mark.parametrize(
    ("play", "why"),
    [
        ("1. H4 ^HK HA HT\n*", "W can follow"),
        ("1. C2 CA C8 C4\n2. ^DA D8 D3 C3\n*", "W leads, and is not the caller"),
        ("1. SA ^H8 S7 ^HT\n*", "it was revealed before"),
        ("1. SA _DJ S7 C7\n*", "only the caller may play face down"),
    ],
)
def test_who_may_not_ask_law_6_3(play: str, why: str) -> None:
    assert codes(play, **HEARTS, Result="void") == ["bad-reveal"], why


def test_there_is_nothing_to_reveal_with_an_open_trump_law_6_3() -> None:
    assert codes("1. SA ^H8 S7 C7\n*", Trump="H", Hands=WEST_AND_EAST_VOID, Result="void") == ["bad-reveal"]
    assert codes("1. SA ^H8 S7 C7\n*", Rules="be-ranga", Hands=WEST_AND_EAST_VOID, Result="void") == [
        "bad-reveal"
    ]


class TestTheCallerShows:
    """Law 6.4."""

    def test_when_unable_to_follow(self) -> None:
        assert winners("1. C2 CA C8 C4\n2. CK C9 C5 C3\n3. CQ S7 C6 ^D2\n*", **DIAMONDS) == "WWN"

    def test_and_must_then_play_a_trump(self) -> None:
        finding = judged("1. C2 CA C8 C4\n2. CK C9 C5 C3\n3. CQ S7 C6 ^S8\n!N3", **DIAMONDS)

        assert finding.outcome is not None
        assert (finding.outcome.winner, finding.outcome.award) == (Team.EW, Award.REVOKE)

    def test_but_not_when_able_to_follow(self) -> None:
        assert codes("1. C2 CA C8 C4\n2. CK C9 C5 ^C3\n*", **DIAMONDS, Result="void") == ["bad-reveal"]

    def test_on_lead_leading_a_trump(self) -> None:
        assert winners("1. ^H2 H8 HA HT\n*", **HEARTS) == "S"
        assert winners("1. ^H4 H8 HQ H5\n*", **HEARTS) == "S"

    def test_on_lead_leading_another_card_is_impossible(self) -> None:
        assert codes("1. ^SA H8 S7 HT\n*", **HEARTS, Result="void") == ["bad-reveal"]


def the_caller_wins_all(last: str) -> str:
    ranks = "AKQJT9876543"
    low = "23456789TJQK"
    lines = [f"{n}. S{ranks[n - 1]} H{low[n - 1]} D{low[n - 1]} C{low[n - 1]}" for n in range(1, 13)]
    return "\n".join([*lines, f"13. {last} HA DA CA", "*"])


def test_a_caller_with_nothing_but_the_indicator_reveals_it_and_plays_it_law_6_5() -> None:
    spades = {"Rules": "hidden-trump", "Trump": "S blind S2", "Hands": A_SUIT_EACH}

    finding = judged(the_caller_wins_all("^S2"), **spades)

    assert finding.faults == ()
    assert finding.outcome is not None
    assert finding.outcome.award is Award.BAVNEY
    assert codes(the_caller_wins_all("S2"), **spades, Result="void") == ["bad-reveal"]


class TestTrumpsFromTheReveal:
    """Laws 6.6 and 6.7."""

    def test_a_card_played_before_the_reveal_is_no_trump(self) -> None:
        assert winners("1. SA HK S7 ^H5\n*", **HEARTS) == "E"

    def test_unless_the_rules_say_the_whole_trick(self) -> None:
        assert winners("1. SA HK S7 ^H5\n*", **FROM_TRICK) == "W"

    def test_a_card_of_an_earlier_trick_was_no_trump_either_way(self) -> None:
        for rules in (HEARTS, FROM_TRICK):
            assert winners("1. SA HK S7 HT\n2. SK ^H8 S6 H5\n*", **rules) == "NW"

    def test_where_trump_was_led_the_highest_wins_whenever_played_law_6_7(self) -> None:
        assert winners("1. C2 CA C8 C4\n2. DJ D8 D3 ^D2\n*", **DIAMONDS) == "WW"


class TestFaceDown:
    """Law 6.8."""

    def test_a_caller_who_cannot_follow_may_discard_face_down(self) -> None:
        finding = judged("1. C2 CA C8 C4\n2. DA D8 D3 _S8\n*", **DIAMONDS, Result="void")

        assert finding.faults == ()
        assert finding.trick_winners == (Seat.W, Seat.W)

    def test_it_cannot_win_even_as_a_trump_of_the_whole_trick(self) -> None:
        hands = WEST_AND_EAST_VOID.replace(".432.2.32", ".A42.2.32").replace(".AQ.T98", ".Q3.T98")
        play = "1. C2 CA C8 C4\n2. CK C9 C5 C3\n3. H8 H3 HT H4\n4. C6 {}HA CQ ^HQ\n*"

        assert winners(play.replace("{}", "_"), **{**FROM_TRICK, "Hands": hands}) == "WWES"
        assert winners(play.replace("{}", ""), **{**FROM_TRICK, "Hands": hands}) == "WWEN"

    @pytest.mark.parametrize(
        ("play", "why"),
        [
            ("1. _SA HK S7 HT\n*", "the caller leads"),
            ("1. C2 CA C8 C4\n2. CK C9 C5 _C3\n*", "the caller can follow"),
            ("1. C2 CA _C8 C4\n*", "S is not the caller"),
            ("1. C2 CA C8 C4\n2. CK C9 C5 C3\n3. S7 ^D7 SA D4\n*", "the caller can follow"),
        ],
    )
    def test_nobody_else_may_and_not_the_caller_otherwise(self, play: str, why: str) -> None:
        assert codes(play, **DIAMONDS, Result="void") != [], why

    def test_only_in_hidden_games_not_in_blind_ones(self) -> None:
        assert codes("1. C2 CA C8 C4\n2. DA D8 D3 _S8\n*", **BLIND, Result="void") == ["bad-reveal"]

    def test_not_after_the_reveal(self) -> None:
        play = "1. C2 CA C8 C4\n2. CK C9 C5 C3\n3. CQ S7 C6 ^D2\n4. S8 DJ S2 D3\n5. CJ S3 C7 _SA\n*"

        assert codes(play, **DIAMONDS, Result="void") == ["bad-reveal"]


def test_a_game_whose_indicator_is_never_revealed_has_no_trump_law_6_9() -> None:
    lines = "".join(
        f"{n}. S{rank} H{low} D{low} C{low}\n"
        for n, rank, low in zip(range(1, 8), "AKQJT98", "2345678", strict=True)
    )

    finding = judged(f"{lines}*", Rules="hidden-trump", Trump="S hidden S2", Hands=A_SUIT_EACH)

    assert finding.faults == ()
    assert finding.outcome is not None
    assert finding.outcome.award is Award.COURT
