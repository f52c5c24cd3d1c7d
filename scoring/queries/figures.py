"""The figures of statistics, summed up from what is kept of each side of each scoresheet."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import (
    BooleanField,
    Count,
    Expression,
    ExpressionWrapper,
    F,
    Max,
    Q,
    QuerySet,
    Sum,
    Value,
)

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import ANONYMOUS, Action, Actor
from courtpiece.accounts.queries import ClubLine
from scoring.domain.periods import ALL_TIME, Days, Period
from scoring.domain.statistics import NO_CALLS, Figures, SuitCalls, total_of
from scoring.figures import COUNTS, SUITS
from scoring.models import Scoresheet, SideFigures
from scoring.queries.holding import Reader, is_fresh
from scoring.queries.sight import visible_scoresheets


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeFigures:
    """The figures of a year, or of a month of one."""

    year: int
    month: int | None
    figures: Figures


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureSet:
    """What somebody did in a period."""

    period: Period
    figures: Figures
    theirs: Figures
    """What the others did in the same matches. Of a club it is the same: there everybody is counted."""
    by_time: tuple[TimeFigures, ...]
    """Year by year, or where all was in one year, month by month: what is dated to no month comes before them."""
    years: tuple[int, ...]
    """In which anything was played that the reader may see, whatever the period; the last one first."""
    undated: int
    """Matches of which not even the year is known: they are in no period but all time."""

    @property
    def has_any(self) -> bool:
        """Whether anything was played that the reader may see, whatever the period."""
        return bool(self.years or self.undated)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """A match with a run of deals won, and the numbers of the first and last of them."""

    uid: UUID
    event: str
    date: str
    length: int
    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FiguresPage:
    """The figures of a club, or of everything that everybody may see."""

    club: ClubLine | None
    set: FigureSet
    """Of both sides of each match."""

    @property
    def undated(self) -> int:
        """Matches of which not even the year is known, each counted once."""
        return self.set.undated // 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Whose:
    """Whose matches: those in which they sat North and South, and those in which they sat East and West."""

    ns: Q
    ew: Q
    in_first_seat: Q | None = None
    """Where they are one player: that North or East was the seat. What is called is the player's own then."""

    @property
    def seated(self) -> Q:
        """The condition that they sat at the match."""
        return self.ns | self.ew

    @property
    def is_theirs(self) -> Q:
        """The condition that the side whose figures they are was theirs."""
        return (Q(figures__side="NS") & self.ns) | (Q(figures__side="EW") & self.ew)

    def against(self, others: "Whose") -> "Whose":
        """Return those of the matches at which the others sat on the other side."""
        return Whose(
            ns=self.ns & others.ew,
            ew=self.ew & others.ns,
            in_first_seat=self.in_first_seat,
        )


# -- reads


def figures_page(
    *, actor: Actor, slug: str | None = None, period: Period = ALL_TIME, now: datetime | None = None
) -> FiguresPage:
    """Return the figures of a club as the actor may see them, or without a slug those of all clubs. Two queries.

    Of all clubs only what everybody finds in lists is counted, whoever asks. What is called in deals whose cards are
    held back is as they are ``now``; without it all of them are that ever were.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor may not see it.
    """
    club = None if slug is None else accounts.club_by_slug(slug, actor=actor)
    reader = Reader(actor if club is not None else ANONYMOUS, now)
    return FiguresPage(club=club, set=figure_set(sheets_of(club, actor), reader, period))


def sheets_of(club: ClubLine | None, actor: Actor) -> QuerySet[Scoresheet]:
    """Return the scoresheets with a deal that counts: of a club what the actor finds, of all what everybody does."""
    if club is None:
        return visible_scoresheets(ANONYMOUS).filter(club__isnull=False, deals_count__gt=0)
    return visible_scoresheets(actor, Action.LIST_TOURNAMENT).filter(club=club.id, deals_count__gt=0)


def years_of(sheets: QuerySet[Scoresheet]) -> tuple[int, ...]:
    """Return the years from the first to the last in which the scoresheets were played, backwards. Two queries.

    A page that sums nothing up by days need not look at all of them to offer a period.
    """
    days = SideFigures.objects.filter(
        side="NS", played_first__isnull=False, scoresheet__in=sheets.values("pk")
    ).values_list("played_first", flat=True)
    first, last = days.order_by("played_first").first(), days.order_by("-played_first").first()
    return () if first is None or last is None else tuple(range(last.year, first.year - 1, -1))


def figure_set(
    sheets: QuerySet[Scoresheet], reader: Reader, period: Period, whose: Whose | None = None
) -> FigureSet:
    """Return the figures of the scoresheets: of one side, or of both. One query, a row for each day of play.

    Of both sides each match and each deal is counted once for each.
    """
    parts = [(days, is_mine, figures) for days, is_mine, figures in _parts(sheets, reader, whose)]
    within = [part for part in parts if _is_within(part[0], period)]
    mine = [(days, figures) for days, is_mine, figures in within if is_mine]
    return FigureSet(
        period=period,
        figures=total_of(figures for _days, figures in mine),
        theirs=total_of(figures for _days, is_mine, figures in within if whose is None or not is_mine),
        by_time=_by_time(mine, period),
        years=tuple(sorted({days.year for days, *_rest in parts if days is not None}, reverse=True)),
        undated=sum(figures.matches for days, is_mine, figures in parts if days is None and is_mine),
    )


def in_period(period: Period) -> Q:
    """Return the condition that a scoresheet was played in the period, as far as its date says."""
    if period.is_all:
        return Q()
    condition = Q(figures__side="NS")
    if period.first is not None:
        condition &= Q(figures__played_first__gte=period.first)
    if period.last is not None:
        condition &= Q(figures__played_last__lte=period.last)
    return condition


def longest_runs(
    sheets: QuerySet[Scoresheet], whose: Whose, period: Period, limit: int = 3
) -> tuple[RunLine, ...]:
    """Return the longest runs of deals won, all of one length, the latest first. One query."""
    mine = whose.is_theirs & Q(figures__longest_run__gt=0)
    if period.first is not None:
        mine &= Q(figures__played_first__gte=period.first)
    if period.last is not None:
        mine &= Q(figures__played_last__lte=period.last)
    rows = sheets.filter(mine).order_by("-figures__longest_run", "-date", "-pk")
    found = [
        RunLine(**dict(zip(_OF_RUN, row, strict=True))) for row in rows.values_list(*_OF_RUN.values())[:limit]
    ]
    return tuple(run for run in found if run.length == found[0].length)


_OF_RUN: Final = {
    **{name: name for name in ("uid", "event", "date")},
    "length": "figures__longest_run",
    "first": "figures__run_first",
    "last": "figures__run_last",
}


# -- rows to values


_SUMMED: Final = tuple(
    name for name in COUNTS if name in Figures.__dataclass_fields__ and name != "longest_run"
)
_SEATS: Final = ("first", "second")
_SUIT_COLUMNS: Final = {
    (seat, ending): tuple(f"{seat}_{suit}{ending}" for suit in SUITS)
    for seat in _SEATS
    for ending in ("", "_won")
}

SUMS: Final[Mapping[str, Any]] = {
    "sum_matches": Count("pk"),
    "sum_won": Count("pk", filter=Q(figures__courts_for__gt=F("figures__courts_against"))),
    "sum_lost": Count("pk", filter=Q(figures__courts_for__lt=F("figures__courts_against"))),
    "sum_longest_run": Max("figures__longest_run"),
    **{f"sum_{name}": Sum(f"figures__{name}") for name in _SUMMED},
}
"""What is summed up of some rows, without what was called."""
_CALLS: Final[Mapping[str, Any]] = {
    f"sum_{name}": Sum(f"figures__{name}") for names in _SUIT_COLUMNS.values() for name in names
}


def _parts(
    sheets: QuerySet[Scoresheet], reader: Reader, whose: Whose | None
) -> Iterable[tuple[Days | None, bool, Figures]]:
    both = Q(figures__side__in=("NS", "EW"))
    rows = sheets.filter(both).annotate(
        is_mine=Value(value=True, output_field=BooleanField()) if whose is None else _is(whose.is_theirs),
        in_first=Value(value=None, output_field=BooleanField())
        if whose is None or whose.in_first_seat is None
        else _is(whose.in_first_seat),
        is_fresh=is_fresh(reader),
    )
    groups = ("figures__played_first", "figures__played_last", "is_mine", "in_first", "is_fresh")
    for row in rows.values(*groups).annotate(**SUMS, **_CALLS).order_by():
        first, last = row["figures__played_first"], row["figures__played_last"]
        yield (None if first is None else Days(first, last)), row["is_mine"], figures_of_row(row, _calls(row))


def _is(condition: Q) -> Expression:
    return ExpressionWrapper(condition, BooleanField())


def figures_of_row(row: Mapping[str, Any], calls: SuitCalls = NO_CALLS) -> Figures:
    """Return what a row of ``SUMS`` says."""
    names = ("matches", "won", "lost", "longest_run", *_SUMMED)
    return Figures(calls=calls, **{name: row[f"sum_{name}"] for name in names})


def _calls(row: Mapping[str, Any]) -> SuitCalls:
    """Return what was called, by the one player or by both; nothing where the cards may be held back."""
    if row["is_fresh"]:
        return NO_CALLS
    seats = _SEATS if row["in_first"] is None else _SEATS[:1] if row["in_first"] else _SEATS[1:]
    calls = (SuitCalls(_of(row, seat, ""), _of(row, seat, "_won")) for seat in seats)
    return sum(calls, NO_CALLS)


def _of(row: Mapping[str, Any], seat: str, ending: str) -> tuple[int, int, int, int]:
    spades, hearts, diamonds, clubs = (row[f"sum_{name}"] for name in _SUIT_COLUMNS[seat, ending])
    return spades, hearts, diamonds, clubs


def _is_within(days: Days | None, period: Period) -> bool:
    return period.is_all if days is None else period.has(days)


def _by_time(parts: Iterable[tuple[Days | None, Figures]], period: Period) -> tuple[TimeFigures, ...]:
    dated = [(days, figures) for days, figures in parts if days is not None]
    is_one_year = period.is_in_a_year or len({days.year for days, _figures in dated}) == 1
    sums: defaultdict[tuple[int, int | None], Figures] = defaultdict(Figures)
    for days, figures in dated:
        sums[days.year, days.month if is_one_year else None] += figures
    return tuple(
        TimeFigures(year=year, month=month, figures=sums[year, month])
        for year, month in sorted(sums, key=lambda key: (key[0], key[1] or 0))
    )
