"""Entries, matches and whole tournaments, made up."""

from fractions import Fraction
from itertools import combinations

from hypothesis import strategies as st

from scoring.domain.results import (
    Bye,
    ByeKind,
    DummyOpponent,
    Entrant,
    MatchPoints,
    MatchResult,
    Ranking,
    Scheme,
    Side,
    TiebreakCode,
)

Tournament = tuple[list[Entrant], list[MatchResult], list[Bye]]

POINTS = (
    MatchPoints(),
    MatchPoints(win=3, draw=1, loss=0, bye=3),
    MatchPoints(win=1, draw=Fraction(1, 2), loss=0, bye=1, requested=0),
    MatchPoints(win=3, draw=2, loss=1, bye=Fraction(3, 2), forfeit=2),
)


def entries(*numbers: int) -> tuple[Entrant, ...]:
    return tuple(Entrant(number=number) for number in numbers)


def match(round_number: int, first: int, courts: tuple[int, int], second: int, table: int = 0) -> MatchResult:
    sides = (Side(entry=first, courts=courts[0]), Side(entry=second, courts=courts[1]))
    return MatchResult(round=round_number, sides=sides, table=table)


def bye(round_number: int, entry: int, kind: ByeKind, opponent: int | None = None) -> Bye:
    return Bye(round=round_number, entry=entry, kind=kind, opponent=opponent)


@st.composite
def schemes(draw: st.DrawFn) -> Scheme:
    codes = draw(st.lists(st.sampled_from(TiebreakCode), unique=True))
    return Scheme(
        ranking=draw(st.sampled_from([Ranking.MATCH_POINTS, Ranking.COURTS])),
        points=draw(st.sampled_from(POINTS)),
        tiebreaks=tuple(codes),
        lot_seed=draw(st.none() | st.integers(0, 99)),
        predetermined=draw(st.booleans()),
        dummy=draw(st.sampled_from(DummyOpponent)),
    )


def tournaments() -> st.SearchStrategy[Tournament]:
    return meetings() | swiss()


@st.composite
def meetings(draw: st.DrawFn) -> Tournament:
    """Up to seven entries, of whom any two met up to twice, with few courts, so that many are level."""
    count = draw(st.integers(0, 7))
    entrants = [draw(entrants_of(number)) for number in range(1, count + 1)]
    played: list[MatchResult] = []
    for first, second in combinations(range(1, count + 1), 2):
        for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2]))):
            played.append(MatchResult(round=len(played) + 1, sides=(draw(sides(first)), draw(sides(second)))))
    byes = [Bye(round=99, entry=number) for number in range(1, count + 1) if draw(st.booleans())]
    return entrants, played, byes


@st.composite
def swiss(draw: st.DrawFn) -> Tournament:
    """Up to five rounds of up to seven entries: some come late, leave, stay away, or give a match away."""
    count = draw(st.integers(1, 7))
    rounds = draw(st.integers(1, 5))
    entrants = [draw(entrants_of(number)) for number in range(1, count + 1)]
    played: list[MatchResult] = []
    byes: list[Bye] = []
    here = {
        entrant.number: (draw(st.sampled_from([1, 1, 1, 2, 3])), draw(st.integers(0, rounds)))
        if entrant.withdrawn
        else (draw(st.sampled_from([1, 1, 1, 2, 3])), rounds)
        for entrant in entrants
    }
    for number in range(1, rounds + 1):
        left = [entry for entry, (_, last) in here.items() if number <= last]
        late = [entry for entry in left if number < here[entry][0]]
        matches, without = draw(swiss_round(number, left, late))
        played += matches
        byes += without
    return entrants, played, byes


@st.composite
def swiss_round(
    draw: st.DrawFn, number: int, left: list[int], late: list[int]
) -> tuple[list[MatchResult], list[Bye]]:
    """One round of those who have not left."""
    byes = [bye(number, entry, ByeKind.LATE) for entry in late]
    there: list[int] = []
    for entry in draw(st.permutations([entry for entry in left if entry not in late])):
        away = draw(st.sampled_from([None, None, None, None, ByeKind.REQUESTED, ByeKind.ABSENT]))
        if away is None:
            there.append(entry)
        else:
            byes.append(bye(number, entry, away))
    if len(there) % 2:
        byes.append(bye(number, there.pop(), ByeKind.PAIRING))
    played: list[MatchResult] = []
    for table, (first, second) in enumerate(zip(there[::2], there[1::2], strict=True), start=1):
        came = draw(st.sampled_from([None, None, None, None, ByeKind.FORFEIT_WIN, ByeKind.FORFEIT_LOSS]))
        if came is None:
            pair = (draw(sides(first)), draw(sides(second)))
            played.append(MatchResult(round=number, sides=pair, table=table))
        else:
            byes += [bye(number, first, came, second), bye(number, second, ByeKind.FORFEIT_LOSS, first)]
    return played, byes


def entrants_of(number: int) -> st.SearchStrategy[Entrant]:
    return st.builds(
        Entrant,
        number=st.just(number),
        penalty=st.sampled_from([0, 0, 0, 1]),
        stage=st.sampled_from([0, 0, 0, 1]),
        withdrawn=st.sampled_from([False, False, False, True]),
    )


def sides(entry: int) -> st.SearchStrategy[Side]:
    return st.builds(
        Side,
        entry=st.just(entry),
        courts=st.integers(0, 2),
        deals_won=st.integers(0, 3),
        bavneys=st.integers(0, 1),
    )
