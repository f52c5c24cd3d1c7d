"""Who met whom: what was done in matches, summed up by the partnerships and the players that met."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import Case, Count, F, Q, QuerySet, Sum, When

from scoring.models import Player
from scoring.queries.refs import PairRef, PersonRef
from scoring.queries.results import RESULT_COLUMNS


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """What somebody did in a number of matches."""

    matches: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    courts_for: int = 0
    courts_against: int = 0
    deals_won: int = 0
    deals_lost: int = 0
    bavneys: int = 0
    goon_courts: int = 0
    revokes: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(**{name: getattr(self, name) + getattr(other, name) for name in _TALLY_FIELDS})


_TALLY_FIELDS: Final = tuple(Tally.__dataclass_fields__)


@dataclass(frozen=True, slots=True)
class PairTally:
    """What was done with, or against, a partnership."""

    pair: PairRef
    tally: Tally


@dataclass(frozen=True, slots=True)
class PlayerTally:
    """What was done against a player, whoever the partners were."""

    player: PersonRef
    tally: Tally


SidedSheets = QuerySet[Any]
"""Scoresheets that say with ``is_ns`` on which side somebody sat, which no type of Django's can."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """All matches of one partnership against another in which the same two sat for the other, by ids."""

    mine: int
    theirs: int
    opponents: tuple[int, int]
    """The players who sat there: a substitute, where one played for the other partnership."""
    tally: Tally


def encounters(sheets: SidedSheets) -> tuple[Encounter, ...]:
    """Return the matches by partnerships. One query, a row for each two that met, and each order they sat in."""
    seats = sheets.annotate(one=_opposite("east", "north"), other=_opposite("west", "south"))
    rows = seats.values("is_ns", "ns_id", "ew_id", "one", "other").annotate(
        matches=Count("pk"),
        ahead_ns=Count("pk", filter=Q(courts_ns__gt=F("courts_ew"))),
        ahead_ew=Count("pk", filter=Q(courts_ew__gt=F("courts_ns"))),
        **{f"sum_{name}": Sum(name) for name in RESULT_COLUMNS},
    )
    return tuple(_encounter(row) for row in rows.order_by())


def _opposite(of_ns: str, of_ew: str) -> Case:
    """Return who sat in that seat of the other side, as a column."""
    return Case(When(is_ns=True, then=F(f"{of_ns}_id")), default=F(f"{of_ew}_id"))


def _encounter(row: Mapping[str, Any]) -> Encounter:
    mine, theirs = ("ns", "ew") if row["is_ns"] else ("ew", "ns")
    won, lost = row[f"ahead_{mine}"], row[f"ahead_{theirs}"]
    tally = Tally(
        matches=row["matches"],
        won=won,
        drawn=row["matches"] - won - lost,
        lost=lost,
        courts_for=row[f"sum_courts_{mine}"],
        courts_against=row[f"sum_courts_{theirs}"],
        deals_won=row[f"sum_deals_{mine}"],
        deals_lost=row[f"sum_deals_{theirs}"],
        bavneys=row[f"sum_bavneys_{mine}"],
        goon_courts=row[f"sum_goon_courts_{mine}"],
        revokes=row[f"sum_revokes_{mine}"],
    )
    return Encounter(row[f"{mine}_id"], row[f"{theirs}_id"], (row["one"], row["other"]), tally)


def sum_of(tallies: Iterable[Tally]) -> Tally:
    """Return all of them together."""
    return sum(tallies, Tally())


def by_pair(tallies: Iterable[tuple[int, Tally]], names: Mapping[int, PairRef]) -> tuple[PairTally, ...]:
    """Return the sums by partnership, those with most matches first, equals by name."""
    sums: defaultdict[int, Tally] = defaultdict(Tally)
    for pair_id, tally in tallies:
        sums[pair_id] += tally
    lines = (PairTally(names[pair_id], tally) for pair_id, tally in sums.items())
    return tuple(sorted(lines, key=lambda line: (-line.tally.matches, line.pair.name)))


def by_player(met: Sequence[Encounter]) -> tuple[PlayerTally, ...]:
    """Return the sums by opposing player, those with most matches first, equals by name. One query.

    Whoever was merged is counted as the player that they turned out to be.
    """
    seated = {pk for one in met for pk in one.opponents}
    rows: Iterable[tuple[Any, ...]] = Player.objects.filter(pk__in=seated).values_list(
        "pk", "uid", "name", "merged_into_id", "merged_into__uid", "merged_into__name"
    )
    persons = {
        pk: PersonRef(uid, name) if kept_id is None else PersonRef(kept, kept_name)
        for pk, uid, name, kept_id, kept, kept_name in rows
    }
    sums: defaultdict[PersonRef, Tally] = defaultdict(Tally)
    for one in met:
        for pk in one.opponents:
            sums[persons[pk]] += one.tally
    lines = (PlayerTally(player, tally) for player, tally in sums.items())
    return tuple(sorted(lines, key=lambda line: (-line.tally.matches, line.player.name)))
