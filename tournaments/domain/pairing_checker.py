"""Checks a drawn Swiss round against what must be true of it, with nothing of what drew it.

What must be true is said at the head of :mod:`tournaments.domain.swiss`; this module has its own reading of it
and its own methods (:mod:`tournaments.domain.pairing_proofs`), and no library.

What a finding proves, and what none does:

- Who is in the draw, its wishes, notes, scores and order are looked up: exact for every field.
- Byes, rematches, score differences and repeated floats (points 1 to 6) are compared with the best that can
  be by branch and bound: exact for every field for which it comes to an end within its limit of steps.
  Where it does not, :class:`Examination` names the question as unproven.
- Everything together, the places too (points 7 to 9), is compared with all draws that there are,
  where the field has up to :data:`FEW` entries. For more it is only tried whether two or three pairs could
  be exchanged for others to the better: places that only an exchange of four pairs improves are not found.

A violation is always true. The fixed numbers of point 10 are nobody's concern but the pairer's.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, TypeAlias

from scoring.domain.results import ByeKind
from tournaments.domain.checked_field import CheckedField
from tournaments.domain.pairing import (
    Against,
    Alternative,
    Draw,
    Field,
    Note,
    Pairing,
)
from tournaments.domain.pairing_proofs import (
    MOST_STEPS,
    Budget,
    Puzzle,
    bits,
    can_complete,
    cheaper_exchange,
    least_cost,
)

FEW: Final = 12
"""Entries up to whom all draws are gone through."""
MOST_ALTERNATIVES: Final = 3
Charges: TypeAlias = Mapping[int, Mapping[int, int]]


class Code(Enum):
    """What is wrong with a draw."""

    ROUND = "round"
    """It is the draw of another round."""
    STRANGER = "stranger"
    """Somebody is in it who is not in the field."""
    LEFT_OUT = "left-out"
    TWICE = "twice"
    AWAY = "away"
    """Who is away is not passed on as it was."""
    FORCED_APART = "forced-apart"
    FORBIDDEN_PAIR = "forbidden-pair"
    BYE_NOT_ALLOWED = "bye-not-allowed"
    """A bye where the number is even, a second one in the round, one of another kind, or of a forced entry."""
    BYE_UNFAIR = "bye-unfair"
    """Somebody who had fewer byes could have had it."""
    REMATCH = "rematch"
    """There could be fewer rematches, or among fewer earlier meetings."""
    BYE_TOO_HIGH = "bye-too-high"
    """Somebody with a lower score could have had the bye."""
    DIFFERENCES = "differences"
    """The differences of score could be less, from the top."""
    FLOATS = "floats"
    """Fewer could float the same way again."""
    BYE_RANK = "bye-rank"
    """Somebody of the same score who stands lower could have had the bye."""
    PLACES = "places"
    """Within equals the pairs could be nearer to where they should be."""
    NOTES = "notes"
    SCORES = "scores"
    ORDER = "order"
    """The higher does not stand first, or the tables are not in the order of their first entries."""
    REASON = "reason"
    """A forced pair without the director's reason, or another pair with one."""
    ALTERNATIVES = "alternatives"
    """An alternative that is none, or a reason against one that is not so."""


@dataclass(frozen=True, slots=True)
class Violation:
    """Something wrong, and the entries that it is about, as far as it is about some."""

    code: Code
    entries: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Examination:
    """What a check came to."""

    violations: tuple[Violation, ...]
    unproven: tuple[Code, ...] = ()
    """What could neither be shown nor excluded within the limit of steps."""


def check_draw(field: Field, draw: Draw) -> tuple[Violation, ...]:
    """Return what is wrong with the draw: nothing, if it is empty."""
    return examine_draw(field, draw).violations


def examine_draw(field: Field, draw: Draw, *, steps: int = MOST_STEPS) -> Examination:
    """Return what is wrong with the draw, and what could not be told in so many steps a question.

    Whether a better one exists is asked only of a draw that keeps the wishes and has everybody in it once;
    of the points in which there is one, the first is returned.
    """
    found = [*_who_is_in(field, draw)]
    if found:
        return Examination(violations=tuple(found))
    board = CheckedField(field)
    found = [*_wishes(board, draw), *_byes(board, draw)]
    if found:
        return Examination(violations=tuple(found))
    told = [violation for pairing in draw.pairings for violation in _told(board, pairing)]
    better = _Better(board, draw, steps)
    found = [*told, *_table_order(board, draw), *_bye_alternatives(board, draw), *better.violations()]
    return Examination(violations=tuple(found), unproven=tuple(better.unproven))


def can_be_drawn(field: Field) -> bool:
    """Return whether any draw keeps the wishes of a field that has nobody in it twice."""
    board = CheckedField(field)
    torn = any(times > 1 for times in Counter(place for pair in board.forced for place in pair).values())
    away = any(entry not in board.place for wish in field.forced for entry in wish.entries)
    if torn or away or board.forced & board.forbidden or board.size < 2:
        return False
    return can_complete(board.neighbours(), [-1] * board.nodes)


def _who_is_in(field: Field, draw: Draw) -> Iterator[Violation]:
    if draw.number != field.number:
        yield Violation(Code.ROUND)
    away = {bye.entry: bye for bye in field.away}
    playing = {one.number for one in field.contestants}
    seated = Counter(entry for pairing in draw.pairings for entry in (pairing.first, pairing.second))
    seated.update(bye.entry for bye in draw.byes)
    for entry in sorted(seated.keys() | playing | away.keys()):
        if entry not in playing and entry not in away:
            yield Violation(Code.STRANGER, (entry,))
        elif seated[entry] > 1:
            yield Violation(Code.TWICE, (entry,))
        elif entry in playing and not seated[entry]:
            yield Violation(Code.LEFT_OUT, (entry,))
        elif entry in away and away[entry] not in draw.byes:
            yield Violation(Code.AWAY, (entry,))


def _wishes(board: CheckedField, draw: Draw) -> Iterator[Violation]:
    drawn = {frozenset((pairing.first, pairing.second)) for pairing in draw.pairings}
    for wish in board.field.forced:
        if frozenset(wish.entries) not in drawn:
            yield Violation(Code.FORCED_APART, wish.entries)
    for wish in board.field.forbidden:
        if frozenset(wish.entries) in drawn:
            yield Violation(Code.FORBIDDEN_PAIR, wish.entries)


def _byes(board: CheckedField, draw: Draw) -> Iterator[Violation]:
    given = [bye for bye in draw.byes if bye.entry in board.place]
    forced = {entry for wish in board.field.forced for entry in wish.entries}
    if len(given) != board.size % 2:
        yield Violation(Code.BYE_NOT_ALLOWED, tuple(bye.entry for bye in given))
    for bye in given:
        if bye.kind is not ByeKind.PAIRING or bye.entry in forced:
            yield Violation(Code.BYE_NOT_ALLOWED, (bye.entry,))


def _told(board: CheckedField, pairing: Pairing) -> Iterator[Violation]:
    """Return where the pairing says of itself what is not so."""
    entries = (pairing.first, pairing.second)
    upper, lower = board.place[pairing.first], board.place[pairing.second]
    if upper > lower:
        yield Violation(Code.ORDER, entries)
        return
    if pairing.scores != (board.order[upper].score, board.order[lower].score):
        yield Violation(Code.SCORES, entries)
    if len(set(pairing.notes)) < len(pairing.notes) or {*pairing.notes} != {
        *_true_notes(board, upper, lower)
    }:
        yield Violation(Code.NOTES, entries)
    reasons = {wish.reason for wish in board.field.forced if {*wish.entries} == {*entries}} or {""}
    if pairing.reason not in reasons:
        yield Violation(Code.REASON, entries)
    named = [alternative.entry for alternative in pairing.alternatives]
    true = all(_is_true(board, upper, lower, alternative) for alternative in pairing.alternatives)
    if len({*named}) < len(named) or len(named) > MOST_ALTERNATIVES or not true:
        yield Violation(Code.ALTERNATIVES, entries)


def _true_notes(board: CheckedField, upper: int, lower: int) -> Iterator[Note]:
    yield Note.SAME_SCORE if board.level[upper] == board.level[lower] else Note.FLOATED
    if (upper, lower) in board.forced:
        yield Note.FORCED
    if board.meetings[upper][lower]:
        yield Note.REMATCH
    if board.repeats(upper, lower):
        yield Note.FLOATED_AGAIN


def _is_true(board: CheckedField, upper: int, lower: int, alternative: Alternative) -> bool:
    """Return whether the alternative suits the upper one better, and is out for the reason that it says."""
    other = board.place.get(alternative.entry, upper)
    if other == upper or board.suits(upper, other) >= board.suits(upper, lower):
        return False
    is_so = {
        Against.FORBIDDEN: (min(upper, other), max(upper, other)) in board.forbidden,
        Against.FORCED_ELSEWHERE: any(other in pair for pair in board.forced),
        Against.MET: bool(board.meetings[upper][other]),
        Against.HAD_BYE: False,
    }
    return is_so.get(alternative.against, not any(is_so.values()))


def _table_order(board: CheckedField, draw: Draw) -> Iterator[Violation]:
    places = [min(board.place[one.first], board.place[one.second]) for one in draw.pairings]
    for pairing, before, place in zip(draw.pairings[1:], places, places[1:], strict=False):
        if before > place:
            yield Violation(Code.ORDER, (pairing.first, pairing.second))


def _bye_alternatives(board: CheckedField, draw: Draw) -> Iterator[Violation]:
    for bye in (bye for bye in draw.byes if bye.entry in board.place):
        given = board.place[bye.entry]
        for alternative in bye.alternatives:
            other = board.place.get(alternative.entry, given)
            is_so = {
                Against.FORCED_ELSEWHERE: any(other in pair for pair in board.forced),
                Against.HAD_BYE: board.byes_had[other] > board.byes_had[given],
            }
            if other <= given or not is_so.get(alternative.against, not any(is_so.values())):
                yield Violation(Code.ALTERNATIVES, (bye.entry,))
                return


class _Better:
    """The questions whether a better draw exists, from the first criterion to the last."""

    def __init__(self, board: CheckedField, draw: Draw, steps: int) -> None:
        self.board = board
        self.steps = steps
        self.unproven: list[Code] = []
        seated = [(board.place[one.first], board.place[one.second]) for one in draw.pairings]
        self.pairs = [(min(pair), max(pair)) for pair in seated]
        self.given = next((board.place[bye.entry] for bye in draw.byes if bye.entry in board.place), None)
        if self.given is not None:
            self.pairs.append((self.given, board.size))
        self.start = [-1] * board.nodes
        for upper, lower in self.pairs:
            self.start[upper], self.start[lower] = lower, upper

    def violations(self) -> Iterator[Violation]:
        """Return the first criterion in which there is a better draw, or nothing."""
        for code, bye_to, budgets in self._questions():
            answer = Puzzle(self._neighbours(bye_to), self.start).within(budgets, steps=self.steps)
            if answer:
                yield Violation(code, self._about(code))
                return
            if answer is None:
                self.unproven.append(code)
        yield from self._places()

    def _questions(self) -> Iterator[tuple[Code, int, list[Budget]]]:
        """Return for each criterion who might have the bye, and what a better draw must keep within."""
        byes, levels, given = self.board.byes_had, self.board.level, self.given
        fewer = just_as_few = lower = level = 0
        if given is not None:
            fewer = _set_of(place for place, had in enumerate(byes) if had < byes[given])
            just_as_few = _set_of(place for place, had in enumerate(byes) if had == byes[given])
            lower = just_as_few & _set_of(place for place, own in enumerate(levels) if own > levels[given])
            level = just_as_few & _set_of(place for place, own in enumerate(levels) if own == levels[given])
        if fewer:
            yield Code.BYE_UNFAIR, fewer, []
        held: list[Budget] = []
        for charges in (self._rematches(), self._meetings()):
            yield from self._less(Code.REMATCH, just_as_few, held, charges)
        if lower:
            yield Code.BYE_TOO_HIGH, lower, [*held]
        for group in range(1 + max(levels)):
            yield from self._less(Code.DIFFERENCES, level, held, self._differences(group))
        yield from self._less(Code.FLOATS, level, held, self._floats())
        below = 0 if given is None else level >> given + 1 << given + 1
        if below:
            yield Code.BYE_RANK, below, [*held]

    def _less(
        self, code: Code, bye_to: int, held: list[Budget], charges: Charges
    ) -> Iterator[tuple[Code, int, list[Budget]]]:
        """Ask for less than the draw costs, if it costs anything; then hold what it costs."""
        now = Budget(0, charges)
        paid = sum(now.cost(*pair) for pair in self.pairs)
        if paid:
            yield code, bye_to, [*held, Budget(paid - 1, charges)]
        held.append(Budget(paid, charges))

    def _about(self, code: Code) -> tuple[int, ...]:
        if code in {Code.BYE_UNFAIR, Code.BYE_TOO_HIGH, Code.BYE_RANK} and self.given is not None:
            return (self.board.order[self.given].number,)
        return ()

    def _neighbours(self, bye_to: int) -> list[int]:
        neighbours = self.board.neighbours()
        if self.given is not None:
            neighbours[-1] &= bye_to
            for place in range(self.board.size):
                if not neighbours[-1] >> place & 1:
                    neighbours[place] &= ~(1 << self.board.size)
        return neighbours

    def _rematches(self) -> Charges:
        return {
            place: {1: _set_of(other for other in met if other > place)}
            for place, met in enumerate(self.board.meetings)
        }

    def _meetings(self) -> Charges:
        return {
            place: _by_cost((other, times) for other, times in met.items() if other > place)
            for place, met in enumerate(self.board.meetings)
        }

    def _differences(self, group: int) -> Charges:
        board = self.board
        return {
            place: _by_cost(
                (other, board.points[place] - board.points[other])
                for other in range(place + 1, board.size)
                if board.level[other] != group
            )
            for place in range(board.size)
            if board.level[place] == group
        }

    def _floats(self) -> Charges:
        board = self.board
        return {
            place: _by_cost((other, board.repeats(place, other)) for other in range(place + 1, board.nodes))
            for place in range(board.size)
        }

    def _places(self) -> Iterator[Violation]:
        """Compare everything together with all draws, or with those that two or three pairs could make."""
        board = self.board
        prices = self._prices()
        if board.size <= FEW:
            if least_cost(prices) < sum(prices[upper][lower] for upper, lower in self.pairs):
                yield Violation(Code.PLACES)
            return
        changed = cheaper_exchange(self.pairs, prices)
        if changed is not None:
            places = {place for pair in changed for place in pair if place < board.size}
            yield Violation(Code.PLACES, tuple(sorted(board.order[place].number for place in places)))

    def _prices(self) -> list[list[int]]:
        """Return what pairs cost as one number, in which each criterion weighs more than all later ones."""
        board = self.board
        neighbours = board.neighbours()
        costs = {
            (upper, lower): self._costs(upper, lower)
            for upper in range(board.nodes)
            for lower in bits(neighbours[upper] >> upper << upper)
        }
        units = [1]
        for column in reversed(list(zip(*costs.values(), strict=True))):
            units.append(units[-1] * (1 + board.nodes * max(column)))
        *weights, never = units
        prices = [[never] * board.nodes for _ in range(board.nodes)]
        for (upper, lower), parts in costs.items():
            price = sum(part * weight for part, weight in zip(parts, reversed(weights), strict=True) if part)
            prices[upper][lower] = prices[lower][upper] = price
        return prices

    def _costs(self, upper: int, lower: int) -> list[int]:
        """Return what a pair costs in each criterion, the first one first."""
        board = self.board
        groups = 1 + max(board.level)
        own = board.level[upper]
        if lower == board.size:
            in_bye = [board.byes_had[upper], 0, 0, groups - 1 - own]
            below = board.top_of_level[own] + board.mates_of_level[own] - 1 - upper
            return [*in_bye, *([0] * groups), board.repeats(upper, lower), below, 0, 0, 0]
        times = board.meetings[upper][lower]
        differences = [0] * groups
        differences[own] = board.points[upper] - board.points[lower]
        floats = board.repeats(upper, lower)
        places = (board.misplaced(upper, lower), *board.tie_costs(upper, lower))
        return [0, int(times > 0), times, 0, *differences, floats, 0, *places]


def _set_of(places: Iterable[int]) -> int:
    return sum(1 << place for place in places)


def _by_cost(costs: Iterable[tuple[int, int]]) -> dict[int, int]:
    """Return the places by what they cost, those that cost nothing left out."""
    sets: dict[int, int] = {}
    for place, cost in costs:
        if cost:
            sets[cost] = sets.get(cost, 0) | 1 << place
    return sets
