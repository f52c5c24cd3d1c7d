"""A record as scoring takes it in: judged by the library, its problems placed, its text as it is kept.

What is kept is the export form without the names of the players, and without what the scoresheet says of the match
as well (``MATCH_TAGS``); a record that is given out gets both back. So a player's name stands in one place and can
be taken away, and what only the record says is not lost.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from courtpiece.accounts.names import clean_text
from courtpiece.engine import Code, Fault, Finding, Kind, MatchDoubts, Rules
from courtpiece.notation import Problem as NotationProblem
from courtpiece.notation import Reading, Record, TextReader, finding_keys, write
from courtpiece.notation.checker import problems_of_doubts
from courtpiece.notation.values import OTHER_TAG, TAG_ORDER

MATCH_TAGS: Final = ("Event", "Site", "Date", "Round", "Table", "NS", "EW")
"""The tags that a scoresheet states once for all its deals."""

TAGS_OF_A_PHONE: Final = (
    "PhoneOperation",
    "PhoneScoresheet",
    "PhoneBase",
    "PhoneReason",
    "PhoneAdded",
    "PhoneDevice",
    "PhoneSide",
)
"""What a phone adds to a record that it hands on in a file: how it is to be taken in, and nothing that was played."""

_NAMES: Final = ("NS", "EW")

TAG_OF_CODE: Final = {
    Code.WRONG_DEALER.value: "Dealer",
    Code.DEAL_GAP.value: "Deal",
    Code.COURTS_MISMATCH.value: "Courts",
}
"""The problems that depend on the deals before, with the tag each stands at."""

MATCH_CODES: Final = frozenset(TAG_OF_CODE)
"""These are found anew whenever a deal before changes."""


class SheetCode(StrEnum):
    """What can be wrong with a record beyond the notation's codes: it does not fit its scoresheet."""

    OTHER_RULES = "other-rules"
    """It names other rules than the scoresheet's."""
    OTHER_MATCH = "other-match"
    """It names other players, or another event, date, round or table than the scoresheet's."""
    OTHER_DEAL = "other-deal"
    """A correction has another deal's number."""
    DEAL_REPEATED = "deal-repeated"
    """Two different records of what was sent have the same deal number."""
    DEAL_CONFLICT = "deal-conflict"
    """The deal is recorded already, and says something else."""
    NO_SUCH_DEAL = "no-such-deal"
    """What is to be replaced was never recorded."""
    ONE_RECORD = "one-record"
    """One record was expected."""
    DEAL_TOO_HIGH = "deal-too-high"
    """No scoresheet has so many deals."""


HIGHEST_DEAL: Final = 10_000
"""As many deals as records in an upload: pages name every deal that is left out below the highest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordProblem:
    """Something wrong with a record, placed in the file it came in. Numbers count from 1; 0 is no place."""

    code: str
    """A code of the notation, or of ``SheetCode``."""
    kind: str
    """``malformed``, ``impossible``, ``discrepancy`` or ``warning``."""
    message: str
    file: str = ""
    """The name it came under; empty without a file."""
    record: int = 0
    line: int = 0
    column: int = 0

    @property
    def severity(self) -> str:
        """``warning`` or ``error``."""
        return "warning" if self.kind == Kind.WARNING.value else "error"

    def as_json(self) -> dict[str, str | int]:
        """Return the problem as the API and a revision have it."""
        return {
            "code": self.code,
            "severity": self.severity,
            "kind": self.kind,
            "file": self.file,
            "record": self.record,
            "line": self.line,
            "column": self.column,
            "message": self.message,
        }

    def as_standing(self) -> dict[str, str]:
        """Return the problem as a deal keeps it, without a place: each change finds anew what stands."""
        return {"code": self.code, "severity": self.severity, "kind": self.kind, "message": self.message}

    @staticmethod
    def from_json(stored: Mapping[str, Any]) -> "RecordProblem":
        """Return the problem that :meth:`as_json` or :meth:`as_standing` wrote."""
        return RecordProblem(**{name: value for name, value in stored.items() if name != "severity"})


class JudgedRecord(NamedTuple):
    """A record judged by itself, for one scoresheet."""

    reading: Reading
    finding: Finding | None
    """None where it could not be read."""
    pcn: str
    """As it is kept; empty where it could not be read."""
    problems: tuple[RecordProblem, ...]
    """Its own: those that need the deals before it are not among them."""
    file: str

    @property
    def record(self) -> Record:
        """The record; not to be asked for where it could not be read."""
        record = self.reading.record
        if record is None:
            raise LookupError("the record could not be read")
        return record

    @property
    def is_readable(self) -> bool:
        """Whether there is a record."""
        return self.reading.record is not None

    def problem_at(self, tag: str, code: SheetCode, message: str) -> RecordProblem:
        """Return a problem at the value of a tag; one without it stands at the record's first line."""
        return _problem_at(self.reading, tag, code, message, self.file)


def _problem_at(reading: Reading, tag: str, code: SheetCode, message: str, file: str) -> RecordProblem:
    line, column = reading.parsed.place_of_tag(tag)
    return RecordProblem(
        code=code.value,
        kind=Kind.IMPOSSIBLE.value,
        message=message,
        file=file,
        record=reading.number,
        line=line,
        column=column,
    )


def judge(
    reading: Reading, *, rules: Rules, file: str = "", own: Mapping[str, str] | None = None
) -> JudgedRecord:
    """Return the record judged by itself, as one of a match played under ``rules``.

    ``own`` are the tags that its scoresheet states.
    """
    record = reading.record
    text = "" if record is None else kept_text(record, own or {})
    return JudgedRecord(reading, reading.finding(), text, own_problems(reading, rules=rules, file=file), file)


def own_problems(reading: Reading, *, rules: Rules, file: str = "") -> tuple[RecordProblem, ...]:
    """Return what is wrong with the record by itself, as one of a match played under ``rules``."""
    finding = reading.finding()
    if finding is None:
        return _placed(reading.problems, reading, file)
    problems = _placed(reading.located(finding), reading, file) if finding.faults else ()
    return (*problems, *_odd(reading, rules, file))


def _odd(reading: Reading, rules: Rules, file: str) -> Iterator[RecordProblem]:
    """Yield why the record is of no scoresheet that is played under ``rules``."""
    record = reading.record
    if record is None:
        return
    if record.rules is not rules and record.rules != rules:
        message = _("the scoresheet is played under “%(own)s”, the record under “%(other)s”")
        message %= {"own": rules, "other": record.rules}
        yield _problem_at(reading, "Rules", SheetCode.OTHER_RULES, message, file)
    if record.deal > HIGHEST_DEAL:
        message = _("a scoresheet has at most %(most)d deals; found deal %(number)d")
        message %= {"most": HIGHEST_DEAL, "number": record.deal}
        yield _problem_at(reading, "Deal", SheetCode.DEAL_TOO_HIGH, message, file)


def match_problems(doubts: MatchDoubts, reading: Reading, *, file: str = "") -> tuple[RecordProblem, ...]:
    """Return what is odd about a record in its match (law 12.4; gaps; stated courts)."""
    if doubts == _NO_DOUBTS:
        return ()
    return _placed(problems_of_doubts(doubts, reading), reading, file)


def problems_of_faults(faults: Sequence[Fault], reading: Reading) -> tuple[RecordProblem, ...]:
    """Return what the engine says against a record that goes on, at its places in the text."""
    finding = reading.finding()
    if finding is None:
        return _placed(reading.problems, reading, "")
    return _placed(reading.located(finding._replace(faults=tuple(faults))), reading, "")


_NO_DOUBTS: Final = MatchDoubts(None, None, None)


def _placed(problems: Iterable[NotationProblem], reading: Reading, file: str) -> tuple[RecordProblem, ...]:
    return tuple(
        RecordProblem(
            code=problem.code.value,
            kind=problem.kind.value,
            message=problem.message,
            file=file,
            record=reading.number,
            line=problem.line,
            column=problem.column,
        )
        for problem in problems
    )


def kept_text(record: Record, own: Mapping[str, str]) -> str:
    """Return the record as it is kept: the export form without its scoresheet's tags, its rules always stated."""
    rules = ("Rules", str(record.rules))
    tags = [
        rules if tag[0] == "Rules" else tag
        for tag in record.tags
        if tag[0] not in _SAID_ELSEWHERE or not _is_said(*tag, own.get(tag[0]))
    ]
    if rules not in tags:
        tags.append(rules)
        tags.sort(key=_place_of)
    return write(record._replace(tags=tuple(tags)))


_SAID_ELSEWHERE: Final = frozenset({*MATCH_TAGS, *TAGS_OF_A_PHONE})


@lru_cache(maxsize=4096)
def _is_said(name: str, text: str, own: str | None) -> bool:
    """Return whether the scoresheet says it already, or says it better, or it is nothing of the deal's.

    ``own`` is what the scoresheet says. All records of a match ask the same.
    """
    if name not in MATCH_TAGS:
        return name in TAGS_OF_A_PHONE
    return name in _NAMES or text in (own, "?") or clean_text(text) == own


def _place_of(tag: tuple[str, str]) -> int:
    return TAG_ORDER.get(tag[0], OTHER_TAG)


def read_kept(pcn: str) -> Reading:
    """Return the reading of a kept text.

    :raises LookupError: if it is empty, which no kept text is.
    """
    reading = _KEPT_TEXTS.first(pcn)
    if reading is None:
        raise LookupError("a kept text is a record")
    return reading


_KEPT_TEXTS: Final = TextReader()


def with_tags(record: Record, tags: Mapping[str, str]) -> Record:
    """Return the record with more tags, in the notation's order; empty ones are left out, its own stay."""
    merged = {**{name: value for name, value in tags.items() if value}, **dict(record.tags)}
    ordered = sorted(merged.items(), key=_place_of)
    return record._replace(tags=tuple(ordered))


def finding_json(finding: Finding) -> dict[str, Any]:
    """Return what the engine found, with the keys of the checker's line."""
    return dict(finding_keys(finding))


def trump_method(record: Record) -> str:
    """Return the method of law 4 that the record states, or an empty text."""
    return record.facts.trump.method.value if record.facts.trump is not None else ""
