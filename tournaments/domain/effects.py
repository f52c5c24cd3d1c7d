"""What a ruling brought: values that are shown before it is saved, and kept with it."""

from collections.abc import Iterable
from dataclasses import dataclass

from courtpiece.engine import Team
from tournaments.domain.match_courts import leader_of
from tournaments.domain.standings import RowJson


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """What a deal counts for, with its place in the ledger after it."""

    winner: str
    award: str
    tricks_ns: int
    tricks_ew: int
    courts_ns: int
    courts_ew: int
    """The deal's own, those for a run included."""
    total_ns: int
    total_ew: int
    """The match's, after the deal."""
    run_ns: int
    run_ew: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DealMove:
    """A deal that counts otherwise."""

    number: int
    before: Counted
    after: Counted

    @property
    def counts_otherwise(self) -> bool:
        """Whether the deal itself does, not only the match after it."""
        return _own(self.before) != _own(self.after)

    @property
    def moves_match(self) -> bool:
        """Whether the match's courts after it are others."""
        return (self.before.total_ns, self.before.total_ew) != (self.after.total_ns, self.after.total_ew)

    @property
    def moves_runs(self) -> bool:
        """Whether the runs after it are others."""
        return (self.before.run_ns, self.before.run_ew) != (self.after.run_ns, self.after.run_ew)


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchMove:
    """A match that ends otherwise. Courts are None where it does not count or was not played."""

    before_ns: int | None
    before_ew: int | None
    after_ns: int | None
    after_ew: int | None

    @property
    def changes_winner(self) -> bool:
        """Whether somebody else wins it, or nobody any more."""
        return _leader(self.before_ns, self.before_ew) != _leader(self.after_ns, self.after_ew)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankMove:
    """An entry whose line in the standings reads otherwise. Points may be fractions, as text."""

    entry: int
    before_rank: int
    after_rank: int
    before_points: int | str
    """What ranks it: in a league the points of its sessions, elsewhere match points."""
    after_points: int | str
    before_courts: tuple[int, int]
    after_courts: tuple[int, int]
    before_penalty: int | str
    after_penalty: int | str
    before_match_points: int | str | None = None
    """In a league, where they are not what ranks; None elsewhere."""
    after_match_points: int | str | None = None

    @property
    def moves(self) -> bool:
        """Whether its rank is another."""
        return self.before_rank != self.after_rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """A match, by where it is played."""

    round: int
    table: str
    ns: int
    ew: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What a ruling changes. Entries are named by their numbers: names belong to people, who may take them back."""

    deals: tuple[DealMove, ...] = ()
    match: MatchMove | None = None
    """None: no match ends otherwise."""
    ranks: tuple[RankMove, ...] = ()
    later: tuple[Pairing, ...] = ()
    """Matches of later rounds that were paired by what was known before. They are kept."""
    draft: int | None = None
    """The round whose draft was drawn from what was known before; None: there is none."""
    unplayed: tuple[Pairing, ...] = ()
    """Open matches of an entry that no longer plays: each is still to be decided."""

    @property
    def is_nothing(self) -> bool:
        """Whether nothing that anybody reads is otherwise."""
        return self == Effect()


def rank_moves(before: Iterable[RowJson], after: Iterable[RowJson]) -> tuple[RankMove, ...]:
    """Return the lines that read otherwise, in the order of the ranks after. An entry in one of the two is left out."""
    known = {row["entry"]: row for row in before}
    moves = (_move(known[row["entry"]], row) for row in after if row["entry"] in known)
    return tuple(move for move in moves if _differs(move))


def _move(before: RowJson, after: RowJson) -> RankMove:
    return RankMove(
        entry=after["entry"],
        before_rank=before["rank"],
        after_rank=after["rank"],
        before_points=before.get("session_points", before["match_points"]),
        after_points=after.get("session_points", after["match_points"]),
        before_courts=(before["courts_for"], before["courts_against"]),
        after_courts=(after["courts_for"], after["courts_against"]),
        before_penalty=before["penalty"],
        after_penalty=after["penalty"],
        before_match_points=before["match_points"] if "session_points" in before else None,
        after_match_points=after["match_points"] if "session_points" in after else None,
    )


def _differs(move: RankMove) -> bool:
    pairs = (
        (move.before_rank, move.after_rank),
        (move.before_points, move.after_points),
        (move.before_match_points, move.after_match_points),
        (move.before_courts, move.after_courts),
        (move.before_penalty, move.after_penalty),
    )
    return any(before != after for before, after in pairs)


def _own(counted: Counted) -> tuple[str, str, int, int, int, int]:
    return (
        counted.winner,
        counted.award,
        counted.tricks_ns,
        counted.tricks_ew,
        counted.courts_ns,
        counted.courts_ew,
    )


def _leader(ns: int | None, ew: int | None) -> Team | None:
    return None if ns is None or ew is None else leader_of((ns, ew))
