"""The export form: one text for each record, byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from courtpiece.notation.record import Comment, Record
from courtpiece.notation.tokens import END, write_play

HEADER: Final = "% PCN 1\n"


def write(record: Record) -> str:
    """Return the record in the export form, without the file's first line, with a final newline."""
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in record.tags]
    if record.facts.tricks is not None:
        lines.append("")
        lines += _play_section(record)
    lines.append("")
    return "\n".join(lines)


def write_file(records: Iterable[Record]) -> Iterator[str]:
    """Yield a file of the records, piece by piece: its first line, then each record after a blank line."""
    yield HEADER
    for record in records:
        yield "\n" + write(record)


def _escaped(value: str) -> str:
    if '"' not in value and "\\" not in value:
        return value
    return value.replace("\\", "\\\\").replace('"', '\\"')


class _Tokens(dict[int, str]):
    """Plays as they are written, by their codes: few are new in a file."""

    def __missing__(self, code: int) -> str:
        if len(self) >= _MOST_KEPT:
            self.clear()
        self[code] = written = write_play(code)
        return written


_MOST_KEPT: Final = 20_000
_TOKENS: Final = _Tokens()


def _play_section(record: Record) -> list[str]:
    tricks = record.facts.tricks or ()
    if record.comments:
        return _with_comments(record)
    lines = [
        f"{number}. {' '.join(map(_TOKENS.__getitem__, plays))}"
        for number, plays in enumerate(tricks, start=1)
    ]
    lines.append(_end(record))
    return lines


def _with_comments(record: Record) -> list[str]:
    tricks = record.facts.tricks or ()
    comments: dict[tuple[int, int], list[str]] = {}
    for comment in record.comments:
        comments.setdefault(_token_of(comment, record), []).append(f"{{{comment.text}}}")
    lines = [" ".join(comments[0, 0])] if (0, 0) in comments else []
    for number, plays in enumerate(tricks, start=1):
        words = [f"{number}.", *comments.get((number, 0), ())]
        for place, code in enumerate(plays, start=1):
            words += [write_play(code), *comments.get((number, place), ())]
        lines.append(" ".join(words))
    lines.append(" ".join([_end(record), *comments.get((len(tricks) + 1, 0), ())]))
    return lines


def _token_of(comment: Comment, record: Record) -> tuple[int, int]:
    """Return the comment's token; one of a token that is not there goes to the end, so that none is lost."""
    tricks = record.facts.tricks or ()
    if comment.trick == 0 or ((comment.trick, comment.play) == (1, 0) and tricks):
        return 0, 0
    if comment.trick > len(tricks) or comment.play > len(tricks[comment.trick - 1]):
        return len(tricks) + 1, 0
    return comment.trick, comment.play


def _end(record: Record) -> str:
    claim = record.facts.claim
    if claim is None:
        return END
    return f"!{claim.seat.letter}{claim.trick or ''}"
