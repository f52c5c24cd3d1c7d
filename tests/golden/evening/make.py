"""Write the golden evening: ``python -m tests.golden.evening.make --seed 1 --out tests/golden/evening``."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from itertools import count, groupby
from pathlib import Path
from random import Random
from typing import Final

from courtpiece.engine import Award, Code, Level, Rules
from courtpiece.engine.gathering import WINNING_TRICKS
from courtpiece.notation import CheckedDeal, MatchChecker, Record, read, write_file
from courtpiece.notation.simulator import Habits, Heading, simulate_evening
from tournaments.domain.berger import berger

PAIRS: Final = (
    "Lahore & Karachi",
    "पीपल & बरगद",
    "Saffron & Indigo",
    "یاقوت & زمرد",
    "Jaipur & Pune",
    "सोना & चाँदी",
    "Spade & Heart",
    "چنار & صنوبر",
    "Multan & Quetta",
    "हिमालय & गंगा",
    "Crimson & Teal",
    "بادل & برسات",
    "Delhi & Agra",
    "लाल & नीला",
    "Diamond & Club",
    "پہاڑ & دریا",
)
"""Cities, colours, suits, stones, trees, metals: nobody can be called so by accident."""

ROUNDS: Final = 5
DEALS: Final = (6, 12)
HEADING: Final = Heading(event="Demonstration Evening", site="Lahore PAK", date="2026.11.24")
HABITS: Final = Habits(
    wrong_dealer=0.003, levels=(*[Level.FULL] * 18, Level.TRICKS, Level.RESULT), states_courts=0.8
)


def evening(seed: int) -> tuple[Record, ...]:
    """Return the records of the evening: the first rounds of a round robin under ``court-piece``."""
    plan = berger(range(1, len(PAIRS) + 1))[:ROUNDS]
    rounds = [
        [(PAIRS[pairing.first - 1], PAIRS[pairing.second - 1]) for pairing in plan_.pairings]
        for plan_ in plan
    ]
    return simulate_evening(
        rng=Random(seed),
        rules=Rules.parse("court-piece"),
        rounds=rounds,
        heading=HEADING,
        deals=DEALS,
        habits=HABITS,
    )


def files_of(records: Sequence[Record]) -> Iterator[tuple[str, str]]:
    """Yield a name and a text for each table: what its scorer hands in at the end."""
    for table, of_table in groupby(sorted(records, key=_table), key=_table):
        yield f"table-{table}.pcn", "".join(write_file(of_table))


def _table(record: Record) -> int:
    return int(record.table or 0)


def is_complete(records: Sequence[Record]) -> bool:
    """Return whether the evening has everything that a demonstration should show, and one bavney only."""
    checker = MatchChecker()
    deals = [checker.feed(reading) for _name, text in files_of(records) for reading in read(text)]
    codes = {problem.code for deal in deals for problem in deal.problems}
    awards = [_award(deal) for deal in deals]
    return (
        set(awards) == set(Award)
        and awards.count(Award.BAVNEY) == 1
        and codes == {Code.UNCALLED_REVOKE, Code.WRONG_DEALER}
        and any(record.claim for record in records)
        and any(revoke.corrected for deal in deals if deal.finding for revoke in deal.finding.revokes)
        and any(deal.line and any(deal.line.run_courts) for deal in deals)
        and any(_is_failed_bavney(deal) for deal in deals)
    )


def _award(deal: CheckedDeal) -> Award | None:
    return deal.finding.outcome.award if deal.finding and deal.finding.outcome else None


def _is_failed_bavney(deal: CheckedDeal) -> bool:
    """Return whether a team carried on after the first seven tricks and lost one (law 9.4)."""
    is_court = _award(deal) in {Award.COURT, Award.GOON_COURT}
    return is_court and deal.finding is not None and len(deal.finding.trick_winners or ()) > WINNING_TRICKS


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description="Write the golden evening.")
    parser.add_argument(
        "--seed", type=int, help="default: the first one from 1 that gives a complete evening"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    options = parser.parse_args()
    seed = options.seed or next(seed for seed in count(1) if is_complete(evening(seed)))
    for name, text in files_of(evening(seed)):
        (options.out / name).write_bytes(text.encode())
    sys.stdout.write(f"seed {seed}\n")


if __name__ == "__main__":
    main()
