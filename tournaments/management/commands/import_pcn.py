"""Take PCN files into a tournament."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from courtpiece.accounts.permissions import SERVER
from courtpiece.accounts.queries import NotFound
from courtpiece.errors import CourtPieceError
from tournaments.evenings import COMMAND_LIMITS, UploadedFile
from tournaments.operations.evenings import Destination, import_evening
from tournaments.operations.standings import bring_up_to_date
from tournaments.report_lines import lines_of_report


class Command(BaseCommand):
    """``import_pcn FILE... --club SLUG --tournament SLUG [--create]``."""

    help = (
        "Record the deals of PCN files in a tournament: all or nothing for each scoresheet, nothing twice. "
        "The exit status is 1 if a scoresheet was left out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
        parser.add_argument("--club", required=True, metavar="SLUG")
        parser.add_argument("--tournament", required=True, metavar="SLUG")
        parser.add_argument(
            "--create",
            action="store_true",
            help="make the club and the tournament where they are missing: "
            "a public round robin under the files' rules",
        )
        parser.add_argument(
            "--open", action="store_true", help="the matches go on: they do not count in the standings yet"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = import_evening(
                actor=SERVER,
                into=Destination(
                    tournament=options["tournament"], club=options["club"], create=options["create"]
                ),
                files=[_file(path) for path in options["files"]],
                finish=not options["open"],
                limits=COMMAND_LIMITS,
                at=timezone.now(),
            )
        except NotFound as error:
            raise CommandError(f"{error} With --create it is made.") from error
        except (CourtPieceError, OSError) as error:
            raise CommandError(str(error)) from error
        # A command may have no worker beside it; where there is one, this is done twice and saved once.
        bring_up_to_date(slug=report.tournament_slug, now=timezone.now())
        for line in lines_of_report(report):
            self.stdout.write(line)
        if not report.is_clean:
            raise CommandError("some scoresheets or deals were left out", returncode=1)


def _file(path: Path) -> UploadedFile:
    return UploadedFile(path.name, path.read_bytes())
