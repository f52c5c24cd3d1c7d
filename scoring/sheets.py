"""A scoresheet as it stands: its row, and its deals with all their revisions."""

from collections import defaultdict
from collections.abc import Collection as Ids
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from django.utils.translation import gettext as _

from courtpiece.accounts.names import clean_text
from courtpiece.accounts.refusals import Conflict
from courtpiece.engine import Award, Outcome, Rules, Score, Seat, Team
from courtpiece.notation import Reading
from scoring.ledgers import LedgerEntry
from scoring.models import Collection, Deal, Player, Revision, Scoresheet
from scoring.records import MATCH_CODES, JudgedRecord, RecordProblem, SheetCode, read_kept


class CollectionLocked(Conflict):
    """The scoresheet's collection is locked: nothing of it is written any more."""

    def __init__(self) -> None:
        super().__init__(_("This is final: its scoresheets and deals are not changed any more."))


class HeldDeal:
    """A deal of a scoresheet as it stands, with its revisions, the current one last."""

    def __init__(self, row: Deal, revisions: Sequence[Revision]) -> None:
        self.row = row
        self.revisions = revisions

    @property
    def current(self) -> Revision:
        """The revision that stands."""
        return self.revisions[-1]

    @cached_property
    def reading(self) -> Reading:
        """The current revision's text, read again."""
        return read_kept(self.current.pcn)

    @cached_property
    def entry(self) -> LedgerEntry:
        """What the deal brings to its match."""
        record = self.reading.record
        return LedgerEntry(
            number=self.row.number,
            dealer=Seat[self.row.dealer],
            outcome=stored_outcome(self.current),
            stated_courts=record.stated_courts if record is not None else None,
            revoked=Team[self.current.revoked] if self.current.revoked else None,
        )

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
        Team[row.winner] if row.winner else None,
        Award(row.award),
        Score(row.tricks_ns, row.tricks_ew),
        Score(row.courts_ns, row.courts_ew),
    )


@dataclass(frozen=True, slots=True)
class SheetState:
    """A scoresheet with its deals, by number, as they stand."""

    row: Scoresheet
    deals: dict[int, HeldDeal]
    is_locked: bool = False
    """Whether its collection is closed to every write. Known only of one that is the caller's alone."""

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


def load_sheets(ids: Ids[int], *, lock: bool) -> dict[int, SheetState]:
    """Return the scoresheets by id, with their deals and all revisions. Four queries at most.

    With ``lock`` they are the caller's alone until the transaction ends: first their collections are locked,
    then they, each in the order of the ids.
    """
    sheets = Scoresheet.objects.filter(pk__in=ids).select_related(*SEATS).order_by("pk")
    locked: set[int | None] = set()
    if lock:
        own = Scoresheet.objects.filter(pk__in=ids, collection__isnull=False).values("collection")
        collections = Collection.objects.select_for_update().filter(pk__in=own).order_by("pk")
        locked = {collection.pk for collection in collections if collection.is_locked}
        sheets = sheets.select_for_update(of=("self",))
    rows = {sheet.pk: sheet for sheet in sheets}
    deals = _held_deals([pk for pk, sheet in rows.items() if sheet.version > 0])
    return {
        pk: SheetState(sheet, deals.get(pk, {}), is_locked=sheet.collection_id in locked)
        for pk, sheet in rows.items()
    }


def _held_deals(sheet_ids: Sequence[int]) -> dict[int, dict[int, HeldDeal]]:
    if not sheet_ids:
        return {}
    revisions: defaultdict[int, list[Revision]] = defaultdict(list)
    rows = Revision.objects.filter(deal__scoresheet__in=sheet_ids).select_related("ruling")
    for revision in rows.order_by("deal", "number"):
        revisions[revision.deal_id].append(revision)
    held: defaultdict[int, dict[int, HeldDeal]] = defaultdict(dict)
    for deal in Deal.objects.filter(scoresheet__in=sheet_ids):
        held[deal.scoresheet_id][deal.number] = HeldDeal(deal, revisions[deal.pk])
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
    return replace(judged, problems=(*judged.problems, *_misfits(judged, row)))


def _misfits(judged: JudgedRecord, row: Scoresheet) -> Iterator[RecordProblem]:
    record = judged.record
    for tag in ("Event", "Date", "Round", "Table"):
        stated, own = record.text(tag), getattr(row, tag.lower())
        if stated is not None and own and clean_text(stated) != own:
            yield _misfit(judged, tag, own)
    for tag, seats in (("NS", ("north", "south")), ("EW", ("east", "west"))):
        stated = record.text(tag)
        names = [seat_name(row, seat) for seat in seats]
        is_known = not any(_is_anonymised(getattr(row, seat)) for seat in seats)
        if stated is not None and is_known and list(map(clean_text, stated.split(" & "))) != names:
            yield _misfit(judged, tag, " & ".join(names))


def _misfit(judged: JudgedRecord, tag: str, own: str) -> RecordProblem:
    message = _("the scoresheet says “%(own)s” for %(tag)s: is the record of another match?")
    return judged.problem_at(tag, SheetCode.OTHER_MATCH, message % {"own": own, "tag": tag})
