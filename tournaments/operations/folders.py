"""Everything that takes a folder of PCN files in: the history of clubs, tournament by tournament.

Each tournament goes the way of an evening's files, in a transaction of its own. So many processes can share the work,
nothing of a tournament is half written, and whoever is stopped begins again: what is there is not written twice.
"""

from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import datetime
from multiprocessing import get_context
from pathlib import Path

import django
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import SERVER
from courtpiece.errors import CourtPieceError
from scoring.bulk import garbage_later
from tournaments.errors import NothingUploaded
from tournaments.evenings import COMMAND_LIMITS, UploadedFile
from tournaments.operations.evenings import Destination, import_evening
from tournaments.operations.standings import bring_up_to_date
from tournaments.reports import EveningReport


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentFiles:
    """The files of one tournament in a folder."""

    club: str
    """The address of the club: the name of the folder's folder."""
    tournament: str
    """The address of the tournament: the name of a file in it, or of a folder of files."""
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenIn:
    """What became of the files of one tournament."""

    files: TournamentFiles
    report: EveningReport | None
    """None where nothing was written, for a reason that is the whole tournament's."""
    error: str = ""
    """That reason."""

    @property
    def is_clean(self) -> bool:
        """Whether all of it is recorded."""
        return self.report is not None and self.report.is_clean


def tournaments_in(folder: Path) -> tuple[TournamentFiles, ...]:
    """Return the files of ``folder`` by tournament: ``CLUB/TOURNAMENT.pcn`` and ``CLUB/TOURNAMENT/*.pcn``.

    :raises NothingUploaded: if there is none.
    """
    found: dict[tuple[str, str], list[Path]] = {}
    for path in sorted([*folder.glob("*/*.pcn"), *folder.glob("*/*/*.pcn")]):
        club, tournament, *_file = path.relative_to(folder).with_suffix("").parts
        found.setdefault((club, tournament), []).append(path)
    if not found:
        raise NothingUploaded(
            _("There is no file CLUB/TOURNAMENT.pcn or CLUB/TOURNAMENT/*.pcn in “%(folder)s”.")
            % {"folder": folder}
        )
    return tuple(
        TournamentFiles(club=club, tournament=tournament, paths=tuple(paths))
        for (club, tournament), paths in found.items()
    )


def import_folder(
    *, folder: Path, at: datetime, create: bool = False, finish: bool = True, processes: int = 1
) -> Iterator[TakenIn]:
    """Record the deals of a folder's files as the server, and yield what became of each tournament as it is done.

    All or nothing for each scoresheet, as ``import_evening`` says; a tournament that cannot be taken leaves the others
    alone. Its standings are computed too. Memory is that of the largest tournament, in each of the processes.

    :raises NothingUploaded: if the folder has no such file.
    """
    parts = tournaments_in(folder)
    one = _Importer(at=at, create=create, finish=finish)
    if processes == 1:
        yield from map(one, parts)
        return
    # A process that was forked would share its connections with the others.
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=django.setup) as pool:
        for future in as_completed([pool.submit(one, part) for part in parts]):
            yield future.result()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Importer:
    """Takes tournaments in, one after the other; can be sent to another process."""

    at: datetime
    create: bool
    finish: bool

    def __call__(self, files: TournamentFiles) -> TakenIn:
        with garbage_later():
            return self._take(files)

    def _take(self, files: TournamentFiles) -> TakenIn:
        try:
            report = import_evening(
                actor=SERVER,
                into=Destination(tournament=files.tournament, club=files.club, create=self.create),
                files=[UploadedFile(path.name, path.read_bytes()) for path in files.paths],
                finish=self.finish,
                limits=COMMAND_LIMITS,
                at=self.at,
            )
        except (CourtPieceError, OSError) as error:
            return TakenIn(files=files, report=None, error=str(error))
        bring_up_to_date(slug=report.tournament_slug, now=self.at)
        return TakenIn(files=files, report=report)
