"""What is measured, not how fast it is: that would be a timed test."""

from courtpiece.notation import MatchChecker, read
from courtpiece.notation.bench import (
    Measurement,
    check_all,
    judge_all,
    machine,
    material,
    measure,
    read_all,
    run_bench,
)


def test_the_same_deals_are_measured_every_time() -> None:
    assert material("double-sir", 25) == material("double-sir", 25)


def test_the_material_has_nothing_wrong_and_is_as_long_as_asked_for() -> None:
    ours = material("court-piece", 45)
    checker = MatchChecker()

    problems = [problem for reading in read(ours.text) for problem in checker.feed(reading).problems]
    assert len(ours.records) == 45
    assert {problem.severity for problem in problems} <= {"warning"}


def test_every_job_says_how_much_it_did() -> None:
    ours = material("court-piece", 30)

    assert judge_all(ours.facts) == read_all(ours.text) == check_all(ours.text) == 30


def test_jobs_take_turns() -> None:
    turns: list[str] = []

    def job(name: str) -> int:
        turns.append(name)
        return 1

    rates = measure([("a", lambda: job("a")), ("b", lambda: job("b"))], rounds=2)
    assert turns == ["a", "b", "a", "b"]
    assert [len(rates["a"]), len(rates["b"])] == [2, 2]


def test_a_row_tells_the_median_the_spread_and_the_target() -> None:
    met = Measurement("judged", [90_000, 70_000, 81_000], "deals/s", least=80_000)
    missed = Measurement("memory", [130.25], "MiB", most=100)

    assert met.row().split() == [
        "judged",
        "81,000",
        "deals/s",
        "70,000",
        "to",
        "90,000",
        "target",
        "80,000",
        "or",
        "more:",
        "met",
    ]
    assert missed.row().split() == ["memory", "130", "MiB", "target", "100", "or", "less:", "MISSED"]


def test_the_table_begins_with_the_machine() -> None:
    lines = list(run_bench(deals=40))

    assert lines[0].partition(", load")[0] == machine().partition(", load")[0]
    assert len(lines) == 11
