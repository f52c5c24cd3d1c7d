"""The golden evening: an import without a fault, with everything in it that a demonstration should show."""

from collections import Counter
from pathlib import Path

import pytest

from courtpiece.engine import Award, Code, Kind, Level
from courtpiece.notation import CheckedDeal, MatchChecker, check, read, write_file
from tests.golden.evening.make import evening, files_of, is_complete

FOLDER = Path(__file__).parents[1] / "golden" / "evening"
TABLES = [f"table-{table}.pcn" for table in range(1, 9)]
SEED = 31


def source(name: str) -> bytes:
    return (FOLDER / name).read_bytes()


def deals_of(name: str) -> list[CheckedDeal]:
    checker = MatchChecker()
    return [checker.feed(reading) for reading in read(source(name))]


@pytest.fixture(scope="module")
def deals() -> list[CheckedDeal]:
    return [deal for name in TABLES for deal in deals_of(name)]


def test_there_is_a_file_for_each_table_and_nothing_else() -> None:
    assert sorted(path.name for path in FOLDER.glob("*.pcn")) == TABLES


@pytest.mark.parametrize("name", TABLES)
def test_every_record_is_in_the_export_form(name: str) -> None:
    records = [reading.record for reading in read(source(name))]

    assert "".join(write_file(record for record in records if record)).encode() == source(name)


def test_nothing_is_wrong_but_for_two_kinds_of_warning(deals: list[CheckedDeal]) -> None:
    problems = [problem for deal in deals for problem in deal.problems]

    assert {problem.kind for problem in problems} == {Kind.WARNING}
    assert {problem.code for problem in problems} == {Code.UNCALLED_REVOKE, Code.WRONG_DEALER}


def test_every_award_occurs(deals: list[CheckedDeal]) -> None:
    outcomes = [deal.finding.outcome for deal in deals if deal.finding]

    assert {outcome.award for outcome in outcomes if outcome} == set(Award)


def test_revokes_are_corrected_claimed_and_overlooked(deals: list[CheckedDeal]) -> None:
    revokes = [revoke for deal in deals if deal.finding for revoke in deal.finding.revokes]
    claims = [deal.reading.record.claim for deal in deals if deal.reading.record]

    assert {revoke.corrected for revoke in revokes} == {True, False}
    assert any(claims)
    assert any(problem.code is Code.UNCALLED_REVOKE for deal in deals for problem in deal.problems)


def test_a_run_of_deals_scores_a_court(deals: list[CheckedDeal]) -> None:
    assert any(any(deal.line.run_courts) for deal in deals if deal.line)


def test_a_team_carries_on_and_fails(deals: list[CheckedDeal]) -> None:
    courts = [
        deal.finding.outcome.tricks
        for deal in deals
        if deal.finding
        and deal.finding.outcome
        and deal.finding.outcome.award in {Award.COURT, Award.GOON_COURT}
    ]

    assert any(min(tricks) == 1 for tricks in courts)


def test_every_level_of_record_occurs(deals: list[CheckedDeal]) -> None:
    levels = Counter(deal.finding.level for deal in deals if deal.finding)

    assert set(levels) == set(Level)
    assert levels[Level.FULL] > len(deals) * 4 // 5


def test_sixteen_pairs_play_five_rounds_at_eight_tables() -> None:
    matches = [line for name in TABLES for line in check(source(name)) if line["type"] == "match"]

    assert len(matches) == 40
    assert len({line["ns"] for line in matches} | {line["ew"] for line in matches}) == 16
    assert {line["round"] for line in matches} == {"1", "2", "3", "4", "5"}
    assert len({frozenset((line["ns"], line["ew"])) for line in matches}) == 40


def test_the_command_in_the_readme_writes_these_files() -> None:
    records = evening(SEED)

    assert {name: text.encode() for name, text in files_of(records)} == {
        name: source(name) for name in TABLES
    }
    assert f"--seed {SEED} " in (FOLDER / "README.md").read_text()
    assert is_complete(records)
