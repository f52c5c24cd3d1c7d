"""Every tie-break of drawn tournaments, a second time: the product's own, with its draws, byes and corrections."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.domain.ranking import rank_entries
from scoring.domain.results import DummyOpponent, Entrant, MatchPoints, Scheme, TiebreakCode
from tests.scoring_domain.builders import POINTS, Tournament
from tests.scoring_domain.naive import naive_ranks, naive_value
from tournaments.domain.random_tournament import PlayedRound, TournamentHabits, play_swiss

CODES = tuple(code for code in TiebreakCode if code is not TiebreakCode.LONGEST_STAY)
RESTLESS = TournamentHabits(
    entries=9,
    rounds=5,
    deals=6,
    draws=0.3,
    late=0.2,
    withdrawals=0.1,
    requested=0.1,
    absences=0.1,
    forfeits=0.15,
    corrections=0.2,
)


def as_played(rounds: list[PlayedRound]) -> Tournament:
    """Return the results of the rounds, as the corrections left them."""
    entries = {row.tally.entry for one in rounds for row in one.rows}
    gone = {row.tally.entry for one in rounds for row in one.rows if row.tally.withdrawn}
    results = {
        (one.round, frozenset(side.entry for side in one.sides)): one
        for played in rounds
        for one in (*played.matches, *played.corrected)
    }
    entrants = [Entrant(number=number, withdrawn=number in gone) for number in sorted(entries)]
    return entrants, list(results.values()), [bye for one in rounds for bye in one.byes]


@settings(max_examples=25)
@given(
    st.integers(0, 2**32),
    st.permutations(CODES),
    st.sampled_from(POINTS),
    st.sampled_from(DummyOpponent),
)
def test_a_second_computation_agrees_on_tournaments_that_were_drawn(
    seed: int, codes: list[TiebreakCode], points: MatchPoints, dummy: DummyOpponent
) -> None:
    scheme = Scheme(points=points, tiebreaks=tuple(codes), lot_seed=seed, dummy=dummy)
    tournament = as_played(list(play_swiss(Random(seed), RESTLESS)))

    rows = rank_entries(*tournament, scheme=scheme)

    assert {row.tally.entry: row.rank for row in rows} == naive_ranks(tournament, scheme)
    for row in rows:
        for code, working in zip(codes, row.workings, strict=True):
            if code is not TiebreakCode.HEAD_TO_HEAD:
                assert working.value == naive_value(code, row.tally.entry, tournament, scheme)
