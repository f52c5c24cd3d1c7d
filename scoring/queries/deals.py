"""The page of a deal, its texts, and what a change to it would bring."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import F, Max

from courtpiece.accounts.permissions import ANONYMOUS, Action, Actor, Forbidden, may, require
from courtpiece.accounts.queries import NotFound
from courtpiece.engine import Finding, Score, Seat, result_text
from courtpiece.notation import Reading, Record, read, write_file
from courtpiece.notation.pbn import write_pbn
from scoring.changes import DealChange
from scoring.explanations import Decided, Explained, Sentence, explain
from scoring.models import Deal, Revision, Scoresheet
from scoring.plans import Plan, plan
from scoring.queries.holding import Reader, held_deals, held_revisions, result_form
from scoring.queries.refs import ShownProblem, shown_problems
from scoring.queries.scoresheets import (
    SHEET_TREE,
    DealLine,
    SheetHeader,
    address_of_deal,
    deal_line,
    header_of,
    leader,
    sheet_row,
)
from scoring.queries.sight import require_sight
from scoring.records import MATCH_CODES, TAG_OF_CODE, read_kept, with_tags
from scoring.replays import Replay, replay_of
from scoring.sheets import load_sheets, seat_name, stored_outcome, tags_of_match


@dataclass(frozen=True, slots=True)
class DealRef:
    """A deal of the same scoresheet, to be linked."""

    uid: UUID
    number: int
    shared: str = ""
    """The secret of the link by which it is read; empty for who reads it without."""

    @property
    def address(self) -> str:
        """Where the deal's page is."""
        return address_of_deal(self.uid, self.number, self.shared)


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerBefore:
    """What stood on a scoresheet before a deal."""

    total_ns: int
    """Courts of the match."""
    total_ew: int
    run_ns: int
    """Deals won running."""
    run_ew: int


NOTHING_BEFORE: Final = LedgerBefore(total_ns=0, total_ew=0, run_ns=0, run_ew=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionLine:
    """A revision as the deal's history shows it."""

    number: int
    kind: str
    kind_label: str
    is_current: bool
    made_at: datetime
    made_by: str
    """The name shown to others; empty where a command did it, or a table without an account."""
    made_via: str
    via_label: str
    source: str
    reason: str
    result: str
    """What counted: ``NS 7-4``, ``EW 7-0 court``, ``void``."""
    ruling_law: str
    ruling_reason: str
    """Empty without a ruling."""
    problems: tuple[ShownProblem, ...]
    """Those it was written with, at their places in the text it came in."""
    pcn: str
    cards_from: datetime | None
    """Until when its cards are held back from the reader; None: they are not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DealPage:
    """A deal: how it was played, what it counts for and why, and how it came to say so."""

    header: SheetHeader
    line: DealLine
    previous: DealRef | None
    next: DealRef | None
    before: LedgerBefore
    replay: Replay | None
    """None for a record without cards."""
    trump: str
    """As the ``Trump`` tag has it; empty without one."""
    trick_winners: str
    """The seats that won the tricks that counted, ``ESWNE``; empty for a result only."""
    note: str
    comments: tuple[str, ...]
    sentences: tuple[Sentence, ...]
    problems: tuple[ShownProblem, ...]
    """All that stand, at their places in ``pcn``."""
    pcn: str
    """The record as a file: with the scoresheet's tags."""
    revisions: tuple[RevisionLine, ...]
    """The latest first."""


@dataclass(frozen=True, slots=True)
class DealPlace:
    """Where a deal is recorded, by database ids, and which revision of it stands."""

    scoresheet_id: int
    collection_id: int | None
    number: int
    revision: int


def deal_place(uid: UUID) -> DealPlace | None:
    """Return where the deal is, None where there is none. One query. For who has decided that it may be seen."""
    rows = Deal.objects.filter(uid=uid).values_list(
        "scoresheet", "scoresheet__collection", "number", "revision"
    )
    found = rows.first()
    return None if found is None else DealPlace(*found)


def ledger_lines(scoresheet_id: int) -> tuple[DealLine, ...]:
    """Return the deals of a scoresheet by number. One query. For who has decided that they may be seen."""
    return tuple(map(deal_line, Deal.objects.filter(scoresheet=scoresheet_id).order_by("number")))


def deal_page(uid: UUID, *, actor: Actor, at: int = 0, now: datetime | None = None) -> DealPage:
    """Return the deal, its replay at step ``at``. Three queries, one more for a user where it is not public.

    Cards that are shown late are shown as they are ``now``; without it they are not.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not see it.
    """
    return _page(_deal(uid, actor), Reader(actor, now), at=at)


def _page(deal: Deal, reader: Reader, *, at: int) -> DealPage:
    sheet = deal.scoresheet
    revisions = _revisions(deal)
    held = held_revisions(reader, sheet, revisions)
    cards_from = held.get(deal.revision)
    record = _read(revisions[-1], cards_from)
    finding = record.finding()
    pcn = file_of(sheet, [record])
    previous, following, before = _neighbours(deal)
    return DealPage(
        header=header_of(sheet, reader.actor),
        line=deal_line(deal, cards_from=cards_from),
        previous=previous,
        next=following,
        before=before,
        replay=replay_of(record, finding, names=_names(sheet), at=at),
        trump=record.text("Trump") or "",
        trick_winners="".join(seat.letter for seat in finding.trick_winners or ()),
        note=record.note or "",
        comments=tuple(comment.text for comment in record.comments),
        sentences=_sentences(deal, revisions[-1], record, finding),
        problems=_placed(deal, pcn) if cards_from is None else (),
        pcn=pcn,
        revisions=tuple(
            _revision_line(one, deal, sheet, held.get(one.number)) for one in reversed(revisions)
        ),
    )


def change_page(uid: UUID, *, actor: Actor, action: Action) -> DealPage:
    """Return the deal for somebody who is about to change it. Three queries, one more where it is not public.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not do ``action`` there.
    """
    deal = _deal(uid, actor)
    require(actor, action, club_id=deal.scoresheet.club_id, owner_id=deal.scoresheet.owner_id)
    return _page(deal, Reader(actor, None), at=0)


def deal_pcn(uid: UUID, *, actor: Actor, now: datetime | None = None) -> str:
    """Return the deal's record as a file. Two queries, one more for a user where it is not public.

    One more where its cards are shown late: as they are ``now``, without it not at all.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not see it.
    """
    deal = _deal(uid, actor)
    current = Revision.objects.get(deal=deal, number=deal.revision)
    held = held_deals(Reader(actor, now), [deal])
    return file_of(deal.scoresheet, [_read(current, held.get(deal.pk))])


def deal_pbn(uid: UUID, *, actor: Actor, now: datetime | None = None) -> str:
    """Return the deal in PBN, for bridge programs. As many queries as ``deal_pcn``, which says what is held back.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not see it.
    """
    return pbn_of(deal_pcn(uid, actor=actor, now=now))


def pbn_of(pcn: str) -> str:
    """Return the records of a file of ours in PBN, one game each."""
    games = []
    for reading in read(pcn):
        record, finding = reading.record, reading.finding()
        if record is None or finding is None:
            raise LookupError("a record of ours cannot be read")
        games.append(write_pbn(record, finding))
    return "".join(games)


@dataclass(frozen=True, slots=True, kw_only=True)
class DealPosition:
    """A deal at one step: what a picture or a frame in another site's page shows of it."""

    header: SheetHeader
    line: DealLine
    replay: Replay | None
    """None for a record without cards, or while they are held back."""
    trick_winners: str
    """The seats that won the tricks that counted, ``ESWNE``; empty for a result only."""


def deal_position(
    uid: UUID, *, actor: Actor, at: int, now: datetime | None = None, public_only: bool = False
) -> DealPosition:
    """Return the deal at step ``at``; one past the last is the last. Two queries.

    One more for a user where it is not public, and one where its cards are shown late: they are shown as they are
    ``now``, without it not at all.

    :param public_only: whether a deal that is in no public list is not to be found, whoever asks.
    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not see it.
    """
    deal = _deal(uid, actor)
    sheet = deal.scoresheet
    if public_only and not may(ANONYMOUS, Action.LIST_TOURNAMENT, visibility=sheet.visibility):
        raise Forbidden(Action.LIST_TOURNAMENT)
    current = Revision.objects.get(deal=deal, number=deal.revision)
    cards_from = held_deals(Reader(actor, now), [deal]).get(deal.pk)
    record = _read(current, cards_from)
    finding = record.finding()
    return DealPosition(
        header=header_of(sheet, actor),
        line=deal_line(deal, cards_from=cards_from),
        replay=replay_of(record, finding, names=_names(sheet), at=at),
        trick_winners="".join(seat.letter for seat in finding.trick_winners or ()),
    )


def scoresheet_pcn(uid: UUID, *, actor: Actor, now: datetime | None = None) -> str:
    """Return all deals of the scoresheet, at their current revisions, as a file. Two or three queries.

    Two more where its cards are shown late: as they are ``now``, without it not at all.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not see it.
    """
    sheet = sheet_row(uid)
    require_sight(actor, sheet)
    current = Revision.objects.filter(deal__scoresheet=sheet, number=F("deal__revision"))
    reader = Reader(actor, now)
    held = {} if reader.sees_cards(sheet) else held_deals(reader, sheet.deals.all())
    rows = current.order_by("deal__number")
    return file_of(sheet, (_read(row, held.get(row.deal_id)) for row in rows))


def file_of(sheet: Scoresheet, records: Iterable[Record]) -> str:
    """Return kept records as a file, with the tags of their scoresheet, whose players are loaded."""
    tags = {
        **tags_of_match(sheet),
        "NS": f"{seat_name(sheet, 'north')} & {seat_name(sheet, 'south')}",
        "EW": f"{seat_name(sheet, 'east')} & {seat_name(sheet, 'west')}",
    }
    return "".join(write_file(with_tags(record, tags) for record in records))


def _deal(uid: UUID, actor: Actor) -> Deal:
    tree = [f"scoresheet__{name}" for name in SHEET_TREE]
    deal = Deal.objects.select_related("scoresheet", *tree).filter(uid=uid).first()
    if deal is None:
        raise NotFound
    require_sight(actor, deal.scoresheet)
    return deal


def _revisions(deal: Deal) -> list[Revision]:
    rows = Revision.objects.filter(deal=deal).select_related("made_by", "ruling", "deal")
    return list(rows.order_by("number"))


def _read(revision: Revision, cards_from: datetime | None = None) -> Record:
    record = read_kept(revision.pcn).record
    if record is None:
        raise LookupError(f"{revision} cannot be read")
    return record if cards_from is None else result_form(record, until=cards_from)


def _names(sheet: Scoresheet) -> dict[Seat, str]:
    return {
        Seat.N: seat_name(sheet, "north"),
        Seat.E: seat_name(sheet, "east"),
        Seat.S: seat_name(sheet, "south"),
        Seat.W: seat_name(sheet, "west"),
    }


def _neighbours(deal: Deal) -> tuple[DealRef | None, DealRef | None, LedgerBefore]:
    """Return the deal before and the deal after, and what stood before the deal. One query."""
    rows = list(Deal.objects.filter(scoresheet=deal.scoresheet_id).order_by("number").values(*_OF_LEDGER))
    refs = [DealRef(row["uid"], row["number"]) for row in rows]
    place = next(place for place, ref in enumerate(refs) if ref.uid == deal.uid)
    following = refs[place + 1] if place + 1 < len(refs) else None
    if not place:
        return None, following, NOTHING_BEFORE
    last = rows[place - 1]
    before = LedgerBefore(
        total_ns=last["match_courts_ns"],
        total_ew=last["match_courts_ew"],
        run_ns=last["match_runs_ns"],
        run_ew=last["match_runs_ew"],
    )
    return refs[place - 1], following, before


_OF_LEDGER: Final = ("uid", "number", "match_courts_ns", "match_courts_ew", "match_runs_ns", "match_runs_ew")


def _sentences(deal: Deal, current: Revision, record: Record, finding: Finding) -> tuple[Sentence, ...]:
    ruling = getattr(current, "ruling", None)
    return explain(
        Explained(
            rules=record.rules,
            dealer=record.dealer,
            outcome=stored_outcome(deal),
            run_courts=Score(deal.run_courts_ns, deal.run_courts_ew),
            finding=finding,
            ruling=Decided(ruling.reason, ruling.law) if ruling is not None else None,
        )
    )


def _placed(deal: Deal, pcn: str) -> tuple[ShownProblem, ...]:
    """Return the problems that stand, at their places in the file that is shown."""
    if not deal.problems:
        return ()
    reading = next(read(pcn))
    finding = reading.finding()
    own = reading.located(finding) if finding is not None else ()
    places = {(problem.code.value, problem.message): (problem.line, problem.column) for problem in own}
    return tuple(
        replace(problem, line=line, column=column)
        for problem in shown_problems(deal.problems)
        for line, column in [places.get((problem.code, problem.message)) or _place(problem.code, reading)]
    )


def _place(code: str, reading: Reading) -> tuple[int, int]:
    return reading.parsed.place_of_tag(TAG_OF_CODE[code]) if code in MATCH_CODES else (0, 0)


def _revision_line(
    revision: Revision, deal: Deal, sheet: Scoresheet, cards_from: datetime | None
) -> RevisionLine:
    ruling = getattr(revision, "ruling", None)
    return RevisionLine(
        number=revision.number,
        kind=revision.kind,
        kind_label=revision.get_kind_display(),
        is_current=revision.number == deal.revision,
        made_at=revision.made_at,
        made_by=revision.made_by.display_name if revision.made_by is not None else revision.made_by_name,
        made_via=revision.made_via,
        via_label=revision.get_made_via_display(),
        source=revision.source,
        reason=revision.reason,
        result=result_text(stored_outcome(revision)),
        ruling_law=ruling.law if ruling is not None else "",
        ruling_reason=ruling.reason if ruling is not None else "",
        problems=shown_problems(revision.problems) if cards_from is None else (),
        pcn=file_of(sheet, [_read(revision, cards_from)]),
        cards_from=cards_from,
    )


# -- what a change would bring


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChange:
    """A line of the ledger before and after."""

    before: DealLine
    after: DealLine


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangePreview:
    """What a change to a deal would bring to its scoresheet. Nothing was written."""

    refusals: tuple[ShownProblem, ...]
    """Why it would not be written as it stands; empty where it would."""
    lines: tuple[LineChange, ...]
    """The deals that would change, by number."""
    courts_before: tuple[int, int]
    courts_after: tuple[int, int]
    winner_before: str
    winner_after: str

    @property
    def changes_result(self) -> bool:
        """Whether the match would end otherwise."""
        return self.winner_before != self.winner_after


def preview_change(uid: UUID, change: DealChange, *, actor: Actor) -> ChangePreview:
    """Return what the change would bring, without writing it. Six queries.

    :raises NotFound: if there is no such deal.
    :raises Forbidden: if the actor may not make that change there.
    :raises Refused: whatever writing the change would raise, a record with a problem apart.
    """
    columns = ("scoresheet", "scoresheet__club", "scoresheet__owner", "number")
    place = Deal.objects.filter(uid=uid).values_list(*columns).first()
    if place is None:
        raise NotFound
    scoresheet_id, club_id, owner_id, number = place
    require(actor, change.action, club_id=club_id, owner_id=owner_id)
    state = load_sheets([scoresheet_id], lock=False)[scoresheet_id]
    return _preview(plan(state, [change.revision(state, state.deals[number])]))


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordPage:
    """A scoresheet for somebody who is about to record its next deal."""

    header: SheetHeader
    scoresheet_id: int
    number: int
    """Of the next deal."""
    dealer: str
    """Who should deal it (law 12); empty before the first."""
    proposal: str
    """A record that only wants its result."""


def record_page(uid: UUID, *, actor: Actor) -> RecordPage:
    """Return the scoresheet and what its next deal is. Two queries.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not record deals there.
    """
    sheet = sheet_row(uid)
    require(actor, Action.RECORD_DEAL, club_id=sheet.club_id, owner_id=sheet.owner_id)
    last = Deal.objects.filter(scoresheet=sheet).aggregate(last=Max("number"))["last"] or 0
    lines = (f'[Deal "{last + 1}"]', f'[Rules "{sheet.rules}"]', f'[Dealer "{sheet.next_dealer or "?"}"]')
    return RecordPage(
        header=header_of(sheet, actor),
        scoresheet_id=sheet.pk,
        number=last + 1,
        dealer=sheet.next_dealer,
        proposal="\n".join([*lines, '[Result "?"]', ""]),
    )


def _preview(planned: Plan) -> ChangePreview:
    sheet, after = planned.state.row, planned.sheet_columns()
    lines = (
        LineChange(before=deal_line(deal.held.row), after=deal_line(deal.row(sheet.pk)))
        for deal in planned.deals
        if deal.held is not None
    )
    return ChangePreview(
        refusals=shown_problems([problem.as_json() for problem in planned.refusals()]),
        lines=tuple(line for line in lines if line.before != line.after),
        courts_before=(sheet.courts_ns, sheet.courts_ew),
        courts_after=(after["courts_ns"], after["courts_ew"]),
        winner_before=leader(sheet.courts_ns, sheet.courts_ew),
        winner_after=leader(after["courts_ns"], after["courts_ew"]),
    )
