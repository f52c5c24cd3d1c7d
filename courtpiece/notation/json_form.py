"""The JSON form of a record: the same data as its PCN text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from courtpiece.engine.deal import Tricks
from courtpiece.engine.faults import Code
from courtpiece.engine.play import FACE_DOWN, REVEAL, Claim, join_code
from courtpiece.engine.seats import SEAT_OF_LETTER
from courtpiece.errors import CourtPieceError
from courtpiece.notation.building import REQUIRED_TAGS, build_record
from courtpiece.notation.checker import JsonObject, JsonValue
from courtpiece.notation.record import Comment, Record
from courtpiece.notation.tokens import comment_text, is_tag_name
from courtpiece.notation.values import BadValueError, TagValue, card_index, read_value

_MOST_TRICKS: Final = 1000
_MOST_PLAYS: Final = 1000


class JsonFault(NamedTuple):
    """Something wrong with a record in JSON: the code, the place as a JSON pointer, what was expected and found."""

    code: Code
    pointer: str
    message: str


class JsonRecordError(CourtPieceError):
    """The object is no record. ``faults`` has at least one."""

    def __init__(self, faults: Sequence[JsonFault]) -> None:
        super().__init__("; ".join(f"{fault.pointer}: {fault.message}" for fault in faults))
        self.faults = tuple(faults)


def record_to_json(record: Record, finding: JsonObject | None = None) -> JsonObject:
    """Return the record as JSON; ``finding``, if given, is the checker's line about it."""
    claim = record.claim
    keys: JsonObject = {
        "tags": dict(record.tags),
        "tricks": _tricks_to_json(record),
        "claim": {"seat": claim.seat.letter, "trick": claim.trick} if claim is not None else None,
        "comments": [dict(comment._asdict()) for comment in record.comments],
    }
    if finding is not None:
        keys["finding"] = finding
    return keys


def _tricks_to_json(record: Record) -> JsonValue:
    if record.tricks is None:
        return None
    return [
        [
            {
                "cards": [str(card) for card in play.cards],
                "reveal": play.reveal,
                "face_down": play.face_down,
            }
            for play in plays
        ]
        for plays in record.tricks
    ]


def record_from_json(data: JsonValue) -> Record:
    """Return the record that ``record_to_json`` wrote; values may be in any form that import forgives.

    The keys other than ``tags``, ``tricks``, ``claim`` and ``comments`` are not read.

    :raises JsonRecordError: if the object is no record, or a value is not as the notation's table says.
    """
    if not isinstance(data, dict):
        raise _error("", f"expected an object; found {_kind(data)}")
    values = _read_tags(data.get("tags"))
    tricks = _read_tricks(data.get("tricks"))
    claim = _read_claim(data.get("claim"))
    comments = tuple(_read_comments(data.get("comments")))
    if tricks is None and (claim is not None or comments):
        raise _error("/tricks", "expected the tricks that the claim or the comments are about; found none")
    return build_record(values, tricks=tricks, claim=claim, comments=comments)


def _read_tags(data: JsonValue) -> list[TagValue]:
    if not isinstance(data, dict):
        raise _error("/tags", f"expected an object of names and values; found {_kind(data)}")
    faults: list[JsonFault] = []
    values: list[TagValue] = []
    for name, text in data.items():
        pointer = f"/tags/{name.replace('~', '~0').replace('/', '~1')}"
        problem = _fault_of_tag(name, text)
        if problem or not isinstance(text, str):
            faults.append(JsonFault(Code.BAD_SYNTAX, pointer, problem))
            continue
        try:
            values.append(read_value(name, text))
        except BadValueError as error:
            faults.append(JsonFault(error.code, pointer, str(error)))
    faults += [
        JsonFault(Code.MISSING_TAG, "/tags", f"expected the tag {name} in the record")
        for name in REQUIRED_TAGS
        if name not in data
    ]
    if faults:
        raise JsonRecordError(faults)
    return values


def _fault_of_tag(name: str, text: JsonValue) -> str:
    if not isinstance(text, str):
        return f"expected a text; found {_kind(text)}"
    if not is_tag_name(name):
        return f"expected a name of ASCII letters and digits that begins with a letter; found {name!r}"
    if any(character in "\0\r\n" or "\ud800" <= character <= "\udfff" for character in text):
        return "expected text on one line, without NUL and lone surrogates"
    return ""


def _read_tricks(data: JsonValue) -> Tricks | None:
    if data is None:
        return None
    if not isinstance(data, list) or len(data) > _MOST_TRICKS:
        raise _error("/tricks", f"expected a list of tricks, or null; found {_kind(data)}")
    tricks = []
    for number, plays in enumerate(data):
        if not isinstance(plays, list) or not 0 < len(plays) <= _MOST_PLAYS:
            raise _error(f"/tricks/{number}", "expected a list of plays, four in a trick")
        codes = [_read_play(play, f"/tricks/{number}/{place}") for place, play in enumerate(plays)]
        tricks.append(tuple(codes))
    return tuple(tricks)


def _read_play(data: JsonValue, pointer: str) -> int:
    cards = data.get("cards") if isinstance(data, dict) else None
    if not isinstance(data, dict) or not isinstance(cards, list) or not 0 < len(cards) <= _MOST_PLAYS:
        raise _error(
            pointer, 'expected a play such as {"cards": ["D2"], "reveal": false, "face_down": false}'
        )
    indexes = [card_index(card) if isinstance(card, str) else None for card in cards]
    known = [index for index in indexes if index is not None]
    if len(known) < len(indexes):
        place = indexes.index(None)
        raise _error(f"{pointer}/cards/{place}", f"expected a card, suit then rank; found {cards[place]!r}")
    reveal, face_down = _flag(data, "reveal", pointer), _flag(data, "face_down", pointer)
    if reveal and face_down:
        raise _error(pointer, "expected one sign at most: reveal or face_down")
    return join_code(known, REVEAL if reveal else FACE_DOWN if face_down else 0)


def _flag(data: Mapping[str, JsonValue], name: str, pointer: str) -> bool:
    value = data.get(name, False)
    if not isinstance(value, bool):
        raise _error(f"{pointer}/{name}", f"expected true or false; found {_kind(value)}")
    return value


def _read_claim(data: JsonValue) -> Claim | None:
    if data is None:
        return None
    seat = data.get("seat") if isinstance(data, dict) else None
    trick = data.get("trick") if isinstance(data, dict) else None
    if not isinstance(seat, str) or seat not in SEAT_OF_LETTER or not _is_number(trick, low=1, optional=True):
        raise _error("/claim", 'expected a claim such as {"seat": "W", "trick": 4}, or null')
    return Claim(SEAT_OF_LETTER[seat], trick if isinstance(trick, int) else None)


def _read_comments(data: JsonValue) -> Iterator[Comment]:
    if data is None:
        return
    if not isinstance(data, list):
        raise _error("/comments", f"expected a list of comments; found {_kind(data)}")
    for number, comment in enumerate(data):
        found = comment if isinstance(comment, dict) else {}
        trick, play, text = found.get("trick"), found.get("play"), found.get("text")
        if not (isinstance(trick, int) and isinstance(play, int) and isinstance(text, str)):
            raise _error(
                f"/comments/{number}", 'expected a comment such as {"trick": 1, "play": 2, "text": "slow"}'
            )
        if (
            not (_is_number(trick, low=0) and _is_number(play, low=0))
            or "}" in text
            or _fault_of_tag("X", text)
        ):
            raise _error(f"/comments/{number}", "expected numbers from 0, and text on one line without }")
        yield Comment(trick, play, comment_text(text))


def _is_number(value: JsonValue, *, low: int, optional: bool = False) -> bool:
    if value is None:
        return optional
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= 99


def _kind(value: JsonValue) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "nothing"}
    return names.get(type(value), "a number")


def _error(pointer: str, message: str) -> JsonRecordError:
    return JsonRecordError([JsonFault(Code.BAD_SYNTAX, pointer, message)])
