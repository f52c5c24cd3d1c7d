"""The replay shows what the library's states tell, card by card."""

import pytest

from courtpiece.engine import Score, Seat
from courtpiece.notation import read
from scoring.explanations import Explained, explain
from scoring.replays import Replay, replay_of
from tests.scoring.builders import a_full_record, a_record

NAMES = {Seat.N: "Asif", Seat.E: "Chand", Seat.S: "Bilal", Seat.W: "Dev"}

DOUBLE_SIR = """[Deal "1"]
[Rules "double-sir"]
[Dealer "E"]
[Hands "N:AKQJT98765432... W:.AKQJT98765432.. S:..AKQJT98765432. E:...AKQJT98765432"]
[Trump "S"]
[Result "void"]

1. SA H2 D2 C2
2. SK H3 D3 C3
3. SQ H4 D4 C4
*
"""


def replay(text: str, at: int = 0) -> Replay:
    record = next(read(text)).record
    assert record is not None
    found = replay_of(record, record.finding(), names=NAMES, at=at)
    assert found is not None
    return found


def test_hands_are_shown_as_dealt_with_who_held_them() -> None:
    hands = {hand.seat: (hand.name, hand.holding) for hand in replay(a_full_record()).hands}

    assert hands["N"] == ("Asif", "K852.T763.98.J72")
    assert hands["S"] == ("Bilal", "7.Q42.AKQJ52.KQ5")


def test_every_card_has_its_player_and_the_count_after_it() -> None:
    plays = replay(a_full_record()).plays

    assert [(play.index, play.trick, play.seat, play.card) for play in plays[:5]] == [
        (1, 1, "N", "HT"),
        (2, 1, "W", "H5"),
        (3, 1, "S", "HQ"),
        (4, 1, "E", "HK"),
        (5, 2, "E", "C9"),
    ]
    assert [(play.ns, play.ew) for play in plays[2:4]] == [(0, 0), (0, 1)]
    assert (plays[-1].ns, plays[-1].ew) == (2, 7)


def test_every_trick_knows_its_cards_and_who_took_it() -> None:
    shown = replay(a_full_record())

    assert "".join(trick.winner for trick in shown.tricks) == "ESWNEEWWW"
    assert [(trick.first, trick.last) for trick in shown.tricks[:2]] == [(1, 4), (5, 8)]
    winning = [play.card for play in shown.plays if play.winning]
    assert winning == ["HK", "CK", "CA", "CJ", "SA", "HJ", "SQ", "C3", "HA"]
    assert [trick.note for trick in shown.tricks if trick.note] == ["The deal is decided."]


@pytest.mark.parametrize(("asked", "at"), [(-5, 0), (0, 0), (7, 7), (36, 36), (400, 36)])
def test_a_step_that_is_not_there_is_the_nearest(asked: int, at: int) -> None:
    shown = replay(a_full_record(), asked)

    assert (shown.at, shown.last) == (at, 36)


def test_a_card_taken_back_is_shown_with_the_one_that_stands() -> None:
    shown = replay(a_full_record().replace("2. C9 C7 CT CK", "2. C9 S8>C7 CT CK"))

    assert (shown.plays[5].card, shown.plays[5].taken_back) == ("C7", ("S8",))
    assert shown.tricks[1].note == "N revoked with S8 and took it back."


def test_a_pile_lies_in_the_centre_until_it_is_gathered() -> None:
    shown = replay(DOUBLE_SIR)

    assert [(play.pile, play.ns) for play in shown.plays[3::4]] == [(1, 0), (0, 2), (1, 2)]
    assert [trick.note for trick in shown.tricks] == ["", "NS gather 2 tricks.", ""]


def test_a_record_without_cards_has_no_replay() -> None:
    record = next(read(a_record(1))).record
    assert record is not None

    assert replay_of(record, record.finding(), names={}, at=0) is None


def test_hidden_trump_is_shown_when_it_is_turned_up() -> None:
    text = (
        '[Deal "1"]\n[Rules "hidden-trump"]\n[Dealer "E"]\n'
        '[Hands "N:KQJT98765432.A.. W:.KQJT98765432.A. S:..KQJT98765432.A E:A...KQJT98765432"]\n'
        '[Trump "H hidden HA"]\n[Result "void"]\n\n1. SK ^H2\n*\n'
    )

    shown = replay(text)

    assert [play.reveal for play in shown.plays] == [False, True]


def explained(text: str) -> list[tuple[str, str]]:
    record = next(read(text)).record
    assert record is not None
    finding = record.finding()
    assert finding.outcome is not None
    sentences = explain(
        Explained(
            rules=record.rules,
            dealer=record.dealer,
            outcome=finding.outcome,
            run_courts=Score(),
            finding=finding,
        )
    )
    return [(sentence.text, sentence.law) for sentence in sentences]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        (
            a_full_record(),
            [("East–West won by 7 tricks to 2.", "9.1"), ("North deals next.", "12.1")],
        ),
        (
            a_record(1, dealer="E", result="NS 7-0 court"),
            [
                ("North–South won the first seven tricks while the other side had none: a court.", "10.1"),
                ("North–South score 1 court.", ""),
                ("West deals next.", "12.3"),
            ],
        ),
        (
            a_record(1, dealer="E", result="NS 7-4"),
            [("North–South won by 7 tricks to 4.", "9.1"), ("East deals next.", "12.2")],
        ),
        (
            a_record(1, dealer="E", result="NS 13-0 bavney"),
            [
                ("North–South won all thirteen tricks: a bavney.", "10.3"),
                ("North–South score 52 courts.", ""),
                ("West deals next.", "12.3"),
            ],
        ),
        (
            a_record(1, dealer="E", result="NS 3-2 revoke", more='[Revoke "W 6"]'),
            [
                ("North–South win by the other side's revoke, at 3 tricks to 2.", "8.5"),
                ("West revoked in trick 6.", "8.3"),
                ("North–South score 1 court.", ""),
                ("West deals next.", "12.3"),
            ],
        ),
        (
            a_record(1, dealer="E", result="void"),
            [("Nobody won: the deal is void and scores nothing.", "9.6"), ("East deals next.", "9.6")],
        ),
        (
            a_record(1, rules="double-sir", dealer="E", result="EW 13-0 court"),
            [
                ("East–West gathered all thirteen tricks: a court.", "10.2"),
                ("The dealer's side made it: a goon court.", "10.4"),
                ("East–West score 1 court.", ""),
                ("North deals next.", "12.1"),
            ],
        ),
    ],
)
def test_what_a_deal_counts_is_said_with_its_laws(text: str, sentences: list[tuple[str, str]]) -> None:
    assert explained(text) == sentences
