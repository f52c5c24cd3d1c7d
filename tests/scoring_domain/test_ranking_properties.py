"""What holds of every standings, and a second, naive computation of the same."""

from fractions import Fraction
from itertools import combinations, pairwise
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from scoring.domain.ranking import Row, rank_entries
from scoring.domain.results import Bye, Entrant, MatchResult, Ranking, Scheme, Side, TiebreakCode

CODES = [
    code
    for code in TiebreakCode
    if code.value not in ("buchholz", "median-buchholz", "sonneborn-berger", "longest-stay")
]

Tournament = tuple[list[Entrant], list[MatchResult], list[Bye]]


@st.composite
def schemes(draw: st.DrawFn) -> Scheme:
    codes = draw(st.lists(st.sampled_from(CODES), unique=True))
    seed = draw(st.none() | st.integers(0, 99))
    return Scheme(
        ranking=draw(st.sampled_from([Ranking.MATCH_POINTS, Ranking.COURTS])),
        tiebreaks=tuple(codes),
        lot_seed=seed,
    )


@st.composite
def tournaments(draw: st.DrawFn) -> Tournament:
    """Up to seven entries, of whom any two met up to twice, with few courts, so that many are level."""
    count = draw(st.integers(0, 7))
    entrants = [
        Entrant(number=number, penalty=draw(st.sampled_from([0, 0, 0, 1]))) for number in range(1, count + 1)
    ]
    played: list[MatchResult] = []
    for first, second in combinations(range(1, count + 1), 2):
        for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2]))):
            played.append(MatchResult(round=len(played) + 1, sides=(draw(sides(first)), draw(sides(second)))))
    byes = [Bye(round=99, entry=number) for number in range(1, count + 1) if draw(st.booleans())]
    return entrants, played, byes


def sides(entry: int) -> st.SearchStrategy[Side]:
    return st.builds(
        Side,
        entry=st.just(entry),
        courts=st.integers(0, 2),
        deals_won=st.integers(0, 3),
        bavneys=st.integers(0, 1),
    )


@given(tournaments(), schemes(), st.randoms(use_true_random=False))
def test_the_order_of_the_input_changes_nothing(
    tournament: Tournament, scheme: Scheme, chance: Random
) -> None:
    entrants, played, byes = tournament
    turned = [MatchResult(round=one.round, sides=(one.sides[1], one.sides[0])) for one in played]

    shuffled = rank_entries(
        chance.sample(entrants, k=len(entrants)),
        chance.sample(turned, k=len(turned)),
        chance.sample(byes, k=len(byes)),
        scheme=scheme,
    )

    assert shuffled == rank_entries(entrants, played, byes, scheme=scheme)


@given(tournaments(), schemes())
def test_positions_are_unique_and_ranks_count_who_is_ahead(tournament: Tournament, scheme: Scheme) -> None:
    entrants, played, byes = tournament

    rows = rank_entries(entrants, played, byes, scheme=scheme)

    assert [row.position for row in rows] == list(range(1, len(entrants) + 1))
    assert sorted(row.tally.entry for row in rows) == [entrant.number for entrant in entrants]
    for row in rows:
        sharing = [other for other in rows if other.rank == row.rank]
        assert row.rank == min(other.position for other in sharing)
        assert row.tied == (len(sharing) > 1)


@given(tournaments(), schemes())
def test_the_score_falls_and_within_it_the_first_value_that_differs_decides(
    tournament: Tournament, scheme: Scheme
) -> None:
    entrants, played, byes = tournament

    rows = rank_entries(entrants, played, byes, scheme=scheme)

    for better, worse in pairwise(rows):
        assert better.tally.score >= worse.tally.score
        if better.tally.score > worse.tally.score or TiebreakCode.HEAD_TO_HEAD in scheme.tiebreaks:
            continue
        assert keys(better) >= keys(worse)
        assert (keys(better) == keys(worse)) == (better.rank == worse.rank)


def keys(row: Row) -> list[tuple[bool, object]]:
    return [(working.value is not None, working.value or 0) for working in row.workings]


@given(tournaments(), schemes())
def test_lines_add_up_to_the_value_and_decided_by_is_one_of_the_scheme(
    tournament: Tournament, scheme: Scheme
) -> None:
    entrants, played, byes = tournament

    rows = rank_entries(entrants, played, byes, scheme=scheme)

    for row in rows:
        assert row.decided_by is None or row.decided_by in scheme.tiebreaks
        assert row.decided_by is None or row.level_with
        for working in row.workings:
            first = [line.amount for line in working.lines if not line.again]
            assert working.value is None or not working.lines or sum(first) == working.value


@given(tournaments(), schemes())
def test_a_second_naive_computation_gives_the_same_ranks(tournament: Tournament, scheme: Scheme) -> None:
    entrants, played, byes = tournament

    rows = rank_entries(entrants, played, byes, scheme=scheme)

    assert {row.tally.entry: row.rank for row in rows} == naive_ranks(tournament, scheme)


def naive_ranks(tournament: Tournament, scheme: Scheme) -> dict[int, int]:
    """Return the ranks by comparing everybody with everybody, criterion after criterion."""
    numbers = [entrant.number for entrant in tournament[0]]
    level = {number: naive_score(number, tournament, scheme) for number in numbers}
    ahead = {number: {other for other in numbers if level[other] > level[number]} for number in numbers}
    for code in scheme.tiebreaks:
        ahead = naive_step(code, ahead, tournament, scheme)
    return {number: 1 + len(ahead[number]) for number in numbers}


def naive_step(
    code: TiebreakCode, ahead: dict[int, set[int]], tournament: Tournament, scheme: Scheme
) -> dict[int, set[int]]:
    after = {number: set(others) for number, others in ahead.items()}
    for number, others in ahead.items():
        tied = sorted(other for other in ahead if ahead[other] == others)
        if code is TiebreakCode.HEAD_TO_HEAD:
            after[number] |= naive_head_to_head(number, tied, tournament[1], scheme)
        else:
            own = naive_value(code, number, tournament, scheme)
            after[number] |= {other for other in tied if naive_value(code, other, tournament, scheme) > own}
    return after


def naive_score(number: int, tournament: Tournament, scheme: Scheme) -> Fraction:
    entrants, played, byes = tournament
    penalty = next(entrant.penalty for entrant in entrants if entrant.number == number)
    own = [seen(number, one) for one in played if number in (one.sides[0].entry, one.sides[1].entry)]
    if scheme.ranking is Ranking.COURTS:
        return Fraction(sum(mine.courts for mine, _ in own) - penalty)
    points = sum(naive_points(mine, other) for mine, other in own)
    return Fraction(points + 2 * sum(bye.entry == number for bye in byes) - penalty)


def seen(number: int, one: MatchResult) -> tuple[Side, Side]:
    first, second = one.sides
    return (first, second) if first.entry == number else (second, first)


def naive_points(mine: Side, other: Side) -> int:
    return 1 + (mine.courts > other.courts) - (mine.courts < other.courts)


def naive_value(code: TiebreakCode, number: int, tournament: Tournament, scheme: Scheme) -> Fraction:
    own = [seen(number, one) for one in tournament[1] if number in (one.sides[0].entry, one.sides[1].entry)]
    if code is TiebreakCode.DRAW_OF_LOTS:
        rows = rank_entries(tournament[0], [], scheme=Scheme(tiebreaks=(code,), lot_seed=scheme.lot_seed))
        return Fraction(next(row.workings[0].value or 0 for row in rows if row.tally.entry == number))
    return Fraction(sum(naive_amount(code, mine, other) for mine, other in own))


def naive_amount(code: TiebreakCode, mine: Side, other: Side) -> int:
    match code:
        case TiebreakCode.COURTS_DIFFERENCE:
            return mine.courts - other.courts
        case TiebreakCode.COURTS_FOR:
            return mine.courts
        case TiebreakCode.WINS:
            return int(mine.courts > other.courts)
        case TiebreakCode.DEALS_WON:
            return mine.deals_won
        case TiebreakCode.BAVNEYS:
            return mine.bavneys
        case _:
            raise AssertionError(code)


def naive_head_to_head(number: int, tied: list[int], played: list[MatchResult], scheme: Scheme) -> set[int]:
    """Return who of the tied comes before ``number`` by FIDE C.07 article 6."""
    if len(tied) == 1:
        return set()
    made = {
        one: [naive_between(one, other, played, scheme) for other in tied if other != one] for one in tied
    }
    all_met = all(None not in results for results in made.values())
    total = {
        one: sum((result for result in results if result is not None), Fraction(0))
        for one, results in made.items()
    }
    if all_met:
        order = [
            [one for one in tied if total[one] == value]
            for value in sorted(set(total.values()), reverse=True)
        ]
    else:
        order = naive_placed(tied, made, total, scheme)
    if len(order) == 1:
        return set()
    at = next(place for place, group in enumerate(order) if number in group)
    before = {one for group in order[:at] for one in group}
    return before | naive_head_to_head(number, order[at], played, scheme)


def naive_placed(
    tied: list[int],
    made: dict[int, list[Fraction | None]],
    total: dict[int, Fraction],
    scheme: Scheme,
) -> list[list[int]]:
    left = list(tied)
    order: list[list[int]] = []
    while scheme.ranking is Ranking.MATCH_POINTS and left:
        top = [
            one
            for one in left
            if all(total[one] > total[other] + 2 * made[other].count(None) for other in left if other != one)
        ]
        if not top:
            break
        order.append(top)
        left.remove(top[0])
    return [*order, left] if left else order


def naive_between(one: int, other: int, played: list[MatchResult], scheme: Scheme) -> Fraction | None:
    met = [seen(one, match) for match in played if {side.entry for side in match.sides} == {one, other}]
    if not met:
        return None
    by_courts = scheme.ranking is Ranking.COURTS
    return Fraction(
        sum(mine.courts if by_courts else naive_points(mine, their) for mine, their in met), len(met)
    )
