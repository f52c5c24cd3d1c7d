"""What a director rules on, and how far a tournament is closed."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from courtpiece.accounts.permissions import Action, Actor, may
from courtpiece.accounts.queries import NotFound
from scoring import queries as scoring
from scoring.queries import DealLine, PairRef
from tournaments.models import Draft, Entry, Match, Status
from tournaments.queries.parts import (
    EntryLine,
    MatchLine,
    RoundLine,
    entries_of,
    match_line,
    results_of,
    rounds_of,
)
from tournaments.queries.rulings import RulingLine, names_of, ruling_lines
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for, tournament_header


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoicePage:
    """Everything of a tournament that can be ruled on."""

    header: TournamentHeader
    rounds: tuple[RoundLine, ...]
    entries: tuple[EntryLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchPage:
    """A match that a director is about to rule on, with its deals."""

    header: TournamentHeader
    round: int
    match: MatchLine
    deals: tuple[DealLine, ...]
    names: Mapping[int, PairRef]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuledEntryPage:
    """An entry that a director is about to rule on."""

    header: TournamentHeader
    entry: EntryLine
    version: int
    names: Mapping[int, PairRef]


def choice_page(slug: str, *, actor: Actor) -> ChoicePage:
    """Return what can be ruled on. Nine queries.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not rule there.
    """
    header = tournament_header(slug, actor=actor, action=Action.RULE)
    entries = entries_of(header.id)
    rounds = rounds_of(header.id, entries, results_of(header.collection_id))
    return ChoicePage(header=header, rounds=rounds, entries=tuple(entries.values()))


def match_page(slug: str, *, actor: Actor, uid: UUID | None = None, deal: UUID | None = None) -> MatchPage:
    """Return the match of that id, or of that deal, for who is about to rule on it. Nine queries at most.

    :raises NotFound: if there is no such tournament, or it is not of it.
    :raises Forbidden: if the actor may not rule there.
    """
    header = tournament_header(slug, actor=actor, action=Action.RULE)
    rows = Match.objects.filter(round__tournament=header.id).select_related("round")
    if deal is None:
        row = rows.filter(uid=uid or UUID(int=0)).first()
    else:
        place = scoring.deal_place(deal)
        row = None if place is None else rows.filter(scoresheet=place.scoresheet_id).first()
    if row is None:
        raise NotFound
    entries = entries_of(header.id)
    results = {one.scoresheet_id: one for one in scoring.sheet_results([row.scoresheet_id])}
    return MatchPage(
        header=header,
        round=row.round.number,
        match=match_line(row, entries, results),
        deals=scoring.ledger_lines(row.scoresheet_id),
        names=names_of(entries),
    )


def ruled_entry_page(slug: str, *, actor: Actor, number: int) -> RuledEntryPage:
    """Return the entry for who is about to rule on it. Six queries.

    :raises NotFound: if there is no such tournament or entry.
    :raises Forbidden: if the actor may not rule there.
    """
    header = tournament_header(slug, actor=actor, action=Action.RULE)
    entries = entries_of(header.id)
    row = Entry.objects.filter(tournament=header.id, number=number).only("pk", "version").first()
    if row is None or row.pk not in entries:
        raise NotFound
    return RuledEntryPage(header=header, entry=entries[row.pk], version=row.version, names=names_of(entries))


# -- closing


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingPage:
    """How far a tournament is closed, and what stands in the way."""

    header: TournamentHeader
    rounds: tuple[RoundLine, ...]
    appeals_until: datetime | None
    appeal_minutes: int
    open_appeals: tuple[RulingLine, ...]
    last_appeal: datetime | None
    """When the last time for an appeal ends, a ruling's or the tournament's; None without any."""
    draft: int | None
    may_reopen: bool
    """Whether the reader may open it again as it is now."""

    @property
    def open_matches(self) -> int:
        """How many matches are to be finished."""
        return sum(one.open for one in self.rounds)


def closing_page(slug: str, *, actor: Actor) -> ClosingPage:
    """Return how far a tournament is closed. Thirteen queries.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    row = tournament_for(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    header = header_of(row, actor)
    entries = entries_of(header.id)
    rulings = ruling_lines(header.id, entries)
    reopening = Action.REOPEN_TOURNAMENT if row.status == Status.FINAL else Action.MANAGE_TOURNAMENT
    waiting = [line.appeal_until for line in rulings if line.can_be_taken_back and not line.appeal]
    times = [time for time in (*waiting, row.appeals_until) if time is not None]
    return ClosingPage(
        header=header,
        rounds=rounds_of(header.id, entries, results_of(header.collection_id)),
        appeals_until=row.appeals_until,
        appeal_minutes=row.appeal_minutes,
        open_appeals=tuple(line for line in rulings if line.has_open_appeal),
        last_appeal=max(times, default=None),
        draft=Draft.objects.filter(tournament=row).values_list("number", flat=True).first(),
        may_reopen=may(actor, reopening, club_id=row.club_id),
    )
