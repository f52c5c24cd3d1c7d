"""Lists that are read part by part: each part begins where another ended, whatever was added meanwhile.

A cursor is signed, so that what comes back is what was given out. It says nothing of the time, so that the
same part of an unchanged list is the same answer.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, Final, Generic, TypeVar

from django.core.signing import BadSignature, Signer
from django.db.models import Model, Q, QuerySet
from django.db.models.constants import LOOKUP_SEP
from django.utils.translation import gettext as _

from courtpiece.accounts.refusals import Refused

T = TypeVar("T")
M = TypeVar("M", bound=Model)

LONGEST_PART: Final = 200
USUAL_PART: Final = 50


class BadCursor(Refused):
    """The cursor is none that this list gave out."""

    field: ClassVar[str] = "cursor"

    def __init__(self) -> None:
        super().__init__(_("This cursor belongs to no part of this list. Begin again without one."))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Which part of a list is asked for: after or before a cursor, or the first; at most ``limit`` lines."""

    cursor: str = ""
    limit: int = USUAL_PART
    order: str = ""
    """One of the list's orders by its name, ``-`` before it for the other way round; empty: its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartOf(Generic[T]):
    """A part of a list, with the cursors of its neighbours; None where there are none."""

    items: tuple[T, ...]
    next: str | None
    previous: str | None


@dataclass(frozen=True, slots=True)
class _Place:
    """The keys of a line, and whether the lines before it are meant, or those after."""

    keys: Sequence[Any]
    backwards: bool


@dataclass(frozen=True, slots=True)
class Until(Generic[M]):
    """How far one part looks: a list of which no index leads to its rows is read through in so many steps."""

    through: QuerySet[M]
    """All rows among which it is looked, whether they are wanted or not."""
    count: int


def read_part(
    rows: QuerySet[M],
    order: Sequence[str],
    lines: Callable[[Sequence[M]], Sequence[T]],
    *,
    asked: Asked,
    orders: Mapping[str, Sequence[str]] = MappingProxyType({}),
    until: Until[M] | None = None,
) -> PartOf[T]:
    """Return a part of the rows. One query, and those of ``lines``, which makes lines of the part's rows.

    ``order`` names columns without nulls, ``-`` before those from high to low, together unique; ``orders`` are others
    that may be asked for, by their names. With ``until`` a part may have fewer lines than it is asked for, or none, and
    yet be followed by another; one query more.

    :raises BadCursor: if the cursor is none of a list in this order.
    """
    order = in_order(order, orders, asked.order)
    signer = Signer(salt=f"courtpiece.parts.{rows.model.__name__}.{'.'.join(order)}")
    place = _place(signer, asked.cursor)
    backwards = place is not None and place.backwards
    direction = [_reversed(name) for name in order] if backwards else list(order)
    last: Sequence[Any] | None = None
    if until is not None and not backwards:
        through = until.through
        if place is not None:
            through = through.filter(_lead(direction[0], place.keys[0]), _beyond(direction, place.keys))
        names = [name.lstrip("-") for name in order]
        ends_at = through.order_by(*direction).values_list(*names)[until.count - 1 : until.count]
        for last in ends_at:
            ends = dict(zip(names, last, strict=True))
            before = _beyond([_reversed(name) for name in direction], list(ends.values()))
            rows = rows.filter(_lead(_reversed(order[0]), ends[order[0].lstrip("-")]), before | Q(**ends))
    if place is not None:
        rows = rows.filter(_lead(direction[0], place.keys[0]), _beyond(direction, place.keys))
    found = list(rows.order_by(*direction)[: asked.limit + 1])
    has_more, found = len(found) > asked.limit, found[: asked.limit]
    if backwards:
        found.reverse()
    following = _keys(order, found[-1:]) if has_more or backwards else last
    return PartOf(
        items=tuple(lines(found)),
        next=_cursor(signer, following, backwards=False),
        previous=_cursor(signer, _keys(order, found[:1]), backwards=True)
        if (has_more if backwards else place is not None)
        else None,
    )


def read_on(rows: QuerySet[M], order: Sequence[str], *, size: int) -> Iterator[list[M]]:
    """Yield all the rows, ``size`` of them at a time. One query each time; no more of them are in memory.

    ``order`` is as :func:`read_part` has it. What is added meanwhile is there or not; no row comes twice.
    """
    found = list(rows.order_by(*order)[:size])
    while found:
        yield found
        if len(found) < size:
            return
        keys = [_key(found[-1], name.lstrip("-")) for name in order]
        after = rows.filter(_lead(order[0], keys[0]), _beyond(order, keys))
        found = list(after.order_by(*order)[:size])


def in_order(order: Sequence[str], orders: Mapping[str, Sequence[str]], asked: str) -> Sequence[str]:
    """Return the order that is asked for by its name, ``-`` before it for the other way round; else ``order``."""
    if not asked:
        return order
    chosen = orders[asked.removeprefix("-")]
    return [_reversed(name) for name in chosen] if asked.startswith("-") else chosen


def _reversed(name: str) -> str:
    return name[1:] if name.startswith("-") else f"-{name}"


def _beyond(order: Sequence[str], keys: Sequence[Any]) -> Q:
    """Return the condition that a row comes after the keys."""
    beyond = Q()
    for place, name in enumerate(order):
        equal = {name_.lstrip("-"): key for name_, key in zip(order[:place], keys, strict=False)}
        after = f"{name[1:]}__lt" if name.startswith("-") else f"{name}__gt"
        beyond |= Q(**equal, **{after: keys[place]})
    return beyond


def _lead(name: str, key: Any) -> Q:
    """Return that a row does not come before the key by the first column: all that an index needs to begin there."""
    return Q(**{f"{name[1:]}__lte" if name.startswith("-") else f"{name}__gte": key})


def _keys(order: Sequence[str], row: Sequence[M]) -> Sequence[Any] | None:
    return [_key(row[0], name.lstrip("-")) for name in order] if row else None


def _cursor(signer: Signer, keys: Sequence[Any] | None, *, backwards: bool) -> str | None:
    return None if keys is None else signer.sign_object([backwards, *keys])


def _key(row: Model, name: str) -> Any:
    value: Any = row
    for step in name.split(LOOKUP_SEP):
        value = getattr(value, step)
    return value


def _place(signer: Signer, cursor: str) -> _Place | None:
    if not cursor:
        return None
    try:
        backwards, *keys = signer.unsign_object(cursor)
    except (BadSignature, ValueError) as error:
        raise BadCursor from error
    return _Place(keys, backwards)
