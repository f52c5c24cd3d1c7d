"""The pages of a tournament."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import Action, Actor
from courtpiece.engine import Award
from scoring import queries as scoring
from scoring.queries import SomeDeals, SpecialDeal
from tournaments.domain.standings import MatchCounts, count_matches
from tournaments.models import Format, PastRegulations, Standings, Tournament
from tournaments.queries import sizes
from tournaments.queries.clocks import RoundTab, ShownClock, clock_of, current_round, round_tabs, timed_round
from tournaments.queries.footnotes import Footnotes, footnotes_of
from tournaments.queries.parts import (
    EntryLine,
    MatchLine,
    RoundLine,
    entries_of,
    is_frozen,
    matches_of_sheets,
    round_lines,
)
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for, tournament_header
from tournaments.queries.standings import ShownStandings, shown_standings

AWARDS: Final = (
    Award.BAVNEY.value,
    Award.GOON_COURT.value,
    Award.COURT.value,
    Award.REVOKE.value,
)
"""What makes courts, in the order in which a list shows it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpecialLine:
    """A deal that is worth pointing at, with where it was played."""

    round: int
    match: MatchLine
    deal: SpecialDeal
    footnotes: tuple[int, ...] = ()
    """The numbers of the rulings about the deal."""

    @property
    def winner(self) -> EntryLine | None:
        """Who won the deal; None: nobody did."""
        return {"NS": self.match.ns, "EW": self.match.ew}.get(self.deal.winner)


@dataclass(frozen=True, slots=True)
class SomeLines:
    """Deals worth pointing at, as many as a page shows, and how many more there are."""

    lines: tuple[SpecialLine, ...]
    more: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentFront:
    """What a tournament's page shows that is quickly read, and which version the rest of it has."""

    header: TournamentHeader
    format_label: str
    rounds: tuple[RoundTab, ...]
    asked: tuple[int, ...]
    """The numbers of the rounds whose matches are shown: all of them, or where these are many, one."""
    matches: MatchCounts
    deals: int
    """Deals that count."""
    standings_at: tuple[int, datetime] | None
    """At which version the standings were computed last, and when; None: never."""
    notes: Footnotes
    """The rulings, by what they are about."""
    clock: ShownClock | None
    """Of the round that is played; None without rounds."""

    @property
    def current(self) -> int | None:
        """The number of the round that is played, or was played last; None without rounds."""
        tab = current_round(self.rounds)
        return None if tab is None else tab.number


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentBody:
    """The rest of a tournament's page: it stays the same while the versions of the front do."""

    front: TournamentFront
    standings: ShownStandings
    entrants: tuple[EntryLine, ...]
    """Who plays, before the first round."""
    shown: tuple[RoundLine, ...]
    awards: SomeLines
    """The deals that made courts, bavneys first, then goon courts, courts and revokes."""
    worth_a_look: SomeLines
    """The deals with a problem that stands, warnings included, and those that were corrected or ruled."""

    @property
    def rounds(self) -> tuple[RoundTab, ...]:
        """All rounds."""
        return self.front.rounds

    @property
    def current(self) -> int | None:
        """The number of the round that is played, or was played last; None without rounds."""
        return self.front.current


@dataclass(frozen=True, slots=True, kw_only=True)
class PastRegulationsLine:
    """Regulations that were replaced."""

    version: int
    rules: str
    ranking: str
    tiebreaks: tuple[str, ...]
    reason: str
    changed_by: str
    """Empty where the server did it."""
    changed_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagePage:
    """What a director can change of a tournament."""

    header: TournamentHeader
    is_frozen: bool
    """Whether a deal was recorded, so that a change of the scoring needs a reason."""
    past: tuple[PastRegulationsLine, ...]


def tournament_front(
    slug: str, *, actor: Actor, round_number: int | None = None, now: datetime | None = None
) -> TournamentFront:
    """Return what is quickly read of a tournament's page. Eight queries, one more where it is private.

    Where there are many matches those of one round are shown: the one given, or the first that has an open one.
    ``now`` is what its clock is shown at; None: without a clock, and a query less.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    tournament = tournament_for(slug, actor=actor)
    rounds = round_tabs(tournament)
    computed = Standings.objects.filter(pk=tournament.pk).values_list("version", "computed_at").first()
    return TournamentFront(
        header=header_of(tournament, actor),
        format_label=str(Format(tournament.format).label),
        rounds=rounds,
        asked=_asked(rounds, round_number),
        matches=_count(rounds),
        deals=scoring.deals_that_count(tournament.collection_id),
        standings_at=computed,
        notes=footnotes_of(tournament.pk),
        clock=_clock(tournament, rounds, now),
    )


def tournament_body(front: TournamentFront) -> TournamentBody:
    """Return the rest of the page. Ten queries at least, fifteen at most.

    Whoever has the front may see it.
    """
    header, notes = front.header, front.notes
    entries = entries_of(header.id)
    shown = [tab.id for tab in front.rounds if tab.number in front.asked]
    return TournamentBody(
        front=front,
        standings=replace(shown_standings(header), footnotes=notes.by_entry),
        entrants=() if front.rounds else tuple(entries.values()),
        shown=_with_notes(round_lines(shown, entries), notes),
        awards=_lines_of(
            scoring.award_deals(header.collection_id, awards=AWARDS, limit=sizes.ALL_AT_ONCE), entries, notes
        ),
        worth_a_look=_lines_of(
            scoring.doubtful_deals(header.collection_id, limit=sizes.ALL_AT_ONCE), entries, notes
        ),
    )


def _clock(tournament: Tournament, rounds: tuple[RoundTab, ...], now: datetime | None) -> ShownClock | None:
    played = timed_round(tournament, rounds, current_round(rounds))
    return None if played is None or now is None else clock_of(played, now=now)


def manage_page(slug: str, *, actor: Actor) -> ManagePage:
    """Return what a director can change of a tournament. Eight queries at most.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    header = tournament_header(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    return ManagePage(
        header=header,
        is_frozen=is_frozen(header.collection_id),
        past=_past_regulations(header.id),
    )


def _past_regulations(tournament_id: int) -> tuple[PastRegulationsLine, ...]:
    rows = list(PastRegulations.objects.filter(tournament=tournament_id).order_by("-version"))
    names = accounts.display_names([row.changed_by_id for row in rows if row.changed_by_id is not None])
    return tuple(
        PastRegulationsLine(
            version=row.version,
            rules=row.rules,
            ranking=row.ranking,
            tiebreaks=tuple(row.tiebreaks),
            reason=row.reason,
            changed_by=names.get(row.changed_by_id or 0, ""),
            changed_at=row.changed_at,
        )
        for row in rows
    )


def _count(rounds: tuple[RoundTab, ...]) -> MatchCounts:
    finished, still_open = sum(one.finished for one in rounds), sum(one.open for one in rounds)
    return count_matches(finished, still_open, sum(one.matches for one in rounds) - finished - still_open)


def _asked(rounds: tuple[RoundTab, ...], number: int | None) -> tuple[int, ...]:
    """Return the numbers of the rounds whose matches are shown."""
    if number is None and sum(one.matches for one in rounds) <= sizes.ALL_AT_ONCE:
        return tuple(one.number for one in rounds)
    asked = next((one for one in rounds if one.number == number), None) or current_round(rounds)
    return () if asked is None else (asked.number,)


def _with_notes(rounds: Iterable[RoundLine], notes: Footnotes) -> tuple[RoundLine, ...]:
    return tuple(
        replace(
            one,
            matches=tuple(
                replace(match, footnotes=notes.by_match.get(match.uid, ())) for match in one.matches
            ),
        )
        for one in rounds
    )


def _lines_of(some: SomeDeals, entries: Mapping[int, EntryLine], notes: Footnotes) -> SomeLines:
    """Return the deals with where they were played. Two queries."""
    matches = matches_of_sheets({deal.scoresheet_id for deal in some.deals}, entries)
    lines = tuple(
        SpecialLine(round=number, match=match, deal=deal, footnotes=notes.by_deal.get(deal.uid, ()))
        for deal in some.deals
        for number, match in [matches[deal.scoresheet_id]]
    )
    return SomeLines(lines, some.total - len(lines))
