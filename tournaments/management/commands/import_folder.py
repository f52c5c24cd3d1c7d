"""Take a folder of PCN files in, tournament by tournament."""

import os
from argparse import ArgumentParser
from pathlib import Path
from time import monotonic
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import timezone

from courtpiece.errors import CourtPieceError
from tournaments.operations.folders import TakenIn, import_folder, tournaments_in
from tournaments.report_lines import lines_of_faults


class Command(BaseCommand):
    """``import_folder FOLDER [--create] [--open] [--processes N]``."""

    help = (
        "Record the deals of a folder's PCN files, CLUB/TOURNAMENT.pcn or CLUB/TOURNAMENT/*.pcn: each tournament as "
        "import_pcn records one, several at the same time, nothing twice. A line for each tournament; what is wrong "
        "with a scoresheet stands below it. The exit status is 1 if something was left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="FOLDER", type=Path)
        parser.add_argument(
            "--create", action="store_true", help="make the clubs and tournaments that are missing"
        )
        parser.add_argument(
            "--open", action="store_true", help="the matches go on: they do not count in the standings yet"
        )
        parser.add_argument(
            "--processes",
            type=int,
            default=_processes(),
            help="that share the work; 1 with SQLite, which lets one write at a time (default: %(default)s)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            count = len(tournaments_in(options["folder"]))
        except CourtPieceError as error:
            raise CommandError(str(error)) from error
        begun, recorded, left_out = monotonic(), 0, 0
        taken = import_folder(
            folder=options["folder"],
            at=timezone.now(),
            create=options["create"],
            finish=not options["open"],
            processes=max(1, options["processes"]),
        )
        for number, one in enumerate(taken, start=1):
            recorded += 0 if one.report is None else one.report.recorded
            left_out += not one.is_clean
            rate = recorded / max(monotonic() - begun, 0.001)
            self.stdout.write(f"{number} of {count}: {_heading(one)} ({rate:,.0f} deals/s)")
            for line in [] if one.report is None else lines_of_faults(one.report):
                self.stdout.write(f"  {line}")
        self.stdout.write(
            f"{recorded:,} deals recorded in {monotonic() - begun:,.1f} s, "
            f"{left_out} of {count} tournaments not taken whole"
        )
        if left_out:
            raise CommandError("some scoresheets or deals were left out", returncode=1)


def _processes() -> int:
    return 1 if connection.vendor == "sqlite" else min(os.cpu_count() or 1, 8)


def _heading(one: TakenIn) -> str:
    where = f"{one.files.club}/{one.files.tournament}"
    if one.report is None:
        return f"{where}: nothing was written: {one.error}"
    return f"{where}: {one.report.recorded} deals recorded, {one.report.duplicates} were there before"
