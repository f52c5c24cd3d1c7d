"""How long standings take: ``python -m tests.tournaments.standings_rate``.

Makes a database of its own beside that of ``DATABASE_URL`` with a tournament of 200 entries over 9 rounds,
and prints the seconds from the queries to the commit, and those of the page that shows them.
"""

import os
import sys
import time
from random import Random
from typing import Final

ENTRIES: Final = 200
ROUNDS: Final = 9


def main() -> None:
    """Measure and print."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from django.db import connection

    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        computed, derived, page = measure()
    finally:
        connection.creation.destroy_test_db(str(name), verbosity=0)
    sys.stdout.write(
        f"{connection.vendor}: standings of {ENTRIES} entries over {ROUNDS} rounds recomputed and saved "
        f"in {computed:.3f} s, derived in {derived:.3f} s; the page answered in {page:.3f} s\n"
    )


def measure() -> tuple[float, float, float]:
    """Return the seconds of computing and saving, of deriving alone, of the page: each the best of three."""
    from django.test import Client

    from scoring.operations import advance_collection
    from tests.accounts.builders import AT
    from tournaments.models import Standings
    from tournaments.operations import standings

    collection_id = make_tournament()
    client = Client()

    def compute() -> None:
        standings.compute_standings(collection_id=collection_id, now=AT)

    times = []
    for _turn in range(3):
        advance_collection(collection_id=collection_id)
        Standings.objects.all().update(version=0)
        times.append(
            (
                seconds_of(compute),
                seconds_of(lambda: standings.derive_standings(collection_id=collection_id, now=AT)),
                seconds_of(lambda: client.get("/tournaments/rang/")),
            )
        )
    best = [min(turn) for turn in zip(*times, strict=True)]
    return best[0], best[1], best[2]


def seconds_of(call: object) -> float:
    """Return how long a call takes."""
    begun = time.perf_counter()
    call()  # type: ignore[operator]
    return time.perf_counter() - begun


def make_tournament() -> int:
    """Make the tournament by an upload of result-only records, and return the id of its collection."""
    from courtpiece.accounts.permissions import SERVER
    from tests.accounts.builders import AT
    from tests.tournaments.builders import a_file, a_match
    from tournaments.evenings import COMMAND_LIMITS
    from tournaments.models import Tournament
    from tournaments.operations.evenings import Destination, import_evening

    rng = Random(7)
    names = [f"First {number} & Second {number}" for number in range(1, ENTRIES + 1)]
    matches = []
    for round_number in range(1, ROUNDS + 1):
        order = rng.sample(names, k=ENTRIES)
        for table, place in enumerate(range(0, ENTRIES, 2), start=1):
            results = rng.choices(["NS 7-4", "EW 7-5", "NS 7-0 court", "EW 7-0 court"], k=4)
            matches.append(
                a_match(
                    results, ns=order[place], ew=order[place + 1], round=str(round_number), table=str(table)
                )
            )
    import_evening(
        actor=SERVER,
        into=Destination(tournament="rang", club="lahore", create=True),
        files=[a_file(*matches)],
        limits=COMMAND_LIMITS,
        at=AT,
    )
    return Tournament.objects.get().collection_id


if __name__ == "__main__":
    main()
