"""The numbers of the rulings, by what they are about: the footnotes of every page."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from tournaments.models import Match, Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class Footnotes:
    """The numbers of the rulings, by what they are about."""

    by_match: Mapping[UUID, tuple[int, ...]]
    """Those about its deals are among them."""
    by_deal: Mapping[UUID, tuple[int, ...]]
    by_entry: Mapping[int, tuple[int, ...]]
    """By the entry's number. Those about a match or its deals are at both of its entries."""
    general: tuple[int, ...]
    """Those about the tournament as a whole."""
    count: int
    """How many rulings there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledMatch:
    """What rulings make of a match: it stands above its scoresheet."""

    slug: str
    """The tournament's."""
    numbers: tuple[int, ...]
    """Of the rulings about it and its deals, those that were taken back among them."""
    courts: tuple[int, int] | None
    """The courts that count in place of the scoresheet's, North-South first; None: the scoresheet's do."""
    forfeit: str
    """Who gave it away: ``NS``, ``EW``, ``both``, or empty."""


class _RulingRow(NamedTuple):
    number: int
    deal_uid: UUID | None
    entry__number: int | None
    match__uid: UUID | None
    match__round__number: int | None
    match__ns__number: int | None
    match__ew__number: int | None


def footnotes_of(tournament_id: int, *, until_round: int | None = None) -> Footnotes:
    """Return the footnotes of a tournament; those about matches up to a round only, where one is given. One query."""
    by_match: defaultdict[UUID, list[int]] = defaultdict(list)
    by_deal: defaultdict[UUID, list[int]] = defaultdict(list)
    by_entry: defaultdict[int, list[int]] = defaultdict(list)
    general: list[int] = []
    found = _rulings(tournament_id, until_round)
    for one in found:
        if one.deal_uid is not None:
            by_deal[one.deal_uid].append(one.number)
        if one.match__uid is not None:
            by_match[one.match__uid].append(one.number)
        for entry in _entries_of(one):
            by_entry[entry].append(one.number)
        if one.match__uid is None and one.entry__number is None:
            general.append(one.number)
    return Footnotes(
        by_match={uid: tuple(numbers) for uid, numbers in by_match.items()},
        by_deal={uid: tuple(numbers) for uid, numbers in by_deal.items()},
        by_entry={number: tuple(numbers) for number, numbers in by_entry.items()},
        general=tuple(general),
        count=len(found),
    )


def _rulings(tournament_id: int, until_round: int | None) -> list[_RulingRow]:
    rows = Ruling.objects.filter(tournament=tournament_id).order_by("number")
    if until_round is not None:
        rows = rows.exclude(match__round__number__gt=until_round)
    return [_RulingRow(*row) for row in rows.values_list(*_RulingRow._fields)]


def _entries_of(ruling: _RulingRow) -> set[int]:
    numbers = (ruling.entry__number, ruling.match__ns__number, ruling.match__ew__number)
    return {number for number in numbers if number is not None}


def ruled_match(match: Match, slug: str) -> RuledMatch | None:
    """Return what rulings make of the match of that tournament; None where there are none. One query."""
    numbers = tuple(match.rulings.order_by("number").values_list("number", flat=True))
    ns, ew = match.adjusted_ns, match.adjusted_ew
    courts = None if ns is None or ew is None else (ns, ew)
    if not numbers and courts is None and not match.forfeit:
        return None
    return RuledMatch(slug=slug, numbers=numbers, courts=courts, forfeit=match.forfeit)
