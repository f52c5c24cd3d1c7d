"""Say whether an archive is what its own records say."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.domain.differences import Difference
from tournaments.archive_words import shortened
from tournaments.domain.archive_file import ArchiveFault
from tournaments.domain.archive_verifying import Verified, verify
from tournaments.operations.archives import COMMAND_BYTES


class Command(BaseCommand):
    """``verify_archive FILE...``."""

    help = (
        "Derive every finding, ledger and standing of an archive again from its own records, and say whether they "
        "agree. No database is asked. The exit status is 1 if something differs or a file is no archive."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        wrong = [path for path in options["files"] if not self._agrees(path)]
        if wrong:
            raise CommandError(f"{len(wrong)} of {len(options['files'])} do not agree", returncode=1)

    def _agrees(self, path: Path) -> bool:
        try:
            with path.open("rb") as file:
                found = verify(file, most_bytes=COMMAND_BYTES)
        except (ArchiveFault, OSError) as error:
            self.stdout.write(f"{path}: {error}")
            return False
        for line in _lines(found):
            self.stdout.write(f"{path}: {line}")
        return found.agrees


def _lines(found: Verified) -> list[str]:
    contents = found.contents
    lines = [_told(one) for one in found.differences]
    if found.count > len(found.differences):
        lines.append(f"{found.count - len(found.differences)} more differences")
    counts = (
        f"{contents.tournament.slug} at version {contents.tournament.version}: {len(contents.entries)} entries, "
        f"{len(contents.sheets)} scoresheets, {contents.deal_count} deals, {contents.revision_count} revisions"
    )
    said = f"{found.count} differences" if found.count else "everything agrees"
    return [*lines, f"{counts}: {said}"]


def _told(one: Difference) -> str:
    return f"{one.where}: {one.what}: stored {shortened(one.stored)}, derived {shortened(one.derived)}"
