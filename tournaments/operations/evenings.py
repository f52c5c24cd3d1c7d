"""Everything that takes an evening's files into a tournament.

The files are read before the transaction begins; on SQLite it keeps every other writer waiting. In it,
players, partnerships, entries, rounds, matches and scoresheets are found or made for what the files name, and
the records are written, all or nothing for each scoresheet. Where one is refused, all of this is taken back
and done again without it: so nothing is left of a scoresheet that was refused, and scoring alone decides
which those are.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.names import clean_text
from courtpiece.accounts.operations import create_club
from courtpiece.accounts.permissions import Action, Actor
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Kind, Rules
from courtpiece.notation import Reading
from scoring import queries as scoring
from scoring.names import NameRefused, clean_name
from scoring.operations import (
    Became,
    NewScoresheet,
    Pair,
    PairsFound,
    SheetAnswer,
    SheetRecords,
    advance_collection,
    create_scoresheets,
    find_or_make_partnerships,
    record_deals,
    reseat_scoresheet,
)
from scoring.records import RecordProblem, SheetCode, judge
from tournaments.errors import OtherClub
from tournaments.evenings import (
    UPLOAD_LIMITS,
    Limits,
    PairNames,
    ReadSheet,
    SheetKey,
    UploadedFile,
    read_evening,
    words_of,
)
from tournaments.models import Format, Match, MatchState, Round, Session, Tournament
from tournaments.operations.running import enter_pairs, locked, make_tournament
from tournaments.reports import EveningReport, SheetOutcome, SheetReport, with_file
from tournaments.schemes import NewTournament
from tournaments.seating import Asked, Board, Seating, SeatingCode, SeatingRefused


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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Upload:
    """What is to be taken in, by whom and when."""

    actor: Actor
    slug: str
    sheets: Sequence[ReadSheet]
    finish: bool
    at: datetime
    club_id: int | None
    """The club that the tournament must be of; None: it may be any."""
    create: bool
    """Whether a tournament that is missing is made."""


class _LeftOut(Exception):  # noqa: N818 - no error: what takes an attempt back
    """Scoresheets cannot be taken as they are: try again without them."""

    def __init__(self, reports: Mapping[SheetKey, SheetReport]) -> None:
        super().__init__()
        self.reports = reports


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
    count in the standings from now on.

    :raises NotFound: if there is no such club or tournament.
    :raises OtherClub: if the tournament is another club's.
    :raises Forbidden: if the actor may not upload there, or not make what is missing.
    :raises UploadTooLarge: if there is more than ``limits`` allow, or no time is left.
    :raises NothingUploaded: if there is no record at all.
    """
    sheets = read_evening(files, limits=limits, out_of_time=out_of_time)
    club_id, made_club = _club(actor, into, at)
    upload = _Upload(
        actor=actor,
        slug=into.tournament,
        sheets=sheets,
        finish=finish,
        at=at,
        club_id=club_id,
        create=into.create,
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
            raise
        name = _title(into.club)
        return create_club(actor=actor, name=name, slug=into.club, timezone="UTC", at=at), True


def _title(slug: str) -> str:
    return slug.replace("-", " ").title()


@transaction.atomic(durable=True)
def _take_in(upload: _Upload) -> EveningReport:
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
    upload: _Upload, tournament: Tournament, left_out: dict[SheetKey, SheetReport]
) -> tuple[PairsFound, dict[SheetKey, SheetReport]]:
    """Take in what can be, and add the reports of the rest to ``left_out``, at least one with every turn."""
    while True:
        try:
            with transaction.atomic():
                return _Attempt(upload, tournament).take_in(left_out)
        except _LeftOut as again:
            left_out |= again.reports


def _in_order(
    sheets: Iterable[ReadSheet], reports: Mapping[SheetKey, SheetReport]
) -> tuple[SheetReport, ...]:
    """Return the reports in the order of the files, one for records of one match that name it differently."""
    seen: dict[int, SheetReport] = {id(reports[sheet.key]): reports[sheet.key] for sheet in sheets}
    return tuple(seen.values())


def _tournament(upload: _Upload) -> tuple[Tournament, bool]:
    """Return the tournament, locked, made if it is missing and may be, and whether it was."""
    club_id = Tournament.objects.filter(slug=upload.slug).values_list("club", flat=True).first()
    if club_id is not None and upload.club_id not in (None, club_id):
        raise OtherClub(_("Another club has a tournament with this address."))
    if club_id is not None or upload.club_id is None or not upload.create:
        return locked(upload.slug, actor=upload.actor, action=Action.UPLOAD), False
    new = NewTournament(
        name=_name_of(upload.sheets) or _title(upload.slug),
        slug=upload.slug,
        rules=_rules_of(upload.sheets),
    )
    return make_tournament(actor=upload.actor, club_id=upload.club_id, new=new, at=upload.at), True


def _rules_of(sheets: Iterable[ReadSheet]) -> str:
    """Return the rules that most records were played under."""
    counted: Counter[Rules] = Counter(record.rules for sheet in sheets for record in sheet.records)
    return str(counted.most_common(1)[0][0]) if counted else "court-piece"


def _name_of(sheets: Iterable[ReadSheet]) -> str:
    """Return the event that all records name, empty where they do not."""
    events = {record.event for sheet in sheets for record in sheet.records}
    return (events.pop() or "")[:80] if len(events) == 1 else ""


@dataclass(slots=True, kw_only=True)
class _Table:
    """A match with all the records that are of it."""

    seating: Seating
    sheets: list[ReadSheet] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    answer: SheetAnswer | None = None

    @property
    def readings(self) -> list[tuple[str, Reading]]:
        """The records with the names of their files, unreadable ones too."""
        return [(part.file, part.reading) for sheet in self.sheets for part in sheet.parts]

    @property
    def names(self) -> tuple[PairNames, PairNames] | None:
        """The pairs as the records name them; None where none does."""
        named = ((sheet.key.ns, sheet.key.ew) for sheet in self.sheets)
        return next(((ns, ew) for ns, ew in named if ns is not None and ew is not None), None)

    def text(self, tag: str) -> str:
        """Return the first value of a tag that the records have, empty where none has it."""
        texts = (record.text(tag) for sheet in self.sheets for record in sheet.records)
        return next((text for text in texts if text), "")


class _Attempt:
    """One attempt to take in the scoresheets that were not left out."""

    def __init__(self, upload: _Upload, tournament: Tournament) -> None:
        self.upload = upload
        self.tournament = tournament
        self.refused: dict[SheetKey, SheetReport] = {}
        self.labels: dict[int, str] = {}
        """What records call the rounds that they name, by number."""

    def take_in(
        self, left_out: Mapping[SheetKey, SheetReport]
    ) -> tuple[PairsFound, dict[SheetKey, SheetReport]]:
        """Write what can be written.

        :raises _LeftOut: if something cannot.
        """
        sheets = [sheet for sheet in self.upload.sheets if sheet.key not in left_out]
        named = [sheet for sheet in sheets if self._is_readable(sheet) and self._is_named_rightly(sheet)]
        self._leave_out_refused()
        pairs, found = self._pairs(named)
        tables = self._seat(named, pairs)
        self._leave_out_refused()
        self._reseat(tables, pairs)
        self._make_matches(tables, pairs)
        self._record(tables)
        self._leave_out_refused()
        self._finish(tables)
        return found, self._reports(tables)

    def _leave_out_refused(self) -> None:
        if self.refused:
            raise _LeftOut(self.refused)

    def _refuse(self, sheets: Iterable[ReadSheet], *problems: RecordProblem) -> None:
        together = list(sheets)
        report = SheetReport(
            outcome=SheetOutcome.REFUSED,
            files=tuple(dict.fromkeys(file for sheet in together for file in sheet.files)),
            match=words_of(together[0].key),
            problems=(*problems, *self._own_problems(together)),
        )
        self.refused |= {sheet.key: report for sheet in together}

    def _own_problems(self, sheets: Iterable[ReadSheet]) -> Iterable[RecordProblem]:
        """Yield what is wrong with the records by themselves."""
        rules = Rules.parse(self.tournament.rules)
        for sheet in sheets:
            for part in sheet.parts:
                yield from judge(part.reading, rules=rules, file=part.file).problems

    # -- who played

    def _is_readable(self, sheet: ReadSheet) -> bool:
        if not sheet.records:
            self._refuse([sheet])
        return bool(sheet.records)

    def _is_named_rightly(self, sheet: ReadSheet) -> bool:
        names: list[str] = []
        for tag, pair in (("NS", sheet.key.ns), ("EW", sheet.key.ew)):
            try:
                names += [clean_name(name) for name in pair or ()]
            except NameRefused as error:
                self._refuse([sheet], _problem(sheet, SeatingCode.BAD_NAME, str(error), tag=tag))
                return False
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            message = _("“%(name)s” stands there twice; a table has four different players.")
            problem = _problem(sheet, SeatingCode.PLAYER_TWICE, message % {"name": twice}, tag="EW")
            self._refuse([sheet], problem)
        return twice is None

    def _pairs(self, sheets: Sequence[ReadSheet]) -> tuple[dict[PairNames, Pair], PairsFound]:
        both = (pair for sheet in sheets for pair in (sheet.key.ns, sheet.key.ew))
        names = list(dict.fromkeys(pair for pair in both if pair is not None))
        found = find_or_make_partnerships(
            actor=self.upload.actor, club_id=self.tournament.club_id, names=names, at=self.upload.at
        )
        return dict(zip(names, found.pairs, strict=True)), found

    # -- at which match

    def _seat(self, sheets: Sequence[ReadSheet], pairs: Mapping[PairNames, Pair]) -> list[_Table]:
        """Return the matches that the records are of; those without names come after the others."""
        board = self._board(pairs)
        board.name_rounds(sheet.key.round for sheet in sheets)
        self.labels = {number: label for label, number in board.labels.items()}
        tables: dict[int, _Table] = {}
        for sheet in sorted(sheets, key=lambda sheet: sheet.key.ns is None or sheet.key.ew is None):
            try:
                seated = board.seat(_asked(sheet.key, pairs))
            except SeatingRefused as refused:
                problem = _problem(sheet, refused.code, str(refused), tag=refused.tag)
                together = tables.get(id(refused.seating))
                self._refuse([sheet, *(together.sheets if together else ())], problem)
                continue
            table = tables.setdefault(id(seated.seating), _Table(seating=seated.seating))
            table.sheets.append(sheet)
            table.notes += seated.notes
        return list(tables.values())

    def _board(self, pairs: Mapping[PairNames, Pair]) -> Board:
        of_tournament = Match.objects.filter(round__tournament=self.tournament)
        rows = list(of_tournament.select_related("round", "ns", "ew"))
        results = {one.scoresheet_id: one for one in scoring.match_results(self.tournament.collection_id)}
        named = scoring.partnerships_by_id(
            {pair.partnership_id for pair in pairs.values()}
            | {entry.partnership_id for row in rows for entry in (row.ns, row.ew)}
        )
        rounds = Round.objects.filter(tournament=self.tournament).exclude(label="")
        return Board(
            labels=dict(rounds.values_list("label", "number")),
            seatings=[_seating(row, has_deals=results[row.scoresheet_id].version > 0) for row in rows],
            names={pk: pair.name for pk, pair in named.items()},
            is_single=self.tournament.format == Format.SINGLE,
        )

    def _reseat(self, tables: Iterable[_Table], pairs: Mapping[PairNames, Pair]) -> None:
        """Put down who sits where in matches that were made before and have no deals."""
        for table in tables:
            seating, names = table.seating, table.names
            if seating.match_id is None or seating.has_deals or names is None:
                continue
            ns, ew = pairs[names[0]], pairs[names[1]]
            reseat_scoresheet(actor=self.upload.actor, scoresheet_id=seating.scoresheet_id, ns=ns, ew=ew)
            if seating.is_turned:
                Match.objects.filter(pk=seating.match_id).update(ns=F("ew"), ew=F("ns"))

    # -- what is made for it

    def _make_matches(self, tables: Iterable[_Table], pairs: Mapping[PairNames, Pair]) -> None:
        """Make the entries, rounds, scoresheets and matches that are missing. Nine queries, however many."""
        new = [(table, table.names) for table in tables if table.seating.match_id is None]
        named = [(table.seating, table, names) for table, names in new if names is not None]
        if not named:
            return
        entries = enter_pairs(
            self.tournament, [pk for seating, *_rest in named for pk in (seating.ns, seating.ew)]
        )
        rounds = self._rounds({seating.round for seating, *_rest in named})
        sheet_ids = create_scoresheets(
            actor=self.upload.actor,
            club_id=self.tournament.club_id,
            collection_id=self.tournament.collection_id,
            sheets=[self._new_sheet(table, pairs[ns], pairs[ew]) for _seating, table, (ns, ew) in named],
            at=self.upload.at,
        )
        for (seating, *_rest), sheet_id in zip(named, sheet_ids, strict=True):
            seating.scoresheet_id = sheet_id
        Match.objects.bulk_create(
            Match(
                round=rounds[seating.round],
                table=seating.table,
                ns=entries[seating.ns],
                ew=entries[seating.ew],
                scoresheet_id=seating.scoresheet_id,
            )
            for seating, *_rest in named
        )

    def _rounds(self, numbers: set[int]) -> dict[int, Round]:
        there = {one.number: one for one in Round.objects.filter(tournament=self.tournament)}
        missing = sorted(numbers - there.keys())
        if not missing:
            return there
        session = Session.objects.filter(tournament=self.tournament).latest("number")
        made = Round.objects.bulk_create(
            Round(
                tournament=self.tournament,
                session=session,
                number=number,
                label=self.labels.get(number, ""),
            )
            for number in missing
        )
        return there | {one.number: one for one in made}

    def _new_sheet(self, table: _Table, ns: Pair, ew: Pair) -> NewScoresheet:
        return NewScoresheet(
            ns=ns,
            ew=ew,
            rules=self.tournament.rules,
            event=clean_text(table.text("Event"))[:200],
            site=clean_text(table.text("Site"))[:200],
            date=table.text("Date"),
            round=self.labels.get(table.seating.round, str(table.seating.round)),
            table=table.seating.table,
            source=table.sheets[0].files[0],
        )

    # -- the deals

    def _record(self, tables: Sequence[_Table]) -> None:
        answers = record_deals(
            actor=self.upload.actor,
            sheets=[
                SheetRecords(
                    scoresheet_id=table.seating.scoresheet_id,
                    readings=[reading for _file, reading in table.readings],
                    file=table.sheets[0].files[0],
                )
                for table in tables
            ],
            at=self.upload.at,
        )
        for table, answer in zip(tables, answers, strict=True):
            table.answer = answer
            if answer.became in (Became.CONFLICT, Became.REJECTED):
                report = self._report(table, answer)
                self.refused |= {sheet.key: report for sheet in table.sheets}

    def _finish(self, tables: Iterable[_Table]) -> None:
        """Let the matches of which something was written count from now on, and the standings be computed."""
        written = [
            table.seating.scoresheet_id
            for table in tables
            if table.answer is not None and table.answer.became is Became.CREATED
        ]
        if self.upload.finish:
            still_open = Match.objects.filter(scoresheet__in=written, state=MatchState.OPEN)
            still_open.update(state=MatchState.FINISHED)
        if written:
            advance_collection(collection_id=self.tournament.collection_id)

    def _reports(self, tables: Iterable[_Table]) -> dict[SheetKey, SheetReport]:
        reports: dict[SheetKey, SheetReport] = {}
        uids = scoring.scoresheet_uids(table.seating.scoresheet_id for table in tables)
        for table in tables:
            if table.answer is not None:
                report = self._report(table, table.answer)
                report = replace(report, scoresheet=uids[table.seating.scoresheet_id])
                reports |= {sheet.key: report for sheet in table.sheets}
        return reports

    def _report(self, table: _Table, answer: SheetAnswer) -> SheetReport:
        files = [file for file, _reading in table.readings]
        became = [deal.became for deal in answer.deals]
        return SheetReport(
            outcome=_outcome_of(answer),
            files=tuple(dict.fromkeys(files)),
            match=words_of(table.sheets[0].key),
            recorded=became.count(Became.CREATED),
            duplicates=became.count(Became.DUPLICATE),
            problems=tuple(
                problem
                for file, deal in zip(files, answer.deals, strict=True)
                for problem in with_file(deal.problems, file)
            ),
            notes=tuple(dict.fromkeys(table.notes)),
        )


def _outcome_of(answer: SheetAnswer) -> SheetOutcome:
    """Return what became of a scoresheet; a conflict where that alone keeps it from being written."""
    if answer.became in (Became.CREATED, Became.DUPLICATE):
        return SheetOutcome.RECORDED if answer.became is Became.CREATED else SheetOutcome.DUPLICATE
    errors = {problem.code for problem in answer.problems if problem.severity == "error"}
    return SheetOutcome.CONFLICT if errors == {SheetCode.DEAL_CONFLICT.value} else SheetOutcome.REFUSED


def _asked(key: SheetKey, pairs: Mapping[PairNames, Pair]) -> Asked:
    return Asked(
        round=key.round,
        table=key.table,
        ns=None if key.ns is None else pairs[key.ns].partnership_id,
        ew=None if key.ew is None else pairs[key.ew].partnership_id,
    )


def _seating(row: Match, *, has_deals: bool) -> Seating:
    return Seating(
        round=row.round.number,
        table=row.table,
        ns=row.ns.partnership_id,
        ew=row.ew.partnership_id,
        match_id=row.pk,
        scoresheet_id=row.scoresheet_id,
        has_deals=has_deals,
        is_settled=has_deals,
    )


def _problem(sheet: ReadSheet, code: SeatingCode, message: str, *, tag: str) -> RecordProblem:
    """Return a problem that stands at a tag of the scoresheet's first record."""
    first = next(part for part in sheet.parts if part.reading.record is not None)
    line, column = first.reading.parsed.place_of_tag(tag)
    return RecordProblem(
        code=code.value,
        kind=Kind.IMPOSSIBLE.value,
        message=message,
        file=first.file,
        record=first.reading.number,
        line=line,
        column=column,
    )
