"""A Swiss draw for planning only: fast, nearly as good as the real one, and without reasons.

Everybody, the best first, gets the first opponent in the order of the real draw's slide that it has not met: the
opposite place of the score group, then whoever is nearest to it. What is left at the bottom may meet again.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, groupby

from scoring.domain.results import ByeKind
from tournaments.domain.pairing import ByeGiven, Contestant, Draw, Field, Pairing


def draw_quickly(field: Field) -> Draw:
    """Return a draw of the field; wishes are not asked. In the square of the number of entries."""
    ordered = sorted(field.contestants, key=lambda one: (-one.score, one.rank))
    byes = tuple(_byes(ordered))
    off = {bye.entry for bye in byes}
    left = {one.number: one for one in ordered if one.number not in off}
    pairings: list[Pairing] = []
    for group in _score_groups(left.values()):
        waiting = [one for one in group if one.number in left]
        while waiting:
            first = left.pop(waiting.pop(0).number)
            second = left.pop(_opponent(first, waiting, left).number)
            waiting = [one for one in waiting if one is not second]
            pairings.append(
                Pairing(first=first.number, second=second.number, scores=(first.score, second.score))
            )
    return Draw(number=field.number, pairings=tuple(pairings), byes=(*byes, *field.away))


def _byes(ordered: Sequence[Contestant]) -> Iterable[ByeGiven]:
    """Return the bye of an odd field: the last of those who had fewest."""
    if len(ordered) % 2:
        had = [sum(kind is ByeKind.PAIRING for kind in one.byes.values()) for one in ordered]
        last = max(range(len(ordered)), key=lambda place: (-had[place], place))
        yield ByeGiven(entry=ordered[last].number, kind=ByeKind.PAIRING)


def _score_groups(ordered: Iterable[Contestant]) -> list[list[Contestant]]:
    return [list(group) for _, group in groupby(ordered, key=lambda one: one.score)]


def _opponent(first: Contestant, group: Sequence[Contestant], left: Mapping[int, Contestant]) -> Contestant:
    """Return the nearest to the opposite place of the group that ``first`` has not met, else of all that are left."""
    met = set(first.opponents)
    opposite = (len(group) - 1) / 2
    places = sorted(range(len(group)), key=lambda place: (abs(place - opposite), place))
    by_choice = chain((group[place] for place in places), left.values())
    return next((one for one in by_choice if one.number not in met), next(iter(left.values())))
