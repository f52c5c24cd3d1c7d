"""Values to JSON and back by their types, strictly, and the JSON Schema of a type.

One description does for all three: dataclasses and typed dictionaries of plain values, with what an ``Annotated`` says
beside a type. What is read has every key that its type has and no other, no number that is not whole, and no character
that a database cannot keep; whatever else is a :class:`ValueFault` that names the place.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import cache
from hashlib import sha256
from types import NoneType, UnionType
from typing import Final, Literal, TypeAlias, TypeVar, Union, cast, get_args, get_origin, get_type_hints
from typing import is_typeddict as is_typed_dict
from uuid import UUID

from courtpiece.errors import CourtPieceError

JsonValue: TypeAlias = "str | int | bool | list[JsonValue] | dict[str, JsonValue] | None"
JsonObject: TypeAlias = dict[str, JsonValue]
T = TypeVar("T")
Reader: TypeAlias = Callable[[JsonValue], object]


class ValueFault(CourtPieceError):  # noqa: N818 - it is caught in sentences that read better so
    """A value is not what its place asks for.

    ``place`` is where it stands, ``deals[2].number``, empty for the value itself; ``expected`` is in the words of JSON
    Schema, ``found`` the beginning of what stands there.
    """

    def __init__(self, expected: str, *, found: str, place: str = "") -> None:
        super().__init__(f"{place or 'here'}: expected {expected}; found {found}")
        self.expected = expected
        self.found = found
        self.place = place

    def within(self, place: str) -> "ValueFault":
        """Return the same, seen from outside the member or item ``place``."""
        joint = "." if self.place and not self.place.startswith("[") else ""
        return ValueFault(self.expected, found=self.found, place=f"{place}{joint}{self.place}")


LONGEST_QUOTE: Final = 60


def quoted(value: object) -> str:
    """Return the beginning of a value as JSON, to be shown."""
    text = json.dumps(value, ensure_ascii=True, default=str)
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"


# -- what stands beside a type


@dataclass(frozen=True, slots=True)
class Between:
    """A number from ``least`` to ``most``."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Longest:
    """A text of at most so many characters."""

    most: int
    least: int = 0


@dataclass(frozen=True, slots=True)
class Matching:
    """A text that is written so as a whole: a regular expression that Python and JSON Schema both read."""

    pattern: str


@dataclass(frozen=True, slots=True)
class Filled:
    """A list of at least one."""


@dataclass(frozen=True, slots=True)
class Says:
    """What a schema says of it."""

    text: str


# -- canonical JSON


def canonical(value: object) -> str:
    """Return the one text of a JSON value: keys sorted, no blanks, characters as they are."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def digest(value: object) -> str:
    """Return the SHA-256 of the canonical text in UTF-8, in hexadecimal."""
    return sha256(canonical(value).encode()).hexdigest()


def parse(text: str) -> JsonValue:
    """Return the value of a JSON text.

    :raises ValueFault: if it is none, or has a number that is not whole.
    """
    try:
        return cast(JsonValue, json.loads(text, parse_float=_no_fraction, parse_constant=_no_fraction))
    except (ValueError, RecursionError) as error:
        raise ValueFault("JSON", found=quoted(text)) from error


def _no_fraction(text: str) -> None:
    raise ValueError(f"{text} is no whole number")


# -- writing


def to_json(value: object) -> JsonValue:
    """Return a value of a described type as JSON."""
    if isinstance(value, datetime):
        return moment_text(value)
    if isinstance(value, Enum):
        return to_json(value.value)
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, tuple | list):
        return [to_json(one) for one in value]
    if isinstance(value, Mapping):
        return {str(name): to_json(one) for name, one in value.items()}
    if is_dataclass(value):
        return {name: to_json(getattr(value, name)) for name in _names_of(cast(type, type(value)))}
    return cast(JsonValue, value)


@cache
def _names_of(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def moment_text(moment: datetime) -> str:
    """Return an instant in UTC, exactly: ``2026-11-29T18:04:05Z``, or with six digits of a second."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


# -- reading


def from_json(kind: type[T], value: JsonValue) -> T:
    """Return the value of that type.

    :raises ValueFault: if it is not one.
    """
    return cast(T, _reader(cast(object, kind))(value))


@cache
def _reader(kind: object) -> Reader:
    """Return what reads values of a type."""
    origin = get_origin(kind)
    if origin is not None:
        return _reader_of_parts(origin, kind)
    if isinstance(kind, type) and is_dataclass(kind):
        return _object_reader(kind, _hints_of(kind, with_notes=True))
    if is_typed_dict(kind):
        return _object_reader(cast(type, kind), _hints_of(kind, with_notes=False))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _enum_reader(kind)
    return _PLAIN[cast(type, kind)]


def _reader_of_parts(origin: object, kind: object) -> Reader:
    """Return what reads values of a type that is made of others."""
    parts = get_args(kind)
    if hasattr(kind, "__metadata__"):
        return _checked_reader(parts[0], parts[1:])
    if origin in (Union, UnionType):
        return _union_reader(parts)
    if origin is Literal:
        return _choice_reader({cast(str, word): word for word in parts})
    if origin is dict:
        return _free_object
    if origin is list:
        return _list_reader(parts[0], list)
    if parts[-1] is Ellipsis:
        return _list_reader(parts[0], tuple)
    return _fixed_reader(parts)


def _object_reader(kind: type, hints: Mapping[str, object]) -> Reader:
    readers = {name: _reader(hint) for name, hint in hints.items()}
    needed = frozenset(hints) - _optional_names(kind)

    def read(value: JsonValue) -> object:
        if not isinstance(value, dict):
            raise ValueFault("object", found=quoted(value))
        for name in sorted(value.keys() - readers.keys()):
            raise ValueFault("no such key", found=quoted(value[name]), place=name)
        for name in sorted(needed - value.keys()):
            raise ValueFault("a value", found="nothing", place=name)
        return kind(**{name: _inside(readers[name], name, one) for name, one in value.items()})

    return read


def _hints_of(kind: object, *, with_notes: bool) -> dict[str, object]:
    """Return the types of the parts. A value of any form refers to itself, which nobody asks of it here."""
    found = get_type_hints(kind, localns={"JsonValue": object}, include_extras=with_notes)
    return cast(dict[str, object], found)


def _optional_names(kind: object) -> frozenset[str]:
    return cast(frozenset[str], getattr(kind, "__optional_keys__", frozenset()))


def _inside(read: Reader, place: str, value: JsonValue) -> object:
    try:
        return read(value)
    except ValueFault as fault:
        raise fault.within(place) from fault


def _list_reader(part: object, make: Callable[[Iterator[object]], object]) -> Reader:
    read_one = _reader(part)

    def read(value: JsonValue) -> object:
        if not isinstance(value, list):
            raise ValueFault("array", found=quoted(value))
        return make(_inside(read_one, f"[{place}]", one) for place, one in enumerate(value))

    return read


def _fixed_reader(parts: tuple[object, ...]) -> Reader:
    readers = [_reader(part) for part in parts]

    def read(value: JsonValue) -> object:
        if not isinstance(value, list) or len(value) != len(readers):
            raise ValueFault(f"array of {len(readers)}", found=quoted(value))
        pairs = enumerate(zip(readers, value, strict=True))
        return tuple(_inside(read_one, f"[{place}]", one) for place, (read_one, one) in pairs)

    return read


def _union_reader(parts: tuple[object, ...]) -> Reader:
    others = [_reader(part) for part in parts if part is not NoneType]
    takes_nothing = NoneType in parts

    def read(value: JsonValue) -> object:
        if value is None and takes_nothing:
            return None
        for one in others[:-1]:
            try:
                return one(value)
            except ValueFault:
                continue
        return others[-1](value)

    return read


def _enum_reader(kind: type[Enum]) -> Reader:
    return _choice_reader({str(member.value): member for member in kind})


def _choice_reader(choices: Mapping[str, object]) -> Reader:
    expected = f"one of {', '.join(map(quoted, choices))}"

    def read(value: JsonValue) -> object:
        if not isinstance(value, str) or value not in choices:
            raise ValueFault(expected, found=quoted(value))
        return choices[value]

    return read


def _checked_reader(part: object, notes: tuple[object, ...]) -> Reader:
    read_plain = _reader(part)
    checks = [check for note in notes if (check := _check_of(note)) is not None]

    def read(value: JsonValue) -> object:
        found = read_plain(value)
        for is_right, expected in checks:
            if not is_right(found):
                raise ValueFault(expected, found=quoted(value))
        return found

    return read


def _check_of(note: object) -> tuple[Callable[[object], bool], str] | None:
    if isinstance(note, Between):
        least, most = note.least, note.most
        return (lambda found: least <= cast(int, found) <= most), f"integer from {least} to {most}"
    if isinstance(note, Longest):
        shortest, longest = note.least, note.most
        expected = f"string of {shortest} to {longest} characters"
        return (lambda found: shortest <= len(cast(str, found)) <= longest), expected
    if isinstance(note, Matching):
        pattern = re.compile(note.pattern)
        return (lambda found: pattern.fullmatch(cast(str, found)) is not None), f"string like {note.pattern}"
    if isinstance(note, Filled):
        return bool, "array of at least one"
    return None


_UNKEEPABLE: Final = re.compile("[\x00\ud800-\udfff]")


def _text(value: JsonValue) -> str:
    if not isinstance(value, str):
        raise ValueFault("string", found=quoted(value))
    if _UNKEEPABLE.search(value):
        raise ValueFault("string of characters", found=quoted(value))
    return value


def _whole(value: JsonValue) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueFault("integer", found=quoted(value))
    return value


def _yes_or_no(value: JsonValue) -> bool:
    if not isinstance(value, bool):
        raise ValueFault("boolean", found=quoted(value))
    return value


def _moment(value: JsonValue) -> datetime:
    text = _text(value)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise ValueFault("date-time", found=quoted(value)) from error
    if moment.tzinfo is None or moment_text(moment) != text:
        raise ValueFault("date-time in UTC", found=quoted(value))
    return moment


def _uid(value: JsonValue) -> UUID:
    text = _text(value)
    try:
        found = UUID(text)
    except ValueError as error:
        raise ValueFault("uuid", found=quoted(value)) from error
    if str(found) != text:
        raise ValueFault("uuid", found=quoted(value))
    return found


def _nothing(value: JsonValue) -> None:
    if value is not None:
        raise ValueFault("null", found=quoted(value))


MOST_WHOLE: Final = 2**63 - 1


def _free(value: JsonValue) -> JsonValue:
    """Return a value of any form, whose texts and numbers can be kept."""
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return [cast(JsonValue, _inside(_free, f"[{place}]", one)) for place, one in enumerate(value)]
    if isinstance(value, dict):
        return _free_object(value)
    if isinstance(value, int) and abs(value) > MOST_WHOLE:
        raise ValueFault("integer that can be kept", found=quoted(value))
    return value


def _free_object(value: JsonValue) -> JsonObject:
    if not isinstance(value, dict):
        raise ValueFault("object", found=quoted(value))
    return {_text(name): cast(JsonValue, _inside(_free, name, one)) for name, one in value.items()}


_PLAIN: Final[Mapping[type, Reader]] = {
    str: _text,
    int: _whole,
    bool: _yes_or_no,
    datetime: _moment,
    UUID: _uid,
    NoneType: _nothing,
}


# -- the schema


def schema_of(kind: type, *, title: str, name: str) -> JsonObject:
    """Return the JSON Schema of a type; ``name`` is its ``$id``."""
    parts: JsonObject = {}
    whole = cast(JsonObject, _schema_of_object(kind, parts))
    head: JsonObject = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": name,
        "title": title,
    }
    return {**head, **whole, "$defs": {part: parts[part] for part in sorted(parts)}}


def _schema(kind: object, parts: JsonObject) -> JsonObject:
    origin, of = get_origin(kind), get_args(kind)
    if hasattr(kind, "__metadata__"):
        return _schema_of_checked(of[0], of[1:], parts)
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(part, parts) for part in of]}
    if origin is Literal:
        return {"enum": list(of)}
    if origin is dict:
        return {"type": "object"}
    if origin in (list, tuple):
        return _schema_of_array(of, parts)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [str(member.value) for member in kind]}
    if (isinstance(kind, type) and is_dataclass(kind)) or is_typed_dict(kind):
        return _reference(cast(type, kind), parts)
    return dict(_PLAIN_SCHEMAS[cast(type, kind)])


def _reference(kind: type, parts: JsonObject) -> JsonObject:
    if kind.__name__ not in parts:
        parts[kind.__name__] = None
        parts[kind.__name__] = _schema_of_object(kind, parts)
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _schema_of_object(kind: type, parts: JsonObject) -> JsonValue:
    hints = _hints_of(kind, with_notes=is_dataclass(kind))
    needed = [name for name in hints if name not in _optional_names(kind)]
    return {
        "description": " ".join((kind.__doc__ or "").split()),
        "type": "object",
        "required": cast(JsonValue, needed),
        "additionalProperties": False,
        "properties": {name: _schema(hint, parts) for name, hint in hints.items()},
    }


def _schema_of_array(of: tuple[object, ...], parts: JsonObject) -> JsonObject:
    if len(of) == 1 or of[-1] is Ellipsis:
        return {"type": "array", "items": _schema(of[0], parts)}
    items: JsonValue = [_schema(part, parts) for part in of]
    return {"type": "array", "prefixItems": items, "minItems": len(of), "maxItems": len(of)}


def _schema_of_checked(part: object, notes: tuple[object, ...], parts: JsonObject) -> JsonObject:
    found = _schema(part, parts)
    for note in notes:
        if isinstance(note, Between):
            found |= {"minimum": note.least, "maximum": note.most}
        elif isinstance(note, Longest):
            found |= {"minLength": note.least, "maxLength": note.most}
        elif isinstance(note, Matching):
            found |= {"pattern": f"^(?:{note.pattern})$"}
        elif isinstance(note, Filled):
            found |= {"minItems": 1}
        elif isinstance(note, Says):
            found |= {"description": note.text}
    return found


_PLAIN_SCHEMAS: Final[Mapping[type, JsonObject]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    bool: {"type": "boolean"},
    datetime: {"type": "string", "format": "date-time"},
    UUID: {"type": "string", "format": "uuid"},
    NoneType: {"type": "null"},
}
