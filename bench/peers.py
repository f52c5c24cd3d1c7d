"""What programs for bridge and chess read in a second: the same deals as PBN, and games of chess as PGN."""

import io
import logging
import warnings
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

import chess
import chess.pgn
from endplay.parsers import pbn

from courtpiece.notation import Record
from courtpiece.notation.bench import Material
from courtpiece.notation.pbn import write_pbn

_SEED: Final = 2026
_HALF_MOVES: Final = 80
"""About the length of a master's game."""


class PeersMaterial(NamedTuple):
    """What the peers read."""

    pbn: str
    deals: int
    pgn: str
    half_moves: int


def peers_material(ours: Material, *, deals: int, games: int) -> PeersMaterial:
    """Return the first of our deals as PBN, and chess games played at random."""
    records = [record for record in ours.records if record.facts.tricks][:deals]
    played = [_game(Random(f"{_SEED} {number}")) for number in range(games)]
    return PeersMaterial(
        "".join(map(_bare_pbn, records)),
        len(records),
        "\n\n".join(map(str, played)) + "\n",
        sum(game.end().ply() for game in played),
    )


def _bare_pbn(record: Record) -> str:
    """Return the record as PBN without the tags that only PCN knows, which endplay would have to read too."""
    lines = write_pbn(record, record.finding()).split("\n")
    return "\n".join(line for line in lines if not line.startswith("[Pcn"))


def _game(rng: Random) -> chess.pgn.Game:
    """Return a game of legal moves: a capture or a check where there is one and chance will have it."""
    board = chess.Board()
    while not board.is_game_over() and board.ply() < _HALF_MOVES:
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        lively = [move for move in moves if board.is_capture(move)]
        board.push(rng.choice(lively if lively and rng.random() < 0.3 else moves))
    game = chess.pgn.Game.from_board(board)
    game.headers.update(Event="Bench", Site="?", Date="2026.11.29", Round="1", White="A", Black="B")
    return game


def read_pbn(material: PeersMaterial) -> int:
    """Read the PBN with endplay, and return how many deals there were."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        boards: Sequence[object] = pbn.load(io.StringIO(material.pbn))
    if len(boards) != material.deals:
        raise SystemExit(f"endplay read {len(boards)} of {material.deals} deals")
    return len(boards)


def read_pgn(material: PeersMaterial) -> int:
    """Read the PGN with python-chess, and return how many half-moves there were."""
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    stream = io.StringIO(material.pgn)
    half_moves = 0
    while (game := chess.pgn.read_game(stream)) is not None:
        half_moves += game.end().ply()
    if half_moves != material.half_moves:
        raise SystemExit(f"python-chess read {half_moves} of {material.half_moves} half-moves")
    return half_moves
