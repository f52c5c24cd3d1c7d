"""Take PCN files into a tournament."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from courtpiece.accounts.permissions import SERVER
from courtpiece.accounts.queries import NotFound
from courtpiece.errors import CourtPieceError
from scoring.records import RecordProblem
from tournaments.evenings import COMMAND_LIMITS, UploadedFile
from tournaments.operations.evenings import Destination, import_evening
from tournaments.operations.standings import bring_up_to_date
from tournaments.reports import EveningReport, HandedReport, SheetReport


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
        for line in _lines(report):
            self.stdout.write(line)
        if not report.is_clean:
            raise CommandError("some scoresheets or deals were left out", returncode=1)


def _file(path: Path) -> UploadedFile:
    return UploadedFile(path.name, path.read_bytes())


def _lines(report: EveningReport) -> list[str]:
    lines = []
    if report.made_club:
        lines.append(f"club made: {report.club_slug}")
    if report.made_tournament:
        lines.append(f"tournament made: {report.tournament_slug}")
    lines += [f"player made: {name}" for name in report.players_made]
    lines += [f"partnership made: {name}" for name in report.partnerships_made]
    lines += [f"nearly the same name: {near.name} – {near.existing}" for near in report.near_duplicates]
    for sheet in report.sheets:
        lines += _sheet_lines(sheet)
    for deal in report.handed:
        lines += _handed_lines(deal)
    lines.append(
        f"{report.recorded} deals recorded, {report.duplicates} were there before, "
        f"{len(report.left_out)} of {len(report.sheets)} scoresheets left out"
    )
    return lines


def _handed_lines(deal: HandedReport) -> list[str]:
    return [
        f"{deal.became.value}: deal {deal.number} of {deal.match}, handed on by a phone",
        *map(_problem_line, deal.problems),
    ]


def _problem_line(problem: RecordProblem) -> str:
    return (
        f"  {problem.file}:{problem.line}:{problem.column}: record {problem.record}: "
        f"{problem.severity}: {problem.code}: {problem.message}"
    )


def _sheet_lines(sheet: SheetReport) -> list[str]:
    counts = f"{sheet.recorded} deals recorded, {sheet.duplicates} were there before"
    lines = [f"{sheet.outcome.value}: {sheet.match}: {counts if sheet.scoresheet else 'nothing was written'}"]
    lines += [f"  {note}" for note in sheet.notes]
    return [*lines, *map(_problem_line, sheet.problems)]
