"""Ranks worked out a second time, in the plainest way: everybody against everybody, criterion after criterion."""

from fractions import Fraction

from scoring.domain.ranking import rank_entries
from scoring.domain.results import (
    Bye,
    ByeKind,
    DummyOpponent,
    MatchResult,
    Ranking,
    Scheme,
    Side,
    TiebreakCode,
)
from tests.scoring_domain.builders import Tournament

OVER_OPPONENTS = (
    TiebreakCode.BUCHHOLZ,
    TiebreakCode.MEDIAN_BUCHHOLZ,
    TiebreakCode.SONNEBORN_BERGER,
)
MISSED = "missed"
"""What a round after a withdrawal is called, of which nothing is written down."""


def naive_ranks(tournament: Tournament, scheme: Scheme) -> dict[int, int]:
    """Return everybody's rank."""
    entrants = {entrant.number: entrant for entrant in tournament[0]}
    level = {
        number: (entrant.stage, naive_score(number, tournament, scheme))
        for number, entrant in entrants.items()
    }
    ahead = {number: {other for other in entrants if level[other] > level[number]} for number in entrants}
    for code in scheme.tiebreaks:
        ahead = naive_step(code, ahead, tournament, scheme)
    return {number: 1 + len(ahead[number]) for number in entrants}


def naive_step(
    code: TiebreakCode, ahead: dict[int, set[int]], tournament: Tournament, scheme: Scheme
) -> dict[int, set[int]]:
    after = {number: set(others) for number, others in ahead.items()}
    for number, others in ahead.items():
        tied = sorted(other for other in ahead if ahead[other] == others)
        if code is TiebreakCode.HEAD_TO_HEAD:
            after[number] |= naive_head_to_head(number, tied, tournament, scheme)
        else:
            own = naive_value(code, number, tournament, scheme)
            after[number] |= {
                other for other in tied if is_more(naive_value(code, other, tournament, scheme), own)
            }
    return after


def is_more(one: Fraction | None, other: Fraction | None) -> bool:
    return one is not None and (other is None or one > other)


def naive_score(number: int, tournament: Tournament, scheme: Scheme) -> Fraction:
    penalty = next(entrant.penalty for entrant in tournament[0] if entrant.number == number)
    if scheme.ranking is Ranking.COURTS:
        return Fraction(sum(mine.courts for mine, _ in own_matches(number, tournament)) - penalty)
    return naive_earned(number, tournament, scheme) - penalty


def naive_earned(number: int, tournament: Tournament, scheme: Scheme) -> Fraction:
    made = [naive_points(mine, other, scheme) for mine, other in own_matches(number, tournament)]
    off = [naive_bye(one.kind, scheme) for one in tournament[2] if one.entry == number]
    return sum(made + off, Fraction(0))


def own_matches(number: int, tournament: Tournament) -> list[tuple[Side, Side]]:
    return [seen(number, one) for one in tournament[1] if number in (one.sides[0].entry, one.sides[1].entry)]


def seen(number: int, one: MatchResult) -> tuple[Side, Side]:
    first, second = one.sides
    return (first, second) if first.entry == number else (second, first)


def naive_points(mine: Side, other: Side, scheme: Scheme) -> Fraction:
    if mine.courts == other.courts:
        return Fraction(scheme.points.draw)
    return Fraction(scheme.points.win if mine.courts > other.courts else scheme.points.loss)


def naive_bye(kind: ByeKind, scheme: Scheme) -> Fraction:
    points = scheme.points
    requested = points.draw if points.requested is None else points.requested
    forfeit = points.win if points.forfeit is None else points.forfeit
    return Fraction(
        {
            ByeKind.PAIRING: points.bye,
            ByeKind.REQUESTED: requested,
            ByeKind.ABSENT: points.loss,
            ByeKind.LATE: points.loss,
            ByeKind.FORFEIT_WIN: forfeit,
            ByeKind.FORFEIT_LOSS: points.loss,
        }[kind]
    )


def naive_value(code: TiebreakCode, number: int, tournament: Tournament, scheme: Scheme) -> Fraction | None:
    if code is TiebreakCode.DRAW_OF_LOTS:
        rows = rank_entries(tournament[0], [], scheme=Scheme(tiebreaks=(code,), lot_seed=scheme.lot_seed))
        lot = next(row.workings[0].value for row in rows if row.tally.entry == number)
        return None if lot is None else Fraction(lot)
    if code is TiebreakCode.LONGEST_STAY:
        return Fraction(naive_stay(number, tournament[1]))
    if code in OVER_OPPONENTS:
        return naive_over_opponents(code, number, tournament, scheme)
    return Fraction(sum(naive_amount(code, mine, other) for mine, other in own_matches(number, tournament)))


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


def naive_stay(number: int, played: list[MatchResult]) -> int:
    """Return the longest slice of a table's matches that the entry won all of."""
    longest = 0
    for table in {one.table for one in played}:
        there = sorted((one for one in played if one.table == table), key=lambda one: (one.round, one.order))
        for first in range(len(there)):
            for last in range(first + 1, len(there) + 1):
                if all(naive_winner(one) == number for one in there[first:last]):
                    longest = max(longest, last - first)
    return longest


def naive_winner(one: MatchResult) -> int | None:
    first, second = one.sides
    if first.courts == second.courts:
        return None
    return first.entry if first.courts > second.courts else second.entry


def naive_over_opponents(
    code: TiebreakCode, number: int, tournament: Tournament, scheme: Scheme
) -> Fraction | None:
    """Return Buchholz, its median or Sonneborn-Berger, round by round, by articles 8, 9, 14 and 16 of FIDE C.07."""
    if scheme.predetermined and code is not TiebreakCode.SONNEBORN_BERGER:
        return None
    rounds = naive_rounds(number, tournament, scheme)
    last = naive_last_round(tournament)
    scores: list[tuple[Fraction, bool]] = []
    products = Fraction(0)
    for kind, opponent, points in rounds.values():
        score = naive_met(number, kind, opponent, last, tournament, scheme)
        scores.append((score, kind in ("requested", "absent", "late", "forfeit-loss", MISSED)))
        products += score * points
    if code is TiebreakCode.SONNEBORN_BERGER:
        return products
    if code is TiebreakCode.MEDIAN_BUCHHOLZ:
        by_choice = [one for one in scores if one[1]]
        if scores:
            scores.remove(min(by_choice or scores))
        if scores:
            scores.remove(max(scores))
    return sum((score for score, _ in scores), Fraction(0))


def naive_rounds(
    number: int, tournament: Tournament, scheme: Scheme
) -> dict[tuple[int, int], tuple[str, int | None, Fraction]]:
    """Return an entry's rounds: what they were, against whom, and what they brought."""
    rounds: dict[tuple[int, int], tuple[str, int | None, Fraction]] = {}
    for one in tournament[1]:
        if number in (one.sides[0].entry, one.sides[1].entry):
            mine, other = seen(number, one)
            rounds[one.round, len(rounds)] = ("played", other.entry, naive_points(mine, other, scheme))
    for off in tournament[2]:
        if off.entry == number:
            rounds[off.round, len(rounds)] = (off.kind.value, off.opponent, naive_bye(off.kind, scheme))
    if any(entrant.withdrawn for entrant in tournament[0] if entrant.number == number):
        after = max((at for at, _ in rounds), default=0)
        for at in range(after + 1, naive_last_round(tournament) + 1):
            rounds[at, len(rounds)] = (MISSED, None, Fraction(0))
    return rounds


def naive_last_round(tournament: Tournament) -> int:
    happened = [one.round for one in tournament[1]] + [one.round for one in tournament[2]]
    return max(happened, default=0)


def naive_met(
    number: int, kind: str, opponent: int | None, last: int, tournament: Tournament, scheme: Scheme
) -> Fraction:
    """Return the score of whom the entry met, or is taken to have met."""
    if kind == "played":
        assert opponent is not None
        return naive_adjusted(opponent, tournament, scheme)
    if scheme.predetermined:
        return naive_earned(opponent, tournament, scheme) if opponent else Fraction(0)
    own = naive_earned(number, tournament, scheme)
    if scheme.dummy is DummyOpponent.OWN_SCORE:
        return own
    if kind in ("forfeit-win", "forfeit-loss") and opponent:
        return min(own, naive_adjusted(opponent, tournament, scheme))
    return min(own, Fraction(scheme.points.draw) * last)


def naive_adjusted(number: int, tournament: Tournament, scheme: Scheme) -> Fraction:
    if scheme.predetermined:
        return naive_earned(number, tournament, scheme)
    rounds = naive_rounds(number, tournament, scheme)
    total = Fraction(0)
    for (at, _), (kind, _, points) in rounds.items():
        later = {other for (when, _), (other, _, _) in rounds.items() if when > at}
        is_left_off = kind in ("requested", "absent", "late", MISSED) and later <= {
            "requested",
            "absent",
            "late",
            "forfeit-loss",
            MISSED,
        }
        total += scheme.points.draw if is_left_off else points
    return total


def naive_head_to_head(number: int, tied: list[int], tournament: Tournament, scheme: Scheme) -> set[int]:
    """Return who of the tied comes before ``number`` by FIDE C.07 article 6."""
    if len(tied) == 1:
        return set()
    made = {
        one: [naive_between(one, other, tournament, scheme) for other in tied if other != one] for one in tied
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
    return before | naive_head_to_head(number, order[at], tournament, scheme)


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
            if all(
                total[one] > total[other] + scheme.points.win * made[other].count(None)
                for other in left
                if other != one
            )
        ]
        if not top:
            break
        order.append(top)
        left.remove(top[0])
    return [*order, left] if left else order


def naive_between(one: int, other: int, tournament: Tournament, scheme: Scheme) -> Fraction | None:
    by_courts = scheme.ranking is Ranking.COURTS
    made = [
        Fraction(mine.courts) if by_courts else naive_points(mine, their, scheme)
        for mine, their in own_matches(one, tournament)
        if their.entry == other
    ]
    given: list[Bye] = [off for off in tournament[2] if (off.entry, off.opponent) == (one, other)]
    if scheme.predetermined:
        made += [Fraction(0) if by_courts else naive_bye(off.kind, scheme) for off in given]
    return sum(made, Fraction(0)) / len(made) if made else None
