"""A table of a session, as whoever scores there needs it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db.models import BigIntegerField, UUIDField

from courtpiece.accounts.permissions import Action, Actor, Forbidden
from courtpiece.accounts.prepared import Prepared
from scoring import queries as scoring
from scoring.queries import TableSheet
from tournaments.domain.plans import MatchLength
from tournaments.models import Match, MatchState, TableLink
from tournaments.queries.clocks import agreed_length
from tournaments.queries.confirming import DealConfirmation, confirmations_of
from tournaments.queries.link_times import LinkState, link_state
from tournaments.queries.sight import TournamentHeader, header_of
from tournaments.words import label_text


@dataclass(frozen=True, slots=True, kw_only=True)
class TableMatch:
    """A match at the table."""

    uid: UUID
    round_number: int
    round_name: str
    """Empty where it has only a number."""
    name: str
    """What the format calls it; mostly empty."""
    state: str
    version: int
    """Counts the changes to the match itself; those to its deals the scoresheet counts."""
    ns_entry: int
    ew_entry: int
    agreed: MatchLength | None
    first_dealer: str
    """A seat's letter; empty where none was drawn."""
    sheet: TableSheet


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """A table of a session with all its matches."""

    header: TournamentHeader
    session_number: int
    place: str
    starts_at: datetime | None
    table: str
    matches: tuple[TableMatch, ...]
    """In the order of the rounds."""
    takes_deals: bool
    """Whether the link takes new deals: not when its time is over."""
    asks_confirmation: bool
    """Whether the other pair confirms each deal that is entered at the table."""
    confirmations: Mapping[UUID, DealConfirmation]
    """How far that is, by the deals' public ids; a deal of which it is not asked is left out."""


def table_state(*, actor: Actor, now: datetime) -> TableState:
    """Return the table of the link that the actor comes with. Seven queries.

    Three more where only deals tell whether the link's time is over, two more where a user wrote one of the deals, and
    four more at most where the other pair confirms deals.

    :raises Forbidden: if the actor comes without one.
    """
    if actor.table is None:
        raise Forbidden(Action.RECORD_DEAL)
    (link,) = _LINK.models(actor.table.link_id)
    session = link.session
    matches = _MATCHES.models(list(actor.table.scoresheet_ids))
    sheets = scoring.table_sheets([row.scoresheet_id for row in matches], actor=actor)
    tournament = session.tournament
    agreed = agreed_length(session, tournament)
    return TableState(
        header=header_of(tournament, actor),
        session_number=session.number,
        place=session.place,
        starts_at=session.starts_at,
        table=link.table,
        matches=tuple(_match(row, sheets[row.scoresheet_id], agreed) for row in matches),
        takes_deals=link_state(link.pk, hours=tournament.link_hours, now=now) is LinkState.GOOD,
        asks_confirmation=tournament.confirmation,
        confirmations=confirmations_of(tournament, sheets),
    )


_LINK: Final = Prepared(
    lambda pk: TableLink.objects.select_related("session__tournament").filter(pk=pk), BigIntegerField()
)

_MATCHES: Final = Prepared(
    lambda sheets: (
        Match.objects.filter(scoresheet__pk__in=sheets)
        .select_related("round", "ns", "ew")
        .only(
            *("uid", "scoresheet", "state", "name", "first_dealer", "version", "ns__number", "ew__number"),
            *("round__number", "round__label", "round__name"),
        )
        .order_by("round__number")
    ),
    BigIntegerField(),
)


def _match(row: Match, sheet: TableSheet, agreed: MatchLength | None) -> TableMatch:
    return TableMatch(
        uid=row.uid,
        round_number=row.round.number,
        round_name=label_text(row.round.label or row.round.name),
        name=label_text(row.name),
        state=row.state,
        version=row.version,
        ns_entry=row.ns.number,
        ew_entry=row.ew.number,
        agreed=agreed,
        first_dealer=row.first_dealer,
        sheet=sheet,
    )


# -- where what is sent belongs


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPlace:
    """A scoresheet, and the match that it records."""

    scoresheet_id: int
    club_id: int | None = None
    """None, as the two below, for a scoresheet that is no match's."""
    tournament_id: int | None = None
    match_id: int | None = None


def places_of_sheets(uids: Iterable[UUID]) -> Mapping[UUID, SheetPlace]:
    """Return the scoresheets that there are, by their public ids. One query, one more where one is no match's."""
    wanted = set(uids)
    places = {
        uid: SheetPlace(scoresheet_id=sheet, club_id=club, tournament_id=tournament, match_id=match)
        for uid, sheet, club, tournament, match in _PLACES.rows(list(wanted))
    }
    others = wanted - set(places)
    if others:
        found = scoring.scoresheet_ids_by_uid(others)
        places |= {uid: SheetPlace(scoresheet_id=pk) for uid, pk in found.items()}
    return places


_PLACES: Final = Prepared(
    lambda uids: Match.objects.filter(scoresheet__uid__in=uids).values_list(
        "scoresheet__uid", "scoresheet", "round__tournament__club", "round__tournament", "pk"
    ),
    UUIDField(),
)


def takes_deals(match_id: int) -> bool:
    """Return whether the match is open. One query."""
    return _STATE.rows(match_id) == [(MatchState.OPEN,)]


_STATE: Final = Prepared(
    lambda pk: Match.objects.filter(pk=pk).values_list("state"),
    BigIntegerField(),
)
