"""PBN out: the bridge library endplay loads every export and replays the same cards, order and winners."""

from random import Random

import pytest
from endplay.parsers import pbn
from endplay.types import Board, Card
from hypothesis import given
from hypothesis import strategies as st

from courtpiece.engine import DealState
from courtpiece.notation import Record, read
from courtpiece.notation.pbn import write_pbn
from tests.engine.builders import A_SUIT_EACH, WEST_AND_EAST_VOID, only, pcn
from tests.engine.deals import RULES_NAMES, as_record, play_out, random_rules
from tests.notation.test_golden import GOOD, source

MIRROR = str.maketrans("EW", "WE")
BRIDGE_ORDER = "NESW"
NOBODY = "no trump"


def exported(record: Record) -> str:
    return write_pbn(record, record.finding())


def loaded(text: str) -> Board:
    (board,) = pbn.loads(text)
    return board


def test_a_deal_is_the_mirror_image() -> None:
    record = only(
        pcn("1. C2 CA C8 C4\n2. DA D8 D3 S8>D2\n*", Hands=WEST_AND_EAST_VOID, Trump="H", Result="void")
    ).record
    assert record is not None

    assert exported(record) == (
        '[Board "1"]\n'
        '[Dealer "W"]\n'
        '[Vulnerable "None"]\n'
        '[Deal "W:.T765.76543.7654 AKQJT98.432.2.32 .KJ98.AKQJ.AKQJT 765432.AQ.T98.98"]\n'
        '[Declarer "W"]\n'
        '[Contract "1H"]\n'
        '[PcnDeal "1"]\n'
        '[PcnDealer "E"]\n'
        f'[PcnHands "{WEST_AND_EAST_VOID}"]\n'
        '[PcnTrump "H"]\n'
        '[PcnResult "void"]\n'
        '[PcnMirror "EW"]\n'
        '[Play "N"]\n'
        "C2 CA C8 C4\n"
        "D2 DA D8 D3\n"
        "*\n"
        "\n"
    )


def test_a_record_without_cards_has_no_contract_and_no_play() -> None:
    for text in (
        pcn(Result="NS 7-4"),
        pcn(Tricks="N N N N N N N"),
        pcn("*", Hands=A_SUIT_EACH, Result="void"),
    ):
        record = only(text).record
        assert record is not None

        assert "[Contract" not in exported(record)
        assert "[Play" not in exported(record)
        assert exported(record).endswith("]\n\n")


def test_no_trump_made_is_a_game_at_no_trump() -> None:
    record = only(pcn("1. C2 CA C8 C4\n*", Rules="be-ranga", Hands=WEST_AND_EAST_VOID, Result="void")).record
    assert record is not None

    assert '[Contract "1NT"]' in exported(record)


def test_the_play_stops_before_a_trick_that_bridge_gives_to_another() -> None:
    hidden = {"Rules": "hidden-trump", "Trump": "H hidden H2", "Hands": WEST_AND_EAST_VOID, "Result": "void"}
    record = only(pcn("1. C2 CA C8 C4\n2. CK C9 C5 C3\n3. CQ S7 C6 H4\n4. DA D8 D3 D2\n*", **hidden)).record
    assert record is not None

    assert exported(record).partition('[Play "N"]\n')[2] == "C2 CA C8 C4\nC3 CK C9 C5\n*\n\n"


@pytest.mark.parametrize(
    "value", ['a "b" c', "back\\slash", "#", 'ends in "]', "", " ", "% x", "{x", "; x", "سہ شنبہ"]
)
def test_any_text_of_a_tag_leaves_the_game_readable(value: str) -> None:
    quoted = value.replace("\\", "\\\\").replace('"', '\\"')
    played = pcn(
        "1. C2 CA C8 C4\n*", Hands=WEST_AND_EAST_VOID, Trump="H", Result="void", Event=quoted, Table=quoted
    )
    record = only(played).record
    assert record is not None

    board = loaded(exported(record))

    assert len(board.play) == 4
    assert board.board_num == 1


def the_tricks(record: Record) -> list[tuple[str, list[str], str]]:
    """Return leader, cards in order and winner of each complete trick, as the record's own replay has them."""
    if not record.facts.tricks:
        return []
    last = record.states()[-1]
    return list(
        zip(leaders(last), cards_of(record), [seat.letter for seat in last.table_winners], strict=False)
    )


def leaders(state: DealState) -> list[str]:
    return [state.caller.letter, *[seat.letter for seat in state.table_winners]]


def cards_of(record: Record) -> list[list[str]]:
    return [[str(play.card) for play in plays] for plays in record.tricks or ()]


def mirrored(tricks: list[tuple[str, list[str], str]], trump: str) -> list[tuple[str, list[str], str]]:
    """Return the tricks in the mirror, up to the first that bridge gives to another."""
    found = []
    for leader, cards, winner in tricks:
        if bridge_winner(leader.translate(MIRROR), cards, trump) != winner.translate(MIRROR):
            break
        found.append((leader.translate(MIRROR), cards, winner.translate(MIRROR)))
    return found


def bridge_winner(leader: str, cards: list[str], trump: str) -> str:
    ruffs = [card for card in cards if card[0] == trump]
    suit = ruffs or [card for card in cards if card[0] == cards[0][0]]
    best = max(suit, key=lambda card: "23456789TJQKA".index(card[1]))
    return BRIDGE_ORDER[(BRIDGE_ORDER.index(leader) + cards.index(best)) % 4]


def replayed(board: Board) -> list[tuple[str, list[str], str]]:
    """Return what endplay makes of the game, playing it card by card from the hands."""
    found = []
    deal = board.deal
    for at in range(0, len(board.play), 4):
        leader, cards = deal.first.abbr, board.play[at : at + 4]
        for card in cards:
            deal.play(card)
        found.append((leader, [name_of(card) for card in cards], deal.first.abbr))
    return found


def name_of(card: Card) -> str:
    return f"{card.suit.name[0].upper()}{card.rank.abbr}"


def assert_endplay_replays(record: Record, board: Board) -> None:
    finding = record.finding()
    trump = finding.trump.letter if finding.trump is not None else NOBODY
    assert board.board_num == record.deal
    assert board.dealer is not None
    assert board.dealer.abbr == record.dealer.letter.translate(MIRROR)
    assert replayed(board) == mirrored(the_tricks(record), trump)


@pytest.mark.parametrize("case", GOOD)
def test_golden_records_are_replayed(case: str) -> None:
    records = [reading.record for reading in read(source(f"{case}.pcn")) if reading.record is not None]

    boards = pbn.loads("".join(map(exported, records)))

    assert len(boards) == len(records)
    for record, board in zip(records, boards, strict=True):
        if record.facts.tricks and record.finding().outcome is not None:
            assert_endplay_replays(record, board)


@given(seed=st.integers(0, 2**32), name=st.sampled_from(RULES_NAMES))
def test_random_deals_are_replayed(seed: int, name: str) -> None:
    rng = Random(seed)
    record = as_record(play_out(rng, random_rules(rng, name), slips=0.03))

    board = loaded(exported(record))

    if record.facts.tricks:
        assert_endplay_replays(record, board)
