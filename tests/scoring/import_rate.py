"""How fast the operations take records in: ``python -m tests.scoring.import_rate``.

Makes a database of its own beside that of ``DATABASE_URL``, records 1,000 scoresheets of 20 full deals each,
and prints the deals a second: from the files' text to the commit.
"""

import os
import sys
import time
from collections.abc import Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from courtpiece.engine import DealState, Seat

SHEETS: Final = 1000
DEALS: Final = 20
DIFFERENT: Final = 200
"""Deals played out at random; the scoresheets take them in turn."""


def main() -> None:
    """Measure and print."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from django.db import connection

    name = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        seconds = measure(texts())
    finally:
        connection.creation.destroy_test_db(str(name), verbosity=0)
    deals = SHEETS * DEALS
    rate = deals / seconds
    sys.stdout.write(f"{connection.vendor}: {deals} deals in {seconds:.1f} s, {rate:.0f} deals/s\n")


def texts() -> list[str]:
    """Return the file of each scoresheet: the right dealers deal (law 12), and the courts are stated."""
    from courtpiece.engine import Rules, Seat
    from tests.scoring.random_deals import a_random_deal

    rng = Random(29)
    rules = Rules.parse("court-piece")
    played = {
        dealer: [a_random_deal(rng, dealer=dealer, rules=rules) for _number in range(DIFFERENT // 4)]
        for dealer in Seat
    }
    return [_text_of_a_match(rng, played) for _sheet in range(SHEETS)]


def _text_of_a_match(rng: Random, played: "Mapping[Seat, Sequence[DealState]]") -> str:
    from courtpiece.engine import MatchState, Seat
    from courtpiece.notation import write_file
    from tests.scoring.random_deals import as_record

    dealer = rng.choice(list(Seat))
    match = MatchState(played[dealer][0].rules)
    records = []
    for number in range(1, DEALS + 1):
        deal = rng.choice(played[dealer])
        match, line = match.after(number=number, dealer=dealer, outcome=deal.outcome)
        records.append(as_record(deal, number, courts=line.courts))
        dealer = dealer if line.next_dealer is None else line.next_dealer
    return "".join(write_file(records))


def measure(files: Sequence[str]) -> float:
    """Return the seconds that it takes to record the files, each in a scoresheet of its own."""
    from courtpiece.accounts.permissions import SERVER
    from courtpiece.notation import read
    from scoring import operations
    from tests.scoring.builders import AT, a_club, a_collection, some_sheets

    club = a_club()
    sheets = some_sheets(club, len(files), collection=a_collection(club))
    started, spent = time.perf_counter(), time.process_time()
    asked = [
        operations.SheetRecords(scoresheet_id=sheet.pk, readings=tuple(read(text)))
        for sheet, text in zip(sheets, files, strict=True)
    ]
    answers = operations.record_deals(actor=SERVER, sheets=asked, at=AT)
    seconds, spent = time.perf_counter() - started, time.process_time() - spent
    sys.stdout.write(f"{spent:.1f} s of them in this process\n")
    if {answer.became for answer in answers} != {operations.Became.CREATED}:
        raise SystemExit("not everything was recorded")
    return seconds


if __name__ == "__main__":
    main()
