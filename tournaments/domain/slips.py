"""A paper slip's lines: what the engine makes of each in its match, and the records they become."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import product
from typing import Final

from courtpiece.engine import (
    Award,
    DealFacts,
    Finding,
    MatchState,
    Outcome,
    Rules,
    Score,
    Seat,
    StatedResult,
    StatedRevoke,
    Team,
    adjudicate,
    result_text,
)
from courtpiece.notation import Record, write_file

TRICKS: Final = 13
BY_THE_TRICKS: Final = (Award.WIN, Award.COURT, Award.BAVNEY)
"""What a line without an award can be, the first that the engine allows."""
_LEAST_TRICKS_WILL_DO: Final = frozenset({Award.COURT, Award.GOON_COURT, Award.BAVNEY})
"""A court without its tricks is the plainest one; a win or a revoke without them could be any."""


class LineFault(Enum):
    """Why a line cannot be taken."""

    NO_NUMBER = "no-number"
    REPEATED = "repeated"
    """Another line has its number."""
    RECORDED = "recorded"
    """The deal is on the sheet already."""
    NO_DEALER = "no-dealer"
    """The deal before it is not known, so law 12 does not tell who dealt."""
    NO_WINNER = "no-winner"
    NO_TRICKS = "no-tricks"
    """The tricks are needed, and do not follow from the award."""
    IMPOSSIBLE = "impossible"
    """No deal can end so: ``message`` says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SlipLine:
    """A deal as it stands on the slip. What was left out is None."""

    number: int | None
    dealer: Seat | None = None
    """None: who should deal (law 12)."""
    winner: Team | None = None
    is_void: bool = False
    won: int | None = None
    """The winners' tricks."""
    lost: int | None = None
    award: Award | None = None
    """None: what the tricks say."""
    revoke: StatedRevoke | None = None
    """Who revoked and in which trick, where it is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownDeal:
    """A deal that is on the sheet."""

    number: int
    dealer: Seat
    outcome: Outcome | None
    is_ruled: bool = False
    """Whether a director decided on it: what counts is then not what its record says."""
    revoke: StatedRevoke | None = None
    """The established revoke that its record tells of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadLine:
    """What the engine says of a line."""

    line: SlipLine
    expected_dealer: Seat | None = None
    """Who should deal (law 12; the one that was drawn for the first deal); None: it is not known."""
    outcome: Outcome | None = None
    """None where the line cannot be taken."""
    run_courts: Score = field(default_factory=Score)
    """Courts scored by this deal for a run (law 11)."""
    courts: Score = field(default_factory=Score)
    """The courts of the match after it."""
    next_dealer: Seat | None = None
    fault: LineFault | None = None
    message: str = ""
    """The engine's own words, where a deal cannot end so."""

    @property
    def dealer(self) -> Seat | None:
        """Who dealt, as stated or by law 12."""
        return self.expected_dealer if self.line.dealer is None else self.line.dealer

    @property
    def is_out_of_turn(self) -> bool:
        """Whether another dealt than should have (law 12.4: it is reported, and the deal stands)."""
        return self.expected_dealer is not None and self.dealer is not self.expected_dealer


def read_lines(
    rules: Rules,
    lines: Sequence[SlipLine],
    *,
    known: Iterable[KnownDeal] = (),
    first_dealer: Seat | None = None,
) -> tuple[ReadLine, ...]:
    """Return what the engine says of the lines, in their order, among the deals that are on the sheet.

    ``first_dealer`` is the seat that was drawn (law 3.1); None: the first line has to say it.
    """
    on_sheet = {deal.number: deal for deal in known}
    counted = Counter(line.number for line in lines)
    read: dict[int, ReadLine] = {}
    new: dict[int, int] = {}
    for place, line in enumerate(lines):
        fault = _fault_of_number(line.number, counted, on_sheet)
        if fault is not None or line.number is None:
            read[place] = ReadLine(line=line, fault=fault)
        else:
            new[line.number] = place
    match = _Match(rules, first_dealer)
    for number in sorted(new | on_sheet):
        if number in on_sheet:
            match.take_known(on_sheet[number])
        else:
            read[new[number]] = match.take(number, lines[new[number]])
    return tuple(read[place] for place in range(len(lines)))


def records_of(rules: Rules, lines: Iterable[ReadLine]) -> str:
    """Return the lines, none of them faulty, as a file of records that tell the result only."""
    return "".join(write_file(_record(rules, read) for read in lines))


def _record(rules: Rules, read: ReadLine) -> Record:
    if read.line.number is None or read.dealer is None or read.outcome is None:
        raise LookupError("the line cannot be taken")
    revoke = read.line.revoke
    tags = (
        ("Deal", str(read.line.number)),
        ("Rules", str(rules)),
        ("Dealer", read.dealer.letter),
        *((("Revoke", f"{revoke.seat.letter} {revoke.trick}"),) if revoke is not None else ()),
        ("Result", result_text(read.outcome)),
    )
    return Record(tags, read.line.number, DealFacts(rules, read.dealer))


def _fault_of_number(
    number: int | None, counted: Mapping[int | None, int], on_sheet: Mapping[int, KnownDeal]
) -> LineFault | None:
    if number is None:
        return LineFault.NO_NUMBER
    if number in on_sheet:
        return LineFault.RECORDED
    return LineFault.REPEATED if counted[number] > 1 else None


class _Match:
    """The match as its deals are gone through by number."""

    def __init__(self, rules: Rules, first_dealer: Seat | None) -> None:
        self._state = MatchState(rules)
        self._last_number = 0
        self._next_dealer = first_dealer
        """None: the deal before is not known, or cannot be taken."""
        self._is_broken = False
        """Whether a line before could not be taken: what follows from it is not said again."""

    def take_known(self, deal: KnownDeal) -> None:
        self._state, line = self._state.after(number=deal.number, dealer=deal.dealer, outcome=deal.outcome)
        self._last_number = deal.number
        self._next_dealer = line.next_dealer if deal.outcome is not None else None
        self._is_broken = False

    def take(self, number: int, line: SlipLine) -> ReadLine:
        expected = self._next_dealer if number == self._last_number + 1 else None
        dealer = expected if line.dealer is None else line.dealer
        is_told_twice = dealer is None and self._is_broken
        self._last_number, self._next_dealer = number, None
        fault = fault_of_line(line) or (LineFault.NO_DEALER if dealer is None and not is_told_twice else None)
        if fault is not None or dealer is None:
            self._is_broken = True
            return ReadLine(line=line, expected_dealer=expected, fault=fault, courts=self._state.courts)
        outcome, fault, message = _outcome_of(self._state.rules, dealer, line)
        self._is_broken = outcome is None
        if outcome is None:
            return ReadLine(
                line=line, expected_dealer=expected, fault=fault, message=message, courts=self._state.courts
            )
        self._state, after = self._state.after(number=number, dealer=dealer, outcome=outcome)
        self._next_dealer = after.next_dealer
        return ReadLine(
            line=line,
            expected_dealer=expected,
            outcome=outcome,
            run_courts=after.run_courts,
            courts=after.courts,
            next_dealer=after.next_dealer,
        )


def fault_of_line(line: SlipLine) -> LineFault | None:
    """Return what is wrong with a line by itself, before anything is known of its match."""
    if line.winner is None and not line.is_void:
        return LineFault.NO_WINNER
    says_nothing = line.won is None and line.lost is None and line.award is None
    return LineFault.NO_TRICKS if says_nothing and not line.is_void else None


def outcome_of_line(rules: Rules, dealer: Seat, line: SlipLine) -> tuple[Outcome | None, str]:
    """Return what the engine makes of a line whose dealer is known, or None and why no deal ends so.

    The reason is empty where only tricks are missing.
    """
    if fault_of_line(line) is not None:
        return None, ""
    outcome, _fault, message = _outcome_of(rules, dealer, line)
    return outcome, message


def _outcome_of(rules: Rules, dealer: Seat, line: SlipLine) -> tuple[Outcome | None, LineFault | None, str]:
    """Return what the engine makes of a line, or why it makes nothing of it."""
    if line.is_void or line.winner is None:
        return Outcome.void(), None, ""
    awards = BY_THE_TRICKS if line.award is None else (line.award,)
    objections = []
    for award in awards:
        found = [_found(rules, dealer, line, tricks, award) for tricks in _tricks_of(line)]
        allowed = [finding.outcome for finding in found if finding.outcome is not None]
        if len(allowed) == 1 or (allowed and award in _LEAST_TRICKS_WILL_DO):
            return allowed[0], None, ""
        if allowed:
            return None, LineFault.NO_TRICKS, ""
        objections += [fault.message for fault in found[-1].faults]
    return None, LineFault.IMPOSSIBLE, objections[0]


def _tricks_of(line: SlipLine) -> list[tuple[int, int]]:
    """Return the tricks of winners and losers that the line can mean, fewest first."""
    won, lost = (range(TRICKS + 1) if stated is None else (stated,) for stated in (line.won, line.lost))
    return [pair for pair in product(won, lost) if line.won is not None or sum(pair) <= TRICKS] or [(0, 0)]


def _found(rules: Rules, dealer: Seat, line: SlipLine, tricks: tuple[int, int], award: Award) -> Finding:
    if line.winner is None:
        raise LookupError("nobody won the deal")
    score = Score().plus(line.winner, tricks[0]).plus(line.winner.other, tricks[1])
    stated = StatedResult(line.winner, score, award)
    return adjudicate(DealFacts(rules, dealer, result=stated, revoke=line.revoke))
