"""How an evening's load runs on a server: ``python -m bench.load``.

Starts PostgreSQL, Redis, web, live, worker and beat of its own, as docs/server.md has them.

Fifty tables enter a deal every ten seconds, each by its phone and its link, and five hundred spectators follow the
tournament over WebSockets. The phones are in this process and the spectators in another one, on the same machine; how
much of a core each took is said, too.
"""

import argparse
import asyncio
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from typing import Final

from bench.crash import keep_logs
from bench.phones import Network, Phone, a_record, a_result, link_of
from bench.services import MissingProgramError, Server, running
from bench.spectators import Seen, Spectators, spectators
from courtpiece.notation.bench import Measurement, machine

EVERY: Final = 10.0
"""Seconds from one deal of a table to its next."""
ENTRY_TARGET: Final = 0.05
SPECTATOR_TARGET: Final = 0.2
MEMORY_TARGET: Final = 1.15
"""The memory at the end, compared with that after the first third: nothing may pile up."""
SLUG: Final = "rehearsal"


@dataclass
class Load:
    """What was measured."""

    deals: list[tuple[float, int]] = field(default_factory=list)
    """When each was answered, and the version of the tournament that it is in."""
    entries: list[float] = field(default_factory=list)
    """Seconds from sending a deal to its answer."""
    faults: list[str] = field(default_factory=list)
    memory: list[dict[str, float]] = field(default_factory=list)
    """In MiB: after the warm-up, after a third, and at the end."""
    shares: dict[str, float] = field(default_factory=dict)
    """The share of a core that each part took, and this process."""

    def delays(self, seen: Sequence[Seen]) -> list[float]:
        """Return for each deal and each spectator how long after its answer they were told."""
        found = []
        for answered, version in self.deals:
            for spectator in seen:
                told = spectator.told_at(version)
                if told is None:
                    self.faults.append("a spectator was not told of a deal")
                else:
                    found.append(max(told - answered, 0.0))
        return found


async def sit(phone: Phone, rng: Random, load: Load, until: float) -> None:
    """Enter a deal every ten seconds.

    An entry is measured from the moment at which it was due: a server that is behind is not given fewer deals for it.
    """
    await phone.look()
    due = time.monotonic() + rng.uniform(0, EVERY)
    while due < until:
        await asyncio.sleep(max(due - time.monotonic(), 0))
        (match,) = phone.matches()[:1]
        number, dealer = phone.stand(match)
        text = a_record(match, number, dealer, a_result(rng))
        phone.keep(scoresheet=match["scoresheet"], number=number, pcn=text, base=None)
        how = await phone.send()
        answered = time.monotonic()
        load.entries.append(answered - due)
        if how != "ok" or phone.those("conflict", "rejected", "made") or await phone.look() != "ok":
            load.faults.append(f"a deal was not taken: {how}, {phone.statuses}")
        elif phone.table is not None:
            load.deals.append((answered, phone.table["version"]))
        due += EVERY


async def run(server: Server, secrets: Sequence[str], them: Spectators, options: argparse.Namespace) -> Load:
    """Put the load on the server, and return what was measured."""
    load, rng = Load(), Random(options.seed)
    network = Network(Random(options.seed))
    phones = [Phone(server.port, secret, network) for secret in secrets]
    warm = time.monotonic() + options.warm_up
    await asyncio.gather(*(sit(phone, rng, Load(), warm) for phone in phones))
    load.memory.append(server.memory())
    begun, before = time.monotonic(), seconds_of(server, them)
    watch = asyncio.create_task(watch_memory(server, load, options.seconds / 3))
    await asyncio.gather(*(sit(phone, rng, load, begun + options.seconds) for phone in phones))
    took = time.monotonic() - begun
    load.shares = {name: (now - before[name]) / took for name, now in seconds_of(server, them).items()}
    await asyncio.sleep(2)
    await watch
    load.memory.append(server.memory())
    return load


def seconds_of(server: Server, them: Spectators) -> dict[str, float]:
    """Return the time that each part, this process and the spectators' took of a core until now."""
    return {**server.seconds(), "phones": time.process_time(), "spectators": them.seconds()}


async def watch_memory(server: Server, load: Load, seconds: float) -> None:
    """Take the memory once the load has run for a while."""
    await asyncio.sleep(seconds)
    load.memory.append(await asyncio.to_thread(server.memory))


def rows(load: Load, seen: Sequence[Seen], options: argparse.Namespace) -> Iterator[Measurement]:
    """Yield what is printed."""
    what = f"{options.tables} tables, a deal each every {EVERY:.0f} s for {options.seconds:.0f} s"
    yield from spread(f"entry answered; {what}", load.entries, ENTRY_TARGET)
    delays = load.delays(seen)
    load.faults += ["a spectator was cut off" for one in seen if one.was_cut_off]
    yield from spread(f"{options.spectators} spectators told after the answer", delays, SPECTATOR_TARGET)
    yield Measurement("what went wrong", [len(load.faults)], "times", most=0)
    _warm, third, end = load.memory
    for part in end:
        most = MEMORY_TARGET * third[part] if part in {"web", "live", "worker"} else None
        values = [found[part] for found in (end, third)]
        yield Measurement(f"memory of {part} at the end; after a third", values[:1], "MiB", most=most)
    for part, share in load.shares.items():
        yield Measurement(f"time taken by {part}", [100 * share], "% of a core")


def spread(name: str, seconds: Sequence[float], most: float) -> Iterator[Measurement]:
    """Yield the median, the 95th percentile and the longest."""
    times = [1000 * one for one in seconds]
    yield Measurement(f"{name}: half", [median(times)], "ms")
    yield Measurement("… 95 %", [quantiles(times, n=20)[-1]], "ms", most=1000 * most)
    yield Measurement("… the longest", [max(times)], "ms")


def an_evening(tables: int) -> list[str]:
    """Make a tournament with so many tables, its first round drawn, and return the secrets of their links."""
    from django.utils import timezone  # noqa: PLC0415 - needs the settings

    from bench.event import _club  # noqa: PLC0415 - needs the app registry
    from courtpiece.accounts.permissions import SERVER  # noqa: PLC0415 - needs the app registry
    from tournaments.models import TableLink  # noqa: PLC0415 - needs the app registry
    from tournaments.operations import rehearsal  # noqa: PLC0415 - needs the app registry
    from tournaments.operations.links import make_table_links  # noqa: PLC0415 - needs the app registry

    now = timezone.now()
    event = rehearsal.Event(slug=SLUG, entries=2 * tables, rounds=5)
    rehearsal.enter_event(actor=SERVER, club_id=_club(), event=event, at=now)
    rehearsal.draw_next(actor=SERVER, slug=SLUG, seed=7, at=now)
    make_table_links(actor=SERVER, slug=SLUG, session=1, at=now)
    links = TableLink.objects.filter(session__tournament__slug=SLUG).order_by("table")
    return [link_of(uid) for uid in links.values_list("uid", flat=True)]


def main() -> None:
    """Measure and print."""
    options = arguments()
    warnings.simplefilter("ignore")
    print(machine(), flush=True)
    try:
        with (
            TemporaryDirectory(prefix="courtpiece-load-", ignore_cleanup_errors=True) as folder,
            running(Server(Path(folder), web_processes=options.web, entries_first=True)) as server,
        ):
            import django  # noqa: PLC0415 - needs the variables

            django.setup()
            secrets = an_evening(options.tables)
            with spectators(server.live_port, f"/ws/tournaments/{SLUG}/", options.spectators) as them:
                load = asyncio.run(run(server, secrets, them, options))
                found = list(rows(load, them.leave(), options))
            if options.logs:
                keep_logs(server, Path(options.logs))
    except MissingProgramError as missing:
        raise SystemExit(f"cannot run: {missing}") from None
    print(*(one.row() for one in found), *sorted(set(load.faults)), sep="\n")
    sys.exit(0 if not load.faults else 1)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m bench.load", description="Run an evening's load on a server."
    )
    parser.add_argument("--tables", type=int, default=50, help="(default: %(default)s)")
    parser.add_argument("--spectators", type=int, default=500, help="(default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=120, help="(default: %(default)s)")
    parser.add_argument("--warm-up", type=float, default=11, help="seconds before (default: %(default)s)")
    parser.add_argument("--web", type=int, default=2, help="ASGI processes (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=7, help="(default: %(default)s)")
    parser.add_argument("--logs", help="a folder for what the parts wrote")
    return parser.parse_args()


if __name__ == "__main__":
    main()
