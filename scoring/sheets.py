"""A scoresheet as it stands: its row, and its deals with all their revisions."""

from collections import defaultdict
from collections.abc import Collection as Ids
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import BigIntegerField, QuerySet
from django.utils.translation import gettext as _

from courtpiece.accounts.names import clean_text
from courtpiece.accounts.prepared import Prepared
from courtpiece.accounts.refusals import Conflict
from courtpiece.engine import Award, Outcome, Rules, Score, Seat, Team
from courtpiece.notation import Reading
from scoring.domain.ledgers import LedgerEntry
from scoring.models import Collection, Deal, Player, Revision, Scoresheet
from scoring.records import MATCH_CODES, JudgedRecord, RecordProblem, SheetCode, read_kept


class CollectionLocked(Conflict):
    """The scoresheet's collection is locked: nothing of it is written any more."""

    def __init__(self) -> None:
        super().__init__(_("This is final: its scoresheets and deals are not changed any more."))


class HeldDeal:
    """A deal of a scoresheet as it stands, with its revisions, the current one last."""

    __slots__ = ("_entry", "_reading", "revisions", "row")

    def __init__(self, row: Deal, revisions: Sequence[Revision]) -> None:
        self.row = row
        self.revisions = revisions
        self._reading: Reading | None = None
        self._entry: LedgerEntry | None = None

    @property
    def current(self) -> Revision:
        """The revision that stands."""
        return self.revisions[-1]

    @property
    def reading(self) -> Reading:
        """The current revision's text, read again, once."""
        if self._reading is None:
            self._reading = read_kept(self.current.pcn)
        return self._reading

    @property
    def entry(self) -> LedgerEntry:
        """What the deal brings to its match."""
        if self._entry is None:
            record = self.reading.record
            current = self.current
            self._entry = LedgerEntry(
                self.row.number,
                _SEATS[self.row.dealer],
                stored_outcome(current),
                record.stated_courts if record is not None else None,
                _TEAMS[current.revoked],
            )
        return self._entry

    @property
    def own_problems(self) -> tuple[RecordProblem, ...]:
        """The problems of the record alone."""
        stored = (RecordProblem.from_json(problem) for problem in self.row.problems)
        return tuple(problem for problem in stored if problem.code not in MATCH_CODES)

    def has_text(self, pcn: str) -> bool:
        """Return whether one of the revisions, the current or an older one, is this text."""
        return any(revision.pcn == pcn for revision in self.revisions)


def stored_outcome(row: Revision | Deal) -> Outcome:
    """Return the outcome that a row's columns keep."""
    return Outcome(
        _TEAMS[row.winner],
        _AWARDS[row.award],
        Score(row.tricks_ns, row.tricks_ew),
        Score(row.courts_ns, row.courts_ew),
    )


_SEATS: Final = {seat.letter: seat for seat in Seat}
_TEAMS: Final[dict[str, Team | None]] = {"": None, **{team.name: team for team in Team}}
_AWARDS: Final = {award.value: award for award in Award}


@dataclass(frozen=True, slots=True)
class SheetState:
    """A scoresheet with its deals, by number, as they stand."""

    row: Scoresheet
    deals: dict[int, HeldDeal]
    is_locked: bool = False
    """Whether its collection is closed to every write. Known only of one that is the caller's alone."""
    collection_version: int | None = None
    """The collection's, of one that is the caller's alone; None without one."""
    last_event: int | None = None
    """The number of the collection's last event; None as for its version."""

    @property
    def rules(self) -> Rules:
        """The rules that it is played under."""
        return Rules.parse(self.row.rules)

    def require_unlocked(self) -> None:
        """Do nothing if its deals may be written. The database keeps this too; here it is said in words.

        :raises CollectionLocked: if its collection is locked.
        """
        if self.is_locked:
            raise CollectionLocked


SEATS: Final = ("north", "south", "east", "west")


def seat_name(row: Scoresheet, seat: str) -> str:
    """Return who sat in that seat, one of ``SEATS``: the player, who is loaded, or the name that the owner typed."""
    player: Player | None = getattr(row, seat)
    typed: str = getattr(row, f"{seat}_name")
    return typed if player is None else player.name


def _is_anonymised(player: Player | None) -> bool:
    return player is not None and player.anonymised_at is not None


def load_sheets(ids: Ids[int], *, lock: bool, for_new: bool = False) -> dict[int, SheetState]:
    """Return the scoresheets by id, with their deals and all revisions. Three queries at most.

    With ``lock`` they are the caller's alone until the transaction ends: first their collections are locked,
    then they, each in the order of the ids. ``for_new`` leaves out what no new deal needs, which is most: who sits
    there, what was found of each revision, and the rulings.
    """
    wanted = list(ids)
    collections: dict[int | None, tuple[bool, int, int]] = {}
    if lock:
        collections = {pk: tuple(of_it) for pk, *of_it in _COLLECTIONS.rows(wanted)}
    query = (_SHEETS_FOR_NEW if for_new else _SHEETS_LOCKED) if lock else _SHEETS
    rows = {sheet.pk: sheet for sheet in query.models(wanted)}
    revisions = _REVISIONS_FOR_NEW if for_new else _REVISIONS
    deals = _held_deals([pk for pk, sheet in rows.items() if sheet.version > 0], revisions)
    return {
        pk: SheetState(sheet, deals.get(pk, {}), *collections.get(sheet.collection_id, ()))
        for pk, sheet in rows.items()
    }


def sheets_to_audit(ids: Ids[int]) -> list[SheetState]:
    """Return the scoresheets, in the order of their ids, with what an audit looks at. Two queries; nothing is locked.

    Left out is who sits there, how the revisions came, and the rulings.
    """
    deals = _held_deals(list(ids), _REVISIONS_FOR_AUDIT)
    return [SheetState(sheet, deals.get(sheet.pk, {})) for sheet in _SHEETS_FOR_AUDIT.models(list(ids))]


_NOT_FOR_NEW_SHEETS: Final = (
    *("event", "site", "round", "table", "visibility"),
    *(f"{seat}_name" for seat in SEATS),
    *SEATS,
)
_NOT_FOR_AUDITS: Final = (
    "problems",
    "reason",
    "source",
    "made_by",
    "made_by_name",
    "made_via",
    "made_at",
    "operation",
)
_NOT_FOR_NEW_DEALS: Final = ("finding", *_NOT_FOR_AUDITS)


def _sheets(ids: Any) -> QuerySet[Scoresheet]:
    return Scoresheet.objects.filter(pk__in=ids).order_by("pk")


def _revisions(sheet_ids: Any) -> QuerySet[Revision]:
    return Revision.objects.filter(deal__scoresheet__pk__in=sheet_ids).order_by("deal", "number")


_ID: Final = BigIntegerField()
_COLLECTIONS: Final = Prepared(
    lambda ids: (
        Collection.objects.select_for_update()
        .filter(pk__in=Scoresheet.objects.filter(pk__in=ids, collection__isnull=False).values("collection"))
        .order_by("pk")
        .values_list("pk", "is_locked", "version", "events")
    ),
    _ID,
)
_SHEETS: Final = Prepared(lambda ids: _sheets(ids).select_related(*SEATS), _ID)
_SHEETS_LOCKED: Final = Prepared(
    lambda ids: _sheets(ids).select_related(*SEATS).select_for_update(of=("self",)), _ID
)
_SHEETS_FOR_NEW: Final = Prepared(
    lambda ids: _sheets(ids).defer(*_NOT_FOR_NEW_SHEETS).select_for_update(of=("self",)), _ID
)
_REVISIONS: Final = Prepared(lambda ids: _revisions(ids).select_related("deal", "ruling"), _ID)
_REVISIONS_FOR_NEW: Final = Prepared(
    lambda ids: _revisions(ids).select_related("deal").defer(*_NOT_FOR_NEW_DEALS), _ID
)
_SHEETS_FOR_AUDIT: Final = Prepared(_sheets, _ID)
_REVISIONS_FOR_AUDIT: Final = Prepared(
    lambda ids: _revisions(ids).select_related("deal").defer(*_NOT_FOR_AUDITS), _ID
)


def _held_deals(sheet_ids: Sequence[int], query: Prepared[Revision]) -> dict[int, dict[int, HeldDeal]]:
    revisions: defaultdict[int, list[Revision]] = defaultdict(list)
    for revision in query.models(list(sheet_ids)):
        revisions[revision.deal_id].append(revision)
    held: defaultdict[int, dict[int, HeldDeal]] = defaultdict(dict)
    for of_a_deal in revisions.values():
        deal = of_a_deal[0].deal
        held[deal.scoresheet_id][deal.number] = HeldDeal(deal, of_a_deal)
    return held


# -- whether a record is of this match


def tags_of_match(row: Scoresheet) -> dict[str, str]:
    """Return what the scoresheet says for all its records; what it does not know is empty."""
    return {
        "Event": row.event,
        "Site": row.site,
        "Date": row.date,
        "Round": row.round,
        "Table": row.table,
    }


def fitted(judged: JudgedRecord, row: Scoresheet) -> JudgedRecord:
    """Return the record with a problem for each tag that is of another match than the scoresheet's."""
    if not judged.is_readable:
        return judged
    return judged._replace(problems=(*judged.problems, *_misfits(judged, row)))


def _misfits(judged: JudgedRecord, row: Scoresheet) -> Iterator[RecordProblem]:
    record = judged.record
    for tag in ("Event", "Date", "Round", "Table"):
        stated, own = record.text(tag), getattr(row, tag.lower())
        if stated is not None and own and clean_text(stated) != own:
            yield _misfit(judged, tag, own)
    for tag, seats in (("NS", ("north", "south")), ("EW", ("east", "west"))):
        stated = record.text(tag)
        is_known = not any(_is_anonymised(getattr(row, seat)) for seat in seats)
        if stated is not None and is_known and not _are_named(row, seats, stated):
            yield _misfit(judged, tag, " & ".join(seat_name(row, seat) for seat in seats))


def _are_named(row: Scoresheet, seats: Sequence[str], stated: str) -> bool:
    """Return whether the two are stated; who hides the own name may be stated by it."""
    names = list(map(clean_text, stated.split(" & ")))
    if len(names) != len(seats):
        return False
    return all(
        name == seat_name(row, seat) or name == _hidden_name(getattr(row, seat))
        for name, seat in zip(names, seats, strict=True)
    )


def _hidden_name(player: Player | None) -> str | None:
    return player.hidden_name or None if player is not None else None


def _misfit(judged: JudgedRecord, tag: str, own: str) -> RecordProblem:
    message = _("the scoresheet says “%(own)s” for %(tag)s: is the record of another match?")
    return judged.problem_at(tag, SheetCode.OTHER_MATCH, message % {"own": own, "tag": tag})
