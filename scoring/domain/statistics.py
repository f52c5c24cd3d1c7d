"""What deals come to in statistics: of one scoresheet side by side, and summed up over many.

How each figure is counted stands in docs/statistics.md. Whether a deal is counted at all is decided in
:func:`scoring.domain.ledgers.counts`: whoever calls this gives only deals that are.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from itertools import groupby, repeat
from typing import Final, NamedTuple, Self

from courtpiece.engine import Award, Score, Seat, Suit, Team, TrumpMethod

CHOSEN: Final = frozenset(
    {"", *(one.value for one in (TrumpMethod.ANNOUNCED, TrumpMethod.CARD, TrumpMethod.HIDDEN))}
)
"""The methods by which the caller chose the suit (laws 4.1, 4.2 and 4.5), and none where the record does not say.

By the others a card decided that the caller had not chosen (4.3, 4.4, 4.6), or who could not follow suit (4.7).
"""


class CountedDeal(NamedTuple):
    """A deal that somebody won, as far as statistics look at it."""

    dealer: Seat
    winner: Team
    award: Award
    courts: Score
    """All that it scored: laws 8, 10 and 11."""
    run_courts: Score
    """Those of law 11 among them."""
    revoked: Team | None
    """The team whose established revoke ended it (law 8.3)."""
    number: int
    trump: Suit | None = None
    """None: none was made, or the record does not say."""
    method: str = ""
    """A method of law 4, or empty where the record does not say."""

    @property
    def caller(self) -> Seat:
        """Who made trump, or could have: at the dealer's right (law 3.2)."""
        return self.dealer.right


@dataclass(frozen=True, slots=True)
class SuitCalls:
    """Suits that a caller chose as trump: how often, and how often the caller's team won the deal."""

    made: tuple[int, int, int, int] = (0, 0, 0, 0)
    """By :class:`Suit`, as the other."""
    won: tuple[int, int, int, int] = (0, 0, 0, 0)

    def __add__(self, other: Self) -> "SuitCalls":
        """Return both together."""
        return SuitCalls(_sum(self.made, other.made), _sum(self.won, other.won))


def _sum(one: Sequence[int], other: Sequence[int]) -> tuple[int, int, int, int]:
    spades, hearts, diamonds, clubs = (a + b for a, b in zip(one, other, strict=True))
    return spades, hearts, diamonds, clubs


NO_CALLS: Final = SuitCalls()


@dataclass(frozen=True, slots=True, kw_only=True)
class SideFigures:
    """What one side did in one scoresheet."""

    deals: int = 0
    deals_won: int = 0
    called: int = 0
    """Deals as the caller's team; in all others it was the dealer's (law 3.2)."""
    called_won: int = 0
    courts_for: int = 0
    """By whatever law: the side's courts of the match (law 13.1)."""
    courts_against: int = 0
    courts: int = 0
    """Deals won by a court of laws 10.1 and 10.2 as the caller's team."""
    goon_courts: int = 0
    """The same as the dealer's team (law 10.4)."""
    bavneys: int = 0
    """Deals won with all thirteen tricks in a single game (law 10.3), whoever called."""
    full_runs: int = 0
    """Deals that completed a run and scored for it (law 11.1)."""
    revokes: int = 0
    """Deals that the side's own established revoke ended (law 8.3)."""
    longest_run: int = 0
    """Deals won one after another, courts or not; a void deal between them changes nothing (law 9.6)."""
    run_first: int = 0
    """The number of the first deal of the first such run; 0 without one."""
    run_last: int = 0
    first: SuitCalls = NO_CALLS
    """What the player in the North or East seat called."""
    second: SuitCalls = NO_CALLS
    """The same of South or West."""


FIRST_SEATS: Final = frozenset({Seat.N, Seat.E})


def figures_of(deals: Iterable[CountedDeal]) -> tuple[SideFigures, SideFigures]:
    """Return the figures of North–South and of East–West. The deals come in the order of their numbers."""
    played = list(deals)
    return _of_side(Team.NS, played), _of_side(Team.EW, played)


def _of_side(team: Team, deals: Sequence[CountedDeal]) -> SideFigures:
    won = [deal for deal in deals if deal.winner is team]
    called = [deal for deal in deals if deal.dealer.team is not team]
    awards = [deal.award for deal in won]
    length, first, last = _longest_run(team, deals)
    return SideFigures(
        deals=len(deals),
        deals_won=len(won),
        called=len(called),
        called_won=sum(1 for deal in called if deal.winner is team),
        courts_for=sum(deal.courts[team] for deal in deals),
        courts_against=sum(deal.courts[team.other] for deal in deals),
        courts=awards.count(Award.COURT),
        goon_courts=awards.count(Award.GOON_COURT),
        bavneys=awards.count(Award.BAVNEY),
        full_runs=sum(1 for deal in won if deal.run_courts[team]),
        revokes=sum(1 for deal in deals if deal.revoked is team),
        longest_run=length,
        run_first=first,
        run_last=last,
        first=_calls(deal for deal in called if deal.caller in FIRST_SEATS),
        second=_calls(deal for deal in called if deal.caller not in FIRST_SEATS),
    )


def _longest_run(team: Team, deals: Iterable[CountedDeal]) -> tuple[int, int, int]:
    """Return the length of the longest run of deals won, and the numbers of its first and last deal."""
    best = (0, 0, 0)
    length = first = 0
    for deal in deals:
        if deal.winner is not team:
            length = 0
            continue
        first = first if length else deal.number
        length += 1
        if length > best[0]:
            best = (length, first, deal.number)
    return best


def _calls(deals: Iterable[CountedDeal]) -> SuitCalls:
    made, won = [0] * 4, [0] * 4
    for deal in deals:
        if deal.trump is not None and deal.method in CHOSEN:
            made[deal.trump] += 1
            won[deal.trump] += deal.winner is deal.caller.team
    return SuitCalls(tuple(made), tuple(won))  # type: ignore[arg-type]  # of four suits each


# -- summed up


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many."""

    count: int
    of: int

    @property
    def percent(self) -> int | None:
        """The share in whole percent, a half rounded up; None of nothing."""
        return None if not self.of else (200 * self.count + self.of) // (2 * self.of)


@dataclass(frozen=True, slots=True)
class SuitShare:
    """The deals won of those in which a suit was called."""

    suit: Suit
    share: Share


@dataclass(frozen=True, slots=True)
class AtTables:
    """What was played, each match and each deal counted once."""

    matches: int
    drawn: int
    deals: int
    courts: int
    """Of both sides."""

    @property
    def per_hundred(self) -> Fraction | None:
        """Courts in a hundred deals, exact; None without a deal."""
        return per_hundred(self.courts, self.deals)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What somebody did in a number of matches: the sums of what each brought."""

    matches: int = 0
    won: int = 0
    """Matches with more courts than the other side (law 13.2)."""
    lost: int = 0
    deals: int = 0
    deals_won: int = 0
    called: int = 0
    called_won: int = 0
    courts_for: int = 0
    courts_against: int = 0
    courts: int = 0
    goon_courts: int = 0
    bavneys: int = 0
    full_runs: int = 0
    revokes: int = 0
    longest_run: int = 0
    """The longest in one match: a run dies with it (law 11.4)."""
    calls: SuitCalls = NO_CALLS

    def __add__(self, other: Self) -> "Figures":
        """Return both together."""
        counts = {name: getattr(self, name) + getattr(other, name) for name in _SUMMED}
        longest = max(self.longest_run, other.longest_run)
        return Figures(longest_run=longest, calls=self.calls + other.calls, **counts)

    @property
    def drawn(self) -> int:
        """Matches with equal courts."""
        return self.matches - self.won - self.lost

    @property
    def deals_lost(self) -> int:
        """Deals that the others won: one that nobody won is not counted."""
        return self.deals - self.deals_won

    @property
    def of_matches(self) -> Share:
        """The matches won."""
        return Share(self.won, self.matches)

    @property
    def of_deals(self) -> Share:
        """The deals won."""
        return Share(self.deals_won, self.deals)

    @property
    def as_caller(self) -> Share:
        """The deals won as the caller's team."""
        return Share(self.called_won, self.called)

    @property
    def as_dealer(self) -> Share:
        """The deals won as the dealer's team."""
        return Share(self.deals_won - self.called_won, self.deals - self.called)

    @property
    def for_per_hundred(self) -> Fraction | None:
        """Courts for in a hundred deals, exact; None without a deal."""
        return per_hundred(self.courts_for, self.deals)

    @property
    def against_per_hundred(self) -> Fraction | None:
        """Courts against in a hundred deals, exact; None without a deal."""
        return per_hundred(self.courts_against, self.deals)

    @property
    def at_tables(self) -> AtTables:
        """What was played, where these are the figures of both sides: one called in each deal (law 3.2)."""
        return AtTables(self.matches // 2, self.drawn // 2, self.called, self.courts_for)

    @property
    def by_suit(self) -> tuple[SuitShare, ...]:
        """The deals won of those in which each suit was called, spades first."""
        return tuple(SuitShare(suit, Share(self.calls.won[suit], self.calls.made[suit])) for suit in Suit)


_SUMMED: Final = tuple(one.name for one in fields(Figures) if one.name not in {"longest_run", "calls"})


def per_hundred(count: int, deals: int) -> Fraction | None:
    """Return how many fall on a hundred deals, exact; None without a deal."""
    return Fraction(100 * count, deals) if deals else None


def total_of(parts: Iterable[Figures]) -> Figures:
    """Return all of them together."""
    return sum(parts, Figures())


def ranks_of(values: Iterable[object]) -> Iterator[tuple[int, bool]]:
    """Yield the rank of each value and whether it is shared: they come best first. Equals share one (1, 2, 2, 4)."""
    rank = 1
    for _value, equals in groupby(values):
        count = sum(1 for _one in equals)
        yield from repeat((rank, count > 1), count)
        rank += count
