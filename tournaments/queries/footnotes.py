"""The numbers of the rulings, by what they are about: the footnotes of every page."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from tournaments.models import Ruling


@dataclass(frozen=True, slots=True, kw_only=True)
class Footnotes:
    """The numbers of the rulings, by what they are about."""

    by_match: Mapping[UUID, tuple[int, ...]]
    """Those about its deals are among them."""
    by_deal: Mapping[UUID, tuple[int, ...]]
    by_entry: Mapping[int, tuple[int, ...]]
    """By the entry's number."""
    general: tuple[int, ...]
    """Those about the tournament as a whole."""
    count: int
    """How many rulings there are."""


def footnotes_of(tournament_id: int) -> Footnotes:
    """Return the footnotes of a tournament. One query."""
    by_match: defaultdict[UUID, list[int]] = defaultdict(list)
    by_deal: defaultdict[UUID, list[int]] = defaultdict(list)
    by_entry: defaultdict[int, list[int]] = defaultdict(list)
    general: list[int] = []
    rows = Ruling.objects.filter(tournament=tournament_id).order_by("number")
    found: Iterable[tuple[int, UUID | None, UUID | None, int | None]] = rows.values_list(
        "number", "match__uid", "deal_uid", "entry__number"
    )
    for number, match, deal, entry in found:
        if deal is not None:
            by_deal[deal].append(number)
        if match is not None:
            by_match[match].append(number)
        elif entry is not None:
            by_entry[entry].append(number)
        else:
            general.append(number)
    return Footnotes(
        by_match={uid: tuple(numbers) for uid, numbers in by_match.items()},
        by_deal={uid: tuple(numbers) for uid, numbers in by_deal.items()},
        by_entry={number: tuple(numbers) for number, numbers in by_entry.items()},
        general=tuple(general),
        count=len(
            {
                *general,
                *(number for some in (by_match, by_entry) for found in some.values() for number in found),
            }
        ),
    )
