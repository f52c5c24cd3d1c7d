"""How fast the site takes records in and computes standings: ``python -m bench.site``.

Everything happens in a database of its own beside that of ``DATABASE_URL``, which is removed afterwards.
"""

import os
import sys
import warnings
from collections.abc import Iterator
from random import Random
from time import perf_counter
from typing import Final

import django

from courtpiece.engine import Rules
from courtpiece.notation import read, write_file
from courtpiece.notation.bench import Measurement
from courtpiece.notation.simulator import simulate_match

SHEETS: Final = 1000
DEALS: Final = 20
ROUNDS: Final = 3
IMPORT_TARGET: Final = 2_000
STANDINGS_TARGET: Final = 0.3


def main() -> None:
    """Measure and print."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    warnings.simplefilter("ignore")
    django.setup()
    from django.db import connection  # noqa: PLC0415 - needs the settings

    name = str(connection.settings_dict["NAME"])
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        for measurement in measurements(connection.vendor):
            sys.stdout.write(f"{measurement.row()}\n")
            sys.stdout.flush()
    finally:
        connection.creation.destroy_test_db(name, verbosity=0)


def measurements(database: str) -> Iterator[Measurement]:
    """Yield how fast records are taken in, and how long standings take."""
    from tests.tournaments import standings_rate  # noqa: PLC0415 - needs the app registry

    rates = [imported_in_a_second(seed) for seed in range(ROUNDS)]
    target = IMPORT_TARGET if database == "postgresql" else None
    yield Measurement(
        f"{SHEETS:,} scoresheets of {DEALS} deals imported ({database})", rates, "deals/s", least=target
    )
    name = f"standings of {standings_rate.ENTRIES} entries, {standings_rate.ROUNDS} rounds"
    computed, derived, _page = standings_rate.measure()
    yield Measurement(f"{name}, computed and saved ({database})", [computed], "s", most=STANDINGS_TARGET)
    yield Measurement(f"{name}, derived ({database})", [derived], "s")


def imported_in_a_second(seed: int) -> float:
    """Return how many deals a second are recorded, from the text of the scoresheets to the last commit."""
    from courtpiece.accounts.permissions import SERVER  # noqa: PLC0415 - needs the app registry
    from scoring import operations  # noqa: PLC0415 - needs the app registry
    from tests.scoring import builders  # noqa: PLC0415 - needs the app registry

    files = scoresheets(seed)
    club = builders.a_club(f"bench-{seed}")
    sheets = builders.some_sheets(club, len(files), collection=builders.a_collection(club))
    started = perf_counter()
    asked = [
        operations.SheetRecords(scoresheet_id=sheet.pk, readings=tuple(read(text)))
        for sheet, text in zip(sheets, files, strict=True)
    ]
    answers = operations.record_deals(actor=SERVER, sheets=asked, at=builders.AT)
    seconds = perf_counter() - started
    if {answer.became for answer in answers} != {operations.Became.CREATED}:
        raise SystemExit("not everything was recorded")
    return SHEETS * DEALS / seconds


def scoresheets(seed: int) -> list[str]:
    """Return the texts of the scoresheets: a match each, as people play and write it."""
    rng = Random(seed)
    rules = Rules.parse("court-piece")
    matches = [simulate_match(rng=rng, rules=rules, deals=DEALS) for _sheet in range(SHEETS)]
    return ["".join(write_file(records)) for records in matches]


if __name__ == "__main__":
    main()
