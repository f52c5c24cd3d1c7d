"""What a file of results is made of and held against: the matches of a tournament, with what is recorded."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from courtpiece.accounts.permissions import Action, Actor
from courtpiece.engine import Seat
from scoring import queries as scoring
from scoring.queries import RecordedDeal, RecordedSheet
from tournaments.domain.plans import LengthKind
from tournaments.domain.slips import KnownDeal
from tournaments.domain.watching import MOST_MISSING
from tournaments.models import Match, MatchState, Tournament
from tournaments.queries.clocks import agreed_length
from tournaments.queries.sight import TournamentHeader, header_of, tournament_for
from tournaments.queries.slips import FEWEST_LINES


@dataclass(frozen=True, slots=True, kw_only=True)
class FileMatch:
    """A match as a file of results needs it."""

    id: int
    uid: UUID
    round: int
    table: str
    ns: str
    """The names of the pair."""
    ew: str
    first_dealer: Seat | None
    is_open: bool
    agreed_deals: int | None
    sheet: RecordedSheet

    @property
    def known(self) -> tuple[KnownDeal, ...]:
        """The deals that are recorded."""
        return tuple(map(known_of, self.sheet.deals))

    @property
    def missing(self) -> tuple[int, ...]:
        """The numbers of the deals that are still to come: as many as were agreed, or as a page begins with."""
        recorded = {deal.number for deal in self.sheet.deals}
        most = self.agreed_deals or min(max([FEWEST_LINES, *recorded]), MOST_MISSING)
        return tuple(number for number in range(1, most + 1) if number not in recorded)


def known_of(deal: RecordedDeal) -> KnownDeal:
    """Return a deal that is recorded as lines are held against it."""
    return KnownDeal(
        number=deal.number,
        dealer=deal.dealer,
        outcome=deal.outcome,
        is_ruled=deal.is_ruled,
        revoke=deal.revoke,
    )


def file_matches(tournament: Tournament) -> tuple[FileMatch, ...]:
    """Return the matches of a tournament, by round and table. Four queries."""
    rows = list(
        Match.objects.filter(round__tournament=tournament).select_related("round__session", "ns", "ew")
    )
    rows.sort(key=lambda row: (row.round.number, len(row.table), row.table))
    names = scoring.pair_names(entry.partnership_id for row in rows for entry in (row.ns, row.ew))
    sheets = scoring.recorded_sheets([row.scoresheet_id for row in rows])
    return tuple(
        FileMatch(
            id=row.pk,
            uid=row.uid,
            round=row.round.number,
            table=row.table,
            ns=names[row.ns.partnership_id],
            ew=names[row.ew.partnership_id],
            first_dealer=Seat[row.first_dealer] if row.first_dealer else None,
            is_open=row.state == MatchState.OPEN,
            agreed_deals=_agreed_deals(row, tournament),
            sheet=sheets[row.scoresheet_id],
        )
        for row in rows
    )


def _agreed_deals(row: Match, tournament: Tournament) -> int | None:
    agreed = agreed_length(row.round.session, tournament)
    return agreed.amount if agreed is not None and agreed.kind is LengthKind.DEALS else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsOf:
    """The matches of a tournament, for a file of its results."""

    header: TournamentHeader
    matches: tuple[FileMatch, ...]


def results_of_tournament(slug: str, *, actor: Actor) -> ResultsOf:
    """Return every match with what is recorded of it. Six queries, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not see it.
    """
    tournament = tournament_for(slug, actor=actor, action=Action.VIEW_TOURNAMENT)
    return ResultsOf(header=header_of(tournament, actor), matches=file_matches(tournament))


def matches_to_fill(slug: str, *, actor: Actor) -> ResultsOf:
    """Return the open matches, for a file in which their results can be filled in. Six queries.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not send results there.
    """
    tournament = tournament_for(slug, actor=actor, action=Action.UPLOAD)
    matches = _open(file_matches(tournament))
    return ResultsOf(header=header_of(tournament, actor), matches=matches)


def _open(matches: Iterable[FileMatch]) -> tuple[FileMatch, ...]:
    return tuple(match for match in matches if match.is_open)
