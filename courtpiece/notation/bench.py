"""How fast this machine judges and reads: what ``python -m courtpiece bench`` measures."""

from __future__ import annotations

import gc
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import process_time
from typing import Final, NamedTuple

from courtpiece.engine.adjudication import adjudicate
from courtpiece.engine.deal import DealFacts
from courtpiece.engine.rules import NAMED, Rules
from courtpiece.notation.checker import MatchChecker
from courtpiece.notation.reader import read
from courtpiece.notation.record import Record
from courtpiece.notation.simulator import Heading, simulate_match
from courtpiece.notation.writer import write_file

ROUNDS: Final = 7
"""How often everything is measured; the median counts."""
JUDGED_TARGET: Final = 80_000
READ_TARGET: Final = 25_000
SIMULATED_TARGET: Final = 1_000
_DEALS_OF_A_MATCH: Final = 20
_MAIN: Final = "court-piece"
_SEED: Final = 2026


class Material(NamedTuple):
    """Records to measure with."""

    records: Sequence[Record]
    text: bytes
    """The same as a file."""

    @property
    def cards(self) -> int:
        """How many cards stand in them."""
        return sum(len(plays) for record in self.records for plays in record.facts.tricks or ())

    @property
    def facts(self) -> list[DealFacts]:
        """What they tell the engine."""
        return [record.facts for record in self.records]


class Measurement(NamedTuple):
    """What was measured, in one unit for all rounds."""

    name: str
    values: Sequence[float]
    unit: str
    least: float | None = None
    """The target: at least so much."""
    most: float | None = None
    """The target: at most so much."""

    @property
    def value(self) -> float:
        """The median of the rounds."""
        return median(self.values)

    def row(self) -> str:
        """Return the measurement as a line of a table: the median, how far the rounds spread, the target."""
        spread = f"{_number(min(self.values))} to {_number(max(self.values))}" if len(self.values) > 1 else ""
        return (
            f"{self.name:<68}{_number(self.value):>12} {self.unit:<14}{spread:<24}{self._verdict()}".rstrip()
        )

    def _verdict(self) -> str:
        if self.least is not None:
            return f"target {_number(self.least)} or more: {'met' if self.value >= self.least else 'MISSED'}"
        if self.most is not None:
            return f"target {_number(self.most)} or less: {'met' if self.value <= self.most else 'MISSED'}"
        return ""


_EXACT_BELOW: Final = 100


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= _EXACT_BELOW else f"{value:.3g}"


def material(rules: str, deals: int) -> Material:
    """Return so many deals as people play and write them, always the same ones."""
    rng = Random(f"{_SEED} {rules}")  # noqa: S311 - the same deals every time
    records: list[Record] = []
    while len(records) < deals:
        heading = Heading("Bench", "?", "2026.11.29", "1", str(len(records)), "Asif & Bilal", "Chand & Dev")
        records += simulate_match(
            rng=rng,
            rules=Rules.parse(rules),
            heading=heading,
            deals=min(_DEALS_OF_A_MATCH, deals - len(records)),
        )
    return Material(records, "".join(write_file(records)).encode())


Job = tuple[str, Callable[[], int]]
"""A name, and work that returns how much of it was done."""


Rates = dict[str, list[float]]
"""How much of each job, by its name, was done in a second: a number for each round."""


def measure(jobs: Sequence[Job], *, rounds: int = ROUNDS) -> Rates:
    """Return how much of each job a second of this process's time does, round by round.

    The jobs take turns, so that what disturbs the machine disturbs all of them. The garbage collector runs as
    it does everywhere, but what was there before is none of its business (``gc.freeze``).
    """
    rates: Rates = {name: [] for name, _work in jobs}
    for _round in range(rounds):
        for name, work in jobs:
            gc.collect()
            gc.freeze()
            started = process_time()
            done = work()
            rates[name].append(done / (process_time() - started))
    gc.unfreeze()
    return rates


def judge_all(facts: Sequence[DealFacts]) -> int:
    """Judge records that were read before, and return how many there are."""
    for deal in facts:
        adjudicate(deal)
    return len(facts)


def read_all(text: bytes) -> int:
    """Read and judge the records of a file, and return how many there are."""
    count = 0
    for count, reading in enumerate(read(text), start=1):  # noqa: B007 - the last number is the count
        reading.finding()
    return count


def check_all(text: bytes) -> int:
    """Read, judge and put into their matches the records of a file, and return how many there are."""
    checker = MatchChecker()
    return sum(checker.feed(reading).line is not None for reading in read(text))


def simulate(rules: str, deals: int) -> int:
    """Play and write down so many deals, and return how many."""
    rng = Random(_SEED)  # noqa: S311 - the same deals every time
    simulate_match(rng=rng, rules=Rules.parse(rules), deals=deals)
    return deals


class LibraryBench:
    """What is measured of the library: under the rules most played, and under each of the others."""

    def __init__(self, *, deals: int) -> None:
        self.main = material(_MAIN, deals)
        """The records under ``court-piece``."""
        others = [rules for rules in NAMED if rules != _MAIN]
        self._facts = {_MAIN: self.main.facts} | {
            rules: material(rules, deals // 5).facts for rules in others
        }
        self._simulated = max(1, deals // 20)

    def jobs(self) -> list[Job]:
        """Return what to do."""
        text = self.main.text
        return [
            ("read", lambda: read_all(text)),
            ("check", lambda: check_all(text)),
            ("simulate", lambda: simulate(_MAIN, self._simulated)),
            *((rules, partial(judge_all, facts)) for rules, facts in self._facts.items()),
        ]

    def measurements(self, rates: Rates) -> Iterator[Measurement]:
        """Yield what came of it."""
        yield Measurement("records that were read, judged", rates[_MAIN], "deals/s", least=JUDGED_TARGET)
        yield Measurement("text to finding", rates["read"], "records/s", least=READ_TARGET)
        yield Measurement("text to finding to ledger", rates["check"], "records/s")
        yield Measurement("simulated, to the record", rates["simulate"], "deals/s", least=SIMULATED_TARGET)
        for rules in self._facts:
            yield Measurement(f"judged under {rules}", rates[rules], "deals/s")


def machine() -> str:
    """Return what ran this: processor, cores, system, Python, and how busy the machine is."""
    load = (
        ", ".join(f"{value:.1f}" for value in os.getloadavg()) if hasattr(os, "getloadavg") else "not known"
    )
    return (
        f"{_processor()}, {os.cpu_count()} cores, {platform.system()} {platform.release()}, "
        f"{platform.python_implementation()} {platform.python_version()}, load {load}"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def run_bench(*, deals: int = 20_000) -> Iterator[str]:
    """Yield the lines of a table: what the library does in a second, on one core."""
    yield machine()
    bench = LibraryBench(deals=deals)
    for measurement in bench.measurements(measure(bench.jobs())):
        yield measurement.row()
