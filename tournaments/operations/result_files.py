"""Results from a file: what is in it and what would come of it, and the writing of it, all or nothing."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext as _

from courtpiece.accounts.permissions import Action, Actor, may, require
from courtpiece.accounts.refusals import Refused
from courtpiece.engine import Outcome, Seat, result_text
from courtpiece.notation import read
from scoring.operations import Became, Correction, Origin, SheetRecords, change_deal, record_deals
from scoring.queries import RecordedDeal
from tournaments import queries
from tournaments.domain.result_rows import NEEDED, OF_LINE, Column, FaultyCell, ResultRow, RowFault
from tournaments.domain.settling import SettledLine, Stands, settle
from tournaments.domain.slips import LineFault, ReadLine, SlipLine, outcome_of_line, records_of
from tournaments.errors import BadSpreadsheet, ReasonNeeded, ResultsRefused
from tournaments.events import Event
from tournaments.headings import read_headings
from tournaments.models import Match, MatchState, Tournament
from tournaments.operations.log import write_down
from tournaments.operations.matches import change_state, check_is_long_enough
from tournaments.operations.once import Answer, once
from tournaments.operations.running import locked
from tournaments.queries import FileMatch
from tournaments.result_rows import ReadRows, SaidFault, read_rows, said
from tournaments.spreadsheets import RESULTS, read_table


@dataclass(frozen=True, slots=True, kw_only=True)
class NewResult:
    """A row that is to be written, with what the engine makes of it."""

    row: int
    match: FileMatch
    read: ReadLine


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherResult:
    """A row that says something else than is recorded of its deal."""

    row: int
    match: FileMatch
    number: int
    recorded: str
    """Who dealt and the result, as a record states it."""
    offered: str
    key: str
    """Names the deal at the revision that it was looked at."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsPreview:
    """A file of results before anything is saved."""

    rows: tuple[ResultRow, ...]
    """Those that can be read."""
    new: tuple[NewResult, ...]
    others: tuple[OtherResult, ...]
    """To be corrected, or left as they are recorded."""
    faults: tuple[SaidFault, ...]
    """Everything that is wrong, row by row: while there is one, nothing can be saved."""
    same: int
    """Rows that say what is recorded."""
    blank: int = 0
    """Rows that are not filled in."""
    ignored: tuple[str, ...] = ()
    """What stands over columns that are not read."""


def preview_results(*, actor: Actor, slug: str, content: bytes) -> ResultsPreview:
    """Return what is in a file of results, and what is wrong with it. Writes nothing. Five queries.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not send results there.
    :raises BadSpreadsheet: if the file is no table, or its header lacks a column that is needed.
    """
    tournament = queries.tournament_for(slug, actor=actor, action=Action.UPLOAD)
    table = read_table(content, RESULTS)
    headings = read_headings(table.header.cells, Column, needed=NEEDED)
    if headings.wrong:
        raise BadSpreadsheet(headings.wrong)
    if not table.rows:
        raise BadSpreadsheet(_("There is a header and no deal under it."))
    found = read_rows(table, headings.places)
    return _preview(actor, tournament, found, ignored=headings.ignored)


def look_again(*, actor: Actor, slug: str, rows: Sequence[ResultRow]) -> ResultsPreview:
    """Return what would come of rows that were looked at before, as the tournament is now. Five queries.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not send results there.
    """
    tournament = queries.tournament_for(slug, actor=actor, action=Action.UPLOAD)
    return _preview(actor, tournament, ReadRows(tuple(rows), (), 0))


def _preview(
    actor: Actor, tournament: Tournament, found: ReadRows, *, ignored: tuple[str, ...] = ()
) -> ResultsPreview:
    looked = _look(actor, tournament, found.rows)
    faults = sorted([*found.faults, *looked.faults], key=_place)
    return ResultsPreview(
        rows=found.rows,
        new=looked.new,
        others=looked.others,
        faults=tuple(map(said, faults)),
        same=looked.same,
        blank=found.blank,
        ignored=ignored,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What is to become of deals that are recorded otherwise, each by its key."""

    correct: Collection[str] = ()
    keep: Collection[str] = ()
    reason: str = ""
    """Why they are corrected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsTaken:
    """What was written."""

    deals: int
    corrected: int
    finished: int
    """Matches."""
    left_open: tuple[str, ...]
    """The tables of those that could not be finished."""


@transaction.atomic(durable=True)
def take_results(
    *,
    actor: Actor,
    slug: str,
    rows: Sequence[ResultRow],
    file_name: str,
    act_id: UUID,
    at: datetime,
    choices: Choices = Choices(),
    finish: bool = False,
) -> ResultsTaken:
    """Record the deals of a file that was looked at, all of them or none.

    What is recorded and says the same is left alone. What is recorded and says something else is corrected where
    ``choices`` say so, by who may. With ``finish`` the matches of the file are finished, those apart that lack deals
    that were agreed, or are level and must have a winner. The same act again changes nothing.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not send results there, or corrects and may not.
    :raises TournamentIsFinal: if the standings are final.
    :raises ResultsRefused: if a row cannot be taken as it stands now.
    :raises ReasonNeeded: if deals are to be corrected without saying why.
    :raises ActReused: if the act's id was used for something else.
    """
    tournament = locked(slug, actor=actor, action=Action.UPLOAD)
    if choices.correct:
        require(actor, Action.CORRECT_DEAL, club_id=tournament.club_id)
    if choices.correct and not choices.reason.strip():
        raise ReasonNeeded(_("Say why deals that are recorded are corrected."))

    def carry_out() -> Answer:
        taking = _Taking(actor, tournament, file_name, act_id, at)
        return taking.take(rows, choices, finish=finish)

    asked = {
        "rows": [asdict(row) for row in rows],
        "correct": sorted(choices.correct),
        "reason": choices.reason,
        "finish": finish,
    }
    answer = once(tournament, act_id=act_id, what="results-file", asked=asked, at=at, carry_out=carry_out)
    left_open = answer["left_open"]
    return ResultsTaken(
        deals=int(str(answer["deals"])),
        corrected=int(str(answer["corrected"])),
        finished=int(str(answer["finished"])),
        left_open=tuple(map(str, left_open)) if isinstance(left_open, list) else (),
    )


# -- looking


@dataclass(frozen=True, slots=True)
class _Looked:
    """What comes of rows as the tournament is now."""

    matches: tuple[FileMatch, ...]
    """Those of the rows."""
    new: tuple[NewResult, ...]
    corrected: tuple[tuple[RecordedDeal, NewResult], ...]
    others: tuple[OtherResult, ...]
    faults: tuple[FaultyCell, ...]
    same: int


def _place(fault: FaultyCell) -> tuple[int, int]:
    return fault.row, list(Column).index(fault.column)


def _look(
    actor: Actor, tournament: Tournament, rows: Iterable[ResultRow], correct: Collection[str] = ()
) -> _Looked:
    """Return what comes of the rows; those of ``correct`` stand in the place of what is recorded."""
    all_matches = {(match.round, match.table): match for match in queries.file_matches(tournament)}
    rounds = {number for number, _table in all_matches}
    faults: list[FaultyCell] = []
    by_match: defaultdict[tuple[int, str], list[ResultRow]] = defaultdict(list)
    for row in rows:
        match = all_matches.get((row.round, row.table))
        wrong = _misplaced(row, match, rounds)
        faults += wrong
        if match is not None and not wrong:
            by_match[row.round, row.table].append(row)
    may_correct = may(actor, Action.CORRECT_DEAL, club_id=tournament.club_id)
    looks = [
        _look_at_match(all_matches[place], found, correct, may_correct=may_correct)
        for place, found in by_match.items()
    ]
    return _Looked(
        matches=tuple(all_matches[place] for place in by_match),
        new=tuple(one for look in looks for one in look.new),
        corrected=tuple(one for look in looks for one in look.corrected),
        others=tuple(one for look in looks for one in look.others),
        faults=(*faults, *(one for look in looks for one in look.faults)),
        same=sum(look.same for look in looks),
    )


def _misplaced(row: ResultRow, match: FileMatch | None, rounds: Collection[int]) -> list[FaultyCell]:
    """Return why a row is of no match that there is, or of another than its names say."""
    if row.round not in rounds:
        return [FaultyCell(row=row.row, column=Column.ROUND, fault=RowFault.NO_ROUND, value=str(row.round))]
    if match is None:
        return [
            FaultyCell(
                row=row.row,
                column=Column.TABLE,
                fault=RowFault.NO_TABLE,
                value=row.table,
                detail=str(row.round),
            )
        ]
    sides = ((Column.NS, row.ns, match.ns), (Column.EW, row.ew, match.ew))
    return [
        FaultyCell(row=row.row, column=column, fault=RowFault.OTHER_PAIR, value=said_name, detail=own)
        for column, said_name, own in sides
        if said_name and _plain(said_name) != _plain(own)
    ]


def _plain(names: str) -> str:
    return "&".join(" ".join(name.split()) for name in names.split("&")).casefold()


def _look_at_match(
    match: FileMatch, rows: Sequence[ResultRow], correct: Collection[str], *, may_correct: bool
) -> _Looked:
    recorded = {deal.number: deal for deal in match.sheet.deals}
    replacing = {number for number, deal in recorded.items() if _key(deal) in correct and not deal.is_ruled}
    settled = settle(
        match.sheet.rules,
        [row.line for row in rows],
        known=match.known,
        first_dealer=match.first_dealer,
        replacing=replacing if may_correct else (),
    )
    new: list[NewResult] = []
    corrected: list[tuple[RecordedDeal, NewResult]] = []
    others: list[OtherResult] = []
    faults: list[FaultyCell] = []
    same = 0
    for row, line in zip(rows, settled, strict=True):
        deal = recorded.get(row.line.number or 0)
        if line.stands is Stands.SAME:
            same += 1
        elif line.is_written:
            wrong = _faults_of(row, line, rows, match)
            faults += wrong
            result = NewResult(row=row.row, match=match, read=line.read)
            if not wrong and deal is None:
                new.append(result)
            elif not wrong and deal is not None:
                corrected.append((deal, result))
        elif deal is not None:
            found = _other(row, line, deal, match, may_correct=may_correct)
            if isinstance(found, FaultyCell):
                faults.append(found)
            else:
                others.append(found)
    return _Looked((match,), tuple(new), tuple(corrected), tuple(others), tuple(faults), same)


def _key(deal: RecordedDeal) -> str:
    return f"{deal.uid}:{deal.revision}"


def _faults_of(
    row: ResultRow, line: SettledLine, rows: Sequence[ResultRow], match: FileMatch
) -> list[FaultyCell]:
    """Return what is wrong with a row that is to be written."""
    if line.read.fault is not None:
        fault, column = OF_LINE[line.read.fault]
        return [_cell(row, column, fault, rows=rows, detail=line.read.message)]
    if line.stands is Stands.NEW and not match.is_open:
        return [FaultyCell(row=row.row, column=Column.TABLE, fault=RowFault.MATCH_OVER, value=row.table)]
    return []


def _cell(
    row: ResultRow, column: Column, fault: RowFault, *, rows: Sequence[ResultRow], detail: str
) -> FaultyCell:
    twin = next((one.row for one in rows if one is not row and one.line.number == row.line.number), 0)
    value = str(row.line.number) if column is Column.DEAL else ""
    return FaultyCell(row=row.row, column=column, fault=fault, value=value, other=twin, detail=detail)


def _other(
    row: ResultRow, line: SettledLine, deal: RecordedDeal, match: FileMatch, *, may_correct: bool
) -> OtherResult | FaultyCell:
    """Return a row that says something else than is recorded: to be decided on, or at fault."""
    stands = _in_words(deal.dealer, deal.outcome)
    offered, wrong = _offered(row.line, deal, match)
    own_fault = line.read.fault
    if own_fault is not None and own_fault is not LineFault.RECORDED:
        fault, column = OF_LINE[own_fault]
        return FaultyCell(row=row.row, column=column, fault=fault)
    if wrong:
        return FaultyCell(row=row.row, column=Column.AWARD, fault=RowFault.IMPOSSIBLE, detail=wrong)
    if deal.is_ruled or not may_correct:
        fault = RowFault.RULED if deal.is_ruled else RowFault.RECORDED
        return FaultyCell(row=row.row, column=Column.DEAL, fault=fault, value=offered, detail=stands)
    return OtherResult(
        row=row.row,
        match=match,
        number=deal.number,
        recorded=stands,
        offered=offered,
        key=_key(deal),
    )


def _offered(line: SlipLine, deal: RecordedDeal, match: FileMatch) -> tuple[str, str]:
    """Return what the row says of a deal, and why no deal ends so; one of them is empty."""
    dealer = line.dealer or deal.dealer
    outcome, message = outcome_of_line(match.sheet.rules, dealer, line)
    return (
        ("", message or _("the tricks are missing")) if outcome is None else (_in_words(dealer, outcome), "")
    )


def _in_words(dealer: Seat, outcome: Outcome) -> str:
    return f"{dealer.letter}: {result_text(outcome)}"


# -- writing


@dataclass(frozen=True, slots=True)
class _Taking:
    """A file of results while it is taken in, in the caller's transaction."""

    actor: Actor
    tournament: Tournament
    file_name: str
    act_id: UUID
    at: datetime

    def take(self, rows: Sequence[ResultRow], choices: Choices, *, finish: bool) -> Answer:
        looked = _look(self.actor, self.tournament, rows, choices.correct)
        self._check(looked, choices)
        self._correct(looked.corrected, choices.reason)
        self._record(looked.new)
        finished, left_open = self._finish(looked.matches if finish else ())
        if looked.new or looked.corrected:
            write_down(
                self.tournament,
                self.actor,
                Event.RESULTS_TAKEN,
                self.at,
                {"file": self.file_name, "deals": len(looked.new), "corrected": len(looked.corrected)},
            )
        return {
            "deals": len(looked.new),
            "corrected": len(looked.corrected),
            "finished": finished,
            "left_open": left_open,
        }

    def _check(self, looked: _Looked, choices: Choices) -> None:
        """Do nothing where every row can be taken, and somebody decided on each that is recorded otherwise."""
        undecided = [other for other in looked.others if other.key not in choices.keep]
        if looked.faults or undecided or len(looked.corrected) < len(set(choices.correct)):
            raise ResultsRefused(
                _("Something changed since you looked at the file. Nothing was saved: look at it once more.")
            )

    def _correct(self, corrected: Iterable[tuple[RecordedDeal, NewResult]], reason: str) -> None:
        for deal, result in corrected:
            text = records_of(result.match.sheet.rules, [result.read])
            change_deal(
                actor=self.actor,
                deal_uid=deal.uid,
                base_revision=deal.revision,
                change=Correction(text=text, reason=reason),
                operation_id=uuid5(self.act_id, str(deal.uid)),
                at=self.at,
                origin=Origin.file(self.file_name),
            )

    def _record(self, new: Sequence[NewResult]) -> None:
        sheets = [
            SheetRecords(
                scoresheet_id=match.sheet.id,
                readings=tuple(read(records_of(match.sheet.rules, [one.read for one in results]))),
                operation_id=uuid5(self.act_id, str(match.sheet.uid)),
            )
            for match, results in _by_match(new)
        ]
        answers = record_deals(
            actor=self.actor, sheets=sheets, at=self.at, origin=Origin.file(self.file_name)
        )
        if any(answer.became is not Became.CREATED for answer in answers):
            raise ResultsRefused(_("Something changed since you looked at the file. Nothing was saved."))

    def _finish(self, matches: Iterable[FileMatch]) -> tuple[int, list[str]]:
        """Finish the matches that can be, and return how many, and the tables of the others."""
        finished = 0
        left_open: list[str] = []
        for match in matches:
            if not match.is_open:
                continue
            row = Match.objects.select_related("round__session").get(pk=match.id)
            try:
                check_is_long_enough(self.tournament, row, self.at)
                change_state(self.actor, self.tournament, row, MatchState.FINISHED, self.at)
            except Refused:
                left_open.append(match.table)
            else:
                finished += 1
        return finished, left_open


def _by_match(new: Iterable[NewResult]) -> Iterator[tuple[FileMatch, list[NewResult]]]:
    grouped: dict[int, list[NewResult]] = {}
    for one in new:
        grouped.setdefault(one.match.id, []).append(one)
    for results in grouped.values():
        yield results[0].match, results
