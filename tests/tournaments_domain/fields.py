"""Fields of Swiss rounds in few words."""

from scoring.domain.results import ByeKind, Exact
from tournaments.domain.pairing import Contestant, Draw, Field, Float, Wish


def contestant(
    number: int,
    score: Exact = 0,
    *,
    met: tuple[int, ...] = (),
    byes: dict[int, ByeKind] | None = None,
    floats: tuple[Float, ...] = (),
) -> Contestant:
    """An entry that ranks by its number."""
    return Contestant(
        number=number,
        rank=number,
        score=score,
        opponents=met,
        rounds=tuple(range(1, len(met) + 1)),
        byes=byes or {},
        floats=floats,
    )


def field(
    number: int,
    *contestants: Contestant,
    forced: tuple[Wish, ...] = (),
    forbidden: tuple[Wish, ...] = (),
) -> Field:
    return Field(number=number, contestants=contestants, forced=forced, forbidden=forbidden)


def newcomers(count: int) -> tuple[Contestant, ...]:
    return tuple(contestant(number) for number in range(1, count + 1))


def wish(first: int, second: int, reason: str = "the director's reason") -> Wish:
    return Wish(entries=(first, second), reason=reason)


def pairs(draw: Draw) -> list[tuple[int, int]]:
    return [(pairing.first, pairing.second) for pairing in draw.pairings]
