"""The pages of a tournament."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.permissions import Action, Actor
from courtpiece.engine import Award
from scoring import queries as scoring
from scoring.queries import SpecialDeal
from tournaments.domain.standings import MatchCounts
from tournaments.models import Format, PastRegulations
from tournaments.queries import sizes
from tournaments.queries.parts import (
    EntryLine,
    MatchLine,
    RoundLine,
    counts_of,
    entries_of,
    is_frozen,
    results_of,
    rounds_of,
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

    @property
    def winner(self) -> EntryLine | None:
        """Who won the deal; None: nobody did."""
        return {"NS": self.match.ns, "EW": self.match.ew}.get(self.deal.winner)

    @property
    def is_award(self) -> bool:
        """Whether it made courts."""
        return self.deal.award in AWARDS

    @property
    def needs_a_look(self) -> bool:
        """Whether a problem stands, or the deal is not as it was first recorded."""
        return bool(self.deal.problem_codes) or self.deal.is_ruled or self.deal.revision > 1


@dataclass(frozen=True, slots=True)
class SomeLines:
    """Deals worth pointing at, as many as a page shows, and how many more there are."""

    lines: tuple[SpecialLine, ...]
    more: int

    @staticmethod
    def of(lines: Sequence[SpecialLine]) -> "SomeLines":
        """Return the first of the lines, and the number of the others."""
        return SomeLines(tuple(lines[: sizes.ALL_AT_ONCE]), max(len(lines) - sizes.ALL_AT_ONCE, 0))


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentPage:
    """A tournament with everything that its page shows."""

    header: TournamentHeader
    format_label: str
    standings: ShownStandings
    rounds: tuple[RoundLine, ...]
    shown: tuple[RoundLine, ...]
    """The rounds whose matches are shown: all of them, or where these are many, one."""
    matches: MatchCounts
    deals: int
    """Deals that count."""
    awards: SomeLines
    """The deals that made courts, bavneys first, then goon courts, courts and revokes."""
    worth_a_look: SomeLines
    """The deals with a problem that stands, warnings included, and those that were corrected or ruled."""

    @property
    def current(self) -> RoundLine | None:
        """The round that is played, or was played last; None without rounds."""
        return _current(self.rounds)


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
    entries: tuple[EntryLine, ...]
    is_frozen: bool
    """Whether a deal was recorded, so that a change of the scoring needs a reason."""
    past: tuple[PastRegulationsLine, ...]


def tournament_page(slug: str, *, actor: Actor, round_number: int | None = None) -> TournamentPage:
    """Return everything that a tournament's page shows. Eleven queries, one more where it is private.

    Where there are many matches it shows those of one round: the one given, or the first that has an open
    one.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    tournament = tournament_for(slug, actor=actor)
    header = header_of(tournament, actor)
    entries = entries_of(tournament.pk)
    results = results_of(tournament.collection_id)
    rounds = rounds_of(tournament.pk, entries, results)
    matches = [match for one in rounds for match in one.matches]
    special = special_of(tournament.collection_id, rounds)
    awards = (line for line in special if line.is_award)
    return TournamentPage(
        header=header,
        format_label=str(Format(tournament.format).label),
        standings=shown_standings(header),
        rounds=rounds,
        shown=_shown(rounds, round_number),
        matches=counts_of(match.state for match in matches),
        deals=sum(match.result.deals for match in matches),
        awards=SomeLines.of(sorted(awards, key=lambda line: AWARDS.index(line.deal.award))),
        worth_a_look=SomeLines.of([line for line in special if line.needs_a_look]),
    )


def manage_page(slug: str, *, actor: Actor) -> ManagePage:
    """Return what a director can change of a tournament. Eight queries at most.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not run it.
    """
    header = tournament_header(slug, actor=actor, action=Action.MANAGE_TOURNAMENT)
    return ManagePage(
        header=header,
        entries=tuple(entries_of(header.id).values()),
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


def _shown(rounds: tuple[RoundLine, ...], number: int | None) -> tuple[RoundLine, ...]:
    if number is None and sum(len(one.matches) for one in rounds) <= sizes.ALL_AT_ONCE:
        return rounds
    asked = next((one for one in rounds if one.number == number), None) or _current(rounds)
    return () if asked is None else (asked,)


def _current(rounds: Sequence[RoundLine]) -> RoundLine | None:
    """Return the first round with an open match, the last where all are over."""
    return next((one for one in rounds if one.open), rounds[-1] if rounds else None)


def special_of(collection_id: int, rounds: Iterable[RoundLine]) -> list[SpecialLine]:
    """Return the deals worth pointing at, by round and table. One query."""
    deals: defaultdict[int, list[SpecialDeal]] = defaultdict(list)
    for deal in scoring.special_deals(collection_id):
        deals[deal.scoresheet_id].append(deal)
    return [
        SpecialLine(round=one.number, match=match, deal=deal)
        for one in rounds
        for match in one.matches
        for deal in deals[match.result.scoresheet_id]
    ]
