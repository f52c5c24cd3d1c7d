"""The figures that are kept of each side of a scoresheet: written with its ledger, and made anew from its deals."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Any, Final

from django.db.models import Max, QuerySet

from courtpiece.engine import Award, Score, Seat, Suit, Team
from scoring.bulk import insert_values, upsert
from scoring.domain.periods import days_of
from scoring.domain.statistics import CountedDeal, figures_of
from scoring.domain.statistics import SideFigures as Figures
from scoring.models import Deal, Operation, Scoresheet, SideFigures

SUITS: Final = ("spades", "hearts", "diamonds", "clubs")
"""As columns name them, in the order of :class:`Suit`."""


@dataclass(frozen=True, slots=True)
class CountedSheet:
    """A scoresheet of a club as far as figures follow from it."""

    id: int
    date: str
    """As the ``Date`` tag."""
    recorded_at: datetime
    deals: Sequence[CountedDeal]
    """Those that count, by number."""


def keep(sheets: Sequence[CountedSheet], *, are_new: bool) -> None:
    """Save the figures of the scoresheets, in the transaction that locked them. One statement.

    ``are_new`` says that none of them has figures yet; some tens of others at most.
    """
    if are_new:
        insert_values(SideFigures, COLUMNS, [values for sheet in sheets for values in _values_of(sheet)])
    else:
        rows = [row for sheet in sheets for row in rows_of(sheet)]
        upsert(SideFigures, rows, unique=("scoresheet_id", "side"))


def rows_of(sheet: CountedSheet) -> tuple[SideFigures, SideFigures]:
    """Return the two rows of a scoresheet, not saved."""
    ns, ew = _values_of(sheet)
    return _row(ns), _row(ew)


def _row(values: tuple[Any, ...]) -> SideFigures:
    return SideFigures(**dict(zip(COLUMNS, values, strict=True)))


def _values_of(sheet: CountedSheet) -> Iterator[tuple[Any, ...]]:
    """Yield the values of ``COLUMNS`` of both sides."""
    for team, figures in zip(Team, figures_of(sheet.deals), strict=True):
        yield sheet.id, team.name, sheet.recorded_at, *derived_values(sheet.date, figures)


def derived_values(date: str, figures: Figures) -> tuple[Any, ...]:
    """Return the values of ``DERIVED_COLUMNS`` of one side in a scoresheet of that date."""
    days = days_of(date)
    first, second = figures.first, figures.second
    return (
        None if days is None else days.first,
        None if days is None else days.last,
        *_counts_of(figures),
        *first.made,
        *first.won,
        *second.made,
        *second.won,
    )


COUNTS: Final = tuple(name for name in Figures.__dataclass_fields__ if name not in {"first", "second"})


_counts_of: Final = attrgetter(*COUNTS)
DERIVED_COLUMNS: Final = (
    *("played_first", "played_last"),
    *COUNTS,
    *(f"{seat}_{suit}{won}" for seat in ("first", "second") for won in ("", "_won") for suit in SUITS),
)
"""The columns that keep the figures of a side."""
COLUMNS: Final = ("scoresheet_id", "side", "recorded_at", *DERIVED_COLUMNS)


# -- from what is kept


def counted_sheets(ids: Sequence[int], counting: QuerySet[Deal]) -> Iterator[CountedSheet]:
    """Yield the scoresheets that have figures, by id, of those asked for. Three queries.

    ``counting`` are all deals that count.
    """
    written = Scoresheet.objects.filter(pk__in=ids, club__isnull=False, version__gt=0).order_by("pk")
    recorded_at = dict(
        Operation.objects.filter(scoresheet__in=ids).values_list("scoresheet").annotate(Max("made_at"))
    )
    deals: defaultdict[int, list[CountedDeal]] = defaultdict(list)
    rows = counting.filter(scoresheet__in=ids).order_by("scoresheet", "number")
    for sheet_id, *columns in rows.values_list("scoresheet", *_DEAL_COLUMNS).iterator():
        deals[sheet_id].append(_counted(*columns))
    for pk, day, created_at in written.values_list("pk", "date", "created_at"):
        yield CountedSheet(pk, day, recorded_at.get(pk, created_at), deals[pk])


def counted_rows(rows: Iterable[Deal]) -> list[CountedDeal]:
    """Return those of the rows of deals that count, in their order."""
    return [_counted(*(getattr(row, name) for name in _DEAL_COLUMNS)) for row in rows if row.counts]


_DEAL_COLUMNS: Final = (
    "number",
    "dealer",
    "trump",
    "trump_method",
    "winner",
    "award",
    "revoked",
    "courts_ns",
    "courts_ew",
    "run_courts_ns",
    "run_courts_ew",
)


def _counted(
    number: int, dealer: str, trump: str, method: str, winner: str, award: str, revoked: str, *courts: int
) -> CountedDeal:
    courts_ns, courts_ew, run_ns, run_ew = courts
    return CountedDeal(
        number=number,
        dealer=Seat[dealer],
        winner=Team[winner],
        award=_AWARDS[award],
        courts=Score(courts_ns + run_ns, courts_ew + run_ew),
        run_courts=Score(run_ns, run_ew),
        revoked=Team[revoked] if revoked else None,
        trump=suit_of(trump),
        method=method,
    )


_AWARDS: Final = {one.value: one for one in Award}
_SUIT_OF: Final = {suit.letter: suit for suit in Suit}


def suit_of(letter: str) -> Suit | None:
    """Return the suit of a letter; None of an empty one."""
    return _SUIT_OF.get(letter)
