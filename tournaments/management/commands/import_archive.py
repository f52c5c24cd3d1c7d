"""Take a tournament in from an archive."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from courtpiece.accounts.permissions import SERVER
from courtpiece.accounts.queries import NotFound
from courtpiece.errors import CourtPieceError
from tournaments.operations.archives import COMMAND_BYTES, ImportedArchive, import_archive
from tournaments.operations.standings import bring_up_to_date


class Command(BaseCommand):
    """``import_archive FILE --club SLUG [--create]``."""

    help = (
        "Verify an archive and take its tournament into a club: everything or nothing, with the ids that it has. "
        "The exit status is 1 if nothing was taken in."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", type=Path)
        parser.add_argument("--club", required=True, metavar="SLUG", help="the address of the club")
        parser.add_argument(
            "--create",
            action="store_true",
            help="make the club, as the archive describes it, where it is missing",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            taken = self._take(options["file"], options["club"], create=options["create"])
        except NotFound as error:
            raise CommandError(
                f"There is no club “{options['club']}”. With --create it is made.", returncode=1
            ) from error
        except (CourtPieceError, OSError) as error:
            raise CommandError(str(error), returncode=1) from error
        # A command may have no worker beside it; where there is one, this is done twice and saved once.
        bring_up_to_date(slug=taken.slug, now=timezone.now())
        self.stdout.write(
            f"{taken.entries} entries, {taken.matches} scoresheets, {taken.deals} deals and {taken.revisions} "
            f"revisions were taken in: /tournaments/{taken.slug}/"
        )

    def _take(self, path: Path, club: str, *, create: bool) -> ImportedArchive:
        with path.open("rb") as file:
            return import_archive(
                actor=SERVER,
                club=club,
                file=file,
                at=timezone.now(),
                most_bytes=COMMAND_BYTES,
                create=create,
            )
