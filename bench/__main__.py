"""Print the table of ``make bench``: the library, its peers, memory, and the site."""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Final

from bench.memory import peak_of_check
from bench.peers import peers_material, read_pbn, read_pgn
from courtpiece.notation.bench import ROUNDS, LibraryBench, Material, Measurement, Rates, machine, measure

ENDPLAY_TARGET: Final = 5
CHESS_TARGET: Final = 15
MEMORY_TARGET: Final = 1.1
"""The memory for ten times as many records, compared: what is remembered between records has a limit."""
_LONGER: Final = 10


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure the library and the site.")
    parser.add_argument(
        "--deals", type=int, default=20_000, help="how many are judged (default: %(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often (default: %(default)s)")
    parser.add_argument("--no-site", action="store_true", help="measure the library only")
    options = parser.parse_args()
    print(machine())
    for measurement in library(deals=options.deals, rounds=options.rounds):
        print(measurement.row(), flush=True)
    if not options.no_site:
        subprocess.run([sys.executable, "-m", "bench.site"], check=True)
        if os.environ.get("DATABASE_URL", "").startswith("postgres") and os.environ.get("REDIS_URL"):
            subprocess.run([sys.executable, "-m", "bench.event"], check=True)
        subprocess.run([sys.executable, "-m", "bench.load"], check=False)


def library(*, deals: int, rounds: int) -> Iterator[Measurement]:
    """Yield what the library does, beside what its peers do in the same rounds."""
    bench = LibraryBench(deals=deals)
    peers = peers_material(bench.main, deals=min(deals, 2_000), games=200)
    jobs = [*bench.jobs(), ("pbn", lambda: read_pbn(peers)), ("pgn", lambda: read_pgn(peers))]
    rates = measure(jobs, rounds=rounds)
    yield from bench.measurements(rates)
    yield from compared(rates, cards=bench.main.cards / len(bench.main.records))
    yield from memory(bench.main)


def compared(rates: Rates, *, cards: float) -> Iterator[Measurement]:
    """Yield what the peers do, and how many times as fast the library is, round by round."""
    yield Measurement("endplay reads PBN with play", rates["pbn"], "deals/s")
    yield Measurement("python-chess reads PGN", rates["pgn"], "half-moves/s")
    ours = rates["read"]
    to_endplay = [own / other for own, other in zip(ours, rates["pbn"], strict=True)]
    to_chess = [own * cards / other for own, other in zip(ours, rates["pgn"], strict=True)]
    yield Measurement("text to finding, to endplay, per deal", to_endplay, "times", least=ENDPLAY_TARGET)
    yield Measurement("text to finding, to python-chess, per card", to_chess, "times", least=CHESS_TARGET)


def memory(ours: Material) -> Iterator[Measurement]:
    """Yield the memory that ``check`` takes for a file and for one ten times as long."""
    short, long = (peak_of_check(ours, times=times) for times in (1, _LONGER))
    count = len(ours.records)
    yield Measurement(f"memory to check {count:,} records", [short], "MiB")
    yield Measurement(
        f"memory to check {count * _LONGER:,} records", [long], "MiB", most=MEMORY_TARGET * short
    )


if __name__ == "__main__":
    main()
