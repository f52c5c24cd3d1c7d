"""Lists that are read part by part: each part begins where another ended, whatever was added meanwhile.

A cursor is signed, so that what comes back is what was given out. It says nothing of the time, so that the
same part of an unchanged list is the same answer.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
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


def read_part(
    rows: QuerySet[M], order: Sequence[str], lines: Callable[[Sequence[M]], Sequence[T]], *, asked: Asked
) -> PartOf[T]:
    """Return a part of the rows. One query, and those of ``lines``, which makes lines of the part's rows.

    ``order`` names columns without nulls, ``-`` before those from high to low, together unique.

    :raises BadCursor: if the cursor is none of a list in this order.
    """
    signer = Signer(salt=f"courtpiece.parts.{rows.model.__name__}.{'.'.join(order)}")
    place = _place(signer, asked.cursor)
    backwards = place is not None and place.backwards
    direction = [_reversed(name) for name in order] if backwards else list(order)
    if place is not None:
        rows = rows.filter(_beyond(direction, place.keys))
    found = list(rows.order_by(*direction)[: asked.limit + 1])
    has_more, found = len(found) > asked.limit, found[: asked.limit]
    if backwards:
        found.reverse()
    return PartOf(
        items=tuple(lines(found)),
        next=_cursor(signer, order, found[-1:], backwards=False) if has_more or backwards else None,
        previous=_cursor(signer, order, found[:1], backwards=True)
        if (has_more if backwards else place is not None)
        else None,
    )


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


def _cursor(signer: Signer, order: Sequence[str], row: Sequence[M], *, backwards: bool) -> str | None:
    if not row:
        return None
    return signer.sign_object([backwards, *(_key(row[0], name.lstrip("-")) for name in order)])


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
