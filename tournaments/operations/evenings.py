"""Everything that takes an evening's files into a tournament.

The files are read before the transaction begins; on SQLite it keeps every other writer waiting. In it,
players, partnerships, entries, rounds, matches and scoresheets are found or made for what the files name, and
the records are written, all or nothing for each scoresheet. Where one is refused, all of this is taken back
and done again without it: so nothing is left of a scoresheet that was refused, and scoring alone decides
which those are.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.operations import create_club
from courtpiece.accounts.permissions import Action, Actor
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Rules
from scoring.operations import (
    PairsFound,
)
from tournaments.errors import OtherClub
from tournaments.evenings import (
    UPLOAD_LIMITS,
    Limits,
    ReadSheet,
    SheetKey,
    UploadedFile,
    read_evening,
)
from tournaments.models import Tournament
from tournaments.operations.attempts import Attempt, LeftOut, Upload
from tournaments.operations.creating import make_tournament
from tournaments.operations.handed import take_in_handed
from tournaments.operations.running import locked
from tournaments.reports import EveningReport, SheetReport
from tournaments.schemes import NewTournament


def never() -> bool:
    """Return that there is always time left."""
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """Which tournament files go into."""

    tournament: str
    """Its address."""
    club: str | None = None
    """The address of the club that it must be of; None: any."""
    create: bool = False
    """Whether both are made where they are missing: a public round robin under the files' rules."""


def import_evening(
    *,
    actor: Actor,
    into: Destination,
    files: Sequence[UploadedFile],
    at: datetime,
    finish: bool = True,
    limits: Limits = UPLOAD_LIMITS,
    out_of_time: Callable[[], bool] = never,
) -> EveningReport:
    """Record the deals of an evening's files, and say what became of every scoresheet in them.

    Players and partnerships are found by their names or made, matches by round, table and pairs. All or
    nothing for each scoresheet; what was recorded before is not written twice. With ``finish`` the matches
    count in the standings from now on. What a phone handed on goes deal by deal to the scoresheet that it names,
    and finishes no match.

    :raises NotFound: if there is no such club or tournament.
    :raises OtherClub: if the tournament is another club's.
    :raises TournamentIsFinal: if its standings are final.
    :raises Forbidden: if the actor may not upload there, or not make what is missing.
    :raises UploadTooLarge: if there is more than ``limits`` allow, or no time is left.
    :raises NothingUploaded: if there is no record at all.
    """
    evening = read_evening(files, limits=limits, out_of_time=out_of_time)
    report = _import_sheets(actor, into, evening.sheets, finish, at, out_of_time) if evening.sheets else None
    if not evening.handed:
        return report or EveningReport(tournament_slug=into.tournament)
    handed = take_in_handed(actor=actor, slug=into.tournament, records=evening.handed, at=at)
    return replace(report or EveningReport(tournament_slug=into.tournament), handed=handed)


def _import_sheets(
    actor: Actor,
    into: Destination,
    sheets: Sequence[ReadSheet],
    finish: bool,  # noqa: FBT001 - as it came
    at: datetime,
    out_of_time: Callable[[], bool],
) -> EveningReport:
    club_id, made_club = _club(actor, into, at)
    upload = Upload(
        actor=actor,
        slug=into.tournament,
        sheets=sheets,
        finish=finish,
        at=at,
        club_id=club_id,
        create=into.create,
        out_of_time=out_of_time,
    )
    return replace(_take_in(upload), made_club=made_club)


def _club(actor: Actor, into: Destination, at: datetime) -> tuple[int | None, bool]:
    """Return the id of the club, made if it is missing and may be, and whether it was."""
    if into.club is None:
        return None, False
    try:
        return accounts.club_by_slug(into.club, actor=actor).id, False
    except NotFound:
        if not into.create:
            raise NotFound(_("There is no club “%(slug)s”.") % {"slug": into.club}) from None
        name = _title(into.club)
        return create_club(actor=actor, name=name, slug=into.club, timezone="UTC", at=at), True


def _title(slug: str) -> str:
    return slug.replace("-", " ").title()


@transaction.atomic(durable=True)
def _take_in(upload: Upload) -> EveningReport:
    tournament, is_new = _tournament(upload)
    left_out: dict[SheetKey, SheetReport] = {}
    found, reports = _take_in_without(upload, tournament, left_out)
    report = EveningReport(
        club_slug=accounts.clubs_by_id([tournament.club_id])[tournament.club_id].slug,
        tournament_slug=tournament.slug,
        made_club=False,
        made_tournament=is_new and bool(reports),
        sheets=_in_order(upload.sheets, reports | left_out),
        players_made=found.players_made,
        partnerships_made=found.partnerships_made,
        near_duplicates=found.near_duplicates,
    )
    if is_new and not reports:
        transaction.set_rollback(True)
    return report


def _take_in_without(
    upload: Upload, tournament: Tournament, left_out: dict[SheetKey, SheetReport]
) -> tuple[PairsFound, dict[SheetKey, SheetReport]]:
    """Take in what can be, and add the reports of the rest to ``left_out``, at least one with every turn."""
    while True:
        try:
            with transaction.atomic():
                return Attempt(upload, tournament).take_in(left_out)
        except LeftOut as again:
            left_out |= again.reports


def _in_order(
    sheets: Iterable[ReadSheet], reports: Mapping[SheetKey, SheetReport]
) -> tuple[SheetReport, ...]:
    """Return the reports in the order of the files, one for records of one match that name it differently."""
    seen: dict[int, SheetReport] = {id(reports[sheet.key]): reports[sheet.key] for sheet in sheets}
    return tuple(seen.values())


def _tournament(upload: Upload) -> tuple[Tournament, bool]:
    """Return the tournament, locked, made if it is missing and may be, and whether it was."""
    club_id = Tournament.objects.filter(slug=upload.slug).values_list("club", flat=True).first()
    if club_id is not None and upload.club_id not in (None, club_id):
        raise OtherClub(_("Another club has a tournament with this address."))
    if club_id is None and upload.club_id is not None and not upload.create:
        raise NotFound(_("There is no tournament “%(slug)s”.") % {"slug": upload.slug})
    if club_id is not None or upload.club_id is None:
        return _open_tournament(upload), False
    new = NewTournament(
        name=_name_of(upload.sheets) or _title(upload.slug),
        slug=upload.slug,
        rules=_rules_of(upload.sheets),
    )
    return make_tournament(actor=upload.actor, club_id=upload.club_id, new=new, at=upload.at), True


def _open_tournament(upload: Upload) -> Tournament:
    """Return the tournament that is there, locked."""
    return locked(upload.slug, actor=upload.actor, action=Action.UPLOAD)


def _rules_of(sheets: Iterable[ReadSheet]) -> str:
    """Return the rules that most records were played under."""
    counted: Counter[Rules] = Counter(record.rules for sheet in sheets for record in sheet.records)
    return str(counted.most_common(1)[0][0]) if counted else "court-piece"


def _name_of(sheets: Iterable[ReadSheet]) -> str:
    """Return the event that all records name, empty where they do not."""
    events = {record.event for sheet in sheets for record in sheet.records}
    return (events.pop() or "")[:80] if len(events) == 1 else ""
