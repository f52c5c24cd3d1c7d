"""One attempt to take scoresheets into a tournament: everything is written, or it says which to leave out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from django.db.models import F
from django.utils.translation import gettext as _

from courtpiece.accounts.names import clean_text
from courtpiece.accounts.permissions import Actor
from courtpiece.engine import Kind, Rules
from courtpiece.notation import Reading
from scoring import queries as scoring
from scoring.bulk import insert
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
from tournaments import queries
from tournaments.errors import UploadTooLarge
from tournaments.evenings import PairNames, ReadSheet, SheetKey, words_of
from tournaments.events import Happening
from tournaments.models import Format, Match, MatchState, Round, Session, Tournament
from tournaments.operations.happenings import tell_rounds
from tournaments.operations.running import enter_pairs
from tournaments.reports import SheetOutcome, SheetReport, with_file
from tournaments.seating import Asked, Board, Seating, SeatingCode, SeatingRefused

TABLES_AT_ONCE: Final = 50
"""Scoresheets that are recorded between two looks at the clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
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
    out_of_time: Callable[[], bool]


class LeftOut(Exception):  # noqa: N818 - no error: what takes an attempt back
    """Scoresheets cannot be taken as they are: try again without them."""

    def __init__(self, reports: Mapping[SheetKey, SheetReport]) -> None:
        super().__init__()
        self.reports = reports


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


class Attempt:
    """One attempt to take in the scoresheets that were not left out."""

    def __init__(self, upload: Upload, tournament: Tournament) -> None:
        self.upload = upload
        self.tournament = tournament
        self.refused: dict[SheetKey, SheetReport] = {}
        self.labels: dict[int, str] = {}
        """What records call the rounds that they name, by number."""
        self.sides: Mapping[int, Mapping[int, tuple[int, int]]] = {}
        """Who sits for whom in the matches with a substitute: by match, then by partnership."""
        self.made_rounds: Sequence[Round] = ()
        """Those that nobody had published."""

    def take_in(
        self, left_out: Mapping[SheetKey, SheetReport]
    ) -> tuple[PairsFound, dict[SheetKey, SheetReport]]:
        """Write what can be written.

        :raises LeftOut: if something cannot.
        """
        sheets = [sheet for sheet in self.upload.sheets if sheet.key not in left_out]
        named = [sheet for sheet in sheets if self._is_readable(sheet) and self._is_named_rightly(sheet)]
        self._leave_out_refused()
        pairs, found = self._pairs(named)
        self._check_time()
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
            raise LeftOut(self.refused)

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
        seen: set[str] = set()
        for tag, pair in (("NS", sheet.key.ns), ("EW", sheet.key.ew)):
            for written in pair or ():
                try:
                    name = clean_name(written)
                except NameRefused as error:
                    self._refuse([sheet], _problem(sheet, SeatingCode.BAD_NAME, str(error), tag=tag))
                    return False
                if name in seen:
                    message = _("“%(name)s” stands there twice; a table has four different players.")
                    problem = _problem(sheet, SeatingCode.PLAYER_TWICE, message % {"name": name}, tag=tag)
                    self._refuse([sheet], problem)
                    return False
                seen.add(name)
        return True

    def _pairs(self, sheets: Sequence[ReadSheet]) -> tuple[dict[PairNames, Pair], PairsFound]:
        both = (pair for sheet in sheets for pair in (sheet.key.ns, sheet.key.ew))
        names = list(dict.fromkeys(pair for pair in both if pair is not None))
        found = find_or_make_partnerships(
            actor=self.upload.actor, club_id=self.tournament.club_id, names=names, at=self.upload.at
        )
        self.sides = queries.substituted_sides(self.tournament.pk)
        pairs = map(self._entered, found.pairs)
        return dict(zip(names, pairs, strict=True)), found

    def _entered(self, pair: Pair) -> Pair:
        """Return the pair for whom these two sit in a match; where nobody sits in, the pair itself."""
        for sides in self.sides.values():
            for partnership_id, seated in sides.items():
                if set(seated) == set(pair.player_ids):
                    return Pair(partnership_id, pair.player_ids)
        return pair

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
        names = scoring.pair_names(
            {pair.partnership_id for pair in pairs.values()}
            | {entry.partnership_id for row in rows for entry in (row.ns, row.ew)}
        )
        rounds = Round.objects.filter(tournament=self.tournament).exclude(label="")
        return Board(
            labels=dict(rounds.values_list("label", "number")),
            seatings=[_seating(row, has_deals=results[row.scoresheet_id].version > 0) for row in rows],
            names=names,
            is_single=self.tournament.format == Format.SINGLE,
        )

    def _reseat(self, tables: Iterable[_Table], pairs: Mapping[PairNames, Pair]) -> None:
        """Put down who sits where in matches that were made before and have no deals; substitutes keep their seats."""
        for table in tables:
            seating, names = table.seating, table.names
            if seating.match_id is None or seating.has_deals or names is None:
                continue
            kept = self.sides.get(seating.match_id, {})
            ns, ew = (
                Pair(pair.partnership_id, kept.get(pair.partnership_id, pair.player_ids))
                for pair in (pairs[names[0]], pairs[names[1]])
            )
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
        matches = [
            Match(
                round=rounds[seating.round],
                table=seating.table,
                ns=entries[seating.ns],
                ew=entries[seating.ew],
                scoresheet_id=seating.scoresheet_id,
            )
            for seating, *_rest in named
        ]
        insert(Match, matches)

    def _rounds(self, numbers: set[int]) -> dict[int, Round]:
        there = {one.number: one for one in Round.objects.filter(tournament=self.tournament)}
        missing = sorted(numbers - there.keys())
        if not missing:
            return there
        session = Session.objects.filter(tournament=self.tournament).latest("number")
        self.made_rounds = Round.objects.bulk_create(
            Round(
                tournament=self.tournament,
                session=session,
                number=number,
                label=self.labels.get(number, ""),
            )
            for number in missing
        )
        return there | {one.number: one for one in self.made_rounds}

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
        """Record the deals, some scoresheets at a time, as long as there is time."""
        answers: list[SheetAnswer] = []
        for start in range(0, len(tables), TABLES_AT_ONCE):
            self._check_time()
            answers += self._record_some(tables[start : start + TABLES_AT_ONCE])
        for table, answer in zip(tables, answers, strict=True):
            table.answer = answer
            if answer.became in (Became.CONFLICT, Became.REJECTED):
                report = self._report(table, answer)
                self.refused |= {sheet.key: report for sheet in table.sheets}

    def _record_some(self, tables: Sequence[_Table]) -> tuple[SheetAnswer, ...]:
        return record_deals(
            actor=self.upload.actor,
            sheets=[
                SheetRecords(
                    scoresheet_id=table.seating.scoresheet_id,
                    readings=[reading for _file, reading in table.readings],
                    files=[file for file, _reading in table.readings],
                )
                for table in tables
            ],
            at=self.upload.at,
        )

    def _check_time(self) -> None:
        """Take everything back where there is no time left: on SQLite nobody else writes meanwhile."""
        if self.upload.out_of_time():
            raise UploadTooLarge(_("That takes longer than the site can give. Send fewer files at a time."))

    def _finish(self, tables: Iterable[_Table]) -> None:
        """Let the matches of which something was written count, standings be computed, and new rounds be told."""
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
        tell_rounds(
            self.tournament.collection_id, Happening.ROUND_PUBLISHED, self.upload.at, self.made_rounds
        )

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
