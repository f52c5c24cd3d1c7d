"""What the apps above read of scoring, by database ids."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import BigIntegerField, Case, Count, OuterRef, Q, QuerySet, Subquery, Sum, When, Window

from courtpiece.accounts.prepared import Prepared
from scoring.models import Deal, Partnership, Player, Revision, Scoresheet
from scoring.queries.refs import PairRef, PersonRef
from scoring.versions import versions_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetResult:
    """What one scoresheet comes to, by database ids: what standings are made of."""

    scoresheet_id: int
    uid: UUID
    version: int
    """Counts the writes to it; 0 before the first."""
    ns_id: int
    """A partnership's."""
    ew_id: int
    deals: int
    """Deals that count."""
    courts_ns: int
    courts_ew: int
    deals_ns: int
    """Deals won."""
    deals_ew: int
    bavneys_ns: int
    bavneys_ew: int
    goon_courts_ns: int
    goon_courts_ew: int
    revokes_ns: int
    """The side's own established revokes."""
    revokes_ew: int
    problems: int
    """Deals with a problem that stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialDeal:
    """A deal that a list of a tournament's deals is worth making for."""

    uid: UUID
    scoresheet_id: int
    number: int
    award: str
    winner: str
    courts_ns: int
    """Those of a run are not in it."""
    courts_ew: int
    level: str
    is_ruled: bool
    revision: int
    """More than 1: it was corrected, ruled or voided."""
    problem_codes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FallenDeal:
    """A deal that made courts, with when it was recorded."""

    uid: UUID
    scoresheet_id: int
    number: int
    award: str
    winner: str
    courts_ns: int
    courts_ew: int
    recorded_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SomeDeals:
    """The first of some deals, and how many there are of them in all."""

    deals: tuple[SpecialDeal, ...]
    total: int


def match_results(collection_id: int) -> tuple[SheetResult, ...]:
    """Return what each scoresheet of the collection comes to, in the order they were made. One query.

    A scoresheet without a deal that counts is there too, with zeros.
    """
    return tuple(
        SheetResult(**dict(zip(_NAMES, row, strict=True))) for row in _OF_COLLECTION.rows(collection_id)
    )


def sheet_results(scoresheet_ids: Iterable[int]) -> tuple[SheetResult, ...]:
    """Return what each of the scoresheets comes to, in the order they were made. One query."""
    rows = Scoresheet.objects.filter(pk__in=list(scoresheet_ids)).order_by("pk").values_list(*_COLUMNS)
    return tuple(SheetResult(**dict(zip(_NAMES, row, strict=True))) for row in rows)


RESULT_COLUMNS: Final = tuple(
    f"{what}_{side}"
    for what in ("courts", "deals", "bavneys", "goon_courts", "revokes")
    for side in ("ns", "ew")
)


_OF_RESULT: Final = {
    **{name: name for name in ("uid", "version", "ns_id", "ew_id", *RESULT_COLUMNS)},
    "pk": "scoresheet_id",
    "deals_count": "deals",
    "problem_deals": "problems",
}
"""The columns of a scoresheet, with what a result calls them."""
_COLUMNS: Final = tuple(_OF_RESULT)
_NAMES: Final = tuple(_OF_RESULT.values())

_OF_COLLECTION: Final = Prepared(
    lambda pk: Scoresheet.objects.filter(collection=pk).order_by("pk").values_list(*_COLUMNS),
    BigIntegerField(),
)


def collection_versions(collection_ids: Iterable[int]) -> dict[int, int]:
    """Return the version of each collection, by id. One query."""
    return versions_of(collection_ids)


def award_deals(collection_id: int, *, awards: Sequence[str], limit: int) -> SomeDeals:
    """Return the first deals that were won by one of the awards, in their order, then by scoresheet. One query."""
    place = Case(*(When(award=award, then=number) for number, award in enumerate(awards)))
    won = Deal.objects.filter(scoresheet__collection=collection_id, award__in=awards)
    return _some_deals(won.order_by(place, "scoresheet", "number"), limit)


def fallen_deals(collection_id: int, *, awards: Sequence[str], limit: int) -> tuple[FallenDeal, ...]:
    """Return the deals that were recorded last of those won by one of the awards, the newest first. One query."""
    first = Revision.objects.filter(deal=OuterRef("pk"), number=1).values("made_at")
    won = Deal.objects.filter(scoresheet__collection=collection_id, award__in=awards)
    rows = won.annotate(recorded_at=Subquery(first)).order_by("-recorded_at", "-pk")
    return tuple(FallenDeal(**row) for row in rows.values(*FallenDeal.__slots__)[:limit])


def doubtful_deals(collection_id: int, *, limit: int) -> SomeDeals:
    """Return the first deals with a ruling, a correction or a problem, by scoresheet. One query.

    Void ones are there too: not all of them count.
    """
    with_problems = Q(scoresheet__problem_deals__gt=0) & ~Q(problems=[])
    doubtful = Q(revision__gt=1) | Q(is_ruled=True) | with_problems
    rows = Deal.objects.filter(doubtful, scoresheet__collection=collection_id)
    return _some_deals(rows.order_by("scoresheet", "number"), limit)


def revised_deals(collection_id: int) -> tuple[SpecialDeal, ...]:
    """Return the deals with another revision than their first, by scoresheet. One query."""
    rows = Deal.objects.filter(scoresheet__collection=collection_id, revision__gt=1)
    return _some_deals(rows.order_by("scoresheet", "number"), None).deals


def _some_deals(rows: QuerySet[Deal], limit: int | None) -> SomeDeals:
    columns = [name for name in SpecialDeal.__slots__ if name != "problem_codes"]
    found = list(rows.annotate(total=Window(Count("pk"))).values(*columns, "problems", "total")[:limit])
    total = found[0]["total"] if found else 0
    deals = tuple(
        SpecialDeal(
            problem_codes=tuple(problem["code"] for problem in row["problems"]),
            **{name: row[name] for name in columns},
        )
        for row in found
    )
    return SomeDeals(deals=deals, total=total)


def deals_that_count(collection_id: int) -> int:
    """Return how many deals of the collection count. One query."""
    sheets = Scoresheet.objects.filter(collection=collection_id)
    return sheets.aggregate(deals=Sum("deals_count"))["deals"] or 0


def partnerships_by_id(partnership_ids: Iterable[int]) -> dict[int, PairRef]:
    """Return the partnerships by id, the players in the order they were named. One query."""
    return {
        pk: PairRef(uid, (PersonRef(first_uid, first), PersonRef(second_uid, second)))
        for pk, uid, first_uid, first, second_uid, second in _PAIRS.rows(sorted(set(partnership_ids)))
    }


_PAIRS: Final = Prepared(
    lambda ids: Partnership.objects.filter(pk__in=ids).values_list(
        "pk", "uid", "first__uid", "first__name", "second__uid", "second__name"
    ),
    BigIntegerField(),
)


def pair_names(partnership_ids: Iterable[int]) -> dict[int, str]:
    """Return the names of the partnerships by id, as :attr:`PairRef.name` has them. One query."""
    rows = Partnership.objects.filter(pk__in=set(partnership_ids))
    names = rows.values_list("pk", "first__name", "second__name")
    return {pk: f"{first} & {second}" for pk, first, second in names}


def names_of_uids(uids: Iterable[UUID]) -> dict[UUID, str]:
    """Return the names of the players and partnerships of these ids, as everybody sees them. Two queries."""
    wanted = set(uids)
    pairs = Partnership.objects.filter(uid__in=wanted).values_list("uid", "first__name", "second__name")
    return {
        **dict(Player.objects.filter(uid__in=wanted).values_list("uid", "name")),
        **{uid: f"{first} & {second}" for uid, first, second in pairs},
    }


def has_deals(collection_id: int) -> bool:
    """Return whether anything was recorded in the collection. One query."""
    return Scoresheet.objects.filter(collection=collection_id, version__gt=0).exists()


def scoresheet_uids(scoresheet_ids: Iterable[int]) -> dict[int, UUID]:
    """Return the address of each scoresheet, by id. One query."""
    return dict(Scoresheet.objects.filter(pk__in=list(scoresheet_ids)).values_list("pk", "uid"))


def users_of_partnerships(partnership_ids: Iterable[int]) -> frozenset[int]:
    """Return the ids of the users who are players in any of the partnerships. One query."""
    rows = Partnership.objects.filter(pk__in=list(partnership_ids))
    pairs = rows.values_list("first__user", "second__user")
    return frozenset(user for pair in pairs for user in pair) - {None}
