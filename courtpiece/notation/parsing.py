"""The careful road from lines to a record: every form that import forgives, and the place of everything."""

from __future__ import annotations

import re
from enum import Enum
from io import BytesIO
from typing import Final

from courtpiece.engine.deal import Tricks
from courtpiece.engine.faults import Code, Part, Where
from courtpiece.engine.play import Claim
from courtpiece.notation.building import REQUIRED_TAGS, build_record
from courtpiece.notation.lines import MOST_BYTES, Line, LineSource
from courtpiece.notation.problems import Problem
from courtpiece.notation.record import Comment, Record
from courtpiece.notation.tokens import END, begins_play, comment_text, read_claim, read_number, read_play
from courtpiece.notation.values import BadValueError, TagValue, read_value

Place = tuple[int, int]
"""A line and a column, both from 1."""

_BLANKS: Final = " \t"
_TAG: Final = re.compile(r'\[[ \t]*([A-Za-z][A-Za-z0-9]*)[ \t]+"((?:[^"\\]|\\["\\])*)"[ \t]*\]')
_TAG_LIKE: Final = re.compile(rb'[ \t]*\[[ \t]*[A-Za-z][A-Za-z0-9]*[ \t]+"')
_ESCAPE: Final = re.compile(r'\\(["\\])')
_TOKEN: Final = re.compile(r"[0-9]{1,4}\.|[^ \t{]+|\{")
"""A trick number ends at its dot, blank or not; every other token ends at a blank or a comment."""
_VERSION: Final = re.compile(r"%[ \t]*PCN[ \t]+([^ \t]+)")
_OUR_VERSION: Final = "1"


class _State(Enum):
    START = "nothing of the record was read"
    TAGS = "among its tags"
    GAP = "after a blank line below its tags"
    BODY = "in its play section"
    ENDED = "after the end of its play section"
    LOST = "after a comment that was never closed"


class ParsedRecord:
    """A record as its lines are read: what it says, where each part stands, and what is wrong with it."""

    def __init__(self, line: int) -> None:
        self.line = line
        """The record's first line, from 1."""
        self.values: list[TagValue] = []
        self.problems: list[Problem] = []
        self.ends_file = False
        """Whether the rest of the file must not be read: it is of another version."""
        self.record: Record | None = None
        self.text = ""
        self._tag_places: dict[str, Place] = {}
        self._tricks: list[list[int]] = []
        self._trick_places: list[Place] = []
        self._play_places: list[list[Place]] = []
        self._surplus = False
        """Whether the trick being read was begun by a fifth card, without a number, and has less than four cards."""
        self._misnumbered: int | None = None
        self._claim: Claim | None = None
        self._end_place: Place | None = None
        self._body_place: Place | None = None
        self._comments: list[Comment] = []
        self._tags_broken = False
        """Whether a line that should have been a tag was none: it may have been one that is needed."""
        self._broken = False
        self._has_play = False

    # -- tags -----------------------------------------------------------------------------------------

    def add_tag(self, text: str, line: int, indent: int) -> None:
        """Read a line that begins with ``[``."""
        match = _TAG.fullmatch(text)
        if match is None:
            self.break_tags(
                line, 1 + indent, f'expected a tag, [Name "value"], alone on its line; found {_short(text)}'
            )
            return
        name, column = match[1], 1 + indent + match.start(2)
        if name in self._tag_places:
            self.fault(Code.DUPLICATE_TAG, line, column, f"the tag {name} stands twice in the record")
            return
        self._tag_places[name] = (line, column)
        try:
            self.values.append(read_value(name, _ESCAPE.sub(r"\1", match[2])))
        except BadValueError as error:
            self.fault(error.code, line, column, f"{name}: {error}")

    # -- play section -----------------------------------------------------------------------------------

    def add_token(self, token: str, line: int, column: int) -> None:
        """Read one token of the play section, comments apart."""
        self._body_place = self._body_place or (line, column)
        if self._broken:
            return
        if self._end_place is not None:
            self._break(
                line, column, f"expected nothing after the end of the play section; found {_short(token)}"
            )
            return
        code = read_play(token)
        if code is not None:
            self._add_play(code, (line, column))
            return
        number = read_number(token)
        claim = read_claim(token)
        if number is not None:
            self._add_number(number, (line, column))
        elif token == END or claim is not None:
            self._claim, self._end_place, self._has_play = claim, (line, column), True
        else:
            self._break(
                line,
                column,
                f"expected a card, a trick number, a comment, * or a claim; found {_short(token)}",
            )

    def _add_number(self, number: int, place: Place) -> None:
        self._give_back_surplus(number)
        if self._tricks and not self._tricks[-1]:
            self._misnumbered = len(self._tricks) - 1 if self._misnumbered is None else self._misnumbered
            return
        if self._misnumbered is None and number != len(self._tricks) + 1:
            self._misnumbered = len(self._tricks)
        self._surplus = False
        self._open_trick(place)

    def _give_back_surplus(self, number: int) -> None:
        """Give cards that seemed to begin a trick without a number to the trick before: the number is theirs.

        ``1. ST S9 SQ SJ C3 2. …``: the first trick has five cards, and the second is the one numbered so.
        """
        if not self._surplus or number != len(self._tricks):
            return
        plays, places = self._tricks.pop(), self._play_places.pop()
        self._trick_places.pop()
        self._comments = [
            Comment(number - 1, comment.play + len(self._tricks[-1]), comment.text)
            if comment.trick == number
            else comment
            for comment in self._comments
        ]
        self._tricks[-1] += plays
        self._play_places[-1] += places

    def _add_play(self, code: int, place: Place) -> None:
        if not self._tricks or len(self._tricks[-1]) >= 4:
            self._surplus = bool(self._tricks)
            self._open_trick(place)
        elif len(self._tricks[-1]) == 3:
            self._surplus = False
        self._tricks[-1].append(code)
        self._play_places[-1].append(place)
        self._has_play = True

    def _open_trick(self, place: Place) -> None:
        self._tricks.append([])
        self._trick_places.append(place)
        self._play_places.append([])

    def add_comment(self, text: str, line: int, column: int) -> None:
        """Keep a comment with the token it follows."""
        self._body_place = self._body_place or (line, column)
        if self._end_place is not None:
            where = len(self._tricks) + 1, 0
        elif not any(self._tricks):
            where = 0, 0
        else:
            where = len(self._tricks), len(self._tricks[-1])
        self._comments.append(Comment(*where, comment_text(text)))

    def break_comment(self, line: int, column: int) -> None:
        """Note that a comment was never closed."""
        self._break(line, column, "expected } somewhere after this {; the comment never ends")

    def break_tags(self, line: int, column: int, message: str) -> None:
        """Note that a line among the tags is none."""
        self._tags_broken = True
        self.fault(Code.BAD_SYNTAX, line, column, message)

    def _break(self, line: int, column: int, message: str) -> None:
        if not self._broken:
            self._broken = True
            self.fault(Code.BAD_SYNTAX, line, column, message)

    @property
    def has_ended(self) -> bool:
        """Whether the end of the play section was read."""
        return self._end_place is not None

    # -- the whole --------------------------------------------------------------------------------------

    def fault(self, code: Code, line: int, column: int, message: str) -> None:
        """Note a problem."""
        self.problems.append(Problem(code, line, column, message))

    def finish(self) -> None:
        """Judge the record whole, and build it if it could be read."""
        for code in (Code.RECORD_TOO_LONG, Code.BAD_ENCODING):
            first = next((problem for problem in self.problems if problem.code is code), None)
            if first is not None:
                self.problems = [first]
                return
        if self._body_place is not None and not self._has_play and not self._broken:
            self._break(*self._body_place, "expected a card, or * for a play section without one")
        if not self._tags_broken and (self._tag_places or not self.problems):
            for name in REQUIRED_TAGS:
                if name not in self._tag_places:
                    self.fault(Code.MISSING_TAG, self.line, 1, f"expected the tag {name} in the record")
        if self.problems:
            self.problems.sort(key=lambda problem: (problem.line, problem.column))
            return
        if self._tricks and not self._tricks[-1]:
            self._tricks.pop()
        self.record = build_record(
            self.values,
            tricks=self._read_tricks(),
            claim=self._claim,
            comments=tuple(self._comments),
            misnumbered=self._misnumbered,
        )

    def _read_tricks(self) -> Tricks | None:
        return tuple(tuple(plays) for plays in self._tricks) if self._has_play else None

    def place(self, where: Where) -> Place:
        """Return where a part of the record stands; its first line where the part itself was not written."""
        if where.part is Part.TAG:
            return self.place_of_tag(where.tag)
        if where.part is Part.TRICK:
            return self._trick_places[where.trick]
        if where.part is Part.PLAY:
            return self._play_places[where.trick][where.play]
        if where.part is Part.CLAIM and self._end_place is not None:
            return self._end_place
        return self.line, 1

    def place_of_tag(self, name: str) -> Place:
        """Return where the value of a tag stands; the record's first line where it has no such tag."""
        return self._tag_places.get(name, (self.line, 1))


def _short(text: str) -> str:
    return repr(text if len(text) <= 30 else f"{text[:29]}…")


def parse_text(text: str, *, first_line: int) -> ParsedRecord:
    """Return the one record of a text that stood at ``first_line``."""
    source = LineSource(BytesIO(text.encode("utf-8", "surrogateescape")))
    source.number = first_line
    parsed = parse_next(source)
    assert parsed is not None
    return parsed


def parse_next(source: LineSource) -> ParsedRecord | None:
    """Return the next record of the source, or None at its end."""
    return _RecordParser(source).parse()


class _RecordParser:
    """Takes the lines of one record from the source: where it begins and ends is decided here."""

    def __init__(self, source: LineSource) -> None:
        self._source = source
        self._state = _State.START
        self._parsed = ParsedRecord(source.number)
        self._kept: list[Line] = []
        self._size = 0
        self._waiting = 0
        """Bytes of lines after the last one that is certainly the record's."""
        self._comment: list[str] | None = None
        """The comment being read, line by line."""
        self._comment_place: Place = (0, 0)
        self._comment_lines: list[Line] = []
        self._tag_in_comment = False

    def parse(self) -> ParsedRecord | None:
        while (line := self._next_line()) is not None:
            if not self._take(line):
                break
            if self._parsed.ends_file:
                self._parsed.text = line.content.decode("utf-8", "replace")
                return self._parsed
        return None if self._state is _State.START else self._finish()

    def _next_line(self) -> Line | None:
        line = self._source.next_line()
        if line is None and self._comment is not None:
            self._source.note_open_comment(self._comment_place[0], ends_file=True)
            self._lose_comment()
            line = self._source.next_line()
        return line

    def _finish(self) -> ParsedRecord:
        parsed = self._parsed
        if self._size > MOST_BYTES:
            parsed.fault(
                Code.RECORD_TOO_LONG,
                parsed.line,
                1,
                f"a record has at most {MOST_BYTES} bytes; this one has {self._size}",
            )
        parsed.text = b"\n".join(line.content for line in self._kept).decode("utf-8", "surrogateescape")
        parsed.finish()
        return parsed

    def _take(self, line: Line) -> bool:
        """Take the line into the record; False where the record ended before it, and the line was given back."""
        if line.number == 1 and self._is_other_version(line):
            return True
        text = self._decode(line)
        if self._comment is not None:
            self._keep(line)
            return self._go_on_with_comment(text, line)
        stripped = text.strip(_BLANKS)
        if not stripped:
            self._state = _State.GAP if self._state is _State.TAGS else self._state
            self._wait(line)
            return True
        if stripped[0] in ";%":
            self._wait(line)
            return True
        return self._take_content(line, text, stripped)

    def _take_content(self, line: Line, text: str, stripped: str) -> bool:
        indent = len(text) - len(text.lstrip(_BLANKS))
        is_tag = stripped[0] == "["
        is_play = not is_tag and begins_play(_first_token(stripped))
        if self._ends_before(is_tag=is_tag, is_play=is_play):
            self._source.push_back([line])
            return False
        if self._state is _State.START:
            self._parsed.line = line.number
        if self._state is _State.LOST:
            return True
        self._keep(line)
        if self._size > MOST_BYTES:
            self._state = self._state_after(is_play=is_play)
            return True
        self._check_encoding(line, text)
        if is_tag:
            self._state = _State.TAGS
            self._parsed.add_tag(stripped, line.number, indent)
        elif is_play or self._state in (_State.BODY, _State.ENDED):
            self._state = _State.BODY if self._state is not _State.ENDED else self._state
            return self._take_tokens(text, line)
        else:
            self._state = _State.TAGS
            message = f"expected a tag, a card, a trick number or a comment; found {_short(stripped)}"
            self._parsed.break_tags(line.number, 1 + indent, message)
        return True

    def _state_after(self, *, is_play: bool) -> _State:
        """Return where a record that is too long to be understood stands after a line."""
        if is_play or self._state in (_State.BODY, _State.ENDED):
            return _State.BODY
        return _State.TAGS

    def _ends_before(self, *, is_tag: bool, is_play: bool) -> bool:
        if self._state in (_State.START, _State.TAGS):
            return False
        if self._state in (_State.BODY, _State.LOST):
            return is_tag
        return is_tag or not is_play

    def _keep(self, line: Line) -> None:
        self._size += self._waiting + line.size
        self._waiting = 0
        if self._size <= MOST_BYTES:
            self._kept.append(line)

    def _wait(self, line: Line) -> None:
        """Count a line that belongs to the record only if another of it follows."""
        if self._state is not _State.START:
            self._waiting += line.size
            if self._size + self._waiting <= MOST_BYTES:
                self._kept.append(line)

    def _decode(self, line: Line) -> str:
        return line.content.decode("utf-8", "surrogateescape")

    def _check_encoding(self, line: Line, text: str) -> None:
        for place, character in enumerate(text, start=1):
            if character == "\0" or "\ud800" <= character <= "\udfff":
                found = "NUL" if character == "\0" else f"the byte 0x{ord(character) & 0xFF:02X}"
                self._parsed.fault(
                    Code.BAD_ENCODING, line.number, place, f"expected UTF-8 text; found {found}"
                )
                return

    def _is_other_version(self, line: Line) -> bool:
        match = _VERSION.match(line.content.decode("utf-8", "replace"))
        if match is None or match[1] == _OUR_VERSION:
            return False
        self._state = _State.TAGS
        self._parsed.ends_file = True
        self._parsed.line = 1
        self._parsed.fault(
            Code.BAD_SYNTAX, 1, 1, f"expected PCN version {_OUR_VERSION}; found {_short(match[1])}"
        )
        return True

    # -- tokens and comments ------------------------------------------------------------------------------

    def _take_tokens(self, text: str, line: Line, start: int = 0) -> bool:
        at = start
        while (match := _TOKEN.search(text, at)) is not None:
            column = match.start() + 1
            if match[0] != "{":
                self._parsed.add_token(match[0], line.number, column)
                self._note_end()
                at = match.end()
                continue
            close = text.find("}", match.end())
            if close < 0:
                self._open_comment(text[match.end() :], line, column)
                return True
            self._parsed.add_comment(text[match.end() : close], line.number, column)
            at = close + 1
        return True

    def _note_end(self) -> None:
        if self._parsed.has_ended:
            self._state = _State.ENDED

    def _open_comment(self, text: str, line: Line, column: int) -> None:
        self._comment = [text]
        self._comment_place = (line.number, column)
        self._comment_lines = []
        self._tag_in_comment = False
        if self._source.is_known_open(line.number):
            self._lose_comment()

    def _go_on_with_comment(self, text: str, line: Line) -> bool:
        assert self._comment is not None
        self._check_encoding(line, text)
        close = text.find("}")
        if close >= 0:
            self._parsed.add_comment("\n".join([*self._comment, text[:close]]), *self._comment_place)
            self._comment = None
            return self._take_tokens(text, line, close + 1)
        if self._size <= MOST_BYTES:
            self._comment.append(text)
            self._comment_lines.append(line)
            self._tag_in_comment = self._tag_in_comment or _TAG_LIKE.match(line.content) is not None
        elif self._tag_in_comment:
            # Too long for a record, and other records stand inside: the comment was left open.
            self._comment_lines.append(line)
            self._source.note_open_comment(self._comment_place[0], until=line.number)
            self._lose_comment()
        return True

    def _lose_comment(self) -> None:
        """Report that the comment is never closed, and give back its lines: the next tag line begins a record."""
        self._comment = None
        self._state = _State.LOST
        self._parsed.break_comment(*self._comment_place)
        self._size -= sum(line.size for line in self._comment_lines)
        first = self._comment_place[0] + 1
        self._kept = [line for line in self._kept if line.number < first]
        self._source.push_back(self._comment_lines)


def _first_token(stripped: str) -> str:
    match = _TOKEN.match(stripped)
    return match[0] if match is not None else stripped
