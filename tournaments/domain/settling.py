"""What is typed or sent of a match beside what is recorded of it: new, the same, or something else.

A line agrees with a deal that is recorded where it says nothing else than stands: what it leaves out, the dealer or
the tricks of a court, is no disagreement. Only what counts matters to that, not the cards or the ruling that it is by.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from courtpiece.engine import Award, MatchState, Rules, Score, Seat
from tournaments.domain.slips import KnownDeal, LineFault, ReadLine, SlipLine, fault_of_line, read_lines


class Stands(Enum):
    """How a line stands to what is recorded."""

    NEW = "new"
    """The deal is not recorded."""
    SAME = "same"
    """It is recorded, and the line says nothing else."""
    OTHER = "other"
    """It is recorded, and the line says something else."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledLine:
    """A line with what the engine says of it, and what is recorded."""

    read: ReadLine
    stands: Stands
    known: KnownDeal | None = None
    """What is recorded; None for a new deal."""
    is_replacing: bool = False
    """Whether it is to stand in the place of what is recorded."""

    @property
    def is_written(self) -> bool:
        """Whether it is to be written."""
        return self.stands is Stands.NEW or self.is_replacing

    @property
    def is_at_fault(self) -> bool:
        """Whether it cannot be taken as it stands, not only for a line before it that cannot be."""
        if self.is_written:
            return self.read.fault is not None
        return self.stands is Stands.OTHER


_BY_THE_TRICKS: Final = {Award.WIN, Award.COURT, Award.GOON_COURT, Award.BAVNEY}


def agrees(line: SlipLine, known: KnownDeal) -> bool:
    """Return whether the line says nothing else than what is recorded."""
    outcome = known.outcome
    if outcome is None or fault_of_line(line) is not None:
        return False
    if line.dealer is not None and line.dealer is not known.dealer:
        return False
    if line.is_void or outcome.winner is None:
        return line.is_void and outcome.winner is None
    if line.revoke not in (None, known.revoke):
        return False
    won, lost = outcome.tricks.of(outcome.winner), outcome.tricks.of(outcome.winner.other)
    tricks_agree = line.won in (None, won) and line.lost in (None, lost)
    return line.winner is outcome.winner and tricks_agree and outcome.award in _meant(line.award)


def _meant(award: Award | None) -> Collection[Award]:
    """Return what a line with this award can be: whether a court is a goon court the dealer says."""
    if award is None:
        return _BY_THE_TRICKS
    return (Award.COURT, Award.GOON_COURT) if award is Award.COURT else (award,)


def settle(
    rules: Rules,
    lines: Sequence[SlipLine],
    *,
    known: Iterable[KnownDeal],
    first_dealer: Seat | None = None,
    replacing: Collection[int] = frozenset(),
) -> tuple[SettledLine, ...]:
    """Return the lines, in their order, among the deals that are recorded.

    Those numbered in ``replacing`` that say something else are to stand in the place of what is recorded.
    """
    recorded = {deal.number: deal for deal in known}
    numbers = [line.number for line in lines]
    settled: dict[int, SettledLine] = {}
    written: list[int] = []
    kept = dict(recorded)
    for place, line in enumerate(lines):
        deal = recorded.get(line.number) if line.number is not None else None
        if deal is None or numbers.count(line.number) > 1:
            written.append(place)
        elif agrees(line, deal):
            settled[place] = SettledLine(read=_as_known(line, deal), stands=Stands.SAME, known=deal)
        elif deal.number in replacing:
            written.append(place)
            del kept[deal.number]
        else:
            fault = fault_of_line(line) or LineFault.RECORDED
            read = ReadLine(line=line, fault=fault)
            settled[place] = SettledLine(read=read, stands=Stands.OTHER, known=deal)
    found = read_lines(
        rules, [lines[place] for place in written], known=kept.values(), first_dealer=first_dealer
    )
    for place, read in zip(written, found, strict=True):
        number = lines[place].number
        deal = recorded.get(number) if number is not None and number not in kept else None
        stands = Stands.NEW if deal is None else Stands.OTHER
        settled[place] = SettledLine(read=read, stands=stands, known=deal, is_replacing=deal is not None)
    return tuple(settled[place] for place in range(len(lines)))


def _as_known(line: SlipLine, deal: KnownDeal) -> ReadLine:
    return ReadLine(line=replace(line, dealer=deal.dealer), outcome=deal.outcome)


# -- what the deals come to


@dataclass(frozen=True, slots=True)
class MatchTotals:
    """What a match comes to after one of its deals."""

    courts: Score = field(default_factory=Score)
    deals: Score = field(default_factory=Score)
    """Deals won."""


def running_totals(rules: Rules, deals: Iterable[KnownDeal]) -> dict[int, MatchTotals]:
    """Return what a match comes to after each of its deals, by number, courts for runs included."""
    match, won = MatchState(rules), Score()
    totals = {}
    for deal in sorted(deals, key=lambda one: one.number):
        match, _line = match.after(number=deal.number, dealer=deal.dealer, outcome=deal.outcome)
        if deal.outcome is not None and deal.outcome.winner is not None:
            won = won.plus(deal.outcome.winner, 1)
        totals[deal.number] = MatchTotals(match.courts, won)
    return totals


def as_deal(read: ReadLine) -> KnownDeal | None:
    """Return a line that can be taken as the deal that it becomes; None where it cannot."""
    if read.line.number is None or read.dealer is None or read.outcome is None:
        return None
    return KnownDeal(number=read.line.number, dealer=read.dealer, outcome=read.outcome)


def together(known: Iterable[KnownDeal], settled: Iterable[SettledLine]) -> tuple[KnownDeal, ...]:
    """Return the deals of the match as they are with the lines that are to be written."""
    deals = {deal.number: deal for deal in known}
    for one in settled:
        deal = as_deal(one.read) if one.is_written else None
        if deal is not None:
            deals[deal.number] = deal
    return tuple(deals[number] for number in sorted(deals))
