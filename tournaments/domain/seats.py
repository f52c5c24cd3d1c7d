"""Tables, seats and first dealers of a drawn round.

Lots are hashes of the round's seed and of whom they are about, not shuffles: the same in every version of Python,
and a pairing that a director swaps changes no lot of another.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Final

from courtpiece.engine import Seat
from tournaments.domain.pairing import Draw, Pairing, PairingError

WALKOVER: Final = "w"
"""Before the number of a match that is given away, which needs no table: ``w1``."""
_SEATS: Final = (Seat.N, Seat.E, Seat.S, Seat.W)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """Where a pairing is played, who sits how, and who deals first."""

    table: str
    ns: int
    ew: int
    dealer: Seat
    """Drawn among the four (law 3.1)."""
    pairing: Pairing


def seat_round(
    draw: Draw, *, tables: Sequence[str], seed: int, times_ns: Mapping[int, int] | None = None
) -> tuple[Seating, ...]:
    """Return the seating of every pairing, in the draw's order.

    The first pairing sits at the first of the ``tables``, and so on; where the format wants a table it is that one.
    North-South sits who must, else who has sat there less often (``times_ns``, of those who have), else a lot
    decides.

    :raises PairingError: if there are fewer tables than matches to play.
    """
    played = [pairing for pairing in draw.pairings if not pairing.given_away_by]
    needed = max([len(played), *(pairing.table or 0 for pairing in played)])
    if needed > len(tables):
        raise PairingError(
            f"{needed} tables are needed and there are {len(tables)}: add {needed - len(tables)}"
        )
    wanted = {pairing.table for pairing in played}
    free = iter([name for number, name in enumerate(tables, start=1) if number not in wanted])
    walkovers = iter(range(1, len(draw.pairings) + 1))
    sat = times_ns or {}
    seatings: list[Seating] = []
    for pairing in draw.pairings:
        if pairing.given_away_by:
            table = f"{WALKOVER}{next(walkovers)}"
        else:
            table = tables[pairing.table - 1] if pairing.table else next(free)
        ns, ew = _seats(pairing, draw.number, seed, sat)
        dealer = _SEATS[_lot(seed, draw.number, "dealer", pairing) % len(_SEATS)]
        seatings.append(Seating(table=table, ns=ns, ew=ew, dealer=dealer, pairing=pairing))
    return tuple(seatings)


def seat_at_numbers(
    draw: Draw, *, seed: int | None, times_ns: Mapping[int, int] | None = None
) -> tuple[Seating, ...]:
    """Return the seating of every pairing where tables have numbers from 1 and there are as many as are needed.

    Without a seed nobody's lot counts: the first of a pairing sits North-South.
    """
    needed = max([len(draw.pairings), *(pairing.table or 0 for pairing in draw.pairings)])
    if seed is None:
        draw = replace(draw, pairings=tuple(replace(one, fixed_seats=True) for one in draw.pairings))
    tables = [str(number) for number in range(1, needed + 1)]
    return seat_round(draw, tables=tables, seed=seed or 0, times_ns=times_ns)


def count_ns(sat_ns: Iterable[int]) -> dict[int, int]:
    """Return how often each entry sat North-South; ``sat_ns`` is who did, match by match."""
    return dict(Counter(sat_ns))


def _seats(pairing: Pairing, number: int, seed: int, times_ns: Mapping[int, int]) -> tuple[int, int]:
    first, second = pairing.first, pairing.second
    if pairing.fixed_seats:
        return first, second
    of_first, of_second = times_ns.get(first, 0), times_ns.get(second, 0)
    by_lot = of_first == of_second and _lot(seed, number, "seats", pairing) % 2 == 1
    return (second, first) if by_lot or of_first > of_second else (first, second)


def _lot(seed: int, number: int, what: str, pairing: Pairing) -> int:
    """Return a number drawn for two entries, whoever of them is named first."""
    low, high = sorted((pairing.first, pairing.second))
    return int.from_bytes(sha256(f"{seed}:{number}:{what}:{low}:{high}".encode()).digest()[:8])
