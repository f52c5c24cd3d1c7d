"""Which tournaments somebody may see, and what every page says of one."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from courtpiece.accounts import queries as accounts
from courtpiece.accounts.moments import moment_text
from courtpiece.accounts.permissions import SERVER, Action, Actor, Visibility, clubs_where, may, require
from courtpiece.accounts.queries import ClubLine, NotFound
from scoring import queries as scoring
from scoring.domain.results import Scheme
from tournaments.models import ACCEPTED, Entry, Tournament
from tournaments.schemes import scheme_of


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentHeader:
    """What every page about a tournament says of it, and what its reader may do there."""

    id: int
    slug: str
    name: str
    club: ClubLine
    collection_id: int
    version: int
    """The collection's, now."""
    format: str
    visibility: str
    status: str
    rules: str
    rules_version: int
    scheme: Scheme
    created_at: datetime
    players_may_enter: bool
    """Whether players may ask to play."""
    may_upload: bool
    may_manage: bool


def visible_tournaments(actor: Actor) -> QuerySet[Tournament]:
    """Return the tournaments that ``actor`` finds in a list."""
    clubs = clubs_where(actor, Action.LIST_TOURNAMENT)
    if clubs is None:
        return Tournament.objects.all()
    seen = Q(visibility=Visibility.PUBLIC) | Q(club__in=clubs)
    if actor.user_id is not None and may(
        actor, Action.LIST_TOURNAMENT, visibility=Visibility.PRIVATE, is_participant=True
    ):
        seen |= Q(pk__in=entries_of_user(actor.user_id).values("tournament"))
    return Tournament.objects.filter(seen)


def tournament_for(slug: str, *, actor: Actor, action: Action = Action.VIEW_TOURNAMENT) -> Tournament:
    """Return the row of the tournament at that address. One query, one more where it is private.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not do ``action`` there.
    """
    tournament = Tournament.objects.filter(slug=slug).first()
    if tournament is None:
        raise NotFound
    require(
        actor,
        action,
        club_id=tournament.club_id,
        visibility=tournament.visibility,
        is_participant=_participates(actor, tournament),
    )
    return tournament


def tournament_id(slug: str, *, actor: Actor, action: Action) -> int:
    """Return the database id of the tournament at that address. One query, one more where it is private.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not do ``action`` there.
    """
    return tournament_for(slug, actor=actor, action=action).pk


def _participates(actor: Actor, tournament: Tournament) -> bool:
    if actor.user_id is None or tournament.visibility != Visibility.PRIVATE:
        return False
    return entries_of_user(actor.user_id).filter(tournament=tournament).exists()


def entries_of_user(user_id: int) -> QuerySet[Entry]:
    """Return the entries of partnerships in which the user is a player; who only asked to play has none."""
    mine = Q(partnership__first__user=user_id) | Q(partnership__second__user=user_id)
    return Entry.objects.filter(mine, state__in=ACCEPTED)


def tournament_header(
    slug: str, *, actor: Actor, action: Action = Action.VIEW_TOURNAMENT
) -> TournamentHeader:
    """Return what every page about a tournament says. Three queries, one more where it is private.

    :raises NotFound: if there is no such tournament.
    :raises Forbidden: if the actor may not do ``action`` there.
    """
    return header_of(tournament_for(slug, actor=actor, action=action), actor)


def club_for(slug: str, *, actor: Actor, action: Action) -> ClubLine:
    """Return the club at that address. One query.

    :raises NotFound: if there is none.
    :raises Forbidden: if the actor may not do ``action`` there.
    """
    club = accounts.club_by_slug(slug, actor=actor)
    require(actor, action, club_id=club.id)
    return club


def moment_there(tournament: Tournament, instant: datetime) -> str:
    """Return an instant as a date and time of day where the tournament is played, in words. One query."""
    return moment_text(instant, accounts.clubs_by_id([tournament.club_id])[tournament.club_id].timezone)


def header_of(row: Tournament, actor: Actor) -> TournamentHeader:
    """Return what every page says of the tournament. Two queries."""
    return TournamentHeader(
        id=row.pk,
        slug=row.slug,
        name=row.name,
        club=accounts.clubs_by_id([row.club_id])[row.club_id],
        collection_id=row.collection_id,
        version=scoring.collection_versions([row.collection_id])[row.collection_id],
        format=row.format,
        visibility=row.visibility,
        status=row.status,
        rules=row.rules,
        rules_version=row.rules_version,
        scheme=scheme_of(row),
        created_at=row.created_at,
        players_may_enter=row.players_may_enter,
        may_upload=may(actor, Action.UPLOAD, club_id=row.club_id),
        may_manage=may(actor, Action.MANAGE_TOURNAMENT, club_id=row.club_id),
    )


def is_club(slug: str) -> bool:
    """Return whether there is a club at that address. One query. For the server, which may know."""
    try:
        accounts.club_by_slug(slug, actor=SERVER)
    except NotFound:
        return False
    return True
