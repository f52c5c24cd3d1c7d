"""The hall of fame: the bavneys, the longest runs and the most courts in a match, each with its evidence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import Actor
from courtpiece.accounts.queries import ClubLine
from courtpiece.engine import Award
from scoring.domain.periods import ALL_TIME, Period
from scoring.domain.statistics import ranks_of
from scoring.models import Deal, Scoresheet, SideFigures
from scoring.queries.figures import in_period, sheets_of, years_of
from scoring.queries.refs import PageOf, PairRef, page_of_deals, seated_pair
from scoring.queries.sight import counting_deals

MOST_LINES: Final = 10
"""Of the longest runs, and of the most courts; those that are equal to the last one are counted, not shown."""
_PEOPLE: Final = ("ns", "ew", "north", "south", "east", "west")


@dataclass(frozen=True, slots=True, kw_only=True)
class BavneyLine:
    """A bavney, with who made it against whom."""

    deal_uid: UUID
    number: int
    scoresheet_uid: UUID
    event: str
    date: str
    pair: PairRef
    opponents: PairRef


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordLine:
    """Something that was done in a match more than elsewhere."""

    rank: int
    """1 is best; equals share one, and the next is skipped."""
    is_tied: bool
    value: int
    scoresheet_uid: UUID
    event: str
    date: str
    pair: PairRef
    opponents: PairRef
    courts_against: int
    run_first: int
    """The numbers of the deals of the longest run."""
    run_last: int


@dataclass(frozen=True, slots=True)
class Records:
    """The best of something, and how many more are as good as the last of them."""

    lines: tuple[RecordLine, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class HallOfFame:
    """The best that was done in a club, or in everything that everybody may see."""

    club: ClubLine | None
    period: Period
    years: tuple[int, ...]
    """From the first to the last in which anything was played, the last one first."""
    bavneys: PageOf[BavneyLine]
    """The latest first."""
    longest_runs: Records
    """Deals won one after another in a match."""
    most_courts: Records
    """Of one side in a match."""


def hall_of_fame(
    *, actor: Actor, slug: str | None = None, period: Period = ALL_TIME, page: int = 1
) -> HallOfFame:
    """Return the hall of fame of a club as the actor may see it, or without a slug of all. Eleven queries at most.

    Of all clubs only what everybody finds in lists is there, whoever asks. ``page`` is of the bavneys.

    :raises NotFound: if there is no such club.
    :raises Forbidden: if the actor may not see it.
    """
    club = None if slug is None else accounts.club_by_slug(slug, actor=actor)
    seen = sheets_of(club, actor)
    sheets = seen.filter(in_period(period))
    return HallOfFame(
        club=club,
        period=period,
        years=years_of(seen),
        bavneys=_bavneys(sheets, page),
        longest_runs=_records(sheets, "longest_run"),
        most_courts=_records(sheets, "courts_for"),
    )


def _bavneys(sheets: QuerySet[Scoresheet], page: int) -> PageOf[BavneyLine]:
    rows = counting_deals().filter(award=Award.BAVNEY.value, scoresheet__in=sheets.values("pk"))
    return page_of_deals(rows, page, _bavney)


def _bavney(deal: Deal) -> BavneyLine:
    sheet = deal.scoresheet
    pair, opponents = _pairs(sheet, deal.winner)
    return BavneyLine(
        deal_uid=deal.uid,
        number=deal.number,
        scoresheet_uid=sheet.uid,
        event=sheet.event,
        date=sheet.date,
        pair=pair,
        opponents=opponents,
    )


def _pairs(sheet: Scoresheet, side: str) -> tuple[PairRef, PairRef]:
    ns, ew = seated_pair(sheet, "ns"), seated_pair(sheet, "ew")
    return (ns, ew) if side == "NS" else (ew, ns)


def _records(sheets: QuerySet[Scoresheet], what: str) -> Records:
    """Return the sides with the most of a figure that is more than 0. Two queries, one more where equals are left out.

    The first asks for figures alone: with the names of six people beside them they would not be read in order.
    """
    rows = SideFigures.objects.filter(**{f"{what}__gt": 0}, scoresheet__in=sheets.values("pk"))
    found: list[SideFigures] = list(rows.order_by(f"-{what}", "scoresheet", "-side")[: MOST_LINES + 1])
    shown = found[:MOST_LINES]
    more = 0
    if len(found) > MOST_LINES and getattr(found[-1], what) == getattr(shown[-1], what):
        last = getattr(shown[-1], what)
        more = rows.filter(**{what: last}).count() - sum(1 for row in shown if getattr(row, what) == last)
    return Records(_lines(shown, what, is_last_tied=more > 0), more)


def _lines(rows: Sequence[SideFigures], what: str, *, is_last_tied: bool) -> tuple[RecordLine, ...]:
    wanted = {row.scoresheet_id for row in rows}
    sheets: dict[int, Any] = Scoresheet.objects.select_related(*_PEOPLE).in_bulk(wanted)
    values = [getattr(row, what) for row in rows]
    return tuple(
        _line(
            row,
            sheets[row.scoresheet_id],
            value,
            rank,
            is_tied=is_tied or (is_last_tied and value == values[-1]),
        )
        for row, value, (rank, is_tied) in zip(rows, values, ranks_of(values), strict=True)
    )


def _line(row: SideFigures, sheet: Scoresheet, value: int, rank: int, *, is_tied: bool) -> RecordLine:
    pair, opponents = _pairs(sheet, row.side)
    return RecordLine(
        rank=rank,
        is_tied=is_tied,
        value=value,
        scoresheet_uid=sheet.uid,
        event=sheet.event,
        date=sheet.date,
        pair=pair,
        opponents=opponents,
        courts_against=row.courts_against,
        run_first=row.run_first,
        run_last=row.run_last,
    )
