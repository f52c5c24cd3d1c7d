"""A whole slip as it is keyed: its lines read among the deals that are recorded, and its totals held against them."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Enum

from courtpiece.engine import Rules, Score, Seat, Team
from courtpiece.engine.rules import Gather
from tournaments.domain.settling import (
    MatchTotals,
    SettledLine,
    Stands,
    running_totals,
    settle,
    together,
)
from tournaments.domain.slip_keys import KeyedLine, KeysError, read_keys
from tournaments.domain.slips import KnownDeal


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedRow:
    """A row of the slip: what was typed, and what comes of it."""

    number: int
    keys: str = ""
    error: KeysError | None = None
    """Why the keys are no line."""
    settled: SettledLine | None = None
    """None where nothing was typed, or nothing that can be read."""
    after: MatchTotals | None = None
    """What the match comes to after the deal; None where a row is at fault, or there is no such deal."""
    stated: Score | None = None
    """The courts that stand on the slip after the deal, where they were typed."""

    @property
    def is_at_fault(self) -> bool:
        """Whether the row cannot be taken as it stands."""
        return self.error is not None or (self.settled is not None and self.settled.is_at_fault)

    @property
    def is_conflict(self) -> bool:
        """Whether the deal is recorded, and the row says something else."""
        return self.settled is not None and self.settled.stands is Stands.OTHER

    @property
    def has_other_score(self) -> bool:
        """Whether the slip's running score is not what the deals come to."""
        return self.stated is not None and self.after is not None and self.stated != self.after.courts


class TotalKind(Enum):
    """What a slip adds up."""

    COURTS = "courts"
    DEALS = "deals"
    """Deals won."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A total of the slip that the deals do not come to."""

    kind: TotalKind
    team: Team
    stated: int
    found: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedTotals:
    """The totals that stand at the foot of a slip. What was left empty is None."""

    courts: tuple[int | None, int | None] = (None, None)
    """Of North-South and East-West; so are the deals."""
    deals: tuple[int | None, int | None] = (None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyedSlip:
    """A slip as it was keyed."""

    rows: tuple[KeyedRow, ...]
    totals: MatchTotals
    """What the deals come to, the recorded ones among them; without the rows at fault."""

    @property
    def typed(self) -> tuple[KeyedRow, ...]:
        """The rows in which something was typed."""
        return tuple(row for row in self.rows if row.settled is not None or row.error is not None)

    @property
    def written(self) -> tuple[SettledLine, ...]:
        """The lines that are to be written."""
        return tuple(row.settled for row in self.rows if row.settled is not None and row.settled.is_written)

    @property
    def has_fault(self) -> bool:
        """Whether a row cannot be taken as it stands."""
        return any(row.is_at_fault for row in self.rows)

    @property
    def has_conflict(self) -> bool:
        """Whether a row says something else than is recorded."""
        return any(row.is_conflict for row in self.rows)

    @property
    def first_other_score(self) -> KeyedRow | None:
        """The first row whose running score is not what the deals come to; None where none is, or none was typed."""
        return next((row for row in self.rows if row.has_other_score), None)

    def differences(self, stated: StatedTotals) -> tuple[Difference, ...]:
        """Return the totals that are not what the deals come to; none that were left empty."""
        pairs = (
            (TotalKind.COURTS, stated.courts, self.totals.courts),
            (TotalKind.DEALS, stated.deals, self.totals.deals),
        )
        return tuple(
            Difference(kind, team, said, found.of(team))
            for kind, both, found in pairs
            for team, said in zip((Team.NS, Team.EW), both, strict=True)
            if said is not None and said != found.of(team)
        )


def read_slip(
    rules: Rules,
    keys: Mapping[int, str],
    *,
    known: Collection[KnownDeal],
    first_dealer: Seat | None = None,
) -> KeyedSlip:
    """Return what comes of the keys, by the numbers of their deals, among the deals that are recorded."""
    keyed: dict[int, KeyedLine] = {}
    errors: dict[int, KeysError] = {}
    for number, text in keys.items():
        try:
            line = read_keys(text, number=number, is_single=rules.gather is Gather.SINGLE)
        except KeysError as error:
            errors[number] = error
        else:
            if line is not None:
                keyed[number] = line
    lines = [line.line for line in keyed.values()]
    settled = dict(zip(keyed, settle(rules, lines, known=known, first_dealer=first_dealer), strict=True))
    after = running_totals(rules, together(known, settled.values()))
    is_clear = not errors and not any(line.is_at_fault for line in settled.values())
    rows = tuple(
        KeyedRow(
            number=number,
            keys=keys[number],
            error=errors.get(number),
            settled=settled.get(number),
            after=after.get(number) if is_clear else _before_fault(number, after, settled, errors),
            stated=keyed[number].courts if number in keyed else None,
        )
        for number in sorted(keys)
    )
    return KeyedSlip(rows=rows, totals=after[max(after)] if after else MatchTotals())


def _before_fault(
    number: int,
    after: Mapping[int, MatchTotals],
    settled: Mapping[int, SettledLine],
    errors: Mapping[int, KeysError],
) -> MatchTotals | None:
    """Return what the match comes to after the deal, where no row before it is at fault."""
    faulty = [one for one, line in settled.items() if line.is_at_fault]
    return after.get(number) if number < min([*faulty, *errors]) else None
