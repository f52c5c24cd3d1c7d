"""Answers of which only some fields are wanted: ``?fields=id,partnership.name``."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

FIELDS: Final = "fields"
MOST_CHARACTERS: Final = 1000

Wanted: TypeAlias = dict[str, "Wanted"]
"""The names that are wanted, each with those wanted in it; none of them: all that is in it."""


def read_fields(text: str) -> Wanted:
    """Return what a parameter asks for.

    :raises ValidationError: if it is too long, or a name in it is empty.
    """
    wanted: Wanted = {}
    for path in text.split(",")[: MOST_CHARACTERS + 1]:
        inner = wanted
        for name in path.strip().split("."):
            if not name or len(text) > MOST_CHARACTERS:
                raise _refused(_("Write names with commas between them: id,partnership.name."))
            inner = inner.setdefault(name, {})
    return wanted


def only(value: Any, wanted: Wanted, *, path: str = "") -> Any:
    """Return the value with the wanted fields only, in their order; each item's of a list.

    :raises ValidationError: if it has no field of a name.
    """
    if not wanted or value is None:
        return value
    if isinstance(value, Mapping):
        _check_known(value, wanted, path)
        return {
            name: only(held, wanted[name], path=f"{path}{name}.")
            for name, held in value.items()
            if name in wanted
        }
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [only(item, wanted, path=path) for item in value]
    raise _refused(_("There is nothing in “%(field)s”.") % {"field": path.rstrip(".")})


def _check_known(value: Mapping[str, Any], wanted: Wanted, path: str) -> None:
    unknown = [name for name in wanted if name not in value]
    if unknown:
        facts = {"field": f"{path}{unknown[0]}", "known": ", ".join(map(str, value))}
        raise _refused(_("There is no field “%(field)s” here. There are: %(known)s.") % facts)


def _refused(message: str) -> ValidationError:
    return ValidationError({FIELDS: [message]})
