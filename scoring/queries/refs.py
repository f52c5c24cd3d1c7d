"""What every read names and links: people, pairs, collections, pages of lists, problems."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from django.core.paginator import Paginator
from django.db.models import Model, QuerySet

from scoring.models import Deal, Partnership, Player, Scoresheet
from scoring.sheets import seat_name

T = TypeVar("T")
M = TypeVar("M", bound=Model)
PAGE_LENGTH: Final = 25
"""Lines on a page of a list."""


@dataclass(frozen=True, slots=True)
class PersonRef:
    """A player, to be named and linked."""

    uid: UUID | None
    """None where there is a name only: of a game that is no club's."""
    name: str


@dataclass(frozen=True, slots=True)
class PairRef:
    """A partnership, to be named and linked: the players in the order they were named, N or E first."""

    uid: UUID | None
    """None where there are names only: of a game that is no club's."""
    players: tuple[PersonRef, PersonRef]

    @property
    def name(self) -> str:
        """``First & Second``."""
        return f"{self.players[0].name} & {self.players[1].name}"


@dataclass(frozen=True, slots=True)
class CollectionRef:
    """What scoresheets are counted together in, to be named and linked."""

    name: str
    path: str

    def address_of_change(self, deal_uid: UUID, what: str) -> str:
        """Return where a deal of it is changed: ``what`` is ``correct``, ``void`` or ``rule``.

        So it is agreed for every collection that has a page: see ``models.Collection.path``.
        """
        return f"{self.path}manage/rulings/deals/{deal_uid}/{what}/"

    @property
    def address_of_rulings(self) -> str:
        """Where everybody reads what was ruled."""
        return f"{self.path}rulings/"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOf(Generic[T]):
    """A page of a list. ``number`` counts from 1; an empty list has one page."""

    items: tuple[T, ...]
    number: int
    num_pages: int
    count: int

    @property
    def has_previous(self) -> bool:
        """Whether a page comes before."""
        return self.number > 1

    @property
    def has_next(self) -> bool:
        """Whether a page follows."""
        return self.number < self.num_pages

    @property
    def has_other_pages(self) -> bool:
        """Whether this is not all."""
        return self.num_pages > 1

    @property
    def previous_page_number(self) -> int:
        """The number of the page before."""
        return self.number - 1

    @property
    def next_page_number(self) -> int:
        """The number of the page that follows."""
        return self.number + 1

    @property
    def paginator(self) -> "PageOf[T]":
        """The page itself, which knows what the component asks a paginator for."""
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownProblem:
    """A problem of a record as pages show it. ``line`` is 0 where it has no place in a text."""

    code: str
    severity: str
    kind: str
    line: int
    column: int
    message: str


def person(player: Player) -> PersonRef:
    """Return the player as a reference."""
    return PersonRef(player.uid, player.name)


def pair_ref(row: Partnership) -> PairRef:
    """Return the partnership, its players loaded, as a reference."""
    return PairRef(row.uid, (person(row.first), person(row.second)))


def persons_ref(row: Partnership) -> PairRef:
    """Return the partnership, its players and whom they are merged into loaded, as the persons that they are."""
    return PairRef(
        row.uid, (person(row.first.merged_into or row.first), person(row.second.merged_into or row.second))
    )


def seated_person(sheet: Scoresheet, seat: str) -> PersonRef:
    """Return who sat in that seat, ``north`` to ``west``: the player, who is loaded, or the name that was typed."""
    player: Player | None = getattr(sheet, seat)
    return PersonRef(None, seat_name(sheet, seat)) if player is None else person(player)


def seated_pair(sheet: Scoresheet, side: str) -> PairRef:
    """Return who sat on that side, ``ns`` or ``ew``, all loaded: North or East first."""
    pair: Partnership | None = getattr(sheet, side)
    one, other = ("north", "south") if side == "ns" else ("east", "west")
    return PairRef(
        None if pair is None else pair.uid, (seated_person(sheet, one), seated_person(sheet, other))
    )


def collection_of(sheet: Scoresheet) -> CollectionRef | None:
    """Return the scoresheet's collection, which is loaded; None without one that has a page."""
    if sheet.collection is None or not sheet.collection.path:
        return None
    return CollectionRef(sheet.collection.name, sheet.collection.path)


def shown_problems(stored: Sequence[Mapping[str, Any]]) -> tuple[ShownProblem, ...]:
    """Return problems as they are kept, with or without a place, as pages show them."""
    return tuple(
        ShownProblem(
            code=problem["code"],
            severity=problem["severity"],
            kind=problem["kind"],
            line=problem.get("line", 0),
            column=problem.get("column", 0),
            message=problem["message"],
        )
        for problem in stored
    )


def page_of(rows: QuerySet[M], page: int, line: Callable[[M], T]) -> PageOf[T]:
    """Return one page of the rows as lines; a number past the end gives the last page. Two queries."""
    found = Paginator(rows, PAGE_LENGTH).get_page(page)
    return PageOf(
        items=tuple(line(row) for row in found.object_list),
        number=found.number,
        num_pages=found.paginator.num_pages,
        count=found.paginator.count,
    )


def page_of_deals(rows: QuerySet[Deal], page: int, line: Callable[[Deal], T]) -> PageOf[T]:
    """Return one page of the deals as lines, those of the latest match first. Three queries.

    Which they are is asked alone: beside the names of six people a database does not see how few are wanted.
    """
    ids = rows.order_by("-scoresheet__date", "-scoresheet", "-number").values_list("pk", flat=True)
    found = Paginator(ids, PAGE_LENGTH).get_page(page)
    people = [f"scoresheet__{name}" for name in ("ns", "ew", "north", "south", "east", "west")]
    wanted = list(found.object_list)
    deals = Deal.objects.select_related("scoresheet", *people).in_bulk(wanted)
    return PageOf(
        items=tuple(line(deals[pk]) for pk in wanted),
        number=found.number,
        num_pages=found.paginator.num_pages,
        count=found.paginator.count,
    )
