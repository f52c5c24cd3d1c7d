"""A deal step by step: what may be done, why not, and doing it."""

import pytest

from courtpiece.engine import (
    Award,
    Card,
    DealState,
    IllegalPlayError,
    Outcome,
    Play,
    PlayFault,
    Rules,
    Score,
    Seat,
    Suit,
    Team,
    Trump,
    TrumpMethod,
)
from courtpiece.engine.state import ImpossibleDealError
from tests.engine.builders import A_SUIT_EACH, WEST_AND_EAST_VOID, only, pcn, won_by

HEARTS = Trump(TrumpMethod.ANNOUNCED, Suit.HEARTS)
HIDDEN_HEARTS = Trump(TrumpMethod.HIDDEN, Suit.HEARTS, Card.of("H2"))
HIDDEN_DIAMONDS = Trump(TrumpMethod.HIDDEN, Suit.DIAMONDS, Card.of("D2"))


def hands_of(text: str) -> dict[Seat, list[Card]]:
    """Return the hands that the value of a ``Hands`` tag tells."""
    return {
        Seat[hand[0]]: [
            Card.of(suit + rank)
            for suit, ranks in zip("SHDC", hand[2:].split("."), strict=True)
            for rank in ranks
        ]
        for hand in text.split()
    }


def a_deal(
    rules: str = "court-piece", *, trump: Trump = HEARTS, hands: str = WEST_AND_EAST_VOID
) -> DealState:
    """Return a deal that E has dealt and N has called."""
    return DealState.start(rules=Rules.parse(rules), dealer=Seat.E, hands=hands_of(hands), trump=trump)


def after(deal: DealState, cards: str) -> DealState:
    """Return the deal after these cards in turn; ``^`` turns the indicator up before one, ``_`` lays it face down."""
    for word in cards.split():
        deal = deal.reveal() if word[0] == "^" else deal
        deal = deal.play(Card.of(word.lstrip("^_")), face_down=word[0] == "_")
    return deal


def names(deal: DealState) -> str:
    """Return the legal plays, spades first, from high to low."""
    return " ".join(str(card) for card in deal.hand(deal.turn) if card in deal.legal_plays())


def refusal(deal: DealState, card: str, *, face_down: bool = False) -> PlayFault:
    with pytest.raises(IllegalPlayError) as caught:
        deal.play(Card.of(card), face_down=face_down)
    return caught.value.fault


class TestBeforeTheFirstLead:
    def test_the_caller_leads_and_may_lead_anything_law_5_1(self) -> None:
        deal = a_deal()

        assert (deal.turn, deal.caller, deal.dealer) == (Seat.N, Seat.N, Seat.E)
        assert names(deal) == "SA SK SQ SJ ST S9 S8 H4 H3 H2 D2 C3 C2"
        assert (deal.trick_number, deal.current_trick, deal.last_trick) == (1, (), ())
        assert (deal.tricks, deal.pile, deal.outcome) == (Score(0, 0), 0, None)

    @pytest.mark.parametrize(
        ("rules", "trump", "hands"),
        [
            ("court-piece", HIDDEN_HEARTS, WEST_AND_EAST_VOID),  # not a method of the rules
            ("hidden-trump", Trump(TrumpMethod.HIDDEN, Suit.HEARTS), WEST_AND_EAST_VOID),  # no card
            ("hidden-trump", Trump(TrumpMethod.HIDDEN, Suit.HEARTS, Card.of("HA")), WEST_AND_EAST_VOID),
            ("court-piece", HEARTS, A_SUIT_EACH.replace("N:A", "N:")),
            ("court-piece", HEARTS, A_SUIT_EACH.replace("W:.A", "W:.K")),
        ],
    )
    def test_an_impossible_deal_does_not_start(self, rules: str, trump: Trump, hands: str) -> None:
        with pytest.raises(ImpossibleDealError) as caught:
            a_deal(rules, trump=trump, hands=hands)

        assert len(caught.value.faults) == 1


class TestATurn:
    def test_goes_to_the_right_and_then_to_the_winner(self) -> None:
        deal = a_deal()

        turns = [after(deal, cards).turn.letter for cards in ("C2", "C2 CA", "C2 CA C8", "C2 CA C8 C4")]

        assert turns == ["W", "S", "E", "W"]

    def test_must_follow_suit_law_5_2(self) -> None:
        deal = after(a_deal(), "C2")

        assert names(deal) == "CA CK CQ CJ CT"
        assert refusal(deal, "DA") is PlayFault.MUST_FOLLOW

    def test_may_be_of_any_card_where_the_suit_cannot_be_followed_law_5_2(self) -> None:
        assert names(after(a_deal(), "SA")) == "HK HJ H9 H8 DA DK DQ DJ CA CK CQ CJ CT"

    def test_is_of_a_card_that_is_held(self) -> None:
        assert refusal(a_deal(), "CA") is PlayFault.NOT_HELD
        assert refusal(after(a_deal(), "C2 CA C8 C4 DA D8 D3 D2 DK D9 D4"), "C2") is PlayFault.NOT_HELD

    def test_returns_another_deal_and_leaves_this_one(self) -> None:
        deal = a_deal()

        played = deal.play(Card.of("C2"))

        assert (deal.current_trick, [str(card.card) for card in played.current_trick]) == ((), ["C2"])
        assert deal == a_deal()

    def test_says_who_played_what(self) -> None:
        deal = after(a_deal(), "C2 CA C8 C4 DA D8")

        assert [(played.seat.letter, str(played.card)) for played in deal.last_trick] == [
            ("N", "C2"),
            ("W", "CA"),
            ("S", "C8"),
            ("E", "C4"),
        ]
        assert [(played.seat.letter, str(played.card)) for played in deal.current_trick] == [
            ("W", "DA"),
            ("S", "D8"),
        ]
        assert deal.table_winners == (Seat.W,)


class TestTheIndicator:
    def test_is_no_part_of_the_callers_hand_law_6_2(self) -> None:
        deal = a_deal("hidden-trump", trump=HIDDEN_HEARTS)

        assert deal.indicator == Card.of("H2")
        assert (deal.trump, deal.trump_known) == (None, False)
        assert refusal(deal, "H2") is PlayFault.LIES_FACE_DOWN

    def test_may_be_asked_for_by_who_cannot_follow_and_must_then_trump_law_6_3(self) -> None:
        deal = after(a_deal("hidden-trump", trump=HIDDEN_HEARTS), "SA")

        asked = deal.reveal()

        assert deal.may_reveal()
        assert (asked.trump, asked.indicator, asked.turn) == (Suit.HEARTS, None, Seat.W)
        assert names(asked) == "HK HJ H9 H8"
        assert refusal(asked, "DA") is PlayFault.MUST_TRUMP
        assert not asked.may_reveal()

    def test_may_not_be_asked_for_by_who_can_follow_law_6_3(self) -> None:
        deal = after(a_deal("hidden-trump", trump=HIDDEN_HEARTS), "C2")

        with pytest.raises(IllegalPlayError) as caught:
            deal.reveal()

        assert caught.value.fault is PlayFault.MAY_NOT_REVEAL
        assert not deal.may_reveal()

    def test_may_be_shown_by_the_caller_on_lead_who_must_lead_a_trump_law_6_4(self) -> None:
        shown = a_deal("hidden-trump", trump=HIDDEN_HEARTS).reveal()

        assert names(shown) == "H4 H3 H2"
        assert refusal(shown, "SA") is PlayFault.MUST_TRUMP

    def test_is_all_that_a_caller_may_play_who_holds_nothing_else_law_6_5(self) -> None:
        record = only(
            pcn(
                "\n".join(f"{n}. S{h} H{w} D{w} C{w}" for n, h, w in _twelve()),
                Rules="hidden-trump",
                Trump="S hidden S2",
                Hands=A_SUIT_EACH,
            )
        ).record
        assert record is not None

        deal = record.states()[-1]

        assert deal.legal_plays() == frozenset()
        assert names(deal.reveal()) == "S2"

    def test_may_be_kept_by_discarding_face_down_law_6_8(self) -> None:
        deal = after(a_deal("hidden-trump", trump=HIDDEN_DIAMONDS), "C2 CA C8 C4 DA D8 D3")

        assert refusal(a_deal("hidden-trump", trump=HIDDEN_DIAMONDS), "SA", face_down=True) is (
            PlayFault.MAY_NOT_FACE_DOWN
        )
        assert after(deal, "_S8").last_trick[-1].play.face_down


def _twelve() -> list[tuple[int, str, str]]:
    return list(zip(range(1, 13), "AKQJT9876543", "23456789TJQK", strict=True))


class TestACorrection:
    """Law 8.2."""

    def test_takes_a_revoke_back(self) -> None:
        deal = after(a_deal(), "C2 CA C8 C4 DA D8 D3").record(Play((Card.of("S8"),)))

        corrected = deal.correct(Seat.N, Card.of("D2"))

        assert deal.may_correct(Seat.N, Card.of("D2"))
        assert [revoke.corrected for revoke in corrected.revokes] == [True]
        assert not corrected.is_over
        assert Card.of("S8") in corrected.hand(Seat.N)

    def test_lets_those_who_played_after_it_change_too(self) -> None:
        deal = after(a_deal(), "C2 CA C8 C4 DA").record(Play((Card.of("S7"),)))
        deal = after(deal, "D3").correct(Seat.S, Card.of("D8"))

        assert deal.may_correct(Seat.E, Card.of("D4"))
        assert not deal.may_correct(Seat.W, Card.of("DK"))

    def test_is_not_for_a_card_that_was_no_revoke(self) -> None:
        deal = after(a_deal(), "C2 CA")

        with pytest.raises(IllegalPlayError) as caught:
            deal.correct(Seat.W, Card.of("CK"))

        assert (caught.value.fault, caught.value.seat) == (PlayFault.MAY_NOT_CORRECT, Seat.W)

    def test_is_not_for_a_seat_that_has_not_played(self) -> None:
        with pytest.raises(IllegalPlayError) as caught:
            after(a_deal(), "C2").correct(Seat.E, Card.of("C4"))

        assert caught.value.fault is PlayFault.MAY_NOT_CORRECT

    def test_comes_too_late_once_the_trick_is_turned_over_law_8_3(self) -> None:
        deal = (
            after(a_deal(), "C2 CA C8 C4 DA D8 D3")
            .record(Play((Card.of("S8"),)))
            .record(Play((Card.of("DK"),)))
        )

        assert not deal.may_correct(Seat.N, Card.of("D2"))

    def test_is_of_a_card_that_is_held(self) -> None:
        deal = after(a_deal(), "C2 CA C8 C4 DA D8 D3").record(Play((Card.of("S8"),)))

        with pytest.raises(IllegalPlayError) as caught:
            deal.correct(Seat.N, Card.of("CA"))

        assert caught.value.fault is PlayFault.NOT_HELD


class TestTheEnd:
    def test_a_revoke_that_stood_ends_the_deal_law_8_3(self) -> None:
        deal = after(a_deal(), "C2 CA C8 C4 DA D8 D3").record(Play((Card.of("S8"),)))

        assert deal.is_over
        assert deal.outcome == Outcome(Team.EW, Award.REVOKE, Score(0, 1), Score(0, 1))
        assert refusal(deal, "DK") is PlayFault.DEAL_OVER
        assert deal.legal_plays() == frozenset()

    def test_the_first_seven_may_be_carried_on_law_9_4(self) -> None:
        seven = state_of("court-piece", "N N N N N N N")

        assert not seven.is_over
        assert seven.may_carry_on
        assert seven.outcome is not None
        assert seven.outcome.award is Award.COURT
        assert seven.legal_plays() != frozenset()

    def test_a_decided_deal_is_over_law_9_2(self) -> None:
        decided = state_of("court-piece", "N N N N N N E N")

        assert decided.is_over
        assert not decided.may_carry_on
        assert decided.tricks == Score(7, 1)

    def test_tricks_wait_in_the_centre_law_7_2(self) -> None:
        assert [
            (deal.pile, deal.tricks)
            for deal in (state_of("double-sir", "N E W"), state_of("double-sir", "N E E"))
        ] == [
            (3, Score(0, 0)),
            (0, Score(0, 3)),
        ]


def state_of(rules: str, order: str) -> DealState:
    record = only(pcn(**won_by(order), Rules=rules, Trump="S")).record
    assert record is not None
    return record.states()[-1]


def test_the_states_of_a_record_are_one_before_the_first_card_and_one_after_each() -> None:
    record = only(
        pcn("1. C2 CA C8 C4\n2. DA D8 D3 S8>D2\n*", Trump="H", Hands=WEST_AND_EAST_VOID, Result="void")
    ).record
    assert record is not None

    states = record.states()

    assert [state.turn.letter for state in states] == ["N", "W", "S", "E", "W", "S", "E", "N", "W"]
    assert states[-1].last_trick[-1].play.cards == (Card.of("S8"), Card.of("D2"))


@pytest.mark.parametrize("play", ["1. C2 C2\n*", "1. HA\n*"])
def test_a_record_that_cannot_be_replayed_has_no_states(play: str) -> None:
    record = only(pcn(play, Trump="H", Hands=WEST_AND_EAST_VOID, Result="void")).record
    assert record is not None

    with pytest.raises(ImpossibleDealError):
        record.states()


def test_a_record_without_hands_or_cards_has_no_states() -> None:
    for text in (pcn(Result="void"), pcn("1. C2 CA C8 C4\n*", Trump="H")):
        record = only(text).record
        assert record is not None

        with pytest.raises(ImpossibleDealError):
            record.states()
