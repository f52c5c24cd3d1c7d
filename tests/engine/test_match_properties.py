"""The ledger of a match, and laws 11 and 12 worked out once more from the whole list of its deals."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from courtpiece.engine import Award, Outcome, Rules, Score, Seat, Team, derive_ledger
from courtpiece.engine.ledger import MatchDoubts, MatchRecord
from tests.engine.deals import random_rules

Deal = tuple[int, Seat, Outcome | None]

AWARDS = (Award.WIN, Award.WIN, Award.WIN, Award.COURT, Award.BAVNEY, Award.REVOKE, Award.VOID)


def random_outcome(rng: Random, rules: Rules) -> Outcome | None:
    """Return an outcome, mostly a plain win; None for a deal that was not adjudicated."""
    if rng.random() < 0.05:
        return None
    award = rng.choice(AWARDS)
    if award is Award.VOID:
        return Outcome.void()
    winner = rng.choice(list(Team))
    courts = Score().plus(winner, {Award.WIN: 0, Award.BAVNEY: rules.bavney}.get(award, rules.court))
    if award is Award.COURT and rng.random() < 0.2:
        courts = courts.plus(winner.other, rules.revoke)  # law 8.7
    return Outcome(winner, award, Score().plus(winner, 7), courts)


def random_match(rng: Random, rules: Rules) -> list[Deal]:
    """Return the deals of a match: dealers as law 12 says but for a few, numbers in order but for a few."""
    deals: list[Deal] = []
    number = 1
    for _ in range(rng.randint(0, 30)):
        number += rng.random() < 0.05
        deals.append((number, rng.choice(list(Seat)), random_outcome(rng, rules)))
        number += 1
    return deals


# -- worked out from the whole list, deal by deal ---------------------------------------------------------


def run_before(deals: list[Deal], rules: Rules, at: int, team: Team) -> int:
    """Return how many of the deals just before deal ``at`` were won running by the team (laws 11.1, 11.2, 9.6)."""
    run = 0
    for before in range(at - 1, -1, -1):
        outcome = deals[before][2]
        if outcome is None or outcome.winner is None:
            continue
        if outcome.winner is not team or outcome.courts != Score() or run_courts(deals, rules, before):
            return run
        run += 1
    return run


def run_courts(deals: list[Deal], rules: Rules, at: int) -> int:
    """Return the courts that deal ``at`` scores for completing a run (laws 11.1, 11.3)."""
    outcome = deals[at][2]
    if outcome is None or outcome.winner is None:
        return 0
    if outcome.courts != Score() and rules.streak_and_court.value == "one":
        return 0
    length = run_before(deals, rules, at, outcome.winner) + 1
    return rules.streak_court if length == rules.streak else 0


def courts_after(deals: list[Deal], rules: Rules, at: int, team: Team) -> int:
    """Return the courts of the team after deal ``at``."""
    courts = 0
    for number, (_, _, outcome) in enumerate(deals[: at + 1]):
        if outcome is not None:
            courts += outcome.courts.of(team)
            courts += run_courts(deals, rules, number) if outcome.winner is team else 0
    return courts


def dealer_after(deals: list[Deal], rules: Rules, at: int) -> Seat | None:
    """Return who deals after deal ``at`` (laws 12.1 to 12.3, 9.6); None where it was not adjudicated."""
    _, dealer, outcome = deals[at]
    if outcome is None:
        return None
    if outcome.winner is None:
        return dealer
    if outcome.winner is dealer.team:
        return dealer.right
    scored = outcome.courts.of(outcome.winner) + run_courts(deals, rules, at)
    return dealer.partner if scored else dealer


@given(seed=st.integers(0, 2**32))
def test_the_ledger_is_what_the_laws_give_when_worked_out_again(seed: int) -> None:
    rng = Random(seed)
    rules = random_rules(rng)
    deals = random_match(rng, rules)

    ledger = derive_ledger(rules, deals)

    assert len(ledger) == len(deals)
    for at, line in enumerate(ledger):
        assert line.courts == Score(*(courts_after(deals, rules, at, team) for team in Team))
        assert line.runs == Score(*(run_before(deals, rules, at + 1, team) for team in Team))
        assert sum(line.run_courts) == run_courts(deals, rules, at)
        if line.outcome is not None:
            assert line.next_dealer == dealer_after(deals, rules, at)
            assert line.scored == line.outcome.courts.total_with(line.run_courts)


@given(seed=st.integers(0, 2**32))
def test_what_is_odd_is_what_the_deals_before_do_not_bear_out(seed: int) -> None:
    rng = Random(seed)
    rules = random_rules(rng)
    deals = random_match(rng, rules)
    stated = [Score(rng.randint(0, 2), rng.randint(0, 2)) for _ in deals]
    match = MatchRecord(rules)

    for at, (number, dealer, outcome) in enumerate(deals):
        line, doubts = match.add(number=number, dealer=dealer, outcome=outcome, stated_courts=stated[at])

        assert doubts == doubts_of(deals, rules, at, stated[at])
        assert line == derive_ledger(rules, deals)[at]


def doubts_of(deals: list[Deal], rules: Rules, at: int, stated: Score) -> MatchDoubts:
    number, dealer, _ = deals[at]
    follows = at > 0 and deals[at - 1][0] == number - 1
    expected = dealer_after(deals, rules, at - 1) if follows else None
    gap = number if number != (deals[at - 1][0] + 1 if at else 1) else None
    whole = [deal[0] for deal in deals[: at + 1]] == list(range(1, at + 2))
    known = whole and all(outcome is not None for _, _, outcome in deals[: at + 1])
    courts = Score(*(courts_after(deals, rules, at, team) for team in Team))
    return MatchDoubts(
        expected if expected is not dealer else None, gap, courts if known and courts != stated else None
    )
