"""The checker: every record of a file judged by itself and in its match, as the lines it prints."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from typing import BinaryIO, Final, NamedTuple

from courtpiece.engine.cards import Suit
from courtpiece.engine.faults import Code, Kind
from courtpiece.engine.finding import Finding, Level, Revoke
from courtpiece.engine.ledger import LedgerLine, MatchDoubts, MatchRecord
from courtpiece.engine.rules import Rules
from courtpiece.engine.seats import SEAT_LETTERS, TEAMS, Seat
from courtpiece.notation.problems import Problem
from courtpiece.notation.reader import Reading, read
from courtpiece.notation.record import Record
from courtpiece.notation.values import TagValue

JsonValue = None | bool | int | str | list["JsonValue"] | dict[str, "JsonValue"]
JsonObject = dict[str, JsonValue]

_SPOOLED: Final = 1 << 20
_NO_DOUBTS: Final = MatchDoubts(None, None, None)


class CheckedDeal(NamedTuple):
    """A record judged by itself and in its match."""

    reading: Reading
    finding: Finding | None
    """None where the record is malformed."""
    line: LedgerLine | None
    """The deal's line in the ledger of its match; None where the record is malformed."""
    problems: tuple[Problem, ...]
    """Everything that is wrong, from the first place to the last."""
    ends_match: MatchChecked | None
    """The match before, where this deal begins another."""

    @property
    def worst(self) -> Kind | None:
        """How far the worst of the problems goes; None where there is none."""
        kinds = {problem.kind for problem in self.problems}
        return next((kind for kind in Kind if kind in kinds), None)


class MatchChecked(NamedTuple):
    """A match whose records have all been seen."""

    first: Record
    match: MatchRecord


class MatchChecker:
    """Puts the records of a file, in order, into their matches. Holds one match at a time."""

    def __init__(self) -> None:
        self._key: tuple[str | Rules | None, ...] | None = None
        self._first: Record | None = None
        self._match: MatchRecord | None = None

    def feed(self, reading: Reading) -> CheckedDeal:
        """Return the next record of the file, judged."""
        record, finding = reading.record, reading.finding()
        if record is None or finding is None:
            return CheckedDeal(reading, None, None, reading.problems, None)
        ended, match = self._match_of(record)
        line, doubts = match.add(
            number=record.deal,
            dealer=record.dealer,
            outcome=finding.outcome,
            stated_courts=record.stated_courts,
        )
        problems: tuple[Problem, ...] = ()
        if finding.faults or doubts != _NO_DOUBTS:
            found = [*reading.located(finding), *problems_of_doubts(doubts, reading)]
            problems = tuple(sorted(found, key=lambda problem: (problem.line, problem.column)))
        return CheckedDeal(reading, finding, line, problems, ended)

    def finish(self) -> MatchChecked | None:
        """Return the match that the file ended in; None where it had none."""
        return MatchChecked(self._first, self._match) if self._first and self._match else None

    def _match_of(self, record: Record) -> tuple[MatchChecked | None, MatchRecord]:
        key = record.match_key()
        if self._match is not None and key == self._key:
            return None, self._match
        ended = self.finish()
        self._key, self._first, self._match = key, record, MatchRecord(record.rules)
        return ended, self._match


def problems_of_doubts(doubts: MatchDoubts, reading: Reading) -> Iterator[Problem]:
    """Yield what is odd about a record in its match, where it stands in the record."""
    place = reading.parsed.place_of_tag
    if doubts.gap_at is not None:
        yield Problem(
            Code.DEAL_GAP,
            *place("Deal"),
            f"deal {doubts.gap_at} does not follow the deal before it in the match",
        )
    if doubts.expected_dealer is not None:
        message = f"expected {doubts.expected_dealer.letter} to deal after the deal before (law 12)"
        yield Problem(Code.WRONG_DEALER, *place("Dealer"), message)
    if doubts.courts is not None:
        courts = f"NS {doubts.courts.ns} EW {doubts.courts.ew}"
        yield Problem(
            Code.COURTS_MISMATCH, *place("Courts"), f"the courts of the match are {courts} (laws 8, 10, 11)"
        )


def check(source: str | bytes | BinaryIO, *, file: str | None = None) -> Iterator[JsonObject]:
    """Yield the checker's lines for one file: a deal each, then a match each. Memory is constant.

    ``file`` is the name to print; the lines of the matches wait in a temporary file when they are many.
    """
    checker = MatchChecker()
    with tempfile.SpooledTemporaryFile(_SPOOLED, mode="w+", encoding="utf-8", newline="\n") as matches:
        for reading in read(source):
            checked = checker.feed(reading)
            if checked.ends_match is not None:
                matches.write(json.dumps(match_line(checked.ends_match, file=file)) + "\n")
            yield deal_line(checked, file=file)
        last = checker.finish()
        if last is not None:
            matches.write(json.dumps(match_line(last, file=file)) + "\n")
        matches.seek(0)
        for text in matches:
            yield json.loads(text)


def deal_line(checked: CheckedDeal, *, file: str | None) -> JsonObject:
    """Return the checker's line for a record."""
    reading = checked.reading
    line: JsonObject = {"type": "deal", "file": file, "record": reading.number, "line": reading.line}
    if reading.record is None or checked.finding is None:
        line.update(_keys_read(reading.tags_read))
        line.update({"winner": None, "award": None})
    else:
        line.update({"deal": reading.record.deal, **finding_keys(checked.finding)})
    line["problems"] = [dict(problem.as_json()) for problem in checked.problems]
    return line


def _keys_read(values: tuple[TagValue, ...]) -> JsonObject:
    """Return what a malformed record still tells."""
    meanings = {value.name: value.meaning for value in values}
    keys: JsonObject = {}
    if isinstance(number := meanings.get("Deal"), int):
        keys["deal"] = number
    if isinstance(rules := meanings.get("Rules"), Rules):
        keys["rules"] = str(rules)
    if isinstance(dealer := meanings.get("Dealer"), Seat):
        keys.update({"dealer": dealer.letter, "caller": dealer.right.letter})
    return keys


def finding_keys(finding: Finding) -> JsonObject:
    """Return a finding as the checker prints it, without the keys of its place in a file."""
    keys = dict(_keys_of_setting(finding.level, finding.rules, finding.dealer, finding.trump))
    outcome = finding.outcome
    if outcome is None:
        return {**keys, "winner": None, "award": None}
    winner, award, tricks, courts = outcome
    keys["winner"] = TEAMS[winner].name if winner is not None else None
    keys["tricks"] = {"NS": tricks[0], "EW": tricks[1]}
    keys["award"] = award.value
    keys["courts"] = {"NS": courts[0], "EW": courts[1]}
    if finding.trick_winners is not None and finding.level is not Level.RESULT:
        keys["trick_winners"] = "".join([SEAT_LETTERS[seat] for seat in finding.trick_winners])
    keys["revokes"] = [_keys_of_revoke(revoke) for revoke in finding.revokes] if finding.revokes else []
    return keys


@lru_cache(maxsize=1024)
def _keys_of_setting(level: Level, rules: Rules, dealer: Seat, trump: Suit | None) -> JsonObject:
    """Return what many findings have in common; not to be changed."""
    return {
        "level": level.value,
        "rules": str(rules),
        "dealer": dealer.letter,
        "caller": dealer.right.letter,
        "trump": trump.letter if trump is not None else None,
    }


def _keys_of_revoke(revoke: Revoke) -> JsonObject:
    return {
        "seat": revoke.seat.letter,
        "trick": revoke.trick,
        "card": str(revoke.card) if revoke.card is not None else None,
        "led": revoke.led.letter if revoke.led is not None else None,
        "corrected": revoke.corrected,
    }


def match_line(checked: MatchChecked, *, file: str | None) -> JsonObject:
    """Return the checker's line for a match."""
    first, state = checked.first, checked.match.state
    return {
        "type": "match",
        "file": file,
        "event": first.event,
        "date": first.date,
        "round": first.round,
        "table": first.table,
        "ns": first.text("NS"),
        "ew": first.text("EW"),
        "rules": str(first.rules),
        "deals": state.deals,
        "courts": dict(state.courts.as_json()),
        "bavneys": dict(state.bavneys.as_json()),
        "streak": dict(state.runs.as_json()),
        "next_dealer": state.next_dealer.letter if state.next_dealer is not None else None,
        "winner": state.winner.name if state.winner is not None else None,
        "problems": [],
    }
